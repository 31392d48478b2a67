"""Paper 4's selectors to the letter, beside ours: the order of Definition 3.1 and its switch at 85 % of the database."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, field
from typing import Final

from dowse.model import Query, Value
from dowse.select.greedy import GreedySelector
from dowse.select.selector import QueryProgress, SelectorParts

SATURATED_SHARE: Final = 0.85  # of the database: where the paper's crawler switches (Sections 3.3 and 5.2)
BATCH_QUERIES: Final = 50  # queries between two computations; the paper has batches and does not say how large


@dataclass(slots=True)
class PublishedMmmi:
    """Greedy until 85 % of the database are there, then the value with the least dependency on what was asked.

    A crawl does not know how large the database is; the paper's experiment does, and so is this one told. All values
    stand in one order, whatever their attribute; of equally dependent ones the paper says nothing, here the one
    with the most links comes first.
    """

    parts: SelectorParts
    size: int  # records of the database
    greedy: GreedySelector = field(init=False)
    waiting: list[int] = field(default_factory=list)  # L-to-query of the last batch, the next one last
    left: int = 0  # queries until it is computed again

    def __post_init__(self) -> None:
        """Begin with what the graph has."""
        self.greedy = GreedySelector(self.parts)

    def seed(self, values: list[Value]) -> None:
        """Add values to begin with."""
        self.greedy.seed(values)

    @property
    def saturated(self) -> bool:
        """Whether enough of the database is there."""
        return self.parts.graph.record_count >= SATURATED_SHARE * self.size

    def choose(self) -> Query | None:
        """Return the most popular value, after saturation the least dependent one."""
        if not self.saturated:
            return self.greedy.choose()
        self.greedy.refresh()
        if not self.left or not self.waiting:
            self.left = BATCH_QUERIES
            self.waiting = self._sort()
        self.left -= 1
        waits = self.greedy.candidates.waits
        while self.waiting:
            value = self.waiting.pop()
            if waits(value):
                return self.greedy.candidates.make_query(value)
        return self.greedy.choose()  # what the form lists and nobody has met

    def why_abort(self, asked: QueryProgress) -> str:
        """Read every answer to its end."""
        return ""

    def learn(self, asked: QueryProgress) -> None:
        """Note what was asked."""
        self.greedy.learn(asked)

    def _sort(self) -> list[int]:
        """Sort what can be asked for by its dependency, the least last."""
        graph, candidates = self.parts.graph, self.greedy.candidates
        found = [value for value in range(candidates.met) if candidates.waits(value)]
        return sorted(found, key=lambda value: (self.dependency(value), -graph.links[value], value), reverse=True)

    def dependency(self, value: int) -> float:
        """Return the greatest mutual information of a value with one that was asked (Definition 3.1), in what is there."""
        graph, asked = self.parts.graph, self.greedy.candidates.asked
        together = Counter(other for other in graph.neighbours(value) if asked[other])
        own, records = graph.count(value), graph.record_count
        most = max((count / graph.count(other) for other, count in together.items()), default=0.0)
        return math.log(most * records / own) if most else -math.inf
