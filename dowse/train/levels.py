"""The model of `levels:N` for a topic: a crawl backward from pages with query forms on it (paper 2, Section 3.1).

Sites with such forms are read from their entrances, and pages that name these sites are looked up (`dowse/seeds/backlinks.py`: a search
engine, a host graph): together a part of the graph of the web. From the pages with forms it is walked backward, level by level.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from random import Random

from dowse.crawl.site import VisitLink, names_a_file
from dowse.model import Link, Seed, SeenOnSite
from dowse.seeds.backlinks import Backlinks, ask_all
from dowse.strategy.contexts import link_words
from dowse.strategy.levels import BACKLINKS, MAX_LEVELS, LevelModel, label_links
from dowse.url import origin

SITE_PAGES = 25  # of each site that are read: the ways to its forms, and pages that lead nowhere


async def learn_levels(
    seeds: Iterable[Seed],
    topic: str,
    visit: VisitLink,
    backlinks: Sequence[Backlinks] = (),
    *,
    rng: Random,
    site_pages: int = SITE_PAGES,
) -> tuple[LevelModel, ...]:
    """Learn models with one to four levels from sites that have query forms on a topic."""
    pages: dict[str, tuple[Link, ...]] = {}
    with_forms: set[str] = set()
    for seed in seeds:
        await read_site(seed, topic, visit, site_pages, pages, with_forms)
        named, _ = await ask_all(backlinks, seed.site)
        for url in (each.url for each in named[:BACKLINKS]):
            visited = await visit(Link(url), SeenOnSite())
            if visited.page is not None:
                pages.setdefault(url, visited.page.links)
    levels = label_links(pages, with_forms, rng)
    samples = [(level, link_words(link, host=False), origin(page)) for some in levels for level, link, page in some]
    counts = [sum(1 for level, *_ in some if level) for some in levels]
    return tuple(LevelModel.fit(samples, number, counts) for number in range(1, MAX_LEVELS + 1))


async def read_site(
    seed: Seed, topic: str, visit: VisitLink, most: int, pages: dict[str, tuple[Link, ...]], with_forms: set[str]
) -> None:
    """Read a site breadth first; add the links of its pages, and those pages that have forms on the topic."""
    waiting, known = list(seed.entrances), set(seed.entrances)
    read = 0
    while waiting and read < most:
        url = waiting.pop(0)
        visited = await visit(Link(url), SeenOnSite())
        read += 1
        if visited.page is None:
            continue
        pages[url] = visited.page.links
        if any(door.is_wanted(topic) for door in visited.doors):
            with_forms.add(url)
        for link in visited.page.links:
            if link.url not in known and origin(link.url) == str(seed.site) and not names_a_file(link.url):
                known.add(link.url)
                waiting.append(link.url)
