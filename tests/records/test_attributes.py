"""What records tell, by name and place."""

from __future__ import annotations

from dowse.records.attributes import Samples, find_plain, learn_attributes, name_title, read_values
from dowse.records.labels import Told

BOOKS = [
    [
        Told("", "h3/a", 1, f"Book {n}", f"/b/{n}"),
        Told("Genre", "i", 1, text),
        Told("", "span.price", 1, f"{n}.99"),
        Told("", "em", 1, f"mint – {1990 + n}"),
        Told("", "a", 1, "More", f"/b/{n}"),
    ]
    for n, text in enumerate(["War", "Love, War", "Love", "Sea, War, Love"])
]


def learn() -> Samples:
    return Samples(BOOKS, (), {}, find_plain(BOOKS, ()))


def test_each_attribute_has_a_name_and_says_how_it_was_found() -> None:
    attributes, title = name_title(learn_attributes(learn()), BOOKS, ("h3/a", 1))
    assert [(each.name, each.how) for each in attributes] == [
        ("title", "title"), ("price", "class"), ("column 3", "place"), ("column 4", "place"), ("Genre", "label"),
    ]  # fmt: skip
    assert title == "title"


def test_values_are_parted_and_buttons_are_none() -> None:
    attributes, _ = name_title(learn_attributes(learn()), BOOKS, ("h3/a", 1))
    assert [tuple(value) for value in read_values(BOOKS[3], attributes)] == [
        ("title", "Book 3"), ("Genre", "Sea"), ("Genre", "War"), ("Genre", "Love"), ("price", "3.99"),
        ("column 3", "mint"), ("column 4", "1993"),
    ]  # fmt: skip


def test_a_name_that_was_never_seen_is_an_attribute_of_its_own() -> None:
    assert [tuple(value) for value in read_values([Told("Pages", "i", 1, "300")], ())] == [("Pages", "300")]


def test_a_value_in_two_tags_is_one() -> None:
    told = [Told("Way", "i", 1, "12"), Told("Way", "small", 1, "km")]
    assert [tuple(value) for value in read_values(told, ())] == [("Way", "12 km")]


def test_what_was_asked_for_may_be_the_same_in_all_records() -> None:
    told = [[Told("", "p", 1, "Drama"), Told("", "b", 1, f"Play {n}")] for n in range(5)]
    assert ("p", 1) in find_plain(told, ())
    assert ("p", 1) not in find_plain(told, ("drama",))
