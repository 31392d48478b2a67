"""Numbers and dates in the texts of a column."""

from __future__ import annotations

from datetime import date

import pytest

from dowse.export.types import ColumnType, find_types


def find_type(texts: list[str]) -> ColumnType | None:
    return find_types({"only": texts}).get("only")


@pytest.mark.parametrize(
    ("texts", "values"),
    [
        pytest.param(["1", "-2.5", "30"], [1.0, -2.5, 30.0], id="numbers"),
        pytest.param(["$1,200.50", "$3.99"], [1200.5, 3.99], id="prices"),
        pytest.param(["1.200,50 €", "3,99 €"], [1200.5, 3.99], id="prices with commas"),
        pytest.param(["1,200", "1,234,567", "99"], [1200.0, 1234567.0, 99.0], id="millions"),
        pytest.param(["1.200", "1.234.567", "99"], [1200.0, 1234567.0, 99.0], id="millions with dots"),
        pytest.param(["0.125", "1.250"], [0.125, 1.25], id="no group begins with 0"),
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
        pytest.param(["1,200", "12,345", "99"], id="commas that are thousands or decimals"),
        pytest.param(["353", "4.194", "1.553"], id="dots that are thousands or decimals"),
        pytest.param([], id="nothing"),
    ],
)
def test_columns_of_texts(texts: list[str]) -> None:
    assert find_type(texts) is None


def test_what_is_no_number_in_a_column_of_numbers_is_nothing() -> None:
    found = find_type([*map(str, range(40)), "unknown"])
    assert found is not None
    assert found.parse("unknown") is None


@pytest.mark.parametrize(
    ("texts", "others", "values"),
    [
        pytest.param(["353", "4.194"], [["47,01667", "9,9"]], [353.0, 4194.0], id="decimal commas: dots group"),
        pytest.param(["99", "1,200"], [["4.5"]], [99.0, 1200.0], id="decimal dots: commas group"),
        pytest.param(["353", "4.194"], [["1.234.567"]], [353.0, 4194.0], id="surely grouped: dots group"),
        pytest.param(["1.250", "2.125"], [["4.5"]], [1.25, 2.125], id="three decimals everywhere"),
        pytest.param(["353", "4.194"], [["47.01667"]], None, id="not all have the three decimals"),
        pytest.param(["99", "1,200"], [["4.5"], ["4,5"]], None, id="the others differ"),
        pytest.param(["99", "1,200"], [["1", "2"], ["a.b"], ["1.234"]], None, id="the others tell nothing"),
    ],
)
def test_other_columns_decide_which_sign_stands_before_decimals(
    texts: list[str], others: list[list[str]], values: list[float] | None
) -> None:
    found = find_types({"column": texts} | {str(number): other for number, other in enumerate(others)}).get("column")
    assert (None if found is None else [found.parse(text) for text in texts]) == values
