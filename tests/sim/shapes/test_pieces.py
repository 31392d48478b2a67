"""Records of browsable sites: each with a name of its own, later ones after earlier ones."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dowse.sim.shapes import SHAPES
from dowse.sim.shapes.pieces import FIRST_DAY, MOST_TARGETS, draw_pieces, first_letter
from dowse.sim.wording import read_wording

EN = read_wording("A", "en")


@settings(deadline=None, max_examples=12, suppress_health_check=[HealthCheck.too_slow])
@given(st.sampled_from(sorted(SHAPES)), st.integers(0, 200), st.integers(0, 200))
def test_a_later_day_has_the_records_of_an_earlier_one_first(name: str, one: int, other: int) -> None:
    shape = SHAPES[name]
    early, late = (draw_pieces(shape, shape.topics[0], EN, "key", day) for day in sorted((one, other)))
    assert late[: len(early)] == early
    assert all(min(one, other) < piece.day <= max(one, other) for piece in late[len(early) :])
    assert len(late) <= MOST_TARGETS


@pytest.mark.parametrize("topic", SHAPES["categories"].topics)
def test_names_and_numbers_are_each_its_own(topic: str) -> None:
    pieces = draw_pieces(SHAPES["months"], topic, EN, "key", 60)
    for own in ("number", "public", "slug", "native"):
        assert len({getattr(piece, own) for piece in pieces}) == len(pieces)
    publics = [piece.public for piece in pieces]
    assert publics == sorted(publics)
    assert not {public + 1 for public in publics} & set(publics)  # decoys have those
    assert all(piece.category and piece.part and piece.letter for piece in pieces)


def test_records_came_one_after_the_other() -> None:
    pieces = draw_pieces(SHAPES["months"], "books", EN, "key", 60)
    dates = [piece.date for piece in pieces]
    assert dates == sorted(dates)
    assert [piece for piece in pieces if piece.day] == [piece for piece in pieces if piece.date > FIRST_DAY]
    assert len({piece.date.year for piece in pieces}) >= 3


def test_some_values_are_missing_but_none_that_lists_need() -> None:
    pieces = draw_pieces(SHAPES["categories"], "films", EN, "key", 0)
    empty = [label for piece in pieces for label, value in piece.cells if not value]
    assert 0.01 < len(empty) / sum(len(piece.cells) for piece in pieces) < 0.15
    assert not {"Title", "Genre", "Country"} & set(empty)


@pytest.mark.parametrize(
    ("word", "letter"),
    [("chaves", "C"), ("Évora", "E"), ("'s", "S"), ("Жук", "Ж"), ("---", "0"), ("42", "4")],
    ids=["plain", "accent", "mark before", "another script", "no letter", "digit"],
)
def test_first_letter(word: str, letter: str) -> None:
    assert first_letter(word) == letter
