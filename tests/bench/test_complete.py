"""Which records a form can show at all."""

from __future__ import annotations

import pytest

pytest.importorskip("numpy")

from bench.complete import Form, Table, count_apart, find_narrowest
from dowse.model import Query, Range, Record, Value

FORM = Form("cars", ("make",), ("year",))


def make_table(rows: list[tuple[str, str]], limit: int) -> Table:
    records = [
        Record(
            tuple(Value(name, text) for name, text in zip(("make", "year"), row, strict=True) if text), key=str(number)
        )
        for number, row in enumerate(rows)
    ]
    return Table(records, FORM, limit=limit)


@pytest.mark.parametrize(
    ("rows", "limit", "apart"),
    [
        pytest.param([("Ford", "1990"), ("Ford", "1991"), ("Opel", "1990")], 1, 3, id="all differ"),
        pytest.param([("Ford", "1990")] * 5, 3, 3, id="alike beyond the limit"),
        pytest.param([("Ford", "1990")] * 3, 3, 3, id="alike up to the limit"),
        pytest.param([("Ford", "old"), ("Ford", "older")], 1, 1, id="no numbers tell nothing apart"),
    ],
)
def test_records_that_can_be_had(rows: list[tuple[str, str]], limit: int, apart: int) -> None:
    assert count_apart(make_table(rows, limit)) == apart


def test_a_record_without_a_number_hides_among_those_with_one() -> None:
    table = make_table([("Ford", str(1950 + number)) for number in range(40)] + [("Ford", "")], limit=3)
    shown = [record.key for record in table.records][:3]
    assert count_apart(table) == 40 + ("40" in shown)


def test_the_narrowest_query_has_the_rarest_choice_and_the_numbers() -> None:
    records = [Record((Value("make", "Ford"), Value("make", "Opel"), Value("year", "1990")), key="0")]
    records += [Record((Value("make", "Ford"), Value("year", "1991")), key="1")]
    wanted = Query((Value("make", "Opel"),), (Range("year", "1990", "1990"),))
    assert find_narrowest(Table(records, FORM, limit=1), records[0]) == wanted
