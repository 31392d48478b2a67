"""The least that there is, by how often records were shown."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dowse.yields.chao import estimate_chao


@pytest.mark.parametrize(
    ("seen", "once", "twice", "queries", "size"),
    [
        pytest.param(100, 0, 10, 0, 100, id="all seen twice or more"),
        pytest.param(100, 20, 9, 0, 119, id="Chao1"),
        pytest.param(100, 20, 9, 10, 117.1, id="Chao2: few queries say less"),
        pytest.param(100, 20, 0, 0, 290, id="none seen twice"),
    ],
)
def test_chao(seen: int, once: int, twice: int, queries: int, size: float) -> None:
    assert estimate_chao(seen, once, twice, queries=queries).value == pytest.approx(size)


def shown(rng: Random, size: int, draws: int) -> dict[int, int]:
    weights = [1 / (1 + place % 7) for place in range(size)]
    return dict(Counter(Counter(rng.choices(range(size), weights, k=draws)).values()))


def test_unequal_records_are_found_out() -> None:
    rng = Random(4)
    frequencies = [shown(rng, 1_000, 2_000) for _ in range(20)]
    for each in frequencies:
        seen = sum(each.values())
        assert seen < estimate_chao(seen, each[1], each[2]).value < 1_100


@given(st.dictionaries(st.integers(1, 30), st.integers(0, 1000), max_size=12))
def test_never_under_what_was_seen(frequencies: dict[int, int]) -> None:
    seen = sum(frequencies.values())
    found = estimate_chao(seen, frequencies.get(1, 0), frequencies.get(2, 0))
    assert seen <= found.low <= found.value <= found.high
