"""A random part of the links that a search leaves.

A search cannot know what it did not look at. So a stated share of its pages goes to links drawn at random from those that
it left, more likely where more is expected; what they give, beside what was expected of them, says how far to trust the
expectation (`dowse.yields.missed`). What is expected of a link is what the learned strategy expects of it, whichever
strategy searched: a guide that only looks on has seen all pages.
"""

from __future__ import annotations

import heapq
import math
from collections import Counter, deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

from dowse.model import Link, LinkChoice, LinkCluster
from dowse.strategy.facts import shape_of_address
from dowse.strategy.guide import LinkOutcome
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
    unlearned: list[LinkOutcome] = field(default_factory=list)  # pages that the observer has not learned from yet
    read: Counter[str] = field(default_factory=Counter)  # pages, by the shape of their address
    expected: dict[str, float] = field(default_factory=dict)  # of the links that were drawn, by address
    chances: dict[str, float] = field(default_factory=dict)  # with which probability each was drawn
    pages: int = 0  # of those, how many were read
    forms: int = 0  # new query forms there

    def look_on(self, seen: LinkOutcome) -> None:
        """Keep what a page brought for an observer that does not guide: it learns only when it is asked."""
        self.unlearned.append(replace(seen, page=None))

    def ask_observer(self) -> LearnedGuide:
        """Return the observer, which has learned from every page that was read."""
        for seen in self.unlearned:
            deque(self.observer.learn(seen), maxlen=0)
        self.unlearned.clear()
        return self.observer

    def remember(self) -> dict[str, Any]:
        """Return what was read, what was drawn and what that gave, as plain data."""
        drawn = {"expected": self.expected, "chances": self.chances, "pages": self.pages, "forms": self.forms}
        return {**drawn, "read": dict(self.read)}

    def recall(self, kept: dict[str, Any]) -> None:
        """Restore it."""
        self.expected, self.chances = kept["expected"], kept["chances"]
        self.pages, self.forms = kept["pages"], kept["forms"]
        self.read = Counter(kept.get("read", {}))  # a memory of an older version has none

    def note(self, link: Link, forms: int) -> None:
        """Count a page that was read, and the new query forms on it, if it was drawn."""
        self.read[shape_of_address(link.url)] += 1
        if link.url in self.expected:
            self.pages += 1
            self.forms += forms

    def draw(self, left: Iterable[LinkChoice], pages: int) -> list[LinkChoice]:
        """Draw links from those that a search of so many pages left."""
        wanted = pages * self.share / (1 - self.share)
        count = int(wanted + self.rng.random())  # the share holds over many sites
        # Efraimidis and Spirakis 2006: without replacement, each with its weight; logarithms, for powers would be zero
        weighed = [
            (math.log(self.rng.random() or MIN_WEIGHT) / weight, weight, expected, choice)
            for shape, choices in self._group(left).items()
            for expected in (expect_cluster(self._describe(shape, choices)) / len(choices),)
            for weight in (max(MIN_WEIGHT, expected),)
            for choice in choices
        ]
        best = heapq.nlargest(int(wanted) + 2, weighed, key=lambda each: each[0])
        keys = [key for key, _, _, _ in best]
        for rank, (_, weight, expected, choice) in enumerate(best[:count]):
            self.expected[choice.link.url] = expected
            self.chances[choice.link.url] = find_chance(keys, rank, weight, wanted)
        return [choice._replace(why=DRAWN) for _, _, _, choice in best[:count]]

    def find_clusters(self, left: Iterable[LinkChoice]) -> tuple[LinkCluster, ...]:
        """Return the links that are left now, and those that were drawn, by the shape of their addresses."""
        drawn: dict[str, float] = {}
        read = self.pages / len(self.expected) if self.expected else 0.0
        for url, expected in self.expected.items():
            shape = shape_of_address(url)
            drawn[shape] = drawn.get(shape, 0.0) + expected * read
        found = self._group(left)
        shapes = dict.fromkeys((*found, *drawn))
        return tuple([self._describe(each, found.get(each, ()), drawn.get(each, 0.0)) for each in shapes])

    def _group(self, left: Iterable[LinkChoice]) -> dict[str, list[LinkChoice]]:
        found: dict[str, list[LinkChoice]] = {}
        for choice in left:
            found.setdefault(shape_of_address(choice.link.url), []).append(choice)
        return found

    def _describe(self, shape: str, choices: Sequence[LinkChoice], drawn: float = 0.0) -> LinkCluster:
        promise = max((self.ask_observer().expect_link(choice.link) for choice in choices), default=0.0)
        return LinkCluster(len(choices), self.read[shape], promise, drawn)


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
