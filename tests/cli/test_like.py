"""`dowse like` over HTTP: what it prints and writes, and every mistake in one line."""

from __future__ import annotations

import ast
import json
import signal
import subprocess
import sys
from pathlib import Path
from threading import Event

import pytest

from dowse.example.pattern import Pattern
from dowse.model import Response
from tests.cli.conftest import Dowse
from tests.example.shop import HTML, address, listing, open_shop, reaching, serving
from tests.waiting import PATIENCE

SAMPLE, ENTRY = address("/item/0"), address("/")


def test_a_pattern_is_told_and_written(dowse: Dowse) -> None:
    with serving(open_shop(40)) as port:
        done = dowse("like", SAMPLE, "--entry", ENTRY, "-o", "p.json", "--scrapy", "spider.py", *reaching(port))
    assert done.code == 0, done.err
    assert "like the sample    40" in done.out
    assert "`dowse follow p.json` opens them all." in done.out
    assert Pattern.from_json(Path("p.json").read_text()).samples[0] == SAMPLE
    ast.parse(Path("spider.py").read_text())


def test_the_keys_that_scripts_rely_on(dowse: Dowse) -> None:
    with serving(open_shop(40)) as port:
        done = dowse("like", SAMPLE, "--entry", ENTRY, "--json", *reaching(port))
    assert done.code == 0
    assert {"targets", "mapped_pages", "pattern"} <= done.json.keys()
    assert (done.json["targets"], done.json["stopped"]) == (40, "")
    assert Pattern.from_json(json.dumps(done.json["pattern"])).entry == ENTRY


@pytest.mark.parametrize(("chosen", "is_told"), [(" selected", True), ("", False)], ids=["filled in", "as it is"])
def test_a_list_that_comes_filtered_is_told(dowse: Dowse, chosen: str, is_told: bool) -> None:
    choices = f"<option value=''>any<option value=open{chosen}>open<option value=closed>closed"
    form = f"<form action=/list><label>Status <select name=status>{choices}</select></label><input name=q><input type=submit></form>"
    shop = open_shop(20)
    shop.pages["/list"] = listing(*(f"/item/{n}" for n in range(20))).replace("<h2>", f"{form}<h2>")
    with serving(shop) as port:
        done = dowse("like", SAMPLE, "--entry", address("/list"), "--json", *reaching(port))
    assert done.code == 0, done.err
    assert any("comes filtered (status open)" in note for note in done.json["notes"]) == is_told


def test_a_limit_is_exit_code_3_and_the_pattern_is_written(dowse: Dowse) -> None:
    with serving(open_shop(60)) as port:
        done = dowse("like", SAMPLE, "--entry", ENTRY, "-o", "p.json", "--pages", "30", *reaching(port))
    assert done.code == 3
    assert "30 pages were mapped" in done.out
    assert Path("p.json").exists()


def test_a_limit_that_is_too_small_to_learn_anything_is_exit_code_3(dowse: Dowse) -> None:
    shop = open_shop(60)
    shop.pages["/"] = listing("/gone", *(f"/list/{n}" for n in range(6)))
    with serving(shop) as port:
        for more in ((), ("--json",)):
            done = dowse("like", SAMPLE, "--entry", ENTRY, "--pages", "5", *more, *reaching(port))
            assert (done.code, done.err.count("\n")) == (3, 1)
            assert "none of them are like the sample" in done.err
    assert done.json["stopped"] == done.json["error"]
    assert (done.json["mapped_pages"], done.json["failures"]) == (5, {"HTTP 404": 1})


BROKEN = Response("", 500, HTML, b"")
ITEMS = [f"/item/{n}" for n in range(40)]
WALLS = [
    ("most things break", ITEMS[3:], "the site could not be read: HTTP 500 (37); try again later"),
    ("all lists break", [f"/list/{n}" for n in range(4)], "the site could not be read: HTTP 500 (4); try again later"),
]


@pytest.mark.parametrize(("places", "why"), [row[1:] for row in WALLS], ids=[row[0] for row in WALLS])
def test_a_server_that_breaks_is_not_learned_from(dowse: Dowse, places: list[str], why: str) -> None:
    shop = open_shop(40)
    shop.pages |= dict.fromkeys(places, BROKEN)
    with serving(shop) as port:
        for more in ((), ("--json",)):
            done = dowse("like", SAMPLE, "--entry", ENTRY, "-o", "p.json", *more, *reaching(port))
            assert (done.code, done.err) == (1, f"dowse: {why}\n")
            assert not Path("p.json").exists()
    assert (done.json["error"], done.json["pattern"]) == (why, None)


