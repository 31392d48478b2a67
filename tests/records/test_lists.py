"""Several values in one text."""

from __future__ import annotations

import pytest

from dowse.records.lists import find_columns, find_separator, split_values


@pytest.mark.parametrize(
    ("texts", "separator"),
    [
        pytest.param(["Drama, War", "War", "Drama, Crime, War"], ", ", id="values that come back"),
        pytest.param(
            ["Ann Lee, Bo Dahl", "Cy Ek", "Di Fry, Ed Gay, Flo Hur"], ", ", id="names like those that stand alone"
        ),
        pytest.param(["red; blue", "green; red", "blue"], "; ", id="semicolons"),
        pytest.param(["Smith, John", "Brown, Anna", "Clark, Eve"], "", id="names turned round"),
        pytest.param(
            ["A long sentence, with a comma in the middle of it", "Another one that has none at all"],
            "",
            id="sentences",
        ),
        pytest.param(["one", "two"], "", id="single values"),
        pytest.param([], "", id="nothing"),
    ],
)
def test_separators(texts: list[str], separator: str) -> None:
    assert find_separator(texts) == separator


def test_what_was_asked_for_shows_a_list() -> None:
    assert find_separator(["war, peace"], ("Peace",)) == ", "


@pytest.mark.parametrize(
    ("texts", "found"),
    [
        pytest.param(["a – 1", "b – 2", "c – 3", "d – 4"], (" – ", 2), id="two things"),
        pytest.param(["a, 1, x", "b, 2, y", "c, 3, z", "d, 4, w"], (", ", 3), id="three with commas"),
        pytest.param(["a, 1", "b, 2", "c, 3", "d, 4"], ("", 0), id="two with a comma may be one"),
        pytest.param(["a – 1", "b – 2"], ("", 0), id="too few"),
    ],
)
def test_columns(texts: list[str], found: tuple[str, int]) -> None:
    assert find_columns(texts) == found


def test_empty_values_are_none() -> None:
    assert split_values("a; ;b;", "; ") == ["a", "b"]
