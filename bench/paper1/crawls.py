"""Fig. 21 (b): crawling site by site against crawling page by page, from the same seeds."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import uvloop

from bench.paper1.facts import ORDERS, SEEDS, WIDE, Plan
from bench.paper1.pages import crawl_pages
from bench.paper1.workers import Say, Task, open_fetch, pick_seeds, seed_of, spread, thin
from dowse.engine.find import begin_run
from dowse.engine.workers import search_sites
from dowse.model import Link, SeenOnSite, Visit
from dowse.settings import FindSettings
from dowse.step.visit import visit
from dowse.store import open_store

JOBS = 16

Points = list[tuple[int, int]]  # pages and query forms so far


def run_crawls(plan: Plan, say: Say) -> dict[str, Any]:
    """Crawl so many pages in every way."""
    extent = plan.extent
    seeds = tuple(pick_seeds(Task(plan.family, plan.seed, extent.world).world(), SEEDS, plan.seed))
    ways = (*WIDE, *ORDERS)
    tasks = [
        Task(plan.family, plan.seed, extent.world, seeds, strategies=(way,), pages=extent.crawled) for way in ways
    ]  # fmt: skip
    return {"pages": extent.crawled, "ways": dict(zip(ways, spread(crawl, tasks, say), strict=True))}


def crawl(task: Task) -> dict[str, Any]:
    """Crawl in one way and return the curve."""
    page_based = task.strategies[0] in ORDERS
    points = uvloop.run(_crawl_pages(task) if page_based else _crawl_sites(task))
    pages, forms = points[-1] if points else (0, 0)
    return {"pages": pages, "forms": forms, "harvest": forms / max(1, pages), "points": thin(points)}


async def _crawl_sites(task: Task) -> Points:
    """Find sites and forms as `dowse find` does; pages of both finders count."""
    world, settings = task.world(), FindSettings(strategy=task.strategies[0], pages=task.pages, jobs=JOBS)
    with TemporaryDirectory() as folder, open_store(str(Path(folder) / "dowse.db")) as store:
        run = begin_run(store, [seed_of(world, index) for index in task.indexes], settings)
        return [
            (run.tally.pages, run.tally.forms)
            async for _ in search_sites(store, run, open_fetch(world), settings)
        ]  # fmt: skip


async def _crawl_pages(task: Task) -> Points:
    world, points = task.world(), Points()
    fetch, forms = open_fetch(world), 0

    async def visit_link(link: Link, seen: SeenOnSite) -> Visit:
        return await visit(link, fetch, seen)

    seeds = [seed_of(world, index).entrance for index in task.indexes]
    async for visited in crawl_pages(seeds, visit_link, task.strategies[0], pages=task.pages, seed=task.seed):
        forms += sum(1 for door in visited.doors if door.judgement.kind == "database")
        points.append((len(points) + 1, forms))
    return points


def compare(ways: dict[str, dict[str, Any]], best: float) -> dict[str, float]:
    """Return how many times the harvest of each page-based crawl a harvest is; without a form, of one form."""
    return {order: best * max(1, ways[order]["pages"]) / max(1, ways[order]["forms"]) for order in ORDERS}


def find_best(ways: dict[str, dict[str, Any]]) -> float:
    """Return the highest harvest of a strategy."""
    return max(float(ways[name]["harvest"]) for name in WIDE if name in ways)
