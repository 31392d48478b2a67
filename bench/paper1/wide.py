"""Fig. 18: harvest over a long search, site after site.

Each site is recorded by the widest of the three searches of the paper, Navmenu(10); the pages of the other two are
among those, so they are replayed, and what they miss is counted. Ours goes its own way and is searched live, on the first
of the same sites.
"""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from itertools import accumulate
from random import Random
from typing import Any

import uvloop

from bench.paper1.facts import FIG18, OURS, Plan
from bench.paper1.workers import Say, Task, open_fetch, seed_of, split, spread, thin
from dowse.crawl.site import search_site
from dowse.model import Link, SeenOnSite, SiteSearch, Visit
from dowse.sample.record import count_queries, record_site
from dowse.sample.replay import replay_search
from dowse.settings import FindSettings
from dowse.step.visit import visit
from dowse.strategy import build_strategy

PIECE = 500  # sites that are done at a time

Counts = tuple[int, int, int]  # pages, query forms, and pages that the recording does not have


def run_wide(plan: Plan, say: Say) -> dict[str, Any]:
    """Search the sites of a world in an order by chance, as many as the CPU time of one core is enough for."""
    extent = plan.extent
    counts: dict[str, list[Counts]] = {name: [] for name in FIG18}
    begun = time.process_time()
    for task in make_tasks(plan, extent.wide, FIG18):
        if time.process_time() - begun > extent.wide_seconds:
            break
        for name, some in record_pieces(task).items():
            counts[name] += some
        say(f"    {len(counts[FIG18[0]]):,} sites, {time.process_time() - begun:,.0f} s of CPU")
    return {
        "sites": len(counts[FIG18[0]]),
        "of": extent.wide,
        "site pages": FindSettings().site_pages,
        "strategies": {name: add_up(some) for name, some in counts.items()},
    }


def run_wide_ours(plan: Plan, say: Say) -> dict[str, Any]:
    """Search the first of the same sites with our strategy."""
    sites = min(plan.extent.wide, plan.extent.wide_ours)
    pieces = spread(search_pieces, make_tasks(plan, sites, (OURS,)), say)
    return {
        "sites": sites,
        "site pages": FindSettings().site_pages,
        "strategies": {OURS: add_up([each for piece in pieces for each in piece[OURS]])},
    }


def make_tasks(plan: Plan, sites: int, strategies: tuple[str, ...]) -> list[Task]:
    """Return the first of all sites, in an order by chance, in pieces."""
    order = list(range(plan.extent.wide))
    Random(plan.seed).shuffle(order)
    site_pages = FindSettings().site_pages
    return [
        Task(plan.family, plan.seed, plan.extent.wide, piece, site_pages, strategies)
        for piece in split(order[:sites], PIECE)
    ]


def record_pieces(task: Task) -> dict[str, list[Counts]]:
    """Return what each site gives, recorded with the last strategy and replayed with the others."""
    return uvloop.run(_record_all(task))


async def _record_all(task: Task) -> dict[str, list[Counts]]:
    world = task.world()
    fetch = open_fetch(world)
    *others, widest = task.strategies
    counts: dict[str, list[Counts]] = {name: [] for name in task.strategies}
    for index in task.indexes:
        recording = await record_site(
            seed_of(world, index), search_site, fetch, site_pages=task.site_pages, strategy=widest
        )
        counts[widest].append((len(recording.search.visits), count_queries(recording.search), 0))
        for name in others:
            found, missing = replay_search(
                recording, search_site, build_strategy(name), site_pages=task.site_pages
            )  # fmt: skip
            counts[name].append((len(found.visits), count_queries(found), missing))
    return counts


def search_pieces(task: Task) -> dict[str, list[Counts]]:
    """Return what each site gives when it is searched live, by strategy."""

    async def count() -> dict[str, list[Counts]]:
        counts: dict[str, list[Counts]] = {name: [] for name in task.strategies}
        async for name, found in search_live(task):
            counts[name].append((len(found.visits), count_queries(found), 0))
        return counts

    return uvloop.run(count())


async def search_live(task: Task) -> AsyncIterator[tuple[str, SiteSearch]]:
    """Search each site with each strategy."""
    world = task.world()
    fetch = open_fetch(world)
    strategies = {name: build_strategy(name) for name in task.strategies}

    async def visit_link(link: Link, seen: SeenOnSite) -> Visit:
        return await visit(link, fetch, seen)

    for index in task.indexes:
        for name, strategy in strategies.items():
            yield name, await search_site(seed_of(world, index), strategy, visit_link, site_pages=task.site_pages)


def add_up(counts: list[Counts]) -> dict[str, Any]:
    """Return totals, and the curve of what there was after so many sites."""
    pages, forms, missing = (list(accumulate(column)) for column in zip(*counts, strict=True))
    points = list(zip(range(1, len(counts) + 1), pages, forms, strict=True))
    return {
        "pages": pages[-1],
        "forms": forms[-1],
        "missing": missing[-1],
        "harvest": forms[-1] / max(1, pages[-1]),
        "points": thin(points),
    }


def list_wide(parts: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Return what each strategy gave, ours with them, each with how many sites it searched."""
    some = [parts[name] for name in ("wide", "wide-ours") if name in parts]
    return {name: {"sites": part["sites"], **one} for part in some for name, one in part["strategies"].items()}


def measure_swing(points: list[tuple[int, int, int]], after: float = 0.2) -> float:
    """Return how far the harvest strays from its last value, as a part of it, once so much of the search is done."""
    last = points[-1][2] / max(1, points[-1][1])
    late = [forms / max(1, pages) for sites, pages, forms in points if sites >= after * points[-1][0]]
    return max(abs(each - last) for each in late) / last if last else 0.0
