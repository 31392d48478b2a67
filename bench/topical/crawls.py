"""One crawl on a topic over a simulated web with topics in it, and what it found by the world's truth."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from bench.topical.ache import AcheRanker
from dowse.crawl.pages import PageRules
from dowse.crawl.site import VisitLink
from dowse.engine.find import begin_run
from dowse.engine.job import FindRun
from dowse.engine.topical import FEW_CANDIDATES, SiteCrawl, crawl_on_topic, open_focused, search_on_topic
from dowse.model import Link, Seed, SeenOnSite, SiteSearch, Visit
from dowse.seeds.backlinks import MAX_RESULTS, SearxngSearch
from dowse.seeds.lists import read_seed
from dowse.settings import FindSettings
from dowse.sim import World, simulate
from dowse.sim.score import is_same_form
from dowse.sim.topical.oracle import Oracle, relevant_forms
from dowse.store import Store, open_store
from dowse.strategy.exhaustive import Exhaustive
from dowse.strategy.focused import FocusedRanker
from dowse.strategy.levels import BestFirst, LevelModel, LevelsRanker, PageRanker
from dowse.strategy.smart import SmartRanker, SmartRules, SmartStrategy
from dowse.topic import Topic, load_topic

SEEDS = 10  # sites that every crawl starts from
NO_LIMIT = 1_000_000
KEPT_VISITS = 40_000  # pages that are kept read for the next crawl of the same world


@dataclass(frozen=True, slots=True)
class CrawlTask:
    """A world, a topic, and where to start."""

    topic: str
    world_seed: int
    family: str = "B"
    sites: int = 20_000
    pages: int = 5_000
    start: int = 1  # seed of the starting sites
    jobs: int = 16

    def world(self) -> World:
        """Make the world."""
        return World(seed=self.world_seed, sites=self.sites, family=self.family, topics="power-law")


@dataclass(frozen=True, slots=True)
class CrawlResult:
    """What a crawl found: after so many pages, so many true forms and sites, and forms that were claimed in vain."""

    points: tuple[tuple[int, int, int, int], ...]

    def at(self, pages: int) -> tuple[int, int, int]:
        """Return forms, sites and false claims after so many pages."""
        before = [point for point in self.points if point[0] <= pages]
        return before[-1][1:] if before else (0, 0, 0)


@dataclass(slots=True)
class Referee:
    """Counts what was found by the truth, each form and site once."""

    world: World
    topic: str
    forms: set[str] = field(default_factory=set)
    sites: set[str] = field(default_factory=set)
    wrong: int = 0

    def note(self, search: SiteSearch) -> None:
        """Count the forms that are claimed to be on the topic."""
        claims = [door for door in search.doors if door.is_wanted(self.topic)]
        index = self.world.host_index(search.site.host) if claims else None
        if index is None:
            return
        relevant = relevant_forms(self.world.site(index), self.topic)
        for door in claims:
            claim = (door.form.action, frozenset(each.name for each in door.form.fields if each.name))
            right = [form for form in relevant if is_same_form(form, claim)]
            self.forms.update(form.id for form in right)
            self.sites.update([str(search.site)] if right else ())
            self.wrong += not right


class VisitCache:
    """Pages of one world that were read, for all crawls over it: reading costs most, and is the same for all."""

    def __init__(self, visit: VisitLink) -> None:
        self.visit = visit
        self.known: dict[str, Visit] = {}

    async def __call__(self, link: Link, seen: SeenOnSite) -> Visit:
        """Return what a link leads to, in full whatever was seen before."""
        found = self.known.get(link.url)
        if found is None:
            found = await self.visit(link, SeenOnSite(layout=seen.layout))
            if len(self.known) < KEPT_VISITS:
                self.known[link.url] = found
        doors = tuple(replace(door, depth=link.depth) for door in found.doors)
        return replace(found, link=link, doors=doors)


def start_sites(world: World, topic: str, seed: int) -> list[Seed]:
    """Return the sites that all crawls of a topic start from."""
    return [read_seed(address) for address in Oracle(world).choose_starts(topic, SEEDS, seed)]


# -- the crawlers by name


SMART_PARTS = {
    "smart": SmartRules(),
    "scdi": SmartRules(ranked=False, adaptive=False, tree=False, queues=False),
    "smart without queues": SmartRules(queues=False),
    "smart without adaptation": SmartRules(adaptive=False),
    "smart without link tree": SmartRules(tree=False),
}
WITHOUT_REVERSE = ("scdi", "smart without reverse search", "focused without reverse search")


def open_crawl(name: str, topic: Topic, visit: VisitLink, world: World, fetch: Any) -> SiteCrawl:
    """Return a crawl site by site."""
    is_eager = name == "smart, top 10"
    search = SearxngSearch(fetch, world.search_address.removesuffix("/search"), most=10 if is_eager else MAX_RESULTS)
    backlinks = [] if name in WITHOUT_REVERSE else [search]
    if name == "fixed depth 3":
        return SiteCrawl(topic, Exhaustive(3), SmartRanker(SMART_PARTS["scdi"]), visit)
    rules = SMART_PARTS.get(name) or (SmartRules() if name.startswith("smart") else None)
    if rules:
        strategy, ranker = SmartStrategy.begin(topic.words, rules), SmartRanker.begin(topic.words, rules)
        few = NO_LIMIT if is_eager else FEW_CANDIDATES
        return SiteCrawl(topic, strategy, ranker, visit, backlinks, rules.queues, few)
    ranker = FocusedRanker(topic, explores="exploration" not in name, adapts="adaptation" not in name)
    return open_focused(topic, ranker, visit, backlinks)


def open_ranker(name: str, levels: Callable[[int], LevelModel]) -> tuple[PageRanker, PageRules]:
    """Return a crawl page by page."""
    if name == "best-first":
        return BestFirst(), PageRules(site_pages=NO_LIMIT, site_forms=NO_LIMIT)
    if name == "best-first, stopping":
        return BestFirst(), PageRules()
    if name == "ache-like":
        return AcheRanker(), PageRules()
    return LevelsRanker(levels(int(name.partition(":")[2]))), PageRules()


PAGE_BASED = ("best-first", "best-first, stopping", "ache-like", "levels:1", "levels:2", "levels:3", "levels:4")


async def crawl(
    name: str, task: CrawlTask, world: World, visit: VisitLink, levels: Callable[[int], LevelModel]
) -> CrawlResult:
    """Crawl in one way and return the curve."""
    topic, fetch = load_topic(task.topic), simulate(world)
    referee, points = Referee(world, task.topic), list[tuple[int, int, int, int]]()
    with TemporaryDirectory() as folder, open_store(str(Path(folder) / "dowse.db")) as store:
        settings = FindSettings(topic=task.topic, pages=task.pages, jobs=task.jobs, audit=0.0)
        run = begin_run(store, start_sites(world, task.topic, task.start), settings)
        async for event in _events(name, store, run, settings, topic, visit, world, fetch, levels):
            if isinstance(event, SiteSearch):
                referee.note(event)
                points.append((run.tally.pages, len(referee.forms), len(referee.sites), referee.wrong))
    return CrawlResult(tuple(points))


def _events(
    name: str, store: Store, run: FindRun, settings: FindSettings, topic: Topic, visit: VisitLink, world: World, fetch: Any,
    levels: Callable[[int], LevelModel],
) -> AsyncIterator[SiteSearch | str]:  # fmt: skip
    if name in PAGE_BASED:
        ranker, rules = open_ranker(name, levels)
        return crawl_on_topic(store, run, topic, visit, ranker, replace(rules, jobs=settings.jobs, strategy=name))
    return search_on_topic(store, run, fetch, settings, open_crawl(name, topic, visit, world, fetch))
