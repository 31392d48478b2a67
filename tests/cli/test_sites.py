"""`dowse sites` and `dowse sites import`."""

from __future__ import annotations

import gzip
import zipfile
from pathlib import Path

import pytest

from dowse.cli import progress
from dowse.cli import sites as imports
from dowse.seeds import unpack
from dowse.sim.world import World
from tests.cli.conftest import Dowse
from tests.cli.test_find import SITES, arguments, port


def test_several_files_of_several_kinds(dowse: Dowse) -> None:
    Path("a.csv").write_text("1,a.example\n2,b.example\n")
    Path("b.rdf").write_text(
        '<RDF><ExternalPage about="http://b.example/x"/><ExternalPage about="http://c.example/"/></RDF>'
    )
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
    for given, said in (
        (["folder"], "folder is a folder"),
        (["none"], "no such file"),
        ([], "FILE..."),
        (["list", "--format", "dmoz"], "--format"),
    ):
        outcome = dowse("sites", "import", *given)
        assert outcome.code == 2
        assert len(outcome.err.splitlines()) == 1
        assert said in outcome.err


def test_what_stands_before_the_end_of_a_cut_file_is_imported(dowse: Dowse) -> None:
    packed = gzip.compress(b"".join(b"%d,h%d.example\n" % (number, number) for number in range(1, 40_000)))
    Path("cut.csv.gz").write_bytes(packed[:-1000])
    outcome = dowse("sites", "import", "cut.csv.gz", "--json")
    assert outcome.code == 1
    imported = outcome.json["imported"]
    assert isinstance(imported, int)
    assert 30_000 < imported < 40_000
    assert outcome.json["known"] == imported
    assert outcome.err.startswith("dowse: cut.csv.gz cannot be unpacked: ")
    assert f"{imported:,} new sites that stood before that were imported" in outcome.err


@pytest.mark.parametrize(
    ("content", "element"),
    [
        pytest.param("<urlset><url><loc>http://a.example/</loc></url><url><loc>http://b.exam", "urlset", id="sitemap"),
        pytest.param("<sitemapindex><sitemap><loc>http://a.example/x</loc>", "sitemapindex", id="index"),
        pytest.param('<RDF><ExternalPage about="http://a.example/"/>', "rdf", id="directory, after a whole page"),
        pytest.param('<r:RDF><Topic><link r:resource="http://a.example/x"></link><li', "rdf", id="directory, in a tag"),
    ],
)
def test_markup_that_is_cut_is_said_to_be(dowse: Dowse, content: str, element: str) -> None:
    Path("cut.xml").write_text(content)
    outcome = dowse("sites", "import", "cut.xml", "--json")
    assert (outcome.code, outcome.json["imported"], outcome.json["known"]) == (1, 1, 1)
    told = f"cut.xml breaks off: its </{element}> is missing; 1 new sites that stood before that were imported"
    assert outcome.err.splitlines()[0] == f"dowse: {told}"


def test_all_lists_of_an_archive_are_imported(dowse: Dowse) -> None:
    with zipfile.ZipFile("lists.zip", "w") as archive:
        archive.writestr("LICENSE.txt", "This list is free.\nDo with it what you like.\n")
        archive.writestr("logo.png", bytes(100))
        archive.writestr("empty", "")
        archive.writestr("a.csv", "1,a.example\n2,b.example\n")
        archive.writestr("more/b.txt", "c.example\n")
        archive.writestr("c.xml", "<urlset><url><loc>http://d.example/</loc></url></urlset>")
    outcome = dowse("sites", "import", "lists.zip", "--json")
    assert (outcome.code, outcome.json) == (0, {"imported": 4, "known": 4, "left_out": 3})
    assert "lists.zip: LICENSE.txt is not a list of sites" in outcome.err


def test_a_list_of_an_archive_that_is_cut_does_not_keep_the_others_out(dowse: Dowse) -> None:
    with zipfile.ZipFile("lists.zip", "w") as archive:
        archive.writestr("a.xml", "<urlset><url><loc>http://a.example/</loc></url>")
        archive.writestr("b.txt", "b.example\n")
    outcome = dowse("sites", "import", "lists.zip", "--json")
    assert (outcome.code, outcome.json["imported"]) == (1, 2)
    assert "lists.zip: a.xml breaks off" in outcome.err


