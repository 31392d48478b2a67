"""Which sites link to which, in constant time: popular ones more often, those of the same topic and language above all."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random

from dowse.sim.cells import BLOCK, site_like
from dowse.sim.chance import dice, pareto
from dowse.sim.traits import Traits

MOST_LINKS = 60
SAME_TOPIC = 0.7  # of the links that a site chooses
POPULARITY = 2.5  # low numbers are popular


def find_neighbours(
    seed: int, family: str, own: Traits, sites: int, traits_of: Callable[[int], Traits]
) -> tuple[int, ...]:
    """Return the sites that a site links to: its wards, so that every site can be found, then those it chooses."""
    if not own.passes_on:
        return ()
    rng = dice(seed, family, "neighbours", own.index)
    found = list(_find_wards(own.index, sites, traits_of))
    for _ in range(min(MOST_LINKS, int(pareto(rng, 0.9)))):
        found.append(_choose_site(rng, seed, own, sites))
    return tuple(number for number in dict.fromkeys(found) if number != own.index)


def _find_wards(index: int, sites: int, traits_of: Callable[[int], Traits]) -> Iterator[int]:
    """Give the two sites below in a binary tree over all, and those below a site through which nobody passes."""
    waiting = [2 * index + 1, 2 * index + 2]
    while waiting:
        number = waiting.pop(0)
        if number >= sites:
            continue
        yield number
        if not traits_of(number).passes_on:
            waiting += [2 * number + 1, 2 * number + 2]


def _choose_site(rng: Random, seed: int, own: Traits, sites: int) -> int:
    chance = rng.random() ** POPULARITY
    if rng.random() >= SAME_TOPIC:
        return int(sites * chance)
    block = int(sites / BLOCK * chance)
    number = site_like(seed, block, own.topic, own.language, int(rng.random() * 64))
    return number if number < sites else int(sites * chance)
