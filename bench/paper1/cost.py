"""What the decisions of a strategy cost beside fetching, reading and judging a page, in CPU time."""

from __future__ import annotations

import tarfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from time import process_time
from typing import Any
from urllib.parse import unquote

import uvloop

from bench.paper1.facts import OURS, Plan
from bench.paper1.real import DATA, find_entrance, read_webkb, serve
from bench.paper1.workers import Say, Task, open_fetch, pick_seeds, seed_of
from dowse.crawl.site import search_site
from dowse.fetch import Fetch
from dowse.form.judge import load_models
from dowse.model import Failure, Link, LinkChoice, Request, Response, Seed, SeenOnSite, Site, Visit
from dowse.page import document as read
from dowse.reasons import StopReason
from dowse.settings import FindSettings
from dowse.step.visit import visit
from dowse.strategy import NO_OUTLOOK, Guide, LinkOutcome, Outlook, Strategy, build_strategy
from dowse.url import site_of

STRATEGIES = ("navmenu:3", "tagpath", OURS)
ACHE = "ache_topic_pages.tar.xz"
REPEATS = 3


@dataclass(slots=True)
class Clock:
    """CPU seconds by what they were spent on, of the thread for large pages too."""

    decide: float = 0.0
    layout: float = 0.0
    fetch: float = 0.0
    whole: float = 0.0
    pages: int = 0

    def time(self, what: str, function: Callable[..., Any], *words: Any) -> Any:
        """Call a function and add its time."""
        begun = process_time()
        result = function(*words)
        setattr(self, what, getattr(self, what) + process_time() - begun)
        return result

    def sum_up(self) -> dict[str, float]:
        """Return milliseconds of a page, and which part of them decisions take."""
        pages, deciding = max(1, self.pages), self.decide + self.layout
        return {
            "pages": self.pages,
            "page ms": 1000 * self.whole / pages,
            "fetch ms": 1000 * self.fetch / pages,
            "decide ms": 1000 * self.decide / pages,
            "layout ms": 1000 * self.layout / pages,
            "share": deciding / (self.whole or 1.0),
            "share without fetching": deciding / ((self.whole - self.fetch) or 1.0),
        }


@dataclass(frozen=True, slots=True)
class TimedGuide(Guide):
    """A guide whose decisions are timed."""

    guide: Guide
    clock: Clock

    def learn(self, seen: LinkOutcome) -> Iterable[LinkChoice]:
        """Time what is learned and chosen."""
        chosen: list[LinkChoice] = self.clock.time("decide", lambda: list(self.guide.learn(seen)))
        return chosen

    def why_not(self, link: Link) -> str:
        """Time a reason."""
        return str(self.clock.time("decide", self.guide.why_not, link))

    def explain(self, link: Link) -> str:
        """Time an explanation."""
        return str(self.clock.time("decide", self.guide.explain, link))

    def pick(self, heads: Mapping[str, LinkChoice]) -> str:
        """Time a pick."""
        return str(self.clock.time("decide", self.guide.pick, heads))

    def why_stop(self, choice: LinkChoice) -> StopReason | None:
        """Time whether to stop."""
        reason: StopReason | None = self.clock.time("decide", self.guide.why_stop, choice)
        return reason


@dataclass(frozen=True, slots=True)
class Timed(Strategy):
    """A strategy whose guides are timed."""

    strategy: Strategy
    clock: Clock
    depth: int = field(init=False)
    looks: bool = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "depth", self.strategy.depth)
        object.__setattr__(self, "looks", self.strategy.looks)

    def open(self, site: Site, outlook: Outlook = NO_OUTLOOK) -> TimedGuide:
        """Return a timed guide."""
        guide: Guide = self.clock.time("decide", self.strategy.open, site)
        return TimedGuide(guide, self.clock)


