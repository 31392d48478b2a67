"""Which sites link to which, in constant time: popular ones more often, those of the same topic and language above all."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random

from dowse.sim.cells import BLOCK, site_like
from dowse.sim.chance import dice, number_of, pareto, scramble, unscramble
from dowse.sim.traits import HUBS, Traits

MOST_LINKS = 60
TIMES_MANY = 10  # as many links as usual, on sites that list others, in a world of many links
SAME_TOPIC = 0.7  # of the links that a site chooses
POPULARITY = 2.5  # low numbers are popular


def find_neighbours(
    seed: int, family: str, own: Traits, sites: int, traits_of: Callable[[int], Traits], times: int = 1
) -> tuple[int, ...]:
    """Return the sites that a site links to: its wards, so that every site can be found, then those it chooses, or so many times as many."""
    if not own.passes_on:
        return ()
    rng, key = dice(seed, family, "neighbours", own.index), number_of(seed, family)
    found = list(_find_wards(key, own.index, sites, traits_of))
    for _ in range(times * min(MOST_LINKS, int(pareto(rng, 0.9)))):
        found.append(_choose_site(rng, key, own, sites))
    return tuple(number for number in dict.fromkeys(found) if number != own.index)


def _find_wards(key: int, index: int, sites: int, traits_of: Callable[[int], Traits]) -> Iterator[int]:
    """Give the two sites below in a binary tree over all, and those below a site through which nobody passes.

    Places in the tree are scrambled numbers, so that a site's number says nothing of those it links to.
    """
    place = _place_of(key, index, sites)
    waiting = [2 * place + 1, 2 * place + 2]
    while waiting:
        place = waiting.pop(0)
        if place >= sites:
            continue
        number = _site_at(key, place, sites)
        yield number
        if not traits_of(number).passes_on:
            waiting += [2 * place + 1, 2 * place + 2]


def _place_of(key: int, index: int, sites: int) -> int:
    """Return a site's place in the tree; the hubs are on top."""
    if index < HUBS:
        return index
    others, number = sites - HUBS, index - HUBS
    while True:  # cycle walking: on average less than twice
        number = scramble(key, number, max(2, others.bit_length()))
        if number < others:
            return number + HUBS


def _site_at(key: int, place: int, sites: int) -> int:
    """Return the site at a place in the tree."""
    if place < HUBS:
        return place
    others, number = sites - HUBS, place - HUBS
    while True:
        number = unscramble(key, number, max(2, others.bit_length()))
        if number < others:
            return number + HUBS


def _choose_site(rng: Random, key: int, own: Traits, sites: int) -> int:
    chance = rng.random() ** POPULARITY
    if rng.random() >= SAME_TOPIC:
        return int(sites * chance)
    block = int(sites / BLOCK * chance)
    number = site_like(key, block, own.topic, own.language, int(rng.random() * 64))
    return number if number < sites else int(sites * chance)
