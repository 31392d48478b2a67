"""`dowse find` against servers that misbehave, full disks and kill -9: the real program, end to end.

The light rows share one run, so each is also the bad neighbour of all others; what costs memory
or time has a run of its own, beside one good site, and its peak memory is looked at.
"""

from __future__ import annotations

import os
import random
import re
import resource
import signal
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import orjson
import pytest

from dowse.fetch import guard
from dowse.sim.world import World
from tests.cli.conftest import Dowse, dowse  # noqa: F401 (a fixture)
from tests.hostile_servers import DOMAIN, HEAVY, HEAVY_ROBOTS, ROBOTS, SITES, HostileServer, serving, serving_elsewhere
from tests.served import serve_world
from tests.waiting import count_rows, wait_until

HARD_LIMIT = 600.0  # seconds after which a command counts as hanging
CPU_LIMIT = 20  # seconds that a command may compute for a heavy site
TIMEOUT = 15  # seconds that an honest server may take, on a busy machine; what never answers is waited for as long
MEMORY = 300 * 1024  # kilobytes that a command may take
TRACEBACK = "Traceback (most recent call last)"


class Row(NamedTuple):
    """What is kept of a site: its state, and what is said about it, as a pattern."""

    name: str
    state: str
    says: str  # found in its error, its failed pages, its limits or the reasons for skipping
    why: str


