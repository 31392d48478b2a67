"""The links that wait: by kind, the best of each first; and a random part of those that a search leaves.

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
from itertools import chain
from random import Random
from typing import Any

from dowse.model import Link, LinkChoice, LinkCluster
from dowse.strategy.facts import shape_of_address
from dowse.strategy.guide import LinkOutcome
from dowse.strategy.learned import LearnedGuide
from dowse.yields.missed import expect_cluster

WaitingLink = tuple[float, int, LinkChoice]  # the worth is negative, so that the best comes first
DRAWN = "drawn at random from the links that were left, to estimate what was missed"
ONLY_DRAWN = "only a page drawn at random leads there"
MIN_WEIGHT = 1e-6  # of a link of which nothing is expected


@dataclass(slots=True)
class LinkQueue:
    """The links that wait, by kind: a guide picks the kind, the queue gives its best link, of equal ones the oldest.

    A link that is chosen again waits as it was chosen last.
    """

    kinds: dict[str, list[WaitingLink]] = field(default_factory=dict)
    heads: dict[str, LinkChoice] = field(default_factory=dict)  # the best of each kind
    orders: dict[str, int] = field(default_factory=dict)  # address -> when it was chosen last
    offered: int = 0

    def __contains__(self, url: str) -> bool:
        return url in self.orders

    def push(self, choice: LinkChoice, order: int | None = None) -> None:
        """Let a link wait, behind those of its worth unless an order is given."""
        if order is None:
            self.offered = order = self.offered + 1
        url = choice.link.url
        left = [kind for kind, head in self.heads.items() if head.link.url == url] if url in self.orders else ()
        self.orders[url] = order
        heapq.heappush(self.kinds.setdefault(choice.kind, []), (-choice.worth, order, choice))
        for kind in (choice.kind, *left):
            self._find_head(kind)

    def put_back(self, choice: LinkChoice) -> None:
        """Let a link that was taken wait again, before all others of its worth."""
        self.push(choice, 0)

    def pop(self, kind: str) -> LinkChoice:
        """Return the best link of a kind."""
        choice = heapq.heappop(self.kinds[kind])[2]
        del self.orders[choice.link.url]
        self._find_head(kind)
        return choice

    def remove(self, url: str) -> None:
        """Let a link wait no longer, if it does."""
        if self.orders.pop(url, None) is not None:
            for kind in [kind for kind, head in self.heads.items() if head.link.url == url]:
                self._find_head(kind)

    def _find_head(self, kind: str) -> None:
        """Note the best link of a kind, past those that were chosen again as another."""
        waiting = self.kinds.get(kind, [])
        while waiting and self.orders.get(waiting[0][2].link.url) != waiting[0][1]:
            heapq.heappop(waiting)
        if waiting:
            self.heads[kind] = waiting[0][2]
        else:
            self.kinds.pop(kind, None)
            self.heads.pop(kind, None)

    def rest(self) -> Iterable[LinkChoice]:
        """Return what still waits, in the order it was chosen."""
        waiting = sorted(chain.from_iterable(self.kinds.values()), key=lambda each: each[1])
        return (choice for _, order, choice in waiting if self.orders.get(choice.link.url) == order)


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
