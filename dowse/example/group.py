"""The paths to target pages, grouped by similar addresses (paper 3, Figure 4), and those that reach most of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from dowse.example.address import MOST_SIMILAR, are_pages_of_one, group_alike, group_similar, read_address
from dowse.example.generalise import AddressPattern, generalise
from dowse.example.pattern import MOST_STEPS

Together = Callable[[Iterable[str]], list[list[str]]]  # addresses in groups that each have one pattern


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


@dataclass(frozen=True, slots=True)
class Branch:
    """Pages with similar addresses that are reached by the same steps."""

    pattern: AddressPattern
    pages: tuple[str, ...]
    targets: int = 0  # of the pages
    branches: tuple[Branch, ...] = ()
    repeats: bool = False  # pages of one list, each found from the one before


@dataclass(frozen=True, slots=True)
class Ways:
    """What is grouped, and how: pages that lead to targets by their addresses alone, targets as what they are."""

    children: Mapping[str, Sequence[str]]
    links: Mapping[str, Sequence[str]]
    targets: frozenset[str]
    join_hubs: Together
    join_targets: Together


def _similar(most: int) -> Together:
    return lambda urls: group_similar(urls, most)


def group_links(site: TargetMap, most: int = MOST_SIMILAR) -> Branch:
    """Return the paths of a map with similar pages as one (Group of paper 3), the entry as the root.

    Every link to a target counts, not the first alone; targets are one kind however many levels differ.
    """
    children = {page: [each for each in below if each not in site.targets] for page, below in site.children.items()}
    links = site.links
    for page, below in links.items():
        children[page] = children.get(page, []) + [each for each in below if each in site.targets]
    return grow_tree(site.entry, Ways(children, links, site.targets, _similar(most), group_alike))


def grow_tree(entry: str, ways: Ways) -> Branch:
    """Group what was found below the entry, step by step."""
    return Branch(generalise([entry]), (entry,), branches=_grow((entry,), ways, 1))


def _grow(pages: Sequence[str], ways: Ways, depth: int) -> tuple[Branch, ...]:
    known = set(pages)
    below = dict.fromkeys(child for page in pages for child in ways.children.get(page, ()) if child not in known)
    there = [page for page in below if read_address(page) is not None]
    ends = ways.join_targets(page for page in there if page in ways.targets)
    branches = [Branch(generalise(group), tuple(group), len(group)) for group in ends]
    if depth < MOST_STEPS:
        hubs = ways.join_hubs(page for page in there if page not in ways.targets)
        branches += [_grow_hub(group, ways, depth) for group in hubs]
    return tuple(branches)


def _grow_hub(group: Sequence[str], ways: Ways, depth: int) -> Branch:
    pages = _add_following(group, ways)
    return Branch(generalise(pages), pages, branches=_grow(pages, ways, depth + 1), repeats=_repeat(pages, ways))


def _repeat(pages: Sequence[str], ways: Ways) -> bool:
    """Say whether some pages are pages of one list that link to each other."""
    known = set(pages)
    return any(
        _follows(page, each) for page in pages for each in ways.links.get(page, ()) if each in known and each != page
    )


def _add_following(group: Sequence[str], ways: Ways) -> tuple[str, ...]:
    """Return the pages with the further pages of the same lists, which often only the page before links to."""
    pages = dict.fromkeys(group)
    waiting = list(group)
    while waiting:
        page = waiting.pop()
        for child in ways.children.get(page, ()):
            if child not in pages and child not in ways.targets and _follows(page, child):
                pages[child] = None
                waiting.append(child)
    return tuple(pages)


def _follows(page: str, child: str) -> bool:
    first, second = read_address(page), read_address(child)
    return first is not None and second is not None and are_pages_of_one(first, second)


def find_ends(root: Branch) -> Iterator[tuple[Branch, ...]]:
    """Yield the way to each branch of targets, without the root."""
    waiting: list[tuple[Branch, ...]] = [(branch,) for branch in root.branches]
    while waiting:
        way = waiting.pop(0)
        if way[-1].targets:
            yield way
        waiting += [(*way, branch) for branch in way[-1].branches]
