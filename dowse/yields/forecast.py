"""What a strategy will give on a whole list of sites, whether it still does, and how much is not yet seen."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from random import Random

from dowse.yields.interval import Interval
from dowse.yields.ratio import (
    UNKNOWN,
    SiteYield,
    Sums,
    Yield,
    estimate_part,
    estimate_rate,
    find_share,
    gather,
    pair_coverage,
    pair_harvest,
)

# -- what a strategy will give on a whole list of sites, said before it is searched


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
    return replace(
        forecast, pages=_at_least(forecast.pages, measured.pages), forms=_at_least(forecast.forms, measured.forms)
    )


def predict_others(
    measured: Yield, sampled: Sequence[SiteYield], sites: int, *, confidence: float = 0.95, seed: int = 1
) -> Forecast:
    """Forecast a strategy on sites that are not in the sample, taken from the same list."""
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


def _at_least(total: Interval, counted: float) -> Interval:
    """Return the interval without what is less than was counted already."""
    return replace(total, low=min(total.value, max(total.low, counted)))


# -- whether a running search still gives what was forecast

FALSE_ALARM_CHANCE = (
    0.04  # chance of a false alarm in a run of any length; what is left to 5 % is for sites of very unequal size
)
BOUNDARY_SITES = (
    20.0  # sites' worth of knowledge at which the boundary is wide: it is tightest at about eight times as much
)
MIN_DRIFT_SITES = 30  # a few odd sites are not a trend


@dataclass(slots=True)
class Drift:
    """Watches the harvest of a run, site by site; says when it has left the forecast.

    The difference between the run's harvest and the sample's has a variance of 1/k + 1/n of that between sites, and
    taken over time it moves like a random walk whose clock is the inverse of that. Robbins' boundary (1970) is one that
    such a walk crosses with a small chance, ever: so it may be looked at after each site.
    """

    forecast: Forecast
    run: Sums = field(default_factory=Sums)
    words: str = ""

    def add(self, pages: int, forms: int) -> None:
        """Count a finished site."""
        self.run = self.run.add(forms, pages)
        sample, ratio, expected = self.forecast.sums, self.run.ratio, self.forecast.harvest
        clock = sample.count * self.run.count / (sample.count + self.run.count)
        if self.words or self.run.count < MIN_DRIFT_SITES:
            return
        if abs(measure_drift(sample, self.run)) > find_boundary(clock):
            side = "below" if ratio < expected.value else "above"
            self.words = (
                f"after {self.run.count:.0f} sites the yield is {ratio:.3g}, {side} the forecast of "
                f"{expected.value:.3g} ({expected.low:.3g} to {expected.high:.3g})"
            )

    def verdict(self) -> str:
        """Return in words how the yield left the forecast; nothing as long as it has not."""
        return self.words


def measure_drift(sample: Sums, run: Sums) -> float:
    """Return how many errors the harvest of a run lies from that of the sample."""
    both = sample.join(run)
    if not (sample.bottom and run.bottom and both.variance):
        return 0.0
    stray = run.top - both.ratio * run.bottom  # linear in what was found: no page of the run divides it
    left = run.count * sample.count / both.count
    return stray / math.sqrt(both.variance * left)


def find_boundary(clock: float) -> float:
    """Return how many errors off a walk may be at that time."""
    if clock <= 0:
        return math.inf
    return math.sqrt(
        (1 + BOUNDARY_SITES / clock) * math.log((clock + BOUNDARY_SITES) / (BOUNDARY_SITES * FALSE_ALARM_CHANCE**2))
    )
