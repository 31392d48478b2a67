"""How much was found: by what links that were left promise, and what a random part of them gave."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dowse.model import LeftBehind
from dowse.yields.missed import bound_missed, estimate_found, expect_cluster, expect_missed


def test_sites_that_have_forms_hide_more_than_their_links_tell() -> None:
    assert expect_missed(0.0, 3) == expect_missed(0.0, 0) == 0
    assert expect_missed(0.01, 1) > 2 * expect_missed(0.01, 0)


def test_thousands_of_facets_do_not_hide_thousands_of_forms() -> None:
    assert expect_cluster([]) == 0
    assert expect_cluster([0.001]) < expect_cluster([0.001] * 100) < expect_cluster([0.001] * 5_000) < 0.2
    assert expect_cluster([0.3, 0.1]) > expect_cluster([0.1, 0.1])


@pytest.mark.parametrize(
    ("found", "left", "is_known"),
    [
        pytest.param(0, LeftBehind(2.0), False, id="nothing was found: nothing to have a part of"),
        pytest.param(30, LeftBehind(0.0), True, id="no link was left"),
        pytest.param(1, LeftBehind(2.0), False, id="one form, and two expected: anything is possible"),
        pytest.param(30, LeftBehind(3.0, 50, 0.5, 0), True, id="a few expected, none of the drawn pages gave one"),
    ],
)
def test_where_too_little_was_seen_it_is_unknown(found: int, left: LeftBehind, is_known: bool) -> None:
    assert (estimate_found(found, left) is not None) == is_known


def test_what_drawn_pages_gave_moves_the_estimate() -> None:
    barren, fertile = (estimate_found(30, LeftBehind(3.0, 60, 1.0, forms)) for forms in (0, 4))
    assert barren is not None
    assert fertile is not None
    assert fertile.value < barren.value
    assert fertile.low < barren.low
    assert barren.high - barren.low <= 0.3, "30 forms and an ordinary site: a narrow interval"


@given(st.integers(1, 500), st.floats(0, 500), st.integers(0, 100), st.floats(0, 20), st.integers(0, 50))
def test_it_is_always_a_part(found: int, expected: float, pages: int, drawn: float, forms: int) -> None:
    part = estimate_found(found, LeftBehind(expected, pages, drawn, forms))
    if part is not None:
        assert 0 <= part.low <= part.high <= 1


@pytest.mark.parametrize(("shape", "rate", "expected"), [(1.0, 1.0, 2.0), (3.5, 2.0, 10.0), (0.5, 1.5, 0.3)])
def test_the_bounds_hold_as_often_as_they_say(shape: float, rate: float, expected: float) -> None:
    rng = Random(1)

    def draw() -> int:
        mean, count = expected * rng.gammavariate(shape, 1 / rate), -1
        while mean > 0:  # Poisson: as many exponential waits as fit
            mean -= rng.expovariate(1.0)
            count += 1
        return max(0, count)

    low, high = bound_missed(shape, rate, expected)
    counts = [draw() for _ in range(4_000)]
    assert sum(count < low for count in counts) <= 0.01 * len(counts)
    assert sum(count > high for count in counts) <= 0.035 * len(counts)
