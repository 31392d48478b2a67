"""Fig. 18: harvest over a long search, site after site, each searched live."""

from __future__ import annotations

from itertools import accumulate
from random import Random
from typing import Any

import uvloop

from bench.paper1.facts import WIDE, Plan
from bench.paper1.workers import Say, Task, open_fetch, seed_of, split, spread, thin
from dowse.crawl.search import search_site
from dowse.fetch import Fetch
from dowse.model import Familiar, Link, Seed, Visit
from dowse.sample.record import count_queries
from dowse.settings import FindSettings
from dowse.step.visit import visit
from dowse.strategy import build_strategy

PIECE = 100  # sites that a worker takes at a time

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
    return uvloop.run(_search_all(task))


async def _search_all(task: Task) -> dict[str, list[Counts]]:
    world = task.world()
    fetch = open_fetch(world)
    found: dict[str, list[Counts]] = {name: [] for name in task.strategies}
    for index in task.indexes:
        seed = seed_of(world, index)
        for name in task.strategies:
            found[name].append(await search_live(seed, fetch, name, task.site_pages))
    return found


async def search_live(seed: Seed, fetch: Fetch, name: str, site_pages: int) -> Counts:
    """Search one site and return its pages and query forms."""

    async def visit_link(link: Link, familiar: Familiar) -> Visit:
        return await visit(link, fetch, familiar)

    found = await search_site(seed, build_strategy(name), visit_link, site_pages=site_pages)
    return len(found.visits), count_queries(found)


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
