"""Forms that demand several values with each query: sets of them that records show, then sets that nobody has seen."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice, product
from typing import Final

from dowse.select.graph import Graph
from dowse.select.selector import Interface

MOST_OF_ONE: Final = 4  # sets that one record shows
PARTNERS: Final = 12  # sets that a value is tried in with values that were met before it
MOST_WAITING: Final = 10_000  # sets that nobody has seen
BARREN: Final = 100  # tries in a row that found nothing: the rest is not tried


@dataclass(slots=True)
class Required:
    """The sets of values that a form demands."""

    graph: Graph
    interface: Interface
    seen: Counter[tuple[int, ...]] = field(default_factory=Counter)  # held records of each set that waits
    barren: int = 0  # tries that found nothing since the last that did
    _values: dict[str, list[int]] = field(default_factory=dict)  # the first that were met of each attribute
    _unseen: deque[tuple[int, ...]] = field(default_factory=deque)
    _met: int = 0  # values that were taken up

    @property
    def several(self) -> bool:
        """Whether the form demands more than one value."""
        return len(set(self.interface.required)) > 1

    def add(self, records: Iterable[int]) -> Iterator[tuple[tuple[int, ...], int]]:
        """Take in records; yield the sets that they show, with the records that have them, each time twice as many do."""
        for record in records:
            for values in islice(self._sets_of(record), MOST_OF_ONE):
                self.seen[values] += 1
                if self.seen[values].bit_count() == 1:
                    yield values, self.seen[values]

    def _sets_of(self, record: int) -> Iterator[tuple[int, ...]]:
        found: dict[str, list[int]] = {name: [] for name in self.interface.required}
        for value in self.graph.values_of(record):
            name = self.graph.attributes[self.graph.attribute_of[value]]
            if name in found:
                found[name].append(value)
        return (tuple(sorted(values)) for values in product(*found.values()))

    def try_next(self, given: set[tuple[int, ...]]) -> tuple[int, ...] | None:
        """Return a set that nobody has seen; None when there is none, or too many were tried for nothing."""
        self._take_up()
        while self._unseen and self.barren < BARREN:
            values = self._unseen.popleft()
            if values not in given:
                return values
        return None

    def _take_up(self) -> None:
        """Put values that were met since the last time together with those before them."""
        first, self._met = self._met, self.graph.value_count
        for value in range(first, self._met):
            name = self.graph.attributes[self.graph.attribute_of[value]]
            if name in self.interface.required:
                self._pair(value, name)

    def _pair(self, value: int, name: str) -> None:
        others = [self._values.get(other, []) for other in set(self.interface.required) - {name}]
        for values in islice(product(*others), PARTNERS):
            if len(self._unseen) < MOST_WAITING:
                self._unseen.append(tuple(sorted((value, *values))))
        own = self._values.setdefault(name, [])
        if len(own) < PARTNERS:
            own.append(value)
