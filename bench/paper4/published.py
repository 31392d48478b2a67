"""Paper 4's selectors to the letter, beside ours: the order of Definition 3.1 and its switch at 85 % of the database."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from dowse.model import Query, Value
from dowse.select.mmmi import MmmiSelector
from dowse.select.selector import QueryProgress, Selector, SelectorParts

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
    ours: MmmiSelector = field(init=False)  # counts which share of an answer each value has
    waiting: list[int] = field(default_factory=list)  # L-to-query of the last batch, the next one last
    left: int = 0  # queries until it is computed again

    def __post_init__(self) -> None:
        """Begin with what the graph has."""
        self.ours = MmmiSelector(self.parts)

    def seed(self, values: list[Value]) -> None:
        """Add values to begin with."""
        self.ours.seed(values)

    @property
    def saturated(self) -> bool:
        """Whether enough of the database is there."""
        return self.parts.graph.record_count >= SATURATED_SHARE * self.size

    def choose(self) -> Query | None:
        """Return the most popular value, after saturation the least dependent one."""
        greedy = self.ours.greedy
        if not self.saturated:
            return greedy.choose()
        greedy.refresh()
        if not self.left or not self.waiting:
            self.left = BATCH_QUERIES
            self.waiting = self._sort()
        self.left -= 1
        while self.waiting:
            value = self.waiting.pop()
            if greedy.candidates.waits(value):
                return greedy.candidates.make_query(value)
        return greedy.choose()  # what the form lists and nobody has met

    def why_abort(self, asked: QueryProgress) -> str:
        """Read every answer to its end."""
        return ""

    def learn(self, asked: QueryProgress) -> None:
        """Note what was asked, and which share of its answer each value has."""
        self.ours.learn(asked)

    def _sort(self) -> list[int]:
        """Sort what can be asked for by its dependency, the least last."""
        graph, candidates = self.parts.graph, self.ours.greedy.candidates
        if self.ours.grown:
            self.ours._count_shares()
        found = [value for value in range(candidates.met) if candidates.waits(value)]
        return sorted(found, key=lambda value: (self.dependency(value), -graph.links[value], value), reverse=True)

    def dependency(self, value: int) -> float:
        """Return the greatest mutual information of a value with one that was asked (Definition 3.1), in what is there."""
        share = self.ours.shares[value] if value < len(self.ours.shares) else 0.0  # the greatest P(value | asked)
        own = self.parts.graph.count(value)
        return math.log(share * self.parts.graph.record_count / own) if share else -math.inf


@dataclass(slots=True)
class SwitchedMmmi:
    """Our order of values with the paper's switch: told apart are what the order brings and what the switch does."""

    parts: SelectorParts
    size: int  # records of the database
    ours: MmmiSelector = field(init=False)

    def __post_init__(self) -> None:
        """Begin with what the graph has."""
        self.ours = MmmiSelector(self.parts)

    def seed(self, values: list[Value]) -> None:
        """Add values to begin with."""
        self.ours.seed(values)

    def choose(self) -> Query | None:
        """Return what our order chooses, once the paper's point is passed."""
        self.ours.saturated = self.parts.graph.record_count >= SATURATED_SHARE * self.size
        return self.ours.choose()

    def why_abort(self, asked: QueryProgress) -> str:
        """Read every answer to its end."""
        return ""

    def learn(self, asked: QueryProgress) -> None:
        """Hand on what came."""
        self.ours.learn(asked)


PUBLISHED: Final[dict[str, Callable[[SelectorParts, int], Selector]]] = {
    "mmmi as published": PublishedMmmi,
    "mmmi, switch as published": SwitchedMmmi,
}
