"""Numbers and dates on a line, cut without a gap."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dowse.select.divide import UNIT, AmountScale, read_amount, write_amount
from dowse.select.selector import Span


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        pytest.param("1999", "1999", id="year"),
        pytest.param("1,234", "1234", id="thousands"),
        pytest.param("1.234.567", "1234567", id="thousands with points"),
        pytest.param("1,234.50", "1234.5", id="thousands and decimals"),
        pytest.param("3,5", "3.5", id="decimal comma"),
        pytest.param("$ 12.50", "12.5", id="money"),
        pytest.param("3.5 l", "3.5", id="unit"),
        pytest.param("-4.25", "-4.25", id="negative"),
        pytest.param(".5", "0.5", id="no whole part"),
    ],
)
def test_numbers_as_pages_write_them(text: str, plain: str) -> None:
    amount = read_amount(text, "number")
    assert amount is not None
    assert write_amount(amount, "number") == plain


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        pytest.param("from 3 to 5", "number", id="sentence"),
        pytest.param("", "number", id="nothing"),
        pytest.param("9" * 40, "number", id="code"),
        pytest.param("2023-02-31", "date", id="no such day"),
        pytest.param("yesterday", "date", id="word"),
    ],
)
def test_no_amount(text: str, kind: str) -> None:
    assert read_amount(text, kind) is None


@given(st.dates())
def test_a_date_is_written_as_it_is_read(day: object) -> None:
    amount = read_amount(str(day), "date")
    assert amount is not None
    assert write_amount(amount, "date") == str(day)


@given(st.decimals(-(10**9), 10**9, places=4))
def test_a_number_is_read_as_it_is_written(number: object) -> None:
    amount = read_amount(f"{number:f}", "number")
    assert amount is not None
    assert read_amount(write_amount(amount, "number"), "number") == amount


@given(st.integers(-50, 50), st.integers(0, 50), st.integers(-200, 200))
def test_typed_ends_leave_no_gap(low: int, width: int, wish: int) -> None:
    scale = AmountScale(Span("year"))
    cut = scale.cut(low * UNIT, (low + width) * UNIT, wish * UNIT)
    if width == 0:
        assert cut is None
    else:
        assert cut is not None
        assert low * UNIT <= cut[0] < cut[1] <= (low + width) * UNIT
        assert cut[1] - cut[0] == UNIT


@given(st.sets(st.integers(0, 60), min_size=1, max_size=12), st.integers(-5, 70))
def test_chosen_ends_are_cut_at_what_can_be_chosen(steps: set[int], wish: int) -> None:
    scale = AmountScale(Span("price", steps=tuple(map(str, steps))))
    pieces: list[tuple[int | None, int]] = []
    start: int | None = None
    for _ in range(100):
        cut = scale.cut(start, None, wish * UNIT)
        if cut is None:
            break
        pieces.append((start, cut[0]))
        assert cut[0] // UNIT in steps
        assert cut[1] == cut[0] or (cut[1] - cut[0] == UNIT and cut[1] // UNIT in steps)
        start = cut[1]
    assert len(pieces) <= len(steps)
    assert scale.cut(start, None, wish * UNIT) is None


def test_values_that_are_shown_make_the_grain_finer() -> None:
    scale = AmountScale(Span("engine"))
    assert scale.cut(None, None, 3 * UNIT) == (3 * UNIT, 4 * UNIT)
    scale.note(35 * UNIT // 10)
    assert scale.cut(None, None, 3 * UNIT) == (3 * UNIT, 31 * UNIT // 10)
