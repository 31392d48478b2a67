"""The value with the most neighbours first (paper 4, Section 3.2), from a heap whose ranks change."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from heapq import heapify, heappop, heappush
from typing import Final

from dowse.model import Query, Value
from dowse.select.selector import Candidates, QueryProgress, SelectorParts

# -- values by rank, the highest first: a heap for millions of them whose ranks change all the time

VALUE_BITS: Final = 32  # an entry is one number, a quarter of a tuple's size: the rank above, the value below
VALUE_MASK: Final = (1 << VALUE_BITS) - 1
MAX_STALE_FACTOR: Final = 4  # entries that hold no more for each that does, before the heap is made anew
MIN_COMPACTED_ENTRIES: Final = 10_000  # entries that are never too many


@dataclass(slots=True)
class RankedValues:
    """Values with a rank each, a whole number from 0. An entry whose rank is no longer the value's is passed over."""

    waits: Callable[[int], bool]  # whether a value is still wanted
    ranks: array[int] = field(default_factory=lambda: array("Q"))  # of each value; heaps of different values share one
    entries: list[int] = field(default_factory=list)
    kept: int = 0  # entries that were valid when the heap was made anew

    def push(self, values: Iterable[tuple[int, int]]) -> None:
        """Give values their rank, the only one that counts from now on."""
        for value, rank in values:
            if value >= len(self.ranks):
                self.ranks.frombytes(bytes(8 * (value + 1 + value // 4 - len(self.ranks))))
            self.ranks[value] = rank
            heappush(self.entries, value - (rank << VALUE_BITS))
        if len(self.entries) > MIN_COMPACTED_ENTRIES + (MAX_STALE_FACTOR + 1) * self.kept:
            self._compact()

    def peek(self) -> int | None:
        """Return the value with the highest rank, of equals the one with the lowest number."""
        entries = self.entries
        while entries:
            if self._holds(entries[0]):
                return entries[0] & VALUE_MASK
            heappop(entries)
        return None

    def pop(self) -> int | None:
        """Take out the value with the highest rank."""
        value = self.peek()
        if value is not None:
            heappop(self.entries)
        return value

    def _compact(self) -> None:
        self.entries = [entry for entry in set(self.entries) if self._holds(entry)]
        heapify(self.entries)
        self.kept = len(self.entries)

    def _holds(self, entry: int) -> bool:
        value = entry & VALUE_MASK
        return self.ranks[value] == (value - entry) >> VALUE_BITS and self.waits(value)


# -- the value with the most neighbours first: popular here, so probably popular in the whole source (paper 4, Section 3.2)


@dataclass(slots=True)
class GreedySelector:
    """Asks for the value with the greatest degree in what was harvested so far.

    Degrees are counted only for values that might be the greatest. Until then a value is ranked
    by a bound: its degree when it was counted last, and one for every link that came since.
    """

    parts: SelectorParts
    candidates: Candidates = field(init=False)
    ranked: RankedValues = field(init=False)
    degrees: array[int] = field(default_factory=lambda: array("I"))  # of each value, when it was counted last
    counted: array[int] = field(default_factory=lambda: array("Q"))  # of each value, its links at that time
    touched: set[int] = field(default_factory=set)  # values with new links since the last choice

    def __post_init__(self) -> None:
        """Begin with what the graph has."""
        self.candidates = Candidates(self.parts.graph, self.parts.interface)
        self.ranked = RankedValues(self.candidates.waits)

    def seed(self, values: list[Value]) -> None:
        """Add values to begin with."""
        self.candidates.add(values)

    def choose(self) -> Query | None:
        """Return the value with the most neighbours of those that wait; of equals the one met first."""
        self.refresh()
        found = self.pop_best()
        if found is None and self._take(self.candidates.add_listed()):
            found = self.pop_best()
        return None if found is None else self.candidates.make_query(found)

    def why_abort(self, asked: QueryProgress) -> str:
        """Read every answer to its end."""
        return ""

    def learn(self, asked: QueryProgress) -> None:
        """Note which values have new links."""
        self.candidates.learn(asked)
        for record in asked.fresh:
            self.touched.update(self.parts.graph.values_of(record))

    def refresh(self) -> None:
        """Rank what was learned since the last choice."""
        known = self.candidates.met
        self._take(self.candidates.add_new())
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
        """Add values; return True if there were any."""
        new = list(values)
        missing = self.parts.graph.value_count - len(self.degrees)
        self.degrees.frombytes(bytes(missing * self.degrees.itemsize))
        self.counted.frombytes(bytes(missing * self.counted.itemsize))
        self._rank(new)
        return bool(new)

    def _rank(self, values: Iterable[int]) -> None:
        degrees, counted, links = self.degrees, self.counted, self.parts.graph.links
        self.ranked.push((value, degrees[value] + links[value] - counted[value]) for value in values)
