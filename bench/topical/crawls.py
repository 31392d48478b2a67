"""One crawl on a topic over a simulated web with topics in it, and what it found by the world's truth."""

from __future__ import annotations

import os
import pickle
import sqlite3
import zlib
from collections.abc import AsyncIterator
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.places import ROOT, SCRATCH
from bench.topical.ache import AcheRanker
from dowse.crawl.pages import PageRules
from dowse.engine.find import begin_run
from dowse.engine.job import FindRun
from dowse.engine.topical import SiteCrawl, SiteDemand, crawl_on_topic, open_focused, search_on_topic
from dowse.fetch import Fetch
from dowse.model import Failure, KnownSite, Link, Request, Response, Seed, SeenOnSite, SiteRank, SiteSearch, Visit
from dowse.seeds.backlinks import MAX_RESULTS, SearxngSearch
from dowse.seeds.lists import read_seed
from dowse.settings import FindSettings
from dowse.sim import World
from dowse.sim.score import is_same_form
from dowse.sim.topical.oracle import Oracle, relevant_forms
from dowse.step.visit import judge_topics, visit
from dowse.store import Store, open_store
from dowse.strategy.exhaustive import Exhaustive
from dowse.strategy.focused import FocusedRanker
from dowse.strategy.levels import BestFirst, LevelsRanker, PageRanker, shipped_levels
from dowse.strategy.smart import SmartRanker, SmartRules, SmartStrategy
from dowse.topic import Topic, load_topic
from dowse.url import site_of

SEEDS = 10  # sites that every crawl starts from
NO_LIMIT = 1_000_000
KEPT_VISITS = 40_000  # pages that are kept read for the next crawl of the same world
OTHER_HALF = SCRATCH / "topics-other-half"  # made by `python -m bench.topicwords train`
QUICK = (
    "/dev/shm" if Path("/dev/shm").is_dir() else None
)  # where stores of crawls are: measured is what they find, not the disk


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
        """Make the world; the index of its search engine is kept on disk, it takes ten seconds for 50,000 sites."""
        world = make_world(self)
        kept = _place_of_visits(self).with_suffix(".index")
        engine = world._engine
        if kept.exists():
            engine.__dict__["_index"] = pickle.loads(kept.read_bytes())
        else:
            part = kept.with_suffix(f".{os.getpid()}")
            part.write_bytes(pickle.dumps(engine._index))
            part.rename(kept)
        return world


def make_world(task: CrawlTask) -> World:
    """Make the world of a crawl, its search engine without an index."""
    return World(seed=task.world_seed, sites=task.sites, family=task.family, topics="power-law")


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
    """Pages of one world that were read, for all crawls over it: reading costs most, and is the same for all.

    They are kept on disk for as long as what reads them stays the same; how likely they are on the topic is said anew.
    """

    def __init__(self, task: CrawlTask, fetch: Fetch, topic: Topic) -> None:
        self.fetch, self.wanted = fetch, topic
        self.known: dict[str, Visit] = {}
        self.kept = sqlite3.connect(_place_of_visits(task), timeout=60, isolation_level=None)
        self.kept.execute("PRAGMA journal_mode = WAL")
        self.kept.execute("PRAGMA synchronous = OFF")
        self.kept.execute("CREATE TABLE IF NOT EXISTS visit (url TEXT PRIMARY KEY, visit BLOB) WITHOUT ROWID")
        self.kept.execute("CREATE TABLE IF NOT EXISTS answer (url TEXT PRIMARY KEY, answer BLOB) WITHOUT ROWID")

    async def __call__(self, link: Link, seen: SeenOnSite) -> Visit:
        """Return what a link leads to, in full whatever was seen before."""
        found = self.known.get(link.url)
        if found is None:
            found = judge_topics(await self._read(link), [self.wanted], self.wanted)
            if len(self.known) < KEPT_VISITS:
                self.known[link.url] = found
        if not found.doors:
            return replace(found, link=link)
        return replace(found, link=link, doors=tuple(replace(door, depth=link.depth) for door in found.doors))

    async def _read(self, link: Link) -> Visit:
        row = self.kept.execute("SELECT visit FROM visit WHERE url = ?", (link.url,)).fetchone()
        if row:
            return pickle.loads(zlib.decompress(row[0]))
        visited = await visit(link, self.fetch, SeenOnSite(layout=True))
        packed = zlib.compress(pickle.dumps(visited, pickle.HIGHEST_PROTOCOL), 1)
        self.kept.execute("INSERT OR IGNORE INTO visit VALUES (?, ?)", (link.url, packed))
        return visited

    async def search(self, request: Request) -> Response | Failure:
        """Return what the search engine of the world answers."""
        row = self.kept.execute("SELECT answer FROM answer WHERE url = ?", (request.url,)).fetchone()
        if row:
            return Response(request.url, 200, (("content-type", "application/json"),), row[0])
        answer = await self.fetch(request)
        if isinstance(answer, Response) and answer.status == 200:
            self.kept.execute("INSERT OR IGNORE INTO answer VALUES (?, ?)", (request.url, answer.body))
        return answer


# What the reading of a page of a world hangs on.
_READERS = ("fetch", "page", "form", "sim", "step", "words", "learn")


@cache
def _digest_of_readers() -> str:
    digest = sha256()
    for name in _READERS:
        for path in sorted(
            each for each in (ROOT / "dowse" / name).rglob("*") if each.suffix in (".py", ".json", ".toml", ".tsv")
        ):
            digest.update(path.read_bytes())
    return digest.hexdigest()[:12]


