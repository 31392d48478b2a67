"""How many requests a harvest still needs."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dowse.yields.curve import Point, forecast_requests
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
    assert found is not None
    assert found.value == pytest.approx(fact, rel=0.03)
    assert found.low <= fact <= found.high


def test_a_curve_that_slows_down() -> None:
    curve = [(asked, round(10_000 * (1 - 1 / (1 + asked / 1_000)))) for asked in range(0, 4_001, 10)]
    found = forecast_requests(curve, known(10_000), 0.9)
    assert found is not None
    assert found.value == pytest.approx(5_000, rel=0.05)


def test_a_size_that_is_not_sure_makes_it_less_sure() -> None:
    curve = draw_curve(10_000, 0.0005, 2_000)
    sure, unsure = forecast_requests(curve, known(10_000), 0.9), forecast_requests(curve, known(10_000, 0.2), 0.9)
    assert sure is not None
    assert unsure is not None
    assert unsure.high > sure.high
    assert unsure.low < sure.low


def test_what_is_reached_needs_nothing_more() -> None:
    found = forecast_requests(draw_curve(10_000, 0.0005, 4_000), known(10_000), 0.5)
    assert found is not None
    assert (found.value, found.low) == (0, 0)


@pytest.mark.parametrize("curve", [[], [(1, 10)], [(1, 10), (2, 20)]], ids=["empty", "one page", "two pages"])
def test_too_short_a_curve(curve: list[Point]) -> None:
    assert forecast_requests(curve, known(1_000), 0.9) is None


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
    assert found is None or 0 <= found.low <= found.value <= found.high < math.inf
