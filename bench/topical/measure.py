"""Many crawls on topics: each world and topic in a process of its own, all crawlers over the same pages, compared in pairs."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from hashlib import sha256
from multiprocessing import get_context
from pathlib import Path
from random import Random
from typing import Any

import uvloop

from bench.paper1.workers import thin
from bench.places import ROOT, SCRATCH
from bench.topical.crawls import (
    OTHER_HALF,
    SEEDS,
    CrawlTask,
    VisitCache,
    crawl,
    load_bench_topic,
    make_world,
    open_oracle,
)
from dowse.sim import simulate
from dowse.sim.topical import share_of
from dowse.sim.topical.oracle import OracleRun

RESAMPLES = 1_000
FORMS, SITES, WRONG = range(3)
TOPICS = ("airfares", "hotels", "cars", "books", "movies", "music", "jobs", "real estate")
LONG_PAGES, LONG_TOPICS = 5_000, ("hotels",)  # of longer crawls beside the others

Row = dict[str, Any]  # a crawl: topic, seed, crawler, curve


def run_all(tasks: Sequence[CrawlTask], names: Sequence[str], say: Callable[[str], None]) -> list[Row]:
    """Run every crawler on every task."""
    rows: list[Row] = []
    with ProcessPoolExecutor(os.cpu_count(), mp_context=get_context("spawn")) as pool:
        for some in pool.map(run_task, tasks, [names] * len(tasks)):
            rows += some
            say(
                f"    {some[0]['topic']}, world {some[0]['seed']}: "
                + ", ".join(f"{row['name']} {row['points'][-1][1:3]}" for row in some)
            )
    return rows


def run_task(task: CrawlTask, names: Sequence[str]) -> list[Row]:
    """Run every crawler on one world and topic."""
    return uvloop.run(_run_task(task, names))


async def _run_task(task: CrawlTask, names: Sequence[str]) -> list[Row]:
    kept = {name: place_of(f"{task} {name}") for name in names}
    if not all(place.exists() for place in kept.values()):  # a world takes seconds to open
        await _crawl_missing(task, {name: place for name, place in kept.items() if not place.exists()})
    share = share_of(make_world(task).themes.key, task.topic)
    return [{**json.loads(place.read_text()), "share": share} for place in kept.values()]


async def _crawl_missing(task: CrawlTask, missing: Mapping[str, Path]) -> None:
    """Run the crawls that are not kept, and keep them."""
    world = task.world()
    visit = VisitCache(task, simulate(world), load_bench_topic(task.topic))
    oracle = open_oracle(world)
    starts = oracle.choose_starts(task.topic, SEEDS, task.start)
    for name, place in missing.items():
        if name == "oracle":
            best = oracle.best_order(task.topic, task.pages, starts)
            most = oracle.best_order(task.topic, task.pages, starts, "sites")
            _keep(place, _oracle_row(task, best, most))
            continue
        result = await crawl(name, task, world, visit)
        points = thin(result.points) or [(0, 0, 0, 0)]
        _keep(
            place,
            {"topic": task.topic, "seed": task.world_seed, "name": name, "points": [list(each) for each in points]},
        )


# What a crawl hangs on.
_PARTS = (
    "crawl",
    "engine",
    "fetch",
    "form",
    "frontier",
    "learn",
    "page",
    "seeds",
    "sim",
    "step",
    "store",
    "strategy",
    "topic",
    "words",
)


@cache
def _digest_of_program() -> str:
    digest = sha256()
    folders = [ROOT / "dowse" / name for name in _PARTS]
    files = [path for folder in folders for path in sorted(folder.rglob("*.py"))]
    for path in [
        *files,
        *sorted((ROOT / "dowse" / "strategy" / "models").glob("*.json")),
        *sorted(OTHER_HALF.glob("*.json")),
    ]:
        digest.update(path.read_bytes())
    return digest.hexdigest()


def place_of(what: str) -> Path:
    """Return where a measurement is kept for as long as the program stays the same: papers and topic share crawls."""
    digest = sha256(f"{what} {_digest_of_program()}".encode())
    return SCRATCH / "topical" / f"{digest.hexdigest()[:24]}.json"


def _keep(place: Path, row: Row) -> None:
    """Keep a crawl."""
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(json.dumps(row))


def _oracle_row(task: CrawlTask, forms: OracleRun, sites: OracleRun) -> Row:
    """Return the curve of one who knows the truth: of two orders, one for most forms and one for most sites."""
    points = [
        [pages, forms.at(pages).forms, sites.at(pages).sites, 0]
        for pages in range(0, task.pages + 1, max(1, task.pages // 100))
    ]
    return {"topic": task.topic, "seed": task.world_seed, "name": "oracle", "points": points}


def found_at(row: Row, pages: int, what: int = FORMS) -> int:
    """Return what a crawl had found after so many pages; a crawl that ended before has what it had."""
    before = [point for point in row["points"] if point[0] <= pages]
    return int(before[-1][1 + what]) if before else 0


def mean_found(rows: Iterable[Row], name: str, pages: int, what: int = FORMS) -> float:
    """Return the mean over topics and worlds."""
    found = [found_at(row, pages, what) for row in rows if row["name"] == name]
    return sum(found) / len(found) if found else 0.0


def ratio(rows: Sequence[Row], one: str, other: str, pages: int, what: int = FORMS) -> dict[str, float]:
    """Return how many times as much one crawler finds as another, over the same worlds and topics, with a 95 % interval."""
    grouped: dict[tuple[str, int], dict[str, int]] = {}
    for row in rows:
        grouped.setdefault((row["topic"], row["seed"]), {})[row["name"]] = found_at(row, pages, what)
    known = [(found[one], found[other]) for found in grouped.values() if one in found and other in found]
    if not known or not sum(second for _, second in known):
        return {}
    rng = Random(1)
    drawn = []
    for _ in range(RESAMPLES):
        some = rng.choices(known, k=len(known))
        drawn.append(sum(first for first, _ in some) / max(1, sum(second for _, second in some)))
    drawn.sort()
    value = sum(first for first, _ in known) / sum(second for _, second in known)
    return {
        "ratio": value,
        "low": drawn[int(0.025 * RESAMPLES)],
        "high": drawn[int(0.975 * RESAMPLES) - 1],
        "pairs": len(known),
    }


def say_ratio(measured: Mapping[str, float]) -> str:
    """Write a ratio with its interval; nothing measured is said as such."""
    if not measured:
        return "not measured"
    return f"{measured['ratio']:.2f} ({measured['low']:.2f} to {measured['high']:.2f})"


if (
    __name__ == "__main__"
):  # python -m bench.topical.measure TOPIC SEED SITES PAGES NAME...: crawls that are kept for the benches
    import sys

    kept = run_task(
        CrawlTask(sys.argv[1], int(sys.argv[2]), sites=int(sys.argv[3]), pages=int(sys.argv[4])), sys.argv[5:]
    )
    print(sys.argv[1], [(row["name"], row["points"][-1]) for row in kept], flush=True)
