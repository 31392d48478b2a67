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
        pytest.param(
            ["Twilight (Twilight, #1)", "Emma", "Dune (Dune, #1)", "New Moon (Twilight, #2)"],
            "",
            id="commas in brackets",
        ),
        pytest.param(
            ["Paris, France", "Lyon, France", "Bonn", "Nice, France", "Bonn, Germany"],
            "",
            id="places, always in one order",
        ),
        pytest.param(
            ["Main St 5, Ames", "Elm St 12, Ames", "Ames", "Oak St 9, Boone"], "", id="addresses, by their digits"
        ),
        pytest.param(
            ["The Lion, the Witch", "Emma", "Love, actually", "Dune"], "", id="titles that go on in small letters"
        ),
        pytest.param(["War, Peace", *(f"Title {n}" for n in range(9))], "", id="a comma now and then"),
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


@pytest.mark.parametrize(
    ("text", "values"),
    [
        pytest.param("a, b (c, d), e", ["a", "b (c, d)", "e"], id="brackets stay whole"),
        pytest.param("a, b (c, d", ["a", "b (c", "d"], id="a bracket that is never closed opens nothing"),
        pytest.param("a), b", ["a)", "b"], id="one that was never opened closes nothing"),
    ],
)
def test_brackets(text: str, values: list[str]) -> None:
    assert split_values(text, ", ") == values


def test_a_word_that_was_asked_for_in_one_of_many_titles_shows_no_list() -> None:
    titles = ["Love, actually", "Lust, caution", "Girl, interrupted", "Me, myself and Irene"]
    assert find_separator(titles, ("love",)) == ""


def test_empty_values_are_none() -> None:
    assert split_values("a; ;b;", "; ") == ["a", "b"]
