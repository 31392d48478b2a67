"""The map of a site around a sample page (paper 3, Figure 3): no more of one kind than it takes to know it, and no longer than paths change.

Where the paper goes breadth first, kinds of addresses take turns: the one whose pages most often led to pages like the sample
comes first, so that the pages of a list come before its orders and filters.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from dowse.example.address import read_address
from dowse.example.follow import ExamplePage, OpenPage, failure_reason
from dowse.example.judge import Judge
from dowse.example.lists import AddressKind, address_kind, ends_in_number, is_root, loose_address_kind
from dowse.frontier.queue import LinkQueue
from dowse.frontier.traps import PageGain, Traps, view_of
from dowse.model import Failure, Link, LinkChoice, Request
from dowse.records.paging import find_next
from dowse.step.visit import offload
from dowse.tree.node import Node
from dowse.tree.similarity import shape_of

# Pages of one kind of address that were all the same: at most a tenth of the next ones is not (rule of three, 95 %).
MIN_UNIFORM_PAGES: Final = 30
# Pages in a row that showed no new address like the sample's: at most a seventh of what is left does (rule of three, 95 %).
MAX_PAGES_WITHOUT_NEWS: Final = 20
# The same where the entry lists the samples itself, for each page like them that it lists: the map costs half as much again as
# they do. Set by that cost; what it does to precision and recall was not measured alone.
SEARCHED_SHARE: Final = 0.25
# On eight development sites (bench/paper3/sensitivity.py) 1: -0.8 pages mapped; 6: +2.6 pages mapped.
MIN_SEARCHED_PAGES: Final = 3  # of such a map: what stands in menus is opened
# On eight development sites (bench/paper3/sensitivity.py) 6: -2.9 pages mapped; 24: +2.4 pages mapped.
MIN_UNIFORM_LISTED: Final = (
    12  # of such a map, in place of MIN_UNIFORM_PAGES: at most a quarter of the others is not (rule of three)
)
# Half and twice change nothing on eight development sites (bench/paper3/sensitivity.py); chosen on others, by hand.
MIN_PRESUMED_SHARE: Final = (
    0.5  # of the opened pages of a kind that are targets, when those that were not opened count as such
)
# On eight development sites (bench/paper3/sensitivity.py) 10: -1.0 pages mapped; 40: precision -0.025, recall +0.016, -0.5 pages mapped.
REJUDGE_PAGES: Final = 20  # after which likenesses may have moved the threshold
# Half and twice change nothing on eight development sites (bench/paper3/sensitivity.py); chosen on others, by hand.
REJUDGE_FRACTION: Final = 10  # of a large map, a tenth more: judging compares every page again
# On eight development sites (bench/paper3/sensitivity.py) 4: +0.6 pages mapped.
MIN_HELD_TARGETS: Final = (
    2  # with addresses like the samples', before a map may end: one page shows nothing that repeats
)
# A bound on work or memory; what it does to figures was not measured.
MAX_KEPT_TREES: Final = 30  # of targets, to learn which parts vary
# A bound on work or memory; what it does to figures was not measured.
MAX_MAP_ADDRESSES: Final = 200_000  # that a map remembers; a site that shows more on its first pages generates them
# Half and twice change nothing on eight development sites (bench/paper3/sensitivity.py); chosen on others, by hand.
MAX_ENDING_LETTERS: Final = 2  # of a plural or case: item, items
# Half and twice change nothing on eight development sites (bench/paper3/sensitivity.py); chosen on others, by hand.
MAX_TARGET_LINK_SHARE: Final = (
    0.3  # of all pages: a target that more of them link to stands in a menu or a box, and makes no page a list
)

_FIRST_WORD: Final = re.compile(r"[^\W\d_]{3,}")  # of a level: shorter ones are abbreviations


def _are_forms_of_a_word(one: str, other: str) -> bool:
    """Return True if one of two words is the other with two letters more at most: people, item and items."""
    short, long = sorted((one, other), key=len)
    return long.startswith(short) and len(long) - len(short) <= MAX_ENDING_LETTERS


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
class LinkYield:
    """How many pages of one kind were opened, and which of them led to new addresses like the sample's."""

    pages: int = 0
    last_news: int = 0  # how many pages there were when one led to something new
    news: set[str] = field(default_factory=set)  # pages that led to something new, at once or later

    @property
    def is_promising(self) -> bool:
        """True unless the last pages led to nothing new."""
        return self.pages - self.last_news < MIN_UNIFORM_PAGES

    @property
    def rate(self) -> float:
        """The share of pages that lead to something new, by Laplace's rule of succession."""
        return (len(self.news) + 1) / (self.pages + 2)


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
    shown: dict[str, str] = field(
        default_factory=dict
    )  # pages by their addresses without views -> the first view found
    queue: LinkQueue = field(default_factory=LinkQueue)  # by kinds of addresses
    traps: Traps = field(default_factory=Traps)
    leads: dict[str, LinkYield] = field(default_factory=dict)  # what the pages of each kind led to
    given: frozenset[str] = frozenset()  # links that the entry does not show itself: the answers of a form
    without_news: int = 0  # pages since one showed a new address like the sample's
    held: dict[str, MappedPage] = field(
        default_factory=dict
    )  # pages that count as targets: their links wait until nothing else does
    kinds: dict[AddressKind, list[str]] = field(default_factory=dict)  # pages by the kind of their address
    next_pages: set[str] = field(default_factory=set)  # further pages of lists: they come before filters and orders
    unopened: dict[str, None] = field(default_factory=dict)
    outside: dict[str, None] = field(default_factory=dict)  # addresses that were found outside what is below the entry
    doubted: set[str] = field(default_factory=set)  # of kinds that were known once, and then no more
    deepest: set[str] = field(default_factory=set)
    failures: Counter[str] = field(default_factory=Counter)
    trees: dict[str, Node] = field(default_factory=dict)
    requests: int = 0
    judge_at: int = REJUDGE_PAGES  # pages
    kinds_of_path: dict[AddressKind, set[str]] = field(default_factory=dict)  # kinds of opened pages, by path
    sample_words: frozenset[str] = field(init=False)  # with which levels of the samples' addresses begin
    stopped: str = ""

    def __post_init__(self) -> None:
        addresses = filter(None, map(read_address, self.judge.sample_urls))
        levels = (level for address in addresses for level in address.path[:-1] or address.path)
        self.sample_words = frozenset(found[0].lower() for level in levels if (found := _FIRST_WORD.match(level)))

    def add(self, seen: ExamplePage, found_from: str, depth: int) -> None:
        """Put a page on the map, and where it leads in the queue."""
        page = MappedPage(seen.url, depth, found_from, seen.links)
        self.pages[page.url] = page
        if not depth:
            self.given = frozenset(seen.links).difference(seen.page.urls)
        else:
            self.judge.add(page.url, shape_of(seen.tree), seen.links, seen.find_blocks())
        self.found.setdefault(page.url, (found_from, depth))
        self._count_kinds(page.url)
        if not depth and self._is_entry_list():
            self._rejudge()  # it is known by now where samples are listed
        is_wanted = self._is_wanted(page.url)
        self.without_news += not is_wanted
        new = sum(link not in self.found for link in seen.links)
        if self._is_target(page):
            self.held[page.url] = page
        else:
            following = find_next(seen.page, Request(seen.url))
            self.next_pages.update([following.request.url] if following else [])
            self._queue_links(page)
        if not is_wanted:
            self.traps.note(page.url, seen.page, PageGain(outside=new))
        self._keep_tree(page.url, seen.tree)
        if len(self.pages) >= self.judge_at:
            self._rejudge()
            self.judge_at = len(self.pages) + max(REJUDGE_PAGES, len(self.pages) // REJUDGE_FRACTION)

    def _keep_tree(self, url: str, tree: Node) -> None:
        """Keep a page whose address is like the sample's, where there are many in place of one that is no target."""
        if loose_address_kind(url) not in self.judge.loose_kinds:
            return
        if len(self.trees) >= MAX_KEPT_TREES and self._is_target(self.pages[url]):
            strange = next((each for each in self.trees if not self._is_target(self.pages[each])), "")
            self.trees.pop(strange, None)
        if len(self.trees) < MAX_KEPT_TREES:
            self.trees[url] = tree

    def _count_kinds(self, url: str) -> None:
        for kind in (address_kind(url), loose_address_kind(url)):
            self.kinds.setdefault(kind, []).append(url)
        self.kinds_of_path.setdefault(address_kind(url)[:-1], set()).add(self._kind_name(url))
        for name in self._kind_names(url):
            self.leads.setdefault(name, LinkYield()).pages += 1

    def _is_target(self, page: MappedPage) -> bool:
        return page.depth > 0 and self.judge.is_target(page.url)

    def _queue_links(self, page: MappedPage) -> None:
        """Queue where a page leads, but for traps."""
        if page.depth >= self.limits.depth:
            self.deepest.add(page.url)
            return
        news = False
        is_below = self.judge.site_lists.is_in_scope(page.url)  # else what it lists is not asked for
        for url in page.links:
            if url in self.found or len(self.found) >= MAX_MAP_ADDRESSES:
                continue
            is_wanted = self._is_wanted(url)
            is_trap = not is_wanted and url not in self.given and self.traps.judge(url, self.found)
            if is_trap and not view_of(url)[1]:  # views wait until nothing else is left
                continue
            news = news or (is_wanted and is_below)
            self._push(url, page)
        if news:
            self._note_news(page.url)

    def _is_wanted(self, url: str) -> bool:
        """Return True if an address is like the sample's, or is listed as it is and differs in the names of folders only."""
        kind = address_kind(url)
        if kind in map(address_kind, self.judge.sample_urls) and not self._is_entry_list():
            return not self.judge.is_view(url)
        is_alike = kind in self.judge.kinds or loose_address_kind(url) in self.judge.loose_kinds
        return is_alike and self.judge.site_lists.is_sibling(url) and not self.judge.is_view(url)

    def _push(self, url: str, page: MappedPage) -> None:
        self.found[url] = page.url, page.depth + 1
        self.shown.setdefault(view_of(url)[1], url)
        worth = self._is_promising(url) + self._is_wanted(url) - float(page.depth)
        self.queue.push(LinkChoice(Link(url, depth=page.depth + 1), worth, self._kind_name(url)))

    def _note_news(self, url: str) -> None:
        """Note that a page led to something new, and so did those on the way to it."""
        self.without_news = 0
        while url:
            for name in self._kind_names(url):
                known = self.leads.setdefault(name, LinkYield())
                known.news.add(url)
                known.last_news = known.pages
            url = self.found[url][0]

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
        """Return the next address to open; None when there is none, paths are stable, or a limit is reached."""
        while True:
            kind = self._pick_kind()
            if kind is None and self._find_more():
                continue
            if kind is None:
                return None
            if self.requests >= self.limits.pages:
                self.stopped = f"{self.limits.pages:,} pages were mapped"
                return None
            url = self.queue.pop(kind).link.url
            if not self._is_wanted(url) and self.traps.judge_again(url):
                continue
            if not self._is_in_scope(url):
                self.outside[url] = (
                    None  # as far as is known: what is below the entry is found when pages are judged again
                )
                continue
            if self._is_known(url):
                self.unopened[url] = None
                continue
            self.requests += 1
            return url

    def _is_in_scope(self, url: str) -> bool:
        return self.judge.site_lists.is_in_scope(self.found[url][0])

    def _is_stable(self) -> bool:
        """Return True if pages like the sample are known, and many pages in a row showed no further ones."""
        own = sum(address_kind(url) in self.judge.kinds for url in self.held)
        return self.without_news >= self._find_most_without_news() and own >= MIN_HELD_TARGETS

    def _find_most_without_news(self) -> int:
        """Return how many pages may show nothing new before paths are stable: few where the entry is the list itself."""
        if not self._is_entry_list():
            return MAX_PAGES_WITHOUT_NEWS
        listed = sum(map(self._is_wanted, self.pages[self.entry].links))
        return min(MAX_PAGES_WITHOUT_NEWS, max(MIN_SEARCHED_PAGES, int(SEARCHED_SHARE * listed)))

    def _is_entry_list(self) -> bool:
        """Return True if the entry lists the samples itself, and is not the home page."""
        return not is_root(self.entry) and self.judge.site_lists.lists_samples(self.entry)

    def _find_more(self) -> bool:
        """Judge again, and queue what that makes worth opening; return True if there is anything."""
        self._rejudge()
        inside = list(filter(self._is_in_scope, self.outside))
        for url in inside:
            del self.outside[url]
        more = (*inside, *self._find_doubted(), *self._find_further_targets())
        for url in more:
            self._push(url, self.pages[self.found[url][0]])
        if more:
            self.without_news = 0
        return bool(more)

    def _pick_kind(self) -> str | None:
        """Return the kind that comes next: by turns what may be a target, and, until paths are stable, what leads to most of them."""
        heads = {kind: head.link.url for kind, head in self.queue.heads.items()}
        wanted = [kind for kind, url in heads.items() if self._is_wanted(url)]
        # Views of other pages are opened only where nothing else leads to targets, or such a one did: a list by letters may look so.
        others = [kind for kind, url in heads.items() if kind not in wanted and not self._is_idle_view(kind, url)]
        is_open = others and not self._is_stable()
        if wanted and (self.requests % 2 or not is_open):
            return wanted[0]
        return max(others, key=lambda kind: self._expect(kind, heads[kind])) if is_open else None

    def _is_idle_view(self, kind: str, url: str) -> bool:
        """Return True if an address is another view of a page and targets are known that no such view led to."""
        return bool(self.held) and self._is_view(url) and not self.leads.get(kind, LinkYield()).news

    def _is_view(self, url: str) -> bool:
        """Return True if an address is that of another page with parameters that only change how it is shown.

        That page was found without them, or with others: the first address that shows it is no view of it.
        """
        base = view_of(url)[1]
        return bool(base) and url not in self.given and (base in self.found or self.shown.get(base, url) != url)

    def _kind_name(self, url: str) -> str:
        return str(view_of(url)[0]) if self._is_view(url) else repr(address_kind(url))

    def _kind_names(self, url: str) -> tuple[str, str]:
        return self._kind_name(url), repr(loose_address_kind(url))

    def _expect(self, kind: str, url: str) -> float:
        """Return how likely pages of a kind lead to something new; nothing is known of a first page but what similar kinds gave.

        Views of other pages come after all else.
        """
        if self._is_view(url):
            return self.leads.get(kind, LinkYield()).rate - 1
        known = self.leads.get(kind, LinkYield())
        return (len(known.news) + 2 * self._expect_first(url)) / (known.pages + 2) + self._is_promising(url)

    def _expect_first(self, url: str) -> float:
        """Return how likely the first page of a kind leads to something new.

        Of addresses with parameters as often as kinds of their path did: filters combine into kinds without end. Of others as
        often as pages did whose addresses differ in the names of folders only.
        """
        kind = address_kind(url)
        if not kind[-1]:
            return self.leads.get(repr(loose_address_kind(url)), LinkYield()).rate
        tried = self.kinds_of_path.get(kind[:-1], ())
        return (sum(bool(self.leads[each].news) for each in tried) + 1) / (len(tried) + 2)

    def _is_promising(self, url: str) -> bool:
        """Return True if an address is that of a next page of a list, or is named as a folder of the samples is."""
        return url in self.next_pages or self._names_samples(url)

    def _names_samples(self, url: str) -> bool:
        """Return True if an address ends with a word that begins a level of a sample's: /people.html of /people/17, /items/ of /item-3."""
        address = read_address(url)
        if address is None or address.parameters:
            return False
        last = _FIRST_WORD.match(next((level for level in reversed(address.path) if level), ""))
        return last is not None and any(_are_forms_of_a_word(last[0].lower(), word) for word in self.sample_words)

    def _find_doubted(self) -> list[str]:
        """Return addresses that were not opened because their kind was known, and no longer is; each once."""
        again = [url for url in self.unopened if url not in self.doubted and not self._is_known(url)]
        self.doubted.update(again)
        for url in again:
            del self.unopened[url]
        return again

    def _is_known(self, url: str) -> bool:
        """Return True if the last pages with such an address in such lists were all targets, or none was and none led to any."""
        most = MIN_UNIFORM_LISTED if self._is_entry_list() else MIN_UNIFORM_PAGES
        last = self._find_similar(url)[-most:]
        like = sum(self._is_target(self.pages[each]) for each in last)
        if like or self._is_wanted(url):
            return len(last) == most and like in (0, len(last))
        known, loose = (self.leads.get(name, LinkYield()) for name in self._kind_names(url))
        return not (known if known.news else loose).is_promising

    def _find_similar(self, url: str) -> list[str]:
        """Return the opened pages with the same kind of address, ending in a number or not, and listed with samples or not.

        What is listed with the samples is one kind whatever its folders are called.
        """
        traits = self._traits(url)
        is_loose = traits[0] and loose_address_kind(url) in self.judge.loose_kinds and self.judge.site_lists.siblings
        kind = loose_address_kind(url) if is_loose else address_kind(url)
        return [each for each in self.kinds.get(kind, ()) if self._traits(each) == traits]

    def _find_same_kind(self, url: str) -> list[str]:
        """Return the opened pages with the same kind of address, of one that is listed as the samples are; else lists tell nothing of it."""
        return self.kinds.get(address_kind(url), []) if self.judge.site_lists.is_sibling(url) else []

    def _traits(self, url: str) -> tuple[bool, bool]:
        return self.judge.site_lists.is_sibling(url), ends_in_number(url)

    def _find_further_targets(self) -> Iterator[str]:
        """Yield what may be further targets: addresses of their kind that only targets link to."""
        kinds = {address_kind(url) for url in self.held}
        for page in list(self.held.values()):
            for url in page.links:
                if url not in self.found and address_kind(url) in kinds and self._may_be_further(url):
                    self.found[url] = page.url, page.depth + 1
                    yield url

    def _may_be_further(self, url: str) -> bool:
        is_bound = self.judge.site_lists.scope is not None or self._is_entry_list()
        return not is_bound or self.judge.site_lists.is_sibling(url)

    def close(self) -> SiteMap:
        """Return the map as it is."""
        self._rejudge()
        for choice in self.queue.rest():  # that paths were stable before their turn came
            is_beside = self._is_entry_list() and self.found[choice.link.url][0] == self.entry
            if is_beside or (self._is_in_scope(choice.link.url) and self._find_similar(choice.link.url)):
                self.unopened[choice.link.url] = None
        trees = {url: tree for url, tree in self.trees.items() if url in self.held}
        presumed = {}  # addresses that count as targets, as opened ones of their kind do
        for url in filter(self._may_be_further, self.unopened):
            similar = self._find_similar(url) or self._find_same_kind(url)
            if sum(each in self.held for each in similar) >= MIN_PRESUMED_SHARE * len(similar) > 0:
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
    if site.judge.site_lists.scope is not None:
        found = _find_within(site, site.judge.site_lists.scope)
        targets = frozenset(url for url in targets if url in found)
    on_the_way = _find_on_the_way(site, found, targets)
    parents: dict[str, list[str]] = {url: [found[url]] for url in (*on_the_way, *sorted(targets))}
    for url in (site.entry, *on_the_way):
        for link in site.pages[url].links:
            if link in parents and url not in parents[link] and link != url:
                parents[link].append(url)
    others = tuple(_find_others(site, targets, {site.entry, *on_the_way}))
    return TargetMap(site.entry, {url: tuple(above) for url, above in parents.items()}, targets, others)


def _find_within(site: SiteMap, scope: Collection[str]) -> dict[str, str]:
    """Return where each page is found first when only pages of a scope are followed, and no targets."""
    found, waiting = {site.entry: ""}, [site.entry]
    for page in waiting:
        for url in site.pages[page].links:
            if url not in found:
                found[url] = page
                waiting.extend([url] if url in scope and url in site.pages and url not in site.targets else [])
    return found


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
