"""A search that was interrupted goes on: no page is asked for twice, and what comes out is what one whole search gives."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from dowse.fetch import Fetch
from dowse.fetch.build import wrap_fetch
from dowse.model import Failure, Request, Response
from dowse.reasons import FailureReason, StopReason
from dowse.settings import FindSettings
from dowse.sim.fetch import simulate
from dowse.sim.world import World
from dowse.strategy import STRATEGIES
from tests.engine.test_rounds import everything
from tests.engine.test_workers import search
from tests.webs import page, web

SMALL = World(5, 6)
SITES = list(SMALL.seeds())


def counted(asked: list[str]) -> Fetch:
    """The small world; what is asked of it is noted."""
    inner = wrap_fetch(simulate(SMALL)).within_site

    async def fetch(request: Request) -> Response | Failure:
        asked.append(request.url)
        return await inner(request)

    return fetch


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_in_steps_as_in_one(tmp_path: Path, strategy: str) -> None:
    settings = FindSettings(strategy, discover=False, jobs=1, audit=0.2)
    once: list[str] = []
    whole, _ = search(tmp_path / "once.db", settings, counted(once), SITES)
    asked: list[str] = []
    for pages in (1, 4, 9, 15, 24, 40, 70, 0):
        report, run = search(tmp_path / "steps.db", replace(settings, pages=pages), counted(asked), SITES)
        if run.stopped:
            assert report.pages == pages, "a budget is of all calls together"
    assert asked == once, "the same pages, each once and in the same order"
    assert report.pages == whole.pages
    assert report.coverage == whole.coverage
    assert everything(tmp_path / "steps.db") == everything(tmp_path / "once.db")


def test_an_interrupted_site_comes_before_those_that_have_not_begun(tmp_path: Path) -> None:
    asked: list[str] = []
    settings = FindSettings("exhaustive:3", jobs=1, audit=0.0, pages=2)
    site = web(lambda url: page("/p", "/q") if url.endswith(".example/") else page(), asked)
    search(tmp_path / "a.db", settings, site, ["a.example", "b.example"])
    search(tmp_path / "a.db", replace(settings, pages=4), site, ["a.example", "b.example"])
    assert [url.removeprefix("http://").replace(".example", "") for url in asked] == ["a/", "a/p", "a/q", "b/"]


def test_a_site_that_has_begun_goes_on_though_the_budget_of_sites_is_spent(tmp_path: Path) -> None:
    settings = FindSettings("exhaustive:3", jobs=1, audit=0.0, sites=1)
    asked: list[str] = []
    site = web(lambda url: page("/p", "/q") if url.endswith(".example/") else page(), asked)
    seeds = ["a.example", "b.example"]
    _, run = search(tmp_path / "a.db", replace(settings, pages=2), site, seeds)
    assert run.stopped is StopReason.PAGE_BUDGET
    _, run = search(tmp_path / "a.db", settings, site, seeds)
    assert run.stopped is StopReason.SITE_BUDGET
    assert asked == ["http://a.example/", "http://a.example/p", "http://a.example/q"]
    _, run = search(tmp_path / "a.db", settings, site, seeds)
    assert run.stopped is StopReason.SITE_BUDGET
    assert len(asked) == 3


def test_addresses_that_robots_forbids_cost_no_page_of_a_budget(tmp_path: Path) -> None:
    def answer(url: str) -> str | Failure:
        if "/x/" in url:
            return Failure(url, FailureReason.ROBOTS)
        return page("/x/1", "/x/2", "/p", "/q") if url.endswith(".example/") else page()

    settings = FindSettings("exhaustive:3", jobs=1, audit=0.0, pages=3)
    report, _ = search(tmp_path / "a.db", settings, web(answer), ["a.example"])
    assert (report.pages, report.sites_waiting) == (3, 0)


def test_another_strategy_goes_on_with_what_was_left(tmp_path: Path) -> None:
    asked: list[str] = []
    search(tmp_path / "a.db", FindSettings("learned", jobs=1, pages=10), counted(asked), SITES)
    report, _ = search(tmp_path / "a.db", FindSettings("exhaustive:2", jobs=1), counted(asked), SITES)
    assert not report.sites_waiting
    assert len(set(asked)) == len(asked)


KILLED = """
import asyncio, os, signal, sqlite3, sys
from pathlib import Path
from dowse.crawl import site
from dowse.settings import FindSettings
from tests.engine.test_interrupted import SITES, counted
from tests.engine.test_workers import search

site.SAVE_SECONDS = 0.0
asked = []
inner = counted(asked)

async def fetch(request):
    if len(asked) == int(sys.argv[2]):
        while sqlite3.connect(sys.argv[1]).execute("SELECT sum(pages) FROM site").fetchone()[0] < int(sys.argv[3]):
            await asyncio.sleep(0.01)  # until what was saved is committed
        os.kill(os.getpid(), signal.SIGKILL)
    return await inner(request)

search(Path(sys.argv[1]), FindSettings("exhaustive:3", discover=False, jobs=1, audit=0.2), fetch, SITES)
"""


def test_a_killed_process_loses_what_came_after_the_last_save(tmp_path: Path) -> None:
    kept = 0
    for count in (20, 10, 30):
        call = [sys.executable, "-c", KILLED, str(tmp_path / "a.db"), str(count), str(kept + count - 2)]
        assert subprocess.run(call, check=False).returncode == -9
        with sqlite3.connect(tmp_path / "a.db") as database:
            now = database.execute("SELECT sum(pages) FROM site").fetchone()[0]
        assert kept + count - 2 <= now <= kept + count
        kept = now
    settings = FindSettings("exhaustive:3", discover=False, jobs=1, audit=0.2)
    search(tmp_path / "a.db", settings, counted([]), SITES)
    search(tmp_path / "b.db", settings, counted([]), SITES)
    assert everything(tmp_path / "a.db") == everything(tmp_path / "b.db")
