"""`dowse find` against the simulated web, served on loopback: the real program, end to end."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

import orjson
import pytest

from dowse.cli.interrupt import opened_store
from dowse.errors import BadInput
from dowse.sim.score import score_forms
from dowse.sim.world import World
from dowse.store import open_store
from tests.cli.conftest import Dowse
from tests.served import serving
from tests.waiting import PATIENCE, count_rows, wait_until

SITES = 40
KEYS = {
    "sites_known",
    "sites_searched",
    "pages",
    "forms",
    "sources",
    "harvest",
    "coverage",
    "errors",
    "skipped",
    "seconds",
}


@pytest.fixture
def port(served_world: Callable[[int], int]) -> int:
    return served_world(SITES)


def arguments(port: int, *more: str) -> list[str]:
    seeds = World(1, SITES).seeds()
    return [
        "find",
        *seeds,
        "--connect-to",
        f"*=127.0.0.1:{port}",
        "--allow-private",
        "--delay",
        "0",
        "--timeout",
        "60",
        "--jobs",
        "8",
        *more,
    ]


def test_find_keeps_the_forms(dowse: Dowse, port: int) -> None:
    outcome = dowse(*arguments(port, "--json"))
    assert outcome.code == 0, outcome.err
    report = outcome.json
    assert set(report) >= KEYS
    forms = [orjson.loads(line) for line in dowse("export", "forms").out.splitlines()]
    score = score_forms(
        [(f["site"], f["kind"], f["action"], tuple(f["fields"])) for f in forms], World(1, SITES).truth()
    )
    assert report["forms"] == sum(form["kind"] == "database" for form in forms) > 0
    assert score.recall > 0.6
    assert score.precision > 0.6  # most of what is wrong are searches over a site's own pages
    sites = [orjson.loads(line) for line in dowse("export", "sites").out.splitlines()]
    assert len(sites) == report["sites_known"]
    assert sum(site["pages"] for site in sites) == report["pages"] - report["finder_pages"]
    assert {"site", "state", "pages", "forms", "sources", "error"} <= set(sites[0])
    assert {
        "site",
        "page",
        "depth",
        "kind",
        "searchable",
        "probability",
        "method",
        "action",
        "fields",
        "conditions",
        "signature",
        "database",
    } <= set(forms[0])


def test_the_same_command_again_fetches_nothing(dowse: Dowse, port: int) -> None:
    first = dowse(*arguments(port, "--no-discover", "--json")).json
    again = dowse(*arguments(9, "--no-discover", "--json"))  # where nobody answers
    assert {**again.json, "seconds": 0} == {**first, "seconds": 0}
    assert "all of this was searched before" in again.err


def test_a_site_budget_stops_and_goes_on(dowse: Dowse, port: int) -> None:
    outcome = dowse(*arguments(port, "--sites", "2", "--json"))
    assert outcome.code == 3
    assert outcome.json["sites_searched"] == 2
    assert "site budget" in outcome.err
    assert dowse(*arguments(port, "--sites", "2", "--json")).json["sites_searched"] == 2
    assert dowse(*arguments(port, "--sites", "5", "--json")).json["sites_searched"] == 5


def test_a_page_budget_is_exact(dowse: Dowse, port: int) -> None:
    outcome = dowse(*arguments(port, "--pages", "25", "--json"))
    assert outcome.code == 3
    assert outcome.json["pages"] == 25
    assert "page budget" in outcome.err


def test_nothing_but_failures_is_exit_1(dowse: Dowse) -> None:
    outcome = dowse("find", "http://127.0.0.1:9/", "--delay", "0", "--timeout", "2")
    assert outcome.code == 1
    assert "private address" in outcome.err + outcome.out
    outcome = dowse("find", "http://127.0.0.1:9/", "--delay", "0", "--timeout", "2", "--allow-private", "--db", "b.db")
    assert outcome.code == 1
    assert "connection refused" in outcome.err + outcome.out


def test_a_failure_is_told_with_its_own_reason(dowse: Dowse) -> None:
    for host in ("a.invalid", "b.invalid"):
        assert "host name not found" in dowse("find", host, "--delay", "0").err
    for _ in range(2):
        outcome = dowse("find", "http://127.0.0.1:9/", "--delay", "0")
        assert outcome.code == 1
        assert "(private address: 127.0.0.1 (loopback); --allow-private allows it)" in outcome.err


def test_a_seed_page_that_is_not_read_is_said(dowse: Dowse) -> None:
    answers = {"/": b"<p>in", "/robots.txt": b"User-agent: *\nDisallow: /closed\n"}
    own = ("--allow-private", "--delay", "0", "--no-discover")
    with serving(answers) as root:
        outcome = dowse("find", f"{root}/closed/page", *own)
        assert (outcome.code, outcome.err) == (0, f"dowse: {root}/closed/page was not read: robots.txt forbids it\n")
        outcome = dowse("find", f"{root}/gone", *own, "--db", "b.db")
        assert (outcome.code, outcome.err) == (0, f"dowse: {root}/gone was not read: error status: HTTP 404\n")
        outcome = dowse("find", f"{root}/", *own, "--db", "c.db")
        assert (outcome.code, outcome.err) == (0, "")


OWN = ("--allow-private", "--delay", "0", "--no-discover")
BOX = b'<form action="/find%d"><input name="title"><input name="author"><button>Search books</button></form>'


def pages_of(dowse: Dowse) -> dict[str, int]:
    """Return the query forms of the database by the page they stand on."""
    rows = [orjson.loads(line) for line in dowse("export", "forms").out.splitlines()]
    return {row["page"]: row["depth"] for row in rows if row["kind"] == "database"}


def test_all_seeds_of_one_site_are_read(dowse: Dowse) -> None:
    deep = {f"/deep/{number}": BOX % number for number in range(3)}
    with serving({"/": b"<p>in", **deep}) as root:
        outcome = dowse("find", *(f"{root}{path}" for path in deep), *OWN, "--json")
        assert (outcome.code, outcome.json["pages"], outcome.json["forms"]) == (0, 4, 3)
        assert pages_of(dowse) == {f"{root}{path}": 0 for path in deep}


def test_a_deeper_page_of_a_searched_site_is_read_and_nothing_else_again(dowse: Dowse) -> None:
    asked: list[str] = []
    answers = {"/": b"<p>in", "/deep?x=1": b'<a href="/">home</a>' + BOX % 1, "/robots.txt": b""}
    with serving(answers, asked) as root:
        assert dowse("find", f"{root}/", *OWN, "--json").json["pages"] == 1
        asked.clear()
        outcome = dowse("find", f"{root}/deep?x=1", *OWN, "--json")
        assert (outcome.code, outcome.json["pages"], outcome.json["forms"]) == (0, 2, 1)
        assert outcome.json["sites_searched"] == 1
        assert asked == ["/robots.txt", "/deep?x=1"]
        asked.clear()
        assert dowse("find", f"{root}/deep?x=1", *OWN, "--json").json["pages"] == 2
        outcome = dowse("find", f"{root}/gone", *OWN)
        assert (outcome.code, outcome.err) == (0, f"dowse: {root}/gone was not read: error status: HTTP 404\n")
        assert asked == ["/robots.txt", "/gone"], "the same command again fetches nothing"
        assert dowse("sites", "--json").json["states"] == {"searched": 1}


def test_a_working_page_of_a_site_that_failed(dowse: Dowse) -> None:
    with serving({"/deep": BOX % 1}) as root:
        assert dowse("find", f"{root}/", *OWN).code == 1
        outcome = dowse("find", f"{root}/deep", *OWN, "--json")
        assert (outcome.code, outcome.json["forms"]) == (0, 1)


def test_a_seed_that_redirects_is_read_where_it_leads(dowse: Dowse) -> None:
    with serving({"/": b"<p>in", "/new/page": BOX % 1, "/deep": "/new/page"}) as root:
        assert dowse("find", f"{root}/deep", *OWN, "--json").json["forms"] == 1
        assert pages_of(dowse) == {f"{root}/new/page": 0}


@pytest.mark.parametrize("home", [b"<p>still here", ""], ids=["one page moved", "the whole site moved"])
def test_a_seed_that_redirects_to_another_site_is_read_there(dowse: Dowse, home: bytes | str) -> None:
    with serving({"/": b"<p>new", "/new/page": BOX % 1}) as target:
        old = {"/": home or f"{target}/", "/deep": f"{target}/new/page", "/lost": f"{target}/gone"}
        with serving(old) as root:
            outcome = dowse("find", f"{root}/deep", f"{root}/lost", *OWN)
            assert outcome.code == 0
            assert pages_of(dowse) == {f"{target}/new/page": 0}
            assert outcome.err == f"dowse: {root}/lost was not read: error status: HTTP 404\n"


LINKED = b'<title>Cars</title><a href="http://127.0.0.1:9/">one</a><a href="http://127.0.0.2:9/">two</a>'


def test_the_report_says_what_became_of_the_sites(dowse: Dowse) -> None:
    with serving({"/": LINKED + BOX % 1}) as root:
        outcome = dowse("find", f"{root}/", *OWN)
        *_, line = [line for line in outcome.out.splitlines() if "sites met" in line]
        assert line == "3 sites met, 1 searched, 2 not searched (found with --no-discover); 1 page, in dowse.db"
        assert dowse("find", f"{root}/", *OWN, "--json").json["sites_waiting"] == 2
        outcome = dowse("find", f"{root}/", *OWN[:-1], "--sites", "1", "--db", "b.db")
        assert outcome.code == 3
        assert "3 sites met, 1 searched, 2 not searched (site budget); 1 page, in b.db" in outcome.out
        outcome = dowse("find", f"{root}/", *OWN[:-1], "--db", "c.db")
        assert "3 sites met, 1 searched, 2 failed; " in outcome.out


NOTHING = [
    ("no form", b"<p>in", "no database form on 1 page; no other form either"),
    (
        "other forms",
        b'<form action="/in" method="post"><input name="user"><input type="password" name="password"><button>Log in</button></form>',
        "no database form on 1 page; 1 login",
    ),
]


@pytest.mark.parametrize(("page", "said"), [row[1:] for row in NOTHING], ids=[row[0] for row in NOTHING])
def test_nothing_found_says_what_there_is(dowse: Dowse, page: bytes, said: str) -> None:
    with serving({"/": BOX % 1}) as other:
        dowse("find", f"{other}/", *OWN)  # what another search has found is no answer to this one
    with serving({"/": page}) as root:
        outcome = dowse("find", f"{root}/", *OWN)
        assert outcome.code == 0
        assert outcome.out.splitlines()[0] == said
        alone = dowse("find", f"{root}/", *OWN, "--db", "alone.db")
        assert re.search(r"coverage .* unknown", alone.out, re.MULTILINE)


def test_the_best_sources_stand_first_each_once(dowse: Dowse) -> None:
    """Two forms ask one database; one that can be asked more comes before it; after ten it says how to see all."""
    cars = b'<form action="/cars"><input name="make"><input name="model">%b<button>Search used cars</button></form>'
    more = b"".join(b'<label>Field %d <input name="field%d"></label>' % (number, number) for number in range(6))
    home = b'<title>Books</title><a href="/cars-search">cars</a><a href="/same">same</a>'
    answers = {
        "/": home + BOX % 1,
        "/same": b"<title>Same</title>" + BOX.replace(b"author", b"year") % 1,
        "/cars-search": b"<title>Used cars\x1b[31m</title>" + cars % more,
    }
    with serving(answers) as root:
        outcome = dowse("find", f"{root}/", *OWN, "--strategy", "exhaustive")
    lines = outcome.out.splitlines()
    assert lines[0].endswith("  Used cars [31m"), "without what a terminal would obey"
    assert lines[1].strip() == f"{root}/cars-search"
    assert "Field 0" in lines[2]
    assert "confidence" in lines[2] + lines[3]
    assert outcome.out.count(f"{root}/same") + outcome.out.count("  Books") == 1
    assert ", 2 forms)" in outcome.out
    many = {f"/p{number}": BOX % number for number in range(11)}
    with serving({"/": b"in", **many}) as root:
        outcome = dowse("find", *(f"{root}{path}" for path in many), *OWN, "--db", "many.db")
    assert "... 1 source more: `dowse sources --db many.db` lists all" in outcome.out


def test_explain_says_why(dowse: Dowse, port: int) -> None:
    dowse(*arguments(port, "--no-discover", "--strategy", "exhaustive:1"))
    root = World(1, SITES).site(0).site + "/"
    reasons = dowse("explain", root, "--json").json["reasons"]
    assert any("HTTP 200" in reason for reason in reasons)  # type: ignore[attr-defined]
    skipped = orjson.loads(dowse("sites", "--json").out)["sites"]
    assert skipped
    assert "not known" in dowse("explain", "http://nobody.example/").out


def test_archive_and_replay_give_the_same_store(dowse: Dowse, port: int) -> None:
    # how thorough learned is depends on the sites that wait at the moment, so that the pages of two runs may differ
    menus = ("--strategy", "navmenu:3", "--finder", "0")
    dowse(*arguments(port, *menus, "--warc", "warc", "--db", "live.db"))
    seeds = World(1, SITES).seeds()
    outcome = dowse("find", *seeds, *menus, "--replay", "warc", "--db", "replayed.db", "--json")
    assert outcome.code == 0, outcome.err
    for what in ("sites", "forms"):
        live, replayed = (dowse("export", what, "--db", db).out for db in ("live.db", "replayed.db"))
        assert sorted(without_ids(replayed)) == sorted(without_ids(live))


def without_ids(rows: str) -> list[str]:
    """Return lines without the numbers of forms, which are those of the order they came in."""
    return [re.sub(r'"id":\d+,', "", row) for row in rows.splitlines()]


def has_pages() -> bool:
    return count_rows(Path("dowse.db"), "SELECT count(*) FROM page") > 0


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 130)])
def test_stopping_keeps_everything_and_the_next_run_goes_on(dowse: Dowse, port: int, number: int, code: int) -> None:
    slow = [sys.executable, "-m", "dowse", *arguments(port), "--delay", "0.3"]
    process = subprocess.Popen(slow, stderr=subprocess.PIPE, stdout=subprocess.PIPE)
    wait_until(has_pages)
    process.send_signal(number)
    _, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == code
    assert b"run the same command to go on" in err
    assert b"Traceback" not in err
    kept = dowse("sites", "--json").json
    assert kept["known"] > 0  # type: ignore[operator]
    before = sum(site["pages"] for site in dowse("sites", "--json", "--limit", "0").json["sites"])  # type: ignore[attr-defined,union-attr]
    assert before > 0, "pages that were read before the stop are kept"


def test_two_interrupts_stop_at_once(dowse: Dowse, port: int) -> None:
    """At once: a page that is under way would take 100 seconds more; a longer delay would be a failure at once."""
    process = subprocess.Popen(
        [sys.executable, "-m", "dowse", *arguments(port), "--delay", "100"], stderr=subprocess.PIPE
    )
    wait_until(lambda: count_rows(Path("dowse.db"), "SELECT count(*) FROM site WHERE state = 'leased'"))
    process.send_signal(signal.SIGINT)
    assert process.stderr
    while b"stopping" not in process.stderr.readline():
        assert process.poll() is None
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert b"stopped at once" in err
    assert b"Traceback" not in err


def test_seeds_from_a_file_and_standard_input(dowse: Dowse, port: int) -> None:
    seeds = World(1, SITES).seeds()
    Path("seeds.txt").write_text("\n".join([*seeds, "nonsense"]))
    outcome = dowse("find", "--seeds", "seeds.txt", *arguments(port, "--no-discover", "--json")[1 + len(seeds) :])
    assert outcome.code == 0
    assert "1 line skipped" in outcome.err
    assert outcome.json["sites_searched"] >= len(seeds)  # type: ignore[operator]
    done = subprocess.run(
        [sys.executable, "-m", "dowse", "find", "-", "--db", "stdin.db", "--json", *arguments(port, "--no-discover")[1 + len(seeds) :]],
        input=Path("seeds.txt").read_bytes(), capture_output=True, check=False, env=os.environ,
    )  # fmt: skip
    assert done.returncode == 0
    assert orjson.loads(done.stdout)["forms"] == outcome.json["forms"]


def test_a_failed_site_is_tried_again_when_asked(dowse: Dowse, port: int) -> None:
    root = World(1, SITES).seeds()[0]
    detour = ["--connect-to", f"*=127.0.0.1:{port}", "--allow-private", "--delay", "0", "--no-discover", "--json"]
    nowhere = ["--connect-to", "*=127.0.0.1:9", *detour[2:]]
    assert dowse("find", root, *nowhere).code == 1
    again = dowse("find", root, *detour)
    assert again.code == 1, "what failed has not become right by asking again"
    assert "--retry" in again.err
    retried = dowse("find", root, *detour, "--retry")
    assert retried.code == 0
    assert retried.json["pages"] > 0  # type: ignore[operator]


def test_other_options_go_on_with_the_sites_that_wait(dowse: Dowse, port: int) -> None:
    assert dowse(*arguments(port, "--sites", "2")).code == 3
    more = dowse(*arguments(port, "--sites", "5", "--strategy", "exhaustive:1", "--json"))
    assert more.json["sites_searched"] == 5


def test_an_interrupted_search_leaves_nothing_behind_once_it_is_finished(dowse: Dowse, port: int) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "dowse", *arguments(port), "--delay", "0.2"], stderr=subprocess.DEVNULL
    )
    wait_until(has_pages)
    process.send_signal(signal.SIGINT)
    process.wait(PATIENCE)
    finished = dowse(*arguments(port, "--json"))
    assert finished.code == 0
    assert "stopped: interrupted" not in finished.json["skipped"]  # type: ignore[operator]


def test_several_lists(dowse: Dowse, port: int) -> None:
    seeds = World(1, SITES).seeds()
    for place, seed in enumerate(seeds[:2]):
        Path(f"list{place}").write_text(seed)
    outcome = dowse(
        "find", "--seeds", "list0", "--seeds", "list1", *arguments(port, "--no-discover", "--json")[1 + len(seeds) :]
    )
    assert outcome.json["sites_searched"] == 2


def test_searches_behind_robots_are_told(dowse: Dowse) -> None:
    robots = b"User-agent: *\nDisallow: /closed/\n"
    home = b'<a href="/closed/search">Search the catalogue</a> <a href="/closed/press">Press</a>'
    with serving({"/": home, "/robots.txt": robots}) as root:
        outcome = dowse("find", f"{root}/", *OWN, "--strategy", "exhaustive:1")
        assert "forbidden by robots.txt: 1 address that looks like a search; `dowse forms --forbidden" in outcome.out
        found = dowse("find", f"{root}/", *OWN, "--strategy", "exhaustive:1", "--json").json
        assert found["forbidden_searches"] == 1
        listed = dowse("forms", "--forbidden", "--json").json
        assert listed == {"forbidden": [{"site": root, "url": f"{root}/closed/search"}], "total": 1}
        assert dowse("forms", "--forbidden").out.splitlines()[0] == f"  {root}/closed/search"
        told = dowse("explain", f"{root}/closed/search").out
        assert "not fetched: looks like a search, but robots.txt forbids it" in told
    assert dowse("forms", "--forbidden", "--kind", "login").code == 2


@pytest.mark.parametrize(
    ("given", "why"),
    [
        (["--searxng", "http://searx.example"], "name one with --topic"),
        (["--topic", "cars", "--strategy", "levels:3", "--searxng", "http://searx.example"], "levels:N follows links alone"),
        (["--topic", "cars", "--no-discover", "--searxng", "http://searx.example"], "--no-discover searches the seeds alone"),
        (["--topic", "cars", "--strategy", "exhaustive:3"], "on a topic there is focused, smart, levels"),
        (["--topic", "no-such-topic"], "there is no topic 'no-such-topic'"),
    ],
    ids=["look-ups without a topic", "look-ups with levels", "look-ups for the seeds alone", "a strategy without topics", "unknown"],
)  # fmt: skip
def test_contradicting_options_of_a_topic_are_refused_in_one_line(dowse: Dowse, given: list[str], why: str) -> None:
    done = dowse("find", "http://a.example/", *given)
    assert done.code == 2
    assert why in done.err
    assert done.err.count("\n") == 1


def test_a_crawl_that_meets_no_site_on_its_topic_says_so_and_what_to_do(dowse: Dowse) -> None:
    home = b"<title>Plumbing</title><p>Pipes, taps and drains of the town. Call the plumber.</p>"
    with serving({"/": home, "/robots.txt": b""}) as root:
        done = dowse("find", f"{root}/", *OWN, "--topic", "movies")
        assert "no source on movies on 1 page" in done.out
        assert done.err.splitlines()[-1] == (
            "dowse: no site is left that is likely on movies: start from sites about it, or let a search engine name some (--searxng URL),"
            " or say how many pages may go to less likely sites (--pages N)"
        )
        assert dowse("sources", "--topic", "movies").out.startswith("no source on movies; ")


def test_who_has_to_leave_removes_nothing(tmp_path: Path) -> None:
    """The database was not there when it began, and is another's by now."""
    path = tmp_path / "a.db"
    with ExitStack() as stack:
        with pytest.raises(BadInput, match="another dowse"), opened_store(str(path)) as mine:  # noqa: PT012
            stack.enter_context(open_store(str(path))).database.lock()
            mine.database.lock()
        assert path.exists()
    with pytest.raises(BadInput, match="a mistake"), opened_store(str(tmp_path / "b.db")):
        raise BadInput("a mistake")
    assert not (tmp_path / "b.db").exists()
