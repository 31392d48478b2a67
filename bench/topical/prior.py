"""What `focused` knows before its first crawl: the sums of crawls over family A, scaled down to few sites, so that a crawl's own overrule them."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory

import uvloop

from bench.topical.crawls import CrawlTask, VisitCache, open_crawl, start_sites
from dowse.engine.find import begin_run
from dowse.engine.topical import LESSONS, search_on_topic, visit_on_topic
from dowse.settings import FindSettings
from dowse.sim import simulate
from dowse.store import open_store
from dowse.store.frontier import read_lessons
from dowse.strategy.focused import PRIOR, FocusedRanker
from dowse.topic import load_topic

TASKS = tuple(CrawlTask(topic, seed, "A", 5_000, 1_200) for topic, seed in (("books", 7), ("car rentals", 7), ("publications", 7), ("movies", 8), ("cars", 9), ("hotels", 10)))  # fmt: skip
MOST_EXPECTED = 3.0  # sites on the topic that a fact of the prior stands for at most


async def gather(task: CrawlTask) -> dict[str, dict[str, float]]:
    """Crawl without prior knowledge and return what was learned."""
    world, topic = task.world(), load_topic(task.topic)
    fetch = simulate(world)
    visit = VisitCache(visit_on_topic(topic, fetch))
    with TemporaryDirectory() as folder, open_store(str(Path(folder) / "dowse.db")) as store:
        settings = FindSettings(topic=task.topic, pages=task.pages, jobs=16, audit=0.0)
        run = begin_run(store, start_sites(world, task.topic, task.start), settings)
        crawl = open_crawl("focused", topic, visit, world, fetch)
        crawl.ranker = FocusedRanker(topic, facts={})
        async for _ in search_on_topic(store, run, fetch, settings, crawl):
            pass
        return {kind: read_lessons(store, topic.name, kind) for kind in LESSONS}


def ship() -> None:
    """Write the prior that comes with Dowse."""
    counted: Counter[str] = Counter()
    expected: Counter[str] = Counter()
    for task in TASKS:
        lessons = uvloop.run(gather(task))
        counted.update(lessons["focused counted"])
        expected.update(lessons["focused expected"])
        print(task.topic, len(lessons["focused counted"]), flush=True)
    scaled = {}
    for fact in sorted(expected):
        factor = min(1.0, MOST_EXPECTED / max(expected[fact], counted[fact], 1e-9))
        scaled[fact] = [round(counted[fact] * factor, 3), round(expected[fact] * factor, 3)]
    PRIOR.write_text(json.dumps(scaled, indent=1) + "\n")


if __name__ == "__main__":
    ship()
