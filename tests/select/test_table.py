"""Domain tables: made of records, written, read back, and nothing believed that a file says."""

from __future__ import annotations

import os
import zipfile
from array import array
from pathlib import Path

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dowse.errors import BadInput
from dowse.model import Record, Value
from dowse.select.table import FORMAT, LONGEST, DomainTable, build_table, read_table, save_table

RECORDS = [
    Record((Value("actor", "Tom Hanks"), Value("year", "1994"))),
    Record((Value("actor", "Tom Hanks"), Value("actor", "Meg Ryan"), Value("actor", "Meg Ryan"))),
    Record(()),
]


def test_counts_records_of_values() -> None:
    table = build_table(RECORDS)
    assert table.record_count == 3
    found = {table.texts[value]: list(table.records_of(value)) for value in range(table.value_count)}
    assert found == {"Tom Hanks": [0, 1], "1994": [0], "Meg Ryan": [1]}
    assert [table.count(value) for value in range(table.value_count)] == [len(each) for each in found.values()]


def test_leaves_out_what_nobody_asks_for() -> None:
    table = build_table([Record((Value("plot", "x" * (LONGEST + 1)), Value("plot", ""), Value("plot", "short")))])
    assert list(table.texts) == ["short"]


@settings(max_examples=30, deadline=None)
@given(st.lists(st.lists(st.tuples(st.sampled_from(["a", "b"]), st.text(max_size=5)), max_size=4), max_size=10))
def test_what_is_written_is_read(tmp_path_factory: pytest.TempPathFactory, rows: list[list[tuple[str, str]]]) -> None:
    rows = [[(name, text.encode("utf-8", "replace").decode()) for name, text in row] for row in rows]
    table = build_table(Record(tuple(Value(name, text) for name, text in row)) for row in rows)
    path = tmp_path_factory.mktemp("tables") / "films.table"
    save_table(table, path)
    again = read_table(path)
    assert list(again.texts) == list(table.texts)
    assert (again.attributes, again.attribute_of, again.ends, again.postings, again.record_count) == (
        table.attributes, table.attribute_of, table.ends, table.postings, table.record_count,
    )  # fmt: skip


def test_a_table_that_cannot_be_written_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="cannot be written"):
        save_table(build_table(RECORDS), tmp_path / "no folder" / "films.table")
    assert not list(tmp_path.iterdir())


GOOD = {"format": FORMAT, "records": 2, "attributes": ["a"], "texts": ["x", "y"]}
BROKEN: dict[str, tuple[dict[str, object], dict[str, bytes]]] = {
    "another format": (GOOD | {"format": "other"}, {}),
    "no number of records": (GOOD | {"records": "2"}, {}),
    "no texts": (GOOD | {"texts": [1, 2]}, {}),
    "a text too long": (GOOD | {"texts": ["x", "y" * (LONGEST + 1)]}, {}),
    "parts that do not fit": (GOOD, {"ends.u64": array("Q", [1]).tobytes()}),
    "ends that go back": (GOOD, {"ends.u64": array("Q", [3, 2]).tobytes()}),
    "ends beyond": (GOOD, {"ends.u64": array("Q", [1, 9]).tobytes()}),
    "half a number": (GOOD, {"records.u32": b"\0\0\0"}),
    "a record that is not there": (GOOD, {"records.u32": array("I", [0, 7]).tobytes()}),
    "no attribute": (GOOD, {"attributes.u16": array("H", [0, 1]).tobytes()}),
    "not JSON": (GOOD, {"names.json": b"{"}),
    "a list": (GOOD, {"names.json": b"[]"}),
}
PARTS = {
    "attributes.u16": array("H", [0, 0]).tobytes(),
    "ends.u64": array("Q", [1, 2]).tobytes(),
    "records.u32": array("I", [0, 1]).tobytes(),
}


def write(path: Path, names: dict[str, object], parts: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w") as packed:
        for name, text in ({"names.json": orjson.dumps(names)} | PARTS | parts).items():
            packed.writestr(name, text)
    return path


def test_the_parts_alone_are_a_table(tmp_path: Path) -> None:
    table = read_table(write(tmp_path / "t", GOOD, {}))
    assert table == DomainTable(("a",), ["x", "y"], array("H", [0, 0]), array("Q", [1, 2]), array("I", [0, 1]), 2)


@pytest.mark.parametrize(("names", "parts"), BROKEN.values(), ids=BROKEN)
def test_a_broken_table_is_one_line(tmp_path: Path, names: dict[str, object], parts: dict[str, bytes]) -> None:
    with pytest.raises(BadInput, match="is not a domain table") as raised:
        read_table(write(tmp_path / "t", names, parts))
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    "content", [b"", b"PK\x05\x06", b"not a zip" * 99, os.urandom(500)], ids=["empty", "short", "text", "noise"]
)
def test_what_is_no_archive_is_one_line(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "t"
    path.write_bytes(content)
    with pytest.raises(BadInput, match="is not a domain table"):
        read_table(path)


def test_a_table_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="cannot be read"):
        read_table(tmp_path / "nothing")


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10_000), st.integers(1, 255))
def test_a_damaged_table_is_one_line_or_right(
    tmp_path_factory: pytest.TempPathFactory, place: int, change: int
) -> None:
    path = tmp_path_factory.mktemp("tables") / "t"
    save_table(build_table(RECORDS), path)
    content = bytearray(path.read_bytes())
    content[place % len(content)] ^= change
    path.write_bytes(content)
    try:
        told = f"{read_table(path).record_count} records"
    except BadInput as error:
        told = str(error)
    assert "\n" not in told
