"""What queries of other attributes say of a frame: which part of what is not held it leads to.

A query of another attribute shows new records. Where the values that they have in this frame were met before, the frame would have led to
them, too. That says nothing where one attribute lies within the other (a county in a state): all records of a county
are of the state that it was met in. So what a query shows is compared with its lead, a record with the same value that was held
before: attributes are akin when both agree more often than any two records.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from dowse.yields.interval import find_normal, find_student

FADE: Final = (
    2.0  # what was seen when half as much was held counts a quarter: where values lead changes as more is held
)
PRIOR: Final = 1.0  # queries that say what all routes say, before one is believed by itself
NEVER: Final = 0.25  # of a query that shows nothing the frame leads to, and half of one that does, before any was seen
PICK: Final = (
    1.0  # errors over its share at which the lowest route is looked for: one that is low by chance is not taken
)
CLOSED_ERROR: Final = 0.5  # the part that a frame does not lead to may be wrong by so much beside its chance
KIN_ERROR: Final = 4.0  # the same where attributes are as akin as can be: what neither leads to is more than it seems
LEAST_APART: Final = 0.05  # of any two records: a frame in which more agree than that cannot tell who is akin
LEAST_SHARE: Final = 1e-3


@dataclass(slots=True)
class Route:
    """What first pages of one attribute's queries showed of a frame; a query counts by what was new on its page."""

    count: float = 0.0  # new records
    squares: float = 0.0  # of those of each query
    met: float = 0.0  # of the new records, those that the frame leads to
    mates: float = 0.0  # new records that were compared with a lead
    apart: float = 0.0  # of them, those that have another value than it
    held: int = 0  # records, at the last query

    def add(self, count: int, met: float, held: int) -> None:
        """Count what a query showed."""
        self.fade(held)
        self.count += count
        self.squares += count * count
        self.met += met

    def compare(self, mates: int, apart: int) -> None:
        """Count how many new records differ from their lead."""
        self.mates += mates
        self.apart += apart

    def fade(self, held: int) -> None:
        """Let what was seen count less, as more is held."""
        keep = (self.held / held) ** FADE if held > self.held else 1.0
        self.count, self.squares, self.met = self.count * keep, self.squares * keep, self.met * keep
        self.mates, self.apart = self.mates * keep, self.apart * keep
        self.held = max(self.held, held)

    @property
    def share(self) -> float:
        """The part of what was new that the frame leads to."""
        return self.met / self.count if self.count else 0.0

    @property
    def queries(self) -> float:
        """How many queries that brought as much as each other would say as much."""
        return self.count * self.count / self.squares if self.squares else 0.0

    def find_kinship(self, usual: float) -> float:
        """Return how much an attribute lies within the frame, 0 to 1, where such a part of any two records differ."""
        if usual < LEAST_APART:
            return 0.0
        apart = (self.apart + usual) / (self.mates + 1)
        return min(1.0, max(0.0, 1 - apart / usual))


@dataclass(frozen=True, slots=True)
class Open:
    """The part of what is not held that values met so far lead to, and between what it lies."""

    share: float
    least: float
    most: float
    by: int = -1  # the attribute whose queries say so


@dataclass(frozen=True, slots=True)
class _Told:
    """What one route says."""

    by: int
    share: float
    error: float
    queries: float
    kinship: float


def judge_open(routes: Mapping[int, Route], usual: float, confidence: float) -> Open:
    """Return what the route says that is the lowest: attributes that have to do with each other agree too often, never too rarely."""
    kin = {by: route.find_kinship(usual) for by, route in routes.items()}
    queries = {by: route.queries * (1 - kin[by]) for by, route in routes.items()}
    whole = sum(queries.values())
    mean = (sum(queries[by] * route.share for by, route in routes.items()) + 0.5) / (whole + 0.5 + NEVER)
    told = [_tell(by, route.share, queries[by], mean, kin[by]) for by, route in routes.items()]
    lowest = min(told, key=lambda each: each.share + PICK * each.error, default=_tell(-1, mean, 0.0, mean, 0.0))
    most = max((each.share + _reach(each, confidence) for each in told), default=1.0)
    doubt = find_normal(confidence) * (CLOSED_ERROR + (KIN_ERROR - CLOSED_ERROR) * lowest.kinship) * (1 - lowest.share)
    least = lowest.share * math.exp(-_reach(lowest, confidence) / lowest.share - doubt)
    return Open(lowest.share, least, min(1.0, most), lowest.by)


def _tell(by: int, share: float, queries: float, mean: float, kinship: float) -> _Told:
    share = max(LEAST_SHARE, (queries * share + PRIOR * mean) / (queries + PRIOR))
    return _Told(by, share, math.sqrt(share * (1 - min(1.0, share)) / (queries + PRIOR + 1)), queries, kinship)


def _reach(told: _Told, confidence: float) -> float:
    return find_student(confidence, round(told.queries + PRIOR, 1)) * told.error
