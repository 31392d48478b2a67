"""Values by rank, the highest first: a heap for millions of them whose ranks change all the time."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from heapq import heapify, heappop, heappush
from typing import Final

VALUE_BITS: Final = 32  # an entry is one number, a quarter of a tuple's size: the rank above, the value below
VALUE_MASK: Final = (1 << VALUE_BITS) - 1
SLACK: Final = 4  # entries that hold no more for each that does, before the heap is made anew
LEAST: Final = 10_000  # entries that are never too many


@dataclass(slots=True)
class Ranked:
    """Values with a rank each, a whole number from 0. An entry whose rank is no longer the value's is passed over."""

    waits: Callable[[int], bool]  # whether a value is still wanted
    ranks: array[int] = field(default_factory=lambda: array("Q"))  # of each value; heaps of different values share one
    entries: list[int] = field(default_factory=list)
    kept: int = 0  # entries that held when the heap was made anew

    def push(self, values: Iterable[tuple[int, int]]) -> None:
        """Give values their rank, the only one that counts from now on."""
        for value, rank in values:
            if value >= len(self.ranks):
                self.ranks.frombytes(bytes(8 * (value + 1 + value // 4 - len(self.ranks))))
            self.ranks[value] = rank
            heappush(self.entries, value - (rank << VALUE_BITS))
        if len(self.entries) > LEAST + (SLACK + 1) * self.kept:
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