LIGHT = (
    Row("garbage", "failed", "not an HTTP answer", "bytes that mean nothing"),
    Row("ssh", "failed", "not an HTTP answer", "another protocol's greeting"),
    Row("http09", "failed", "not an HTTP answer", "HTTP/0.9 has no header"),
    Row("hang-up", "failed", "connection broken", "the connection ends without a word"),
    Row("status-word", "failed", "not an HTTP answer", "a word for the status"),
    Row("status-000", "failed", "not an HTTP answer", "no status is 000"),
    Row("status-999", "failed", "error status: HTTP 999", "some sites say no with 999"),
    Row("status-304", "failed", "redirects to an invalid address", "not modified, since nobody knows when"),
    Row("status-204", "searched", "", "no content is an answer"),
    Row("switching", "failed", "not an HTTP answer", "101 to nobody's request, and no answer after it"),
    Row("header-nul", "failed", "not an HTTP answer", "a NUL in a header"),
    Row("header-cut", "failed", "not an HTTP answer|connection broken", "the connection ends inside the header"),
    Row("header-lines", "failed", "not an HTTP answer", "lines without a colon"),
    Row("silent", "failed", "timed out", "accepts and never answers"),
    Row("drip-body", "failed", "timed out", "a byte now and then"),
    Row("drip-head", "failed", "timed out", "a byte of the header now and then"),
    Row("endless-body", "searched", "", "the first 2 MiB are a page"),
    Row("endless-chunks", "searched", "", "the same in chunks"),
    Row("endless-headers", "failed", "headers too large", "header after header"),
    Row("endless-header", "failed", "headers too large", "one header without end"),
    Row("endless-status", "failed", "headers too large", "a status line without end"),
    Row("endless-interim", "failed", "headers too large", "100 Continue, for ever"),
    Row("endless-trailers", "failed", "headers too large", "headers behind the body"),
    Row("cookies", "searched", "", "300 cookies are many, and fit"),
    Row("cookie-flood", "failed", "headers too large", "5,000 cookies do not"),
    Row("cookies-first", "failed", "redirects to an invalid address: javascript", "what matters stands behind 300 cookies"),
    Row("interim", "searched", "", "a hundred hints before the answer"),
    Row("length-short", "searched", "", "less than was said: what came is read"),
    Row("length-long", "searched", "", "more than was said: the rest is left"),
    Row("length-negative", "failed", "not an HTTP answer", "no length is negative"),
    Row("length-word", "failed", "not an HTTP answer", "no length is a word"),
    Row("length-huge", "searched", "", "longer than a number can be: until the end"),
    Row("length-two", "failed", "not an HTTP answer", "two lengths that differ"),
    Row("smuggled", "searched", "", "a second answer behind the first is nobody's"),
    Row("chunk-word", "failed", "connection broken", "a chunk of no size"),
    Row("chunk-huge", "failed", "connection broken", "a chunk larger than memory"),
    Row("chunk-cut", "searched", "", "the last chunk is torn: what came is read"),
    Row("chunk-second", "searched", "", "the second chunk is broken: what came is read"),
    Row("transfer-unknown", "failed", "content encoding broken", "a transfer encoding nobody knows"),
    Row("reset-body", "searched", "", "reset in the body: what came is read"),
    Row("reset-head", "failed", "connection broken", "reset in the header"),
    Row("encoding-unknown", "failed", "content encoding broken", "an encoding nobody knows"),
    Row("encoding-false", "failed", "content encoding broken", "plain text that claims to be gzip"),
    Row("encoding-tower", "failed", "content encoding broken: 50", "fifty encodings on top of each other"),
    Row("gzip-torn", "searched", "", "half a gzip stream gives half a page"),
    Row("zstd-window", "failed", "content encoding broken", "wants 128 MB before its first byte"),
    Row("charset-unknown", "searched", "", "an unknown charset is as good as none"),
    Row("charset-codec", "searched", "", "a codec of Python's that is no charset"),
    Row("charset-wrong", "searched", "", "Latin-1 that claims to be UTF-8"),
    Row("charset-odd", "searched", "", "half a UTF-16 character"),
    Row("charset-lone", "searched", "", "half a surrogate pair"),
    Row("binary", "searched", "", "random bytes as text/html"),
    Row("picture", "searched", "", "a picture as text/html"),
    Row("nuls", "searched", "", "a megabyte of NULs"),
    Row("document", "failed", "not a page: application/pdf", "an honest PDF"),
    Row("typeless", "searched", "", "no content type at all"),
    Row("type-strange", "searched", "", "a content type of no shape"),
    Row("empty", "searched", "", "a page of nothing"),
    Row("redirect-self", "failed", "redirects to itself", "to the very same address"),
    Row("redirect-two", "failed", "redirects to itself", "there and back"),
    Row("redirect-onward", "failed", "too many redirects", "with another parameter each time"),
    Row("redirect-session", "failed", "too many redirects", "with another session each time"),
    Row("redirect-script", "failed", "redirects to an invalid address", "to a script"),
    Row("redirect-bracket", "failed", "redirects to an invalid address", "to no address"),
    Row("redirect-nowhere", "failed", "redirects to an invalid address: no Location", "without a Location"),
    Row("redirect-long", "failed", "redirects to an invalid address", "to an address of 10,000 letters"),
    Row("redirect-escape", "failed", "redirects to an invalid address", "to what would steer a terminal"),
    Row("redirect-endless-body", "failed", "redirects to itself", "with a body that nobody reads"),
    Row("busy-long", "failed", "server asks to wait", "for longer than our patience"),
    Row("busy-longest", "failed", r"server asks to wait: for \d{6,} s", "for longer than a number usually is"),
    Row("busy-plain", "failed", "server asks to wait", "without saying for how long"),
    Row("busy-garbage", "failed", "server asks to wait", "for no time that can be read"),
    Row("busy-date", "failed", "server asks to wait", "until the end of the calendar"),
    Row("odd-addresses", "searched", "", "surrogates, controls, very long, no host, no port"),
    Row("escapes", "searched", "", "a title that would steer a terminal"),
    Row("type-escape", "failed", "not a page", "a type that would steer a terminal"),
    Row("refresh-self", "searched", "", "refreshes to itself"),
    Row("refresh-onward", "searched", "", "refreshes to an address that is always new, and is the same page"),
    Row("base-script", "searched", "", "links relative to a script"),
    Row("base-data", "searched", "", "links relative to data"),
    Row("form-script", "searched", "", "a form that is sent to a script"),
    Row("frames", "searched", "", "three pages that frame each other"),
    Row("deep-path", "searched", "trap|deeper than", "a folder in a folder in a folder"),
    Row("robots-garbage", "failed", "robots.txt unavailable: not an HTTP answer", "its robots.txt is garbage"),
    Row("robots-hang-up", "failed", "robots.txt unavailable: connection broken", "hangs up on it"),
    Row("robots-silent", "failed", "robots.txt unavailable: timed out", "never answers it"),
    Row("robots-500", "failed", "robots.txt unavailable: error status", "RFC 9309: a 5xx forbids everything"),
    Row("robots-busy", "failed", "robots.txt unavailable: server asks to wait", "asks for a day's wait"),
    Row("robots-headers", "failed", "robots.txt unavailable: headers too large", "endless headers on it"),
    Row("robots-encoding", "failed", "robots.txt unavailable: content encoding", "an encoding it does not have"),
    Row("robots-forbids", "failed", "robots.txt forbids it", "an honest no"),
    Row("robots-loop", "searched", "", "RFC 9309: a redirect loop is as good as none"),
    Row("robots-onward", "searched", "", "the same with a changing parameter"),
    Row("robots-endless", "searched", "", "the first 500 KiB are the rules"),
    Row("robots-binary", "searched", "", "random bytes forbid nothing"),
    Row("robots-page", "searched", "", "a page in place of rules"),
    Row("robots-delay", "searched", "server asks to wait", "a Crawl-delay of 30,000 years"),
    Row("robots-delay-nan", "searched", "", "a Crawl-delay that is no number"),
    Row("robots-delay-minus", "searched", "", "a Crawl-delay before the request"),
)  # fmt: skip
ALONE = (
    Row("gzip-bomb", "searched", "", "gigabytes in one gzip stream"),
    Row("gzip-members", "searched", "", "20,000 gzip members"),
    Row("gzip-twice", "searched", "", "a bomb in a bomb"),
    Row("deflate-bomb", "searched", "", "the same as deflate"),
    Row("brotli-bomb", "searched", "", "64 MB in a hundred bytes"),
    Row("zstd-bomb", "searched", "", "16 GB of zstd frames"),
    Row("deep-tags", "searched", "", "10 MB of nested tags"),
    Row("deep-inline", "searched", "", "8 MB of tags that the standard nests again and again"),
    Row("links", "searched", "trap: near-identical|500 pages", "100,000 links to pages of its own"),
    Row("links-away", "searched", "", "100,000 links to other sites"),
    Row("forms", "searched", "", "300 forms"),
    Row("options", "searched", "", "5,000 options"),
    Row("fields", "searched", "", "20,000 fields"),
    Row("attributes", "searched", "", "200,000 attributes"),
    Row("long-addresses", "searched", "trap|page limit of one site", "a thousand addresses of 2,000 letters"),
    Row("farm-path", "searched", "trap|page limit of one site", "50 new paths and new words on every page"),
    Row("farm-parameter", "searched", "trap|same page", "50 new ids on every page"),
    Row("farm-hosts", "searched", "", "50 new hosts on every page"),
    Row("robots-bomb", "searched", "", "a robots.txt of gigabytes"),
    Row("robots-huge", "searched", "", "300,000 rules"),
    Row("robots-distinct", "searched", "", "40,000 rules with wildcards"),
    Row("robots-stars", "searched", "robots.txt forbids it", "a rule that takes a naive matcher for ever"),
    Row("robots-agents", "searched", "", "40,000 groups"),
)
FAILED = [row for row in LIGHT if row.state == "failed" and row.name not in ("busy-plain", "busy-garbage")]


