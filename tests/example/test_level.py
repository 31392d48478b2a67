"""Values of one level as an expression, loose or tight."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dowse.example.expression import judge_expression
from dowse.example.level import knows_more, level_regex, tighter_regexes, write_words

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


def test_tighter_ones_match_less() -> None:
    written = [each for each, _ in tighter_regexes(["9780553277579", "9781433668234", "9780312570767"], "/?")]
    assert "[0-9]{13}" in written
    assert any(not re.fullmatch(each, "1234567890123") for each in written)
    assert list(tighter_regexes(["a", "a"], "/?")) == []


def test_an_expression_that_only_knows_what_it_has_seen() -> None:
    numbers = [str(number) for number in range(100, 120)]
    titles = ["jaws", "alien", "a-star-is-born", "the-sting", "psycho", "2001"]
    by_length = next(tighten for written, tighten in tighter_regexes(numbers, "/?") if written == "[0-9]{3}")
    assert knows_more(numbers, "/?", by_length)
    knowing = [written for written, tighten in tighter_regexes(titles, "/?") if knows_more(titles, "/?", tighten)]
    assert not any("{4,14}" in written for written in knowing)


def test_a_code_is_no_title() -> None:
    written = level_regex(["7341F56F-2A62", "C0F0CCB5-DD65", "07A7EF73-ED44"], "/?")
    assert written == "[0-9A-F]{8}-[a-zA-Z0-9]+"


def test_one_value_that_is_unlike_all_others_is_not_known() -> None:
    values = ["about"] * 5 + ["x-y-1"]
    assert not any(knows_more(values, "/?", tighten) for _, tighten in tighter_regexes(values, "/?"))
