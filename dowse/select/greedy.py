"""The value with the most neighbours first: popular here, so probably popular in the whole source (paper 4, Section 3.2)."""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from dataclasses import dataclass, field

from dowse.model import Query, Value
from dowse.select.candidates import Candidates
from dowse.select.ranked import Ranked
from dowse.select.selector import Asked, Parts


@dataclass(slots=True)
class Greedy:
    """Asks for the value with the greatest degree in what was drawn so far.

    Degrees are counted only for values that might be the greatest. Until then a value is ranked
    by a bound: its degree when it was counted last, and one for every link that came since.
    """

    parts: Parts
    candidates: Candidates = field(init=False)
    ranked: Ranked = field(init=False)
    degrees: array[int] = field(default_factory=lambda: array("I"))  # of each value, when it was counted last
    counted: array[int] = field(default_factory=lambda: array("Q"))  # of each value, its links at that time
    touched: set[int] = field(default_factory=set)  # values with new links since the last choice

    def __post_init__(self) -> None:
        """Begin with what the graph has."""
        self.candidates = Candidates(self.parts.graph, self.parts.interface)
        self.ranked = Ranked(self.candidates.waits)

    def seed(self, values: list[Value]) -> None:
        """Take values to begin with."""
        self.candidates.add(values)

    def choose(self) -> Query | None:
        """Return the value with the most neighbours of those that wait; of equals the one met first."""
        self.refresh()
        found = self.pop_best()
        if found is None and self._take(self.candidates.take_listed()):
            found = self.pop_best()
        return None if found is None else self.candidates.give(found)

    def why_abort(self, asked: Asked) -> str:
        """Read every answer to its end."""
        return ""

    def learn(self, asked: Asked) -> None:
        """Note which values have new links."""
        self.candidates.learn(asked)
        for record in asked.fresh:
            self.touched.update(self.parts.graph.values_of(record))

    def refresh(self) -> None:
        """Rank what was learned since the last choice."""
        known = self.candidates.met
        self._take(self.candidates.take_up())
        waits = self.candidates.waits
        self._rank(value for value in sorted(self.touched) if value < known and waits(value))
        self.touched.clear()

    def pop_best(self) -> int | None:
        """Take out the value with the greatest degree; degrees are counted where the bound comes first."""
        links = self.parts.graph.links
        while (value := self.ranked.pop()) is not None:
            if self.counted[value] == links[value]:
                return value
            self.degrees[value], self.counted[value] = self.parts.graph.degree(value), links[value]
            self._rank([value])
        return None

    def _take(self, values: Iterable[int]) -> bool:
        """Take up values; say whether there were any."""
        new = list(values)
        missing = self.parts.graph.value_count - len(self.degrees)
        self.degrees.frombytes(bytes(missing * self.degrees.itemsize))
        self.counted.frombytes(bytes(missing * self.counted.itemsize))
        self._rank(new)
        return bool(new)

    def _rank(self, values: Iterable[int]) -> None:
        degrees, counted, links = self.degrees, self.counted, self.parts.graph.links
        self.ranked.push((value, degrees[value] + links[value] - counted[value]) for value in values)
