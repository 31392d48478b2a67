"""The Site Finder, alone and beside the search for forms."""

from __future__ import annotations

import asyncio
import sqlite3
from pathlib import Path

import pytest

from dowse.engine.discover import MAX_RECENT_SITES, Demand, FinderDemand, RecentSites, discover_sites, finder_jobs
from dowse.engine.find import Discovery, begin_discovery, build_discovery, command_name
from dowse.engine.job import FindRun, Lease
from dowse.errors import BadInput
from dowse.fetch import Fetch
from dowse.fetch.build import wrap_fetch
from dowse.model import Failure, Request, Response, SiteSearch, Tally
from dowse.reasons import StopReason
from dowse.seeds.lists import read_seed
from dowse.settings import FindSettings
from dowse.sim.fetch import simulate
from dowse.store import Store, open_store
from tests.engine.test_workers import WORLD, search
from tests.webs import page, web


def discover(
    path: Path, settings: FindSettings, fetch: Fetch | None = None, seeds: list[str] | None = None
) -> Discovery:
    """Look for sites as `dowse sites discover` does, over any Fetch."""

    async def go(store: Store, run: FindRun) -> None:
        async for _ in discover_sites(store, run, fetch or wrap_fetch(simulate(WORLD)).within_site, settings):
            pass

    with open_store(str(path)) as store:
        run = begin_discovery(store, [read_seed(seed) for seed in seeds or WORLD.seeds()], settings)
        asyncio.run(go(store, run))
        return build_discovery(store, run, 0.0)


def chain(url: str) -> str:
    """Sites in a row: the entrance of each leads to a page, and that to the next site."""
    number = int(url.split("/")[2].removeprefix("s").removesuffix(".example"))
    return page("/links") if url.endswith("/") else page(f"http://s{number + 1}.example/", text=f"page {number}")


def test_all_sites_of_a_world_are_found(tmp_path: Path) -> None:
    result = discover(tmp_path / "a.db", FindSettings(finder=4, site_strategy="exhaustive:4"))
    with open_store(str(tmp_path / "a.db")) as store:
        known = {site["site"] for site in store.sites()}
        assert store.count_states() == {"waiting": result.known}, "they wait to be searched for forms"
        assert not list(store.forms())
    assert {truth.site for truth in WORLD.truth() if truth.reachable} <= known
    assert result.found == result.known - len(WORLD.seeds())
    assert result.harvest == pytest.approx(result.found / result.pages, abs=1e-6)


def test_it_ends_with_as_many_sites_as_were_wanted_and_goes_on(tmp_path: Path) -> None:
    settings = FindSettings(sites=5, finder=1)
    first = discover(tmp_path / "a.db", settings, web(chain), ["s0.example"])
    assert (first.found, first.known, first.pages, first.stopped) == (5, 6, 10, "")
    assert discover(tmp_path / "a.db", settings, web(chain), ["s0.example"]) == first, "there are enough"
    more = discover(tmp_path / "a.db", FindSettings(sites=8, finder=1), web(chain), ["s0.example"])
    assert (more.found, more.pages) == (8, 16)


def test_a_page_budget_counts_over_all_calls(tmp_path: Path) -> None:
    first = discover(tmp_path / "a.db", FindSettings(pages=5, finder=1), web(chain), ["s0.example"])
    assert (first.pages, first.found, first.stopped) == (5, 2, "page budget")
    again = discover(tmp_path / "a.db", FindSettings(pages=5, finder=1), web(chain), ["s0.example"])
    assert again == first
    more = discover(tmp_path / "a.db", FindSettings(pages=7, finder=1), web(chain), ["s0.example"])
    assert (more.pages, more.found) == (7, 3), "the site that was stopped half way is read again, and all pages count"


def test_a_lease_that_was_not_committed_is_given_back(tmp_path: Path) -> None:
    with open_store(str(tmp_path / "a.db")) as store:
        run = begin_discovery(store, [read_seed("s0.example")], FindSettings())
        assert store.take_unexplored(run.id, 1)
    result = discover(tmp_path / "a.db", FindSettings(sites=2, finder=1), web(chain), ["s0.example"])
    assert result.found == 2


def test_nothing_known_is_a_mistake(tmp_path: Path) -> None:
    with open_store(str(tmp_path / "a.db")) as store, pytest.raises(BadInput, match="no site is known"):
        begin_discovery(store, [], FindSettings())


