"""The worker loop over the simulated web: the real program, only the fetch differs."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from dowse.engine.find import Report, begin_run, build_report
from dowse.engine.job import FindRun
from dowse.engine.workers import search_sites
from dowse.fetch import Fetch
from dowse.fetch.build import wrap_fetch
from dowse.model import Failure, Request, Response
from dowse.reasons import StopReason
from dowse.seeds.lists import read_seed
from dowse.settings import FindSettings
from dowse.sim.fetch import simulate
from dowse.sim.score import score_forms
from dowse.sim.world import World
from dowse.store import Store, open_store
from tests.webs import page, web

WORLD = World(3, 40)


def search(
    path: Path, settings: FindSettings, fetch: Fetch | None = None, seeds: list[str] | None = None
) -> tuple[Report, FindRun]:
    """Search as `dowse find` does, over any Fetch."""

    async def go(store: Store, run: FindRun) -> None:
        async for _ in search_sites(store, run, fetch or wrap_fetch(simulate(WORLD)).within_site, settings):
            pass

    with open_store(str(path)) as store:
        run = begin_run(store, [read_seed(seed) for seed in seeds or WORLD.seeds()], settings)
        asyncio.run(go(store, run))
        return build_report(store, 0.0, run.stopped), run


def rows(path: Path) -> tuple[list[str], list[str]]:
    """Return what was found, in an order that does not depend on the run."""
    with open_store(str(path)) as store:
        forms = [{key: value for key, value in form.items() if key != "id"} for form in store.forms()]
        return sorted(map(str, store.sites())), sorted(map(str, forms))


def test_the_truth_is_found(tmp_path: Path) -> None:
    report, _ = search(tmp_path / "a.db", FindSettings())
    with open_store(str(tmp_path / "a.db")) as store:
        found = [(form["site"], form["kind"], form["action"], tuple(form["fields"])) for form in store.forms()]
        searched = {site["site"] for site in store.sites() if site["state"] == "searched"}
    there = {truth.site for truth in WORLD.truth() if truth.reachable}
    assert searched <= there
    assert len(there - searched) <= 1, "a site that only a page names which promises too little"
    assert score_forms(found, [truth for truth in WORLD.truth() if truth.site in searched]).recall > 0.75
    assert report.pages < 2 * sum(sum(truth.pages_by_depth[:4]) for truth in WORLD.truth()), (
        "traps cost a bounded share"
    )


def test_one_site_at_a_time_or_many_give_the_same_store(tmp_path: Path) -> None:
    search(tmp_path / "one.db", FindSettings("navmenu:3", jobs=1))
    search(tmp_path / "many.db", FindSettings("navmenu:3", jobs=16))
    assert rows(tmp_path / "one.db") == rows(tmp_path / "many.db")


def test_in_steps_or_at_once_give_the_same_store(tmp_path: Path) -> None:
    search(tmp_path / "once.db", FindSettings("navmenu:3"))
    for budget in (3, 11, 12, 0):
        report, run = search(tmp_path / "steps.db", FindSettings("navmenu:3", sites=budget))
        assert run.stopped is (StopReason.SITE_BUDGET if budget else None)
        assert report.sites_searched == budget or not budget
    assert rows(tmp_path / "steps.db") == rows(tmp_path / "once.db")


def test_page_budgets_add_up_to_the_same_store(tmp_path: Path) -> None:
    settings = FindSettings("exhaustive:3", jobs=4)
    whole, _ = search(tmp_path / "once.db", settings)
    for budget in (50, 400, 0):
        report, run = search(tmp_path / "steps.db", replace(settings, pages=budget))
        assert run.stopped is (StopReason.PAGE_BUDGET if budget else None)
        # a page that a job asked for when the budget ended, and that did not come, counts against the budget alone
        least, most = (budget - settings.jobs, budget) if budget else (whole.pages, whole.pages)
        assert least <= report.pages <= most, "what was stopped half way goes on"
    assert rows(tmp_path / "steps.db") == rows(tmp_path / "once.db")


def test_a_finished_run_asks_nobody(tmp_path: Path) -> None:
    search(tmp_path / "a.db", FindSettings())
    asked: list[str] = []
    report, _ = search(tmp_path / "a.db", FindSettings(), web({}, asked))
    assert not asked
    assert report.pages


def test_without_discovery_only_the_seeds(tmp_path: Path) -> None:
    report, _ = search(tmp_path / "a.db", FindSettings(discover=False))
    assert report.sites_searched == len(WORLD.seeds())
    assert report.sites_known > report.sites_searched


def test_a_bug_in_reading_one_site_does_not_end_the_others(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    async def fetch(request: Request) -> Response | Failure:
        if "bad" in request.url:
            raise RuntimeError("a bug")
        return await web(lambda url: page("/x"))(request)

    report, run = search(tmp_path / "a.db", FindSettings(), fetch, ["bad.example", "good.example"])
    assert report.sites_searched == 2
    assert run.tally.failed == 1
    with open_store(str(tmp_path / "a.db")) as store:
        errors = {site["site"]: site["error"] for site in store.sites()}
    assert "a bug" in errors["http://bad.example"]
    assert not errors["http://good.example"]


def test_an_interrupt_keeps_what_a_slow_site_gave(tmp_path: Path) -> None:
    runs: list[FindRun] = []

    async def fetch(request: Request) -> Response | Failure:
        if request.url.endswith("/"):
            return await web(lambda url: page("/slow"))(request)
        runs[0].stopped = StopReason.INTERRUPTED
        await asyncio.sleep(3600)
        raise AssertionError

    settings = FindSettings("exhaustive:3")

    async def go(store: Store, run: FindRun) -> None:
        runs.append(run)
        async for _ in search_sites(store, run, fetch, settings):
            pass

    with open_store(str(tmp_path / "a.db")) as store:
        run = begin_run(store, [read_seed("a.example")], settings)
        asyncio.run(asyncio.wait_for(go(store, run), 200))
        assert store.tally().pages == 1
        assert store.count_states() == {"waiting": 1}
