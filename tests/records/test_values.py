"""Several values in one text."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dowse.records.values import LIST_SEPARATORS, find_column_separator, find_separator, split_values


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
        pytest.param(
            ["Ann Lee, Bo Dahl", "Cy Ek, Di Fry, Ed Gay", "Flo Hur, Gil Ito"],
            ", ",
            id="names of which none stands alone",
        ),
        pytest.param(["acl, ws", *(["coling"] * 9)], ", ", id="keywords, seldom two"),
        pytest.param(
            ["Fauvism, Tachism", "Cubism", "Op Art", "Dada", "Vorticism, Orphism", "Futurism"],
            ", ",
            id="values seen once, as short as those that stand alone",
        ),
        pytest.param(
            ["Bonn, Köln", "Ulm", "Aachen, Essen, Trier", "Bonn, Ulm", "Essen", "Köln, Trier, Ulm", "Aachen, Hof"],
            ", ",
            id="values in the order of the alphabet",
        ),
        pytest.param(
            ["oak, Rome, sky, tree", "Bath, arch", "cloud, Essen, Villa", "man, hat, Ely, sea, tower", "Kent"],
            ", ",
            id="now few parts and now many",
        ),
        pytest.param(
            ["Doyle, Arthur Conan, Sir", "Verne, Jules", "Homer", "Hardy, Thomas", "Poe, Edgar Allan", "Various"],
            "",
            id="names turned round, and names of one word",
        ),
        pytest.param(
            ["Gard, Nimes, FR", "Uzes, FR", "Lunel, Herault, FR", "Sete, Herault, FR", "Lyon, FR"],
            "",
            id="places of two and three parts",
        ),
        pytest.param(["May 3, 2004", "2004", "June 12, 1998", "July 1, 2004"], "", id="dates"),
        pytest.param(["Tin / Lead", "Iron", "Zinc / Gold / Lead"], " / ", id="slashes, most values seen once"),
        pytest.param(["Tin · Lead", "Iron", "Zinc · Gold"], " · ", id="dots"),
        pytest.param(["Tin | Lead", "Iron", "Zinc | Gold"], " | ", id="bars"),
        pytest.param(["Doe, J.; Roe, A.", "Poe, E.", "Lee, B.; Fry, D."], "; ", id="semicolons before commas"),
        pytest.param(["Tin; Lead", "Zinc; Gold", "Iron; Tin", "Lead; Gold"], "; ", id="always two, by semicolons"),
        pytest.param(
            ["The Young Lieutenant; or, The Adventures of an Officer", "Emma", "The Arizona Callahan", "Cratylus"],
            "",
            id="a semicolon in a title",
        ),
        pytest.param(
            ["Benavarri / Benabarre, Huesca, ES", "Binefar, Huesca, ES", "Barcabo, Huesca, ES", "Piraces, Huesca, ES"],
            "",
            id="a slash in one part of an address",
        ),
        pytest.param(["Zoo · 12 km", "Park · 3 km", "Lake", "Pier · 40 km"], "", id="a name and a size"),
    ],
)
def test_separators(texts: list[str], separator: str) -> None:
    assert find_separator(texts) == separator


@pytest.mark.parametrize(
    ("texts", "asked", "separator"),
    [
        pytest.param(["war, peace"], "Peace", ", ", id="one text"),
        pytest.param(["War, Peace", "Love, War"], "war", ", ", id="now first, now last"),
        pytest.param(["Smith, John", "Smith, Adam", "Smith, Eve"], "Smith", "", id="always first: a name turned round"),
        pytest.param(["Paris, France", "Lyon, France"], "France", "", id="always last: places"),
        pytest.param(["Ulm, BW, DE", "Au, BW, DE", "Calw, Calw, BW, DE"], "BW", "", id="always before the last"),
    ],
)
def test_what_was_asked_for_shows_a_list_when_it_is_bound_to_no_place(
    texts: list[str], asked: str, separator: str
) -> None:
    assert find_separator(texts, (asked,)) == separator


WORDS = st.sampled_from(["Drama", "War", "the end", "Ann Lee", "May 3", "2004", "x (y, z)", "Paris", "o", ""])
TEXTS = st.lists(
    st.builds(str.join, st.sampled_from([", ", "; ", " / ", " – "]), st.lists(WORDS, max_size=5)), max_size=8
)


@given(TEXTS, st.lists(WORDS, max_size=2), st.randoms(use_true_random=False))
def test_the_order_of_texts_and_empty_ones_change_nothing(texts: list[str], asked: list[str], rng: Random) -> None:
    shuffled = [*texts, "", "  "]
    rng.shuffle(shuffled)
    found = find_separator(texts, asked)
    assert found in (*LIST_SEPARATORS, "")
    assert find_separator(shuffled, asked) == found


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
    assert find_column_separator(texts) == found


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
