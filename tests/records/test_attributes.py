"""Attributes of records: their names, found by what comes back, and their values."""

from __future__ import annotations

import pytest

from dowse.records.attributes import (
    AttributeSamples,
    LabelledPiece,
    LabelPlaces,
    find_constant_pieces,
    find_header,
    label_pieces,
    learn_attributes,
    learn_labels,
    name_title,
    read_record_values,
)
from dowse.records.pieces import TextPiece
from dowse.tree import find_nodes
from tests.records.trees import tree_of

PAIRS = [
    [TextPiece("b", "Author"), TextPiece("i", f"Writer {n}"), TextPiece("b", "Year"), TextPiece("i", str(1990 + n))]
    for n in range(5)
]
TEXTS = [[TextPiece("a", f"Title {n}"), TextPiece("", f"(Author: Writer {n}; Year: {1990 + n})")] for n in range(5)]


def said(item: list[TextPiece], labels: LabelPlaces) -> list[tuple[str, str]]:
    return [(each.label, each.text) for each in label_pieces(item, labels) if each.text]


def test_words_that_come_back_name_what_follows() -> None:
    assert said(PAIRS[2], learn_labels(PAIRS)) == [("Author", "Writer 2"), ("Year", "1992")]


def test_a_record_may_lack_what_others_have() -> None:
    items = [*PAIRS, PAIRS[0][2:], PAIRS[1][:2]]
    assert said(items[5], learn_labels(items)) == [("Year", "1990")]


def test_names_and_values_in_one_text_are_parted() -> None:
    assert said(TEXTS[1], learn_labels(TEXTS)) == [("", "Title 1"), ("Author", "Writer 1"), ("Year", "1991")]


def test_a_colon_in_a_title_names_nothing() -> None:
    items = [
        [TextPiece("a", f"{word}: the story"), TextPiece("p", f"text {word}")]
        for word in ("Dune", "Emma", "Kim", "Mort")
    ]
    assert learn_labels(items).names == frozenset()


def test_what_was_asked_for_is_no_name() -> None:
    items = [[TextPiece("b", "Drama"), TextPiece("i", f"Play {n}")] for n in range(5)]
    assert learn_labels(items).names == {"drama"}
    assert learn_labels(items, ("drama",)).names == frozenset()


@pytest.mark.parametrize(
    ("head", "named"),
    [
        pytest.param("<tr><th>Name<th>Year", {"td[1]": "Name", "td[2]": "Year"}, id="th"),
        pytest.param("<thead><tr><th>Name<th>Year</thead>", {"td[1]": "Name", "td[2]": "Year"}, id="thead"),
        pytest.param("<tr><td>Name<td>Year", {"td[1]": "Name", "td[2]": "Year"}, id="td"),
        pytest.param("<tr><th>Name ▼<th>⇅ Year", {"td[1]": "Name", "td[2]": "Year"}, id="signs of sorting"),
        pytest.param("<tr><td>Buy socks<td colspan=2>Sponsored", {}, id="an advertisement"),
        pytest.param("", {}, id="none"),
    ],
)
def test_columns_are_named(head: str, named: dict[str, str]) -> None:
    tree = tree_of(f"<table>{head}<tr class=r><td>Anna<td>1990<tr class=r><td>Boris<td>1991</table>")
    rows = [node for node in find_nodes(tree, "tr") if node.attribute("class") == "r"]
    assert find_header([tree], rows) == named


def test_a_wide_cell_names_all_columns_under_it() -> None:
    tree = tree_of("<table><tr><th>Name<th colspan=2>Price<tr class=r><td>a<td>1<td>2</table>")
    rows = [node for node in find_nodes(tree, "tr") if node.attribute("class") == "r"]
    assert find_header([tree], rows) == {"td[1]": "Name", "td[2]": "Price", "td[3]": "Price"}


BOOKS = [
    [
        LabelledPiece("", "h3/a", 1, f"Book {n}", f"/b/{n}"),
        LabelledPiece("Genre", "i", 1, text),
        LabelledPiece("", "span.price", 1, f"{n}.99"),
        LabelledPiece("", "em", 1, f"mint – {1990 + n}"),
        LabelledPiece("", "a", 1, "More", f"/b/{n}"),
    ]
    for n, text in enumerate(["War", "Love, War", "Love", "Sea, War, Love"])
]


def learn() -> AttributeSamples:
    return AttributeSamples(BOOKS, (), {}, find_constant_pieces(BOOKS, ()))


def test_each_attribute_has_a_name_and_says_how_it_was_found() -> None:
    attributes, title = name_title(learn_attributes(learn()), BOOKS, ("h3/a", 1))
    assert [(each.name, each.how) for each in attributes] == [
        ("title", "title"), ("price", "class"), ("column 3", "place"), ("column 4", "place"), ("Genre", "label"),
    ]  # fmt: skip
    assert title == "title"


def test_values_are_parted_and_buttons_are_none() -> None:
    attributes, _ = name_title(learn_attributes(learn()), BOOKS, ("h3/a", 1))
    assert [tuple(value) for value in read_record_values(BOOKS[3], attributes)] == [
        ("title", "Book 3"), ("Genre", "Sea"), ("Genre", "War"), ("Genre", "Love"), ("price", "3.99"),
        ("column 3", "mint"), ("column 4", "1993"),
    ]  # fmt: skip


def test_a_name_that_was_never_seen_is_an_attribute_of_its_own() -> None:
    assert [tuple(value) for value in read_record_values([LabelledPiece("Pages", "i", 1, "300")], ())] == [
        ("Pages", "300")
    ]


def test_a_value_in_two_tags_is_one() -> None:
    pieces = [LabelledPiece("Way", "i", 1, "12"), LabelledPiece("Way", "small", 1, "km")]
    assert [tuple(value) for value in read_record_values(pieces, ())] == [("Way", "12 km")]


def test_what_was_asked_for_may_be_the_same_in_all_records() -> None:
    pieces = [[LabelledPiece("", "p", 1, "Drama"), LabelledPiece("", "b", 1, f"Play {n}")] for n in range(5)]
    assert ("p", 1) in find_constant_pieces(pieces, ())
    assert ("p", 1) not in find_constant_pieces(pieces, ("drama",))