def _place_of_visits(task: CrawlTask) -> Path:
    folder = SCRATCH / "topical" / f"visits-{_digest_of_readers()}"
    folder.mkdir(parents=True, exist_ok=True)
    return folder / f"{task.family}-{task.world_seed}-{task.sites}.db"


def start_sites(world: World, topic: str, seed: int, count: int = SEEDS) -> list[Seed]:
    """Return the sites that all crawls of a topic start from."""
    return [read_seed(address) for address in open_oracle(world).choose_starts(topic, count, seed)]


@lru_cache(2)
def open_oracle(world: World) -> Oracle:
    """Return who knows a world: it takes seconds to find the sites of a topic."""
    return Oracle(world)


def load_bench_topic(name: str) -> Topic:
    """Return the model of a topic that was trained on texts that did not give the world its words; where it is not at hand, the one that comes with Dowse."""
    kept = OTHER_HALF / f"{name.replace(' ', '-')}.json"
    return load_topic(kept if kept.exists() else name)


def open_search(visit: VisitCache, world: World, most: int = MAX_RESULTS) -> SearxngSearch:
    """Return the search engine of the world as a crawl asks it."""
    return SearxngSearch(visit.search, world.search_address.removesuffix("/search"), most=most)


# -- the crawlers by name


SMART_PARTS = {
    "smart": SmartRules(),
    # With the limit of `smart` it has no site left after 260 to 440 pages of family A, with this one it finds twice as much.
    "scdi": SmartRules(barren_pages=10, ranked=False, adaptive=False, tree=False, queues=False),
    "smart without queues": SmartRules(queues=False),
    "smart without adaptation": SmartRules(adaptive=False),
    "smart without link tree": SmartRules(tree=False),
}
KNOWS_TOPICS = "focused that knows every site's topic"
WITHOUT_REVERSE = ("scdi", "smart without reverse search", "focused without reverse search")


@dataclass(slots=True)
class TruthRanker(FocusedRanker):
    """Knows every site's topic, and nothing else: how far a crawl could get by better knowledge of topics alone."""

    world: World | None = None

    def rank(self, known: KnownSite) -> SiteRank:
        """Return what a site is worth by its topic."""
        assert self.world is not None
        index = self.world.host_index(site_of(known.site).host)
        is_on = index is not None and self.world.traits(index).topic == self.topic.name  # type: ignore[attr-defined]
        likely = 0.999 if is_on else 0.001
        return SiteRank(known.site, likely, 0, known.way or "link", "by the truth", likely)

    def learn(self, search: SiteSearch, known: KnownSite) -> None:
        """Learn nothing: it knows."""


def open_crawl(name: str, topic: Topic, visit: VisitCache, world: World) -> SiteCrawl:
    """Return a crawl site by site."""
    is_eager = name == "smart, top 10"
    backlinks = [] if name in WITHOUT_REVERSE else [open_search(visit, world, 10 if is_eager else MAX_RESULTS)]
    if name == "fixed depth 3":
        return SiteCrawl(topic, Exhaustive(3), SmartRanker(SMART_PARTS["scdi"]), visit)
    rules = SMART_PARTS.get(name) or (SmartRules() if name.startswith("smart") else None)
    if rules:
        strategy, ranker = SmartStrategy.begin(topic.words, rules), SmartRanker.begin(topic.words, rules)
        demand = SiteDemand(NO_LIMIT) if is_eager else SiteDemand()
        return SiteCrawl(topic, strategy, ranker, visit, backlinks, rules.queues, demand)
    if name == KNOWS_TOPICS:
        return open_focused(topic, TruthRanker(topic, world=world), visit, backlinks)
    ranker = FocusedRanker(topic, explores="exploration" not in name, adapts="adaptation" not in name)
    return open_focused(topic, ranker, visit, backlinks)


def open_ranker(name: str, topic: str) -> tuple[PageRanker, PageRules]:
    """Return a crawl page by page."""
    if name == "best-first":
        return BestFirst(), PageRules(site_pages=NO_LIMIT, site_forms=NO_LIMIT)
    if name == "best-first, stopping":
        return BestFirst(), PageRules()
    if name == "ache-like":
        return AcheRanker(), PageRules()
    return LevelsRanker(shipped_levels(int(name.partition(":")[2]), topic)), PageRules()


PAGE_BASED = ("best-first", "best-first, stopping", "ache-like", "levels:1", "levels:2", "levels:3", "levels:4")


async def crawl(name: str, task: CrawlTask, world: World, visit: VisitCache) -> CrawlResult:
    """Crawl in one way and return the curve."""
    topic = visit.wanted
    referee, points = Referee(world, task.topic), list[tuple[int, int, int, int]]()
    with TemporaryDirectory(dir=QUICK) as folder, open_store(str(Path(folder) / "dowse.db")) as store:
        settings = FindSettings(topic=task.topic, pages=task.pages, jobs=task.jobs, audit=0.0)
        run = begin_run(store, start_sites(world, task.topic, task.start), settings)
        async for event in _events(name, store, run, settings, topic, visit, world):
            if isinstance(event, SiteSearch):
                referee.note(event)
                points.append((run.tally.pages, len(referee.forms), len(referee.sites), referee.wrong))
    return CrawlResult(tuple(points))


def _events(
    name: str, store: Store, run: FindRun, settings: FindSettings, topic: Topic, visit: VisitCache, world: World
) -> AsyncIterator[SiteSearch | str]:  # fmt: skip
    if name in PAGE_BASED:
        ranker, rules = open_ranker(name, topic.name)
        return crawl_on_topic(store, run, topic, visit, ranker, replace(rules, jobs=settings.jobs, strategy=name))
    return search_on_topic(store, run, visit.fetch, settings, open_crawl(name, topic, visit, world))
