"""Harvests of real databases by the paper's selectors, as many at a time as there are cores."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import combinations
from os import sched_getaffinity
from random import Random
from statistics import fmean, stdev
from typing import Any

from bench.harvest.compare import LIMITED_PATIENCE, PATIENCE, SHARE, Setting, average, find_requests
from bench.harvest.databases import Database, Source, load
from bench.harvest.runs import Curve, Make, decompose, harvest, pick_seed
from bench.kept import list_selectors, open_kept
from bench.options import Options
from bench.paper4.facts import CRAWLS, MARKS
from bench.paper4.kin import make_table
from dowse.harvester.loop import HarvestedRecords, run_queries
from dowse.select import SELECTORS
from dowse.select.domain import DomainSelector
from dowse.select.graph import Graph
from dowse.select.selector import SelectorParts
from dowse.yields.overlap import estimate_overlap


@dataclass(frozen=True, slots=True)
class Trial:
    """A database that is drawn by one selector, from several seeds."""

    database: str
    selector: str
    kin: str = ""  # of the domain table, for `domain`
    share: float = 1.0  # of the kin
    limit: int = 0
    seeds: tuple[int, ...] = (1,)

    @property
    def name(self) -> str:
        """What it is called where it is kept."""
        kin = [self.kin, f"{self.share:.0%}"] if self.kin else []
        return "-".join([self.database, self.selector, *kin, str(self.limit), *map(str, self.seeds)])

    @property
    def part(self) -> str:
        """Which part of the experiment it belongs to."""
        return "limits" if self.limit else "domain" if self.kin else "linked"


@lru_cache(maxsize=2)
def keep_database(name: str) -> Database:
    """Read a database once for all trials that follow each other."""
    return load(name)


def run_trial(trial: Trial) -> dict[str, Any]:
    """Draw a database from every seed; return the requests for each part of it."""
    source = Source(keep_database(trial.database), limit=trial.limit)
    make: Make = SELECTORS[trial.selector]
    if trial.kin:
        make = partial(DomainSelector, table=make_table(trial.kin, trial.share))
    patience = LIMITED_PATIENCE if trial.limit else PATIENCE
    most = patience * len(source.database.records) // source.page_size
    return tell([asyncio.run(harvest(source, make, seed, share=SHARE, requests=most)) for seed in trial.seeds])


def tell(curves: list[Curve]) -> dict[str, Any]:
    """Return what is kept of the harvests of a trial."""
    return {
        "records": curves[0].size, "marks": mark(curves), "curve": average_curve(curves),
        "drawn": [curve.drawn for curve in curves],
    }  # fmt: skip


def find_drawn_before(trial: Trial) -> dict[str, Any] | None:
    """Return what the experiment `harvest` has kept of the same harvests: it draws them in the same way."""
    setting = Setting(trial.database, trial.limit, trial.seeds)
    cell = None if trial.kin else open_kept("harvest", list_selectors()).find(setting.kept_name)
    if cell is None or trial.selector not in cell["curves"]:
        return None
    return tell([Curve(cell["records"], **one) for one in cell["curves"][trial.selector]])


def mark(curves: list[Curve]) -> dict[str, float | None]:
    """Return the mean requests for each mark; None where one of the harvests did not come so far."""
    return {str(part): average([find_requests(curve, curve.size * part / 100) for curve in curves]) for part in MARKS}


def average_curve(curves: list[Curve]) -> list[float]:
    """Return the mean requests for each percent, as far as all harvests came."""
    return [round(fmean(steps), 1) for steps in zip(*(curve.steps for curve in curves), strict=False)]


def run_all(trials: Iterable[Trial], options: Options) -> list[tuple[Trial, dict[str, Any]]]:
    """Return what was kept of the trials; the wanted ones are run, those of one database after each other, so that it is read once."""
    kept = open_kept("paper4", list_selectors())
    ordered = sorted(
        set(trials), key=lambda trial: (trial.limit > 0, trial.database, trial.kin, trial.share, trial.limit)
    )
    found = {
        trial: piece for trial in ordered if (piece := kept.find(trial.name) or find_drawn_before(trial)) is not None
    }
    wanted = [
        trial
        for trial in ordered
        if trial not in found and (not options.parts or not {trial.database, trial.part}.isdisjoint(options.parts))
    ]
    with ProcessPoolExecutor(len(sched_getaffinity(0))) as workers:
        for trial, result in zip(wanted, workers.map(run_trial, wanted), strict=True):
            options.say(f"    {trial.name}: {result['marks']}")
            found[trial] = kept.add(trial.name, result)
    return [(trial, found[trial]) for trial in ordered if trial in found]


def measure_size(name: str, selector: str) -> dict[str, Any]:
    """Estimate the size of a database by the overlap of six crawls, as Section 5 does, and compare it with the truth."""
    source = Source(keep_database(name))
    truth = len(source.database.records)
    requests = truth // 40  # the paper: 5,000 for what it took for 37,000 records; here a quarter of all pages
    crawls = [asyncio.run(crawl(source, SELECTORS[selector], seed, requests)) for seed in range(1, CRAWLS + 1)]
    pairs = [(len(one) + 1) * (len(other) + 1) / (len(one & other) + 1) - 1 for one, other in combinations(crawls, 2)]
    interval = estimate_overlap([{key.hex() for key in some} for some in crawls])
    return {
        "database": name, "selector": selector, "requests": requests, "truth": truth,
        "mean": fmean(pairs), "error": stdev(pairs) / len(pairs) ** 0.5,
        "low": interval.low, "high": interval.high, "held": len(frozenset().union(*crawls)),
    }  # fmt: skip


async def crawl(source: Source, make: Make, seed: int, requests: int) -> frozenset[bytes]:
    """Return what was drawn with so many requests from a seed."""
    graph = Graph()
    selector = make(SelectorParts(graph, source.interface, Random(seed)))
    selector.seed([pick_seed(source, seed)])
    drawn = HarvestedRecords(graph)
    async for _ in run_queries(
        source.ask, selector, drawn, decompose, lambda: "" if drawn.requests < requests else "enough"
    ):
        pass
    return frozenset(drawn.keys)