# Running a command


@dataclass(frozen=True)
class Ran:
    """What a command did, and what it took."""

    code: int
    out: str
    err: str
    memory: int  # kilobytes at its peak
    db: Path = field(default=Path())

    @property
    def line(self) -> str:
        """The one line that was said."""
        lines = [line for line in self.err.splitlines() if line]
        assert len(lines) == 1, self.err
        return lines[0]


# Runs the command line and leaves its own peak memory in a file: what wait4 tells counts the memory of who started it.
MEASURED = """
import pathlib, sys
from dowse.cli import progress
from dowse.cli.main import run
progress.PLAIN_SECONDS = 1e6  # what a busy machine says is no more than what a quick one says
code = run(sys.argv[2:])
peak = next(line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM"))
pathlib.Path(sys.argv[1]).write_text(peak)
sys.exit(code)
"""


def run_dowse(*arguments: str, cwd: Path, limit: float = HARD_LIMIT, **options: Any) -> Ran:
    """Run a command in a process of its own; one that hangs is ended, and that is a failure."""
    command = [sys.executable, "-c", MEASURED, str(cwd / "peak"), *arguments]
    with (cwd / "out").open("w+b") as out, (cwd / "err").open("w+b") as err:
        process = subprocess.Popen(command, cwd=cwd, **({"stdout": out, "stderr": err} | options))
        watchdog = threading.Timer(limit, process.send_signal, [signal.SIGABRT])
        watchdog.start()
        process.wait()
        watchdog.cancel()
        err.seek(0), out.seek(0)
        said = err.read().decode("utf-8", "replace")
        assert process.returncode != -signal.SIGABRT, f"hung for {limit} s: {said}"
        peak = cwd / "peak"
        return Ran(process.returncode, out.read().decode(), said, int(peak.read_text()) if peak.exists() else 0)


def fetching(port: int) -> list[str]:
    return [
        "--allow-private",
        "--delay",
        "0",
        "--timeout",
        str(TIMEOUT),
        "--connect-to",
        f"*=127.0.0.1:{port}",
        "--json",
    ]


def address(name: str) -> str:
    return f"http://{name}.{DOMAIN}/"


EXHAUSTIVE = ("--strategy", "exhaustive:3")  # reads all that a hostile site has


def find(server: HostileServer, names: list[str], cwd: Path, *more: str, db: Path | None = None, **options: Any) -> Ran:
    """Search hosts of the hostile server, and no others."""
    place = db or cwd / "hostile.db"
    seeds = [address(name) for name in names]
    ran = run_dowse(
        "find",
        *seeds,
        *fetching(server.port),
        "--no-discover",
        *EXHAUSTIVE,
        "--db",
        str(place),
        *more,
        cwd=cwd,
        **options,
    )
    return Ran(ran.code, ran.out, ran.err, ran.memory, place)