def test_a_bug_in_one_site_does_not_end_the_others(tmp_path: Path) -> None:
    async def fetch(request: Request) -> Response | Failure:
        if "bad" in request.url:
            raise RuntimeError("a bug")
        return await web(lambda url: page("http://other.example/"))(request)

    assert discover(tmp_path / "a.db", FindSettings(finder=1), fetch, ["bad.example", "good.example"]).found == 1


# beside the search for forms


def test_forms_are_searched_in_what_it_finds(tmp_path: Path) -> None:
    """Entrances alone lead nowhere here; only who looks further finds the next site."""
    report, run = search(
        tmp_path / "a.db", FindSettings(strategy="exhaustive:0", jobs=2, sites=4, audit=0.0), web(chain), ["s0.example"]
    )
    assert report.sites_searched == 4
    assert report.sites_found >= 3
    assert report.pages == 4 + report.finder_pages
    assert run.tally.pages == report.pages
    assert run.tally.finder_pages == report.finder_pages


def test_without_discovery_it_does_not_run(tmp_path: Path) -> None:
    settings = FindSettings(strategy="exhaustive:0", discover=False, finder=2)
    report, _ = search(tmp_path / "a.db", settings, web(chain), ["s0.example"])
    assert (report.pages, report.finder_pages, report.sites_known) == (1, 0, 1)


def test_it_waits_while_enough_sites_wait(tmp_path: Path) -> None:
    """Thirty seeds, two jobs: nothing is looked for before fewer are left than there are jobs."""
    asked: list[str] = []
    seeds = [f"s{number * 100}.example" for number in range(30)]
    settings = FindSettings(strategy="exhaustive:0", jobs=2, sites=31, audit=0.0)
    report, _ = search(tmp_path / "a.db", settings, web(chain, asked), seeds)
    assert report.sites_searched == 31
    first_look = next(place for place, url in enumerate(asked) if url.endswith("links"))
    assert len({url for url in asked[:first_look] if url.endswith("/")}) >= 28


def test_a_budget_that_is_covered_needs_no_more_sites(tmp_path: Path) -> None:
    settings = FindSettings(strategy="exhaustive:0", jobs=4, sites=3)
    report, _ = search(tmp_path / "a.db", settings, web(chain), [f"s{number}00.example" for number in range(1, 4)])
    assert (report.sites_searched, report.finder_pages) == (3, 0)


@pytest.mark.parametrize(
    ("run", "begun", "want"),
    [
        pytest.param(FindRun(1, own=False), 0, Demand.MORE, id="three sites for four jobs are few"),
        pytest.param(FindRun(1, own=False, page_budget=3), 0, Demand.LATER, id="a page of each is all that may be fetched"),
        pytest.param(FindRun(1, own=False, page_budget=4), 0, Demand.MORE, id="a page would be left"),
        pytest.param(FindRun(1, own=False, page_budget=9, started=6), 6, Demand.LATER, id="most are spent"),
        pytest.param(
            FindRun(1, False, Tally(pages=60, finder_pages=20), started=60, page_budget=90), 4, Demand.LATER,
            id="sites take ten pages each so far, without those of the Site Finder",
        ),
        pytest.param(
            FindRun(1, False, Tally(pages=60, finder_pages=20), started=60, page_budget=91), 4, Demand.MORE,
            id="a page is left beyond those",
        ),
        pytest.param(FindRun(1, own=False, stopped=StopReason.INTERRUPTED), 0, Demand.NONE, id="the run ends"),
    ],
)  # fmt: skip
def test_sites_are_wanted_while_they_can_be_searched(tmp_path: Path, run: FindRun, begun: int, want: Demand) -> None:
    with open_store(str(tmp_path / "a.db")) as store:
        store.add_seeds([read_seed(f"s{number}.example") for number in range(3)])
        beside = FinderDemand(store, run, Lease(lambda count, only_begun: [], room=8, begun=begun), jobs=4)
        assert asyncio.run(beside.ask()) is want


