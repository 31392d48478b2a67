"""The store: leases, commits, resuming, and what people read from it."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dowse.errors import BadInput, DowseError, Stopped
from dowse.form.doors import open_door
from dowse.model import Failure, Field, Form, Link, Page, Seed, SiteSearch, Skip, Visit
from dowse.reasons import FailureReason, SkipKind, SkipReason
from dowse.store import Store, open_existing, open_store
from dowse.store.schema import APPLICATION_ID, MIGRATIONS, VERSION
from dowse.url import site_of

TOO_DEEP = SkipReason(SkipKind.NOT_CHOSEN, "deeper than 3")


def seed(name: str, rank: int = 0) -> Seed:
    url = f"http://{name}.example/"
    return Seed(site_of(url), url, rank)


def searched(name: str, **changes: object) -> SiteSearch:
    root = f"http://{name}.example/"
    form = Form(0, "GET", f"{root}find", (Field("title", "text"), Field("author", "text")), text="Search books")
    values: dict[str, object] = {
        "strategy": "exhaustive:3",
        "visits": (
            Visit(Link(root), status=200, digest="d", seconds=1.0),
            Visit(Link(f"{root}a", depth=1), failure=Failure(f"{root}a", FailureReason.TIMEOUT, "30 s"), seconds=2.0),
        ),
        "doors": (open_door(form, Page(root)),),
        "neighbours": ("http://other.example",),
        "skipped": (Skip(f"{root}deep", TOO_DEEP),),
        "skip_counts": ((TOO_DEEP, 7),),
    }
    return SiteSearch(site_of(root), **(values | changes))  # type: ignore[arg-type]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(str(tmp_path / "a.db")) as opened:
        yield opened


def test_each_site_is_leased_once(store: Store) -> None:
    run = store.begin_run("a")
    store.add_seeds([seed("one"), seed("two"), seed("three")], run)
    taken = store.take_sites(run, 2, own=True) + store.take_sites(run, 2, own=True)
    assert [each.site.host for each in taken] == ["one.example", "two.example", "three.example"]
    assert not store.take_sites(run, 2, own=True)


def test_what_a_search_gave_is_all_there(store: Store) -> None:
    run = store.begin_run("a")
    store.add_seeds([seed("one")], run)
    store.take_sites(run, 1, own=True)
    store.commit(run, [searched("one")], discover=True)
    tally = store.tally()
    assert (tally.sites, tally.pages, tally.forms, tally.kinds) == (1, 2, 1, {"database": 1})
    assert tally.errors == {"timed out": 1}
    assert tally.skipped == {"deeper than 3": 7}
    assert store.count_states() == {"searched": 1, "waiting": 1}
    (form,) = store.forms()
    assert (form["site"], form["action"], form["fields"]) == (
        "http://one.example",
        "http://one.example/find",
        ["title", "author"],
    )
    assert store.count_sources() == 1


def test_without_discovery_neighbours_are_only_seen_until_they_are_wanted(store: Store) -> None:
    run = store.begin_run("a")
    store.add_seeds([seed("one"), seed("two")], run)
    store.take_sites(run, 2, own=True)
    store.commit(run, [searched("one")], discover=False)
    assert store.count_states()["seen"] == 1
    store.commit(run, [searched("two")], discover=True)
    assert store.count_states() == {"searched": 2, "waiting": 1}


def test_a_moved_seed_is_followed_even_without_discovery(store: Store) -> None:
    run = store.begin_run("a")
    store.add_seeds([seed("one")], run)
    store.take_sites(run, 1, own=True)
    moved = searched("one", doors=(), error="moved to http://other.example", moved_to="http://other.example")
    store.commit(run, [moved], discover=False)
    assert store.count_states() == {"moved": 1, "waiting": 1}


def test_an_unfinished_site_waits_and_is_replaced_not_doubled(store: Store) -> None:
    run = store.begin_run("a")
    store.add_seeds([seed("one")], run)
    store.take_sites(run, 1, own=True)
    store.commit(run, [searched("one", finished=False, stopped="interrupted")], discover=True)
    assert store.count_waiting(run, own=True) == 2
    assert store.tally().pages == 2
    store.take_sites(run, 5, own=True)
    store.commit(run, [searched("one")], discover=True)
    tally = store.tally()
    assert (tally.pages, tally.forms, tally.skipped) == (2, 1, {"deeper than 3": 7})


def test_a_run_that_died_is_gone_on_with(tmp_path: Path) -> None:
    with open_store(str(tmp_path / "a.db")) as store:
        run = store.begin_run("a")
        store.add_seeds([seed("one"), seed("two")], run)
        store.take_sites(run, 2, own=True)
        store.commit(run, [searched("one", neighbours=())], discover=True)
    with open_store(str(tmp_path / "a.db")) as store:
        assert store.begin_run("a") == run
        store.add_seeds([seed("one"), seed("two")], run)
        assert [each.site.host for each in store.take_sites(run, 5, own=True)] == ["two.example"]
        assert store.count_done(run) == (1, 2)


def test_runs_keep_to_their_own_sites(store: Store) -> None:
    store.add_seeds([seed("imported")])
    run = store.begin_run("a")
    store.add_seeds([seed("mine")], run)
    assert [each.site.host for each in store.take_sites(run, 5, own=True)] == ["mine.example"]
    assert [each.site.host for each in store.take_sites(run, 5, own=False)] == ["imported.example"]


def test_one_search_at_a_time(tmp_path: Path) -> None:
    with open_store(str(tmp_path / "a.db")) as first, open_store(str(tmp_path / "a.db")) as second:
        first.begin_run("a")
        with pytest.raises(BadInput, match="another dowse"):
            second.begin_run("a")


def test_a_commit_is_whole_or_nothing(store: Store) -> None:
    run = store.begin_run("a")
    store.add_seeds([seed("one"), seed("two")], run)
    broken = searched(
        "two", skip_counts=((TOO_DEEP, 1), (SkipReason(SkipKind.ADDRESSES), None))
    )  # violates a rule, after all other rows
    with pytest.raises(DowseError):
        store.commit(run, [searched("one"), broken], discover=True)
    assert store.tally().pages == 0
    assert store.count_sites() == 2


def test_foreign_keys_hold(store: Store) -> None:
    run = store.begin_run("a")
    store.add_seeds([seed("one")], run)
    store.commit(run, [searched("one")], discover=True)
    assert sqlite3.connect(store.database.path).execute("PRAGMA foreign_key_check").fetchall() == []


def test_about_an_address(store: Store) -> None:
    run = store.begin_run("a")
    store.add_seeds([seed("one")], run)
    store.commit(run, [searched("one")], discover=True)
    assert store.about("http://one.example/")["page"]["status"] == 200
    assert store.about("http://one.example/deep")["skip"] == "deeper than 3"
    assert store.about("http://one.example/never")["page"] is None
    assert store.about("http://unknown.example/") == {}


def test_commits_from_another_thread(store: Store) -> None:
    run = store.begin_run("a")
    store.add_seeds([seed("one")], run)
    thread = threading.Thread(target=store.commit, args=(run, [searched("one")]), kwargs={"discover": True})
    thread.start()
    thread.join()
    assert store.tally().sites == 1


# Files that are not ours


def test_a_file_that_is_no_database(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    path.write_bytes(b"these are not the bytes of a database at all " * 100)
    with pytest.raises(BadInput, match="not a Dowse database"):
        open_store(str(path))


def test_a_database_that_another_program_has_locked(store: Store) -> None:
    store.database.execute("PRAGMA busy_timeout = 0")
    with sqlite3.connect(store.database.path, isolation_level=None) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(Stopped, match="is locked by another program"):
            store.add_seeds([seed("one")])
        other.execute("ROLLBACK")


def test_a_database_that_may_only_be_read(store: Store) -> None:
    store.database.execute("PRAGMA query_only = ON")
    with pytest.raises(BadInput, match="may not be written to"):
        store.add_seeds([seed("one")])
    store.database.execute("PRAGMA query_only = OFF")


def test_a_full_disk(store: Store) -> None:
    pages = store.database.execute("PRAGMA page_count").fetchone()[0]
    store.database.execute(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(Stopped, match="is full or failing"):
        store.add_seeds(seed(f"site{number}") for number in range(5_000))


def test_a_database_of_another_program(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    with sqlite3.connect(path) as other:
        other.execute("CREATE TABLE t (x)")
    with pytest.raises(BadInput, match="another program"):
        open_store(str(path))


def test_a_newer_schema(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    open_store(str(path)).close()
    with sqlite3.connect(path) as other:
        other.execute(f"PRAGMA user_version = {VERSION + 1}")
    with pytest.raises(BadInput, match="newer Dowse"):
        open_store(str(path))


def test_every_older_schema_is_brought_to_this_one(tmp_path: Path) -> None:
    fresh = tmp_path / "fresh.db"
    open_store(str(fresh)).close()
    tables = sqlite3.connect(fresh).execute("SELECT name, sql FROM sqlite_master ORDER BY name").fetchall()
    for version in range(len(MIGRATIONS)):
        path = tmp_path / f"v{version}.db"
        old = sqlite3.connect(path)
        old.executescript(
            "".join(MIGRATIONS[:version])
            + f"PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = {version};"
        )
        old.close()
        open_store(str(path)).close()
        assert sqlite3.connect(path).execute("SELECT name, sql FROM sqlite_master ORDER BY name").fetchall() == tables


def test_old_forms_are_given_the_database_they_ask(tmp_path: Path) -> None:
    path = tmp_path / "old.db"
    old = sqlite3.connect(path)
    old.executescript(MIGRATIONS[0] + f"PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = 1;")
    actions = (
        "http://www.one.example/find/",
        "https://one.example/find",
        "http://one.example/",
        "http://one.example/a?x=1",
        "http://one.example/a?y=2",
        "",
    )
    for number, action in enumerate(actions, 1):
        old.execute("INSERT INTO site (url, entrance, state) VALUES (?, '', 'searched')", (f"http://{number}.example",))
        old.execute(
            "INSERT INTO form (site_id, page, depth, kind, searchable, probability, reasons, method, action, fields,"
            " conditions, signature) VALUES (?, '', 0, 'database', 1, 1, '[]', 'GET', ?, '[]', '[]', 's')",
            (number, action),
        )
    old.commit()
    old.close()
    with open_store(str(path)) as store:
        assert [form["database"] for form in store.forms()] == ["one.example/find"] * 2 + ["one.example/", "", "", ""]
        assert store.count_sources() == 5
        assert [site["sources"] for site in store.sites()] == [1] * 6


def test_old_reasons_are_given_their_kind(tmp_path: Path) -> None:
    path = tmp_path / "old.db"
    old = sqlite3.connect(path)
    old.executescript("".join(MIGRATIONS[:9]) + f"PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = 9;")
    errors = (
        "timed out: 30 s",
        "error status: HTTP 500",
        "robots.txt could not be had: error status: HTTP 500",
        "robots.txt could not be had: timed out",
        "internal error while searching this site: IndexError('x: y')",
    )
    for number, error in enumerate(errors, 1):
        row = (f"http://{number}.example", error)
        old.execute("INSERT INTO site (url, entrance, state, error) VALUES (?, '', 'failed', ?)", row)
    for number, failure in enumerate(("timed out: 30 s", "error status: HTTP 404", "")):
        row = (str(number), failure)
        old.execute(
            "INSERT INTO page (site_id, url, status, depth, failure, fetched_at) VALUES (1, ?, 0, 1, ?, 0)", row
        )
    counts = {
        "trap: endless calendar": 100, "over the limit: links": 100, "not opened in a browser: no time": 100,
        "same page as another address": 100, "robots.txt could not be had": 100, "private address": 100,
        "stopped: 500 pages of one site": 1, "deeper than 3": 2, "no menu leads there": 4,
        "too many addresses on one site": 8,
    }  # fmt: skip
    old.executemany("INSERT INTO skip_count (site_id, reason, count) VALUES (1, ?, ?)", counts.items())
    old.execute("INSERT INTO skip (site_id, url, reason) VALUES (1, 'u', 'robots.txt could not be had')")
    old.commit()
    old.close()
    with open_store(str(path)) as store:
        tally = store.tally()
        assert tally.skipped.keys() == {*counts, "robots.txt unavailable"} - {"robots.txt could not be had"}
        assert tally.errors == {
            "timed out": 2, "HTTP 404": 1, "HTTP 500": 1, "robots.txt unavailable: error status": 1,
            "robots.txt unavailable: timed out": 1, "internal error while searching this site": 1,
        }  # fmt: skip
        assert [site["error"] for site in store.sites()][2] == "robots.txt unavailable: error status: HTTP 500"


def test_forms_of_several_sites_that_ask_one_database_are_one_source(store: Store) -> None:
    def asking(name: str, *hidden: Field) -> SiteSearch:
        fields = (Field("title", "text"), Field("author", "text"), *hidden)
        form = Form(0, "GET", "https://www.catalogue.example/find", fields, text="Search books")
        return searched(name, doors=(open_door(form, Page(f"http://{name}.example/")),))

    run = store.begin_run("a")
    store.add_seeds([seed("one"), seed("two"), seed("three"), seed("four")], run)
    store.take_sites(run, 4, own=True)
    third = asking("three", Field("site", "hidden", value="4711"))
    store.commit(run, [asking("one"), asking("two"), third, searched("four")], discover=False)
    assert [form["database"] for form in store.forms()] == [
        "catalogue.example/find",
        "catalogue.example/find",
        "catalogue.example/find?site=4711",
        "four.example/find",
    ]
    assert (store.tally().forms, store.count_sources()) == (4, 3)


@pytest.mark.parametrize(
    ("location", "words"),
    [
        ("/nowhere/at/all/a.db", "does not exist"),
        ("/tmp", "folder"),
        ("postgresql://x/y", "not supported yet"),
        ("", "needs a file name"),
    ],
)
def test_places_that_cannot_be(location: str, words: str) -> None:
    with pytest.raises(BadInput, match=words):
        open_store(location)


def test_nothing_to_look_into(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="there is no database"):
        open_existing(str(tmp_path / "none.db"))
    assert not (tmp_path / "none.db").exists()


def test_a_full_disk_is_one_line_and_loses_nothing_committed(store: Store) -> None:
    run = store.begin_run("a")
    store.add_seeds([seed("one"), seed("two")], run)
    store.commit(run, [searched("one")], discover=True)
    pages = store.database.execute("PRAGMA page_count").fetchone()[0]
    store.database.execute(f"PRAGMA max_page_count = {pages}")
    many = tuple(Skip(f"http://two.example/{number}{'x' * 500}", TOO_DEEP) for number in range(2000))
    with pytest.raises(DowseError, match="full"):
        store.commit(run, [searched("two", skipped=many)], discover=True)
    assert store.tally().pages == 2


@settings(max_examples=30, deadline=None)
@given(st.lists(st.sampled_from(["take", "commit", "die"]), max_size=12), st.data())
def test_any_order_of_leases_commits_and_deaths_searches_each_site_once(
    tmp_path_factory: pytest.TempPathFactory, acts: list[str], data: st.DataObject
) -> None:
    path = tmp_path_factory.mktemp("store") / "a.db"
    names = ["a", "b", "c", "d"]
    done: list[str] = []
    leased: list[Seed] = []
    store = open_store(str(path))
    run = store.begin_run("x")
    store.add_seeds([seed(name) for name in names], run)
    for act in [*acts, "die", *["take", "commit"] * len(names)]:
        if act == "take":
            leased += store.take_sites(run, 1, own=True)
        elif act == "commit" and leased:
            host = leased.pop(data.draw(st.integers(0, len(leased) - 1))).site.host.partition(".")[0]
            store.commit(run, [searched(host, neighbours=())], discover=True)
            done.append(host)
        elif act == "die":
            store.close()
            leased = []
            store = open_store(str(path))
            run = store.begin_run("x")
    store.close()
    assert sorted(done) == names
