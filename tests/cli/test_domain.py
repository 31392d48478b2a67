"""`dowse domain build`."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dowse.cli.domain import MAX_LINE_CHARACTERS, read_records_file
from dowse.errors import BadInput
from dowse.model import Value
from dowse.select.domain import read_table
from tests.cli.conftest import Dowse

FILES = {
    "JSON Lines": (
        "films.jsonl",
        b'{"title": "Big", "cast": ["Tom Hanks", "Elizabeth Perkins"], "year": 1988, "seen": true, "note": null}\n\n{"year": 1990}\n',
        [["title=Big", "cast=Tom Hanks", "cast=Elizabeth Perkins", "year=1988"], ["year=1990"]],
    ),
    "nested": ("films.jsonl", b'{"a": {"b": 1}, "c": [[1], {"d": 2}, "e"]}\n', [["c=e"]]),
    "as Dowse writes records": ("films.jsonl", b'{"title": "Big", "_url": "http://a.example/1"}\n', [["title=Big"]]),
    "CSV": ("films.csv", b'title,year\n"Big,  indeed",1988\n,1990\n', [["title=Big, indeed", "year=1988"], ["year=1990"]]),
    "CSV with lists": ("films.csv", b'cast,year\n"[""Tom"", ""Meg""]",1988\n"[""broken",1\n', [["cast=Tom", "cast=Meg", "year=1988"], ['cast=["broken', "year=1"]]),
    "CSV as Dowse exports records": ("films.csv", b'source,harvest,number,url,values\nhttp://a.example/,1,0,,"{""cast"":[""Tom"",""Meg""],""title"":[""Big""]}"\n', [["cast=Tom", "cast=Meg", "title=Big"]]),
    "CSV with marks against formulas": ("films.csv", b"title,'=year\n'=1+2,-5\n'tis,'@x\n", [["title==1+2", "=year=-5"], ["title='tis", "=year=@x"]]),
    "CSV with two columns of a name": ("films.csv", b"cast,cast\nTom,Meg\n", [["cast=Tom", "cast=Meg"]]),
    "CSV with a large cell": ("films.csv", b"a\n" + b"x" * 200_000 + b"\n", [["a=" + "x" * 200_000]]),
    "TSV": ("films.tsv", b"title\tyear\nBig\t1988\n", [["title=Big", "year=1988"]]),
    "a mark before": ("films.csv", b"\xef\xbb\xbftitle\nBig\n", [["title=Big"]]),
    "rows of other lengths": ("films.csv", b"a,b\n1\n1,2,3\n", [["a=1"], ["a=1", "b=2"]]),
    "nothing": ("films.jsonl", b"", []),
}  # fmt: skip


@pytest.mark.parametrize(("name", "content", "expected"), FILES.values(), ids=FILES)
@pytest.mark.parametrize("packed", ["plain", "gzip"])
def test_reads(tmp_path: Path, name: str, content: bytes, expected: list[list[str]], packed: str) -> None:
    path = tmp_path / (name if packed == "plain" else f"{name}.gz")
    path.write_bytes(content if packed == "plain" else gzip.compress(content))
    found = [[f"{attribute}={text}" for attribute, text in record.values] for record in read_records_file(path)]
    assert found == expected


BROKEN = {
    "not JSON": ("a.jsonl", b'{"a": 1}\nnonsense\n', "line 2 is not JSON"),
    "not an object": ("a.jsonl", b"[1]\n", "line 1 is not an object"),
    "not text": ("a.jsonl", b"\xff\xfe\n", "cannot be read as text"),
    "not gzip": ("a.jsonl.gz", b"plain", "cannot be read"),
    "gzip cut off": ("a.jsonl.gz", gzip.compress(b'{"a": 1}\n' * 999)[:-30], "cannot be read"),
    "an endless line": ("a.jsonl", b"x" * (MAX_LINE_CHARACTERS + 2), "too long"),
    "an endless row": ("a.csv", b"a\n" + b"x" * (MAX_LINE_CHARACTERS + 2), "too long"),
    "a field too large": ("a.csv", b'a\n"' + (b"x" * 1_000 + b"\n") * (MAX_LINE_CHARACTERS // 1_000), "not CSV"),
}


@pytest.mark.parametrize(("name", "content", "why"), BROKEN.values(), ids=BROKEN)
def test_says_what_is_wrong(tmp_path: Path, name: str, content: bytes, why: str) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(BadInput, match=why):
        list(read_records_file(path))


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="cannot be read"):
        list(read_records_file(tmp_path / "nothing.jsonl"))


@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(content=st.binary(max_size=200), ending=st.sampled_from(["jsonl", "csv", "tsv"]))
def test_any_bytes_are_records_or_one_line(tmp_path: Path, content: bytes, ending: str) -> None:
    path = tmp_path / f"a.{ending}"
    path.write_bytes(content)
    try:
        found = [value for record in read_records_file(path) for value in record.values]
    except BadInput:
        found = []
    assert all(isinstance(value, Value) and value.text and value.attribute for value in found)


FILMS = '{"title": "Big", "cast": ["Tom Hanks", "Elizabeth Perkins"]}\n{"title": "Splash", "cast": ["Tom Hanks"]}\n'


def test_builds_a_table(dowse: Dowse) -> None:
    Path("films.jsonl").write_text(FILMS)
    done = dowse("domain", "build", "films.jsonl", "-o", "films.table", "--json")
    assert done.code == 0
    assert done.json == {"values": 4, "records": 2}
    assert read_table("films.table").record_count == 2


def test_says_what_it_wrote(dowse: Dowse) -> None:
    Path("films.csv").write_text("title,year\nBig,1988\n")
    done = dowse("domain", "build", "films.csv")
    assert (done.code, done.out) == (0, "2 values of 1 record are in domain.table.\n")


@pytest.mark.parametrize("how", ["export", "harvest"])
def test_a_csv_that_dowse_wrote_itself(dowse: Dowse, how: str) -> None:
    """Both kinds: all values in one cell, and a column for each attribute."""
    from tests.cli.test_harvest import OWN, serving
    from tests.harvester.library import Library, make_books

    with serving(Library(make_books(30))) as url:
        assert dowse("harvest", url, *OWN, "-o", "harvest.csv").code == 0
    assert dowse("export", "records", "-o", "export.csv").code == 0
    assert dowse("export", "records", "-o", "records.jsonl").code == 0
    wanted = dowse("domain", "build", "records.jsonl", "--json").json
    assert wanted["records"] == 30
    assert dowse("domain", "build", f"{how}.csv", "--json").json == wanted


MISTAKES = [
    ("neither file nor harvest", ("nowhere.example",), "not been harvested yet"),
    ("no file", ("nofile.csv",), "dowse: nofile.csv cannot be read: no such file or directory\n"),
    ("no records", ("empty.jsonl",), "has no records"),
    ("a broken file", ("broken.jsonl",), "is not JSON"),
    ("a folder to write to", ("films.jsonl", "-o", "."), "needs the name of a file"),
    ("nowhere to write to", ("films.jsonl", "-o", "no/folder"), "cannot be written"),
]


@pytest.mark.parametrize(("arguments", "why"), [row[1:] for row in MISTAKES], ids=[row[0] for row in MISTAKES])
def test_mistakes_are_one_line(dowse: Dowse, arguments: tuple[str, ...], why: str) -> None:
    Path("films.jsonl").write_text(FILMS)
    Path("empty.jsonl").write_text("")
    Path("broken.jsonl").write_text("{")
    done = dowse("domain", "build", *arguments)
    assert done.code == 2
    assert why in done.err
    assert done.err.count("\n") == 1
