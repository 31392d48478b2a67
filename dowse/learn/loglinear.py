"""A log-linear model of a rate over named facts: each fact that holds multiplies what is to be expected.

A model is plain data: a bias and weights by fact, kept as thousandths of a logarithm.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

SCALE = 1000
HIGHEST = 3.0  # logarithm of the most that is ever expected


@dataclass(frozen=True, slots=True)
class LogLinear:
    """What each fact says about a rate."""

    bias: int
    weights: Mapping[str, int]

    def score(self, facts: Iterable[str]) -> float:
        """Return the logarithm of what facts multiply a rate by, without the bias."""
        get = self.weights.get
        return sum([get(fact, 0) for fact in facts]) / SCALE

    def rate(self, score: float) -> float:
        """Return the rate that a score stands for."""
        return math.exp(min(HIGHEST, self.bias / SCALE + score))

    def telling(self, facts: Iterable[str], most: int = 4) -> list[tuple[str, float]]:
        """Return the facts that say most, and by what each multiplies."""
        weighed = [(fact, self.weights.get(fact, 0) / SCALE) for fact in facts if fact]
        strong = sorted((pair for pair in weighed if pair[1]), key=lambda pair: -abs(pair[1]))
        return [(fact, math.exp(weight)) for fact, weight in strong[:most]]

    def to_data(self) -> dict[str, Any]:
        """Return the model as JSON keeps it."""
        return {"bias": self.bias, "weights": {fact: self.weights[fact] for fact in sorted(self.weights)}}


def read_loglinear(data: Mapping[str, Any]) -> LogLinear:
    """Return the model that JSON kept."""
    return LogLinear(int(data["bias"]), {str(fact): int(weight) for fact, weight in data["weights"].items()})
