"""Multinomial naive Bayes over a taxonomy, as plain data.

Classes may stand under others (`travel/hotels`). What a class lacks in examples it takes from the classes above it and from all: the probability of a
feature is that of the class, drawn towards its parent's as if the parent had been seen `SHRINKAGE` times (hierarchical shrinkage, McCallum and others, 1998).
A taxonomy of one level is plain multinomial Bayes with a background.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from dowse.learn.linear import to_odds

SHRINKAGE = 50.0  # features of the class above that count as seen in a class
SMOOTHING = 0.5  # count of a feature that was never seen


@dataclass(slots=True)
class BayesCounts:
    """Counts of features by class: additive, so that examples are learned one by one and counts of several learners can be added."""

    features: dict[str, Counter[str]] = field(default_factory=dict)
    examples: Counter[str] = field(default_factory=Counter)

    def learn(self, label: str, features: Mapping[str, float], times: float = 1.0) -> None:
        """Take in an example of a class, `parent/class` for one that stands under another."""
        counts = self.features.setdefault(label, Counter())
        for name, count in features.items():
            counts[name] += count * times  # type: ignore[assignment]
        self.examples[label] += times  # type: ignore[assignment]

    def fit(self) -> Bayes:
        """Return what the counts say."""
        above: dict[str, Counter[str]] = {}
        for label, counts in self.features.items():
            for name in _ancestors(label):
                above.setdefault(name, Counter()).update(counts)
        known = {name for counts in self.features.values() for name in counts}
        size = len(known) or 1
        whole = sum([sum(counts.values()) for counts in self.features.values()])
        everything: Counter[str] = Counter()
        for counts in self.features.values():
            everything.update(counts)
        root = {name: (everything[name] + SMOOTHING) / (whole + SMOOTHING * size) for name in known}
        chances: dict[str, dict[str, float]] = {"": root}
        for name in sorted(above, key=lambda each: each.count("/")):
            parent = chances[name.rpartition("/")[0]]
            total = sum(above[name].values())
            chances[name] = {
                each: (above[name][each] + SHRINKAGE * parent[each]) / (total + SHRINKAGE) for each in known
            }
        labels = tuple(sorted(self.features))
        examples = sum(self.examples.values())
        priors = tuple(math.log((self.examples[label] + 1) / (examples + len(labels))) for label in labels)
        rows = {each: tuple(math.log(chances[label][each]) for label in labels) for each in known}
        return Bayes(labels, priors, rows)


def _ancestors(label: str) -> Iterable[str]:
    parts = label.split("/")
    return ["/".join(parts[:length]) for length in range(1, len(parts) + 1)]


@dataclass(frozen=True, slots=True)
class Bayes:
    """Classes, how likely each is beforehand, and how likely each feature is in them, in logarithms."""

    classes: tuple[str, ...]
    priors: tuple[float, ...]
    features: Mapping[str, tuple[float, ...]]

    def score(self, features: Mapping[str, float]) -> list[float]:
        """Return for each class the logarithm of how likely it is together with the features."""
        sums = list(self.priors)
        for name, count in features.items():
            row = self.features.get(name)
            if row:
                for place, chance in enumerate(row):
                    sums[place] += count * chance
        return sums

    def probabilities(self, features: Mapping[str, float]) -> dict[str, float]:
        """Return the probability of each class."""
        return dict(zip(self.classes, to_odds(self.score(features)), strict=True))
