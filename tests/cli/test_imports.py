"""`dowse sites import`: several files, faults, what is said."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from dowse.cli import imports, progress
from tests.cli.conftest import Dowse


def test_several_files_of_several_kinds(dowse: Dowse) -> None:
    Path("a.csv").write_text("1,a.example\n2,b.example\n")
    Path("b.rdf").write_text('<RDF><ExternalPage about="http://b.example/x"/><ExternalPage about="http://c.example/"/>')
    Path("c.txt").write_text("0\texample.d\n")
    outcome = dowse("sites", "import", "a.csv", "b.rdf", "--json")
    assert (outcome.code, outcome.err) == (0, "")
    assert outcome.json == {"imported": 3, "known": 3, "left_out": 0}
    assert dowse("sites", "import", "c.txt", "--format", "graph", "--json").json["imported"] == 1
    sites = dowse("sites", "--json").json["sites"]
    assert [row["site"] for row in sites] == [f"http://{name}.example" for name in "abcd"]  # type: ignore[attr-defined]


FAULTS = [
    ("empty", b"", "list is empty"),
    ("binary", bytes(1000), "list is not a list of sites but binary data"),
    ("a web page", b"<html><a href='http://a.example/'>", "list is a web page"),
    ("no address", b"nothing\n", "list has no web address in it (list, line 1: 'nothing' is not a web address)"),
    ("a sitemap of nothing", b"<urlset></urlset>", "list has no web address in it"),
]


@pytest.mark.parametrize(("content", "said"), [row[1:] for row in FAULTS], ids=[row[0] for row in FAULTS])
def test_one_clear_line(dowse: Dowse, content: bytes, said: str) -> None:
    Path("list").write_bytes(content)
    outcome = dowse("sites", "import", "list", "--json")
    assert (outcome.code, outcome.out) == (2, "")
    (line,) = outcome.err.splitlines()
    assert line.startswith(f"dowse: {said}")


def test_wrong_use(dowse: Dowse) -> None:
    Path("folder").mkdir()
    for arguments, said in (
        (["folder"], "folder is a folder"),
        (["none"], "no such file"),
        ([], "FILE..."),
        (["list", "--format", "dmoz"], "--format"),
    ):
        outcome = dowse("sites", "import", *arguments)
        assert outcome.code == 2
        assert len(outcome.err.splitlines()) == 1
        assert said in outcome.err


def test_what_stands_before_the_end_of_a_cut_file_is_imported(dowse: Dowse) -> None:
    packed = gzip.compress(b"".join(b"%d,h%d.example\n" % (number, number) for number in range(1, 40_000)))
    Path("cut.csv.gz").write_bytes(packed[:-1000])
    outcome = dowse("sites", "import", "cut.csv.gz", "--json")
    assert outcome.code == 2
    imported = outcome.json["imported"]
    assert isinstance(imported, int)
    assert 30_000 < imported < 40_000
    assert outcome.json["known"] == imported
    assert outcome.err.startswith("dowse: cut.csv.gz cannot be unpacked: ")
    assert f"{imported:,} new sites that stood before that were imported" in outcome.err


def test_a_bad_file_does_not_keep_the_others_out(dowse: Dowse) -> None:
    Path("good").write_text("a.example\n")
    outcome = dowse("sites", "import", "none", "good", "--json")
    assert outcome.code == 2
    assert outcome.json["imported"] == 1
    assert len(outcome.err.splitlines()) == 1


def test_sitemaps_that_are_not_there_are_named_once(dowse: Dowse) -> None:
    listed = "".join(f"<sitemap><loc>http://a.example/{number}.xml</loc></sitemap>" for number in range(5))
    Path("index.xml").write_text(f"<sitemapindex>{listed}</sitemapindex>")
    outcome = dowse("sites", "import", "index.xml", "--json")
    assert (outcome.code, outcome.json["imported"]) == (0, 1)
    assert outcome.err == "dowse: 5 of the sitemaps that index.xml names were not read, only their sites taken\n"


def test_a_long_import_says_how_far_it_is(dowse: Dowse, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "PLAIN_SECONDS", 0.0)
    monkeypatch.setattr(imports, "LOOK_EVERY", 2)
    Path("list").write_text("a.example\nb.example\nnonsense\nc.example\nd.example\n")
    lines = dowse("sites", "import", "list").err.splitlines()
    assert lines[0].startswith("addresses 2, left out 0, time ")
    assert lines[1].startswith("addresses 4, left out 1, time ")
