"""Rates that are learned while they are used."""

from __future__ import annotations

import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dowse.learn.online import DriftingRates, find_shift


@given(st.floats(0.01, 9), st.floats(0, 50), st.floats(0, 500))
def test_a_shift_is_where_prior_and_count_agree(variance: float, counted: float, expected: float) -> None:
    shift = find_shift(variance, counted, expected)
    assert shift == pytest.approx(variance * (counted - expected * math.exp(shift)), abs=1e-3)


def test_much_evidence_gives_the_ratio_and_none_gives_nothing() -> None:
    assert find_shift(1.0, 0, 0) == 0
    assert math.exp(find_shift(1.0, 2000, 1000)) == pytest.approx(2, rel=0.01)
    assert math.exp(find_shift(1.0, 0, 0.01)) == pytest.approx(0.99, abs=0.01)


def test_weights_move_to_what_a_crawl_gives() -> None:
    truth = {"searching": 1.0, "contact": -1.0, "deep": 0.0}
    rates = DriftingRates({"searching": 0.0, "contact": 0.0, "deep": 0.0}, 0.05)
    dice = random.Random(1)
    for _ in range(3000):
        facts = [fact for fact in truth if dice.random() < 0.5]
        rate = 0.2 * math.exp(sum(truth[fact] for fact in facts))
        rates.learn(facts, 0.2 * math.exp(rates.score(facts)), float(dice.random() < rate))
    for fact, weight in truth.items():
        assert rates.score([fact]) == pytest.approx(weight, abs=0.4)
        assert rates.variances[fact] < 0.05


def test_what_is_not_known_does_not_move_and_nothing_moves_without_variance() -> None:
    rates = DriftingRates({"a": 1.0}, 0.1)
    rates.learn(["a", "b"], 0.0, 1.0)
    assert rates.score(["a"]) > 1.0
    assert rates.score(["b"]) == 0.0
    still = DriftingRates({"a": 1.0}, 0.0)
    still.learn(["a"], 0.0, 1.0)
    assert still.score(["a"]) == 1.0
