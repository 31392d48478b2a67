"""The in-site search (paper 1, Fig. 7): the hands that a strategy decides for.

The searcher owns the queue, the depth, the limits and the trap defences. It never
touches the store: what it returns is committed whole or not at all.
"""

from __future__ import annotations

import asyncio
import re
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace

from dowse.crawl.sameness import Sameness
from dowse.crawl.shape import shape_of
from dowse.crawl.traps import Gain, Traps
from dowse.model import Door, Familiar, Link, Page, Seed, Site, SiteSearch, Skip, Visit
from dowse.step.probe import MOST_DOORS
from dowse.strategy import Strategy
from dowse.url import origin

SKIPS_KEPT = 100  # addresses kept per reason; all are counted
NEIGHBOURS_KEPT = 5_000
TELLING_TEXT = 200  # characters from which equal text means an equal page
ADDRESSES = 20_000  # addresses of one site that are remembered
DESCRIPTIONS = 3  # files that say how a site can be searched, which a site may cost
SILENCE = 5  # requests in a row without an answer after which a site counts as gone

_NOT_PAGES = re.compile(
    r"\.(?:jpe?g|png|gif|svg|webp|avif|ico|bmp|tiff?|css|js|mjs|json|xml|rss|atom|woff2?|ttf|eot|mp[34]|m4[av]|webm|ogg|wav|avi|mov|mpe?g|flv"
    r"|zip|gz|tgz|bz2|xz|7z|rar|tar|deb|rpm|exe|msi|dmg|iso|apk|jar|pdf|ps|eps|docx?|xlsx?|pptx?|odt|ods|odp|epub|mobi|csv|tsv|bin|swf|ics|vcf|torrent)$",
    re.IGNORECASE,
)

VisitLink = Callable[[Link, Familiar], Awaitable[Visit]]
AskDoors = Callable[[Sequence[Door], Page | None, int], Awaitable[tuple[Door, ...]]]


@dataclass(slots=True)
class _Search:
    """What one search has seen: thrown away when the site is done."""

    site: Site
    home: str
    queue: deque[Link] = field(default_factory=deque)
    seen: set[str] = field(default_factory=set)
    fetched: set[str] = field(default_factory=set)
    contents: set[int] = field(default_factory=set)
    descriptions: deque[Link] = field(default_factory=deque)  # files that say how the site can be searched
    described: int = 0  # how many of those there were
    site_pages: int = 0  # that may be fetched
    asked: int = 0  # doors that were put questions to
    silent: int = 0  # requests in a row that got no answer
    refused: str = ""  # why the first address was not even asked for
    visits: list[Visit] = field(default_factory=list)
    doors: dict[str, Door] = field(default_factory=dict)
    neighbours: dict[str, None] = field(default_factory=dict)
    skips: list[Skip] = field(default_factory=list)
    counts: dict[str, int] = field(default_factory=dict)
    traps: Traps = field(default_factory=Traps)
    sameness: Sameness = field(default_factory=Sameness)
    familiar: Familiar = field(default_factory=Familiar)

    def __post_init__(self) -> None:
        self.familiar = Familiar(self.seen, self.doors)

    def skip(self, url: str, reason: str) -> None:
        """Count an address that is not followed, and keep some of each reason as examples."""
        count = self.counts.get(reason, 0) + 1
        self.counts[reason] = count
        if count <= SKIPS_KEPT:
            self.skips.append(Skip(url, reason))

    def offer(self, link: Link, depth: int) -> bool:
        """Queue a link of this site that is new; say whether it was."""
        url = self.sameness.key(link.url)
        if url in self.seen:
            return False
        if len(self.seen) >= ADDRESSES:
            self.skip(url, "too many addresses on one site")
            return False
        self.seen.add(url)
        reason = self._not_a_page(link) or self.traps.judge(url, self.fetched)
        if reason:
            self.skip(url, reason)
            return False
        queue = self.descriptions if _describes(link) else self.queue
        queue.append(Link(url, link.text, link.nearby, link.rel, link.path, link.place, depth))
        return True

    def _not_a_page(self, link: Link) -> str:
        """Say why an address is no page, or nothing; a description is read like one, but only so many."""
        if not _describes(link):
            return "not a page by its name" if _NOT_PAGES.search(link.url.partition("?")[0]) else ""
        self.described += 1
        return "enough descriptions of services" if self.described > DESCRIPTIONS else ""

    def take(self) -> Link | None:
        """Return the next link that is still worth fetching; descriptions last, while there is still room for them.

        A page says more about a form than a description of the same form does, so it is to be read before.
        """
        while self.queue or self.descriptions:
            last = not self.queue or self.site_pages - len(self.visits) <= len(self.descriptions)
            link = self.descriptions.popleft() if self.descriptions and last else self.queue.popleft()
            url = self.sameness.key(link.url)
            reason = "same page as another address" if url in self.fetched else self.traps.judge_again(url)
            if not reason:
                self.fetched.add(url)
                return link
            self.skip(url, reason)
        return None


async def search_site(
    seed: Seed,
    strategy: Strategy,
    visit: VisitLink,
    *,
    site_pages: int,
    why_stop: Callable[[], str] = lambda: "",
    strategy_name: str = "",
    ask: AskDoors | None = None,
) -> SiteSearch:
    """Search one site from its entrance and return all that it gave."""
    search = _Search(seed.site, f"{seed.site}/", site_pages=site_pages)
    search.offer(Link(seed.site.root), 0)
    if seed.entrance != seed.site.root:
        search.offer(Link(seed.entrance), 0)
    stopped = ended_early = ""
    while link := search.take():
        ended_early = why_stop()
        stopped = ended_early or _limit_reached(search, site_pages)
        if stopped:
            search.queue.appendleft(link)
            break
        try:
            visited = await visit(link, search.familiar)
            if ask and visited.doors:
                visited = await _ask_doors(search, visited, ask)
        except asyncio.CancelledError:
            stopped = ended_early = why_stop()
            if not stopped:
                raise
            search.queue.appendleft(link)
            break
        _learn(search, visited, strategy)
    for link in (*search.queue, *search.descriptions):
        search.skip(link.url, f"stopped: {stopped}")
    return replace(_close(search), strategy=strategy_name, stopped=stopped, finished=not ended_early)


