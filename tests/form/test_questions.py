"""What a door can be asked to see whether it answers."""

from __future__ import annotations

import pytest

from dowse.form.doors import open_door
from dowse.form.questions import (
    find_box,
    find_choices,
    find_common,
    find_extremes,
    find_part,
    find_preset_choices,
    find_words,
    has_range,
    make_nonsense,
    stop_words,
)
from dowse.model import Door, Page, Response
from dowse.page import read_page


def door(controls: str) -> Door:
    html = f"<form action=/find>{controls}<button>Search</button></form>"
    page: Page = read_page(Response("http://e.com/", 200, (), html.encode()))
    return open_door(page.forms[0], page)


@pytest.mark.parametrize(
    ("controls", "name"),
    [
        ("<input name=title><input name=q>", "q"),
        ("<label>Author <input name=a></label><label>Keywords <input name=b></label>", "b"),
        ("<input name=title><input name=author>", "title"),
        ("<input type=number name=year><input name=title>", "title"),
        ("<input name=email><input name=title>", "title"),
        ("<input type=hidden name=q><input type=checkbox name=c value=1>", ""),
        ("<select name=s><option value=''>all<option>a</select>", ""),
    ],
    ids=["by its name", "by its label", "the first", "no number", "nothing personal", "hidden", "only choices"],
)
def test_boxes(controls: str, name: str) -> None:
    box = find_box(door(controls))
    assert (box.name if box else "") == name


def test_choices_of_controls_that_stand_at_nothing() -> None:
    asked = door(
        "<select name=make><option value=''>Any make<option value=1>Ford<option value=2>Opel<option value=3>Seat</select>"
        "<select name=how><option value=all selected>all words<option value=one>any word</select>"
    )
    assert [question.values for question in find_choices(asked)] == [(("make", "1"),), (("make", "2"),)]
    assert (("make", "1"),) not in [question.values for question in find_preset_choices(asked)]


def test_ends_of_a_range() -> None:
    asked = door(
        "<label>Price from <input name=price_min></label> <label>to <input name=price_max></label><input name=q>"
    )
    assert has_range(asked)
    low, high = find_extremes(asked)
    assert (low.values, high.values) == ((("price_min", "1"),), (("price_min", "987654321"),))
    assert find_extremes(door("<input name=q>")) == []


def test_nonsense_is_spoken_and_the_same_for_the_same_door() -> None:
    word = make_nonsense("one")
    assert word == make_nonsense("one") != make_nonsense("two")
    assert len(word) == 10
    assert all(letter in "aeiou" for letter in word[1::2])
    assert not any(letter in "aeiou" for letter in word[::2])


def test_words_of_scripts_without_blanks_are_parted_where_the_script_changes() -> None:
    assert list(find_words("論文の夕べ、ホームページ and a Catalogue 1998")) == [
        "論文",
        "ホームページ",
        "and",
        "Catalogue",
    ]


def test_a_part_of_most_values() -> None:
    values = ["Blue Harbour", "Red Harbour", "Harbour", "Green House"]
    assert find_part(values) == ("Harbour", "Blue Harbour")
    assert find_part(values, without=["harbour"])[0] != "Harbour"
    assert find_part(["Ford", "Opel"]) == ("", "")
    assert find_part(["近世村落"]) == ("近世", "近世村落")


def test_common_words_first() -> None:
    assert find_common(["old cars", "new cars", "cars of the town"], ["old"])[0] == "cars"


def test_a_language_has_its_own_common_words_and_the_others_those_of_english() -> None:
    assert stop_words("de")[0] == "der"
    assert stop_words("xx") == stop_words("en") == ("the", "of", "and", "in")
