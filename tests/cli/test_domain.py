"""`dowse domain build`."""

from __future__ import annotations

from pathlib import Path

import pytest

from dowse.select.table import read_table
from tests.cli.conftest import Dowse

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
    assert (done.code, done.out) == (0, "2 values of 1 records are in domain.table.\n")


@pytest.mark.parametrize("how", ["export", "harvest"])
def test_a_csv_that_dowse_wrote_itself(dowse: Dowse, how: str) -> None:
    """Both kinds: all values in one cell, and a column for each attribute."""
    from tests.cli.test_harvest import OWN, serving
    from tests.harvest.library import Library, make_books

    with serving(Library(make_books(30))) as url:
        assert dowse("harvest", url, *OWN, "-o", "harvest.csv").code == 0
    assert dowse("export", "records", "-o", "export.csv").code == 0
    assert dowse("export", "records", "-o", "records.jsonl").code == 0
    wanted = dowse("domain", "build", "records.jsonl", "--json").json
    assert wanted["records"] == 30
    assert dowse("domain", "build", f"{how}.csv", "--json").json == wanted


MISTAKES = [
    ("neither file nor harvest", ("nowhere.example",), "not harvested yet"),
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
