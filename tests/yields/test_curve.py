"""How many requests a harvest still needs."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dowse.model import Verdict
from dowse.yields.curve import MAX_FORECAST_RATIO, Point, forecast_requests, round_requests
from dowse.yields.interval import Interval
from dowse.yields.size import SizeEstimate


def known(size: float, wide: float = 0.0) -> SizeEstimate:
    return SizeEstimate(size, size * (1 - wide), size * (1 + wide), "known", 0.5, 0.5, 0.5)


def draw_curve(size: int, pace: float, requests: int) -> list[Point]:
    """Each request takes the same part of what is left."""
    return [(asked, round(size * (1 - math.exp(-pace * asked)))) for asked in range(0, requests + 1, 10)]


@pytest.mark.parametrize("coverage", [0.8, 0.9, 0.99])
def test_a_curve_that_goes_on_as_it_went(coverage: float) -> None:
    found = forecast_requests(draw_curve(100_000, 0.0005, 2_000), known(100_000), coverage)
    fact = -math.log(1 - coverage) / 0.0005 - 2_000
    assert isinstance(found, Interval)
    assert found.value == pytest.approx(fact, rel=0.03)
    assert found.low <= fact <= found.high


def test_a_curve_that_slows_down() -> None:
    curve = [(asked, round(10_000 * (1 - 1 / (1 + asked / 1_000)))) for asked in range(0, 4_001, 10)]
    found = forecast_requests(curve, known(10_000), 0.9)
    assert isinstance(found, Interval)
    assert found.value == pytest.approx(5_000, rel=0.05)


def test_a_size_that_is_not_sure_makes_it_less_sure() -> None:
    curve = draw_curve(10_000, 0.0005, 2_000)
    sure, unsure = forecast_requests(curve, known(10_000), 0.9), forecast_requests(curve, known(10_000, 0.05), 0.9)
    assert isinstance(sure, Interval)
    assert isinstance(unsure, Interval)
    assert unsure.high > sure.high
    assert unsure.low < sure.low


def test_what_is_reached_needs_nothing_more() -> None:
    found = forecast_requests(draw_curve(10_000, 0.0005, 4_000), known(10_000), 0.5)
    assert isinstance(found, Interval)
    assert (found.value, found.low) == (0, 0)


@pytest.mark.parametrize("curve", [[], [(1, 10)], [(1, 10), (2, 20)]], ids=["empty", "one page", "two pages"])
def test_too_short_a_curve(curve: list[Point]) -> None:
    assert forecast_requests(curve, known(1_000), 0.9) == Verdict(False, "too few requests were made")


@given(
    st.lists(st.tuples(st.integers(1, 1_000), st.integers(0, 10_000)), max_size=60),
    st.floats(1, 1e7),
    st.floats(0, 1),
)
def test_a_forecast_is_ordered_and_finite(steps: list[tuple[int, int]], size: float, coverage: float) -> None:
    curve, asked, held = [], 0, 0
    for more, new in steps:
        asked, held = asked + more, held + new
        curve.append((asked, held))
    found = forecast_requests(curve, known(max(size, held), 0.1), coverage)
    if isinstance(found, Interval):
        assert 0 <= found.low <= found.value <= found.high <= MAX_FORECAST_RATIO * max(1.0, found.low)
    else:
        assert found.reason


@pytest.mark.parametrize(
    ("size", "reason"),
    [
        (SizeEstimate(10_000, 7_000, math.inf, "", 0.6, 0.0, 0.9), "how many records there are at most is unknown"),
        (SizeEstimate(10_000, 6_400, 14_000, "", 0.6, 0.4, 0.9), "90% may be reached, or 6,279 records may be missing"),
        (SizeEstimate(10_000, 8_000, 90_000, "", 0.6, 0.1, 0.8), "between 8,000 and 90,000 records are too far apart"),
    ],
    ids=["no upper end", "may be over", "may be large"],
)
def test_what_is_no_help_is_not_forecast(size: SizeEstimate, reason: str) -> None:
    assert forecast_requests(draw_curve(10_000, 0.0005, 2_000), size, 0.9) == Verdict(False, reason)


@pytest.mark.parametrize(
    ("requests", "said"), [(0.0, 0), (7.4, 7), (42.3, 42), (318.0, 320), (184_332_757.0, 180_000_000)]
)
def test_requests_are_told_in_two_digits(requests: float, said: int) -> None:
    assert round_requests(requests) == said
