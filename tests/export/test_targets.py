"""Pages that were found, as rows: an attribute is a column, and what is said of the page has names of its own."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from dowse.errors import BadInput
from dowse.export.rows import OF_PAGES
from dowse.export.targets import write_targets
from dowse.model import Value
from dowse.store import Store, open_store
from dowse.store.walks import Begun, Target, add_targets, begin_walk


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(str(tmp_path / "a.db")) as opened:
        yield opened


def page(number: int, *values: Value) -> Target:
    return Target(f"http://a.example/{number}", f"Page {number}", 0.9, values)


def keep(store: Store, *pages: Target) -> Begun:
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
    assert set(second) == {*OF_PAGES, "maker", "colour"}
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
    assert (tmp_path / "a.csv").read_text().strip() == ",".join(OF_PAGES)


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
    assert read_columns(tmp_path / f"a.{form}") == [*OF_PAGES, *header.split(",")]


def read_columns(file: Path) -> list[str]:
    if file.suffix == ".parquet":
        from pyarrow import parquet

        return list(parquet.read_schema(file).names)
    (line, *_) = file.read_text().splitlines()
    return list(json.loads(line)) if file.suffix == ".jsonl" else line.split(",")


@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_no_pages_still_have_the_columns_that_are_known(store: Store, tmp_path: Path, form: str) -> None:
    assert write_targets(store, keep(store), str(tmp_path / f"a.{form}"), ("maker", "colour")) == 0
    assert read_columns(tmp_path / f"a.{form}") == [*OF_PAGES, "maker", "colour"]


def test_what_cannot_be_written_says_why(store: Store, tmp_path: Path) -> None:
    (tmp_path / "a.csv").mkdir()
    with pytest.raises(BadInput, match="cannot be written: is a directory"):
        write_targets(store, keep(store, page(1)), str(tmp_path / "a.csv"))
