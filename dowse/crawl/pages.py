"""A crawl page by page over all sites (paper 2): pages on the topic give links, which wait in queues in the store.

The store holds the whole frontier: a killed crawl goes on, and loses no count. One request at a time goes to a site.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Collection, Coroutine, Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from dowse.crawl.site import MAX_NEIGHBOURS, mention_of, names_a_file
from dowse.model import ON_TOPIC, Door, Link, LinkChoice, Mention, Seed, SeenOnSite, SiteSearch, Visit
from dowse.reasons import GIVEN_AS_SEED, StopReason
from dowse.store import Store
from dowse.store.frontier import TakenPage, add_pages, commit_pages, give_up_site, load_pages, release_pages, take_pages
from dowse.strategy.levels import PageRanker
from dowse.url import origin, site_of

# Pages that are loaded into the crawling frontier at once. All of them are followed before a better one is loaded: with a thousand, queues meant
# nothing in the first thousands of pages (on family A all rankings found the same).
LOADED_PAGES = 50
DOUBTFUL_QUEUE = 9  # behind those of the levels and of all other links: links of pages that are off the topic
REMEMBERED_SITES = 5_000  # whose forms are known without asking the store: memory stays flat

VisitPage = Callable[[Link, SeenOnSite], Coroutine[Any, Any, Visit]]


@dataclass(frozen=True, slots=True)
class PageRules:
    """How far a crawl page by page goes."""

    jobs: int = 32
    # Of one site (paper 2, second stopping criterion; without a value there). In three crawls of 3,000 pages over family A `levels:3` found 468 forms
    # with 20, 507 with 10; with 6 fewer on one of two topics.
    site_pages: int = 10
    site_forms: int = 10  # wanted forms of one site (first stopping criterion)
    depth: int = 10  # clicks from where the site was entered
    on_topic: float = ON_TOPIC  # how likely a page has to be on the topic for its links to be ranked
    # Where only pages on the topic give links, as in the paper, a crawl ends as soon as the classifier knows none of those that wait: on family A at 555
    # and 1,987 of 3,000 pages. Links of other pages wait behind all others, those of the likeliest pages first.
    ends_off_topic: bool = False
    strategy: str = ""


@dataclass(slots=True)
class _PageCrawl:
    """What one crawl knows while it runs."""

    store: Store
    run: int
    ranker: PageRanker
    rules: PageRules
    topic: str
    chosen: frozenset[str]  # sites to start from
    seen: OrderedDict[str, set[str]] = field(default_factory=OrderedDict)  # signatures of forms, by site
    busy: dict[asyncio.Task[Visit], TakenPage] = field(default_factory=dict)


def begin_pages(store: Store, run: int, seeds: Iterable[Seed]) -> None:
    """Let seeds wait in the first queue."""
    entrances = (url for seed in seeds for url in seed.entrances)
    add_pages(store, run, [(1, LinkChoice(Link(url), 1.0, why=GIVEN_AS_SEED)) for url in entrances])


async def crawl_pages(
    store: Store,
    run: int,
    visit: VisitPage,
    ranker: PageRanker,
    rules: PageRules,
    *,
    topic: str = "",
    chosen: Collection[str] = (),
    why_stop: Callable[[], StopReason | None] = lambda: None,
) -> AsyncIterator[SiteSearch]:
    """Follow links by their rank until none is left or the run ends; yield each page, as a part of its site's search, once committed.

    Sites that the user has chosen to start from are on the topic: all their pages give links, whatever the classifier says of them.
    """
    crawl = _PageCrawl(store, run, ranker, rules, topic, frozenset(chosen))
    release_pages(store, run)
    try:
        while True:
            for page in [] if why_stop() else await asyncio.to_thread(_take, crawl):
                seen = SeenOnSite(signatures=_known_forms(crawl, origin(page.choice.link.url)))
                crawl.busy[asyncio.create_task(visit(page.choice.link, seen))] = page
            if not crawl.busy:
                return
            done, _ = await asyncio.wait(crawl.busy, return_when=asyncio.FIRST_COMPLETED)
            parts, links = [], list[tuple[int, LinkChoice]]()
            for task in done:
                page, visited = crawl.busy.pop(task), task.result()
                parts.append((page, _read_part(crawl, page, visited)))
                links += _rank_links(crawl, visited)
            await asyncio.to_thread(commit_pages, store, run, parts, links)
            for _, part in parts:
                yield part
    finally:
        for task in crawl.busy:
            task.cancel()
        await asyncio.gather(*crawl.busy, return_exceptions=True)
        release_pages(store, run)


def _take(crawl: _PageCrawl) -> list[TakenPage]:
    """Take pages for the jobs that are free; sites that gave enough are given up."""
    store, run, rules = crawl.store, crawl.run, crawl.rules
    taken: list[TakenPage] = []
    while len(taken) + len(crawl.busy) < rules.jobs:
        waiting = [*taken, *crawl.busy.values()]
        busy = frozenset(origin(page.choice.link.url) for page in waiting)
        found = take_pages(store, run, rules.jobs - len(waiting), busy)
        for page in found:
            if page.pages >= rules.site_pages or page.forms >= rules.site_forms:
                give_up_site(store, run, origin(page.choice.link.url))
            else:
                taken.append(page)
        if not found and (waiting or not _load(crawl)):
            break
    return taken


def _load(crawl: _PageCrawl) -> int:
    """Load links to follow; those of pages off the topic only where no other waits, and few, as what they lead to may be better."""
    known = load_pages(crawl.store, crawl.run, LOADED_PAGES, DOUBTFUL_QUEUE - 1)
    return known or load_pages(crawl.store, crawl.run, crawl.rules.jobs, DOUBTFUL_QUEUE)


def _known_forms(crawl: _PageCrawl, site: str) -> set[str]:
    """Return the signatures of a site's forms that are known; those of the sites met last are in memory."""
    known = crawl.seen.get(site)
    if known is None:
        known = crawl.seen[site] = crawl.store.form_signatures(site)
        while len(crawl.seen) > REMEMBERED_SITES:
            crawl.seen.popitem(last=False)
    crawl.seen.move_to_end(site)
    return known


