"""Work on sites in several processes, in the order of the sites."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from random import Random
from typing import Any, TypeVar

from dowse.fetch import Fetch
from dowse.fetch.build import wrap_fetch
from dowse.model import Seed
from dowse.seeds.lists import read_seed
from dowse.sim import World, simulate
from dowse.sim.traits import HUBS

Given = TypeVar("Given")
Say = Callable[[str], None]
TELLS = 10  # times that is said how far it is


@dataclass(frozen=True, slots=True)
class Task:
    """Some sites of a world, and what to do there."""

    family: str
    seed: int
    sites: int  # of the whole world
    indexes: tuple[int, ...] = ()
    site_pages: int = 0
    strategies: tuple[str, ...] = ()
    pages: int = 0
    found: int = 0
    outlinks: str = "few"

    def world(self) -> World:
        """Open the world."""
        return World(self.seed, self.sites, family=self.family, outlinks=self.outlinks)


def open_fetch(world: World) -> Fetch:
    """Return how a polite crawler fetches from a world."""
    return wrap_fetch(simulate(world)).within_site


def seed_of(world: World, index: int) -> Seed:
    """Return the entrance of a site, by the name that it answers to."""
    return read_seed(f"http://{world.traits(index).host}/")


def split(indexes: Sequence[int], size: int) -> Iterator[tuple[int, ...]]:
    """Cut into pieces that one worker does at a time."""
    for start in range(0, len(indexes), size):
        yield tuple(indexes[start : start + size])


def spread(work: Callable[[Task], Given], tasks: Sequence[Task], say: Say) -> list[Given]:
    """Do all tasks, as many at a time as there are cores, and return what they gave in their order."""
    given: list[Given] = []
    step = max(1, len(tasks) // TELLS)
    with ProcessPoolExecutor(os.cpu_count(), mp_context=get_context("spawn")) as pool:
        for result in pool.map(work, tasks):
            given.append(result)
            if len(given) % step == 0:
                say(f"    {len(given)} of {len(tasks)} pieces")
    return given


def pick_seeds(world: World, count: int, seed: int) -> list[int]:
    """Draw sites that answer, but not the hubs, which know too many others."""
    order = list(range(HUBS, world.sites))
    Random(seed).shuffle(order)
    picked: list[int] = []
    for index in order:
        if len(picked) == count:
            break
        if world.site(index).reachable:
            picked.append(index)
    return picked


def thin(points: Sequence[Any], most: int = 100) -> list[Any]:
    """Return so many points of a curve at most, one for each place, the last among them."""
    single = list({point[0]: point for point in points}.values())
    step = max(1, -(-len(single) // most))
    return single[::-1][::step][::-1]
