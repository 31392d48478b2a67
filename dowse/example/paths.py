"""The paths to target pages, grouped by similar addresses (paper 3, Figure 4), and the few that reach most targets."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import islice, product
from typing import Final

from dowse.example.address import (
    MAX_DIFFERENT_LEVELS,
    Address,
    AddressPattern,
    are_pages_of_one,
    group_alike,
    group_similar,
    read_address,
)
from dowse.example.generalise import generalise, tighten_pattern
from dowse.example.pattern import MAX_PATH_STEPS, Path, Step

MIN_ADDED_TARGETS: Final = 3  # by a further path, so that a box of news is no path of its own
MIN_ADDED_SHARE: Final = 0.1  # of all targets: where there are few, so many are enough
MIN_PATH_TARGETS: Final = 2  # a path to one page knows that page alone
MAX_WRONG_TARGET_SHARE: Final = 0.05  # of the pages that a last step leads to; the page itself tells the rest
# Of the pages that another step leads to: reading some in vain is cheaper than missing a new list.
MAX_WRONG_HUB_SHARE: Final = 0.5
MAX_OTHERS_BY_ADDRESS: Final = 30  # pages beside a path that are avoided by their addresses; more of them by a pattern
MAX_COVER_PATHS: Final = 8
MAX_CANDIDATE_ENDS: Final = 200  # branches of targets that are compared, those with most targets first
MAX_PATTERN_VARIANTS: Final = 8  # of one path, where a step has several patterns

GroupAddresses = Callable[[Iterable[str]], list[list[str]]]  # addresses in groups that each have one pattern


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
class LinkGraph:
    """The links of a map, and how pages are grouped: hubs that lead to targets by similar addresses, targets by one kind."""

    children: Mapping[str, Sequence[str]]
    links: Mapping[str, Sequence[str]]
    targets: frozenset[str]
    group_hubs: GroupAddresses
    group_targets: GroupAddresses


def group_links(site: TargetMap, most: int = MAX_DIFFERENT_LEVELS) -> Branch:
    """Return the paths of a map with similar pages as one (Group of paper 3), the entry as the root.

    Every link to a target counts, not the first alone; targets are one kind however many levels differ.
    """
    children = {page: [each for each in below if each not in site.targets] for page, below in site.children.items()}
    links = site.links
    for page, below in links.items():
        children[page] = children.get(page, []) + [each for each in below if each in site.targets]
    return grow_tree(
        site.entry, LinkGraph(children, links, site.targets, partial(group_similar, most=most), group_alike)
    )


def grow_tree(entry: str, graph: LinkGraph) -> Branch:
    """Group what was found below the entry, step by step."""
    return Branch(generalise([entry]), (entry,), branches=_grow((entry,), graph, 1))


def _grow(pages: Sequence[str], graph: LinkGraph, depth: int) -> tuple[Branch, ...]:
    known = set(pages)
    found = dict.fromkeys(child for page in pages for child in graph.children.get(page, ()) if child not in known)
    readable = [page for page in found if read_address(page) is not None]
    ends = graph.group_targets(page for page in readable if page in graph.targets)
    branches = [Branch(generalise(group), tuple(group), len(group)) for group in ends]
    if depth < MAX_PATH_STEPS:
        hubs = graph.group_hubs(page for page in readable if page not in graph.targets)
        for group in hubs:
            pages = _add_following(group, graph)
            below = _grow(pages, graph, depth + 1)
            branches.append(Branch(generalise(pages), pages, 0, below, _are_linked_pages(pages, graph)))
    return tuple(branches)


def _are_linked_pages(pages: Sequence[str], graph: LinkGraph) -> bool:
    """Return True if some pages are pages of one list that link to each other."""
    known = set(pages)
    return any(
        _follows(page, each) for page in pages for each in graph.links.get(page, ()) if each in known and each != page
    )


def _add_following(group: Sequence[str], graph: LinkGraph) -> tuple[str, ...]:
    """Return the pages with the further pages of the same lists, which often only the page before links to."""
    pages = dict.fromkeys(group)
    waiting = list(group)
    while waiting:
        page = waiting.pop()
        for child in graph.children.get(page, ()):
            if child not in pages and child not in graph.targets and _follows(page, child):
                pages[child] = None
                waiting.append(child)
    return tuple(pages)


def _follows(page: str, child: str) -> bool:
    first, second = read_address(page), read_address(child)
    return first is not None and second is not None and are_pages_of_one(first, second)


def find_ends(root: Branch) -> Iterator[tuple[Branch, ...]]:
    """Yield the path to each branch of targets, without the root."""
    waiting: list[tuple[Branch, ...]] = [(branch,) for branch in root.branches]
    while waiting:
        path = waiting.pop(0)
        if path[-1].targets:
            yield path
        waiting += [(*path, branch) for branch in path[-1].branches]


# -- a few paths that together reach the targets


@dataclass(frozen=True, slots=True)
class Cover:
    """Paths, best first, and the targets they reach."""

    paths: tuple[Path, ...]
    reached: frozenset[str]
    missed: frozenset[str]
    reasons: tuple[str, ...] = ()  # why pages could not be told apart by their addresses


@dataclass(frozen=True, slots=True)
class CandidatePath:
    """A path with its patterns, the targets it reaches on the map, and how many pages are read for that."""

    steps: tuple[tuple[AddressPattern, bool], ...]
    reached: frozenset[str]
    read: int

    @property
    def path(self) -> Path:
        """The path as a pattern file holds it."""
        return Path(tuple(Step(pattern.text, repeats) for pattern, repeats in self.steps))


def cover(
    site: TargetMap, *, most: int = MAX_DIFFERENT_LEVELS, least: int = MIN_ADDED_TARGETS, share: float = MIN_ADDED_SHARE
) -> Cover:
    """Return the paths that reach most targets: each one adds most of those that are left.

    A path is followed over all links of the map, so a target that was first found in a box on the entry page counts for
    the lists that link to it too.
    """
    finder = _PathFinder(site)
    candidates = finder.find_candidates(group_links(site, most))
    chosen: list[CandidatePath] = []
    left = set(site.targets)
    while candidates and len(chosen) < MAX_COVER_PATHS:
        best = max(candidates, key=lambda each: (len(each.reached & left), -len(each.steps), -each.read))
        added = len(best.reached & left)
        enough = max(MIN_PATH_TARGETS, min(least, share * len(site.targets)))
        if not added or (chosen and added < enough):
            break
        chosen.append(best)
        left -= best.reached
    return Cover(tuple(each.path for each in chosen), site.targets - left, frozenset(left), tuple(finder.reasons))


@dataclass(slots=True)
class _PathFinder:
    """Makes paths out of branches, and follows them over the map."""

    site: TargetMap
    reasons: dict[str, None] = field(default_factory=dict)
    links: Mapping[str, Sequence[str]] = field(init=False)
    addresses: Mapping[str, Address] = field(init=False)

    def __post_init__(self) -> None:
        self.links = self.site.links
        read = {page: read_address(page) for page in self.site.parents}
        self.addresses = {page: address for page, address in read.items() if address is not None}

    def find_candidates(self, root: Branch) -> list[CandidatePath]:
        """Return the paths to targets, those with most of them first."""
        ends = sorted(find_ends(root), key=lambda path: -path[-1].targets)[:MAX_CANDIDATE_ENDS]
        tight: dict[int, tuple[AddressPattern, ...]] = {}
        found: dict[Path, CandidatePath] = {}
        for end in ends:
            for branch in end:
                tight[id(branch)] = tight.get(id(branch)) or self.tighten(branch)
            for patterns in islice(product(*(tight[id(branch)] for branch in end)), MAX_PATTERN_VARIANTS):
                candidate = self.follow(tuple(zip(patterns, (branch.repeats for branch in end), strict=True)))
                found.setdefault(candidate.path, candidate)
        return list(found.values())

    def tighten(self, branch: Branch) -> tuple[AddressPattern, ...]:
        """Return the patterns of a branch that leave out what is of another kind, where there is much of it."""
        targets = self.site.targets
        unlike = [page for page in self.site.parents if (page in targets) != bool(branch.targets)]
        others = [page for page in self.site.others if branch.pattern.matches(page)]
        wrong = [*filter(branch.pattern.matches, unlike), *(others if len(others) > MAX_OTHERS_BY_ADDRESS else ())]
        if len(wrong) <= (MAX_WRONG_TARGET_SHARE if branch.targets else MAX_WRONG_HUB_SHARE) * len(branch.pages):
            return (branch.pattern,)
        tightened = tighten_pattern(branch.pattern, branch.pages, wrong)
        if not tightened.verdict.yes:
            self.reasons[tightened.verdict.reason] = None
        return tightened.patterns

    def follow(self, steps: tuple[tuple[AddressPattern, bool], ...]) -> CandidatePath:
        """Return what following the steps over the map reaches, as a crawler would."""
        pages, read = {self.site.entry}, 1
        for pattern, repeats in steps:
            pages = self.take_step(pages, pattern, repeats=repeats)
            read += len(pages)
        return CandidatePath(steps, frozenset(pages & self.site.targets), read)

    def take_step(self, pages: Iterable[str], pattern: AddressPattern, *, repeats: bool) -> set[str]:
        """Return the pages that links of the pattern lead to."""
        found: set[str] = set()
        waiting = list(pages)
        while waiting:
            new = set(self.find_next(waiting, pattern)) - found
            found |= new
            waiting = list(new) if repeats else []
        return found

    def find_next(self, pages: Iterable[str], pattern: AddressPattern) -> Iterator[str]:
        """Yield the pages that some pages link to and the pattern matches."""
        for child in dict.fromkeys(each for page in pages for each in self.links.get(page, ())):
            address = self.addresses.get(child)
            if address is not None and pattern.matches_address(address):
                yield child
