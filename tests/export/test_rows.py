"""Rows out: the same rows in every format."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from io import BytesIO, StringIO
from pathlib import Path

import orjson
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dowse.cli.domain import read_records_file
from dowse.errors import BadInput
from dowse.export.rows import (
    FORM_COLUMNS,
    PAGE_COLUMNS,
    WRITERS,
    choose_writer,
    guard_cell,
    write_all_records,
    write_targets,
)
from dowse.model import Answer, Query, Record, Value
from dowse.store import Store, open_store
from dowse.store.harvests import StoredAnswer, add_pages, begin_harvest
from dowse.store.walks import TargetPage, WalkRun, add_targets, begin_walk

ROWS = [
    {
        name: [f"{name} 1"]
        if name in ("reasons", "fields", "conditions", "controls")
        else 1
        if name in ("depth", "id")
        else 0.5
        if name == "probability"
        else name == "searchable" or f'ü, "{name}"'
        for name in FORM_COLUMNS
    }
]
ROWS[0]["searchable"] = True


@pytest.mark.parametrize("form", list(WRITERS))
def test_formats(form: str, tmp_path: Path) -> None:
    path = tmp_path / "out"
    with path.open("wb") as out:
        WRITERS[form](iter(ROWS), FORM_COLUMNS, out)
    assert _read(form, path)["signature"] == 'ü, "signature"'


def _read(form: str, path: Path) -> dict[str, object]:
    if form == "jsonl":
        return orjson.loads(path.read_bytes())  # type: ignore[no-any-return]
    if form == "csv":
        return next(csv.DictReader(io.StringIO(path.read_text())))
    from pyarrow import parquet

    table = parquet.read_table(path).to_pylist()
    assert table[0]["depth"] == 1
    return table[0]  # type: ignore[no-any-return]


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
    assert guard_cell(cell) == written


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


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(str(tmp_path / "a.db")) as opened:
        yield opened


def page(number: int, *values: Value) -> TargetPage:
    return TargetPage(f"http://a.example/{number}", f"Page {number}", 0.9, values)


def keep(store: Store, *pages: TargetPage) -> WalkRun:
    begun = begin_walk(store, "p", only_new=False)
    add_targets(store, begun, pages, 3, finished=True)
    return begun


def test_json_lines(store: Store, tmp_path: Path) -> None:
    begun = keep(store, page(1, Value("maker", "A"), Value("colour", "red"), Value("colour", "blue")), page(2))
    assert write_targets(store, begun, str(tmp_path / "a.jsonl")) == 2
    first, second = map(json.loads, (tmp_path / "a.jsonl").read_text().splitlines())
    assert first["_url"] == "http://a.example/1"
    assert first["maker"] == "A"
    assert {"red", "blue"} <= set(first["colour"])
    assert set(second) == {*PAGE_COLUMNS, "maker", "colour"}
    assert second["maker"] is None


def test_an_attribute_cannot_take_the_place_of_what_is_said_of_the_page(store: Store, tmp_path: Path) -> None:
    begun = keep(store, page(1, Value("_url", "http://evil.example/"), Value("_new", "x")))
    write_targets(store, begun, str(tmp_path / "a.jsonl"))
    row = json.loads((tmp_path / "a.jsonl").read_text())
    assert (row["_url"], row["_new"]) == ("http://a.example/1", True)


def test_formulas_in_csv_are_made_harmless(store: Store, tmp_path: Path) -> None:
    begun = keep(store, page(1, Value("maker", '=HYPERLINK("x")'), Value("=cmd", "1")))
    write_targets(store, begun, str(tmp_path / "a.csv"))
    rows = list(csv.reader((tmp_path / "a.csv").read_text().splitlines()))
    assert not [cell for row in rows for cell in row if cell.startswith("=")]


def test_only_the_run_that_is_meant(store: Store, tmp_path: Path) -> None:
    keep(store, page(1))
    begun = begin_walk(store, "p", only_new=True)
    add_targets(store, begun, [page(2)], 1, finished=True)
    assert write_targets(store, begun, str(tmp_path / "a.jsonl")) == 1


def test_no_pages_are_an_empty_file(store: Store, tmp_path: Path) -> None:
    assert write_targets(store, keep(store), str(tmp_path / "a.csv")) == 0
    assert (tmp_path / "a.csv").read_text().strip() == ",".join(PAGE_COLUMNS)


ORDERS = [
    ("as the reader names them", ("maker", "colour"), "maker,colour"),
    ("what no page has", ("size", "maker", "colour"), "size,maker,colour"),
    ("what the reader does not name comes last", ("maker",), "maker,colour"),
    ("as they were met", (), "colour,maker"),
    ("no name twice, none of the page's own", ("maker", "_url", "maker"), "maker,colour"),
]


@pytest.mark.parametrize(("attributes", "header"), [row[1:] for row in ORDERS], ids=[row[0] for row in ORDERS])
@pytest.mark.parametrize("form", ["csv", "jsonl", "parquet"])
def test_columns_stand_in_the_order_of_the_reader(
    store: Store, tmp_path: Path, attributes: tuple[str, ...], header: str, form: str
) -> None:
    begun = keep(store, page(1, Value("colour", "red")), page(2, Value("maker", "A"), Value("colour", "blue")))
    write_targets(store, begun, str(tmp_path / f"a.{form}"), attributes)
    assert read_columns(tmp_path / f"a.{form}") == [*PAGE_COLUMNS, *header.split(",")]


def read_columns(file: Path) -> list[str]:
    if file.suffix == ".parquet":
        from pyarrow import parquet

        return list(parquet.read_schema(file).names)
    (line, *_) = file.read_text().splitlines()
    return list(json.loads(line)) if file.suffix == ".jsonl" else line.split(",")


@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_no_pages_still_have_the_columns_that_are_known(store: Store, tmp_path: Path, form: str) -> None:
    assert write_targets(store, keep(store), str(tmp_path / f"a.{form}"), ("maker", "colour")) == 0
    assert read_columns(tmp_path / f"a.{form}") == [*PAGE_COLUMNS, "maker", "colour"]


def test_what_cannot_be_written_says_why(store: Store, tmp_path: Path) -> None:
    (tmp_path / "a.csv").mkdir()
    with pytest.raises(BadInput, match="cannot be written: is a directory"):
        write_targets(store, keep(store, page(1)), str(tmp_path / "a.csv"))


def test_records_of_all_harvests_have_columns(store: Store, tmp_path: Path) -> None:
    held = [
        Record(
            (Value("Title", "Emma"), Value("Price", "$1,200.00"), Value("Genre", "Love")), "1", "http://a.example/1"
        ),
        Record((Value("Title", "Kim"), Value("Price", "$3.50"), Value("Genre", "War"), Value("Genre", "Sea")), "2"),
    ]
    harvest = begin_harvest(store, "h", "http://a.example/", "sign")
    add_pages(store, harvest.id, [StoredAnswer(Answer(Query(()), 0), (0, 1), tuple(held))], {})
    with (tmp_path / "all.parquet").open("wb") as out:
        assert write_all_records(store, "parquet", out) == 2
    from pyarrow import parquet

    first = parquet.read_table(tmp_path / "all.parquet").to_pylist()[0]
    assert (first["_source"], first["_number"], first["_url"]) == ("http://a.example/", 0, "http://a.example/1")
    assert (first["Price"], first["Price (number)"], first["Genre"]) == ("$1,200.00", 1200.0, ["Love"])
    out_csv = BytesIO()
    write_all_records(store, "csv", out_csv)
    rows = list(csv.reader(StringIO(out_csv.getvalue().decode())))
    assert rows[0] == ["_source", "_harvest", "_number", "Title", "Price", "Genre", "_url"]
    assert [row[5] for row in rows[1:]] == ['["Love"]', '["War","Sea"]']
