"""Where pages are listed: links that stand together on a page, kinds of addresses, and what stands in the same lists as the samples."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import blake2b
from typing import Final, NamedTuple

from dowse.example.address import read_address
from dowse.tree.node import Node

# -- kinds: what addresses of one kind of page have in common

AddressKind = tuple[object, ...]


@lru_cache(maxsize=65_536)
def address_kind(url: str) -> AddressKind:
    """Return what addresses of one kind share: folders, with numbers as one; how the last level ends; names of parameters."""
    address = read_address(url)
    if address is None:
        return (url,)
    *folders, last = [level for level in address.path if level] or [""]
    suffix = last.rpartition(".")[2] if "." in last else ""
    suffix = "" if suffix.isdigit() else suffix  # of a version, such as 0.17.3
    ends = "/" if address.path and not address.path[-1] else suffix
    numbered = tuple("0" if any(map(str.isdigit, level)) else level for level in folders)
    return (numbered, bool(last), ends, address.names)


def loose_address_kind(url: str) -> AddressKind:
    """Return what addresses share that differ in the names of folders only."""
    address = read_address(url)
    return (len(address.path), *address_kind(url)[1:]) if address is not None else (url,)


@lru_cache(maxsize=65_536)
def last_word(url: str) -> str:
    """Return the last level of a path below others, if it is a word without a number and the address has no parameters."""
    address = read_address(url)
    levels = [level for level in address.path if level] if address is not None and not address.parameters else []
    return levels[-1] if len(levels) > 1 and not any(map(str.isdigit, levels[-1])) else ""


_NAMED: Final = re.compile(r"([A-Za-z][\w. %+-]{0,30}?)(?::|%3A)(?=.)")  # Category:Birds, Talk:Birds


@lru_cache(maxsize=65_536)
def name_space(url: str) -> str:
    """Return the word before a colon in the last level of an address, or in its last parameter: of `Category:Birds`, Category."""
    address = read_address(url)
    if address is None:
        return ""
    values = [value or name for name, value in address.parameters] or [level for level in address.path if level]
    found = _NAMED.match(values[-1]) if values else None
    return found[1].lower() if found else ""


def ends_in_number(url: str) -> bool:
    """Return True if the last level of an address is a number and nothing else."""
    address = read_address(url)
    levels = [level for level in address.path if level] if address is not None else []
    return bool(levels) and levels[-1].isdigit()


def has_more_parameters(kind: AddressKind, other: AddressKind) -> bool:
    """Return True if addresses of one kind are those of another with parameters added."""
    more, fewer = kind[-1], other[-1]
    if not isinstance(more, tuple) or not isinstance(fewer, tuple) or kind[:-1] != other[:-1]:
        return False
    return set(more) > set(fewer)


# -- pages of one list

# page/2/, p2; a year is no number of a page.
_FURTHER: Final = re.compile(r"(?:[a-zA-Z_-]{1,12}/)?[a-zA-Z_-]{0,12}(?!(?:19|20)[0-9]{2}/?$)[0-9]{1,6}/?")
HOME_NAMES: Final = frozenset(
    {"index", "home", "default", "welcome", "main"}
)  # of files that servers give for a folder


def is_further_page(url: str, first: str) -> bool:
    """Return True if an address is that of a list with a number added: `?page=2`, `/page/2/`, `index2.html`."""
    one, other = read_address(first), read_address(url)
    if one is None or other is None or one.origin != other.origin or one == other:
        return False
    added = set(other.parameters) - set(one.parameters)
    if one.path == other.path:
        # Or a number in place of the first one.
        gone = set(one.parameters) - set(other.parameters)
        return all(value.isdigit() for _, value in added) and all(value in ("", "0", "1") for _, value in gone)
    folders = [level for level in one.path if level]
    more = [level for level in other.path if level]
    if more[: len(folders)] == folders:
        return not added and _FURTHER.fullmatch("/".join(more[len(folders) :])) is not None
    name, _, suffix = one.path[-1].rpartition(".")
    return (
        other.path[:-1] == one.path[:-1]
        and re.fullmatch(
            rf"{re.escape(name or one.path[-1])}[-_]?[0-9]{{1,6}}{re.escape('.' + suffix if name else '')}",
            other.path[-1],
        )
        is not None
    )


def is_root(url: str) -> bool:
    """Return True if an address is the home page of a site: nothing but its name, and no parameters."""
    address = read_address(url)
    if address is not None and address.parameters:
        return False
    names = [level for level in address.path if level] if address is not None else []
    return not names or (len(names) == 1 and names[0].partition(".")[0].lower() in HOME_NAMES)


# -- links that stand together: in one list, one row of a menu, one column of a table

# Tags whose class says what is inside; classes of rows say odd and even, first and last.
CLASS_TAGS: Final = frozenset("div ul ol dl table tbody section nav aside main header footer form".split())
ROW_TAGS: Final = frozenset({"tr", "tbody", "thead"})  # a list in a table goes on in the next row
# A bound on work or memory; what it does to figures was not measured.
MAX_CLASS_NAMES: Final = 20  # of a class attribute that are read
# On eight development sites (bench/paper3/sensitivity.py) 1: precision -0.310, +28.1 pages mapped.
MIN_BLOCK_LINKS: Final = 3  # links that make a list; where there are fewer, two do
# Half and twice change nothing on eight development sites (bench/paper3/sensitivity.py); chosen on others, by hand.
MIN_PAIR_LINKS: Final = 2

_BlockKey = tuple[int, int]  # a tag, and the tags from it down to a link


class LinkBlock(NamedTuple):
    """Links that stand together, and their place: a hash of the tags from the root down to each of them."""

    place: int
    links: tuple[str, ...]


def find_blocks(tree: Node, resolve: Callable[[str], str | None], links: Collection[str]) -> tuple[LinkBlock, ...]:
    """Return which links of a page stand together; each in the smallest part of the page with others in the same position."""
    known = set(links)
    found = [(url, keys, place) for href, keys, place in _find_anchors(tree) if (url := resolve(href)) in known]
    counts = Counter(key for _, keys, _ in found for key in keys)
    blocks: dict[tuple[_BlockKey, int], dict[str, None]] = {}
    for url, keys, place in found:
        key = next(
            (key for least in (MIN_BLOCK_LINKS, MIN_PAIR_LINKS) for key in keys if counts[key] >= least), keys[0]
        )
        if url is not None:
            blocks.setdefault((key, place), {})[url] = None
    return tuple(LinkBlock(place, tuple(urls)) for (_, place), urls in blocks.items())


def _find_anchors(tree: Node) -> Iterator[tuple[str, list[_BlockKey], int]]:
    """Yield the address of each link, the keys of the tags around it from the nearest to the root, and its place."""
    waiting: list[tuple[Node, tuple[Node, ...]]] = [(tree, ())]
    while waiting:
        node, above = waiting.pop()
        if node.tag == "a" and node.attribute("href"):
            path, keys = _number_place(0, node.tag, ""), []
            around = above or (node,)
            for tag in reversed(around):
                if tag.tag not in ROW_TAGS or tag is around[0]:
                    keys.append((id(tag), path))
                name = _first_class_name(tag.attribute("class")) if tag.tag in CLASS_TAGS else ""
                path = _number_place(path, tag.tag, name)
            yield node.attribute("href"), keys, path
        inside = (*above, node)
        waiting.extend((each, inside) for each in reversed(node.content) if isinstance(each, Node))


@lru_cache(maxsize=65_536)
def _number_place(inside: int, tag: str, name: str) -> int:
    """Return the number of a place in a tag, the same in every process: patterns hold some."""
    return int.from_bytes(blake2b(f"{inside} {tag} {name}".encode("utf-8", "replace"), digest_size=6).digest(), "big")


@lru_cache(maxsize=8_192)
def _first_class_name(css: str) -> str:
    """Return the first class name without digits: those after it tell the tags of one kind apart."""
    names = css.lower().split()[:MAX_CLASS_NAMES]
    return next((name for name in names if not any(map(str.isdigit, name))), "")


# -- where pages are listed

# What follows was chosen on simulated sites of family A, sites with random templates, recorded sites and real software; `bench paper3` measures others.
MIN_LIST_LINKS: Final = 3  # links to pages of a kind that make a list of them
# On eight development sites (bench/paper3/sensitivity.py) 0.6: recall +0.016.
MAX_LINKING_PAGE_SHARE: Final = 0.3  # of all pages: what more of them link to stands in a menu or a box
# Half and twice change nothing on eight development sites (bench/paper3/sensitivity.py); chosen on others, by hand.
MAX_PLACE_SHARE: Final = (
    0.5  # of the pages with links in one place: what more of them have there belongs to the template
)
# On eight development sites (bench/paper3/sensitivity.py) 1: recall +0.016.
MIN_SIBLING_SHARE: Final = 0.5  # of some pages that stand in the samples' lists, when all may
# On eight development sites (bench/paper3/sensitivity.py) 0.375: recall +0.016, +2.6 pages mapped.
MIN_PURITY: Final = (
    0.75  # of the share of pages near the samples in the place with most of them: two templates make halves
)
# A bound on work or memory; what it does to figures was not measured.
MAX_SAMPLE_LISTS: Final = 200  # lists of samples that are remembered; any more are like them

PagePlace = tuple[AddressKind, int]  # the form of a page's address without its parameters, and a place on it
ParameterNames = frozenset[object]


@dataclass(slots=True)
class SiteLists:
    """The links of the pages that were opened, and which pages are listed together."""

    sample_urls: frozenset[str]  # addresses of the samples
    entry_url: str = ""  # address of the entry
    links: dict[str, tuple[str, ...]] = field(default_factory=dict)
    blocks: dict[str, tuple[LinkBlock, ...]] = field(default_factory=dict)
    boilerplate: frozenset[str] = frozenset()  # addresses that very many pages link to: of menus and boxes
    fixtures: frozenset[tuple[int, str]] = (
        frozenset()
    )  # the same with their places: elsewhere such a link is one of a list
    seen: frozenset[str] = frozenset()  # all addresses that were linked
    labels: frozenset[str] = (
        frozenset()
    )  # addresses with a word of the template: `/a/edit`, `/b/edit`; `/Talk:a`, `/Talk:b`
    places: dict[PagePlace, set[ParameterNames]] = field(default_factory=dict)  # where samples are listed
    kinds: frozenset[AddressKind] = frozenset()  # of the samples' addresses, unless such pages list samples
    alike: frozenset[str] = frozenset()  # pages like the samples, as far as is known
    list_pages: dict[int, list[str]] = field(default_factory=dict)  # the pages where they are, by places
    on_the_way: frozenset[str] = frozenset()  # addresses in such places on the way to the lists of samples
    same_lists: frozenset[str] = frozenset()  # addresses in the same places of the same pages as samples
    siblings: frozenset[str] | None = None  # addresses that are listed as the samples are; None where no list has those
    # Pages that lists are taken from, where the entry is one of several lists of one kind, such as a category: those below it.
    scope: frozenset[str] | None = None
    beside: frozenset[str] = frozenset()  # what is not below the entry, whoever links to it

    def add_page(self, url: str, links: tuple[str, ...], blocks: tuple[LinkBlock, ...]) -> None:
        """Add the links of a page, and which of them stand together."""
        self.links[url], self.blocks[url] = links, blocks
        if (
            self.scope is not None
            and url in self.scope
            and address_kind(url) not in map(address_kind, self.sample_urls)
        ):
            self.scope = self.scope.union(filter(self._may_be_below, links))
        if self.siblings is not None:
            self.siblings = self.siblings.union(*(self._list_siblings(url, block) for block in blocks))

    def update(self, same: Collection[str] = (), alike: Collection[str] = (), near: Collection[str] = ()) -> None:
        """Find again what stands on every page, and what is listed where the samples are, or else where many equal pages are.

        Pages of one kind may link to each other: what pages alike list counts only where no other page lists samples. Nor does
        a place with few pages near the samples count where another one has many: a text names them beside other things.
        """
        linked = Counter(link for links in self.links.values() for link in links)
        most = max(MIN_LIST_LINKS, MAX_LINKING_PAGE_SHARE * len(self.links))
        self.boilerplate = frozenset(url for url, count in linked.items() if count > most)
        self.fixtures = self._find_fixtures(most)
        self.labels = self._find_labels(linked)
        self.seen = frozenset(linked)
        there = [
            (page, block) for page, block in self._blocks() if self._count_wanted(block, self.sample_urls - {page})
        ]
        # Where samples are listed on the entry, or on a further page of it.
        own = {block.place for page, block in there if page == self.entry_url or is_further_page(page, self.entry_url)}
        self.scope = self._find_scope(own) if own else None
        there = there or [
            (page, block) for page, block in self._blocks() if self._count_wanted(block, same) >= MIN_LIST_LINKS
        ]
        there = [(page, block) for page, block in there if self.is_in_scope(page)]
        self.alike = frozenset(alike) | self.sample_urls
        there = [(page, block) for page, block in there if page not in self.alike] or there
        there = self._leave_mixed_places(there, near)
        self.places, self.list_pages = defaultdict(set), defaultdict(list)
        for page, block in there[:MAX_SAMPLE_LISTS]:
            place, names = _page_place(page, block.place)
            self.places[place].add(names)
            self.list_pages[block.place].append(page)
        self.kinds = frozenset(map(address_kind, self.sample_urls)).difference(address_kind(page) for page, _ in there)
        found = (self._list_siblings(page, block) for page, block in self._blocks())
        self.siblings = frozenset().union(*found) if there else None
        self.on_the_way = self._find_on_the_way() if there else frozenset()
        lists = {(page, block.place) for page, block in there}
        found = (self._leave_fixtures(block) for page, block in self._blocks() if (page, block.place) in lists)
        self.same_lists = frozenset().union(*found)

    def _blocks(self) -> Iterator[tuple[str, LinkBlock]]:
        return ((page, block) for page, blocks in self.blocks.items() for block in blocks)

    def _find_fixtures(self, most: float) -> frozenset[tuple[int, str]]:
        """Return the links with their places that very many pages have, or most pages that have anything in that place."""
        pages: Counter[int] = Counter()
        placed: Counter[tuple[int, str]] = Counter()
        for blocks in self.blocks.values():
            pages.update({block.place for block in blocks})
            placed.update({(block.place, link) for block in blocks for link in block.links})
        return frozenset(
            each
            for each, count in placed.items()
            if count > most or count > max(MIN_LIST_LINKS, MAX_PLACE_SHARE * pages[each[0]])
        )

    def _leave_mixed_places(
        self, there: Sequence[tuple[str, LinkBlock]], near: Collection[str]
    ) -> list[tuple[str, LinkBlock]]:
        """Leave out the lists in places with far fewer pages near the samples than another place has, by Laplace's rule of succession."""
        wanted = {_page_place(page, block.place)[0] for page, block in there}
        opened: dict[PagePlace, set[str]] = defaultdict(set)
        for page, block in self._blocks():
            place = _page_place(page, block.place)[0]
            if place in wanted:
                opened[place].update(link for link in self._leave_fixtures(block) if link in self.links)
        found = {place: (len(links & set(near)), len(links - self.sample_urls)) for place, links in opened.items()}
        least = MIN_PURITY * max(((near + 1) / (all_ + 2) for near, all_ in found.values()), default=0.0)
        mixed = {place for place, (near, all_) in found.items() if (near + 1) / (all_ + 1) < least}
        return [(page, block) for page, block in there if _page_place(page, block.place)[0] not in mixed]

    def lists_samples(self, page: str) -> bool:
        """Return True if a page lists samples beside other pages of their kind; a box that the sample has, too, does not count."""
        kinds = set(map(address_kind, self.sample_urls))
        own = {
            (block.place, link)
            for url in self.sample_urls
            for block in self.blocks.get(url, ())
            for link in block.links
        }
        return any(
            any(link in self.sample_urls and (block.place, link) not in own for link in self._leave_fixtures(block))
            and sum(address_kind(link) in kinds for link in block.links) >= MIN_LIST_LINKS
            for block in self.blocks.get(page, ())
        )

    def _find_on_the_way(self) -> frozenset[str]:
        """Return what stands in the samples' places on the way to their lists: on the entry, and on pages that lead to those lists."""
        lists = {page for page, block in self._blocks() if self._list_siblings(page, block)} - self.boilerplate
        kinds = set(map(address_kind, self.sample_urls))
        hubs = {
            page
            for page, links in self.links.items()
            if address_kind(page) not in kinds and not lists.isdisjoint(links)
        }
        found = (
            block.links
            for page, block in self._blocks()
            if page in hubs | {self.entry_url} and block.place in self.list_pages
        )
        return frozenset().union(*found)

    def _find_labels(self, urls: Iterable[str]) -> frozenset[str]:
        """Return the addresses with a word of the template, as no sample's has: below several others, or before several names."""
        having: dict[tuple[int, str], list[str]] = defaultdict(list)
        for url in urls:
            for place, word in enumerate((last_word(url), name_space(url))):
                if word:
                    having[place, word].append(url)
        own = {(place, word(url)) for url in self.sample_urls for place, word in enumerate((last_word, name_space))}
        return frozenset(
            url for word, there in having.items() if word not in own and len(there) > MIN_LIST_LINKS for url in there
        )

    def is_in_scope(self, page: str) -> bool:
        """Return True if lists of a page count: everywhere, unless the entry is one list beside others of its kind."""
        return self.scope is None or page in self.scope

    def _find_scope(self, places: Collection[int]) -> frozenset[str] | None:
        """Return the pages below the entry where it lists the samples, or is one of several lists that are built alike.

        A page that lists the entry beside its peers is above it, or beside it.
        """
        if is_root(self.entry_url):
            return None
        kinds = set(map(address_kind, self.sample_urls))
        lists: dict[str, set[int]] = defaultdict(set)
        for page, block in self._blocks():
            if block.place in places and len(self._leave_fixtures(block)) >= MIN_PAIR_LINKS:
                lists[page].add(block.place)
        form, here = loose_address_kind(self.entry_url)[:-1], lists.get(self.entry_url, set())
        peers = {
            page
            for page, there in lists.items()
            if there & here and loose_address_kind(page)[:-1] == form and page not in self.sample_urls
        }
        peers = {page for page in peers if page != self.entry_url and not is_further_page(page, self.entry_url)}
        is_list = self.lists_samples(self.entry_url)
        if not peers and not is_list:
            return None
        beside = {
            page
            for page, block in self._blocks()
            if self.entry_url in block.links and not peers.isdisjoint(block.links)
        }
        # What the samples link to, too, stands in a menu, or is of their kind.
        menu = set[str]().union(*(self.links.get(url, ()) for url in self.sample_urls)) if is_list else set()
        self.beside = frozenset(beside | menu | self.boilerplate | self.sample_urls)
        found, waiting = {self.entry_url}, [self.entry_url]
        while waiting:
            page = waiting.pop()
            for url in self.links.get(page, ()):
                if url not in found and self._may_be_below(url):
                    found.add(url)
                    waiting.extend([url] if address_kind(url) not in kinds else [])
        return frozenset(found)

    def _may_be_below(self, url: str) -> bool:
        return url not in self.beside or is_further_page(url, self.entry_url)

    def _count_wanted(self, block: LinkBlock, wanted: Collection[str]) -> int:
        return sum(link in wanted for link in self._leave_fixtures(block))

    def _leave_fixtures(self, block: LinkBlock) -> tuple[str, ...]:
        """Return the links of a block but those that very many pages have in the same place."""
        return tuple(link for link in block.links if (block.place, link) not in self.fixtures)

    def _list_siblings(self, page: str, block: LinkBlock) -> tuple[str, ...]:
        """Return what a block lists where samples are listed; of a menu, what is not on every page."""
        if not self._is_place(page, block.place):
            return ()
        links = tuple(link for link in block.links if link not in self.labels)
        others = tuple(link for link in links if (block.place, link) not in self.fixtures)
        return links if 2 * len(others) > len(links) else others

    def _is_place(self, page: str, place: int) -> bool:
        """Return True if samples are listed in such a place of such pages; further pages of a list have more parameters, or numbered folders."""
        if not self.is_in_scope(page):
            return False
        key, names = _page_place(page, place)
        is_start = page == self.entry_url or is_further_page(page, self.entry_url)
        is_alike = page in self.alike or address_kind(page) in self.kinds
        if is_alike and page not in self.list_pages.get(place, ()) and not is_start:
            return False  # lists on pages like the samples are not lists of samples
        if any(names <= known or known <= names for known in self.places.get(key, ())):
            return True
        return any(_are_pages_of_one_list(page, each) for each in self.list_pages.get(place, ()))

    def is_sibling(self, url: str) -> bool:
        """Return True if an address is listed as the samples are, as far as such lists were seen."""
        return self.siblings is None or url in self.siblings

    def are_siblings(self, urls: Collection[str]) -> bool:
        """Return True if many of some addresses are listed as the samples are."""
        return sum(map(self.is_sibling, urls)) >= MIN_SIBLING_SHARE * len(urls)

    def group_by_place(self, urls: Iterable[str]) -> Iterator[tuple[int, set[str]]]:
        """Yield those of some addresses that are listed in one place, on whatever page of a form, with that place."""
        wanted = set(urls) - self.boilerplate
        groups: dict[PagePlace, set[str]] = defaultdict(set)
        for page, block in self._blocks():
            groups[_page_place(page, block.place)[0]].update(wanted.intersection(block.links))
        yield from ((place, there) for (_, place), there in groups.items() if there)

    def group_by_list(self, urls: Iterable[str]) -> Iterator[set[str]]:
        """Yield those of some addresses that stand in one place of one page."""
        wanted = set(urls) - self.boilerplate
        groups: dict[tuple[str, int], set[str]] = defaultdict(set)
        for page, block in self._blocks():
            groups[page, block.place].update(wanted.intersection(block.links))
        yield from filter(None, groups.values())

    def find_together(self, kinds: Collection[AddressKind]) -> dict[AddressKind, float]:
        """Return for each kind of addresses the part of its lists that have addresses of some kinds too; what every page has is no list."""
        lists: Counter[AddressKind] = Counter()
        mixed: Counter[AddressKind] = Counter()
        for _, block in self._blocks():
            counts = Counter(address_kind(link) for link in block.links if link not in self.boilerplate)
            listed = [kind for kind, count in counts.items() if count >= MIN_LIST_LINKS]
            lists.update(listed)
            if sum(counts[kind] for kind in kinds) >= MIN_LIST_LINKS:
                mixed.update(listed)
        return {kind: mixed[kind] / count for kind, count in lists.items()}

    def count_together(self, page: str, wanted: Callable[[str], bool]) -> int:
        """Return how many addresses of some sort stand together on a page at most."""
        return max(
            (
                sum(link not in self.boilerplate and wanted(link) for link in block.links)
                for block in self.blocks.get(page, ())
            ),
            default=0,
        )


def _page_place(page: str, place: int) -> tuple[PagePlace, ParameterNames]:
    kind = loose_address_kind(page)
    names = kind[-1] if len(kind) > 1 else ()
    return (kind[:-1], place), frozenset(names) if isinstance(names, tuple) else frozenset()


def _are_pages_of_one_list(page: str, other: str) -> bool:
    """Return True if two pages are pages of one list: their addresses differ in a folder with a number at the end."""
    short, long = sorted((page, other), key=len)
    return short.endswith("/") and long.startswith(short) and _FURTHER.fullmatch(long[len(short) :]) is not None
