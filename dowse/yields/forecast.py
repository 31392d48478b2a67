"""What a strategy will give on a whole list of sites, said before it is searched."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random

from dowse.yields.interval import Interval
from dowse.yields.measure import UNKNOWN, SiteYield, Yield, find_share, pair_coverage, pair_harvest
from dowse.yields.ratio import Sums, estimate_part, estimate_rate, gather


@dataclass(frozen=True, slots=True)
class Forecast:
    """Totals and yields of a strategy on a list of sites, each with the interval that the fact should lie in."""

    name: str
    sites: int
    pages: Interval
    forms: Interval
    harvest: Interval
    coverage: Interval
    sums: Sums  # of the sample: forms over pages


def predict(
    measured: Yield, sampled: Sequence[SiteYield], population: int, *, confidence: float = 0.95, seed: int = 1
) -> Forecast:
    """Forecast a strategy on a list that the sampled sites are a part of.

    What is not known of the whole list is what the sites beyond the sample give: the error of the sample's mean
    and the chance in those sites together. For n of N sites that is (1/n + 1/(N - n)) * ((N - n)/N)**2 of the variance
    between sites, and 1/n - 1/N is the same number: the finite population correction.
    """
    share = find_share(len(sampled), population)
    forecast = _forecast(measured.name, sampled, population, share, confidence, seed)
    return replace(forecast, pages=_raise(forecast.pages, measured.pages), forms=_raise(forecast.forms, measured.forms))


def predict_others(
    measured: Yield, sampled: Sequence[SiteYield], sites: int, *, confidence: float = 0.95, seed: int = 1
) -> Forecast:
    """Forecast a strategy on sites that are not in the sample, drawn from the same list."""
    share = 1 + len(sampled) / max(1, sites)
    return _forecast(measured.name, sampled, sites, share, confidence, seed)


def _forecast(
    name: str, sampled: Sequence[SiteYield], sites: int, share: float, confidence: float, seed: int
) -> Forecast:
    """Return the forecast when so much of the variance is left."""
    harvest = pair_harvest(sampled)
    pages = estimate_rate([(each.pages, 1) for each in sampled], Random(seed), confidence=confidence, share=share)
    forms = estimate_rate([(each.forms, 1) for each in sampled], Random(seed), confidence=confidence, share=share)
    return Forecast(
        name,
        sites,
        pages.scale(sites),
        forms.scale(sites),
        estimate_rate(harvest, Random(seed), confidence=confidence, share=share),
        estimate_part(pair_coverage(sampled), confidence=confidence, share=share) or UNKNOWN,
        gather(harvest),
    )


def _raise(total: Interval, counted: int) -> Interval:
    """Return the interval without what is less than was counted already."""
    return replace(total, low=min(total.value, max(total.low, counted)))