def test_it_rests_between_too_few_sites_and_plenty(tmp_path: Path) -> None:
    """Begun with fewer than there are jobs, it goes on up to ten for each, and then rests until there are too few again."""
    with open_store(str(tmp_path / "a.db")) as store:
        beside = FinderDemand(store, FindRun(1, own=False), Lease(lambda count, begun: [], room=4), jobs=2)
        wanted = []
        for more in (1, 18, 1):
            store.add_seeds([read_seed(f"s{store.count_sites() + each}.example") for each in range(more)])
            wanted.append(asyncio.run(beside.ask()))
        assert wanted == [Demand.MORE, Demand.MORE, Demand.LATER]
        run = store.begin_run("x")
        done = [SiteSearch(seed.site) for seed in store.take_sites(run, 18, own=False)]
        store.commit(run, done, discover=True)
        assert asyncio.run(beside.ask()) is Demand.LATER, "two are enough for two jobs"


def test_the_page_budget_covers_both(tmp_path: Path) -> None:
    report, run = search(
        tmp_path / "a.db", FindSettings(strategy="exhaustive:0", jobs=2, pages=9), web(chain), ["s0.example"]
    )
    assert run.stopped == "page budget"
    assert report.pages == 9
    assert 0 < report.finder_pages < 9


def test_a_finite_web_is_searched_to_its_end(tmp_path: Path) -> None:
    settings = FindSettings(strategy="exhaustive:0", site_strategy="exhaustive:4", jobs=4)
    report, run = search(tmp_path / "a.db", settings)
    assert not run.stopped
    assert report.sites_searched == report.sites_known
    assert {truth.site for truth in WORLD.truth() if truth.reachable} <= searched(tmp_path / "a.db")
    again, _ = search(tmp_path / "a.db", settings, web({}))
    assert again == report, "nothing is left to do"


def searched(path: Path) -> set[str]:
    with open_store(str(path)) as store:
        return {site["site"] for site in store.sites() if site["state"] == "searched"}


def test_an_interrupt_ends_both_and_keeps_what_they_have(tmp_path: Path) -> None:
    runs: list[FindRun] = []

    async def fetch(request: Request) -> Response | Failure:
        if request.url.endswith("/links"):
            runs[0].stopped = StopReason.INTERRUPTED
            await asyncio.sleep(3600)
        return await web(chain)(request)

    async def go(store: Store) -> None:
        async for _ in discover_sites(store, runs[0], fetch, FindSettings(finder=1)):
            pass

    with open_store(str(tmp_path / "a.db")) as store:
        runs.append(begin_discovery(store, [read_seed("s0.example")], FindSettings()))
        asyncio.run(asyncio.wait_for(go(store), 200))
        assert store.count_explored(runs[0].id) == (0, 1)
    with sqlite3.connect(tmp_path / "a.db") as database:
        assert database.execute("SELECT explored FROM site").fetchall() == [("",)]


# decisions


@pytest.mark.parametrize(
    ("settings", "jobs"),
    [
        (FindSettings(strategy="exhaustive:3"), 0),  # every page down to depth three is read anyway
        (FindSettings(), 0),  # the search for forms looks for other sites itself
        (FindSettings(strategy="tagpath"), 4),
        (FindSettings(strategy="exhaustive:2"), 0),
        (FindSettings(strategy="exhaustive:1"), 4),
        (FindSettings(strategy="navmenu:3", jobs=16), 2),
        (FindSettings(strategy="navmenu:3", jobs=1), 1),
        (FindSettings(finder=3), 3),
        (FindSettings(strategy="navmenu:3", finder=0), 0),
    ],
)
def test_how_many_look_for_sites(settings: FindSettings, jobs: int) -> None:
    assert finder_jobs(settings) == jobs


def test_a_site_is_new_once_and_memory_is_bounded() -> None:
    asked: list[str] = []
    recent = RecentSites(lambda url: bool(asked.append(url)) or url == "known")
    assert [recent.is_new(url) for url in ("known", "new", "new", "known")] == [False, True, False, False]
    assert asked == ["known", "new"]
    for number in range(3 * MAX_RECENT_SITES):
        recent.is_new(str(number))
    assert len(recent.newer) + len(recent.older) <= MAX_RECENT_SITES


def test_a_run_is_named_after_what_is_not_usual() -> None:
    usual = command_name([], FindSettings())
    assert usual.endswith("learned discover site-pages=500")
    assert command_name([], FindSettings(schedule="ranked")) == f"{usual} schedule=ranked"
    assert command_name([], FindSettings(site_strategy="exhaustive:2")) == f"{usual} site_strategy=exhaustive:2"
    assert command_name([], FindSettings(finder=9, jobs=1)) == usual
