"""What words say of the level of a link: how well links that lead to a form in so many clicks can be told from others, on sites left out.

On departments of 1996 (WebKB), the real graph at hand, and on sites of family B; and at which depth wanted forms stand there. Only links
within sites count: all links to other sites begin at a home page.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Sequence
from random import Random
from statistics import mean
from typing import Any

import uvloop

from bench.topical.crawls import CrawlTask, VisitCache, load_bench_topic, open_oracle, start_sites
from bench.topical.real import FEW_SITES, UNIVERSITIES, read_pages
from dowse.model import Link
from dowse.sim import simulate
from dowse.sim.topical.oracle import relevant_forms
from dowse.strategy.contexts import CONTEXTS, LinkWords, link_words
from dowse.strategy.levels import MIN_SITES, LevelModel, label_links
from dowse.train.levels import read_site
from dowse.url import origin

LEVELS = 3
FOLDS = 4
SITES, SITE_PAGES = 60, 60  # of a topic that are read, and pages of each
WORLD = CrawlTask("", 201, "B", 50_000)
TOPICS = ("cars", "jobs", "hotels")

Sample = tuple[int, LinkWords, str]  # level, words and site of a link


def measure_telling(folds: Sequence[Sequence[Sample]], min_sites: int = MIN_SITES) -> dict[str, float]:
    """Return for each level how often one of its links scores above another link (the area under the curve), each fold left out in turn."""
    areas: dict[int, list[float]] = defaultdict(list)
    for number, fold in enumerate(folds):
        others = [sample for place, some in enumerate(folds) if place != number for sample in some]
        model = LevelModel.fit(others, LEVELS, min_sites=min_sites)
        sums: dict[int, list[list[float]]] = defaultdict(list)
        for level, words, _ in fold:
            sums[level].append(_weigh(model, words))
        for level in range(1, LEVELS + 1):
            found = [each[level] - each[0] for each in sums[level]]
            rest = sorted(each[level] - each[0] for each in sums[0])
            if found and rest:
                above = sum((bisect_left(rest, each) + bisect_right(rest, each)) / 2 for each in found)
                areas[level].append(above / (len(found) * len(rest)))
    return {str(level): mean(some) for level, some in areas.items()}


def _weigh(model: LevelModel, words: LinkWords) -> list[float]:
    """Return the logarithm of how likely a link is of each level, up to a sum that is the same for all."""
    known = [
        model.weights.get(f"{context} {word}") for context, some in zip(CONTEXTS, words, strict=True) for word in some
    ]
    return [sum(each) for each in zip(model.priors, *filter(None, known), strict=True)]


def _label(pages: dict[str, tuple[Link, ...]], with_forms: set[str]) -> list[Sample]:
    inside = {url: [link for link in links if link.url in pages] for url, links in pages.items()}
    labelled = label_links(inside, with_forms, Random(1))
    return [(level, link_words(link, host=False), origin(page)) for some in labelled for level, link, page in some]


def measure_real() -> dict[str, float]:
    """Measure on departments, one university left out at a time."""
    pages = read_pages()
    folds = []
    for university in UNIVERSITIES:
        own = {url: one for url, one in pages.items() if one.university == university}
        links = {url: one.page.links for url, one in own.items()}
        folds.append(_label(links, {url for url, one in own.items() if one.has_form}))
    return measure_telling(folds, FEW_SITES)


async def measure_world(topic: str) -> dict[str, Any]:
    """Measure on sites of a topic, a quarter of them left out at a time."""
    task = CrawlTask(topic, WORLD.world_seed, WORLD.family, WORLD.sites)
    world = task.world()
    visit = VisitCache(task, simulate(world), load_bench_topic(topic))
    folds: list[list[Sample]] = [[] for _ in range(FOLDS)]
    for place, seed in enumerate(start_sites(world, topic, WORLD.world_seed, SITES)):
        pages: dict[str, tuple[Link, ...]] = {}
        with_forms: set[str] = set()
        await read_site(seed, topic, visit, SITE_PAGES, pages, with_forms)
        folds[place % FOLDS] += _label(pages, with_forms)
    depths = Counter(
        form.depth for index in open_oracle(world).relevant(topic) for form in relevant_forms(world.site(index), topic)
    )
    total = max(1, depths.total())
    return {**measure_telling(folds), "depths": {str(depth): depths[depth] / total for depth in sorted(depths)}}


def compare() -> dict[str, Any]:
    """Measure on the real graph and on topics of the simulated web."""
    return {"real": measure_real(), **{topic: uvloop.run(measure_world(topic)) for topic in TOPICS}}
