"""A median and how far to trust it: a 95 % interval over seeds or repeats."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from random import Random
from statistics import median

FEW = 6  # fewer values than this are shown as they are: the least and the most
RESAMPLES = 2000


@dataclass(frozen=True, slots=True)
class Interval:
    """A median with its interval, and how that was found."""

    median: float
    low: float
    high: float
    count: int
    way: str  # "min-max" or "bootstrap"

    def to_json(self) -> dict[str, object]:
        """Return plain values for a result."""
        return asdict(self)


def measure_interval(values: Sequence[float], seed: int = 1) -> Interval:
    """Return the median with the least and the most of a few values, or with the bootstrap's 95 % of many."""
    if not values:
        raise ValueError("no values to take a median of")
    middle = float(median(values))
    if len(values) < FEW:
        return Interval(middle, float(min(values)), float(max(values)), len(values), "min-max")
    rng = Random(seed)
    drawn = sorted(float(median(_draw_again(values, rng))) for _ in range(RESAMPLES))
    return Interval(middle, drawn[int(RESAMPLES * 0.025)], drawn[int(RESAMPLES * 0.975)], len(values), "bootstrap")


def _draw_again(values: Sequence[float], rng: Random) -> list[float]:
    return [values[int(rng.random() * len(values))] for _ in values]


def write_interval(interval: dict[str, object], form: str = ".3f") -> str:
    """Return a kept interval as the cell of a table; a single value stands alone."""
    if interval["count"] == 1:
        return f"{interval['median']:{form}}"
    return f"{interval['median']:{form}} ({interval['low']:{form}} to {interval['high']:{form}})"


def explain_intervals(interval: dict[str, object], over: str) -> str:
    """Say in a sentence what the interval of a table is."""
    if interval["way"] == "min-max":
        return f"In parentheses the least and the most of {interval['count']} {over}."
    return f"In parentheses the 95 % interval of the median over {interval['count']} {over}, by bootstrap."
