"""The size by the overlap of crawls."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dowse.errors import BadInput
from dowse.yields.overlap import bound_above, estimate_overlap, estimate_pair


def crawl(rng: Random, size: int, count: int) -> set[str]:
    return {str(number) for number in rng.sample(range(size), count)}


@pytest.mark.parametrize(
    ("first", "second", "both", "size"),
    [
        pytest.param(100, 100, 50, 101 * 101 / 51 - 1, id="half in common"),
        pytest.param(100, 100, 100, 100, id="the same records"),
        pytest.param(10, 10, 0, 120, id="nothing in common is still finite"),
    ],
)
def test_two_crawls(first: int, second: int, both: int, size: float) -> None:
    found = estimate_pair(first, second, both)
    assert found.value == pytest.approx(size)
    assert first + second - both <= found.low <= found.value <= found.high


@pytest.mark.parametrize("crawls", [2, 3, 6])
def test_intervals_hold_the_truth_for_independent_crawls(crawls: int) -> None:
    rng = Random(crawls)
    found = [estimate_overlap([crawl(rng, 3_000, 600) for _ in range(crawls)]) for _ in range(60)]
    assert sum(each.low <= 3_000 <= each.high for each in found) >= 0.85 * 60


def test_the_bound_of_the_paper_holds_as_often_as_it_says() -> None:
    rng = Random(6)
    found = [bound_above([crawl(rng, 3_000, 600) for _ in range(6)]) for _ in range(60)]
    assert 0.7 * 60 <= sum(each >= 3_000 for each in found) < 60  # pairs share crawls: it claims more than it can


def test_what_cannot_be() -> None:
    with pytest.raises(BadInput, match="cannot have 11 in common"):
        estimate_pair(10, 20, 11)
    with pytest.raises(BadInput, match="two crawls or more"):
        estimate_overlap([{"a"}])


@given(st.lists(st.sets(st.sampled_from("abcdefghij")), min_size=2, max_size=5))
def test_never_under_what_is_held(crawls: list[set[str]]) -> None:
    found = estimate_overlap(crawls)
    assert len(set().union(*crawls)) <= found.low <= found.value <= found.high
