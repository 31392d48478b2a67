"""Which sites link to which, in constant time: the two below in a tree over all, and those that its themes choose."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from dowse.sim.chance import dice, pareto, scramble, unscramble
from dowse.sim.themes import Themes
from dowse.sim.traits import HUBS, Traits

MOST_LINKS = 60


class Neighbours(NamedTuple):
    """The sites that a site links to: its wards first, so that every site can be found, then those it chooses."""

    numbers: tuple[int, ...]
    wards: int  # how many of them are wards


def find_neighbours(themes: Themes, own: Traits, sites: int, traits_of: Callable[[int], Traits]) -> Neighbours:
    """Find the sites that a site links to."""
    if not own.passes_on:
        return Neighbours((), 0)
    rng = dice(themes.seed, themes.family, "neighbours", own.index)
    found = list(_find_wards(themes.key, own.index, sites, traits_of))
    wards = len(found)
    for _ in range(themes.count_links(own) * min(MOST_LINKS, int(pareto(rng, 0.9)))):
        found.append(themes.choose_site(rng, own, sites))
    return Neighbours(tuple(number for number in dict.fromkeys(found) if number != own.index), wards)


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
