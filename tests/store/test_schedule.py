"""Which site is next, in rounds or not, and that it costs the same however many are known."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from dowse.model import LeftBehind, Link, LinkChoice, Seed, SiteSearch, Visit
from dowse.store import ORDERS, Store, open_store
from dowse.store.samples import sum_left
from tests.store.test_store import searched, seed


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(str(tmp_path / "a.db")) as opened:
        yield opened


def hosts(seeds: list[Seed]) -> list[str]:
    return [each.site.host.partition(".")[0] for each in seeds]


def linking(name: str, *others: str) -> SiteSearch:
    return searched(name, neighbours=tuple(f"http://{other}.example" for other in others))


def test_simple_is_the_order_of_arrival(store: Store) -> None:
    run = store.begin_run("a")
    store.add_seeds([seed("c", 3), seed("none"), seed("a", 1)])
    assert hosts(store.take_sites(run, 5, own=False)) == ["c", "none", "a"]


def test_ranked_is_by_rank_then_by_links_to_it_then_by_arrival(store: Store) -> None:
    run = store.begin_run("a", "ranked")
    store.add_seeds([seed("one"), seed("two"), seed("three")], run)
    store.take_sites(run, 3, own=True)
    store.commit(run, [linking("one", "x", "y", "z"), linking("two", "z"), linking("three", "z", "y")], discover=True)
    store.add_seeds([seed("third", 3), seed("first", 1)])
    taken = store.take_sites(run, 2, own=False, schedule="ranked")
    assert hosts(taken) == ["z", "y"], "those of the run come before others"
    assert hosts(store.take_sites(run, 9, own=False, schedule="ranked")) == ["x", "first", "third"]
    other = store.take_sites(run, 9, own=False, schedule="ranked")
    assert not other


def test_ranks_come_before_links(store: Store) -> None:
    run = store.begin_run("a", "ranked")
    store.add_seeds([seed("linked"), seed("second", 2), seed("first", 1), seed("from")])
    store.take_sites(run, 9, own=False)
    store.commit(run, [linking("from", "linked")], discover=True)
    store.release_sites()
    assert hosts(store.take_sites(run, 9, own=False, schedule="ranked")) == ["first", "second", "linked"]


def test_a_link_between_two_sites_counts_once(store: Store) -> None:
    run = store.begin_run("a")
    store.add_seeds([seed("one")], run)
    store.commit(run, [replace(linking("one", "x"), finished=False)], discover=True)
    store.commit(run, [linking("one", "x", "y")], discover=True)
    store.commit_explored(run, [linking("one", "x")])
    links = dict(
        sqlite3.connect(store.database.path).execute("SELECT url, inlinks FROM site WHERE inlinks > 0").fetchall()
    )
    assert links == {"http://x.example": 1, "http://y.example": 1}


def a_round(name: str, depth: int, pages: list[str], left: list[str], **changes: object) -> SiteSearch:
    """A round that fetched pages and left links for the next."""
    root = f"http://{name}.example/"
    waiting = tuple(
        LinkChoice(Link(f"{root}{each}", "text", "near", "rel", "a/b", 3, depth + 1), 0.5, "kind", "why")
        for each in left
    )
    visits = tuple(Visit(Link(f"{root}{each}", depth=depth), status=200, seconds=1.0) for each in pages)
    found = searched(name, visits=visits, left=waiting, round=depth + 1 if left else 0, memory=b"known", neighbours=())
    return replace(found, **changes)  # type: ignore[arg-type]


def test_a_round_adds_to_those_before(store: Store) -> None:
    run = store.begin_run("a")
    store.add_seeds([seed("one"), seed("two")], run)
    (first,) = store.take_sites(run, 1, own=True, schedule="round-robin")
    assert store.read_earlier(first) is None
    store.commit(run, [a_round("one", 0, [""], ["a", "b"])], discover=True)
    assert (store.count_done(run), store.count_begun(run)) == ((0, 1), 1), "a site that has begun is in the budget"
    assert hosts(store.take_sites(run, 1, own=True, schedule="round-robin")) == ["two"], "shallow rounds come first"
    (again,) = store.take_sites(run, 1, own=True, schedule="round-robin")
    earlier = store.read_earlier(again)
    assert earlier
    assert (again.round, earlier.pages, earlier.forms, earlier.memory) == (1, 1, 1, b"known")
    assert earlier.fetched == {"http://one.example/"}
    assert earlier.left == a_round("one", 0, [""], ["a", "b"]).left
    store.commit(run, [a_round("one", 1, ["a", "b"], [], doors=())], discover=True)
    tally = store.tally()
    assert (tally.sites, tally.pages, tally.forms, tally.skipped) == (1, 3, 1, {"deeper than 3": 14})
    rows = sqlite3.connect(store.database.path).execute("SELECT pages, forms, round FROM site WHERE state = 'searched'")
    assert rows.fetchall() == [(3, 1, 0)]
    for table in ("frontier", "memory"):
        assert not sqlite3.connect(store.database.path).execute(f"SELECT * FROM {table}").fetchall()


def test_a_round_that_is_not_committed_is_done_again(store: Store) -> None:
    run = store.begin_run("a")
    store.add_seeds([seed("one")], run)
    store.take_sites(run, 1, own=True)
    store.commit(run, [a_round("one", 0, [""], ["a"])], discover=True)
    before = store.take_sites(run, 1, own=True)
    store.release_sites()  # as after a kill
    assert store.take_sites(run, 1, own=True) == before
    assert store.read_earlier(before[0])


def test_only_sites_that_have_begun(store: Store) -> None:
    run = store.begin_run("a")
    store.add_seeds([seed("one"), seed("two")], run)
    store.take_sites(run, 1, own=True)
    store.commit(run, [a_round("one", 0, [""], ["a"])], discover=True)
    assert hosts(store.take_sites(run, 5, own=True, begun=True)) == ["one"]


def test_unexplored_sites_are_handed_out_once_and_given_back(store: Store) -> None:
    run = store.begin_run("a")
    store.add_seeds([seed("imported")])
    store.add_seeds([seed("one"), seed("two"), seed("dead")], run)
    store.take_sites(run, 1, own=True)
    store.commit(run, [searched("dead", error="timed out", neighbours=())], discover=True)
    assert hosts(store.take_unexplored(run, 1)) == ["two"], "none that is being searched or gave nothing"
    assert hosts(store.take_unexplored(run, 5)) == ["imported"]
    assert not store.take_unexplored(run, 5)
    store.release_explored()
    store.release_sites()
    assert hosts(store.take_unexplored(run, 5)) == ["one", "two", "imported"]


def test_an_exploration_is_kept_and_counted_once(store: Store) -> None:
    run = store.begin_run("a")
    store.add_seeds([seed("one")], run)
    store.take_unexplored(run, 1)
    assert store.commit_explored(run, [replace(linking("one", "x", "y"), finished=False)]) == 2
    assert hosts(store.take_unexplored(run, 1)) == ["one"], "one that was stopped is done again"
    assert store.commit_explored(run, [linking("one", "x", "y", "z")]) == 1
    assert store.count_explored(run) == (3, 4), "pages that were fetched twice are two"
    tally = store.tally()
    assert (tally.sites, tally.pages, tally.finder_pages, tally.sites_found) == (0, 4, 4, 3)
    assert store.count_done(run) == (0, 4), "its pages are in the budget"
    assert store.count_states() == {"waiting": 4}
    assert hosts(store.take_unexplored(run, 9)) == ["x", "y", "z"]


def test_sites_are_known_once_they_are_committed(store: Store) -> None:
    run = store.begin_run("a")
    store.add_seeds([seed("one")], run)
    assert store.knows_site("http://one.example")
    assert not store.knows_site("http://x.example")
    store.commit_explored(run, [linking("one", "x")])
    assert store.knows_site("http://x.example")


@pytest.mark.parametrize("own", [True, False])
@pytest.mark.parametrize("schedule", ORDERS)
def test_no_schedule_looks_at_all_sites(store: Store, schedule: str, own: bool) -> None:
    """Taking is a walk along an index, however many sites are known: no scan, no sort."""
    run = store.begin_run("a", schedule)
    asked: list[str] = []
    store.database.connection.set_trace_callback(asked.append)
    store.take_sites(run, 10, own=own, schedule=schedule)
    store.take_sites(run, 10, own=own, schedule=schedule, begun=True)
    store.take_unexplored(run, 10)
    store.count_waiting(run, own=own, most=100)
    store.release_sites()
    store.release_explored()
    store.database.connection.set_trace_callback(None)
    statements = [each for each in asked if each.lstrip().startswith(("SELECT", "UPDATE"))]
    assert len(statements) >= 6
    for statement in statements:
        for step in store.database.execute(f"EXPLAIN QUERY PLAN {statement}"):
            assert "TEMP B-TREE" not in step["detail"], statement
            assert not step["detail"].startswith("SCAN site") or "USING" in step["detail"], statement


DEEP = "http://one.example/deep?x=1"
HOME = Visit(Link("http://one.example/"), status=200)
LATER = LinkChoice(Link("http://one.example/later", depth=2))
NAMED_AFTER = [
    ("searched: one more round", {"visits": (HOME,)}, (1, [DEEP])),
    ("failed: from the beginning", {"error": "down"}, (0, None)),
    ("moved: from the beginning", {"moved_to": "http://two.example"}, (0, None)),
    ("in rounds: beside what waits", {"visits": (HOME,), "left": (LATER,), "round": 2}, (2, [LATER.link.url, DEEP])),
    ("stopped half way: from the beginning", {"visits": (HOME,), "finished": False}, (0, None)),
]


@pytest.mark.parametrize(("changes", "waits"), [row[1:] for row in NAMED_AFTER], ids=[row[0] for row in NAMED_AFTER])
def test_a_page_that_is_named_after_the_search(
    store: Store, changes: dict[str, Any], waits: tuple[int, list[str] | None]
) -> None:
    run = store.begin_run("a")
    store.add_seeds([seed("one")], run)
    store.take_sites(run, 1, own=True)
    store.commit(run, [SiteSearch(seed("one").site, **changes)], discover=False)
    store.add_seeds([replace(seed("one"), entrance=DEEP)], run)
    (taken,) = store.take_sites(run, 5, own=True)
    earlier = store.read_earlier(taken)
    assert (taken.round, [choice.link.url for choice in earlier.left] if earlier else None) == waits
    assert taken.entrances == ("http://one.example/", DEEP)
    store.commit(run, [SiteSearch(taken.site, visits=(Visit(Link(DEEP), status=200),))], discover=False)
    store.add_seeds([replace(seed("one"), entrance=DEEP)], run)
    assert not store.take_sites(run, 5, own=True), "it was named before"


def test_a_page_that_was_read_on_the_way_opens_nothing(store: Store) -> None:
    run = store.begin_run("a")
    store.add_seeds([seed("one")], run)
    store.take_sites(run, 1, own=True)
    moved = Visit(Link("http://one.example/old", depth=1), status=200, moved=DEEP)
    store.commit(
        run,
        [SiteSearch(seed("one").site, visits=(HOME, moved), left_behind=LeftBehind(0.5, 2, 0.1, 1))],
        discover=False,
    )
    store.add_seeds([replace(seed("one"), entrance=url) for url in (DEEP, moved.link.url)], run)
    assert not store.take_sites(run, 5, own=True)
    store.add_seeds([replace(seed("one"), entrance=f"{DEEP}&y=2")], run)
    (taken,) = store.take_sites(run, 5, own=True)
    visits = (Visit(Link(f"{DEEP}&y=2"), status=200),)
    store.commit(run, [SiteSearch(taken.site, visits=visits, left_behind=LeftBehind(0.25))], discover=False)
    assert sum_left(store) == (0.75, 2, 0.1, 1, 0.75**2), "what the first search left is still there"


def test_pages_that_redirect_from_site_to_site_end(store: Store) -> None:
    run = store.begin_run("a")
    store.add_seeds([replace(seed("one"), entrance="http://one.example/0")], run)
    for number in range(20):
        if not (taken := store.take_sites(run, 1, own=True)):
            break
        other = "http://two.example" if taken[0].site.host == "one.example" else "http://one.example"
        urls = [url for url in taken[0].entrances if url != taken[0].site.root][-1:]
        visits = [Visit(Link(url), status=302, moved=f"{other}/{number + 1}") for url in urls]
        found = SiteSearch(
            taken[0].site, visits=(Visit(Link(taken[0].site.root), status=200), *visits), neighbours=(other,)
        )
        store.commit(run, [found], discover=False)
    assert number == 6, "five moves are followed"
