"""The model of `levels:N`, learned on family A: sites on each topic are crawled, then backward from their forms (paper 2, Section 3.1)."""

from __future__ import annotations

from random import Random

import msgspec
import uvloop

from bench.topical.crawls import CrawlTask, start_sites
from dowse.model import Link, SeenOnSite
from dowse.sim import simulate
from dowse.sim.topical import TOPICS
from dowse.step.visit import visit
from dowse.strategy.contexts import link_words
from dowse.strategy.levels import MAX_LEVELS, SHIPPED, LevelModel, label_links, shipped_levels
from dowse.url import origin

SITES = 8  # of each topic
SITE_PAGES = 40


def read_levels_model(levels: int) -> LevelModel:
    """Return the model with so many levels."""
    return shipped_levels(levels)


async def crawl_whole(entrance: str, fetch: object, most: int) -> tuple[dict[str, tuple[Link, ...]], set[str]]:
    """Read a site breadth first; return the links of its pages, and those pages that have query forms."""
    waiting, known = [entrance], {entrance}
    pages: dict[str, tuple[Link, ...]] = {}
    with_forms: set[str] = set()
    while waiting and len(pages) < most:
        url = waiting.pop(0)
        visited = await visit(Link(url), fetch, SeenOnSite())  # type: ignore[arg-type]
        if visited.page is None:
            continue
        pages[url] = visited.page.links
        if any(door.judgement.kind == "database" for door in visited.doors):
            with_forms.add(url)
        for link in visited.page.links:
            if link.url not in known and origin(link.url) == origin(entrance):
                known.add(link.url)
                waiting.append(link.url)
    return pages, with_forms


async def fit_levels(seed: int = 7, sites: int = 5_000) -> tuple[LevelModel, ...]:
    """Learn models with one to four levels from sites of family A."""
    samples = []
    counts = [0] * MAX_LEVELS
    for topic in TOPICS:
        task = CrawlTask(topic, seed, "A", sites)
        world = task.world()
        fetch = simulate(world)
        for start in start_sites(world, topic, seed)[:SITES]:
            pages, with_forms = await crawl_whole(start.entrance, fetch, SITE_PAGES)
            for number, level in enumerate(label_links(pages, with_forms, Random(seed))):
                counts[number] += len(level)
                samples += [(each, link_words(link, host=False), start.entrance) for each, link in level]
    return tuple(LevelModel.fit(samples, levels, counts) for levels in range(1, MAX_LEVELS + 1))


def ship() -> None:
    """Write the models that come with Dowse."""
    SHIPPED.write_bytes(msgspec.json.encode(uvloop.run(fit_levels())) + b"\n")


if __name__ == "__main__":
    ship()
