"""The least that there is, by how often what was seen was seen (Chao): where some are met far more often than others."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Final

from dowse.yields.interval import Interval, find_normal

METHOD = "records shown once and twice (Chao)"
COVERED = "records shown a few times (ACE)"
RARE: Final = 10  # shown so often at most: what ACE takes for rare (Chao and Lee 1992)


def estimate_chao(seen: int, once: int, twice: int, *, queries: int = 0, confidence: float = 0.9) -> Interval:
    """Return a lower bound of the size by records that one query showed, and two (Chao 1987, bias-corrected).

    With the number of queries it is Chao2, of incidences; without, Chao1.
    """
    part = (queries - 1) / queries if queries > 1 else 1.0
    unseen = part * once * (once - 1) / (2 * (twice + 1)) if once else 0.0
    ratio = once / (twice + 1)
    variance = (twice + 1) * (ratio**2 / 2 + ratio**3 + ratio**4 / 4)
    return _bound_unseen(seen, unseen, variance, METHOD, confidence)


def estimate_ace(frequencies: Mapping[int, int], *, confidence: float = 0.9) -> Interval:
    """Return the size by how many records were shown once, twice and so on: what is rare tells of what is unseen."""
    seen = sum(frequencies.values())
    rare = {times: count for times, count in frequencies.items() if 0 < times <= RARE}
    shown, once = sum(times * count for times, count in rare.items()), rare.get(1, 0)
    if shown <= 1 or once == shown:
        return estimate_chao(seen, once, rare.get(2, 0), confidence=confidence)
    covered, kinds = 1 - once / shown, sum(rare.values())
    pairs = sum(times * (times - 1) * count for times, count in rare.items())
    uneven = max(0.0, kinds / covered * pairs / (shown * (shown - 1)) - 1)
    unseen = kinds / covered - kinds + once / covered * uneven
    variance = unseen * (1 + unseen / max(1, once)) * 2
    return _bound_unseen(seen, unseen, variance, COVERED, confidence)


def _bound_unseen(seen: int, unseen: float, variance: float, method: str, confidence: float) -> Interval:
    """Return the interval in which the logarithm of what is unseen is normal (Chao 1987): never under what was seen."""
    if unseen <= 0:
        return Interval(float(seen), float(seen), float(seen), method)
    factor = math.exp(find_normal(confidence) * math.sqrt(math.log1p(variance / unseen**2)))
    return Interval(seen + unseen, seen + unseen / factor, seen + unseen * factor, method)
