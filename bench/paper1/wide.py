"""Fig. 18: harvest over a long search, site after site, each searched live."""

from __future__ import annotations

from collections.abc import AsyncIterator
from itertools import accumulate
from random import Random
from typing import Any

import uvloop

from bench.paper1.facts import WIDE, Plan
from bench.paper1.workers import Say, Task, open_fetch, seed_of, split, spread, thin
from dowse.crawl.site import search_site
from dowse.model import Link, SeenOnSite, SiteSearch, Visit
from dowse.sample.record import count_queries
from dowse.settings import FindSettings
from dowse.step.visit import visit
from dowse.strategy import build_strategy

PIECE = 2_500  # sites that a worker takes at a time

Counts = tuple[int, int]  # pages and query forms


def run_wide(plan: Plan, say: Say) -> dict[str, Any]:
    """Search all sites of a world in an order by chance, with each strategy."""
    sites, site_pages = plan.extent.wide, FindSettings().site_pages
    order = list(range(sites))
    Random(plan.seed).shuffle(order)
    tasks = [Task(plan.family, plan.seed, sites, piece, site_pages, WIDE) for piece in split(order, PIECE)]
    pieces = spread(search_pieces, tasks, say)
    return {
        "sites": sites,
        "site pages": site_pages,
        "strategies": {name: add_up([each for piece in pieces for each in piece[name]]) for name in WIDE},
    }


def search_pieces(task: Task) -> dict[str, list[Counts]]:
    """Return the pages and query forms of each site by strategy."""

    async def count() -> dict[str, list[Counts]]:
        counts: dict[str, list[Counts]] = {name: [] for name in task.strategies}
        async for name, found in search_live(task):
            counts[name].append((len(found.visits), count_queries(found)))
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
    pages, forms = (list(accumulate(column)) for column in zip(*counts, strict=True))
    points = list(zip(range(1, len(counts) + 1), pages, forms, strict=True))
    return {"pages": pages[-1], "forms": forms[-1], "harvest": forms[-1] / max(1, pages[-1]), "points": thin(points)}


def measure_swing(points: list[tuple[int, int, int]], after: float = 0.2) -> float:
    """Return how far the harvest strays from its last value, as a part of it, once so much of the search is done."""
    last = points[-1][2] / max(1, points[-1][1])
    late = [forms / max(1, pages) for sites, pages, forms in points if sites >= after * points[-1][0]]
    return max(abs(each - last) for each in late) / last if last else 0.0
