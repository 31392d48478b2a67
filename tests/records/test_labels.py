"""Names in records: found by what comes back."""

from __future__ import annotations

from dowse.records.labels import Labels, learn_labels, tell
from dowse.records.pieces import Piece

PAIRS = [
    [Piece("b", "Author"), Piece("i", f"Writer {n}"), Piece("b", "Year"), Piece("i", str(1990 + n))] for n in range(5)
]
TEXTS = [[Piece("a", f"Title {n}"), Piece("", f"(Author: Writer {n}; Year: {1990 + n})")] for n in range(5)]


def said(item: list[Piece], labels: Labels) -> list[tuple[str, str]]:
    return [(each.label, each.text) for each in tell(item, labels) if each.text]


def test_words_that_come_back_name_what_follows() -> None:
    assert said(PAIRS[2], learn_labels(PAIRS)) == [("Author", "Writer 2"), ("Year", "1992")]


def test_a_record_may_lack_what_others_have() -> None:
    items = [*PAIRS, PAIRS[0][2:], PAIRS[1][:2]]
    assert said(items[5], learn_labels(items)) == [("Year", "1990")]


def test_names_and_values_in_one_text_are_parted() -> None:
    assert said(TEXTS[1], learn_labels(TEXTS)) == [("", "Title 1"), ("Author", "Writer 1"), ("Year", "1991")]


def test_a_colon_in_a_title_names_nothing() -> None:
    items = [[Piece("a", f"{word}: the story"), Piece("p", f"text {word}")] for word in ("Dune", "Emma", "Kim", "Mort")]
    assert learn_labels(items).names == frozenset()


def test_what_was_asked_for_is_no_name() -> None:
    items = [[Piece("b", "Drama"), Piece("i", f"Play {n}")] for n in range(5)]
    assert learn_labels(items).names == {"drama"}
    assert learn_labels(items, ("drama",)).names == frozenset()