def ask(db: Path, query: str, *values: object) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(db)) as connection:
        return connection.execute(query, values).fetchall()


def assert_sound(db: Path) -> None:
    assert ask(db, "PRAGMA integrity_check") == [("ok",)]
    assert ask(db, "PRAGMA foreign_key_check") == []
    lost = ask(db, "SELECT url FROM site WHERE state = 'leased' OR (state = 'failed' AND error = '')")
    assert not lost
    counted = "SELECT url FROM site WHERE pages <> (SELECT count(*) FROM page WHERE site_id = site.id)"
    assert not ask(db, counted)
    unexplained = "SELECT url FROM page WHERE status = 0 AND failure = ''"
    assert not ask(db, unexplained)


def assert_kept(db: Path, row: Row) -> None:
    """One row, with a state, and words where something went wrong."""
    ((number, state, error, stopped),) = ask(
        db, "SELECT id, state, error, stopped FROM site WHERE url = ?", address(row.name).rstrip("/")
    )
    failures = ask(db, "SELECT failure FROM page WHERE site_id = ?", number)
    skipped = ask(db, "SELECT reason FROM skip_count WHERE site_id = ?", number)
    words = "\n".join([error, stopped, *(text for (text,) in (*failures, *skipped))])
    assert (state, bool(re.search(row.says, words))) == (row.state, True), f"{row.why}: {state}, {words.strip()!r}"
    assert "internal error" not in words
    assert "nothing was fetched" not in words


def assert_good(db: Path, name: str = "good") -> None:
    """A good site is kept whole, whatever its neighbours did."""
    found = ask(db, "SELECT state, pages, forms, error FROM site WHERE url = ?", address(name).rstrip("/"))
    assert found == [("searched", 3, 1, "")]
    assert not ask(db, "SELECT url, failure FROM page WHERE failure <> '' AND url LIKE ?", f"{address(name)}%")


@pytest.fixture(scope="module")
def server() -> Iterator[HostileServer]:
    with serving() as hostile:
        yield hostile


@dataclass(frozen=True)
class Crowd:
    """The one run that all light rows share."""

    folder: Path
    code: int
    err: str
    memory: int
    asked: dict[str, int]

    @property
    def db(self) -> Path:
        return self.folder / "hostile.db"


# One test process searches the crowd, which is mostly waiting, and runs all tests that look at it; the others go on.
with_crowd = pytest.mark.xdist_group("crowd")


@pytest.fixture(scope="module")
def crowd(tmp_path_factory: pytest.TempPathFactory) -> Crowd:
    """Search all light rows at once, archived."""
    folder = tmp_path_factory.mktemp("crowd")
    with serving() as hostile:
        ran = find(hostile, [*(row.name for row in LIGHT), "good", "good-2"], folder, "--warc", "warc")
    return Crowd(folder, ran.code, ran.err, ran.memory, hostile.asked)


# Servers


def test_every_row_is_served_and_every_server_has_its_row() -> None:
    assert {row.name for row in LIGHT} == set(SITES | ROBOTS)
    assert {row.name for row in ALONE} == set(HEAVY | HEAVY_ROBOTS)


@pytest.mark.parametrize("row", LIGHT, ids=lambda row: row.name)
@with_crowd
def test_a_hostile_site_is_kept_with_its_reason(crowd: Crowd, row: Row) -> None:
    assert_kept(crowd.db, row)


@with_crowd
def test_a_crowd_of_hostile_sites(crowd: Crowd) -> None:
    assert crowd.code == 0, crowd.err
    assert TRACEBACK not in crowd.err
    assert crowd.memory < MEMORY
    assert_good(crowd.db, "good")
    assert_good(crowd.db, "good-2")
    assert_sound(crowd.db)


@with_crowd
def test_a_smuggled_answer_is_nobodys(crowd: Crowd) -> None:
    asked = [url for (url,) in ask(crowd.db, "SELECT url FROM page WHERE url LIKE ?", f"{address('smuggled')}%")]
    assert asked == [address("smuggled"), f"{address('smuggled')}next"]


@pytest.mark.parametrize("name", ["busy-long", "busy-longest", "busy-date"])
@with_crowd
def test_a_server_that_asks_for_a_long_wait_is_asked_once(crowd: Crowd, name: str) -> None:
    assert crowd.asked[name] == 2, "its robots.txt and one page"


@with_crowd
def test_a_crowd_is_replayed_to_the_same_store(crowd: Crowd, tmp_path: Path) -> None:
    seeds = [address(name) for name in (*(row.name for row in LIGHT), "good", "good-2")]
    replay = ("--replay", str(crowd.folder / "warc"), "--db", "replayed.db", "--no-discover", "--json")
    ran = run_dowse("find", *seeds, *EXHAUSTIVE, *replay, cwd=tmp_path)
    assert (ran.code, TRACEBACK in ran.err) == (0, False), ran.err
    rows = "SELECT url, state, pages, forms, stopped, error FROM site ORDER BY url"
    assert ask(tmp_path / "replayed.db", rows) == ask(crowd.db, rows)
    pages = "SELECT url, status, depth, failure, moved, digest FROM page ORDER BY url"
    assert ask(tmp_path / "replayed.db", pages) == ask(crowd.db, pages)


