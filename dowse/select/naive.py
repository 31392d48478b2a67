"""Values in the order they were found, the last one first, or any (paper 4, Section 3.1)."""

from __future__ import annotations

from array import array
from dataclasses import dataclass, field

from dowse.model import Query, Value
from dowse.select.selector import Candidates, QueryProgress, SelectorParts


@dataclass(slots=True)
class NaiveSelector:
    """Asks for every value that was found, in an order that knows nothing of them."""

    parts: SelectorParts
    order: str  # breadth, depth, random
    candidates: Candidates = field(init=False)
    waiting: array[int] = field(default_factory=lambda: array("I"))
    first: int = 0  # of those that wait, when the earliest is asked for first

    def __post_init__(self) -> None:
        """Begin with what the graph has."""
        self.candidates = Candidates(self.parts.graph, self.parts.interface)

    def seed(self, values: list[Value]) -> None:
        """Add values to begin with."""
        self.candidates.add(values)

    def choose(self) -> Query | None:
        """Return the first, the last, or any value that waits."""
        self.waiting.extend(self.candidates.add_new())
        while self._waits() or self._take_listed():
            if self.order == "breadth":
                number, self.first = self.waiting[self.first], self.first + 1
            else:
                if self.order == "random":
                    place = self.parts.rng.randrange(len(self.waiting))
                    self.waiting[place], self.waiting[-1] = self.waiting[-1], self.waiting[place]
                number = self.waiting.pop()
            if self.candidates.waits(number):
                return self.candidates.make_query(number)
        return None

    def _waits(self) -> bool:
        return self.first < len(self.waiting)

    def _take_listed(self) -> bool:
        self.waiting.extend(self.candidates.add_listed())
        return self._waits()

    def why_abort(self, asked: QueryProgress) -> str:
        """Read every answer to its end."""
        return ""

    def learn(self, asked: QueryProgress) -> None:
        """Note what was asked; the values of new records are taken up at the next choice."""
        self.candidates.learn(asked)
