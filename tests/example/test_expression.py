"""Which expressions are understood, and that none of them is slow."""

from __future__ import annotations

import re
from collections.abc import Callable
from re import _parser  # type: ignore[attr-defined]
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dowse.example.expression import LONGEST, judge_expression

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
        ("[z-a]", "no class"),
        ("[^/]+", r"takes \?"),
        ("a/b", "takes /"),
        ("(?:a", "not closed"),
        ("a)", "means nothing"),
        ("+a", "means nothing"),
        ("a++", "means nothing"),
        ("a{9999}", "no count"),
        ("a{5,2}", "no count"),
        ("a" * (LONGEST + 1), "characters"),
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
