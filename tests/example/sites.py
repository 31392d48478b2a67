"""Simulated sites to learn on and to follow, and how well that went by their truth."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from dowse.example.follow import FollowRun, begin_follow, run_pattern
from dowse.example.learn import LearnedPattern, learn_like
from dowse.example.map import MapLimits
from dowse.example.pattern import Pattern
from dowse.fetch.build import wrap_fetch
from dowse.sim.shapes import ShapeSite, open_shape
from dowse.store import Store


@dataclass(frozen=True, slots=True)
class Score:
    """What was found against what there is."""

    precision: float
    recall: float
    cost: float  # links for each target and list that there is


@cache
def site(name: str, day: int = 0, edition: int = 0, addresses: str = "kept") -> ShapeSite:
    """Return a site of a shape."""
    return open_shape(name, "A", 1, day, edition=edition, addresses=addresses)


async def learn(name: str) -> LearnedPattern:
    """Learn a pattern on the first day of a site."""
    web = site(name)
    return await learn_like(web.samples[:1], web.entry, wrap_fetch(web.fetch), MapLimits())


async def walk(store: Store, pattern: Pattern, web: ShapeSite, *, only_new: bool = False) -> tuple[FollowRun, set[str]]:
    """Follow a pattern on a site; gives the addresses that were found, without sessions."""
    run = begin_follow(store, pattern, only_new=only_new)
    found = {plain(web, each.seen.url) async for each in run_pattern(store, run, wrap_fetch(web.fetch))}
    return run, found


def plain(web: ShapeSite, url: str) -> str:
    """Return an address without its session."""
    if not web.truth.session:
        return url
    cut = re.sub(web.truth.session, "", url)
    return cut if "?" in cut else cut.replace("&", "?", 1)


def score(found: set[str], links: int, web: ShapeSite) -> Score:
    """Compare what was found with the truth."""
    right = len(found & set(web.truth.targets))
    return Score(
        right / max(1, len(found)),
        right / len(web.truth.targets),
        links / (len(web.truth.targets) + len(web.truth.hubs)),
    )
