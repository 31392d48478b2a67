"""Every selector on every database, with and without limits: the requests that parts of it cost."""

from __future__ import annotations

import asyncio
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from os import cpu_count
from statistics import mean
from typing import Any, Final

from bench.harvest.cover import cover, list_shown, reach
from bench.harvest.databases import Source, load
from bench.harvest.runs import Curve, harvest, pick_seed
from bench.options import Options
from dowse.select import SELECTORS

PAPER: Final = ("breadth", "depth", "random", "greedy", "mmmi")  # need nothing but the source
OURS: Final = "auto"
TUNED: Final = ("movies", "vehicles", "goodbooks", "packages", "tate")  # on these the parameters were chosen
MARKS: Final = (50, 80, 90, 95)  # percent
SHARE: Final = 0.95  # of all records: a harvest ends there
PATIENCE: Final = 12  # times the pages of all records: who needs more is not waited for
Cell = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Setting:
    """A source that is drawn by every selector."""

    database: str
    limit: int
    seeds: tuple[int, ...]

    @property
    def name(self) -> str:
        """What it is called in the results."""
        return f"{self.database}/{self.limit or 'all'}"


def run_setting(setting: Setting) -> Cell:
    """Draw one source with every selector from every seed."""
    source = Source(load(setting.database), limit=setting.limit)
    size = len(source.database.records)
    most = PATIENCE * size // source.page_size
    curves: dict[str, list[Curve]] = {
        name: [
            asyncio.run(harvest(source, SELECTORS[name], seed, share=SHARE, requests=most)) for seed in setting.seeds
        ]
        for name in (*PAPER, OURS)
        if name in SELECTORS
    }
    reachable = [reach(source, pick_seed(source, seed)) for seed in setting.seeds]
    curves["all-knowing"] = [cover(source, list_shown(source))]
    return {
        "database": setting.database,
        "limit": setting.limit,
        "records": size,
        "values": source.database.values,
        "reachable": reachable,
        "curves": {name: [curve.to_json() for curve in some] for name, some in curves.items()},
        "requests": {name: mark_all(some) for name, some in curves.items()},
        "of reachable": {name: mark_reachable(some, reachable) for name, some in curves.items() if name in SELECTORS},
    }


def mark_all(curves: list[Curve]) -> dict[str, float | None]:
    """Return the mean requests for each mark of all records; None where one of the harvests did not come so far."""
    return {str(mark): average([find_requests(curve, curve.size * mark / 100) for curve in curves]) for mark in MARKS}


def mark_reachable(curves: list[Curve], reachable: list[int]) -> dict[str, float | None]:
    """Return the same for what could be reached from each seed."""
    pairs = list(zip(curves, reachable, strict=True))
    return {str(mark): average([find_requests(curve, some * mark / 100) for curve, some in pairs]) for mark in MARKS}


def find_requests(curve: Curve, records: float) -> float | None:
    """Return the requests after which so many records were drawn, between two steps in proportion."""
    place = records * 100 / curve.size
    whole = int(place)
    if whole >= len(curve.steps):
        return float(curve.steps[-1]) if whole == place == len(curve.steps) and curve.steps else None
    before = curve.steps[whole - 1] if whole else 0
    return before + (curve.steps[whole] - before) * (place - whole)


def find_drawn(curve: dict[str, Any], requests: float) -> float:
    """Return the percent of all records that were drawn with so many requests."""
    return float(sum(step <= requests for step in curve["steps"]))


def average(found: list[float | None]) -> float | None:
    """Return the mean, where there is something of each."""
    known = [each for each in found if each is not None]
    return round(mean(known), 1) if len(known) == len(found) else None


def run_all(settings: list[Setting], options: Options) -> dict[str, Cell]:
    """Draw all sources, as many at a time as there are cores."""
    cells: dict[str, Cell] = {}
    with ProcessPoolExecutor(cpu_count() or 1) as workers:
        waiting = {workers.submit(run_setting, setting): setting for setting in settings}
        for done in as_completed(waiting):
            cells[waiting[done].name] = done.result()
            options.say(f"  {waiting[done].name}")
    return {setting.name: cells[setting.name] for setting in settings}


def judge(cell: Cell) -> dict[str, float | None]:
    """Return how ours compares with the best of the paper's and with the one who knows all."""
    found: dict[str, float | None] = {}
    for mark in map(str, MARKS):
        ours, paper = cell["requests"][OURS][mark], [cell["requests"][name][mark] for name in PAPER]
        best = min((each for each in paper if each is not None), default=None)
        found[f"{mark} over the paper's best"] = round(ours / best, 3) if ours and best else None
        knowing = cell["requests"]["all-knowing"][mark]
        found[f"{mark} over all-knowing"] = round(ours / knowing, 3) if ours and knowing else None
    return found


def judge_limit(cell: Cell, free: Cell) -> dict[str, float | None]:
    """Return what a limit costs: the part of 90 % of the records that is not drawn with the requests that were enough without.

    The requests are those that greedy needed without a limit, for all alike; what cannot be reached is not asked for.
    """
    budget = free["requests"]["greedy"]["90"]
    if budget is None:
        return {}
    wanted = [min(90.0, 100 * some / cell["records"]) for some in cell["reachable"]]
    lost = {
        name: mean(
            max(0.0, 1 - find_drawn(curve, budget) / goal)
            for curve, goal in zip(cell["curves"][name], wanted, strict=True)
        )
        for name in ("greedy", OURS)
    }
    return {
        "lost by greedy": round(lost["greedy"], 3),
        "lost by ours": round(lost[OURS], 3),
        "ours over greedy": round(lost[OURS] / lost["greedy"], 3) if lost["greedy"] else None,
    }
