"""What is known of a site without its pages: its name, topic, trouble, and which sites it links to.

Any of them in constant time, whatever the size of the world: a host name carries its site's number,
and the links that make every site discoverable are those of a binary tree over the numbers.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random

from dowse.sim.chance import Shares, by_share, dice
from dowse.sim.topics import TOPIC_NAMES
from dowse.sim.trouble import CLOSED_ROBOTS, DEAD_NAMES, ROBOTS, TROUBLES
from dowse.sim.words import HOST_ENDS, HOST_WORDS

HUBS = 3  # the first sites are healthy: a crawl can start there
HOST_SHAPES = (
    "www.{a}{b}{n}.example",
    "www.{a}-{t}{n}.example",
    "{a}{n}.example",
    "{a}{b}{n}.test",
    "{t}{n}.{a}.example",
    "www.{n}{a}.test",
    "{a}.{b}{n}.example",
    "www.{a}{n}.co.example",
)
# Paper 1, Section 5.1: of 100 sites 44 link-page, 8 skeleton, 8 directory, 29 mixed, 11 without.
SPREADS: Shares = (("link-page", 0.44), ("skeleton", 0.08), ("directory", 0.08), ("mixed", 0.29), ("none", 0.11))
_NUMBER = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class Traits:
    """A site from the outside."""

    index: int
    host: str
    alias: str  # another host that redirects here, or nothing
    topic: str
    trouble: str
    robots: str
    spread: str  # how links to other sites are spread over its pages

    @property
    def address(self) -> str:
        """The address that other sites know."""
        return f"http://{self.alias or self.host}/"

    @property
    def is_dead(self) -> bool:
        """Whether no page can ever be had."""
        return self.trouble in DEAD_NAMES

    @property
    def is_closed(self) -> bool:
        """Whether a polite crawler sees no page: dead, or forbidden by robots.txt."""
        return self.is_dead or self.robots in CLOSED_ROBOTS

    @property
    def passes_on(self) -> bool:
        """Whether a crawler that comes here finds a way to other sites."""
        return not self.is_closed and self.spread != "none"


def make_traits(seed: int, index: int) -> Traits:
    """Make a site's traits from its number."""
    rng = dice(seed, "traits", index)
    topic = rng.choice(TOPIC_NAMES)
    host = _make_host(rng, index, topic)
    trouble, robots, spread = by_share(rng, TROUBLES), by_share(rng, ROBOTS) or "allow", by_share(rng, SPREADS)
    if index < HUBS:
        trouble, robots, spread = "", "missing", "mixed"
    alias = ""
    if trouble == "redirecting-root":
        alias = host.removeprefix("www.")
        host = f"www.{alias}"
    return Traits(index, host, alias, topic, trouble, robots, spread or "none")


def _make_host(rng: Random, index: int, topic: str) -> str:
    shape = rng.choice(HOST_SHAPES)
    return shape.format(a=rng.choice(HOST_WORDS), b=rng.choice(HOST_ENDS), t=topic, n=index)


def index_in(host: str) -> int:
    """Return the number that a host name carries, or -1."""
    numbers = _NUMBER.findall(host)
    return int(numbers[0]) if len(numbers) == 1 and len(numbers[0]) < 12 else -1


def find_neighbours(seed: int, index: int, sites: int, traits_of: Callable[[int], Traits]) -> tuple[int, ...]:
    """Return the sites that a site links to: its wards, then others, rather popular ones and of its topic."""
    own = traits_of(index)
    if not own.passes_on:
        return ()
    rng = dice(seed, "neighbours", index)
    found = list(_find_wards(index, sites, traits_of))
    for _ in range(min(12, int(rng.paretovariate(0.9)))):
        found.append(_draw_site(rng, sites, own.topic, traits_of))
    return tuple(number for number in dict.fromkeys(found) if number != index)


def _find_wards(index: int, sites: int, traits_of: Callable[[int], Traits]) -> Iterator[int]:
    """Give the two sites below in the tree, and those below a site through which nobody passes."""
    waiting = [2 * index + 1, 2 * index + 2]
    while waiting:
        number = waiting.pop(0)
        if number >= sites:
            continue
        yield number
        if not traits_of(number).passes_on:
            waiting += [2 * number + 1, 2 * number + 2]


def _draw_site(rng: Random, sites: int, topic: str, traits_of: Callable[[int], Traits]) -> int:
    number = 0
    for _ in range(4):
        number = int(sites * rng.random() ** 2.5)  # low numbers are popular
        if traits_of(number).topic == topic:
            break
    return number
