"""Which expressions are understood, and that none of them is slow."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise
from re import _parser
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dowse.example.expression import (
    MAX_EXPRESSION_CHARS,
    TokenKind,
    common_kind,
    escape,
    judge_expression,
    level_regex,
    tells_held_out,
    tighter_regexes,
    token_kind,
    token_regex,
    tokenize,
    write_class,
    write_words,
)

LENGTH = 40
PARTS = st.sampled_from(
    ["a", "b", "-", "[a-b]", "[a-c]+", "[ab]*", "b?", "a{2,3}", r"\d+", "(?:a|ab)", "(?:-[ab]+)?", "(?:b|c)?", "a{2}"]
)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "index\\.html",
        "[a-zA-Z]+:[a-zA-Z]+(?:_[a-zA-Z0-9]+=)?\\.html",
        "[a-zA-Z0-9-]+-[0-9]+",
        "(?:dp|product)",
        "(dp|product)",
        r"\d{4}-\d{2}",
        "[^/?]+",
        "x{2,}y",
    ],
)
def test_understood(text: str) -> None:
    assert judge_expression(text, "/?").yes


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("(a+)+", "may not be repeated"),
        ("(?:a(b)c)", "may not stand in a group"),
        ("a+a+a+", "slow to match"),
        ("a?a?a?aaa", "slow to match"),
        ("(?:a|ab)(?:a|ab)c", "slow to match"),
        ("(?:[a-z]+|x)?[a-z]+[a-z]", "slow to match"),
        (".*", "bare dot"),
        ("(?=a)", "groups are written"),
        (r"\1", "not understood"),
        ("[z-a]", "not a character class"),
        ("[^/]+", r"takes \?"),
        ("a/b", "takes /"),
        ("(?:a", "not closed"),
        ("a)", "means nothing"),
        ("+a", "means nothing"),
        ("a++", "means nothing"),
        ("a{9999}", "not a valid repeat count"),
        ("a{5,2}", "not a valid repeat count"),
        ("a" * (MAX_EXPRESSION_CHARS + 1), "characters"),
        ("a^b", "not understood"),
    ],
)
def test_refused_with_a_reason(text: str, why: str) -> None:
    verdict = judge_expression(text, "/?")
    assert not verdict.yes
    assert re.search(why, verdict.reason)


@given(st.text(max_size=30))
def test_any_text_is_judged_and_what_is_let_through_compiles(text: str) -> None:
    if judge_expression(text).yes:
        re.compile(text)


@given(st.lists(PARTS, min_size=1, max_size=12).map("".join))
def test_what_is_let_through_takes_few_steps(text: str) -> None:
    if not judge_expression(text).yes:
        return
    for hostile in ("a" * LENGTH + "!", "ab" * (LENGTH // 2) + "!", "a-" * (LENGTH // 2) + "!"):
        assert count_steps(text, hostile) <= 10 * LENGTH * LENGTH


def test_what_is_refused_takes_many() -> None:
    assert count_steps("a+a+a+b", "a" * LENGTH + "!") > 10 * LENGTH * LENGTH


def count_steps(text: str, subject: str) -> int:
    """Count the characters that a matcher which goes back looks at before it gives up."""
    steps = 0

    def walk(nodes: list[Any], at: int, then: Callable[[int], bool]) -> bool:
        if not nodes:
            return then(at)
        (kind, told), rest = nodes[0], nodes[1:]

        def go_on(place: int) -> bool:
            return walk(rest, place, then)

        if str(kind) == "MAX_REPEAT":
            low, high, body = told
            return repeat(list(body), int(low), int(high), at, go_on)
        if str(kind) == "SUBPATTERN":
            return walk(list(told[3]), at, go_on)
        if str(kind) == "BRANCH":
            return any(walk(list(branch), at, go_on) for branch in told[1])
        nonlocal steps
        steps += 1
        return at < len(subject) and takes(kind, told, subject[at]) and go_on(at + 1)

    def repeat(body: list[Any], low: int, high: int, at: int, then: Callable[[int], bool]) -> bool:
        more = high > 0 and walk(body, at, lambda end: end > at and repeat(body, low - 1, high - 1, end, then))
        return more or (low <= 0 and then(at))

    walk(list(_parser.parse(text)), 0, lambda end: end == len(subject))
    return steps


def takes(kind: Any, told: Any, character: str) -> bool:
    if str(kind) == "LITERAL":
        return bool(told == ord(character))
    return any(
        (str(name) == "LITERAL" and ord(character) == what)
        or (str(name) == "RANGE" and what[0] <= ord(character) <= what[1])
        or (str(name) == "CATEGORY" and character.isdigit())
        for name, what in told
    )


def test_tokens_of_figure_8() -> None:
    assert tokenize("Chaves:Silvio_8=") == ("Chaves", ":", "Silvio", "_", "8", "=")
    assert tokenize("Mendes:Sergio") == ("Mendes", ":", "Sergio")


@pytest.mark.parametrize(
    ("column", "written"),
    [
        pytest.param(("Chaves", "Ugher", "Mendes"), "[a-zA-Z]+", id="one leaf"),
        pytest.param((":", ":", ":"), ":", id="one token"),
        pytest.param(("_", "_", ""), "_*", id="missing in one"),
        pytest.param(("8", "D", ""), "[a-zA-Z0-9]*", id="the node above two leaves, missing in one"),
    ],
)
def test_columns_of_figure_8(column: tuple[str, ...], written: str) -> None:
    assert token_regex(column) == written


@pytest.mark.parametrize(
    ("column", "written"),
    [
        (("1", "22"), "[0-9]+"),
        (("tt0109783", "tt0374546"), "tt[0-9]+"),
        (("12px", "9px"), "[0-9]+px"),
        (("ada9c2e2", "ed5def2b", "1a2b3c4d"), "[0-9a-f]{8}"),
        (("ada9c2e2", "1a2b3c4d"), "[a-zA-Z0-9]+"),
        (("caf%C3%A9", "tea"), "[a-zA-Z0-9%]+"),
        (("-", "_"), r"[\-_]"),
        (("a", "-"), "[^/?&]+"),
        (("ab", "ab", ""), "(?:ab)*"),
    ],
)
def test_columns(column: tuple[str, ...], written: str) -> None:
    assert token_regex(column) == written


@pytest.mark.parametrize(
    ("token", "kind"),
    [
        ("jazz", TokenKind.LETTERS),
        ("2004", TokenKind.DIGITS),
        ("48640644X", TokenKind.MIXED),
        ("S%C3%A3o", TokenKind.ENCODED),
        ("%20", TokenKind.ENCODED),
        ("%", TokenKind.MARK),
        ("-", TokenKind.MARK),
    ],
)
def test_kinds(token: str, kind: TokenKind) -> None:
    assert token_kind(token) is kind
    assert common_kind([token, ""]) is kind


@given(st.text(max_size=40))
def test_tokens_are_the_text(text: str) -> None:
    tokens = tokenize(text)
    assert "".join(tokens) == text
    words = [token_kind(token) is not TokenKind.MARK for token in tokens]
    assert not any(one and other for one, other in pairwise(words)), "a word was cut in two"


@given(st.lists(st.from_regex(r"[a-zA-Z0-9%.-]{0,6}", fullmatch=True), min_size=1, max_size=5))
def test_a_column_is_matched(texts: list[str]) -> None:
    column = [next(iter(tokenize(text)), "") for text in texts]
    if any(column):
        assert all(re.fullmatch(token_regex(column), token) for token in column)


@given(st.text(min_size=1, max_size=10))
def test_escaped_texts_match_themselves(text: str) -> None:
    assert re.fullmatch(escape(text), text)
    assert re.fullmatch(write_class(text) + "+", text)


VALUES = st.lists(st.text("abX19-_.%:~+", max_size=12), min_size=1, max_size=8)


@pytest.mark.parametrize(
    ("values", "written"),
    [
        pytest.param(["x.html", "x.html"], r"x\.html", id="equal values stay"),
        pytest.param(["default_a", "default_b", "default_c"], "default_[a-zA-Z]+", id="Table 1"),
        pytest.param(["c", "u", "m"], "[a-zA-Z]+", id="Figure 8, level 6"),
        pytest.param(
            ["Chaves:Silvio_8=.html", "Ugher:Mangabeira_D=.html", "Mendes:Sergio.html"],
            r"[a-zA-Z]+:[a-zA-Z]+(?:_[a-zA-Z0-9]+=)?\.html",
            id="Figure 8, level 7",
        ),
        pytest.param(["page", "page-2", "page-3"], "page(?:-[0-9]+)?", id="a first page without a number"),
        pytest.param(["", "a", "b"], "(?:[a-zA-Z]+)?", id="nothing in one"),
        pytest.param(
            ["the-sting-1", "jaws-22", "a-star-is-born-3"], r"[a-zA-Z0-9%\-_]+-[0-9]+", id="titles before a number"
        ),
        pytest.param(["7-jaws", "12-the-sting"], r"[0-9]+-[a-zA-Z0-9%\-_]+", id="titles after a number"),
        pytest.param(["tt01", "tt02", "tt03"], "tt[0-9]+", id="a name before a number"),
        pytest.param(["1.2", "1.2.3", "4"], "[0-9.]+", id="numbers only"),
    ],
)
def test_level(values: list[str], written: str) -> None:
    assert level_regex(values, "/?") == written


def test_words_that_all_stood_twice_are_all_there_are() -> None:
    assert level_regex(["news", "press"] * 3, "/?") == "(?:press|news)"
    assert level_regex(["news", "press"] * 3 + ["blog"], "/?") == "[a-zA-Z]+"
    assert level_regex(["2010", "2011"] * 3, "/?") == "[0-9]+"


def test_words_hide_no_other() -> None:
    assert re.fullmatch(write_words(["a", "ab", "abc"]), "abc")
    assert write_words(["", "x"]) == "(?:x)?"


@given(VALUES)
def test_every_value_is_matched(values: list[str]) -> None:
    written = level_regex(values, "/?")
    assert judge_expression(written, "/?").yes
    assert all(re.fullmatch(written, value) for value in values)


@given(VALUES)
def test_tighter_ones_match_every_value_too(values: list[str]) -> None:
    for written, _ in tighter_regexes(values, "/?"):
        assert judge_expression(written, "/?").yes
        assert all(re.fullmatch(written, value) for value in values)


def test_tighter_ones_match_less_and_count_nothing() -> None:
    written = [each for each, _ in tighter_regexes(["pa9780553277579", "pa9781433668234", "pa9780312570767"], "/?")]
    assert any(not re.fullmatch(each, "PA1") for each in written)
    assert all(re.fullmatch(each, "pa1") for each in written), "a length, or how a number begins, is told"
    assert list(tighter_regexes(["a", "a"], "/?")) == []


def test_only_what_tells_held_out_values_better_than_shuffled_labels_is_learned() -> None:
    films = ["jaws", "alien", "psycho", "vertigo", "brazil", "rope", "gilda", "laura", "shane", "giant"]
    helps = ["ABOUT", "HELP", "CONTACT", "LEGAL", "PRESS", "TERMS", "JOBS", "TEAM", "IMPRINT", "SITE"]
    tight = [tighten for _, tighten in tighter_regexes(films, "/?")]
    assert any(tells_held_out(films, helps, "/?", tighten) for tighten in tight)
    mixed = films[::2] + helps[::2], films[1::2] + helps[1::2]  # the same words on both sides
    tight = [tighten for _, tighten in tighter_regexes(mixed[0], "/?")]
    assert not any(tells_held_out(*mixed, "/?", tighten) for tighten in tight)


def test_a_code_is_no_title() -> None:
    written = level_regex(["7341F56F-2A62", "C0F0CCB5-DD65", "07A7EF73-ED44"], "/?")
    assert written == "[0-9A-F]{8}-[a-zA-Z0-9]+"


def test_one_value_that_is_unlike_all_others_is_not_known() -> None:
    values = ["about"] * 5 + ["x-y-1"]
    assert not any(tells_held_out(values, ["help"], "/?", tighten) for _, tighten in tighter_regexes(values, "/?"))
