"""How much was found: by what links that were left promise, and what a random part of them gave."""

from __future__ import annotations

import math
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dowse.model import LeftBehind, LinkCluster
from dowse.yields.missed import FITTED, bound_missed, estimate_found, expect_cluster, sum_clusters


def test_sites_that_have_forms_hide_more_than_their_links_tell() -> None:
    assert FITTED.expect(0.0, 3) == FITTED.expect(0.0, 0) == 0
    assert FITTED.expect(0.01, 1) > FITTED.expect(0.01, 0)


def test_thousands_of_facets_do_not_hide_thousands_of_forms() -> None:
    one, many, thousands = (expect_cluster(LinkCluster(links, 0, 0.001)) for links in (1, 100, 5_000))
    assert one < many < thousands < 0.01
    assert expect_cluster(LinkCluster(2, 0, 0.3)) > expect_cluster(LinkCluster(2, 0, 0.1))


def test_what_was_read_of_a_cluster_says_that_little_is_left_in_it() -> None:
    unread, begun, known = (expect_cluster(LinkCluster(1_000, pages, 0.1)) for pages in (0, 10, 1_000))
    assert unread > begun > 3 * known
    assert expect_cluster(LinkCluster(0, 10, 0.1)) == 0


def test_a_page_that_is_read_takes_off_what_it_promised() -> None:
    before = expect_cluster(LinkCluster(9, 0, 0.1))
    after = expect_cluster(LinkCluster(8, 1, 0.1))
    assert before - after == pytest.approx(0.1 * math.log(2))


def test_pages_drawn_at_random_are_expected_to_give_what_they_took_off() -> None:
    left = sum_clusters([LinkCluster(5, 1, 0.2), LinkCluster(0, 1, 0.0, drawn=0.1)], found=2, pages=1, forms=1)
    assert left.expected > 0
    assert left.squares == left.expected**2
    assert (left.pages, left.drawn_forms) == (1, 1)
    assert left.drawn_expected > 0
    assert sum_clusters([], found=2, pages=0, forms=0) == LeftBehind()


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


def test_sites_that_miss_much_each_make_it_less_certain() -> None:
    even, uneven = (estimate_found(30, LeftBehind(4.0, squares=squares)) for squares in (0.5, 8.0))
    assert even is not None
    assert uneven is not None
    assert even.value == uneven.value
    assert uneven.low < even.low


@pytest.mark.parametrize(("mean", "shape"), [(2.0, 1.0), (10.0, 3.5), (0.3, 0.5)])
def test_the_bounds_hold_as_often_as_they_say(mean: float, shape: float) -> None:
    rng = Random(1)

    def draw() -> int:
        waits, count = mean * rng.gammavariate(shape, 1 / shape), -1
        while waits > 0:  # Poisson: as many exponential waits as fit
            waits -= rng.expovariate(1.0)
            count += 1
        return max(0, count)

    low, high = bound_missed(mean, mean + mean**2 / shape)
    counts = [draw() for _ in range(4_000)]
    assert sum(count < low for count in counts) <= 0.035 * len(counts)
    assert sum(count > high for count in counts) <= 0.035 * len(counts)
