"""Where the pages of a site are listed: who stands in lists as the samples do, and what stands on every page."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final

from dowse.example.blocks import Block
from dowse.example.kind import Kind, form_of, kind_of

LISTED: Final = 3  # links to pages of a kind that make a list of them
EVERYWHERE: Final = 0.3  # of all pages: what so many link to stands in a menu or a box
KIN: Final = 0.5  # of some pages that stand in the samples' lists, when all may

MOST_LISTS: Final = 200  # of samples that are remembered; any more are like them
_FURTHER: Final = re.compile(r"(?:[a-zA-Z_-]{1,12}/)?[a-zA-Z_-]{0,12}[0-9]{1,6}/?")  # page/2/, p2

Place = tuple[Kind, int]  # the form of a page's address without its parameters, and a place on it
Names = frozenset[object]  # of parameters


@dataclass(slots=True)
class Listed:
    """The links of the pages that were seen, and what they tell of the pages they lead to."""

    named: frozenset[str]  # addresses of the samples
    start: str = ""  # address of the entry
    links: dict[str, tuple[str, ...]] = field(default_factory=dict)
    blocks: dict[str, tuple[Block, ...]] = field(default_factory=dict)
    usual: frozenset[str] = frozenset()  # addresses that very many pages link to: of menus and boxes
    places: dict[Place, set[Names]] = field(default_factory=dict)  # where samples are listed
    kinds: frozenset[Kind] = frozenset()  # of the samples' addresses, unless such pages list samples
    lists: dict[int, list[str]] = field(default_factory=dict)  # the pages where they are, by places
    before: frozenset[str] = frozenset()  # addresses in such places on the way to the lists of samples
    beside: frozenset[str] = frozenset()  # addresses in the same places of the same pages as samples
    kin: frozenset[str] | None = None  # addresses that are listed as the samples are; None where no list has those

    def note(self, url: str, links: tuple[str, ...], blocks: tuple[Block, ...]) -> None:
        """Note where a page leads, and which of its links stand together."""
        self.links[url], self.blocks[url] = links, blocks
        if self.kin is not None:
            self.kin = self.kin.union(*(self._list_kin(url, block) for block in blocks))

    def look_again(self, same: Collection[str] = ()) -> None:
        """Find anew what stands everywhere, and what stands where the samples do; where no list has them, where many pages that are the same do."""
        linked = Counter(link for links in self.links.values() for link in links)
        most = max(LISTED, EVERYWHERE * len(self.links))
        self.usual = frozenset(url for url, count in linked.items() if count > most)
        there = [(page, block) for page, block in self._blocks() if self._count(block, self.named - {page})]
        there = there or [(page, block) for page, block in self._blocks() if self._count(block, same) >= LISTED]
        self.places, self.lists = defaultdict(set), defaultdict(list)
        for page, block in there[:MOST_LISTS]:
            place, names = _name_place(page, block.place)
            self.places[place].add(names)
            self.lists[block.place].append(page)
        self.kinds = frozenset(map(kind_of, self.named)).difference(kind_of(page) for page, _ in there)
        found = (self._list_kin(page, block) for page, block in self._blocks())
        self.kin = frozenset().union(*found) if there else None
        self.before = self._find_before() if there else frozenset()
        lists = {(page, block.place) for page, block in there}
        found = (block.links for page, block in self._blocks() if (page, block.place) in lists)
        self.beside = frozenset().union(*found) - self.usual

    def _blocks(self) -> Iterator[tuple[str, Block]]:
        return ((page, block) for page, blocks in self.blocks.items() for block in blocks)

    def _find_before(self) -> frozenset[str]:
        """Return what stands in the samples' places on the way to their lists: on the entry, and on pages that lead to those lists."""
        lists = {page for page, block in self._blocks() if self._list_kin(page, block)} - self.usual
        kinds = set(map(kind_of, self.named))
        ways = {
            page for page, links in self.links.items() if kind_of(page) not in kinds and not lists.isdisjoint(links)
        }
        found = (
            block.links for page, block in self._blocks() if page in ways | {self.start} and block.place in self.lists
        )
        return frozenset().union(*found)

    def _count(self, block: Block, wanted: Collection[str]) -> int:
        return sum(link in wanted and link not in self.usual for link in block.links)

    def _list_kin(self, page: str, block: Block) -> tuple[str, ...]:
        """Return what a block lists where samples are listed; of a menu, what is not on every page."""
        if not self._is_place(page, block.place):
            return ()
        others = tuple(link for link in block.links if link not in self.usual)
        return block.links if 2 * len(others) > len(block.links) else others

    def _is_place(self, page: str, place: int) -> bool:
        """Tell whether samples are listed in such a place of such pages; further pages of a list have more parameters, or numbered folders."""
        key, names = _name_place(page, place)
        if kind_of(page) in self.kinds and page not in self.lists.get(place, ()):
            return False  # a page that may be like a sample lists what it likes
        if any(names <= known or known <= names for known in self.places.get(key, ())):
            return True
        return any(_are_pages_of_one(page, each) for each in self.lists.get(place, ()))

    def is_kin(self, url: str) -> bool:
        """Tell whether an address is listed as the samples are, as far as such lists were seen."""
        return self.kin is None or url in self.kin

    def are_kin(self, urls: Collection[str]) -> bool:
        """Tell whether many of some addresses are."""
        return sum(map(self.is_kin, urls)) >= KIN * len(urls)

    def group_by_place(self, urls: Iterable[str]) -> Iterator[set[str]]:
        """Yield those of some addresses that are listed in one place, on whatever page of a form."""
        wanted = set(urls) - self.usual
        groups: dict[Place, set[str]] = defaultdict(set)
        for page, block in self._blocks():
            groups[_name_place(page, block.place)[0]].update(wanted.intersection(block.links))
        yield from filter(None, groups.values())

    def group_by_list(self, urls: Iterable[str]) -> Iterator[set[str]]:
        """Yield those of some addresses that stand in one place of one page."""
        wanted = set(urls) - self.usual
        groups: dict[tuple[str, int], set[str]] = defaultdict(set)
        for page, block in self._blocks():
            groups[page, block.place].update(wanted.intersection(block.links))
        yield from filter(None, groups.values())

    def find_together(self, kinds: Collection[Kind]) -> dict[Kind, float]:
        """Return for each kind of addresses the part of its lists that have addresses of some kinds too; what every page has is no list."""
        lists: Counter[Kind] = Counter()
        mixed: Counter[Kind] = Counter()
        for _, block in self._blocks():
            counts = Counter(kind_of(link) for link in block.links if link not in self.usual)
            listed = [kind for kind, count in counts.items() if count >= LISTED]
            lists.update(listed)
            if sum(counts[kind] for kind in kinds) >= LISTED:
                mixed.update(listed)
        return {kind: mixed[kind] / count for kind, count in lists.items()}

    def count(self, page: str, wanted: Callable[[str], bool]) -> int:
        """Return how many addresses of some sort stand together on a page at most."""
        return max(
            (
                sum(link not in self.usual and wanted(link) for link in block.links)
                for block in self.blocks.get(page, ())
            ),
            default=0,
        )


def _name_place(page: str, place: int) -> tuple[Place, Names]:
    form = form_of(page)
    names = form[-1] if len(form) > 1 else ()
    return (form[:-1], place), frozenset(names) if isinstance(names, tuple) else frozenset()


def _are_pages_of_one(page: str, other: str) -> bool:
    """Tell whether two pages are pages of one list: their addresses differ in a folder with a number at the end."""
    short, long = sorted((page, other), key=len)
    return short.endswith("/") and long.startswith(short) and _FURTHER.fullmatch(long[len(short) :]) is not None
