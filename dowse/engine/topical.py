"""Crawls on a topic: site by site (`focused`, `smart`) or page by page (`levels:N`), the worthiest first.

After each site the ranker learns, sites that it named are ranked, and where too few wait, pages that name known sources are
looked up elsewhere (reverse search). All that is learned goes to the store as sums, for the next crawl of the topic.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Container, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random

from dowse.crawl.pages import PageRules, begin_pages, crawl_pages
from dowse.crawl.site import VisitLink, mention_of
from dowse.engine.job import FindRun
from dowse.engine.workers import OnTopic, count_visit, search_sites
from dowse.errors import BadInput
from dowse.fetch import Fetch, Render
from dowse.fetch.build import Fetches
from dowse.model import ON_TOPIC, Link, Mention, Page, SeenOnSite, SiteSearch, Visit
from dowse.reasons import StopReason
from dowse.seeds.backlinks import Backlink, Backlinks, HostGraph, SearxngSearch, ask_all
from dowse.settings import FindSettings
from dowse.step.visit import judge_topics, shipped_topics
from dowse.step.visit import visit as follow
from dowse.store import Store
from dowse.store.frontier import (
    add_lessons,
    add_mentions,
    count_ranked,
    keep_ranks,
    promote_queue,
    read_best_worth,
    read_known,
    read_lessons,
    read_likely,
    read_relevant,
    read_unranked,
    reopen_off_topic,
)
from dowse.strategy.focused import BASE, ENOUGH_WAITING, LEAST_WORTH, FocusedRanker, FocusedStrategy
from dowse.strategy.guide import SiteRanker, Strategy
from dowse.strategy.levels import LevelsRanker, PageRanker, load_levels, read_levels
from dowse.strategy.smart import HIGH, LOW, SmartRanker, SmartRules, SmartStrategy
from dowse.topic import Topic, load_topic
from dowse.url import origin, site_of

RANKED_AT_ONCE = 500  # sites that are ranked in one go
FEW_CANDIDATES = 20  # sites that wait, below which pages that name known sources are looked up
MAX_WORDS_ASKED = 10  # words of a topic that a search engine is asked for: the first ones say most
# Known sources that a page has to name to count as a directory of the topic. With three, as it was, a crawl from ten sites found no
# directory and ended (jobs of family A: 11 forms in 354 pages, where it now goes on to 68): the paper began with a hundred sites.
KNOWN_ON_A_CENTRE = 2
LEAST_SAID = (
    0.02  # how likely a page that was looked up has to be on the topic by what the search engine says of it, to be read
)
LOOKED_UP = "looked up"  # lessons: sites whose mentions were looked up, and pages that were read for it


@dataclass(slots=True)
class SiteDemand:
    """Knows when sites are wanted: too few wait that are worth a page."""

    few: int = FEW_CANDIDATES  # sites that wait and are worth a page, below which more are looked up
    least: Callable[[], float] = lambda: 0.0  # what a site has to be worth to count among them
    best: float = 0.0  # what the best site that waits is worth, as of the last time that sites were ranked

    def is_open(self, store: Store) -> bool:
        """Return True if more sites are wanted."""
        return count_ranked(store, most=self.few, least=self.least()) < self.few


@dataclass(slots=True)
class SiteCrawl:
    """The parts of a crawl on a topic, site by site."""

    topic: Topic
    strategy: Strategy
    ranker: SiteRanker
    visit: VisitLink
    backlinks: Sequence[Backlinks] = ()
    queues: bool = False  # whether the second queue is taken up when the first is empty
    demand: SiteDemand = field(default_factory=SiteDemand)
    rng: Random = field(default_factory=lambda: Random(1))
    trusts_topic: bool = (
        False  # whether a page that was looked up counts, too, where it is on the topic; else as paper 5 has it
    )


def visit_on_topic(topic: Topic, fetch: Fetch, render: Render | None = None) -> VisitLink:
    """Return what follows a link and says how likely its page and its forms are on the topic, and on others."""
    topics = [topic, *(each for each in shipped_topics() if each.name != topic.name)]

    async def visit_link(link: Link, seen: SeenOnSite) -> Visit:
        return judge_topics(await follow(link, fetch, seen, render=render), topics, topic)

    return visit_link


def open_site_crawl(
    name: str, topic: Topic, visit: VisitLink, backlinks: Sequence[Backlinks] = (), least: float = LEAST_WORTH
) -> SiteCrawl:
    """Return the crawl that is called so; the least that a page has to promise is known to `focused` alone."""
    if name == "smart":
        rules = SmartRules()
        return SiteCrawl(
            topic,
            SmartStrategy.begin(topic.words, rules),
            SmartRanker.begin(topic.words, rules),
            visit,
            backlinks,
            queues=True,
        )
    return open_focused(topic, FocusedRanker(topic), visit, backlinks, least)


def open_focused(
    topic: Topic,
    ranker: FocusedRanker,
    visit: VisitLink,
    backlinks: Sequence[Backlinks] = (),
    least: float = LEAST_WORTH,
) -> SiteCrawl:
    """Return our own crawl: a site is worth a page when it promises as much as the next page of another has to."""
    strategy = FocusedStrategy(topic, least=least)
    return SiteCrawl(
        topic, strategy, ranker, visit, backlinks,
        demand=SiteDemand(least=lambda: strategy.page_worth(ENOUGH_WAITING)), trusts_topic=True,
    )  # fmt: skip


async def search_on_topic(
    store: Store,
    run: FindRun,
    fetch: Fetch,
    settings: FindSettings,
    crawl: SiteCrawl,
    *,
    before_commit: Callable[[], None] = lambda: None,
) -> AsyncIterator[SiteSearch | str]:
    """Search sites by what they are worth; yield each search once it is committed, and lines to print."""
    name = crawl.topic.name
    lessons = {kind: read_lessons(store, name, kind) for kind in LESSONS}
    for learner in (crawl.ranker, crawl.strategy):
        learner.recall(lessons)
    await asyncio.to_thread(reopen_off_topic, store, run.id, str(StopReason.OFF_TOPIC))
    await asyncio.to_thread(rank_waiting, store, crawl)
    on = OnTopic(
        name, crawl.strategy, crawl.visit, lambda site: read_likely(store, str(site)) or BASE, lambda: crawl.demand.best
    )
    if settings.discover and crawl.backlinks and not run.seeds and crawl.demand.is_open(store):
        for line in await find_more(store, run, crawl):
            yield line
    async for search in search_sites(store, run, fetch, settings, before_commit=before_commit, on=on):
        if not search.under_way and any(not visited.link.depth for visited in search.visits):  # not when it goes on
            await asyncio.to_thread(_learn, store, crawl, search)
        await asyncio.to_thread(rank_waiting, store, crawl)
        if settings.discover and crawl.backlinks and crawl.demand.is_open(store):
            for line in await find_more(store, run, crawl):
                yield line
        yield search


LESSONS = ("smart link", "smart site", "focused counted", "focused expected", "focused forms", "focused pages")


def _learn(store: Store, crawl: SiteCrawl, search: SiteSearch) -> None:
    """Learn from a site, and keep that."""
    crawl.ranker.learn(search, read_known(store, str(search.site)))
    for learner in (crawl.ranker, crawl.strategy):
        for kind, amounts in learner.take_lessons().items():
            if amounts:
                add_lessons(store, crawl.topic.name, kind, amounts)


def rank_waiting(store: Store, crawl: SiteCrawl) -> None:
    """Return what is expected of the sites that wait and of which nobody has said so, or that were named again."""
    while known := read_unranked(store, RANKED_AT_ONCE):
        keep_ranks(store, [crawl.ranker.rank(each) for each in known])
    crawl.demand.best = read_best_worth(store)
    if crawl.queues and not count_ranked(store, HIGH, 1):
        promote_queue(store, LOW, HIGH)


# -- reverse search (paper 5): pages that name a known source may name others


async def find_more(store: Store, run: FindRun, crawl: SiteCrawl) -> list[str]:
    """Look up pages that name known sources, or are about the topic while there is no source, until enough sites wait.

    Return why that failed, where it did.
    """
    said: list[str] = []
    while (
        (ways := [way for way in crawl.backlinks if not way.refused])
        and crawl.demand.is_open(store)
        and not run.why_stop()
    ):
        # seeds are known sources, too (paper 5, getDeepWebSite)
        sources = read_relevant(store, run.id)
        known = list(dict.fromkeys([*sources, *(str(seed.site) for seed in run.seeds)]))
        done = read_lessons(store, crawl.topic.name, LOOKED_UP)
        asked = _choose_asked(crawl, known, done, has_source=bool(sources))
        if not asked:
            break
        costs = sum(way.costs for way in ways)
        run.started += costs
        run.tally.pages += costs
        pages, refusals = await ask_all(ways, site_of(asked) if asked in known else asked)
        said += refusals
        looked = {asked: 1.0}
        for url in choose_results(crawl, pages):
            if run.why_stop():
                break
            if url in done:  # a directory names many sources
                continue
            if await _look_at_result(store, run, crawl, url, frozenset(known)) or crawl.trusts_topic:
                looked[url] = 1.0
        add_lessons(store, crawl.topic.name, LOOKED_UP, looked)
        await asyncio.to_thread(rank_waiting, store, crawl)
        if asked not in known and len(looked) > 1:  # candidates first: one of them may be a source
            break
    return list(dict.fromkeys(said))


def _choose_asked(crawl: SiteCrawl, known: Sequence[str], done: Container[str], *, has_source: bool) -> str:
    """Return a known site that was not looked up, or a word of the topic where there is no source to go by; else nothing."""
    if left := [site for site in known if site not in done]:
        return crawl.rng.choice(left)
    may_ask = crawl.trusts_topic and not has_source
    return next((word for word in crawl.topic.words[:MAX_WORDS_ASKED] if may_ask and word not in done), "")


def choose_results(crawl: SiteCrawl, pages: Sequence[Backlink]) -> list[str]:
    """Return the pages to read: all, as in paper 5, or those whose title and excerpt may be on the topic, the likeliest first."""
    if not crawl.trusts_topic:
        return [page.url for page in pages]
    said = {
        page.url: crawl.topic.page_probability(page.title, page.text) if page.title or page.text else 1.0
        for page in pages
    }
    return sorted((url for url, likely in said.items() if likely >= LEAST_SAID), key=lambda url: -said[url])


async def _look_at_result(store: Store, run: FindRun, crawl: SiteCrawl, url: str, known: frozenset[str]) -> bool:
    """Read a page that names a known source; return True if all it names are candidates: it has a wanted form, or names several sources."""
    run.started += 1
    visited = await crawl.visit(Link(url), SeenOnSite())
    count_visit(run.tally, visited, crawl.topic.name)
    page = visited.page
    if page is None:
        return False
    forms = sum(1 for door in visited.doors if door.is_wanted(crawl.topic.name))
    mentions = {mention.site: mention for mention in name_sites(page, visited.topic, forms)}
    is_on = crawl.trusts_topic and (visited.topic or 0.0) >= ON_TOPIC
    if not forms and not is_on and len(known & set(mentions)) < KNOWN_ON_A_CENTRE:
        return False
    own = Mention(origin(page.url), page.url, page.url, page.title, "", page.link_count, visited.topic, forms)
    await asyncio.to_thread(add_mentions, store, run.id, page.url, [*mentions.values(), own], "reverse search")
    return True


def name_sites(page: Page, topic: float | None, forms: int) -> list[Mention]:
    """Return how a page names other sites."""
    own = origin(page.url)
    links = [(origin(link.url), link) for link in page.links if "nofollow" not in link.rel]
    return [mention_of(link, site, page, topic, forms) for site, link in links if site != own]


# -- page by page


async def crawl_on_topic(
    store: Store,
    run: FindRun,
    topic: Topic,
    visit: VisitLink,
    ranker: PageRanker,
    rules: PageRules,
) -> AsyncIterator[SiteSearch]:
    """Crawl page by page from the seeds of the run; yield each page once it is committed."""
    begin_pages(store, run.id, run.seeds)

    async def visit_counted(link: Link, seen: SeenOnSite) -> Visit:
        run.started += 1
        visited = await visit(link, seen)
        run.started -= bool(visited.failure and not visited.failure.asked)
        count_visit(run.tally, visited, topic.name)
        return visited

    chosen = [str(seed.site) for seed in run.seeds]
    pages = crawl_pages(
        store, run.id, visit_counted, ranker, rules, topic=topic.name, chosen=chosen, why_stop=run.why_stop
    )
    async for part in pages:
        yield part


# -- as `dowse find --topic` does it

STRATEGIES = ("focused", "smart", "levels")


def check_topical(settings: FindSettings) -> None:
    """Refuse a mistake before it costs anything."""
    name, _, parameters = settings.strategy.partition(":")
    if name not in (*STRATEGIES, "learned"):
        raise BadInput(
            f"on a topic there is {', '.join(STRATEGIES)} (as in levels:3), no strategy {settings.strategy!r}"
        )
    if name == "levels":
        read_levels(parameters)
    elif parameters:
        raise BadInput(f"{name} takes no number")
    load_topic(settings.topic)
    for path in settings.graph or ():
        if not Path(path).is_file():
            raise BadInput(f"no file {path}")


def topic_name(settings: FindSettings) -> str:
    """Return what the topic of a search is called; nothing where it has none."""
    return load_topic(settings.topic).name if settings.topic else ""


def open_backlinks(store: Store, run: FindRun, fetch: Fetch, settings: FindSettings) -> list[Backlinks]:
    """Return the ways to pages that name known sources."""
    ways: list[Backlinks] = []
    if settings.searxng:
        ways.append(SearxngSearch(fetch, settings.searxng))
    if settings.graph:
        hosts = [site_of(url).host for url in read_relevant(store, run.id)] or [seed.site.host for seed in run.seeds]
        ways.append(HostGraph.read(Path(settings.graph[0]), Path(settings.graph[1]), hosts))
    return ways


async def search_wanted(
    store: Store, run: FindRun, fetches: Fetches, settings: FindSettings
) -> AsyncIterator[SiteSearch | str]:
    """Search for query forms on a topic with the strategy that was named, `focused` unless another was."""
    topic = load_topic(settings.topic)
    settings = replace(settings, audit=0.0)  # what is left here is left for the topic, not for want of forms
    fetch = fetches.within_site
    visit = visit_on_topic(topic, fetch, fetches.render)
    name, _, parameters = settings.strategy.partition(":")
    if name == "levels":
        ranker = LevelsRanker(load_levels(read_levels(parameters), settings.topic, topic.name))
        site_pages = min(settings.site_pages, PageRules().site_pages)
        rules = PageRules(settings.jobs, site_pages, strategy=settings.strategy)
        async for part in crawl_on_topic(store, run, topic, visit, ranker, rules):
            fetches.flush()
            yield part
        return
    try:
        backlinks = open_backlinks(store, run, fetch, settings)
    except (
        BadInput
    ) as error:  # the files of a graph take hours to get, and the rest of the crawl is as good without them
        yield f"{error}; the crawl goes on without it"
        backlinks = open_backlinks(store, run, fetch, replace(settings, graph=None))
    least = 0.0 if settings.pages else LEAST_WORTH  # whoever names a number of pages wants them spent
    crawl = open_site_crawl(name, topic, visit, backlinks, least)
    async for event in search_on_topic(store, run, fetch, settings, crawl, before_commit=fetches.flush):
        yield event
