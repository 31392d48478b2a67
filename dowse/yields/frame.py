"""An attribute as a frame: a way to every record that has it, and what is known of that way so far.

A record with d values of the attribute counts 1/d at each of them, so what lies behind all values adds up to the number of
records, whoever chose them and however unequal they are (the multiplicity estimator of Sirken, 1970).
"""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass, field, replace
from typing import Final

LEAST_SHARE: Final = 1e-6  # a draw from so little that is unknown says all there is to say
PRIOR_PAGES: Final = 6.0  # what all pages say counts as much as the first pages of so many queries
PAGE: Final = 10.0  # records that count as one page: those of one query are not as good as those of many
NEVER: Final = 0.1  # of a record that the frame does not lead to, and half of one that it does, before any was seen


@dataclass(slots=True)
class Draws:
    """Sums over draws of a value; each says how many records there are for one that is held, times those that were held."""

    weight: float = 0.0
    squares: float = 0.0  # of the weights
    first: float = 0.0
    second: float = 0.0

    def add(self, scaled: float, weight: float) -> None:
        """Add a draw."""
        self.weight += weight
        self.squares += weight * weight
        self.first += weight * scaled
        self.second += weight * scaled * scaled

    @property
    def count(self) -> float:
        """How many draws of equal weight say as much."""
        return self.weight * self.weight / self.squares if self.squares else 0.0

    @property
    def mean(self) -> float:
        """The weighted mean."""
        return self.first / self.weight if self.weight else 0.0

    @property
    def variance(self) -> float:
        """How much draws stray from their mean."""
        return max(0.0, self.second / self.weight - self.mean**2) if self.weight else 0.0


@dataclass(slots=True)
class Lately:
    """A share among the last of what was counted."""

    part: float = 0.0
    count: float = 0.0

    def add(self, part: float, count: float, memory: float) -> None:
        """Count some more; what is older than the memory fades."""
        keep = max(0.0, 1 - count / memory)
        self.part = self.part * keep + part
        self.count = self.count * keep + count

    @property
    def share(self) -> float:
        """The share."""
        return (self.part + 0.5) / (self.count + 0.5 + NEVER)


@dataclass(slots=True)
class Frame:
    """What is known of an attribute: values whose records were counted by the source, and others."""

    name: str = ""
    records: int = 0  # held, that have it
    several: int = 0  # of them, with more than one value
    known: float = 0.0  # records behind values whose total is known
    known_values: int = 0
    noise: float = 0.0  # variance of that: records divided by their values, judged by some of them
    guessed: float = 0.0  # of the known, what the source did not say
    unknown: float = 0.0  # held records behind values whose total is unknown
    unknown_squares: float = 0.0  # of what each value has
    unknown_values: int = 0
    new: Lately = field(default_factory=Lately)  # of what was new from other attributes, what this one leads to as well
    new_first: Lately = field(default_factory=Lately)  # the same on first pages alone, where a query counts once
    drawn: Draws = field(default_factory=Draws)  # values drawn at random
    chosen: Draws = field(default_factory=Draws)  # values that somebody chose for what they bring

    @property
    def pages(self) -> float:
        """How many pages from different queries the open share rests on."""
        return self.new_first.count / PAGE + PRIOR_PAGES

    @property
    def open(self) -> float:
        """The part of what is not held that values met so far lead to."""
        return (self.new_first.part / PAGE + PRIOR_PAGES * self.new.share) / self.pages

    @property
    def spread(self) -> float:
        """How many values of equal weight the unknown is spread over."""
        return self.unknown**2 / self.unknown_squares if self.unknown_squares > 0 else 0.0

    def copy(self) -> Frame:
        """Return the frame as it is now."""
        parts = {name: copy(getattr(self, name)) for name in ("new", "new_first", "drawn", "chosen")}
        return replace(self, **parts)

    def draw(self, scaled: float, share: float, draws: Draws) -> None:
        """Add a draw made when such a share of the held records had unknown values: the less, the more it is worth."""
        draws.add(scaled, 1 / max(share, LEAST_SHARE) ** 2)