@pytest.mark.parametrize("row", ALONE, ids=lambda row: row.name)
def test_a_heavy_site_takes_bounded_memory_and_time(server: HostileServer, tmp_path: Path, row: Row) -> None:
    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (CPU_LIMIT, CPU_LIMIT))

    ran = find(server, [row.name, "good"], tmp_path, preexec_fn=limit)
    assert (ran.code, ran.err) == (0, ""), row.why
    assert ran.memory < MEMORY
    assert_kept(ran.db, row)
    assert_good(ran.db)
    assert_sound(ran.db)


@pytest.mark.proof
def test_heavy_sites_at_once_take_nobody_elses_time(server: HostileServer, tmp_path: Path) -> None:
    """Pages that take long to read and come all at once may not let an answered request run out of its time.

    Fewer or lighter pages prove nothing: the loop is then blocked for less than the timeout.
    """
    heavy = [f"{number}.deep-inline" for number in range(28)]
    with serving_elsewhere() as port:
        there = ("--connect-to", f"good.{DOMAIN}=127.0.0.1:{port}", *fetching(server.port))
        seeds = [address(name) for name in (*heavy, "good")]
        ran = run_dowse("find", *seeds, *there, "--no-discover", *EXHAUSTIVE, "--timeout", "3", cwd=tmp_path)
    assert (ran.code, TRACEBACK in ran.err) == (0, False), ran.err
    assert ran.memory < MEMORY
    assert_good(tmp_path / "dowse.db")


def test_nothing_but_hostile_sites_is_exit_1(server: HostileServer, tmp_path: Path) -> None:
    ran = find(server, [row.name for row in FAILED], tmp_path, "--timeout", "2")
    assert ran.code == 1
    assert "no site could be searched" in ran.line
    report = orjson.loads(ran.out)
    assert report["sites_searched"] == len(FAILED)
    assert sum(report["errors"].values()) == len(FAILED)


def test_tls_to_a_server_without(server: HostileServer, tmp_path: Path) -> None:
    ran = run_dowse("find", f"https://good.{DOMAIN}/", *fetching(server.port), cwd=tmp_path)
    assert ran.code == 1
    assert "TLS failed" in ran.line


def test_redirects_over_hosts_are_followed_site_by_site(server: HostileServer, tmp_path: Path) -> None:
    ran = find(server, ["hop-0"], tmp_path)
    assert (ran.code, ran.err) == (0, "")
    states = ask(ran.db, "SELECT url, state, error FROM site ORDER BY url")
    expected = [(address(f"hop-{n}")[:-1], "moved", f"moved to {address(f'hop-{n + 1}')[:-1]}") for n in range(4)]
    assert states == [*expected, (address("hop-4")[:-1], "searched", "")]


def test_redirects_over_hosts_without_end_end(server: HostileServer, tmp_path: Path) -> None:
    """A wildcard name can move for ever; --no-discover asks for the seeds and where they moved to."""
    before = dict(server.asked)
    find(server, ["endless-hop-0"], tmp_path, "--sites", "200")
    hosts = [name for name in server.asked if name.startswith("endless-hop-") and name not in before]
    assert len(hosts) < 50