def test_more_files_in_an_archive_than_are_read(dowse: Dowse, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unpack, "MAX_FILES", 2)
    with zipfile.ZipFile("lists.zip", "w") as archive:
        for number in range(5):
            archive.writestr(f"{number}.txt", f"s{number}.example\n")
    outcome = dowse("sites", "import", "lists.zip", "--json")
    assert outcome.json["imported"] == 2
    assert "3 more files of the archive were not read" in outcome.err


@pytest.mark.parametrize(
    ("content", "said"),
    [
        pytest.param("a.example\n12\nb.example\n", "line 2: '12' is a number, not a web address", id="plain"),
        pytest.param("1,a.example\n2,b.example\n1.5,c.com\n", "line 3: '1.5,c.com' has a number for its web address", id="csv"),
    ],
)  # fmt: skip
def test_a_bare_number_is_left_out(dowse: Dowse, content: str, said: str) -> None:
    Path("list").write_text(content)
    outcome = dowse("sites", "import", "list", "--json")
    assert (outcome.code, outcome.json) == (0, {"imported": 2, "known": 2, "left_out": 1})
    assert outcome.err == f"dowse: 1 line skipped; list, {said}\n"


def test_a_bad_file_does_not_keep_the_others_out(dowse: Dowse) -> None:
    Path("good").write_text("a.example\n")
    outcome = dowse("sites", "import", "none", "good", "--json")
    assert outcome.code == 2
    assert outcome.json["imported"] == 1
    assert len(outcome.err.splitlines()) == 1


def test_a_name_that_is_too_long_does_not_keep_the_others_out(dowse: Dowse) -> None:
    Path("good").write_text("a.example\n")
    index = f"<sitemapindex><sitemap><loc>http://b.example/{'%C3%BC' * 200}.xml</loc></sitemap></sitemapindex>"
    Path("index.xml").write_text(index)
    outcome = dowse("sites", "import", "n" * 256, "good", "index.xml")
    assert (outcome.code, outcome.out) == (2, "2 sites imported, 2 known\n")
    assert "cannot be read: file name too long" in outcome.err


def test_sitemaps_that_are_not_there_are_named_once(dowse: Dowse) -> None:
    listed = "".join(f"<sitemap><loc>http://a.example/{number}.xml</loc></sitemap>" for number in range(5))
    Path("index.xml").write_text(f"<sitemapindex>{listed}</sitemapindex>")
    nested = f"<sitemapindex>{listed}<sitemap><loc>http://a.example/index.xml</loc></sitemap></sitemapindex>"
    Path("outer.xml").write_text(nested)
    outcome = dowse("sites", "import", "index.xml", "outer.xml", "--json")
    assert (outcome.code, outcome.json["imported"]) == (0, 1)
    assert outcome.err == "dowse: 15 sitemaps that an index names were not read, only their sites taken\n"


def test_a_long_import_says_how_far_it_is(dowse: Dowse, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "PLAIN_SECONDS", 0.0)
    monkeypatch.setattr(imports, "SEEDS_PER_CLOCK_CHECK", 2)
    Path("list").write_text("a.example\nb.example\nnonsense\nc.example\nd.example\n")
    lines = dowse("sites", "import", "list").err.splitlines()
    assert lines[0].startswith("addresses 2, skipped 0, time ")
    assert lines[1].startswith("addresses 4, skipped 1, time ")


__all__ = ["port"]  # the web of `dowse find`


def words(port: int, *more: str) -> list[str]:
    find = arguments(port)
    return ["sites", "discover", *find[1:], *more]


def test_sites_are_found_and_wait(dowse: Dowse, port: int) -> None:
    outcome = dowse(*words(port, "--json"))
    assert outcome.code == 0, outcome.err
    result = outcome.json
    assert set(result) >= {"found", "known", "pages", "harvest"}
    assert result["found"] == result["known"] - len(World(1, SITES).seeds()) > SITES / 2  # type: ignore[operator]
    listed = dowse("sites", "--json", "--limit", "0").json
    assert listed["states"] == {"waiting": result["known"]}
    again = dowse(*words(port, "--json")).json
    assert {**again, "seconds": 0} == {**result, "seconds": 0}, "no site is explored twice"


def test_enough_is_done_and_a_page_budget_is_a_stop(dowse: Dowse, port: int) -> None:
    some = dowse(*words(port, "--sites", "3"))
    assert some.code == 0
    assert "sites found with" in some.out
    stopped = dowse(*words(port, "--pages", "5", "--db", "b.db", "--json"))
    assert (stopped.code, stopped.json["stopped"]) == (3, "page budget")
    assert "page budget" in stopped.err


