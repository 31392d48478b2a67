"""Pages that are like some samples: how alike each is, and from where on they count as alike."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from itertools import accumulate

from dowse.tree.rtdm import Print
from dowse.tree.shape import Shape


@dataclass(frozen=True, slots=True)
class Threshold:
    """From which similarity on pages count as like the samples, why, and how sure that is: 0 is a guess, 1 plain to see."""

    value: float
    why: str
    sure: float


@dataclass(frozen=True, slots=True)
class Sample:
    """A page that others are compared with."""

    shape: Shape
    print: Print


def explain_cuts(ranked: Sequence[float]) -> list[float]:
    """Return for each cut the part of the variance that lies between the two groups (Otsu 1979)."""
    count, sums = len(ranked), list(accumulate(ranked))
    mean = sums[-1] / count
    whole = sum((each - mean) ** 2 for each in ranked)
    between = (
        (low / cut - (sums[-1] - low) / (count - cut)) ** 2 * cut * (count - cut) / count
        for cut, low in enumerate(sums[:-1], 1)
    )
    return [each / whole if whole else 0.0 for each in between]


def count_mixed(kinds: Sequence[Hashable]) -> list[int]:
    """Return for each cut of a row how many of it are of a kind that is on both sides: of each kind, those on the side with fewer."""
    below, above = Counter[Hashable](), Counter(kinds)
    mixed, counts = 0, []
    for kind in kinds[:-1]:
        mixed -= min(below[kind], above[kind])
        below[kind] += 1
        above[kind] -= 1
        mixed += min(below[kind], above[kind])
        counts.append(mixed)
    return counts
