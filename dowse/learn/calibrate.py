"""Probabilities from scores: a logistic curve (Platt 1999, as Lin and others compute it), steps (isotonic), and how far off they are."""

from __future__ import annotations

import math
from collections.abc import Sequence

import msgspec

NEWTON_PASSES = 100
RIDGE = 1e-3  # what the square of the slope costs: without it scores that part all examples make it endless
BINS = 10  # of probabilities, in which they are compared with shares


class Sigmoid(msgspec.Struct, frozen=True):
    """The logistic curve from scores to probabilities."""

    slope: float
    offset: float

    def probability(self, score: float) -> float:
        """Return the probability that a score stands for."""
        return logistic(self.slope * score + self.offset)


def logistic(odds: float) -> float:
    """Return the probability of odds in logarithms."""
    if odds >= 0:
        return 1.0 / (1.0 + math.exp(-min(odds, 700.0)))
    power = math.exp(max(odds, -700.0))
    return power / (1.0 + power)


def log_odds(probability: float) -> float:
    """Return the logarithm of the odds of a probability, which is kept away from zero and one."""
    bounded = min(1 - 1e-9, max(1e-9, probability))
    return math.log(bounded / (1 - bounded))


def fit_sigmoid(scores: Sequence[float], positive: Sequence[bool], weights: Sequence[float] | None = None) -> Sigmoid:
    """Return the curve that makes the labels of scores likeliest; both kinds of labels have to be there.

    Labels are drawn towards each other by as much as one more example of each would (Platt's targets).
    """
    weigh = list(weights) if weights is not None else [1.0] * len(scores)
    for_it = sum([one for one, yes in zip(weigh, positive, strict=True) if yes])
    against = sum(weigh) - for_it
    targets = [(for_it + 1) / (for_it + 2) if yes else 1 / (against + 2) for yes in positive]
    slope, offset = 1.0, math.log((for_it + 1) / (against + 1))
    rows = list(zip(scores, targets, weigh, strict=True))
    loss = _loss(rows, slope, offset)
    for _ in range(NEWTON_PASSES):
        first = [RIDGE * slope, 0.0]
        second = [RIDGE, 0.0, 1e-9]
        for score, target, weight in rows:
            likely = logistic(slope * score + offset)
            wrong, curve = weight * (likely - target), weight * likely * (1 - likely)
            first[0] += wrong * score
            first[1] += wrong
            second[0] += curve * score * score
            second[1] += curve * score
            second[2] += curve
        whole = second[0] * second[2] - second[1] ** 2 or 1e-12
        step = (
            (second[2] * first[0] - second[1] * first[1]) / whole,
            (second[0] * first[1] - second[1] * first[0]) / whole,
        )
        size = 1.0
        while size > 1e-6 and (better := _loss(rows, slope - size * step[0], offset - size * step[1])) > loss + 1e-12:
            size /= 2
        if size <= 1e-6:
            break
        slope, offset = slope - size * step[0], offset - size * step[1]
        if loss - better < 1e-9:
            break
        loss = better
    return Sigmoid(round(max(0.0, slope), 4), round(offset, 4))


def _loss(rows: Sequence[tuple[float, float, float]], slope: float, offset: float) -> float:
    total = RIDGE / 2 * slope * slope
    for score, target, weight in rows:
        odds = slope * score + offset
        softplus = max(odds, 0.0) + math.log1p(math.exp(-abs(odds)))
        total += weight * (softplus - target * odds)
    return total


def fit_isotonic(scores: Sequence[float], positive: Sequence[bool]) -> list[tuple[float, float]]:
    """Return steps, (score from which on, probability), that never fall and fit best: pool adjacent violators."""
    blocks: list[list[float]] = []  # lowest score, positive ones, all
    for score, yes in sorted(zip(scores, positive, strict=True)):
        blocks.append([score, float(yes), 1.0])
        while len(blocks) > 1 and blocks[-2][1] / blocks[-2][2] >= blocks[-1][1] / blocks[-1][2]:
            last = blocks.pop()
            blocks[-1][1] += last[1]
            blocks[-1][2] += last[2]
    return [(lowest, yes / count) for lowest, yes, count in blocks]


def calibration_error(probabilities: Sequence[float], positive: Sequence[bool], bins: int = BINS) -> float:
    """Return by how much probabilities differ from the shares that came true, on average over examples, in bins of equal width."""
    sums: dict[int, list[float]] = {}
    for probability, yes in zip(probabilities, positive, strict=True):
        row = sums.setdefault(min(bins - 1, int(probability * bins)), [0.0, 0.0])
        row[0] += probability
        row[1] += yes
    return sum([abs(said - true) for said, true in sums.values()]) / max(1, len(probabilities))
