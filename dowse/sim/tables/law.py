"""The power law by which values share the records, exact in both directions."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator
from math import isqrt
from typing import NamedTuple

Span = tuple[int, int]  # places from the first up to, but not including, the second


class Law(NamedTuple):
    """How `values` ranks share `length` places: rank = values * (place / length) ** power, rounded down.

    The share of rank r falls as r ** (1 / power - 1). Power 1 shares evenly; 4 is the highest.
    """

    values: int
    length: int
    power: int

    def rank(self, place: int) -> int:
        """Return the rank that has a place."""
        values, length, power = self
        rank: int = values * place**power // length**power
        return rank

    def bound(self, rank: int) -> int:
        """Return the first place of a rank."""
        values, length, power = self
        if rank <= 0 or not length:
            return 0
        if rank >= values:
            return length
        below: int = (rank * length**power - 1) // values  # the last power of a place that is still below the rank
        return _ROOTS[power](below) + 1

    def bounds(self, ranks: int) -> array[int]:
        """Return the first places of the ranks from 0 up to and including the given one."""
        values, length, power = self
        found = array("I", (0,))
        for rank in range(1, min(ranks, values) + 1):
            place = int(length * (rank / values) ** (1 / power))  # a guess: only whole numbers decide
            wanted = rank * length**power
            while place > 0 and values * place**power >= wanted:
                place -= 1
            while values * place**power < wanted:
                place += 1
            found.append(place)
        return found

    def span(self, rank: int) -> Span:
        """Return the places of a rank."""
        return self.bound(rank), self.bound(rank + 1)

    def spans(self, ranks: Iterable[int]) -> Iterator[Span]:
        """Return the places of several ranks, neighbours joined where they stand in order."""
        start = stop = -1
        for rank in ranks:
            if rank != stop:
                if stop > start:
                    yield self.bound(start), self.bound(stop)
                start = rank
            stop = rank + 1
        if stop > start:
            yield self.bound(start), self.bound(stop)


def _cube_root(number: int) -> int:
    root = int(number ** (1 / 3))  # a guess: only whole numbers decide
    while root**3 > number:
        root -= 1
    while (root + 1) ** 3 <= number:
        root += 1
    return root


_ROOTS: dict[int, Callable[[int], int]] = {  # rounded down
    1: lambda number: number,
    2: isqrt,
    3: _cube_root,
    4: lambda number: isqrt(isqrt(number)),
}
