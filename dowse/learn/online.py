"""Rates that are learned while they are used: Poisson counts, with normal beliefs about logarithms."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

NEWTON_STEPS = 6  # more change nothing that counts
NEWTON_END = 1e-9  # a smaller step is the last


def find_shift(variance: float, counted: float, expected: float) -> float:
    """Return by how much the logarithm of a rate is off, most likely, given what was counted where so much was expected.

    The shift is normal beforehand, with mean zero and this variance; the count is Poisson.
    """
    if expected <= 0:
        return variance * counted
    shift = min(variance * counted, math.log((counted + 1) / expected))  # near the root, so that a few steps do
    for _ in range(NEWTON_STEPS):
        rate = expected * math.exp(shift)
        step = (shift - variance * (counted - rate)) / (1 + variance * rate)
        shift -= step
        if -NEWTON_END < step < NEWTON_END:
            break
    return shift


@dataclass(slots=True)
class DriftingRates:
    """The weights of a log-linear model, each known with some variance: what is seen moves those of the facts that held.

    One step of an extended Kalman filter for each count: of what a count was off, each fact takes a part by its variance, which shrinks.
    """

    weights: Mapping[str, float]  # as they were learned elsewhere
    variance: float  # of each weight, beforehand
    moved: dict[str, float] = field(default_factory=dict)  # weights that are elsewhere now
    variances: dict[str, float] = field(default_factory=dict)

    def score(self, facts: Iterable[str]) -> float:
        """Return the logarithm of what facts multiply a rate by."""
        moved, weights = self.moved.get, self.weights.get
        return sum([found for fact in facts if (found := moved(fact)) or (found := weights(fact))])

    def learn(self, facts: Iterable[str], expected: float, counted: float) -> None:
        """Take in that so much was counted where the facts held, of which so much was expected."""
        if not self.variance:
            return
        moved, weights, variances, beforehand = self.moved, self.weights, self.variances, self.variance
        known = [(fact, variances.get(fact, beforehand)) for fact in facts if fact in weights]
        whole = sum([variance for _, variance in known])
        rate = expected * math.exp(find_shift(whole, counted, expected))
        off, shrinking = counted - rate, rate / (1 + rate * whole)
        for fact, variance in known:
            moved[fact] = (moved.get(fact) or weights[fact]) + variance * off
            variances[fact] = variance - variance * variance * shrinking
