"""Fig. 19: Adaptive(T, S, p) for 27 settings and our Site Finder, replayed over recorded sites.

In the usual world a site links to five others, mostly from one page of links: whatever T, S and p are, depth one has nearly
all. In a world of many links (`World(outlinks="many")`), directories and mixed sites list ten times as many along the branches of their
pages, and what a setting saves in pages it loses in sites.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import uvloop

from bench.paper1.facts import ADAPTIVE, FINDER, Plan
from bench.paper1.local import write
from bench.paper1.sites import replay
from bench.paper1.workers import Say, Task, open_fetch, pick_seeds, seed_of, split, spread
from dowse.crawl.site import search_site
from dowse.sample.record import WHOLE, record_site
from dowse.strategy import SITE_STRATEGIES, build_strategy
from dowse.yields import SiteYield, measure

PIECE = 5  # sites that a worker takes at a time


def run_windows(plan: Plan, say: Say) -> dict[str, Any]:
    """Record random sites of the usual world and replay every setting over each."""
    return explore(plan, say, "few")


def run_windows_many(plan: Plan, say: Say) -> dict[str, Any]:
    """Do the same in a world of many links."""
    return explore(plan, say, "many")


def explore(plan: Plan, say: Say, outlinks: str) -> dict[str, Any]:
    """Record random sites and replay every setting over each."""
    extent, strategies = plan.extent, (*ADAPTIVE, FINDER)
    whole = Task(
        plan.family, plan.seed, extent.world, site_pages=extent.site_pages, strategies=strategies, outlinks=outlinks
    )
    sites = pick_seeds(whole.world(), extent.local, plan.seed)
    tasks = [replace(whole, indexes=piece) for piece in split(sites, PIECE)]
    rows = [row for piece in spread(explore_pieces, tasks, say) for row in piece]
    return {
        "sites": len(rows),
        "outlinks": outlinks,
        "other sites": sum(row[WHOLE][1] for row in rows),
        "settings": {name: sum_up(rows, name) for name in (*strategies, WHOLE)},
    }


def explore_pieces(task: Task) -> list[dict[str, tuple[int, int]]]:
    """Return for each site the pages and the other sites that each setting gives."""
    return uvloop.run(_explore_all(task))


async def _explore_all(task: Task) -> list[dict[str, tuple[int, int]]]:
    world = task.world()
    fetch, rows = open_fetch(world), []
    for index in task.indexes:
        recording = await record_site(seed_of(world, index), search_site, fetch, site_pages=task.site_pages)
        row = {WHOLE: (len(recording.search.visits), len(recording.search.neighbours))}
        for name in task.strategies:
            given = replay(recording, build_strategy(name, SITE_STRATEGIES), task.site_pages)
            row[name] = given.pages, len(given.search.neighbours)
        rows.append(row)
    return rows


def sum_up(rows: Sequence[dict[str, tuple[int, int]]], name: str) -> dict[str, Any]:
    """Return new sites per page and the part of all that were found, as means of sites and over all."""
    measured = measure(name, [SiteYield(*row[name], row[WHOLE][1]) for row in rows])
    return {
        "pages": measured.pages,
        "found": measured.forms,
        "site harvest": write(measured.site_harvest),
        "site coverage": write(measured.site_coverage),
        "harvest": write(measured.harvest),
        "coverage": write(measured.coverage),
    }


def count_trend(settings: dict[str, dict[str, Any]]) -> dict[str, float]:
    """Return in which part of all steps to more pages the paper's trend holds: coverage no lower, harvest no higher."""
    steps = [
        (settings[tight], settings[loose]) for tight in ADAPTIVE for loose in ADAPTIVE if is_step(tight, loose)
    ]  # fmt: skip
    return {
        "coverage": sum(_of(loose, "coverage") >= _of(tight, "coverage") for tight, loose in steps) / len(steps),
        "harvest": sum(_of(loose, "harvest") <= _of(tight, "harvest") for tight, loose in steps) / len(steps),
    }


def measure_range(settings: dict[str, dict[str, Any]]) -> dict[str, float]:
    """Return how far the settings lie apart: the highest harvest over the lowest, the highest coverage less the lowest."""
    harvest, coverage = ([_of(settings[name], figure) for name in ADAPTIVE] for figure in ("harvest", "coverage"))
    return {
        "highest over lowest harvest": max(harvest) / (min(harvest) or 1e-9),
        "highest less lowest coverage": max(coverage) - min(coverage),
    }


def _of(setting: dict[str, Any], figure: str) -> float:
    return float(setting[figure]["value"])


def read_setting(name: str) -> tuple[int, int, float]:
    """Return T, S and p of a written setting."""
    t, s, p = name.partition(":")[2].split(",")
    return int(t), int(s), float(p)


def is_step(tight: str, loose: str) -> bool:
    """Return True if a setting allows more pages by one of its parameters alone: a smaller T, a larger S or p."""
    (t, s, p), (t2, s2, p2) = read_setting(tight), read_setting(loose)
    return [t2 < t, s2 > s, p2 > p].count(True) == 1 and [t2 == t, s2 == s, p2 == p].count(True) == 2