def _read_part(crawl: _PageCrawl, page: TakenPage, visited: Visit) -> SiteSearch:
    """Return a page as a part of the search of its site: its forms where it or they are on the topic, and how it names other sites."""
    link, site = visited.link, site_of(visited.link.url)
    is_on = _is_on(crawl, visited)
    known = _known_forms(crawl, str(site))
    doors: list[Door] = [
        door for door in visited.doors if door.signature not in known and (is_on or door.is_wanted(crawl.topic))
    ]
    known |= {door.signature for door in doors}
    wanted = sum(1 for door in doors if door.is_wanted(crawl.topic))
    crawl.ranker.learn(link, visited.topic or 0.0, wanted)
    mentions: dict[str, Mention] = {}
    shown = visited.page if is_on else None
    for each in shown.links if shown else ():
        other = origin(each.url)
        if shown and other != str(site) and other not in mentions and len(mentions) < MAX_NEIGHBOURS:
            mentions[other] = mention_of(each, other, shown, visited.topic, wanted)
    kept = replace(visited, page=None, doors=(), why=page.choice.why)
    return SiteSearch(
        site, crawl.rules.strategy, (kept,), tuple(doors), tuple(mentions), error=str(visited.failure or ""),
        error_kind=visited.failure.counted_as if visited.failure else "", mentions=tuple(mentions.values()),
        topic=visited.topic, relevant=wanted,
    )  # fmt: skip


def _rank_links(crawl: _PageCrawl, visited: Visit) -> Iterable[tuple[int, LinkChoice]]:
    """Yield the links of a page with the queues they wait in; those of a page off the topic come last."""
    page, link = visited.page, visited.link
    if page is None:
        return
    site, topic = origin(page.url), visited.topic or 0.0
    is_on = _is_on(crawl, visited) or site in crawl.chosen
    if not is_on and crawl.rules.ends_off_topic:
        return
    for each in page.links:
        is_own = origin(each.url) == site
        depth = link.depth + 1 if is_own else 0
        if depth > crawl.rules.depth or names_a_file(each.url) or (not is_own and "nofollow" in each.rel):
            continue
        rank = crawl.ranker.rank(each, page, topic, link.depth)
        if rank:
            queue, score = rank if is_on else (DOUBTFUL_QUEUE, topic)
            yield queue, LinkChoice(each._replace(depth=depth), score, why=f"queue {queue}, score {score:.3f}")


def _is_on(crawl: _PageCrawl, visited: Visit) -> bool:
    """Return True if a page may give forms and links: it is likely on the topic, or there is none."""
    return visited.topic is None or visited.topic >= crawl.rules.on_topic
