"""Which things are made alike."""

from __future__ import annotations

from dowse.records.align import agree, likeness, shape_of
from dowse.records.pieces import Piece

LIKE = frozenset({"a#1", "b#1", "c#1"})
ODD = frozenset({"x#1", "y#1"})


def test_a_second_piece_at_a_place_is_one_of_its_own() -> None:
    assert shape_of([Piece("p", "a"), Piece("p", "b"), Piece("q", "c")]) == {"p#1", "p#2", "q#1"}


def test_what_is_not_like_the_others_is_left_out() -> None:
    assert agree([LIKE, ODD, LIKE, LIKE]).kept == (0, 2, 3)


def test_a_missing_piece_costs_less_than_another_shape() -> None:
    shares = agree([LIKE] * 4).shares
    assert likeness(LIKE, shares) > likeness(LIKE - {"c#1"}, shares) > likeness(ODD, shares)


def test_nothing_is_alike_in_nothing() -> None:
    assert agree([]).kept == ()
    assert agree([frozenset()]).likeness == 0