async def _ask_doors(search: _Search, visited: Visit, ask: AskDoors) -> Visit:
    """Return a visit with what its doors answered; only so many are asked on one site."""
    doors = await ask(visited.doors, visited.page, MOST_DOORS - search.asked)
    search.asked += sum(1 for door in doors if door.probe)
    return replace(visited, doors=doors)


def _limit_reached(search: _Search, site_pages: int) -> str:
    if len(search.visits) >= site_pages:
        return f"{site_pages} pages of one site"
    return f"{SILENCE} requests in a row without an answer" if search.silent >= SILENCE else ""


def _learn(search: _Search, visited: Visit, strategy: Strategy) -> None:
    """Take in what a visit brought: its outcome, its doors, and the links that the strategy chooses."""
    failure = visited.failure
    if failure and not failure.asked:
        search.refused = search.refused or str(failure)
        search.skip(visited.link.url, str(failure.why))
        return
    search.visits.append(
        Visit(visited.link, None, failure, (), visited.status, visited.digest, visited.moved, visited.seconds)
    )
    search.silent = search.silent + 1 if failure and not failure.status else 0
    if visited.left_site:
        search.neighbours[origin(visited.moved)] = None
    if visited.unrendered:
        search.skip(visited.link.url, f"not opened in a browser: {visited.unrendered}")
    for door in visited.doors:
        search.doors.setdefault(door.signature, door)
    arrived = not visited.moved or _arrive(search, search.sameness.key(visited.moved))
    if visited.page and arrived:
        _learn_page(search, visited.page, visited, strategy)


def _learn_page(search: _Search, page: Page, visited: Visit, strategy: Strategy) -> None:
    """Take in a page: what of it went over a bound, whether it was seen before, where it leads."""
    for what, count in page.dropped:
        search.counts[f"over the limit: {what}"] = search.counts.get(f"over the limit: {what}", 0) + count
    content = _content(page)
    if search.sameness.learn(visited.link.url, content):
        search.seen |= {search.sameness.key(url) for url in search.seen}
        search.fetched = {search.sameness.key(url) for url in search.fetched}
    if len(page.text) >= TELLING_TEXT and content in search.contents:
        own, outside = 0, 0  # its links were offered where the content was seen first
    else:
        search.contents.add(content)
        own, outside = _offer_links(search, page, visited.link, strategy)
    search.traps.note(visited.link.url, page, Gain(own, outside, len(visited.doors)))


def _arrive(search: _Search, url: str) -> bool:
    """Note that a redirect led to an address of this site; say whether it is new there."""
    search.seen.add(url)
    if url in search.fetched:
        return False
    search.fetched.add(url)
    return True


def _offer_links(search: _Search, page: Page, link: Link, strategy: Strategy) -> tuple[int, int]:
    """Queue the links the strategy chooses; count the new ones of the page's own shape and of others."""
    _note_neighbours(search, page)
    own = outside = 0
    home, seen, depth = search.home, search.seen, link.depth + 1
    chosen = strategy.choose(page, link.depth)
    if not chosen:
        _skip_unchosen(search, page, strategy.why_not(page, link.depth))
        return 0, 0
    shape = ""
    for found in (*filter(_describes, page.links), *chosen):  # no strategy sees the head of a page as a place to go
        if found.url in seen or not found.url.startswith(home):
            continue
        if search.offer(found, depth):
            shape = shape or shape_of(link.url)
            if shape_of(found.url) == shape:
                own += 1
            else:
                outside += 1
    return own, outside


def _skip_unchosen(search: _Search, page: Page, reason: str) -> None:
    for found in page.links:
        if found.url not in search.seen and found.url.startswith(search.home):
            if len(search.seen) < ADDRESSES:
                search.seen.add(found.url)
            search.skip(found.url, reason)


def _note_neighbours(search: _Search, page: Page) -> None:
    """Remember the other sites a page links to, unless it asks not to follow."""
    if "nofollow" in page.robots or len(search.neighbours) >= NEIGHBOURS_KEPT:
        return
    home = search.home
    for link in page.links:
        if not link.url.startswith(home) and "nofollow" not in link.rel:
            search.neighbours[origin(link.url)] = None


def _content(page: Page) -> int:
    """Return a number that equal contents share, within this process."""
    return hash((page.link_count, page.form_count, page.title, page.text))


def _describes(link: Link) -> bool:
    """Say whether a link leads to an OpenSearch description or an OpenAPI document."""
    return bool(link.rel) and ("service-desc" in link.rel or (link.rel == "search" and link.path.endswith("/link")))


def _close(search: _Search) -> SiteSearch:
    return SiteSearch(
        site=search.site,
        visits=tuple(search.visits),
        doors=tuple(search.doors.values()),
        neighbours=tuple(search.neighbours),
        skipped=tuple(search.skips),
        skip_counts=tuple(search.counts.items()),
        error=_error(search),
    )


def _error(search: _Search) -> str:
    """Say why a site gave nothing, when it gave nothing."""
    if any(visit.status and not visit.failure and not visit.left_site for visit in search.visits):
        return ""
    for visit in search.visits:
        if visit.left_site:
            return f"moved to {origin(visit.moved)}"
        if visit.failure:
            return str(visit.failure)
    return search.refused or "nothing was fetched"
