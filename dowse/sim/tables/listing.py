"""The order of records: by their numbers, or by a value, across the blocks of a table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate
from operator import itemgetter
from typing import NamedTuple

from dowse.sim.tables.asking import Columns
from dowse.sim.tables.columns import Groups, Key
from dowse.sim.tables.law import Span
from dowse.sim.tables.matches import Everything, Match, all_of
from dowse.sim.tables.table import Order

Matches = list[Match]  # one for each block


class Run(NamedTuple):
    """Records that come one after another in an order."""

    turn: int
    matches: Matches
    tied: bool  # whether they come by number

    @property
    def size(self) -> int | None:
        """How many, where that is known without listing them."""
        sizes = [match.exact for match in self.matches]
        return None if None in sizes else sum(match.most for match in self.matches)


class Listing:
    """Lists records of a table in order; `Matches` are those of each block, numbers are those of the table."""

    def __init__(self, blocks: Sequence[Columns]) -> None:
        self.blocks = blocks
        self.starts = list(accumulate((block.size for block in blocks), initial=0))[: len(blocks)]

    def count_up(self, matches: Matches) -> Iterator[int]:
        """Return all records by number."""
        for start, match in zip(self.starts, matches, strict=True):
            yield from (start + number for number in sorted(match.numbers()))

    def sort(self, matches: Matches, order: Order) -> Iterator[int]:
        """Return all records by value, then by number; what has no value comes last both ways."""
        keyed: list[tuple[Key, int]] = []
        left: list[int] = []
        for start, block, match in zip(self.starts, self.blocks, matches, strict=True):
            key_of = block.column(order.attribute).key
            for number in sorted(match.numbers()):
                key = key_of(number)
                if key is None:
                    left.append(start + number)
                else:
                    keyed.append((key, start + number))
        keyed.sort(key=itemgetter(0), reverse=order.way == "down")
        yield from map(itemgetter(1), keyed)
        yield from left

    def take(self, matches: Matches, way: str, page: Span) -> list[int] | None:
        """Return some records by number without listing all, or None where that would not be cheaper."""
        numbers: list[int] = []
        first, end = page
        blocks = list(zip(self.starts, self.blocks, matches, strict=True))
        for start, block, match in blocks if way == "up" else reversed(blocks):
            if first < match.most and end > 0:
                everyone = range(block.size) if way == "up" else range(block.size - 1, -1, -1)
                found = match.window(everyone, (max(0, first), min(match.most, end)))
                if found is None:
                    return None
                numbers += (start + number for number in found)
            first, end = first - match.most, end - match.most
        return numbers

    def divide(self, order: Order) -> list[Groups]:
        """Return how each block groups its records by value; nothing where sorting is cheaper."""
        found = [block.column(order.attribute).groups() for block in self.blocks]
        return [each for each in found if each is not None]

    def run(self, matches: Matches, groups: list[Groups], order: Order, turn: int) -> Run:
        """Return the records whose value comes at a turn; those without a value have the last one."""
        count, tied = groups[0].length, groups[0].tied
        if turn == count:
            return Run(turn, self._cut(matches, [each.left for each in groups]), True)
        at = turn if order.way == "up" else count - 1 - turn
        return Run(turn, self._cut(matches, [each.group(at) for each in groups]), tied)

    def _cut(self, matches: Matches, group: Matches) -> Matches:
        paired = zip(self.blocks, matches, group, strict=True)
        return [all_of(pair, Everything(block.size)) for block, *pair in paired]
