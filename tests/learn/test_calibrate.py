"""Probabilities from scores."""

from __future__ import annotations

import random

import pytest

from dowse.learn.calibrate import calibration_error, fit_isotonic, fit_sigmoid, log_odds, logistic


def draw(seed: int, slope: float, offset: float, count: int = 4000) -> tuple[list[float], list[bool]]:
    rng = random.Random(seed)
    scores = [rng.gauss(0, 1.5) for _ in range(count)]
    return scores, [rng.random() < logistic(slope * score + offset) for score in scores]


@pytest.mark.parametrize(("slope", "offset"), [(2.0, -1.0), (0.5, 0.0), (4.0, 2.0)])
def test_the_curve_behind_labels_is_found(slope: float, offset: float) -> None:
    curve = fit_sigmoid(*draw(1, slope, offset))
    assert curve.slope == pytest.approx(slope, rel=0.15)
    assert curve.offset == pytest.approx(offset, abs=0.25)


def test_probabilities_of_the_curve_come_true() -> None:
    curve = fit_sigmoid(*draw(1, 2.0, -1.0))
    scores, labels = draw(2, 2.0, -1.0)
    assert calibration_error([curve.probability(score) for score in scores], labels) < 0.03


def test_scores_that_part_everything_still_give_a_curve() -> None:
    curve = fit_sigmoid([-1.0, -0.5, 0.5, 1.0], [False, False, True, True])
    assert curve.probability(1.0) > 0.6 > 0.4 > curve.probability(-1.0)


def test_steps_never_fall() -> None:
    steps = fit_isotonic(*draw(3, 2.0, 0.0, count=500))
    chances = [chance for _, chance in steps]
    assert chances == sorted(chances)


def test_boasting_is_an_error() -> None:
    assert calibration_error([0.95] * 100, [True, False] * 50) == pytest.approx(0.45)


def test_odds_and_probabilities_are_inverse() -> None:
    assert logistic(log_odds(0.3)) == pytest.approx(0.3)
    assert 0.0 <= logistic(-5000) < logistic(5000) <= 1.0
