"""Schedules over the simulated web: whichever is taken, all sites are searched and all of it is found."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest

from dowse.reasons import StopReason
from dowse.settings import FindSettings
from dowse.store import ORDERS
from tests.engine.test_workers import rows, search
from tests.webs import page, web

EXHAUSTIVE = FindSettings(strategy="exhaustive:3", audit=0.0)  # rounds are not audited
TABLES = {
    "pages": "SELECT site.url, page.url, status, page.depth, failure, moved, digest, why FROM page JOIN site ON site.id = site_id",
    "skips": "SELECT site.url, skip.url, reason, detail FROM skip JOIN site ON site.id = site_id",
    "counts": "SELECT url, reason, count FROM skip_count JOIN site ON site.id = site_id",
    "links": "SELECT a.url, b.url FROM site_link JOIN site AS a ON a.id = from_id JOIN site AS b ON b.id = to_id",
    "sites": "SELECT url, state, pages, forms, inlinks, round, error FROM site",
    "frontier": "SELECT site_id FROM frontier",
    "memory": "SELECT site_id FROM memory",
}


def everything(path: Path) -> dict[str, object]:
    """Return all rows of a store, without numbers and times."""
    with sqlite3.connect(path) as database:
        tables = {name: sorted(map(str, database.execute(query))) for name, query in TABLES.items()}
    return {**tables, "exported": rows(path)}


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> dict[str, object]:
    """What one search of each site down to its last depth gives."""
    path = tmp_path_factory.mktemp("whole") / "a.db"
    search(path, EXHAUSTIVE)
    return everything(path)


@pytest.mark.parametrize("schedule", ORDERS)
def test_every_schedule_gives_the_same_store(tmp_path: Path, whole: dict[str, object], schedule: str) -> None:
    search(tmp_path / "a.db", replace(EXHAUSTIVE, schedule=schedule))
    assert everything(tmp_path / "a.db") == whole


def test_rounds_that_are_stopped_by_budgets_give_the_same_store(tmp_path: Path, whole: dict[str, object]) -> None:
    for pages in (30, 100, 333, 700, 0):
        report, run = search(tmp_path / "a.db", replace(EXHAUSTIVE, schedule="round-robin", pages=pages, jobs=4))
        assert run.stopped is (StopReason.PAGE_BUDGET if pages else None)
        assert report.pages <= pages or not pages
    assert everything(tmp_path / "a.db") == whole


def test_going_on_with_another_schedule_gives_the_same_store(tmp_path: Path, whole: dict[str, object]) -> None:
    search(tmp_path / "a.db", replace(EXHAUSTIVE, schedule="round-robin", pages=300))
    search(tmp_path / "a.db", replace(EXHAUSTIVE, schedule="simple", jobs=4))
    assert everything(tmp_path / "a.db") == whole


def asked_in_rounds(path: Path, **changes: object) -> list[str]:
    """Search two sites of three levels and return the addresses in the order they were asked for."""
    asked: list[str] = []

    def answer(url: str) -> str:
        tail = url.rstrip("/").rpartition("/")[2]
        return page(*(f"/{each}" for each in {"a.example": "pq", "b.example": "pq", "p": "x", "q": "y"}.get(tail, "")))

    settings = replace(EXHAUSTIVE, schedule="round-robin", jobs=1, **changes)  # type: ignore[arg-type]
    search(path, settings, web(answer, asked), ["a.example", "b.example"])
    return [url.removeprefix("http://").replace(".example", "") for url in asked]


def test_depth_d_in_round_d(tmp_path: Path) -> None:
    asked = asked_in_rounds(tmp_path / "a.db")
    assert asked == ["a/", "b/", "a/p", "a/q", "b/p", "b/q", "a/x", "a/y", "b/x", "b/y"]


def test_pages_of_one_site_are_limited_over_all_rounds(tmp_path: Path) -> None:
    assert asked_in_rounds(tmp_path / "a.db", site_pages=4) == ["a/", "b/", "a/p", "a/q", "b/p", "b/q", "a/x", "b/x"]
    with sqlite3.connect(tmp_path / "a.db") as database:
        assert database.execute("SELECT pages, stopped FROM site").fetchall() == [(4, "page limit of one site")] * 2


def test_a_site_budget_is_of_sites_not_of_rounds(tmp_path: Path) -> None:
    asked = asked_in_rounds(tmp_path / "a.db", sites=1)
    assert asked == ["a/", "a/p", "a/q", "a/x", "a/y"]
    assert asked_in_rounds(tmp_path / "a.db", sites=2) == ["b/", "b/p", "b/q", "b/x", "b/y"]


KILLED = """
import os, signal, sys
from pathlib import Path
from dowse.fetch.build import wrap_fetch
from dowse.settings import FindSettings

from dowse.sim.fetch import simulate
from tests.engine.test_workers import WORLD, search

left = int(sys.argv[2])
inner = wrap_fetch(simulate(WORLD)).within_site

async def fetch(request):
    global left
    left -= 1
    if left < 0:
        os.kill(os.getpid(), signal.SIGKILL)
    return await inner(request)

search(Path(sys.argv[1]), FindSettings("exhaustive:3", schedule="round-robin", jobs=4, audit=0.0), fetch)
"""


def kill_after(path: Path, fetches: Iterable[int]) -> list[int]:
    """Search and be killed after so many fetches, again and again; return the pages that were kept each time."""
    kept = []
    for count in fetches:
        done = subprocess.run([sys.executable, "-c", KILLED, str(path), str(count)], check=False)
        assert done.returncode == -9
        with sqlite3.connect(path) as database:
            kept.append(database.execute("SELECT coalesce(sum(pages), 0) FROM site").fetchone()[0])
    return kept


def test_kills_within_and_between_rounds_lose_nothing_and_count_nothing_twice(
    tmp_path: Path, whole: dict[str, object]
) -> None:
    kept = kill_after(tmp_path / "a.db", (60, 150, 150, 250))
    assert kept == sorted(kept)
    assert 0 < kept[0] < kept[-1]
    search(tmp_path / "a.db", replace(EXHAUSTIVE, schedule="round-robin", jobs=4))
    assert everything(tmp_path / "a.db") == whole
