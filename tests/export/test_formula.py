"""Cells that look like formulas are words in a CSV, and come back as they were."""

from __future__ import annotations

import csv
from io import BytesIO, StringIO
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dowse.export.formula import choose_writer, guard
from dowse.harvest.files import read_records_file

CELLS = [
    ("a formula", "=HYPERLINK(1)", "'=HYPERLINK(1)"),
    ("a sum", "+1+cmd", "'+1+cmd"),
    ("a difference", "-2+3", "'-2+3"),
    ("a function of old", "@SUM(A1)", "'@SUM(A1)"),
    ("a tab before it", "\t=1", "'\t=1"),
    ("a number below nought", "-5", "-5"),
    ("a share", "+12.5%", "+12.5%"),
    ("words", "a=b", "a=b"),
    ("nothing", "", ""),
]


@pytest.mark.parametrize(("cell", "written"), [row[1:] for row in CELLS], ids=[row[0] for row in CELLS])
def test_cells(cell: str, written: str) -> None:
    assert guard(cell) == written


def write(cell: str, *, raw: bool) -> list[list[str]]:
    out = BytesIO()
    row = {"=name": cell, "all": ["=1", "b"], "none": None}
    assert choose_writer("csv", raw=raw)([row], ("=name", "all", "none"), out) == 1
    return list(csv.reader(StringIO(out.getvalue().decode())))


def test_names_of_columns_and_lists() -> None:
    assert write("=1", raw=False) == [["'=name", "all", "none"], ["'=1", '["=1","b"]', ""]]
    assert write("=1", raw=True) == [["=name", "all", "none"], ["=1", '["=1","b"]', ""]]


def test_other_formats_have_no_cells_that_run() -> None:
    out = BytesIO()
    choose_writer("jsonl")([{"a": "=1"}], ("a",), out)
    assert out.getvalue() == b'{"a":"=1"}\n'


@given(cell=st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=1, max_size=12))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60, deadline=None)
def test_what_is_written_is_read_again(tmp_path: Path, cell: str) -> None:
    if cell.startswith(("'", '["', '{"')):
        return  # a mark of the record's own is taken for ours; these two are how lists are written
    path = tmp_path / "a.csv"
    with path.open("wb") as out:
        choose_writer("csv")([{"name": cell}], ("name",), out)
    assert [value.text for record in read_records_file(path) for value in record.values] == [cell]
