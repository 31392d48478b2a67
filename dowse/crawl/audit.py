"""A random part of what a search left is followed too: how much it missed is estimated by what that gives.

A search cannot know what it did not look at. So a stated share of its pages goes to links drawn at random from those that
it left, more likely where more is expected; what they give, beside what was expected of them, says how far to trust the
expectation (`dowse.yields.missed`). What is expected of a link is what the learned strategy expects of it, whichever
strategy searched: a guide that only looks on has seen all pages.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable
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
    pages: int = 0  # of those, how many were read
    forms: int = 0  # new query forms there

    def note(self, link: Link, forms: int) -> None:
        """Count a page that was read, and the new query forms on it, if it was drawn."""
        if link.url in self.expected:
            self.pages += 1
            self.forms += forms

    def draw(self, left: Iterable[LinkChoice], pages: int) -> list[LinkChoice]:
        """Draw links from those that a search of so many pages left."""
        count = int(pages * self.share / (1 - self.share) + self.rng.random())  # the share holds over many sites
        # Efraimidis and Spirakis 2006: without replacement, each with its weight
        weighed = [
            (self.rng.random() ** (1 / max(MIN_WEIGHT, expected / len(choices))), expected / len(choices), choice)
            for expected, choices in self._group(left)
            for choice in choices
        ]
        drawn = heapq.nlargest(count, weighed, key=lambda each: each[0])
        self.expected.update((choice.link.url, expected) for _, expected, choice in drawn)
        return [choice._replace(why=DRAWN) for _, _, choice in drawn]

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