def test_a_redirect_to_a_private_address_is_refused(
    dowse: Dowse,  # noqa: F811
    server: HostileServer,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The server's own address stands for a public one; every other rule of the guard is as it is."""
    public = guard.IPv4Network("127.0.0.1/32"), ""
    monkeypatch.setattr(guard, "_REFUSED_V4", (public, *guard._REFUSED_V4))
    guard.judge_address.cache_clear()
    for target in ("http://169.254.169.254/latest/meta-data/", "http://10.1.2.3/", "http://127.0.0.9:1/", "http://2130706434/", "http://[::ffff:10.0.0.1]/"):  # fmt: skip
        monkeypatch.setitem(SITES, "to-private", f"HTTP/1.1 302 Found\r\nLocation: {target}\r\n\r\n".encode())
        Path("private.db").unlink(missing_ok=True)
        outcome = dowse(
            "find", address("to-private"), "--connect-to", f"*.{DOMAIN}=127.0.0.1:{server.port}", "--delay", "0",
            "--timeout", str(TIMEOUT), "--db", "private.db", "--json",
        )  # fmt: skip
        assert outcome.code == 1, outcome.err
        found = dict(ask(Path("private.db"), "SELECT state, error FROM site"))
        assert found["moved"].startswith("moved to http://")
        assert "private address" in found["failed"], target
    guard.judge_address.cache_clear()


@pytest.mark.parametrize(
    "arguments",
    [
        pytest.param(("find", address("escapes"), address("type-escape"), address("redirect-escape")), id="find"),
        pytest.param(("find", address("type-escape")), id="find, a failure"),
        pytest.param(("inspect", address("escapes")), id="inspect"),
        pytest.param(("inspect", address("type-escape")), id="inspect, a failure"),
        pytest.param(("inspect", address("redirect-escape")), id="inspect, a redirect"),
    ],
)
def test_nothing_from_the_web_steers_the_terminal(
    dowse: Dowse,  # noqa: F811
    server: HostileServer,
    arguments: tuple[str, ...],
) -> None:
    outcome = dowse(*arguments, *fetching(server.port)[:-1])
    shown = outcome.out + outcome.err
    assert "\x1b" not in shown
    assert "\x07" not in shown
    assert "\x9b" not in shown


@pytest.mark.parametrize("command", [("sites",), *(("explain", address(n)) for n in ("escapes", "type-escape"))])
@with_crowd
def test_nothing_from_the_store_steers_the_terminal(crowd: Crowd, dowse: Dowse, command: tuple[str, ...]) -> None:  # noqa: F811
    limit = ("--limit", "0") if command == ("sites",) else ()
    outcome = dowse(*command, *limit, "--db", str(crowd.db))
    assert outcome.code == 0
    assert not set("\x1b\x07\x9b") & set(outcome.out + outcome.err)


@pytest.mark.parametrize("what", ["sites", "forms"])
@with_crowd
def test_a_hostile_store_can_be_exported(crowd: Crowd, dowse: Dowse, what: str) -> None:  # noqa: F811
    outcome = dowse("export", what, "--db", str(crowd.db))
    rows = [orjson.loads(line) for line in outcome.out.splitlines()]
    assert (outcome.code, bool(rows)) == (0, True)


# Full disks


@contextmanager
def small_disk(folder: Path, size: int) -> Iterator[Callable[[int], None]]:
    """Give a file system of that many kilobytes, and a way to make it larger."""
    folder.mkdir()
    made = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}k", "tmpfs", folder], capture_output=True)
    if made.returncode:
        pytest.skip("mounting a small disk takes root")
    try:
        yield lambda more: subprocess.run(["mount", "-o", f"remount,size={more}k", folder], check=True)  # type: ignore[func-returns-value]
    finally:
        subprocess.run(["umount", "-l", folder], check=True)


def assert_goes_on(server: HostileServer, names: list[str], cwd: Path, first: Ran, *more: str) -> None:
    """What was committed is there, and the same command does the rest and nothing twice."""
    assert ask(first.db, "PRAGMA integrity_check") == [("ok",)]
    done = "SELECT url, searched_at FROM site WHERE state = 'searched' ORDER BY url"
    kept = []
    if ask(first.db, "SELECT count(*) FROM sqlite_master") != [(0,)]:
        assert not ask(first.db, "SELECT error FROM site WHERE state = 'failed'"), "a full disk is no site's fault"
        kept = ask(first.db, done)
    ran = find(server, names, cwd, *more, db=first.db)
    assert (ran.code, ran.err) == (0, "")
    assert len(ask(first.db, done)) == len(names)
    assert set(kept) <= set(ask(first.db, done))
    assert_sound(first.db)


FULL = [f"good-{number}" for number in range(40)] + ["farm-path"]
BULKY = [f"bulk-{number}" for number in range(8)]


@pytest.mark.parametrize("size", [pytest.param(40, id="at once"), pytest.param(400, id="half way")])
def test_a_full_disk_under_the_database(server: HostileServer, tmp_path: Path, size: int) -> None:
    with small_disk(tmp_path / "small", size) as enlarge:
        ran = find(server, FULL, tmp_path, "--jobs", "2", db=tmp_path / "small" / "full.db")
        assert ran.code == 1
        assert "is full" in ran.line
        enlarge(50_000)
        assert_goes_on(server, FULL, tmp_path, ran)


def test_a_limit_on_files_under_the_database(server: HostileServer, tmp_path: Path) -> None:
    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))

    ran = find(server, FULL, tmp_path, "--jobs", "2", preexec_fn=limit)
    assert ran.code == 1
    assert "full or failing" in ran.line
    assert_goes_on(server, FULL, tmp_path, ran)


