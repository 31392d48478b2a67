"""What the sites of a run teach about the next: how much more or less links of a sort pay than the model expects.

A lesson is, for one sort of link, what was expected of the links that were followed and what they gave. Sorts are few and
every link is of one, so that a correction is counted once. Where little was seen, the model is believed.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

BELIEF = 20.0  # query forms that the model's word counts as
FARTHEST = 3.0  # times more or less than the model says


@dataclass(slots=True)
class Lessons:
    """Expected and given, by sort of link."""

    expected: dict[str, float] = field(default_factory=dict)
    given: dict[str, float] = field(default_factory=dict)

    def add(self, sort: str, expected: float, given: float) -> None:
        """Take in one link that was followed, or many."""
        self.expected[sort] = self.expected.get(sort, 0.0) + expected
        self.given[sort] = self.given.get(sort, 0.0) + given

    def add_all(self, lessons: Iterable[tuple[str, float, float]]) -> None:
        """Take in what a site taught."""
        for sort, expected, given in lessons:
            self.add(sort, expected, given)

    def to_rows(self) -> tuple[tuple[str, float, float], ...]:
        """Return them as plain data."""
        return tuple((sort, round(self.expected[sort], 4), self.given[sort]) for sort in sorted(self.expected))

    def corrections(self, paid: Mapping[str, float]) -> dict[str, float]:
        """Return by how much each sort is to be corrected, as a logarithm; `paid` is what it gave for each form expected in training.

        Where all links pay more than in training, so do those of other sites: what counts is how sorts pay beside each other.
        """
        known = [sort for sort in self.expected if paid.get(sort, 0.0) > 0]
        usual = {sort: self.expected[sort] * paid[sort] for sort in known}  # what such promises gave in training
        overall = (sum(self.given[sort] for sort in known) + BELIEF) / (sum(usual.values()) + BELIEF)
        return {sort: _correct(self.given[sort], overall * usual[sort]) for sort in known}


def _correct(given: float, usual: float) -> float:
    times = (given + BELIEF) / (usual + BELIEF)
    return math.log(min(FARTHEST, max(1 / FARTHEST, times)))
