"""Fig. 5: how the mean yields of small samples spread."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from statistics import NormalDist, fmean, stdev
from typing import Any

from dowse.yields import SiteYield, estimate_plain

BINS = 24
REACH = NormalDist().inv_cdf(0.975)


def try_often(yields: Sequence[SiteYield], trials: int, drawn: int, seed: int) -> dict[str, Any]:
    """Draw many samples of sites; return how their mean harvest and coverage spread.

    Sites are drawn with replacement: those that were recorded stand for a web of which a sample is no noticeable part.
    """
    figures = {
        "harvest": [each.harvest for each in yields],
        "coverage": [coverage for each in yields if (coverage := each.coverage) is not None],
    }
    rng = Random(seed)
    return {
        "trials": trials,
        "sites": drawn,
        **{name: _spread(values, trials, drawn, rng) for name, values in figures.items() if len(values) > 1},
    }


def _spread(values: Sequence[float], trials: int, drawn: int, rng: Random) -> dict[str, Any]:
    samples = [rng.choices(values, k=drawn) for _ in range(trials)]
    means = [fmean(sample) for sample in samples]
    mean, error = fmean(values), stdev(values) / drawn**0.5
    return {
        "mean": mean,
        "error": error,
        "inside": sum(abs(each - mean) <= REACH * error for each in means) / trials,
        "holding": sum(_holds(sample, mean) for sample in samples) / trials,
        "histogram": count_bins(means),
    }


def _holds(sample: Sequence[float], mean: float) -> bool:
    """Return True if the interval of Eq. 3 that one sample gives holds the mean of all sites."""
    interval = estimate_plain([(each, 1) for each in sample])
    return interval.low <= mean <= interval.high


def count_bins(values: Sequence[float], bins: int = BINS) -> dict[str, Any]:
    """Return a histogram: where it begins, how wide its bins are, how many values each holds."""
    low, high = min(values), max(values)
    width = (high - low) / bins or 1e-9
    counts = [0] * bins
    for value in values:
        counts[min(bins - 1, int((value - low) / width))] += 1
    return {"low": low, "width": width, "counts": counts}
