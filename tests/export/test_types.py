"""Numbers and dates in the texts of a column."""

from __future__ import annotations

from datetime import date

import pytest

from dowse.export.types import find_type


@pytest.mark.parametrize(
    ("texts", "values"),
    [
        pytest.param(["1", "-2.5", "30"], [1.0, -2.5, 30.0], id="numbers"),
        pytest.param(["$1,200.50", "$3.99"], [1200.5, 3.99], id="prices"),
        pytest.param(["1.200,50 €", "3,99 €"], [1200.5, 3.99], id="prices with commas"),
        pytest.param(["1,200", "12,345", "99"], [1200.0, 12345.0, 99.0], id="thousands"),
        pytest.param(["2024-02-01", "2024-12-31 08:00"], [date(2024, 2, 1), date(2024, 12, 31)], id="dates"),
        pytest.param(["03.02.2024", "31.12.2023"], [date(2024, 2, 3), date(2023, 12, 31)], id="day first"),
        pytest.param(["2/28/2024", "12/31/2023"], [date(2024, 2, 28), date(2023, 12, 31)], id="month first"),
        pytest.param(["Nov 17, 2026", "May 1, 2025"], [date(2026, 11, 17), date(2025, 5, 1)], id="names of months"),
    ],
)
def test_columns_of_numbers_and_dates(texts: list[str], values: list[object]) -> None:
    found = find_type(texts)
    assert found is not None
    assert [found.parse(text) for text in texts] == values


@pytest.mark.parametrize(
    "texts",
    [
        pytest.param(["a", "b"], id="words"),
        pytest.param(["1", "two"], id="half of them numbers"),
        pytest.param(["00123", "04567"], id="numbers that are names"),
        pytest.param(["01/02/2024", "03/04/2024"], id="dates that can be read in two ways"),
        pytest.param([], id="nothing"),
    ],
)
def test_columns_of_texts(texts: list[str]) -> None:
    assert find_type(texts) is None


def test_what_is_no_number_in_a_column_of_numbers_is_nothing() -> None:
    found = find_type([*map(str, range(40)), "unknown"])
    assert found is not None
    assert found.parse("unknown") is None
