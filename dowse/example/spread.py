"""Two spreads of values: whether they are one, which is less, and how far they are apart."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from math import exp, sqrt
from statistics import median
from typing import Final

FEW: Final = 5  # values that show no spread yet
TERMS: Final = 20  # of a sum that ends soon
SMALL: Final = 0.3  # under this the sum ends late, and is as good as 1


def chance_of_same(some: Sequence[float], others: Sequence[float]) -> float:
    """Return how likely it is that values which differ as these do come from one spread (Kolmogorov 1933, Smirnov 1939)."""
    n, m = len(some), len(others)
    if n < FEW or m < FEW:
        return 1.0
    root = sqrt(n * m / (n + m))
    reach = (root + 0.12 + 0.11 / root) * distance(some, others)
    terms = ((-1) ** (k - 1) * exp(-2 * k * k * reach * reach) for k in range(1, TERMS))
    return min(1.0, max(0.0, 2 * sum(terms))) if reach > SMALL else 1.0


def is_less(some: Sequence[float], others: Sequence[float], by: float = 0.0) -> bool:
    """Tell whether some values are mostly less than others, by so much or more."""
    return bool(some) and bool(others) and median(some) < median(others) - by


def distance(some: Sequence[float], others: Sequence[float]) -> float:
    """Return how far two spreads are apart: the largest part of one that lies below a value beyond that of the other."""
    first, second = sorted(some), sorted(others)
    return max(
        (
            abs(bisect_right(first, value) / len(first) - bisect_right(second, value) / len(second))
            for value in {*first, *second}
        ),
        default=0.0,
    )
