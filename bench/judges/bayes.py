"""Naive Bayes as WEKA's NaiveBayes does it by default, which scikit-learn does not have: counts and yes/no mixed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import ndtr

_LEAST = 1e-75  # no single feature may say never (WEKA, NaiveBayes.distributionForInstance)
_PRECISION = 0.01  # of a feature with one value only (WEKA, NaiveBayes.DEFAULT_NUM_PRECISION)


@dataclass(frozen=True, slots=True)
class Bayes:
    """What was learned: for both classes a share, a normal for each count, and the share of yes for each yes/no."""

    shares: np.ndarray
    steps: np.ndarray
    means: np.ndarray
    spreads: np.ndarray
    yes: np.ndarray
    nominal: tuple[int, ...]


def learn_bayes(rows: np.ndarray, wanted: np.ndarray, nominal: Sequence[int]) -> Bayes:
    """Learn from rows of features and whether each is wanted."""
    counts = np.delete(rows, nominal, axis=1)
    steps = np.array([_find_step(column) for column in counts.T])
    groups = [wanted == 0, wanted == 1]
    near = np.round(counts / steps) * steps
    return Bayes(
        shares=np.array([(group.sum() + 1) / (len(rows) + 2) for group in groups]),
        steps=steps,
        means=np.array([near[group].mean(axis=0) for group in groups]),
        spreads=np.array([np.maximum(near[group].std(axis=0), steps / 6) for group in groups]),  # WEKA's least spread
        yes=np.array([(rows[group][:, nominal].sum(axis=0) + 1) / (group.sum() + 2) for group in groups]),
        nominal=tuple(nominal),
    )


def score_bayes(bayes: Bayes, rows: np.ndarray) -> np.ndarray:
    """Return for each row the probability that it is wanted."""
    logs = np.stack([_score_class(bayes, rows, number) for number in (0, 1)])
    logs -= logs.max(axis=0)
    odds = np.exp(logs)
    return np.asarray(odds[1] / odds.sum(axis=0))


def _score_class(bayes: Bayes, rows: np.ndarray, number: int) -> np.ndarray:
    steps, mean, spread = bayes.steps, bayes.means[number], bayes.spreads[number]
    near = np.round(np.delete(rows, bayes.nominal, axis=1) / steps) * steps
    far = np.abs(near - mean)  # in the lower tail, where small chances do not vanish in rounding
    chance = ndtr((steps / 2 - far) / spread) - ndtr((-steps / 2 - far) / spread)
    said = rows[:, bayes.nominal]
    nominal = np.where(said == 1, bayes.yes[number], 1 - bayes.yes[number])
    every = np.maximum(np.hstack([chance, nominal]), _LEAST)
    return np.asarray(np.log(bayes.shares[number]) + np.log(every).sum(axis=1))


def _find_step(column: np.ndarray) -> float:
    values = np.unique(column)
    return float((values[-1] - values[0]) / (len(values) - 1)) if len(values) > 1 else _PRECISION