@pytest.mark.parametrize(
    ("size", "names"),
    [
        pytest.param(40, FULL, id="when the archive is flushed"),
        pytest.param(4000, BULKY, id="when a page is written"),
    ],
)
def test_a_full_disk_under_the_archive(server: HostileServer, tmp_path: Path, size: int, names: list[str]) -> None:
    with small_disk(tmp_path / "small", size) as enlarge:
        archive = str(tmp_path / "small" / "warc")
        ran = find(server, names, tmp_path, "--jobs", "2", "--warc", archive)
        assert ran.code == 1
        assert "cannot write the archive" in ran.line
        assert "No space left" in ran.line
        enlarge(50_000)
        assert_goes_on(server, names, tmp_path, ran, "--warc", archive)
        again = find(server, names, tmp_path, "--replay", archive, db=tmp_path / "replayed.db")
        assert (again.code, again.err) == (0, "")
        digests = "SELECT url, digest FROM page ORDER BY url"
        if names is BULKY:  # a farm is another one at every visit
            assert ask(again.db, digests) == ask(ran.db, digests)


@pytest.mark.parametrize("command", [("find",), ("sites",), ("sites", "--json"), ("export", "sites")], ids=" ".join)
def test_a_full_disk_under_the_output(server: HostileServer, tmp_path: Path, command: tuple[str, ...]) -> None:
    find(server, ["good"], tmp_path)
    more = (address("good"), *fetching(server.port)) if command == ("find",) else ()
    with open("/dev/full", "wb") as full:
        ran = run_dowse(*command, *more, "--db", "hostile.db", cwd=tmp_path, stdout=full)
    assert ran.code == 1
    assert "no space left" in ran.line.lower()
    assert_good(tmp_path / "hostile.db")


# Files that may not be written


def test_an_archive_folder_that_is_a_file(server: HostileServer, tmp_path: Path) -> None:
    (tmp_path / "warc").write_text("mine")
    ran = find(server, ["good"], tmp_path, "--warc", "warc")
    assert ran.code == 2
    assert "cannot archive in warc" in ran.line
    assert (tmp_path / "warc").read_text() == "mine"


@contextmanager
def read_only(folder: Path) -> Iterator[None]:
    """Let nobody write into a folder: root by a mount, others by its mode."""
    if os.getuid():
        for path in (*folder.iterdir(), folder):
            path.chmod(0o555 if path.is_dir() else 0o444)
        yield
        folder.chmod(0o755)
        return
    if subprocess.run(["mount", "--bind", folder, folder], capture_output=True).returncode:
        pytest.skip("mounting read-only is not allowed here")
    try:
        subprocess.run(["mount", "-o", "remount,ro,bind", folder], check=True)
        yield
    finally:
        subprocess.run(["umount", "-l", folder], check=True)


def test_an_archive_folder_that_is_read_only(server: HostileServer, tmp_path: Path) -> None:
    folder = tmp_path / "warc"
    folder.mkdir()
    with read_only(folder):
        ran = find(server, ["good"], tmp_path, "--warc", str(folder))
    assert ran.code == 2
    assert "cannot archive in" in ran.line


@pytest.mark.parametrize(
    ("command", "code"),
    [
        pytest.param(("find", address("good-2"), "--allow-private"), 2, id="find"),
        pytest.param(("sites",), 0, id="sites"),
        pytest.param(("explain", address("good")), 0, id="explain"),
        pytest.param(("export", "forms"), 0, id="export"),
    ],
)
def test_a_database_that_is_read_only(
    server: HostileServer, tmp_path: Path, command: tuple[str, ...], code: int
) -> None:
    """To search takes a database that can be written; to look into one does not."""
    folder = tmp_path / "kept"
    folder.mkdir()
    find(server, ["good"], tmp_path, db=folder / "kept.db")
    with read_only(folder):
        ran = run_dowse(*command, "--db", str(folder / "kept.db"), cwd=tmp_path)
    assert (ran.code, TRACEBACK in ran.err) == (code, False), ran.err
    if code:
        assert str(folder / "kept.db") in ran.line
    assert_good(folder / "kept.db")


def test_a_read_only_database_whose_search_was_killed(server: HostileServer, tmp_path: Path) -> None:
    """What was committed stands in the log beside the file; to look past the log would lose it."""
    folder = tmp_path / "kept"
    folder.mkdir()
    db = folder / "kept.db"
    seeds = [address("good"), address("silent")]
    command = [sys.executable, "-m", "dowse", "find", *seeds, *fetching(server.port), "--timeout", "300"]
    process = subprocess.Popen([*command, "--db", str(db)], cwd=tmp_path, stdout=-3, stderr=-3)
    wait_until(lambda: is_searched(db, "good"))
    process.kill()
    process.wait()
    assert (folder / "kept.db-wal").stat().st_size
    with read_only(folder):
        ran = run_dowse("export", "sites", "--db", str(db), cwd=tmp_path)
    assert (ran.code, ran.err) == (0, "")
    states = {row["site"]: row["state"] for row in map(orjson.loads, ran.out.splitlines())}
    assert states[address("good").rstrip("/")] == "searched"


