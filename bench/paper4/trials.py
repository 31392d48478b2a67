"""Harvests of real databases by the paper's selectors, two at a time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import combinations
from random import Random
from statistics import fmean, stdev
from typing import Any, Final

from bench.harvest.compare import average, find_requests
from bench.harvest.databases import Database, Source, load
from bench.harvest.runs import Curve, Make, decompose, harvest, pick_seed
from bench.paper4.facts import CRAWLS, LIMITED_PATIENCE, MARKS, PATIENCE, SHARE
from bench.paper4.kin import make_table
from dowse.harvest.loop import Drawn, draw
from dowse.select import SELECTORS
from dowse.select.domain import Domain
from dowse.select.graph import Graph
from dowse.select.selector import Parts
from dowse.yields.overlap import estimate_overlap

WORKERS: Final = 2


@dataclass(frozen=True, slots=True)
class Trial:
    """A database that is drawn by one selector, from several seeds."""

    database: str
    selector: str
    kin: str = ""  # of the domain table, for `domain`
    share: float = 1.0  # of the kin
    limit: int = 0
    seeds: tuple[int, ...] = (1,)


@lru_cache(maxsize=2)
def keep_database(name: str) -> Database:
    """Read a database once for all trials that follow each other."""
    return load(name)


def run_trial(trial: Trial) -> dict[str, Any]:
    """Draw a database from every seed; return the requests for each part of it."""
    source = Source(keep_database(trial.database), limit=trial.limit)
    make: Make = SELECTORS[trial.selector]
    if trial.kin:
        make = partial(Domain, table=make_table(trial.kin, trial.share))
    patience = LIMITED_PATIENCE if trial.limit else PATIENCE
    most = patience * len(source.database.records) // source.page_size
    curves = [asyncio.run(harvest(source, make, seed, share=SHARE, requests=most)) for seed in trial.seeds]
    return {
        "records": len(source.database.records), "marks": mark(curves), "curve": average_curve(curves),
        "drawn": [curve.drawn for curve in curves],
    }  # fmt: skip


def mark(curves: list[Curve]) -> dict[str, float | None]:
    """Return the mean requests for each mark; None where one of the harvests did not come so far."""
    return {str(part): average([find_requests(curve, curve.size * part / 100) for curve in curves]) for part in MARKS}


def average_curve(curves: list[Curve]) -> list[float]:
    """Return the mean requests for each percent, as far as all harvests came."""
    return [round(fmean(steps), 1) for steps in zip(*(curve.steps for curve in curves), strict=False)]


def run_all(trials: Iterable[Trial], say: Callable[[str], None]) -> list[tuple[Trial, dict[str, Any]]]:
    """Run trials, those of one database after each other, so that it is read once."""
    ordered = sorted(set(trials), key=lambda trial: (trial.database, trial.kin, trial.share, trial.limit))
    found = []
    with ProcessPoolExecutor(WORKERS) as workers:
        for trial, result in zip(ordered, workers.map(run_trial, ordered, chunksize=2), strict=True):
            say(f"    {trial.database} {trial.selector} {trial.kin} {trial.limit or ''}: {result['marks']}")
            found.append((trial, result))
    return found


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
    selector = make(Parts(graph, source.interface, Random(seed)))
    selector.seed([pick_seed(source, seed)])
    drawn = Drawn(graph)
    async for _ in draw(source.ask, selector, drawn, decompose, lambda: "" if drawn.requests < requests else "enough"):
        pass
    return frozenset(drawn.keys)
