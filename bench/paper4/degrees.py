"""How many neighbours values have (Fig. 2), and the power law that fits best."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from typing import Any, Final

from bench.harvest.databases import Database
from dowse.select.graph import Graph

WIDTH: Final = 1.5  # of a step of the histogram, as a factor
TRIED: Final = 20  # degrees from which the law may begin
LEAST_TAIL: Final = 50  # values that must be left for a fit


def measure_degrees(database: Database) -> dict[str, Any]:
    """Count the degrees of a database's values, and fit a power law to them."""
    graph = Graph()
    for record in database.records:
        graph.add(record.values)
    degrees = sorted(graph.degree(value) for value in range(graph.value_count))
    exponent, start, distance = fit_power_law(degrees)
    return {
        "records": len(database.records), "attributes": list(database.attributes), "values": len(degrees),
        "histogram": bin_degrees(degrees), "median": degrees[len(degrees) // 2], "most": degrees[-1],
        "hubs": sum(degrees[-max(1, len(degrees) // 100) :]) / max(1, sum(degrees)),
        "exponent": exponent, "from": start, "distance": distance,
    }  # fmt: skip


def bin_degrees(degrees: Sequence[int]) -> list[tuple[float, float]]:
    """Return degrees and the part of all values with each, in steps that grow."""
    counts: Counter[int] = Counter(int(math.log(degree, WIDTH)) for degree in degrees if degree)
    return [
        (WIDTH ** (step + 0.5), count / len(degrees) / max(1.0, WIDTH ** (step + 1) - WIDTH**step))
        for step, count in sorted(counts.items())
    ]


def fit_power_law(degrees: Sequence[int]) -> tuple[float, int, float]:
    """Return the exponent, where the law begins, and how far it is off at most (Clauset, Shalizi and Newman 2009)."""
    positive = [degree for degree in degrees if degree]
    starts = sorted({positive[place * len(positive) // TRIED] for place in range(TRIED)})
    fits = [_fit_tail(positive[bisect_left(positive, start) :], start) for start in starts]
    return min(fits, key=lambda fit: fit[2])


def _fit_tail(tail: Sequence[int], start: int) -> tuple[float, int, float]:
    if len(tail) < LEAST_TAIL or tail[0] == tail[-1]:
        return math.nan, start, math.inf
    exponent = 1 + len(tail) / sum(math.log(degree / (start - 0.5)) for degree in tail)
    ends = [place for place in range(len(tail)) if place + 1 == len(tail) or tail[place] != tail[place + 1]]
    distance = max(
        abs((place + 1) / len(tail) - (1 - ((tail[place] + 0.5) / (start - 0.5)) ** (1 - exponent))) for place in ends
    )
    return exponent, start, distance