def run_cost(plan: Plan, say: Say) -> dict[str, Any]:
    """Time the strategies on simulated and on real pages; the middle one of a few turns counts."""
    load_models()
    world = Task(plan.family, plan.seed, plan.extent.world).world()
    sites = [seed_of(world, index) for index in pick_seeds(world, plan.extent.cost, plan.seed)]
    kept = sorted(read_webkb().values(), key=len)[-plan.extent.cost :]
    hosts = [(find_entrance(pages), serve(pages)) for pages in kept]
    ways: dict[str, Callable[[str], Clock]] = {
        "simulated sites": lambda name: time_sites(name, [(seed, open_fetch(world)) for seed in sites]),
        "university hosts of 1997": lambda name: time_sites(name, hosts),
        "pages of the news, each alone": lambda name: time_pages(name, read_ache(plan.extent.cost * 4)),
    }
    told: dict[str, Any] = {}
    for way, measure in ways.items():
        for name in STRATEGIES:
            turns = sorted((measure(name).sum_up() for _ in range(REPEATS)), key=lambda each: each["share"])
            told.setdefault(way, {})[name] = turns[len(turns) // 2]
            say(f"    {way}, {name}: {told[way][name]['share']:.3f}")
    return told


def time_sites(name: str, sites: Iterable[tuple[Seed, Fetch]]) -> Clock:
    """Search sites live with one strategy."""
    clock = Clock()
    strategy = Timed(build_strategy(name), clock)

    async def search() -> None:
        for seed, fetch in sites:
            timed = time_fetch(fetch, clock)

            async def visit_link(link: Link, seen: SeenOnSite, fetch: Fetch = timed) -> Visit:
                return await visit(link, fetch, seen)

            found = await search_site(seed, strategy, visit_link, site_pages=FindSettings().site_pages)
            clock.pages += len(found.visits)

    with timed_layout(clock):
        clock.time("whole", lambda: uvloop.run(search()))
    return clock


def time_fetch(fetch: Fetch, clock: Clock) -> Fetch:
    """Return a Fetch whose time is taken; nothing else runs while it does."""

    async def fetch_timed(request: Request) -> Response | Failure:
        begun = process_time()
        response = await fetch(request)
        clock.fetch += process_time() - begun
        return response

    return fetch_timed


def time_pages(name: str, responses: Iterable[Response]) -> Clock:
    """Read pages each alone, with the decisions that one page asks for."""
    clock = Clock()
    strategy = Timed(build_strategy(name), clock)
    read = list(responses)

    async def decide() -> None:
        for response in read:
            await _decide_alone(strategy, response)
            clock.pages += 1

    with timed_layout(clock):
        clock.time("whole", lambda: uvloop.run(decide()))
    return clock


async def _decide_alone(strategy: Timed, response: Response) -> None:
    """Read one page as the first of its site, and pick one of its links."""

    async def fetch(request: Request) -> Response:
        return response

    visited = await visit(Link(response.url), fetch, SeenOnSite(layout=strategy.looks))
    site = site_of(response.url)
    if visited.page is None or site is None:
        return
    page, guide = visited.page, strategy.open(site)
    links = [link._replace(depth=1) for link in page.links if link.url.startswith(f"{site}/")]
    heads: dict[str, LinkChoice] = {}
    for choice in guide.learn(LinkOutcome(visited.link, page, links, page.urls, 0, 0)):
        heads.setdefault(choice.kind, choice)
    if heads:
        guide.why_stop(heads[guide.pick(heads)])


@contextmanager
def timed_layout(clock: Clock) -> Iterator[None]:
    """Time how pages are laid out, which only some strategies ask for."""
    plain = read._find_groups
    read._find_groups = lambda *words: clock.time("layout", plain, *words)
    try:
        yield
    finally:
        read._find_groups = plain


def read_ache(most: int) -> Iterator[Response]:
    """Yield whole pages of the news and the like, as they came."""
    with tarfile.open(DATA / "pages" / ACHE) as tar:
        for member in tar:
            url, inside = unquote(member.name.rpartition("/")[2]), tar.extractfile(member)
            if inside is None or site_of(url) is None:
                continue
            if most <= 0:
                return
            most -= 1
            yield Response(url, 200, (("content-type", "text/html"),), inside.read())
