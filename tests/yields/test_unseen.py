"""What is said of the links that nobody followed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dowse.yields import (
    Level,
    estimate_from_promises,
    estimate_from_unfollowed,
)

SHALLOW = [Level(0, 100, 60), Level(1, 1_000, 90), Level(2, 5_000, 40), Level(3, 20_000, 10)]
counts = st.lists(st.tuples(st.integers(0, 6), st.integers(0, 10_000), st.integers(0, 500)), max_size=7)


def test_little_is_left_when_the_deepest_pages_had_little() -> None:
    found = estimate_from_unfollowed(SHALLOW, 2_000)
    assert found is not None
    assert found.method == "unfollowed links"
    assert 0.9 < found.low < 0.99 < found.value < found.high <= 1


@pytest.mark.parametrize(
    ("levels", "unfollowed", "expected"),
    [
        pytest.param(SHALLOW, 0, (1, 1, 1), id="all was followed"),
        pytest.param([], 10, None, id="nothing was seen"),
        pytest.param([Level(0, 50, 0)], 10, None, id="nothing was found"),
        pytest.param([Level(0, 0, 3)], 10, None, id="forms without pages"),
    ],
)
def test_ends(levels: list[Level], unfollowed: int, expected: tuple[float, ...] | None) -> None:
    found = estimate_from_unfollowed(levels, unfollowed)
    assert (found and (found.value, found.low, found.high)) == expected


def test_no_form_at_the_deepest_level_is_a_rule_of_three() -> None:
    found = estimate_from_unfollowed([Level(0, 100, 50), Level(1, 1_000, 0)], 1_000)
    assert found is not None
    assert found.high == 1
    assert found.low == pytest.approx(50 / (50 + 4 * 3.69), rel=0.01)  # 3.69 forms, four times with what lies below


def test_more_links_left_is_less_found() -> None:
    parts = [estimate_from_unfollowed(SHALLOW, unfollowed) for unfollowed in (10, 1_000, 100_000)]
    lows = [part.low for part in parts if part]
    values = [part.value for part in parts if part]
    assert lows == sorted(lows, reverse=True)
    assert values == sorted(values, reverse=True)
    assert len(set(values)) == 3


def test_levels_come_in_any_order() -> None:
    assert estimate_from_unfollowed(SHALLOW[::-1], 500) == estimate_from_unfollowed(SHALLOW, 500)


@given(counts, st.integers(-5, 10**9))
def test_it_is_always_a_part(rows: list[tuple[int, int, int]], unfollowed: int) -> None:
    found = estimate_from_unfollowed([Level(*row) for row in rows], unfollowed)
    if found is not None:
        assert 0 <= found.low <= found.value <= found.high <= 1


def test_coverage_by_what_was_promised() -> None:
    found = estimate_from_promises(90, 10.0)
    assert found is not None
    assert found.value == pytest.approx(0.9)
    assert found.low == pytest.approx(90 / 123)
    assert found.high == pytest.approx(90 / (90 + 10 / 3))
    assert estimate_from_promises(0, 10.0) is None
    nothing = estimate_from_promises(97, 0.0)
    assert nothing is not None
    assert (nothing.low, nothing.value, nothing.high) == (pytest.approx(0.97), 1.0, 1.0)
