"""The method as the paper has it, to compare with: breadth-first map, one path, no look at the pages that it leads to.

Figures 3 (mapping), 4 and 5 (grouping by URLsim with K = 2), 7 (patterns, as `dowse.example.address` writes them) and 9 (the
crawler). The paper does not say from which similarity on two pages are similar.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from dowse.example.address import AddressPattern, generalise, group_similar, read_address
from dowse.example.follow import OpenPage
from dowse.model import Failure, Request
from dowse.tree.similarity import ALL_REPEATS, Shape, shape_of, similarity

MIN_SIMILARITY = 0.8  # of a page and the sample: the usual threshold of RTDM clusterings, the paper gives none


@dataclass(slots=True)
class PublishedMap:
    """The tree of pages, each with the page it was found from."""

    entry: str
    found_from: dict[str, str] = field(default_factory=dict)
    targets: set[str] = field(default_factory=set)
    pages: int = 0


async def map_as_published(sample: str, entry: str, open_page: OpenPage, pages: int) -> PublishedMap:
    """Open pages breadth first; the links of those that are similar to the sample are not followed (Figure 3)."""
    shown = await open_page(Request(sample))
    found = PublishedMap(entry, {entry: ""})
    if isinstance(shown, Failure):
        return found
    wanted = shape_of(shown.tree, repeats=ALL_REPEATS)
    waiting = deque([entry])
    while waiting and found.pages < pages:
        url = waiting.popleft()
        page = await open_page(Request(url))
        found.pages += 1
        if isinstance(page, Failure):
            continue
        if url != entry and is_similar(shape_of(page.tree, repeats=ALL_REPEATS), wanted):
            found.targets.add(url)
            continue
        for link in page.links:
            if link not in found.found_from:
                found.found_from[link] = url
                waiting.append(link)
    return found


def is_similar(shape: Shape, wanted: Shape) -> bool:
    """Return True if a page counts as similar to the sample."""
    return similarity(shape, wanted, at_least=MIN_SIMILARITY) >= MIN_SIMILARITY


def find_path(site: PublishedMap) -> tuple[AddressPattern, ...]:
    """Return the path with most targets (Definition 2) in the tree of grouped pages (Figure 4)."""
    children: dict[str, list[str]] = {}
    known: set[str] = set()
    for url in sorted(site.targets):
        while url != site.entry and url not in known and read_address(url) is not None:
            known.add(url)
            children.setdefault(site.found_from[url], []).append(url)
            url = site.found_from[url]
    best: tuple[int, tuple[AddressPattern, ...]] = (0, ())
    waiting: list[tuple[Sequence[str], tuple[AddressPattern, ...]]] = [((site.entry,), ())]
    while waiting:
        pages, path = waiting.pop()
        below = [child for page in pages for child in children.get(page, ())]
        for group in group_similar(below):
            steps = (*path, generalise(group))
            best = max(best, (len(site.targets.intersection(group)), steps), key=lambda each: each[0])
            waiting.append((group, steps))
    return best[1]


async def crawl_as_published(
    entry: str, path: Sequence[AddressPattern], open_page: OpenPage
) -> tuple[frozenset[str], int]:
    """Return the pages at the end of the path, whatever they are (Figure 9), and how many links were traversed."""
    pages: Iterable[str] = [entry]
    links = 0
    for step in path:
        following: dict[str, None] = {}
        for url in pages:
            links += 1
            page = await open_page(Request(url))
            if not isinstance(page, Failure):
                following |= dict.fromkeys(link for link in page.links if step.matches(link))
        pages = following
    ends = frozenset(pages) if path else frozenset[str]()
    return ends, links + len(ends)
