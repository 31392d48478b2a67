"""An attribute as a frame: a way to every record that has it, and what is known of that way so far.

A record with d values of the attribute counts 1/d at each of them, so what lies behind all values adds up to the number of
records, whoever chose them and however unequal they are (the multiplicity estimator of Sirken, 1970).
"""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass, field, replace

from dowse.yields.route import Open, Route, judge_open


@dataclass(slots=True)
class Draws:
    """Sums over draws of a value; each says how many records there are for one that is held, times those that were held."""

    weight: float = 0.0
    first: float = 0.0
    squares: float = 0.0  # of the weights
    square_first: float = 0.0  # of what was drawn, by the squares of the weights
    square_second: float = 0.0  # of its squares

    def add(self, scaled: float, weight: float) -> None:
        """Add a draw."""
        square = weight * weight
        self.weight += weight
        self.first += weight * scaled
        self.squares += square
        self.square_first += square * scaled
        self.square_second += square * scaled * scaled

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
        """How much draws stray from their mean: those of little weight, made when little was held, stray the most."""
        if not self.squares:
            return 0.0
        strayed = self.square_second - 2 * self.mean * self.square_first + self.mean**2 * self.squares
        return max(0.0, strayed / self.squares)


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
    compared: int = 0  # pairs of any two held records
    apart: int = 0  # of them, those that have no value in common
    routes: dict[int, Route] = field(default_factory=dict)  # other attributes -> what their queries say of this one
    drawn: Draws = field(default_factory=Draws)  # values drawn at random
    chosen: Draws = field(default_factory=Draws)  # values that somebody chose for what they bring

    @property
    def usual(self) -> float:
        """How often any two records have no value in common."""
        return (self.apart + 0.5) / (self.compared + 1)

    def open(self, confidence: float) -> Open:
        """Return the part of what is not held that values met so far lead to."""
        return judge_open(self.routes, self.usual, confidence)

    @property
    def spread(self) -> float:
        """How many values of equal weight the unknown is spread over."""
        return self.unknown**2 / self.unknown_squares if self.unknown_squares > 0 else 0.0

    def copy(self) -> Frame:
        """Return the frame as it is now."""
        routes = {by: copy(route) for by, route in self.routes.items()}
        return replace(self, routes=routes, drawn=copy(self.drawn), chosen=copy(self.chosen))

    def draw(self, scaled: float, draws: Draws) -> None:
        """Add a draw: the more is held, the more it says of what is not."""
        draws.add(scaled, float(self.records))
