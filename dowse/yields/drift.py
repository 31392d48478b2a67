"""Whether a running search still gives what was forecast."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from dowse.yields.forecast import Forecast
from dowse.yields.ratio import Sums

ALARMS = 0.04  # chance of a false alarm in a run of any length; what is left to 5 % is for sites of very unequal size
TUNED = 20.0  # sites' worth of knowledge at which the boundary is wide: it is tightest at about eight times as much
LEAST_SITES = 30  # a few odd sites are not a trend


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
        if not self.words and self._left():
            self.words = self._say()

    def verdict(self) -> str:
        """Return in words how the yield left the forecast; nothing as long as it has not."""
        return self.words

    def _left(self) -> bool:
        """Whether the harvest lies outside of the boundary now."""
        sample = self.forecast.sums
        clock = sample.count * self.run.count / (sample.count + self.run.count)
        return self.run.count >= LEAST_SITES and abs(measure_drift(sample, self.run)) > find_boundary(clock)

    def _say(self) -> str:
        ratio, expected = self.run.ratio, self.forecast.harvest
        side = "below" if ratio < expected.value else "above"
        return (
            f"after {self.run.count:.0f} sites the harvest is {ratio:.3g}, {side} the forecast of "
            f"{expected.value:.3g} ({expected.low:.3g} to {expected.high:.3g})"
        )


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
    return math.sqrt((1 + TUNED / clock) * math.log((clock + TUNED) / (TUNED * ALARMS**2)))
