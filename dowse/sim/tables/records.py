"""A table of blocks of records, and the answers it gives."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Sequence
from itertools import islice

from dowse.sim.tables.answers import Answers
from dowse.sim.tables.asking import Columns, match_asks
from dowse.sim.tables.law import Span
from dowse.sim.tables.listing import Listing, Matches, Run
from dowse.sim.tables.table import Ask, Attribute, Order, Row

Asked = tuple[tuple[Ask, ...], Order]


class Records:
    """A database: blocks of records one after another."""

    def __init__(self, attributes: tuple[Attribute, ...], blocks: Sequence[Columns]) -> None:
        self.attributes = attributes
        self.size = sum(block.size for block in blocks)
        self._listing = Listing(blocks)
        self._answers = Answers()

    def row(self, number: int) -> Row:
        """Return the values of a record."""
        block, within = self._locate(number)
        return {name: block.column(name).values(within) for name in block.names}

    def name(self, number: int) -> str:
        """Return what a person would call the record: its title, or the first few values it has."""
        block, within = self._locate(number)
        firsts = (value for name in block.names for value in block.column(name).values(within)[:1])
        return " ".join(islice(firsts, 1 if self.attributes[0].kind == "title" else 3))

    def find(self, asks: tuple[Ask, ...], order: Order, first: int, count: int) -> tuple[int, tuple[int, ...]]:
        """Return how many records meet every condition, and the numbers of some of them from `first` on."""
        page = (max(0, first), max(0, first) + max(0, count))
        known = self._answers.get((asks, order))
        if known is None:
            matches = [match_asks(asks, block) for block in self._listing.blocks]
            window = self._find_window((asks, order), matches, page)
            if window is not None:
                return sum(match.most for match in matches), tuple(window)
            known = self._list((asks, order), Run(0, matches, not order.attribute), order)
        return len(known), tuple(known[slice(*page)])

    def _locate(self, number: int) -> tuple[Columns, int]:
        if not 0 <= number < self.size:
            raise IndexError(f"record {number} of {self.size}")
        position = bisect_right(self._listing.starts, number) - 1
        return self._listing.blocks[position], number - self._listing.starts[position]

    def _find_window(self, asked: Asked, matches: Matches, page: Span) -> list[int] | None:
        """Return some records without listing all that match, or None where that cannot be done."""
        order = asked[1]
        if any(match.exact is None for match in matches):
            return None
        if not order.attribute:
            return self._listing.take(matches, order.way, page)
        numbers: list[int] = []
        first, end = page
        for run in self._listing.runs(matches, order):
            size = run.size
            if size is None:
                return None
            if first < size:
                numbers += self._take_run(asked, run, (max(0, first), min(size, end)))
            first, end = first - size, end - size
            if end <= 0:
                break
        return numbers

    def _take_run(self, asked: Asked, run: Run, page: Span) -> Sequence[int]:
        """Return some records of a run, which is listed and kept where it must be."""
        taken = self._listing.take(run.matches, "up", page) if run.tied else None
        if taken is not None:
            return taken
        known = self._answers.get((*asked, run.turn))
        if known is None:
            known = self._list((*asked, run.turn), run, Order(asked[1].attribute, asked[1].way))
        return known[slice(*page)]

    def _list(self, key: tuple[object, ...], run: Run, order: Order) -> array[int]:
        """List a run in order and keep the list."""
        if not run.tied:
            return self._answers.add(key, array("I", self._listing.sort(run.matches, order)))
        numbers = array("I", self._listing.count_up(run.matches))
        backwards = order == Order("", "down")
        return self._answers.add(key, numbers[::-1] if backwards else numbers)
