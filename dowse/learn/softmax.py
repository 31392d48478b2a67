"""A linear model over named facts: each fact that holds adds its weights, and the softmax of the sums is the answer.

Words count by their spelling, too: every four letters in a row of a word (`:sear`, `:earc`) are a fact that
holds once for each word that has them. A model is plain data: classes, a bias for each, and weights by fact, kept as
hundredths.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

SPELLED = 4  # letters in a row
MAX_SPELLED = 50_000  # words whose sums are remembered
SCALE = 100  # weights are whole hundredths: 1 % of the odds is finer than any of them is known


@dataclass(frozen=True, slots=True)
class Softmax:
    """Classes and what each fact says for and against them."""

    classes: tuple[str, ...]
    bias: tuple[int, ...]
    weights: Mapping[str, Sequence[int]]

    _sums: dict[str, list[int]] = field(default_factory=dict, repr=False, compare=False)
    _known: dict[str, frozenset[str]] = field(default_factory=dict, repr=False, compare=False)

    def score(self, facts: Iterable[str], words: Iterable[str] = ()) -> list[float]:
        """Return the sums for each class, in logarithms of odds."""
        known = [row for row in map(self.weights.get, facts) if row]
        known += map(self._spelled, words)
        return [sum(column) / SCALE for column in zip(self.bias, *known, strict=True)]

    def known(self, prefix: str) -> frozenset[str]:
        """Return the ends of the facts that begin so and are weighed; gathered once."""
        if prefix not in self._known:
            self._known[prefix] = frozenset(fact[len(prefix) :] for fact in self.weights if fact.startswith(prefix))
        return self._known[prefix]

    def _spelled(self, word: str) -> list[int]:
        """Return what the spelling of a word says: each word is spelled once."""
        known = self._sums.get(word)
        if known is None:
            found = [row for row in map(self.weights.get, spell(word)) if row]
            known = [sum(column) for column in zip([0] * len(self.classes), *found, strict=True)]
            if len(self._sums) < MAX_SPELLED:
                self._sums[word] = known
        return known

    def to_data(self) -> dict[str, Any]:
        """Return the model as JSON keeps it."""
        weights = {fact: list(self.weights[fact]) for fact in sorted(self.weights)}
        return {"classes": list(self.classes), "bias": list(self.bias), "weights": weights}


def spell(word: str) -> set[str]:
    """Return the facts of a word's spelling."""
    edged = f"_{word}_"
    return {":" + edged[place : place + SPELLED] for place in range(len(edged) - SPELLED + 1)}


def read_softmax(data: Mapping[str, Any]) -> Softmax:
    """Return the model that JSON kept."""
    return Softmax(tuple(data["classes"]), tuple(data["bias"]), data["weights"])


def to_odds(scores: Sequence[float]) -> list[float]:
    """Return probabilities that sum to one."""
    highest = max(scores)
    powers = [math.exp(score - highest) for score in scores]
    total = sum(powers)
    return [power / total for power in powers]
