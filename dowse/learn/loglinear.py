"""A log-linear model of a rate over named facts: each fact that holds multiplies what is to be expected.

A model is plain data: a bias and weights by fact, kept as thousandths of a logarithm.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

SCALE = 1000
HIGHEST = 3.0  # logarithm of the most that is ever expected


@dataclass(frozen=True, slots=True)
class LogLinear:
    """What each fact says about a rate."""

    bias: int
    weights: Mapping[str, int]
    _strong: Mapping[str, int] = field(init=False, repr=False, compare=False)  # the strongest has the least

    def __post_init__(self) -> None:
        strong = {fact: -abs(weight) for fact, weight in self.weights.items() if fact and weight}
        object.__setattr__(self, "_strong", strong)

    def score(self, facts: Iterable[str]) -> float:
        """Return the logarithm of what facts multiply a rate by, without the bias."""
        return sum(filter(None, map(self.weights.get, facts))) / SCALE

    def rate(self, score: float) -> float:
        """Return the rate that a score stands for."""
        return math.exp(min(HIGHEST, self.bias / SCALE + score))

    def find_strongest(self, facts: Iterable[str], most: int = 4) -> list[str]:
        """Return the facts that say most."""
        strong = self._strong
        return sorted(filter(strong.__contains__, facts), key=strong.__getitem__)[:most]

    def times(self, fact: str) -> float:
        """Return what a fact multiplies a rate by."""
        return math.exp(self.weights.get(fact, 0) / SCALE)

    def telling(self, facts: Iterable[str], most: int = 4) -> list[tuple[str, float]]:
        """Return the facts that say most, and by what each multiplies."""
        return [(fact, self.times(fact)) for fact in self.find_strongest(facts, most)]

    def to_data(self) -> dict[str, Any]:
        """Return the model as JSON keeps it."""
        return {"bias": self.bias, "weights": {fact: self.weights[fact] for fact in sorted(self.weights)}}


def read_loglinear(data: Mapping[str, Any]) -> LogLinear:
    """Return the model that JSON kept."""
    return LogLinear(int(data["bias"]), {str(fact): int(weight) for fact, weight in data["weights"].items()})
