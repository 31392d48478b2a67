"""How many records there are by the overlap of independent crawls (paper 4, Section 5), as published and with our interval."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from itertools import combinations
from statistics import fmean, stdev

from dowse.errors import BadInput
from dowse.yields.interval import Interval, find_normal, find_student

METHOD = "overlap of independent crawls, Student's t"
PAIR = "overlap of two crawls (Chapman)"


def estimate_pair(first: int, second: int, both: int, *, confidence: float = 0.9) -> Interval:
    """Return the size by two samples and what they have in common: finite also when that is nothing (Chapman 1951)."""
    if both > min(first, second) or both < 0:
        raise BadInput(f"two crawls of {first} and {second} records cannot have {both} in common")
    size = (first + 1) * (second + 1) / (both + 1) - 1
    variance = (first + 1) * (second + 1) * (first - both) * (second - both) / ((both + 1) ** 2 * (both + 2))
    held = first + second - both
    return _bound(size, find_normal(confidence) * math.sqrt(variance), held, PAIR)


def estimate_overlap(crawls: Sequence[Collection[str]], *, confidence: float = 0.9) -> Interval:
    """Return the size by the overlap of each two of several crawls, with the interval of their mean by Student's t.

    Pairs share crawls: there are as many degrees of freedom as crawls but one, and no more. The paper has all pairs as if each
    was drawn alone; with six crawls that would be an interval about half as wide.
    """
    if len(crawls) < 2:
        raise BadInput("overlap needs two crawls or more")
    sets = [frozenset(crawl) for crawl in crawls]
    sizes = [(len(one) + 1) * (len(other) + 1) / (len(one & other) + 1) - 1 for one, other in combinations(sets, 2)]
    if len(sets) == 2:
        return estimate_pair(len(sets[0]), len(sets[1]), len(sets[0] & sets[1]), confidence=confidence)
    reach = find_student(confidence, len(sets) - 1) * stdev(sizes) / math.sqrt(len(sets))
    return _bound(fmean(sizes), reach, len(frozenset().union(*sets)), METHOD)


def bound_above(crawls: Sequence[Collection[str]], *, confidence: float = 0.9) -> float:
    """Return how many records there are at most, by the one-sided t-test of paper 4: each pair is taken for a sample of its own.

    "With 90 % confidence, the Amazon DVD product database contains less than 37,000 data records."
    """
    sizes = [pair.value for pair in _pair(crawls, confidence)]
    held = float(len(frozenset().union(*crawls)))
    if len(sizes) < 2:
        raise BadInput("the test needs three crawls or more")
    reach = find_student(2 * confidence - 1, len(sizes) - 1) * stdev(sizes) / math.sqrt(len(sizes))
    return max(held, fmean(sizes) + reach)


def _pair(crawls: Sequence[Collection[str]], confidence: float) -> list[Interval]:
    """Return the size by each two crawls."""
    sets = [frozenset(crawl) for crawl in crawls]
    return [
        estimate_pair(len(one), len(other), len(one & other), confidence=confidence)
        for one, other in combinations(sets, 2)
    ]


def _bound(size: float, reach: float, held: int, method: str) -> Interval:
    """Return an interval that is never under what is held."""
    size = max(size, float(held))
    return Interval(size, max(float(held), size - reach), size + reach, method)
