"""Quantiles as the tables have them, and intervals that stay within what is possible."""

from __future__ import annotations

import math

import pytest

from dowse.yields.interval import Interval, bound, bound_count, find_normal, find_student


@pytest.mark.parametrize(
    ("confidence", "degrees", "expected"),
    [
        pytest.param(0.95, 1, 12.7062, id="one degree"),
        pytest.param(0.95, 4, 2.7764, id="few"),
        pytest.param(0.95, 29, 2.0452, id="thirty sites"),
        pytest.param(0.95, 120, 1.9799, id="by the series"),
        pytest.param(0.99, 10, 3.1693, id="surer"),
        pytest.param(0.90, 10, 1.8125, id="less sure"),
        pytest.param(0.95, 10**6, 1.9600, id="as the normal one"),
        pytest.param(0.95, 0, 12.7062, id="none is one"),
    ],
)
def test_student(confidence: float, degrees: float, expected: float) -> None:
    assert find_student(confidence, degrees) == pytest.approx(expected, abs=2e-4)


def test_normal() -> None:
    assert find_normal(0.95) == pytest.approx(1.95996, abs=1e-5)


@pytest.mark.parametrize(
    ("count", "low", "high"),
    [
        pytest.param(0, 0, 3.689, id="none seen: the rule of three, for both ends"),
        pytest.param(1, 0.025, 5.572, id="one"),
        pytest.param(10, 4.795, 18.39, id="ten"),
        pytest.param(100, 81.36, 121.63, id="a hundred"),
    ],
)
def test_counts(count: int, low: float, high: float) -> None:
    assert bound_count(count, 0.95) == (pytest.approx(low, abs=0.03), pytest.approx(high, rel=0.01))


@pytest.mark.parametrize(
    ("value", "low", "high", "expected"),
    [
        pytest.param(0.5, 0.4, 0.6, (0.4, 0.6), id="as it is"),
        pytest.param(0.1, -0.1, 0.3, (0.0, 0.3), id="nothing is found less than never"),
        pytest.param(0.9, 0.8, 1.2, (0.8, 1.0), id="no more than all"),
        pytest.param(1.0, 0.7, 0.99, (0.7, 1.0), id="holds its value above"),
        pytest.param(0.2, 0.3, 0.4, (0.2, 0.4), id="holds its value below"),
    ],
)
def test_bounds(value: float, low: float, high: float, expected: tuple[float, float]) -> None:
    kept = bound(value, low, high, "", most=1.0)
    assert (kept.low, kept.high) == expected


def test_a_rate_has_no_upper_end() -> None:
    assert bound(2.0, 1.0, 7.0, "").high == 7.0
    assert math.isfinite(bound(2.0, 1.0, 7.0, "").half)


def test_scale() -> None:
    assert Interval(1, 0.5, 2, "so").scale(10) == Interval(10, 5, 20, "so")
