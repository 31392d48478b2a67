"""Spreads of values: one or two, less, and how far apart."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dowse.example.spread import FEW, chance_of_same, distance, is_less

LIKENESSES = st.lists(st.floats(0, 1), max_size=30)


@given(LIKENESSES, LIKENESSES)
def test_a_chance_is_a_share(some: list[float], others: list[float]) -> None:
    assert 0.0 <= chance_of_same(some, others) <= 1.0
    assert chance_of_same(some, others) == pytest.approx(chance_of_same(others, some))
    assert chance_of_same(some, some) == 1.0


def test_the_chance_is_that_of_a_table() -> None:
    """Two spreads of 50 values each that are 0.272 apart at most have one chance in twenty (Smirnov 1948)."""
    some, others = [float(n) for n in range(50)], [n + 13.5 for n in range(50)]
    assert distance(some, others) == pytest.approx(0.28)
    assert chance_of_same(some, others) == pytest.approx(0.04, abs=0.01)


CHANCES = [
    ("too few to tell", [0.1] * (FEW - 1), [0.9] * 30, 1.0, 1.0),
    ("all less", [0.1 + n / 1000 for n in range(20)], [0.9 + n / 1000 for n in range(20)], 0.0, 1e-4),
    ("all more", [0.9 + n / 1000 for n in range(20)], [0.1 + n / 1000 for n in range(20)], 0.0, 1e-4),
    ("the same", [0.5] * 20, [0.5] * 20, 0.3, 1.0),
]


@pytest.mark.parametrize(
    ("some", "others", "least", "most"), [row[1:] for row in CHANCES], ids=[row[0] for row in CHANCES]
)
def test_chance_of_same(some: list[float], others: list[float], least: float, most: float) -> None:
    assert least <= chance_of_same(some, others) <= most


def test_less_is_told_by_the_middle_and_by_how_much() -> None:
    assert is_less([0.1, 0.2, 0.9], [0.5, 0.6, 0.7])
    assert not is_less([0.1, 0.2, 0.9], [0.5, 0.6, 0.7], 0.5)
    assert not is_less([], [0.5])
    assert not is_less([0.5], [])