def test_mistakes_are_one_line(dowse: Dowse) -> None:
    for arguments_, said in (
        (["sites", "discover"], "no site is known"),
        (["sites", "discover", "e.com", "--site-strategy", "best"], "no strategy"),
        (["find", "e.com", "--site-strategy", "navmenu:3"], "no strategy"),
        (["find", "e.com", "--schedule", "best"], "schedule"),
    ):
        outcome = dowse(*arguments_)
        assert outcome.code == 2
        assert said in outcome.err
        assert len(outcome.err.splitlines()) == 1
        assert not list(Path.cwd().iterdir()), "a mistake left a database behind"


def test_find_says_what_the_site_finder_did(dowse: Dowse, port: int) -> None:
    shallow = arguments(port, "--strategy", "exhaustive:0")
    outcome = dowse(*shallow, "--json")
    assert outcome.code == 0, outcome.err
    report = outcome.json
    assert report["sites_found"] > 0  # type: ignore[operator]
    assert 0 < report["finder_pages"] < report["pages"]  # type: ignore[operator]
    assert "sites discovered" in dowse(*shallow).out
    none = dowse(*arguments(port, "--strategy", "exhaustive:0", "--finder", "0", "--db", "b.db", "--json")).json
    assert (none["finder_pages"], none["sites_found"]) == (0, 0)


def test_rounds_find_the_same(dowse: Dowse, port: int) -> None:
    exhaustive = ("--strategy", "exhaustive:3", "--audit", "0")  # rounds are not audited
    whole = dowse(*arguments(port, *exhaustive, "--json")).json
    rounds = dowse(*arguments(port, *exhaustive, "--schedule", "round-robin", "--db", "b.db", "--json")).json
    for key in ("sites_searched", "pages", "forms", "kinds", "skipped"):
        assert rounds[key] == whole[key]


def test_sites_that_are_all_dead_are_said(dowse: Dowse) -> None:
    outcome = dowse(
        "sites", "discover", "a.example", "--connect-to", "*=127.0.0.1:9", "--allow-private", "--delay", "0"
    )
    assert outcome.code == 1
    assert "no site could be explored, of 1 tried" in outcome.err
    assert "connection refused" in outcome.err


def test_sites_that_are_all_dead_are_said_again(dowse: Dowse) -> None:
    own = ("--connect-to", "*=127.0.0.1:9", "--allow-private", "--delay", "0")
    first, again = (dowse("sites", "discover", "a.example", *own) for _ in range(2))
    assert (again.code, again.err) == (first.code, first.err)
    dowse("find", "b.example", *own)
    known = dowse("sites", "discover", "b.example", *own)
    assert known.code == 1
    assert "no site could be explored, of 1 tried" in known.err


@pytest.mark.parametrize(
    "config",
    ["{own}", "[sites.discover]\n{own}", "delay = 60\n[sites.discover]\n{own}"],
    ids=["for all commands", "for this one", "for this one in place of all"],
)
def test_the_config_reaches_the_search_for_sites(dowse: Dowse, config: str) -> None:
    own = 'connect-to = ["*=127.0.0.1:9"]\nallow-private = true\ndelay = 0'
    Path("dowse.toml").write_text('db = "own.db"\n' + config.format(own=own))
    outcome = dowse("sites", "discover", "a.example")
    assert "connection refused" in outcome.err
    assert Path("own.db").exists()
    assert dowse("sites", "--db", "flag.db", "discover", "a.example").code == 1
    assert Path("flag.db").exists()


def test_import_and_look(dowse: Dowse) -> None:
    Path("ranking.csv.gz").write_bytes(gzip.compress(b"1,a.example\n2,b.example\n3,nonsense here\n"))
    outcome = dowse("sites", "import", "ranking.csv.gz", "--json")
    assert outcome.json == {"imported": 2, "known": 2, "left_out": 1}
    assert "line 3" in outcome.err
    assert dowse("sites", "import", "ranking.csv.gz", "--json").json["imported"] == 0
    shown = dowse("sites")
    assert "2 sites known: 2 waiting" in shown.out
    assert "http://a.example" in shown.out
    assert dowse("sites", "--state", "failed", "--json").json["sites"] == []


def test_a_list_without_any_address(dowse: Dowse) -> None:
    Path("list").write_text("nothing\nat all\n")
    outcome = dowse("sites", "import", "list")
    assert outcome.code == 2
    assert "no web address in it" in outcome.err
