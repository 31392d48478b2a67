"""Which topics there are, how large a part of the sites each has, and which site has which, in constant time both ways.

Sites come in blocks of a thousand. Each block has exactly the shares of `POWER_LAW` and `SIDE_LAW`, in an order of its own;
which topic has which share is drawn for each world. The rest, six in ten, is on no topic.
"""

from __future__ import annotations

from bisect import bisect
from functools import lru_cache
from itertools import accumulate
from random import Random
from typing import NamedTuple

from dowse.sim.chance import dice, mix, shuffled
from dowse.sim.topical.lexicon import GENERAL

# The topics that crawls are measured on. Near siblings stand side by side.
TOPICS = (
    "airfares", "hotels", "car rentals", "cars", "books", "movies", "music", "jobs", "publications", "recipes", "government",
    "real estate",
)  # fmt: skip
# Topics of other sites, some of them near siblings of the first.
SIDE_TOPICS = (
    "news", "sports", "health", "photography", "cameras", "streaming", "communities", "biology", "earth science", "maps",
)  # fmt: skip
SIBLINGS = {
    "airfares": ("hotels", "car rentals"),
    "hotels": ("airfares", "real estate", "car rentals"),
    "car rentals": ("cars", "airfares", "hotels"),
    "cars": ("car rentals",),
    "books": ("publications", "movies"),
    "movies": ("streaming", "music", "books"),
    "music": ("streaming", "movies"),
    "jobs": ("publications", "government"),
    "publications": ("jobs", "biology", "books"),
    "recipes": ("health", "books"),
    "government": ("maps", "jobs", "real estate"),
    "real estate": ("hotels", "government"),
    "streaming": ("movies", "music"),
    "cameras": ("photography",),
    "photography": ("cameras",),
    "news": ("sports", "health"),
    "sports": ("news",),
    "health": ("biology", "recipes"),
    "biology": ("publications", "health"),
    "earth science": ("maps", "publications"),
    "maps": ("government", "earth science"),
    "communities": ("jobs", "streaming"),
}
BLOCK = 1000
# Sites of a thousand by rank r: 50 / r ** 1.295, from 5 % to 0.2 %.
POWER_LAW = (50, 20, 12, 8, 6, 5, 4, 3, 3, 3, 2, 2)
# Of the side topics: 50 / r ** 0.45 nearly, so that 600 of a thousand are left for no topic.
SIDE_LAW = (50, 40, 34, 30, 27, 25, 22, 20, 18, 16)
_TRIES = 8  # draws of a site in a block that may lie beyond the end of the world


class Allotment(NamedTuple):
    """The cells of a block by topic."""

    topics: tuple[str, ...]
    ends: tuple[int, ...]  # one past the last cell of each topic

    def topic_at(self, cell: int) -> str:
        """Return the topic of a cell."""
        return self.topics[bisect(self.ends, cell)]

    def cells(self, topic: str) -> range:
        """Return the cells of a topic."""
        place = self.topics.index(topic)
        return range(self.ends[place - 1] if place else 0, self.ends[place])


@lru_cache(64)
def allot(key: int) -> Allotment:
    """Draw which topic has which share."""
    ranked = [*shuffled(dice(key, "shares"), TOPICS), *shuffled(dice(key, "side shares"), SIDE_TOPICS), GENERAL]
    shares = (*POWER_LAW, *SIDE_LAW)
    return Allotment(tuple(ranked), tuple(accumulate((*shares, BLOCK - sum(shares)))))


def share_of(key: int, topic: str) -> float:
    """Return the part of the sites that are on a topic."""
    return len(allot(key).cells(topic)) / BLOCK


def topic_of(key: int, index: int) -> str:
    """Return the topic of a site."""
    block, place = divmod(index, BLOCK)
    factor, shift = _order(key, block)
    return allot(key).topic_at((place - shift) * pow(factor, -1, BLOCK) % BLOCK)


def draw_topic(rng: Random, key: int) -> str:
    """Draw a topic by its share, none excluded but no topic."""
    allotted = allot(key)
    return allotted.topic_at(int(allotted.ends[-2] * rng.random()))


def draw_site(rng: Random, key: int, topic: str, sites: int, popularity: float) -> int:
    """Draw a site on a topic, popular ones more often; any site when the world is too small to have one."""
    cells = allot(key).cells(topic)
    for _ in range(_TRIES):
        block = int(-(-sites // BLOCK) * rng.random())
        cell = cells[int(len(cells) * rng.random() ** popularity)]
        factor, shift = _order(key, block)
        number = block * BLOCK + (cell * factor + shift) % BLOCK
        if number < sites:
            return number
    return int(sites * rng.random())


def sites_on(key: int, topic: str, sites: int) -> list[int]:
    """Return every site on a topic."""
    found = []
    for block in range(-(-sites // BLOCK)):
        factor, shift = _order(key, block)
        found += [block * BLOCK + (cell * factor + shift) % BLOCK for cell in allot(key).cells(topic)]
    return sorted(number for number in found if number < sites)


@lru_cache(4096)
def _order(key: int, block: int) -> tuple[int, int]:
    bits = mix(key ^ 0x70B1C, block)
    factors = (1, 3, 7, 9, 11, 13, 17, 19, 21, 23, 27, 29, 31, 33, 37, 39)
    return factors[bits % 16] + 40 * (bits >> 4 & 15), bits >> 32