def is_searched(db: Path, name: str) -> bool:
    url = address(name).rstrip("/")
    return count_rows(db, f"SELECT count(*) FROM site WHERE state = 'searched' AND url = '{url}'") == 1


# Two at once, and kill -9


def begin_held(server: HostileServer, cwd: Path) -> subprocess.Popen[bytes]:
    """Begin a search that cannot end before the server is told to release the host `held`."""
    seeds = (address("good"), address("held"))
    command = [sys.executable, "-m", "dowse", "find", *seeds, *fetching(server.port), "--timeout", str(HARD_LIMIT)]
    return subprocess.Popen(command, cwd=cwd, stdout=-1, stderr=-1)


def test_two_finds_at_once_on_one_database(tmp_path: Path) -> None:
    """One searches; the others say so and leave. All begin with a database that is not there yet."""
    with serving() as server:
        finds = [begin_held(server, tmp_path) for _ in range(4)]
        wait_until(lambda: sum(each.poll() is not None for each in finds) >= 3)
        server.release()
        outcomes = [(*each.communicate(timeout=HARD_LIMIT), each.returncode) for each in finds]
    assert sorted(code for _, _, code in outcomes) == [0, 2, 2, 2]
    for _, err, code in outcomes:
        assert TRACEBACK.encode() not in err
        if code:
            assert err.decode().count("\n") == 1
            assert "another dowse is searching" in err.decode()
    assert_good(tmp_path / "dowse.db")
    assert_good(tmp_path / "dowse.db", "held")
    assert_sound(tmp_path / "dowse.db")


def test_looking_while_another_searches(tmp_path: Path) -> None:
    with serving() as server:
        process = begin_held(server, tmp_path)
        wait_until((tmp_path / "dowse.db-lock").exists)
        for looking in (("sites", "--json"), ("export", "sites"), ("explain", address("good"))):
            assert run_dowse(*looking, cwd=tmp_path).code == 0
        assert process.poll() is None
        server.release()
        process.communicate(timeout=HARD_LIMIT)
    assert process.returncode == 0


SIM_SITES = 40


@pytest.fixture
def small_world() -> Iterator[int]:
    with serve_world(SIM_SITES) as port:
        yield port


def exported(db: str, cwd: Path) -> list[list[str]]:
    """Return all rows; a form's number says only in which order sites were done."""
    rows = [run_dowse("export", what, "--db", db, cwd=cwd).out.splitlines() for what in ("sites", "forms")]
    return [sorted(re.sub(r'"id":\d+,', "", row) for row in some) for some in rows]


@pytest.mark.parametrize("times", [2, pytest.param(10, marks=pytest.mark.proof)])
def test_kill_9_again_and_again_and_the_same_store(small_world: int, tmp_path: Path, times: int) -> None:
    """Archived, so that a page is never in the store before it is in the archive."""
    seeds = World(1, SIM_SITES).seeds()
    menus = ("--strategy", "navmenu:3", "--finder", "0")  # learned reads more or less as sites wait at the moment
    command = ["find", *seeds, *fetching(small_world), *menus, "--jobs", "8", "--site-pages", "10"]
    quiet = run_dowse(*command, "--db", "quiet.db", cwd=tmp_path)
    assert quiet.code == 0, quiet.err
    pages = "SELECT count(*) FROM page"
    most = int(0.8 * count_rows(tmp_path / "quiet.db", pages))
    ends: list[int] = []
    for kept in sorted(
        [*random.Random(1).sample(range(most), times - 1), 0]
    ):  # from the first import to most of the search
        process = subprocess.Popen(
            [sys.executable, "-m", "dowse", *command, "--warc", "warc", "--db", "killed.db"],
            cwd=tmp_path,
            stdout=-3,
            stderr=-3,
        )
        wait_until(lambda: count_rows(tmp_path / "killed.db", pages) >= kept)  # noqa: B023
        process.kill()
        ends.append(process.wait())
        if (tmp_path / "killed.db").exists():
            assert ask(tmp_path / "killed.db", "PRAGMA integrity_check") == [("ok",)]
    assert ends[0] == -signal.SIGKILL
    assert {*ends} <= {-signal.SIGKILL, 0}  # on a busy machine a search may end before it is seen to be that far
    last = run_dowse(*command, "--warc", "warc", "--db", "killed.db", cwd=tmp_path)
    assert (last.code, TRACEBACK in last.err) == (0, False), last.err
    assert exported("killed.db", tmp_path) == exported("quiet.db", tmp_path)
    assert_sound(tmp_path / "killed.db")
    replay = (*menus, "--replay", "warc", "--site-pages", "10", "--db", "replayed.db")
    assert run_dowse("find", *seeds, *replay, cwd=tmp_path).code == 0
    assert exported("replayed.db", tmp_path) == exported("quiet.db", tmp_path)
