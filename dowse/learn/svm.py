"""A linear support vector machine over named features, as plain data, and how it is trained.

Trained in the dual, one example at a time (Hsieh and others, 2008: what liblinear does for the squared hinge loss), in plain Python: a topic can be made
where no numerical library is installed. Examples that a pass leaves without weight and well on their side are left out of the next ones and
looked at again at the end.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

MAX_PASSES = 30  # over all examples
TOLERANCE = 0.1  # of the gradients, at which training ends: scores of other texts then change by some hundredths
SHRINK_FROM = 0.1  # distance beyond the margin from which an example is left out of the next passes
BIAS_VALUE = 1.0  # of the feature that all examples have


@dataclass(frozen=True, slots=True)
class SvmExample:
    """Features of one example, which side it is on, and how much it costs to have it on the wrong one."""

    features: Mapping[str, float]
    positive: bool
    cost: float = 1.0


@dataclass(frozen=True, slots=True)
class LinearScore:
    """What each feature adds to a score; over zero is the positive side."""

    bias: float
    weights: Mapping[str, float]

    def score(self, features: Mapping[str, float]) -> float:
        """Return the score of features."""
        weights = self.weights
        few, many = (features, weights) if len(features) < len(weights) else (weights, features)
        return self.bias + sum([value * many[name] for name, value in few.items() if name in many])


def fit_svm(examples: Sequence[SvmExample], seed: int = 1) -> LinearScore:
    """Return the weights that part the examples with the widest margin."""
    place: dict[str, int] = {}
    rows = [[(place.setdefault(name, len(place)), value) for name, value in one.features.items()] for one in examples]
    weights = [0.0] * (len(place) + 1)
    for row in rows:
        row.append((len(place), BIAS_VALUE))
    sides = [1.0 if one.positive else -1.0 for one in examples]
    softness = [0.5 / one.cost for one in examples]
    squares = [sum([value * value for _, value in row]) + soft for row, soft in zip(rows, softness, strict=True)]
    for_all, active = list(range(len(rows))), list(range(len(rows)))
    alphas = [0.0] * len(rows)
    rng = random.Random(seed)
    for _ in range(MAX_PASSES):
        rng.shuffle(active)
        kept, worst = _pass_over(active, rows, sides, softness, squares, alphas, weights)
        if worst <= TOLERANCE and len(active) == len(rows):
            break
        active = kept if worst > TOLERANCE else for_all.copy()  # all of them once more before the end
    names = list(place)
    return LinearScore(
        weights[-1] * BIAS_VALUE, {name: weight for name, weight in zip(names, weights, strict=False) if weight}
    )


def _pass_over(
    active: Sequence[int],
    rows: Sequence[Sequence[tuple[int, float]]],
    sides: Sequence[float],
    softness: Sequence[float],
    squares: Sequence[float],
    alphas: list[float],
    weights: list[float],
) -> tuple[list[int], float]:
    """Move the weights by one example after the other; return those to look at again, and the largest gradient."""
    kept, worst = [], 0.0
    for number in active:
        row, alpha = rows[number], alphas[number]
        gradient = sides[number] * sum([weights[at] * value for at, value in row]) - 1.0 + softness[number] * alpha
        if alpha == 0.0 and gradient > 0.0:  # on its side, beyond the margin
            if gradient < SHRINK_FROM:
                kept.append(number)
            continue
        kept.append(number)
        worst = max(worst, abs(gradient))
        alphas[number] = max(0.0, alpha - gradient / squares[number])
        step = (alphas[number] - alpha) * sides[number]
        for at, value in row:
            weights[at] += step * value
    return kept, worst
