"""The map of a site around a sample page (paper 3, Figure 3): breadth first, and no more of one kind than it takes to know it."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from dowse.example.address import AddressKind, address_kind, ends_in_number, loose_address_kind
from dowse.example.follow import ExamplePage, OpenPage, failure_reason
from dowse.example.judge import Judge
from dowse.model import Failure, Request
from dowse.step.visit import offload
from dowse.tree.node import Node
from dowse.tree.similarity import shape_of

MIN_UNIFORM_PAGES: Final = 30  # pages of one kind of address that were all the same: the next ones will be, too
REJUDGE_PAGES: Final = 20  # after which likenesses may have moved the threshold
REJUDGE_FRACTION: Final = 10  # of a large map, a tenth more: judging compares every page again
MAX_KEPT_TREES: Final = 30  # of targets, to learn which parts vary
MAX_MAP_ADDRESSES: Final = 200_000  # that a map remembers; a site that shows more on its first pages generates them
MAX_TARGET_LINK_SHARE: Final = (
    0.3  # of all pages: a target that more of them link to stands in a menu or a box, and makes no page a list
)


@dataclass(frozen=True, slots=True)
class MappedPage:
    """A page of the map."""

    url: str
    depth: int  # clicks from the entry
    found_from: str
    links: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class MapLimits:
    """Where mapping stops."""

    pages: int = 1_000
    depth: int = 8


@dataclass(frozen=True, slots=True)
class SiteMap:
    """The pages of a site that were mapped, and which of them are like the sample."""

    entry: str
    pages: Mapping[str, MappedPage] = field(repr=False)
    targets: frozenset[str] = field(repr=False)  # the pages that are like the sample
    judge: Judge = field(repr=False)
    presumed: Mapping[str, str] = field(
        default_factory=dict, repr=False
    )  # addresses like targets' that were not opened, and where they were found
    unopened: tuple[str, ...] = ()  # addresses of kinds that were known by then
    deepest: frozenset[str] = frozenset()  # pages at the limit of depth: nobody knows where they lead
    failures: Mapping[str, int] = field(default_factory=dict)  # by reason
    stopped: str = ""  # the limit that ended it
    trees: Mapping[str, Node] = field(default_factory=dict, repr=False)  # of some of the targets


ReportProgress = Callable[[int, int], None]  # pages mapped, targets among them


async def map_site(
    entry: ExamplePage, judge: Judge, open_page: OpenPage, limits: MapLimits, report: ReportProgress = lambda *_: None
) -> SiteMap:
    """Map a site from its entry until nothing new is left, or a limit is reached."""
    mapping = _MapBuilder(entry.url, judge, limits)
    mapping.add(entry, "", 0)
    large = entry.large
    while (url := await offload(large, mapping.next)) is not None:
        seen = await open_page(Request(url))
        if isinstance(seen, Failure):
            mapping.failures[failure_reason(seen)] += 1
            continue
        large = large or seen.large  # pages are judged again when there are more of them
        await offload(seen.large, mapping.add, seen, *mapping.found[url])
        report(len(mapping.pages), len(mapping.held))
    return mapping.close()


@dataclass(slots=True)
class _MapBuilder:
    """A map under construction."""

    entry: str
    judge: Judge
    limits: MapLimits
    pages: dict[str, MappedPage] = field(default_factory=dict)
    found: dict[str, tuple[str, int]] = field(
        default_factory=dict
    )  # address -> the page it was found on, and its depth
    waiting: deque[str] = field(default_factory=deque)
    held: dict[str, MappedPage] = field(
        default_factory=dict
    )  # pages that count as targets: their links wait until nothing else does
    kinds: dict[AddressKind, list[str]] = field(default_factory=dict)  # pages by the kind of their address
    unopened: dict[str, None] = field(default_factory=dict)
    doubted: set[str] = field(default_factory=set)  # of kinds that were known once, and then no more
    deepest: set[str] = field(default_factory=set)
    failures: Counter[str] = field(default_factory=Counter)
    trees: dict[str, Node] = field(default_factory=dict)
    requests: int = 0
    judge_at: int = REJUDGE_PAGES  # pages
    stopped: str = ""

    def add(self, seen: ExamplePage, found_from: str, depth: int) -> None:
        """Put a page on the map, and where it leads in the queue."""
        page = MappedPage(seen.url, depth, found_from, seen.links)
        self.pages[page.url] = page
        if depth:
            self.judge.add(page.url, shape_of(seen.tree), seen.links, seen.find_blocks())
        self.found.setdefault(page.url, (found_from, depth))
        self.kinds.setdefault(address_kind(page.url), []).append(page.url)
        if self._is_target(page):
            self.held[page.url] = page
        else:
            self._queue_links(page)
        if len(self.trees) < MAX_KEPT_TREES and loose_address_kind(page.url) in self.judge.loose_kinds:
            self.trees[page.url] = seen.tree
        if len(self.pages) >= self.judge_at:
            self._rejudge()
            self.judge_at = len(self.pages) + max(REJUDGE_PAGES, len(self.pages) // REJUDGE_FRACTION)

    def _is_target(self, page: MappedPage) -> bool:
        return page.depth > 0 and self.judge.is_target(page.url)

    def _queue_links(self, page: MappedPage) -> None:
        if page.depth >= self.limits.depth:
            self.deepest.add(page.url)
            return
        for url in page.links:
            if url not in self.found and len(self.found) < MAX_MAP_ADDRESSES:
                self.found[url] = page.url, page.depth + 1
                self.waiting.append(url)

    def _rejudge(self) -> None:
        """Find the threshold again; the links of pages that no longer count as targets are queued."""
        self.judge.rejudge()
        for page in [each for each in self.held.values() if not self._is_target(each)]:
            del self.held[page.url]
            self._queue_links(page)
        for page in self.pages.values():
            if page.url not in self.held and self._is_target(page):
                self.held[page.url] = page

    def next(self) -> str | None:
        """Return the next address to open; None when there is none or a limit is reached."""
        while True:
            if not self.waiting:
                self._rejudge()
                self.waiting.extend((*self._find_doubted(), *self._find_further_targets()))
            if not self.waiting:
                return None
            if self.requests >= self.limits.pages:
                self.stopped = f"{self.limits.pages:,} pages were mapped"
                return None
            url = self.waiting.popleft()
            if self._is_known(url):
                self.unopened[url] = None
                continue
            self.requests += 1
            return url

    def _find_doubted(self) -> list[str]:
        """Return addresses that were not opened because their kind was known, and no longer is; each once."""
        again = [url for url in self.unopened if url not in self.doubted and not self._is_known(url)]
        self.doubted.update(again)
        for url in again:
            del self.unopened[url]
        return again

    def _is_known(self, url: str) -> bool:
        """Return True if enough pages with such an address in such lists were opened, and all were targets, or none led to any."""
        there = self._find_similar(url)
        if len(there) < MIN_UNIFORM_PAGES:
            return False
        like = sum(self._is_target(self.pages[each]) for each in there)
        if like:
            return like == len(there)
        # New pages may have been found from them.
        return not any(self.found.get(link, ("", 0))[0] == each for each in there for link in self.pages[each].links)

    def _find_similar(self, url: str) -> list[str]:
        """Return the opened pages with the same kind of address, ending in a number or not, and listed with samples or not."""
        traits = self._traits(url)
        return [each for each in self.kinds.get(address_kind(url), ()) if self._traits(each) == traits]

    def _traits(self, url: str) -> tuple[bool, bool]:
        return self.judge.site_lists.is_sibling(url), ends_in_number(url)

    def _find_further_targets(self) -> Iterator[str]:
        """Yield what may be further targets: addresses of their kind that only targets link to."""
        kinds = {address_kind(url) for url in self.held}
        for page in list(self.held.values()):
            for url in page.links:
                if url not in self.found and address_kind(url) in kinds:
                    self.found[url] = page.url, page.depth + 1
                    yield url

    def close(self) -> SiteMap:
        """Return the map as it is."""
        self._rejudge()
        trees = {url: tree for url, tree in self.trees.items() if url in self.held}
        presumed = {}  # addresses that count as targets, as opened ones of their kind do
        for url in self.unopened:
            similar = self._find_similar(url) or self.kinds.get(address_kind(url), [])
            if any(each in self.held for each in similar):
                presumed[url] = self.found[url][0]
        return SiteMap(
            self.entry, self.pages, frozenset(self.held), self.judge, presumed, tuple(self.unopened),
            frozenset(self.deepest), dict(self.failures), self.stopped, trees,
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class TargetMap:
    """The pages on the paths from the entry to pages like the sample, and every link seen between them."""

    entry: str
    parents: Mapping[
        str, tuple[str, ...]
    ]  # of each page but the entry: who links to it, first the one it was found from
    targets: frozenset[str]
    others: tuple[str, ...] = ()  # pages beside these paths that lead to no target

    @property
    def links(self) -> dict[str, list[str]]:
        """The pages that each page links to."""
        found: dict[str, list[str]] = {}
        for page, parents in self.parents.items():
            for parent in parents:
                found.setdefault(parent, []).append(page)
        return found

    @property
    def children(self) -> dict[str, list[str]]:
        """The pages that were found from each page: the tree of the paper."""
        found: dict[str, list[str]] = {}
        for page, parents in self.parents.items():
            if parents:
                found.setdefault(parents[0], []).append(page)
        return found


def find_targets(site: SiteMap) -> TargetMap:
    """Return the pages on the paths to targets with all links between them, and the other pages that they link to."""
    found = {url: page.found_from for url, page in site.pages.items()} | dict(site.presumed)
    targets = site.targets | frozenset(site.presumed)
    on_the_way = _find_on_the_way(site, found, targets)
    parents: dict[str, list[str]] = {url: [found[url]] for url in (*on_the_way, *sorted(targets))}
    for url in (site.entry, *on_the_way):
        for link in site.pages[url].links:
            if link in parents and url not in parents[link] and link != url:
                parents[link].append(url)
    others = tuple(_find_others(site, targets, {site.entry, *on_the_way}))
    return TargetMap(site.entry, {url: tuple(above) for url, above in parents.items()}, targets, others)


def _find_on_the_way(site: SiteMap, found_from: Mapping[str, str], targets: Iterable[str]) -> list[str]:
    """Return the pages between the entry and targets, in the order they were found; other targets do not count."""
    found: dict[str, None] = {}
    for url in targets:
        above = found_from[url]
        while above and above != site.entry and above not in found:
            found[above] = None
            above = found_from[above]
    return [url for url in site.pages if url in found and url not in site.targets]


def _find_others(site: SiteMap, targets: frozenset[str], on_the_way: set[str]) -> Iterator[str]:
    """Yield what pages on the paths link to that is neither a target nor lists any but those that stand on every page."""
    pages = [page for page in site.pages.values() if page.url not in targets]
    linked = Counter(link for page in pages for link in page.links if link in targets)
    everywhere = {url for url, count in linked.items() if count > max(3, MAX_TARGET_LINK_SHARE * len(pages))}
    seen = (site.pages.keys() | set(site.unopened)) - site.deepest
    lists = {page.url for page in pages if any(link in targets and link not in everywhere for link in page.links)}
    for url in dict.fromkeys(link for page in sorted(on_the_way) for link in site.pages[page].links):
        if url in seen and url not in targets and url not in on_the_way and url not in lists:
            yield url
