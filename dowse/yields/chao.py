"""The least that there is, by how often what was seen was seen (Chao): where some are met far more often than others."""

from __future__ import annotations

import math

from dowse.yields.interval import Interval, find_normal

METHOD = "records shown once and twice (Chao)"


def estimate_chao(seen: int, once: int, twice: int, *, queries: int = 0, confidence: float = 0.9) -> Interval:
    """Return a lower bound of the size by records that one query showed, and two (Chao 1987, bias-corrected).

    With the number of queries it is Chao2, of incidences; without, Chao1.
    """
    part = (queries - 1) / queries if queries > 1 else 1.0
    unseen = part * once * (once - 1) / (2 * (twice + 1)) if once else 0.0
    ratio = once / (twice + 1)
    variance = (twice + 1) * (ratio**2 / 2 + ratio**3 + ratio**4 / 4)
    return _bound_unseen(seen, unseen, variance, METHOD, confidence)


def _bound_unseen(seen: int, unseen: float, variance: float, method: str, confidence: float) -> Interval:
    """Return the interval in which the logarithm of what is unseen is normal (Chao 1987): never under what was seen."""
    if unseen <= 0:
        return Interval(float(seen), float(seen), float(seen), method)
    factor = math.exp(find_normal(confidence) * math.sqrt(math.log1p(variance / unseen**2)))
    return Interval(seen + unseen, seen + unseen / factor, seen + unseen * factor, method)