def test_a_few_pages_that_could_not_be_opened_are_told(dowse: Dowse) -> None:
    shop = open_shop(40)
    shop.pages |= dict.fromkeys(ITEMS[3:5], BROKEN) | {"/jobs": Response("", 404, HTML, b"")}
    told = "some pages could not be opened: HTTP 500 (2); the pattern may be incomplete"
    with serving(shop) as port:
        done = dowse("like", SAMPLE, "--entry", ENTRY, "-o", "p.json", *reaching(port))
        also = dowse("like", SAMPLE, "--entry", ENTRY, "--json", *reaching(port))
    assert (done.code, done.err, also.code) == (0, f"dowse: {told}\n", 0)
    assert "could not be opened     2  HTTP 500" in done.out
    assert "could not be opened     1  HTTP 404" in done.out
    assert told in also.json["notes"]  # type: ignore[operator]


FAILURES = [
    ("a sample that is gone", address("/item/999"), ENTRY, "could not be opened: HTTP 404"),
    ("a sample that no link leads to", SAMPLE, address("/about"), "none of them are like the sample"),
]


@pytest.mark.parametrize(("sample", "entry", "why"), [row[1:] for row in FAILURES], ids=[row[0] for row in FAILURES])
def test_a_failure_tells_scripts_why(dowse: Dowse, sample: str, entry: str, why: str) -> None:
    shop = open_shop(20)
    shop.pages |= {"/about": listing("/jobs"), "/jobs": listing()}
    with serving(shop) as port:
        done = dowse("like", sample, "--entry", entry, "--json", *reaching(port))
    assert done.code == 1
    assert why in str(done.json["error"])
    assert why in done.err
    assert (done.json["targets"], done.json["pattern"], done.json["stopped"]) == (0, None, "")


def test_a_failure_has_the_keys_of_a_success(dowse: Dowse) -> None:
    with serving(open_shop(40)) as port:
        good = dowse("like", SAMPLE, "--entry", ENTRY, "--json", *reaching(port))
        bad = dowse("like", address("/item/999"), "--entry", ENTRY, "--json", *reaching(port))
    assert bad.json.keys() - good.json.keys() == {"error"}
    assert good.json.keys() <= bad.json.keys()


MISTAKES = [
    ("a sample of another site", ("http://else.example/1",), ENTRY, 2, "is not on the site of the entry"),
    ("no address", ("http://",), ENTRY, 2, "is not a web address"),
    ("an entry that is no address", (SAMPLE,), "::", 2, "--entry '::' is not a web address"),
    ("no sample", (), ENTRY, 2, "Missing argument"),
    ("a sample that is gone", (address("/item/999"),), ENTRY, 1, "could not be opened: HTTP 404"),
    ("an entry like the sample", (SAMPLE,), address("/item/1"), 2, "the entry is itself like the sample"),
    ("one page only", (SAMPLE,), address("/alone"), 1, "1 page was mapped"),
    ("a sample that no link leads to", (SAMPLE,), address("/about"), 1, "none of them are like the sample"),
]


@pytest.mark.parametrize(
    ("samples", "entry", "code", "why"), [row[1:] for row in MISTAKES], ids=[row[0] for row in MISTAKES]
)
def test_a_mistake_is_one_line(dowse: Dowse, samples: tuple[str, ...], entry: str, code: int, why: str) -> None:
    shop = open_shop(20)
    shop.pages |= {"/alone": "<html><p>nothing</p></html>", "/about": listing("/jobs"), "/jobs": listing()}
    with serving(shop) as port:
        done = dowse("like", *samples, "--entry", entry, *reaching(port))
    assert (done.code, done.err.count("\n"), done.out) == (code, 1, "")
    assert why in done.err


@pytest.mark.parametrize("option", ["-o", "--scrapy"])
@pytest.mark.parametrize(("file", "why"), [("nowhere/p.json", "its folder does not exist"), (".", "is a folder")])
def test_where_nothing_can_be_written_nothing_is_asked(dowse: Dowse, option: str, file: str, why: str) -> None:
    shop = open_shop(20)
    with serving(shop) as port:
        done = dowse("like", SAMPLE, "--entry", ENTRY, option, file, *reaching(port))
    assert (done.code, shop.asked) == (2, [])
    assert why in done.err


def test_nobody_there(dowse: Dowse) -> None:
    done = dowse("like", "http://127.0.0.1:1/a", "--entry", "http://127.0.0.1:1/", "--allow-private", "--delay", "0")
    assert (done.code, done.err.count("\n")) == (1, 1)
    assert "connection refused" in done.err


def test_a_database_is_not_used(dowse: Dowse) -> None:
    done = dowse("like", SAMPLE, "--entry", ENTRY, "--db", "x.db")
    assert (done.code, done.err) == (
        2,
        "dowse: `dowse like` uses no database: leave --db out (see `dowse like --help`)\n",
    )


def test_ctrl_c_is_exit_code_130(tmp_path: Path) -> None:
    shop, begun = open_shop(40), Event()
    shop.asking = lambda place: begun.set() if len(shop.asked) > 5 else None
    with serving(shop) as port:
        command = [sys.executable, "-m", "dowse", "like", SAMPLE, "--entry", ENTRY, *reaching(port), "--delay", "0.2"]
        process = subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        assert begun.wait(PATIENCE)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, out) == (130, "")
    assert "Traceback" not in err
