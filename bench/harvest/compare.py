"""Every selector on every database, with and without limits: the requests that parts of it cost."""

from __future__ import annotations

import asyncio
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from os import sched_getaffinity
from statistics import mean
from typing import Any, Final

from bench.harvest.cover import cover, list_shown, reach, reach_alone
from bench.harvest.databases import Source, load
from bench.harvest.runs import Curve, harvest, pick_seed
from bench.kept import list_selectors, open_kept
from bench.options import Options
from dowse.select import SELECTORS
from dowse.select.selector import DEFAULT_PAGE_SIZE

PAPER: Final = ("breadth", "depth", "random", "greedy", "mmmi")  # need nothing but the source
OURS: Final = "auto"
TUNED: Final = ("movies", "vehicles", "goodbooks", "packages", "tate")  # on these the parameters were chosen
MARKS: Final = (50, 80, 90, 95)  # percent
SHARE: Final = 0.95  # of all records: a harvest ends there
LIMITED: Final = ("greedy", OURS)  # who is compared where answers are limited
GOAL: Final = 90.0  # percent of all records that limits are judged by
LIMITED_PATIENCE: Final = 3  # as below, where answers are limited: most of their sources cannot be drawn whole
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

    @property
    def kept_name(self) -> str:
        """What it is called where it is kept."""
        return "-".join([self.name, *map(str, self.seeds)])


def run_setting(setting: Setting) -> Cell:
    """Draw one source with every selector from every seed; with a limit only with those that are compared."""
    source = Source(load(setting.database), limit=setting.limit)
    size = len(source.database.records)
    most = (LIMITED_PATIENCE if setting.limit else PATIENCE) * size // source.page_size
    curves: dict[str, list[Curve]] = {
        name: [
            asyncio.run(harvest(source, SELECTORS[name], seed, share=SHARE, requests=most)) for seed in setting.seeds
        ]
        for name in (LIMITED if setting.limit else (*PAPER, OURS))
    }
    seeds = [pick_seed(source, seed) for seed in setting.seeds]
    reachable = [reach(source, seed) for seed in seeds]
    curves["all-knowing"] = [cover(source, list_shown(source))]
    return {
        "database": setting.database,
        "limit": setting.limit,
        "records": size,
        "values": source.database.values,
        "reachable": reachable,
        "reachable alone": [reach_alone(source, seed) for seed in seeds],
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


def run_all(settings: list[Setting], options: Options) -> tuple[dict[str, Cell], list[str]]:
    """Return what was kept of all sources, and those of which nothing is; the wanted ones are drawn, as many at a time as there are cores."""
    kept = open_kept("harvest", list_selectors())
    cells = {setting.name: cell for setting in settings if (cell := kept.find(setting.kept_name)) is not None}
    wanted = [each for each in settings if each.name not in cells and _is_wanted(each, options)]
    with ProcessPoolExecutor(len(sched_getaffinity(0))) as workers:
        waiting = {workers.submit(run_setting, setting): setting for setting in wanted}
        for done in as_completed(waiting):
            setting = waiting[done]
            cells[setting.name] = kept.add(setting.kept_name, done.result())
            options.say(f"  {setting.name}")
    names = [setting.name for setting in settings]
    return {name: cells[name] for name in names if name in cells}, [name for name in names if name not in cells]


def _is_wanted(setting: Setting, options: Options) -> bool:
    return not options.parts or not {setting.database, setting.name}.isdisjoint(options.parts)


def judge(cell: Cell) -> dict[str, float | None]:
    """Return how ours compares with the best of the paper's and with the one who knows all."""
    found: dict[str, float | None] = {}
    for mark in map(str, MARKS):
        ours, paper = cell["requests"][OURS][mark], [cell["requests"][name][mark] for name in PAPER]
        best = min((each for each in paper if each is not None), default=None)
        found[f"{mark} over the paper's best"] = round(ours / best, 3) if ours and best else None
        full = cell["records"] * int(mark) / 100 / DEFAULT_PAGE_SIZE
        found[f"{mark} full pages over the paper's best"] = round(full / best, 3) if best else None
        knowing = cell["requests"]["all-knowing"][mark]
        found[f"{mark} over all-knowing"] = round(ours / knowing, 3) if ours and knowing else None
    return found


def judge_limit(cell: Cell, free: Cell) -> dict[str, float | None]:
    """Return what a limit costs: the part of a goal that is not drawn with the requests that greedy needed for 90 % without one.

    The goal is 90 % of all records, once as it is and once not more than can be reached, joins included.
    """
    budget = free["requests"]["greedy"]["90"]
    if budget is None:
        return {}
    lost = {
        words: {name: _lose(cell, name, budget, goals) for name in LIMITED}
        for words, goals in (
            ("of 90 %", [GOAL for _ in cell["reachable"]]),
            ("of what can be reached", [min(GOAL, 100 * some / cell["records"]) for some in cell["reachable"]]),
        )
    }
    found: dict[str, float | None] = {}
    for words, one in lost.items():
        found[f"lost by greedy {words}"] = round(one["greedy"], 3)
        found[f"lost by ours {words}"] = round(one[OURS], 3)
        found[f"ours over greedy {words}"] = round(one[OURS] / one["greedy"], 3) if one["greedy"] else None
    return found


def _lose(cell: Cell, name: str, budget: float, goals: list[float]) -> float:
    """Return the part of the goals that a selector did not draw, the mean over all seeds."""
    pairs = zip(cell["curves"][name], goals, strict=True)
    return mean(max(0.0, 1 - find_drawn(curve, budget) / goal) for curve, goal in pairs)
