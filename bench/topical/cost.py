"""What a crawl on a topic costs: memory over many pages, and the part of the time that learning and ranking take, in a process of its own.

    python -m bench.topical.cost focused hotels 5000
    python -m bench.topical.cost focused music 100000 B 301 200000

The last three are the family, the seed and the sites of the world. Pages are read anew, none is kept from other crawls; the simulated web answers in the same process.
"""

from __future__ import annotations

import json
import sys
import time
from collections import defaultdict
from collections.abc import Awaitable, Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import uvloop

from bench.places import ROOT, SCRATCH
from bench.timing import resident_mb, run_command
from bench.topical.crawls import (
    PAGE_BASED,
    QUICK,
    CrawlTask,
    Referee,
    VisitCache,
    load_bench_topic,
    open_crawl,
    open_ranker,
    start_sites,
)
from dowse.engine import topical
from dowse.engine.find import begin_run
from dowse.engine.topical import crawl_on_topic, search_on_topic, visit_on_topic
from dowse.model import Link, SeenOnSite, SiteSearch, Visit
from dowse.settings import FindSettings
from dowse.sim import simulate
from dowse.store import open_store

FAMILY, WORLD, SITES = "B", 201, 50_000
POINTS = 20  # at which memory is read
# Learning: what makes later choices better. Ranking: what uses it on sites and links that wait.
TIMED = {"learning": ("_learn",), "ranking": ("rank_waiting",)}

Clock = defaultdict[str, float]


def timed(function: Callable[..., Any], name: str, clock: Clock) -> Callable[..., Any]:
    """Wrap a function to count its processor seconds."""

    def call(*given: Any) -> Any:
        begun = time.thread_time()
        try:
            return function(*given)
        finally:
            clock[name] += time.thread_time() - begun

    return call


def timed_visit(
    visit: Callable[[Link, SeenOnSite], Awaitable[Visit]], clock: Clock
) -> Callable[[Link, SeenOnSite], Awaitable[Visit]]:
    """Wrap what follows links to count its seconds: the web answers at once, so that nothing else runs meanwhile."""

    async def follow(link: Link, seen: SeenOnSite) -> Visit:
        begun = time.thread_time()
        try:
            return await visit(link, seen)
        finally:
            clock["reading"] += time.thread_time() - begun

    return follow


async def measure(
    name: str, topic_name: str, pages: int, family: str = FAMILY, seed: int = WORLD, sites: int = SITES
) -> dict[str, Any]:
    """Crawl, and return memory by pages, what was found by the truth, and processor seconds by what they were spent on."""
    task = CrawlTask(topic_name, seed, family, sites, pages, jobs=1)
    world, topic = task.world(), load_bench_topic(topic_name)
    world._engine.find("cars")  # its index is made before memory is read
    fetch, clock, memory = simulate(world), defaultdict[str, float](float), list[tuple[int, float]]()
    referee, points = Referee(world, topic_name), list[tuple[int, int, int, int]]()
    cache = VisitCache(task, fetch, topic)  # for look-ups alone
    visit = timed_visit(visit_on_topic(topic, fetch), clock)
    for what, functions in TIMED.items():
        for function in functions:
            setattr(topical, function, timed(getattr(topical, function), what, clock))
    with TemporaryDirectory(dir=QUICK) as folder, open_store(str(Path(folder) / "dowse.db")) as store:
        settings = FindSettings(topic=topic_name, pages=pages, jobs=task.jobs, audit=0.0)
        run = begin_run(store, start_sites(world, topic_name, task.start), settings)
        if name in PAGE_BASED:
            ranker, rules = open_ranker(name, topic.name)
            setattr(ranker, "rank", timed(ranker.rank, "ranking", clock))  # noqa: B010 (mypy forbids to assign a method)
            events: Any = crawl_on_topic(store, run, topic, visit, ranker, rules)
        else:
            crawl = open_crawl(name, topic, cache, world)
            crawl.visit = visit
            events = search_on_topic(store, run, fetch, settings, crawl)
        begun = time.process_time()
        async for event in events:
            if isinstance(event, SiteSearch):
                referee.note(event)
            if run.tally.pages >= (len(memory) + 1) * pages / POINTS:
                memory.append((run.tally.pages, resident_mb()))
                points.append((run.tally.pages, len(referee.forms), len(referee.sites), referee.wrong))
                print(*memory[-1], *points[-1], file=sys.stderr, flush=True)
        seconds = time.process_time() - begun
    return {
        "name": name, "topic": topic_name, "pages": run.tally.pages, "seconds": seconds, "memory": memory, "points": points, **clock,
    }  # fmt: skip


def measure_apart(name: str, topic: str, pages: int) -> dict[str, Any]:
    """Measure in a process of its own; what was measured before by the same program is kept."""
    from bench.topical.measure import place_of

    kept = place_of(f"cost of {name} {topic} {pages}")
    if not kept.exists():
        kept.parent.mkdir(parents=True, exist_ok=True)
        words = [sys.executable, "-m", "bench.topical.cost", name, topic, str(pages)]
        ran = run_command(words, SCRATCH / "topical", extra={"PYTHONPATH": str(ROOT)}, limit=7200)
        if ran.code:
            raise RuntimeError(f"the crawl of {name} failed: {ran.stderr[-500:]}")
    found: dict[str, Any] = json.loads(kept.read_text())
    return found


if __name__ == "__main__":
    from bench.topical.measure import place_of

    crawler, about, most, *world_words = sys.argv[1:]
    family, *numbers = world_words or [FAMILY]
    measured = uvloop.run(measure(crawler, about, int(most), family, *map(int, numbers)))
    place_of(f"cost of {' '.join(sys.argv[1:])}").write_text(json.dumps(measured))
    print(json.dumps(measured), flush=True)
