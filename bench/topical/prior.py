"""The model of `focused`: what facts of mentions say of a site, learned from crawls over family A of the simulated web."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec
import uvloop

from bench.topical.crawls import CrawlTask, VisitCache, load_bench_topic, open_crawl, start_sites
from dowse.engine.find import begin_run
from dowse.engine.topical import search_on_topic
from dowse.learn.fit import fit_loglinear
from dowse.learn.linear import LogLinear
from dowse.model import KnownSite, SiteSearch
from dowse.settings import FindSettings
from dowse.sim import simulate
from dowse.store import open_store
from dowse.strategy.focused import MODEL, FocusedRanker

TASKS = tuple(
    CrawlTask(topic, seed, "A", 5_000, 1_000)
    for topic, seed in (("books", 7), ("car rentals", 7), ("publications", 7), ("movies", 8), ("hotels", 10))
)
NOTHING_KNOWN = LogLinear(-3000, {})  # one site in twenty, whatever is said of it
PENALTY, MIN_EXAMPLES = 3.0, 10  # of the fit

Example = tuple[list[str], float]  # what was said of a site, and how likely it turned out to be on the topic


@dataclass(slots=True)
class WatchingRanker(FocusedRanker):
    """Keeps what it learned from."""

    examples: list[Example] = field(default_factory=list)

    def learn(self, search: SiteSearch, known: KnownSite) -> None:
        """Keep an example, and learn from it."""
        if search.topic is not None and search.visits and known.mentions:
            self.examples.append((self.facts_of(known), search.topic))
        FocusedRanker.learn(self, search, known)


async def gather(task: CrawlTask) -> list[Example]:
    """Crawl without prior knowledge and return what was seen of sites."""
    world, topic = task.world(), load_bench_topic(task.topic)
    fetch = simulate(world)
    visit = VisitCache(task, fetch, topic)
    ranker = WatchingRanker(topic, model=NOTHING_KNOWN)
    with TemporaryDirectory() as folder, open_store(str(Path(folder) / "dowse.db")) as store:
        settings = FindSettings(topic=task.topic, pages=task.pages, jobs=16, audit=0.0)
        run = begin_run(store, start_sites(world, task.topic, task.start), settings)
        crawl = open_crawl("focused", topic, visit, world)
        crawl.ranker = ranker
        async for _ in search_on_topic(store, run, fetch, settings, crawl):
            pass
    return ranker.examples


def fit(examples: Sequence[Example]) -> LogLinear:
    """Learn how likely sites are on the topic."""
    facts, likely = [each[0] for each in examples], [each[1] for each in examples]
    return fit_loglinear(facts, likely, [1.0] * len(facts), penalty=PENALTY, min_examples=MIN_EXAMPLES)


if __name__ == "__main__":
    gathered = [example for task in TASKS for example in uvloop.run(gather(task))]
    MODEL.write_bytes(msgspec.json.format(msgspec.json.encode(fit(gathered)), indent=1) + b"\n")
