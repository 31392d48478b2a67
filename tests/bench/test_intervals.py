"""Few values are shown as they are, many by a bootstrap that always draws the same."""

from __future__ import annotations

import pytest

from bench.intervals import Interval, explain_intervals, measure_interval


@pytest.mark.parametrize(
    ("values", "wanted"),
    [
        ([2.0], Interval(2.0, 2.0, 2.0, 1, "min-max")),
        ([3.0, 1.0, 2.0], Interval(2.0, 1.0, 3.0, 3, "min-max")),
        ([5.0] * 6, Interval(5.0, 5.0, 5.0, 6, "bootstrap")),
    ],
)
def test_an_interval_says_how_it_was_found(values: list[float], wanted: Interval) -> None:
    assert measure_interval(values) == wanted


def test_a_bootstrap_lies_within_the_values_and_is_the_same_again() -> None:
    values = [float(number * number % 17) for number in range(40)]
    interval = measure_interval(values)
    assert min(values) <= interval.low <= interval.median <= interval.high <= max(values)
    assert measure_interval(values) == interval


def test_nothing_has_no_median() -> None:
    with pytest.raises(ValueError, match="no values"):
        measure_interval([])


def test_a_sentence_names_the_way() -> None:
    assert "least" in explain_intervals(measure_interval([1.0, 2.0]).to_json(), "seeds")
    assert "bootstrap" in explain_intervals(measure_interval([1.0] * 9).to_json(), "seeds")
