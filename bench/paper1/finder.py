"""Fig. 20: the Site Finder from a hundred seeds, and from a large list."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import uvloop

from bench.paper1.facts import FINDER, KNOWN, PAPERS_FINDER, SEEDS, Plan
from bench.paper1.workers import Say, Task, open_fetch, pick_seeds, seed_of, spread, thin
from dowse.engine.discover import discover_sites
from dowse.engine.find import begin_discovery
from dowse.settings import FindSettings
from dowse.sim import World
from dowse.store import open_store

JOBS = 16


def run_finder(plan: Plan, say: Say) -> dict[str, Any]:
    """Look for sites from few and from many."""
    extent = plan.extent
    world = Task(plan.family, plan.seed, extent.world).world()
    few = Task(
        plan.family, plan.seed, extent.world, tuple(pick_seeds(world, SEEDS, plan.seed)),
        strategies=(FINDER,), found=extent.found,
    )  # fmt: skip
    many = Task(
        plan.family, plan.seed, extent.world, tuple(pick_known(world, plan.seed)),
        strategies=(FINDER,), pages=extent.list_pages,
    )  # fmt: skip
    papers = [replace(task, strategies=(PAPERS_FINDER,)) for task in (few, many)]
    seeds, known, papers_seeds, papers_known = spread(find_sites, [few, many, *papers], say)
    found = {"seeds": seeds, "list": known, "paper's seeds": papers_seeds, "paper's list": papers_known}
    return {"world": extent.world, "strategy": FINDER, "paper's": PAPERS_FINDER, **found}


def pick_known(world: World, seed: int) -> list[int]:
    """Draw the sites of a large list: of all that there are, whether they answer or not."""
    return Random(seed).sample(range(world.sites), int(KNOWN * world.sites))


def find_sites(task: Task) -> dict[str, Any]:
    """Look for sites until so many are found or so many pages are read."""
    with TemporaryDirectory() as folder:
        points = uvloop.run(_discover(task, Path(folder) / "dowse.db"))
    pages, found = points[-1] if points else (0, 0)
    return {
        "known": len(task.indexes),
        "found": found,
        "pages": pages,
        "harvest": found / max(1, pages),
        "points": thin(points),
    }


async def _discover(task: Task, database: Path) -> list[tuple[int, int]]:
    world = task.world()
    settings = FindSettings(sites=task.found, pages=task.pages, site_strategy=task.strategies[0], finder=JOBS)
    with open_store(str(database)) as store:
        run = begin_discovery(store, [seed_of(world, index) for index in task.indexes], settings)
        return [
            (run.tally.finder_pages, run.tally.sites_found)
            async for _ in discover_sites(store, run, open_fetch(world), settings)
        ]
