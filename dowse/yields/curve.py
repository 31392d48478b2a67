"""How many requests a harvest still needs, by how fast it went lately."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from dowse.model import Verdict
from dowse.yields.interval import Interval, find_student
from dowse.yields.size import SizeEstimate

Point = tuple[int, int]  # requests, records harvested

FORECAST_METHOD = "what each request took of what was left, lately"
RECENT_SHARE: Final = 0.5  # of the requests, the last ones that the forecast is made from
RECENT_STEPS: Final = 8  # parts that they are cut into, to see how the pace changes
MIN_STEPS: Final = 3
MAX_REQUESTS: Final = 1e9  # requests: more is never
# the next two: so that nine in ten of the forecasts hold, on books, vehicles and films
MAX_SPEEDUP: Final = 2.0  # times faster than lately that the rest may go
MAX_SLOWDOWN: Final = 3.0  # times slower than lately that the rest may go: what is left is what is hard to reach
MAX_FORECAST_RATIO: Final = 10.0  # of the ends of a forecast: one that does not tell the order is no help


@dataclass(frozen=True, slots=True)
class _Pace:
    """The logarithm of which share of what was left a request took: now, and how that changes with what is left."""

    level: float
    slope: float
    error: float
    degrees: int


def forecast_requests(
    curve: Sequence[Point], size: SizeEstimate, coverage: float, *, confidence: float = 0.9
) -> Interval | Verdict:
    """Return how many requests are still needed until so much of the source is harvested, or why that cannot be said.

    A request takes a share of what is left, and that share itself falls or rises with what is left as it did lately. The
    interval takes in how the pace strays, and that the source may be as small or as large as `size` says.
    """
    steps = _cut(curve)
    if len(steps) < MIN_STEPS + 1:
        return Verdict(False, "too few requests were made")
    if math.isinf(size.high):
        return Verdict(False, "how many records there are at most is unknown")
    harvested = curve[-1][1]
    middle, least, most = (_need(steps, each, harvested, coverage) for each in (size.size, size.low, size.high))
    reach = _reach(steps, size.size, confidence)
    # how many there are and how fast it goes have nothing to do with each other: both are rarely at their ends at once
    faster, slower = reach + math.log(MAX_SPEEDUP), reach + math.log(MAX_SLOWDOWN)
    low = middle * math.exp(-math.hypot(math.log(middle / least), faster)) if min(middle, least) > 0 else 0.0
    high = middle * math.exp(math.hypot(math.log(most / middle), slower)) if middle > 0 else most * math.exp(slower)
    if high > MAX_FORECAST_RATIO * max(1.0, low):
        return Verdict(False, _why_wide(size, harvested, coverage))
    return Interval(middle, low, high, FORECAST_METHOD)


def _why_wide(size: SizeEstimate, harvested: int, coverage: float) -> str:
    """Return what makes a forecast too wide: how many records there may be, or how the pace changes."""
    least, most = coverage * size.low - harvested, coverage * size.high - harvested
    if least <= 0:
        return f"{coverage:.0%} may be reached, or {most:,.0f} records may be missing"
    if most > 2 * least:
        return f"between {size.low:,.0f} and {size.high:,.0f} records are too far apart"
    return "what a request brings changes too much"


def round_requests(requests: float) -> int:
    """Return a number of requests as a person says it: two digits, and no more."""
    return round(round(requests), -max(0, len(str(round(requests))) - 2))


def _cut(curve: Sequence[Point]) -> list[Point]:
    """Return points of the recent part, about as many requests apart."""
    if not curve:
        return []
    last = curve[-1][0]
    first = last * (1 - RECENT_SHARE)
    width = max(1.0, (last - first) / RECENT_STEPS)
    found: list[Point] = []
    for point in curve:
        if point[0] >= first and (not found or point[0] >= found[-1][0] + width):
            found.append(point)
    if found and found[-1][0] < last and len(found) > 1:
        found[-1] = curve[-1]
    return found


def _fit(steps: Sequence[Point], size: float) -> _Pace:
    """Fit the logarithm of the pace to the logarithm of what is left, as a line."""
    places, paces = [], []
    for (asked, harvested), (later, more) in pairwise(steps):
        left, after = max(1.0, size - harvested), max(0.5, size - more)
        gone = max(math.log(left / after), 0.5 / left)
        places.append(math.log((left + after) / 2))
        paces.append(math.log(gone / (later - asked)))
    count = len(places)
    here, level = sum(places) / count, sum(paces) / count
    spread = sum((place - here) ** 2 for place in places)
    slope = sum((place - here) * pace for place, pace in zip(places, paces, strict=True)) / spread if spread else 0.0
    # from a list that is read page by page (each request takes as many, whatever is left) to records that get harder to find
    slope = max(-1.0, min(1.0, slope))
    strays = [pace - level - slope * (place - here) for place, pace in zip(places, paces, strict=True)]
    degrees = max(1, count - 2)
    return _Pace(level - slope * here, slope, math.sqrt(sum(each * each for each in strays) / degrees / count), degrees)


def _reach(steps: Sequence[Point], size: float, confidence: float) -> float:
    pace = _fit(steps, size)
    return find_student(confidence, pace.degrees) * pace.error


def _need(steps: Sequence[Point], size: float, harvested: int, coverage: float) -> float:
    """Add up the requests from what is left now to what may be left then."""
    left, last = size - harvested, size * (1 - coverage)
    if left <= last or left <= 0:
        return 0.0
    # the integral of d(log left) / pace(left), in closed form: the pace is a power of what is left
    pace, last = _fit(steps, size), max(last, 0.5)
    power = -pace.slope
    whole = math.log(left / last) if abs(pace.slope) < 1e-9 else float(left**power - last**power) / power
    return min(MAX_REQUESTS, whole * math.exp(min(50.0, -pace.level)))
