"""The log-linear model: scores, what tells most, and that fitting finds what made the counts."""

from __future__ import annotations

import math
import random

import pytest

from dowse.learn.loglinear import LogLinear, read_loglinear

MODEL = LogLinear(-1000, {"good": 2000, "bad": -500})


def test_scores_and_rates() -> None:
    assert MODEL.score(["good", "bad", "unknown"]) == pytest.approx(1.5)
    assert MODEL.rate(1.0) == pytest.approx(1.0)
    assert MODEL.rate(1e9) == pytest.approx(math.exp(3.0)), "never more than a bound"
    assert MODEL.telling(["bad", "good", "unknown"]) == [
        ("good", pytest.approx(math.exp(2.0))),
        ("bad", pytest.approx(math.exp(-0.5))),
    ]
    assert read_loglinear(MODEL.to_data()) == MODEL


def test_fitting_finds_what_made_the_counts() -> None:
    pytest.importorskip("scipy")
    from dowse.learn.fit import fit_loglinear

    dice = random.Random(3)
    facts = [[name for name in ("a", "b", "c") if dice.random() < 0.5] + ["rare"] * (n == 0) for n in range(4_000)]
    rates = [math.exp(-1.0 + 1.2 * ("a" in each) - 0.8 * ("b" in each)) for each in facts]
    counts = [float(sum(dice.random() < rate / 20 for _ in range(20))) for rate in rates]
    model = fit_loglinear(facts, counts, [1.0] * len(facts), penalty=1.0, least=10)
    assert model.weights["a"] / 1000 == pytest.approx(1.2, abs=0.12)
    assert model.weights["b"] / 1000 == pytest.approx(-0.8, abs=0.12)
    assert abs(model.weights.get("c", 0)) < 120
    assert "rare" not in model.weights
    assert model.bias / 1000 == pytest.approx(-1.0, abs=0.12)
    assert fit_loglinear(facts, counts, [1.0] * len(facts), penalty=1.0, least=10) == model
