"""Page-based crawling (paper 1, Section 6): one frontier over the whole web, no sites, as the measure to compare with.

As traditional crawlers did it: an address is fetched once, and nothing is known of traps.
"""

from __future__ import annotations

from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from random import Random

from dowse.crawl.site import names_a_file
from dowse.errors import BadInput
from dowse.model import Door, Link, SeenOnSite, Visit
from dowse.url import origin

FRONTIER = 1_000_000  # addresses that wait at most
ORDERS = ("breadth", "depth", "random")

VisitLink = Callable[[Link, SeenOnSite], Awaitable[Visit]]


async def crawl_pages(
    seeds: Iterable[str], visit: VisitLink, order: str, *, pages: int, seed: int = 1, room: int = FRONTIER
) -> AsyncIterator[Visit]:
    """Follow links wherever they lead and yield so many pages, with the doors that are new to their site."""
    if order not in ORDERS:
        raise BadInput(f"no order is called {order!r}; there is {', '.join(ORDERS)}")
    frontier = _Frontier(order, room, Random(seed))
    doors: set[int] = set()
    frontier.push(Link(url) for url in seeds)
    fetched = 0
    while fetched < pages and (link := frontier.pop()):
        visited = await visit(link, SeenOnSite())
        if visited.failure and not visited.failure.asked:
            continue
        fetched += 1
        frontier.push(_next_links(visited))
        yield replace(visited, doors=tuple(_new_doors(visited.doors, doors)))


@dataclass(slots=True)
class _Frontier:
    """The addresses that wait, in one order; each is handed out once."""

    order: str
    room: int
    dice: Random
    waiting: deque[tuple[str, int]] = field(default_factory=deque)
    seen: set[int] = field(default_factory=set)  # hashes: an address takes ten times the room

    def push(self, links: Iterable[Link]) -> None:
        """Let links wait; those of a page are followed in its order. Without room, the last to be followed are left."""
        depth_first = self.order == "depth"
        for link in reversed(list(links)) if depth_first else links:
            if hash(link.url) in self.seen:
                continue
            if len(self.waiting) >= self.room:
                if not depth_first:
                    return
                self.waiting.popleft()
            if not depth_first:  # there, a page that is shown again deeper down is followed from there
                self.seen.add(hash(link.url))
            self.waiting.append((link.url, link.depth))

    def pop(self) -> Link | None:
        """Return the next link, or None when none is left."""
        while self.waiting:
            url, depth = self._take()
            if self.order != "depth":
                return Link(url, depth=depth)
            if hash(url) not in self.seen:
                self.seen.add(hash(url))
                return Link(url, depth=depth)
        return None

    def _take(self) -> tuple[str, int]:
        if self.order == "breadth":
            return self.waiting.popleft()
        last = self.waiting.pop()
        if self.order == "depth" or not self.waiting:
            return last
        place = self.dice.randrange(len(self.waiting) + 1)
        if place == len(self.waiting):
            return last
        chosen, self.waiting[place] = self.waiting[place], last
        return chosen


def _next_links(visited: Visit) -> Iterator[Link]:
    """Yield where a page leads, on its own site and others."""
    depth = visited.link.depth + 1
    if visited.left_site:
        yield Link(visited.moved, depth=visited.link.depth)
    if not visited.page or "nofollow" in visited.page.robots:
        return
    for link in visited.page.links:
        if "nofollow" not in link.rel and not names_a_file(link.url):
            yield Link(link.url, depth=depth)


def _new_doors(found: Iterable[Door], known: set[int]) -> Iterator[Door]:
    """Yield the doors that no page of their site has shown before."""
    for door in found:
        key = hash((origin(door.page), door.signature))
        if key not in known:
            known.add(key)
            yield door
