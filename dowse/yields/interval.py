"""A figure with its interval, and the quantiles that intervals are made of."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from statistics import NormalDist

SIMPSON_PANELS = 200  # of Simpson's rule
BISECTION_STEPS = 60
MANY_DEGREES = 100  # from here on a series is exact to seven digits


@dataclass(frozen=True, slots=True)
class Interval:
    """An inferred figure, between which two values it lies, and how that was found."""

    value: float
    low: float
    high: float
    method: str

    @property
    def half(self) -> float:
        """Half of its width."""
        return (self.high - self.low) / 2

    def scale(self, factor: float) -> Interval:
        """Return the same in another unit, such as a total for a mean."""
        return Interval(self.value * factor, self.low * factor, self.high * factor, self.method)


def bound(value: float, low: float, high: float, method: str, *, most: float = math.inf) -> Interval:
    """Return an interval that holds its value and stays within what is possible."""
    return Interval(value, min(value, max(0.0, low)), max(value, min(most, high)), method)


def find_normal(confidence: float) -> float:
    """Return how many standard errors an interval of that confidence reaches to either side."""
    return NormalDist().inv_cdf((1 + confidence) / 2)


@lru_cache(maxsize=256)
def find_student(confidence: float, degrees: float) -> float:
    """Return the same for an error that was itself estimated, with so many degrees of freedom."""
    degrees = max(1.0, degrees)
    if degrees > MANY_DEGREES:
        return _expand_student(find_normal(confidence), degrees)
    low, high = 0.0, math.pi / 2
    whole = _area(high, degrees)
    for _ in range(BISECTION_STEPS):
        middle = (low + high) / 2
        low, high = (middle, high) if _area(middle, degrees) < confidence * whole else (low, middle)
    return math.sqrt(degrees) * math.tan(low)


def _expand_student(z: float, degrees: float) -> float:
    """Return Student's quantile as a series around the normal one (Abramowitz and Stegun 26.7.5)."""
    first = (z**3 + z) / 4
    second = (5 * z**5 + 16 * z**3 + 3 * z) / 96
    return z + first / degrees + second / degrees**2


def _area(angle: float, degrees: float) -> float:
    """Integrate Student's density from 0 to sqrt(degrees) * tan(angle), but for a constant."""
    step = angle / SIMPSON_PANELS
    heights: list[float] = [max(0.0, math.cos(place * step)) ** (degrees - 1) for place in range(SIMPSON_PANELS + 1)]
    return step / 3 * (heights[0] + 4 * sum(heights[1::2]) + 2 * sum(heights[2:-1:2]) + heights[-1])


def bound_count(count: int, confidence: float) -> tuple[float, float]:
    """Return between which means a Poisson count lies: 0 and 3.7 for a count of 0 (Wilson and Hilferty 1931)."""
    z = find_normal(confidence)
    return _cube(count, -z) if count else 0.0, _cube(count + 1, z)


def _cube(count: int, z: float) -> float:
    """Return a quantile of the gamma distribution of that shape."""
    return count * max(0.0, 1 - 1 / (9 * count) + z / (3 * math.sqrt(count))) ** 3
