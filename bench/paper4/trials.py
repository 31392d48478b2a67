"""Harvests of real databases by the paper's selectors, as many at a time as there are cores."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import combinations
from os import sched_getaffinity
from pathlib import Path
from random import Random
from statistics import fmean, stdev
from typing import Any

from bench.harvest.compare import LIMITED_PATIENCE, PATIENCE, SHARE, average, find_drawn, find_requests
from bench.harvest.databases import Database, Source, load
from bench.harvest.runs import Curve, Make, decompose, harvest, pick_seed
from bench.kept import list_selectors, open_kept
from bench.options import Options
from bench.paper4.facts import ABORTING, BUDGET, CRAWLS, LIMITS, LINKED, MARKS, MISFITS, Extent
from bench.paper4.kin import make_table
from bench.paper4.published import PUBLISHED
from bench.places import ROOT
from dowse.harvester.loop import HarvestedRecords, run_queries
from dowse.select import SELECTORS
from dowse.select.domain import DomainSelector
from dowse.select.graph import Graph
from dowse.select.selector import AbortingSelector, PatientSelector, Selector, SelectorParts
from dowse.yields.overlap import bound_above, estimate_overlap


@dataclass(frozen=True, slots=True)
class Trial:
    """A database that is harvested by one selector, from several seeds."""

    database: str
    selector: str
    kin: str = ""  # of the domain table, for `domain`
    limit: int = 0
    abort: str = "never"  # or always: answers that bring little are left
    records: int = 0  # of the database, by chance; 0 for all
    seeds: tuple[int, ...] = (1,)

    @property
    def name(self) -> str:
        """What it is called where it is kept."""
        parts = [self.database, self.selector, self.kin, str(self.limit), self.abort, str(self.records)]
        return "-".join([*parts, *map(str, self.seeds)])

    @property
    def part(self) -> str:
        """Which part of the experiment it belongs to."""
        if self.abort != "never":
            return "aborting"
        return "limits" if self.limit else "domain" if self.selector == "domain" else "linked"


def list_trials(extent: Extent) -> list[Trial]:
    """Return all harvests that are needed, each once."""
    make = partial(Trial, records=extent.records, seeds=extent.seeds)
    trials = [make(name, selector) for name in extent.databases for selector in LINKED]
    for pair in extent.pairs:
        trials += [make(pair.database, "greedy"), make(pair.database, "domain")]
        trials += [make(pair.database, "domain", kin) for kin in (pair.large, pair.small)]
        for limit in LIMITS:
            trials += [make(pair.database, "greedy", limit=limit)]
            trials += [make(pair.database, "domain", pair.large, limit=limit)]
    trials += [make(name, "domain", kin) for kin, name in MISFITS]
    trials += [make(name, "domain") for _, name in MISFITS]
    for name in extent.aborting:
        for selector in ABORTING:
            trials += [make(name, selector, abort=abort) for abort in ("never", "always")]
    return list(dict.fromkeys(trials))


@lru_cache(maxsize=2)
def keep_database(name: str, records: int) -> Database:
    """Read a database once for all trials that follow each other."""
    return load(name, records)


def run_trial(trial: Trial) -> dict[str, Any]:
    """Harvest a database from every seed; return the requests for each part of it."""
    database = keep_database(trial.database, trial.records)
    make = partial(build, trial=trial, size=len(database.records))
    curves = []
    for seed in trial.seeds:
        source = Source(database, limit=trial.limit, seed=seed)
        patience = LIMITED_PATIENCE if trial.limit else PATIENCE
        most = patience * len(database.records) // source.page_size
        curves.append(asyncio.run(harvest(source, make, seed, share=SHARE, requests=most)))
    return tell(curves)


def build(parts: SelectorParts, trial: Trial, size: int) -> Selector:
    """Build the selector of a trial; the published ones are told how large the database is."""
    if trial.selector in PUBLISHED:
        selector = PUBLISHED[trial.selector](parts, size)
    elif trial.kin:
        selector = DomainSelector(parts, make_table(trial.kin))
    else:
        selector = SELECTORS[trial.selector](parts)
    return AbortingSelector(selector, parts) if trial.abort == "always" else PatientSelector(selector)


def tell(curves: list[Curve]) -> dict[str, Any]:
    """Return what is kept of the harvests of a trial."""
    budget = BUDGET * curves[0].size / 10
    steps = [curve.to_json() for curve in curves]
    return {
        "size": curves[0].size, "marks": mark(curves), "curve": average_curve(curves),
        "drawn": [curve.drawn for curve in curves], "runs": len({tuple(curve.steps) for curve in curves}),
        "at 90 %": [find_requests(curve, 0.9 * curve.size) for curve in curves],
        "within the budget": fmean(find_drawn(one, budget) for one in steps) / 100,
    }  # fmt: skip


def mark(curves: list[Curve]) -> dict[str, float | None]:
    """Return the mean requests for each mark; None where one of the harvests did not come so far."""
    return {str(part): average([find_requests(curve, curve.size * part / 100) for curve in curves]) for part in MARKS}


def average_curve(curves: list[Curve]) -> list[float]:
    """Return the mean requests for each percent, as far as all harvests came."""
    return [round(fmean(steps), 1) for steps in zip(*(curve.steps for curve in curves), strict=False)]


def list_files() -> list[Path]:
    """Return the files that say what is asked next, and what is answered."""
    return [
        *list_selectors(),
        *(ROOT / "bench" / "paper4" / name for name in ("published.py", "kin.py", "trials.py")),
        *(ROOT / "bench" / "harvest" / name for name in ("databases.py", "runs.py")),
    ]


def run_all(trials: Iterable[Trial], options: Options) -> list[tuple[Trial, dict[str, Any]]]:
    """Return what was kept of the trials; the wanted ones are run, those of one database after each other, so that it is read once."""
    kept = open_kept("paper4", list_files())
    ordered = sorted(trials, key=lambda trial: (trial.abort != "never", trial.database, trial.kin, trial.limit))
    found = {trial: piece for trial in ordered if (piece := kept.find(trial.name)) is not None}
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


def measure_size(name: str, records: int, selector: str) -> dict[str, Any]:
    """Estimate the size of a database by the overlap of six crawls, as Section 5 does, and compare it with the truth."""
    database = keep_database(name, records)
    truth = len(database.records)
    requests = truth // 40  # the paper: 5,000 for what it took for 37,000 records; here a quarter of all pages
    crawls = [
        asyncio.run(crawl(Source(database, seed=seed), SELECTORS[selector], seed, requests))
        for seed in range(1, CRAWLS + 1)
    ]
    pairs = [(len(one) + 1) * (len(other) + 1) / (len(one & other) + 1) - 1 for one, other in combinations(crawls, 2)]
    named = [{key.hex() for key in some} for some in crawls]
    interval = estimate_overlap(named)
    return {
        "database": name, "selector": selector, "requests": requests, "truth": truth,
        "mean": fmean(pairs), "error": stdev(pairs) / len(pairs) ** 0.5, "published": bound_above(named),
        "low": interval.low, "high": interval.high, "held": len(frozenset().union(*crawls)),
    }  # fmt: skip


async def crawl(source: Source, make: Make, seed: int, requests: int) -> frozenset[bytes]:
    """Return what was harvested with so many requests from a seed."""
    graph = Graph()
    selector = make(SelectorParts(graph, source.interface, Random(seed)))
    selector.seed([pick_seed(source, seed)])
    drawn = HarvestedRecords(graph)
    async for _ in run_queries(
        source.ask, selector, drawn, decompose, lambda: "" if drawn.requests < requests else "enough"
    ):
        pass
    return frozenset(drawn.keys)
