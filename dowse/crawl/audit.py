"""A random part of what a search left is followed too: how much it missed is estimated by what that gives.

A search cannot know what it did not look at. So a stated share of its pages goes to links drawn at random from those that
it left, more likely where more is expected; what they give, beside what was expected of them, says how far to trust the
expectation (`dowse.yields.missed`). What is expected of a link is what the learned strategy expects of it, whichever
strategy searched: a guide that only looks on has seen all pages.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from random import Random

from dowse.model import LeftBehind, Link, LinkChoice
from dowse.strategy.facts import shape_of_address
from dowse.strategy.learned import LearnedGuide
from dowse.yields.missed import expect_cluster

DRAWN = "drawn at random from the links that were left, to estimate what was missed"
ONLY_DRAWN = "only a page drawn at random leads there"
MIN_WEIGHT = 1e-6  # of a link of which nothing is expected


@dataclass(slots=True)
class Audit:
    """What is expected of the links that were left, and what those gave that were drawn at random."""

    share: float  # of all pages
    observer: LearnedGuide
    rng: Random
    expected: dict[str, float] = field(default_factory=dict)  # of the links that were drawn, by address
    chances: dict[str, float] = field(default_factory=dict)  # with which probability each was drawn
    pages: int = 0  # of those, how many were read
    forms: int = 0  # new query forms there

    def note(self, link: Link, forms: int) -> None:
        """Count a page that was read, and the new query forms on it, if it was drawn."""
        if link.url in self.expected:
            self.pages += 1
            self.forms += forms

    def draw(self, left: Iterable[LinkChoice], pages: int) -> list[LinkChoice]:
        """Draw links from those that a search of so many pages left."""
        wanted = pages * self.share / (1 - self.share)
        count = int(wanted + self.rng.random())  # the share holds over many sites
        # Efraimidis and Spirakis 2006: without replacement, each with its weight; logarithms, for powers would be zero
        weighed = [
            (math.log(self.rng.random() or MIN_WEIGHT) / weight, weight, expected / len(choices), choice)
            for expected, choices in self._group(left)
            for weight in (max(MIN_WEIGHT, expected / len(choices)),)
            for choice in choices
        ]
        best = heapq.nlargest(int(wanted) + 2, weighed, key=lambda each: each[0])
        keys = [key for key, _, _, _ in best]
        for rank, (_, weight, expected, choice) in enumerate(best[:count]):
            self.expected[choice.link.url] = expected
            self.chances[choice.link.url] = find_chance(keys, rank, weight, wanted)
        return [choice._replace(why=DRAWN) for _, _, _, choice in best[:count]]

    def sum_up(self, left: Iterable[LinkChoice]) -> LeftBehind:
        """Return what is expected behind the links that are left now, beside what those drawn at random gave."""
        expected = sum(expected for expected, _ in self._group(left))
        read = self.pages / len(self.expected) if self.expected else 0.0
        return LeftBehind(expected, self.pages, sum(self.expected.values()) * read, self.forms)

    def _group(self, left: Iterable[LinkChoice]) -> list[tuple[float, list[LinkChoice]]]:
        """Return the links whose addresses have one shape together, with what is expected behind all of them."""
        found: dict[str, list[LinkChoice]] = {}
        for choice in left:
            found.setdefault(shape_of_address(choice.link.url), []).append(choice)
        expect = self.observer.expect_link
        return [(expect_cluster([expect(choice.link) for choice in choices]), choices) for choices in found.values()]


def find_chance(keys: Sequence[float], rank: int, weight: float, wanted: float) -> float:
    """Return with which probability a link of this rank was drawn, given the keys of all others.

    Rank conditioning (Cohen and Kaplan 2007): it is drawn when its key is above the last one of the others that there is room
    for. Forms behind it, divided by that probability, add up to the forms behind all links that were left, on average.
    """
    whole, part = int(wanted), wanted - int(wanted)
    chance = 0.0
    for count, likely in ((whole, 1 - part), (whole + 1, part)):
        last = count - 1 if rank >= count else count  # of the others
        if count:
            chance += likely * (-math.expm1(weight * keys[last]) if last < len(keys) else 1.0)
    return chance
