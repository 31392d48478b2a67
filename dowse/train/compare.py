"""How far two sets of models are apart: whether training gave again what comes with Dowse."""

from __future__ import annotations

from dataclasses import dataclass

from dowse.form.judge import Models
from dowse.learn.softmax import SCALE, Softmax


@dataclass(frozen=True, slots=True)
class Difference:
    """How far models are apart; a fact that one of them does not weigh has no weight in it."""

    facts: int  # that only one of them weighs
    weight: float  # the largest difference of a weight or a bias, in logarithms of odds

    @property
    def none(self) -> bool:
        """Whether they are the same."""
        return not self.facts and not self.weight


def compare_models(models: Models, others: Models) -> Difference:
    """Compare models question by question; other classes are as far away as can be."""
    pairs = list(zip(models, others, strict=True))
    if any(one.classes != other.classes for one, other in pairs):
        return Difference(sum(len(one.weights) + len(other.weights) for one, other in pairs), float("inf"))
    facts = sum(len(one.weights.keys() ^ other.weights.keys()) for one, other in pairs)
    return Difference(facts, max(_farthest(one, other) for one, other in pairs) / SCALE)


def _farthest(one: Softmax, other: Softmax) -> int:
    nothing = (0,) * len(one.classes)
    rows = [(one.bias, other.bias)]
    for fact in one.weights.keys() | other.weights.keys():
        rows.append((tuple(one.weights.get(fact, nothing)), tuple(other.weights.get(fact, nothing))))
    return max(abs(here - there) for row in rows for here, there in zip(*row, strict=True))
