"""Linear models over named facts, as plain data: a softmax over classes, and a log-linear model of a rate.

Each fact that holds adds its weights. The softmax of the sums is the probability of each class; the exponential of the
sum is a rate. For a softmax, words count by their spelling, too: every four letters in a row of a word (`:sear`, `:earc`)
are a fact that holds once for each word that has them. Weights are kept as whole numbers, so that a model is the same
bytes wherever it was fitted. `msgspec` reads models from JSON and checks them.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import cached_property

import msgspec

SOFTMAX_SCALE = 100  # weights are hundredths: 1 % of the odds is finer than any of them is known
RATE_SCALE = 1000  # weights are thousandths of a logarithm
MAX_LOG_RATE = 3.0  # logarithm of the highest rate that is ever expected
SPELLING_LENGTH = 4  # letters in a row that are a fact
MAX_REMEMBERED_WORDS = 50_000  # words whose spelling's sums are remembered


class Softmax(msgspec.Struct, frozen=True, dict=True):
    """Classes and what each fact says for and against them."""

    classes: tuple[str, ...]
    bias: tuple[int, ...]
    weights: dict[str, tuple[int, ...]]

    @cached_property
    def _sums(self) -> dict[str, list[int]]:
        """What the spelling of words says, by word."""
        return {}

    @cached_property
    def _known(self) -> dict[str, frozenset[str]]:
        """The ends of facts, by how they begin."""
        return {}

    def score(self, facts: Iterable[str], words: Iterable[str] = ()) -> list[float]:
        """Return the sums for each class, in logarithms of odds."""
        known: list[Sequence[int]] = [row for row in map(self.weights.get, facts) if row]
        spelled = self._sums
        for word in words:
            sums = spelled.get(word)
            if sums is None:  # each word is spelled once
                found = [row for row in map(self.weights.get, spell(word)) if row]
                sums = [sum(column) for column in zip([0] * len(self.classes), *found, strict=True)]
                if len(spelled) < MAX_REMEMBERED_WORDS:
                    spelled[word] = sums
            known.append(sums)
        return [sum(column) / SOFTMAX_SCALE for column in zip(self.bias, *known, strict=True)]

    def known(self, prefix: str) -> frozenset[str]:
        """Return the ends of the facts that begin so and are weighed; gathered once."""
        if prefix not in self._known:
            self._known[prefix] = frozenset(fact[len(prefix) :] for fact in self.weights if fact.startswith(prefix))
        return self._known[prefix]


def spell(word: str) -> set[str]:
    """Return the facts of a word's spelling."""
    edged = f"_{word}_"
    return {":" + edged[place : place + SPELLING_LENGTH] for place in range(len(edged) - SPELLING_LENGTH + 1)}


def to_odds(scores: Sequence[float]) -> list[float]:
    """Return probabilities that sum to one."""
    highest = max(scores)
    powers = [math.exp(score - highest) for score in scores]
    total = sum(powers)
    return [power / total for power in powers]


class LogLinear(msgspec.Struct, frozen=True, dict=True):
    """What each fact multiplies a rate by."""

    bias: int
    weights: dict[str, int]

    @cached_property
    def _strong(self) -> dict[str, int]:
        """How strong facts are: the strongest has the least."""
        return {fact: -abs(weight) for fact, weight in self.weights.items() if fact and weight}

    def score(self, facts: Iterable[str]) -> float:
        """Return the logarithm of what facts multiply a rate by, without the bias."""
        return sum(filter(None, map(self.weights.get, facts))) / RATE_SCALE

    def rate(self, score: float) -> float:
        """Return the rate that a score stands for."""
        return math.exp(min(MAX_LOG_RATE, self.bias / RATE_SCALE + score))

    def find_strongest(self, facts: Iterable[str], most: int = 4) -> list[str]:
        """Return the facts with the largest weights."""
        strong = self._strong
        return sorted(filter(strong.__contains__, facts), key=strong.__getitem__)[:most]

    def times(self, fact: str) -> float:
        """Return what a fact multiplies a rate by."""
        return math.exp(self.weights.get(fact, 0) / RATE_SCALE)
