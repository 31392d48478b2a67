"""Lists of lists: a head, or columns by their place."""

from __future__ import annotations

from typing import Any

import orjson
import pytest

from dowse.model import Response
from dowse.records.service import ServiceAnswer, read_service


def read(said: Any) -> list[dict[str, str]] | str:
    found = read_service(Response("http://api.test/find?q=a", 200, (), orjson.dumps(said)))
    return [dict(record.values) for record in found.records] if isinstance(found, ServiceAnswer) else found.reason


BY_PLACE = [{"column 1": "a", "column 2": "b"}, {"column 1": "c", "column 2": "d"}]
EMMA = {"title": "Emma", "year": "1815"}
TABLES = [
    ("words without a head", [["a", "b"], ["c", "d"]], BY_PLACE),
    ("below a name", {"total": 2, "rows": [["a", "b"], ["c", "d"]]}, BY_PLACE),
    ("a head of usual names", [["title", "year"], ["Emma", "1815"]], [EMMA]),
    ("a head over words only", [["name", "city"], ["Ann", "Rome"]], [{"name": "Ann", "city": "Rome"}]),
    ("a head of names as programs write them", [["owner_ref", "homeTown"], ["Ann", "Rome"]], [{"owner_ref": "Ann", "homeTown": "Rome"}]),
    ("a head over numbers", [["Titel", "Jahr"], ["Emma", 1815]], [{"Titel": "Emma", "Jahr": "1815"}]),
    ("numbers in the first row, too", [["Emma", 1815], ["Persuasion", 1817]], [{"column 1": "Emma", "column 2": "1815"}, {"column 1": "Persuasion", "column 2": "1817"}]),
    ("one row", [["Emma", 1815]], [{"column 1": "Emma", "column 2": "1815"}]),
    ("rows that end early", {"values": [["title", "year"], ["Emma", "1815"], ["Sanditon"]]}, [EMMA, {"title": "Sanditon"}]),
    ("named beside", {"columns": ["x", "y"], "rows": [["a", "b"]]}, [{"x": "a", "y": "b"}]),
]  # fmt: skip


@pytest.mark.parametrize(("said", "records"), [row[1:] for row in TABLES], ids=[row[0] for row in TABLES])
def test_tables(said: Any, records: list[dict[str, str]]) -> None:
    assert read(said) == records


NONE = [
    ("numbers only", {"rows": [[1.5, 2.5], [3.5, 4.5]]}),
    ("a shape on a map", {"geometry": {"coordinates": [["a", "b"], ["c", "d"]]}}),
    ("lists of single words", [["a"], ["b"]]),
]


@pytest.mark.parametrize("said", [row[1] for row in NONE], ids=[row[0] for row in NONE])
def test_what_is_no_table(said: Any) -> None:
    assert read(said) == "no list of records in the answer"


def test_pages_of_objects_are_no_table() -> None:
    rows = [{"id": number, "name": f"name {number}"} for number in range(4)]
    assert read([rows, []]) == [{"id": str(number), "name": f"name {number}"} for number in range(4)]
