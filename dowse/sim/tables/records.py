"""A table of blocks of records, and the answers it gives."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Sequence
from itertools import islice
from typing import Any

from dowse.sim.tables.answers import Answers
from dowse.sim.tables.asking import Columns, match_asks
from dowse.sim.tables.columns import Groups
from dowse.sim.tables.law import Span
from dowse.sim.tables.listing import Listing, Matches, Run
from dowse.sim.tables.matches import Listed
from dowse.sim.tables.table import Ask, Attribute, Order, Row

Asked = tuple[tuple[Ask, ...], Order]
_FEW = 500  # records that are sooner sorted than looked for value by value
_MOST_SETTLED = 4
_MOST_SIZES = 64


class Records:
    """A database: blocks of records one after another."""

    def __init__(self, attributes: tuple[Attribute, ...], blocks: Sequence[Columns]) -> None:
        self.attributes = attributes
        self.size = sum(block.size for block in blocks)
        self._listing = Listing(blocks)
        self._answers = Answers()
        self._settled: dict[tuple[Ask, ...], Matches] = {}
        self._sizes: dict[Asked, list[int]] = {}

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
            if order.attribute:
                matches = self._settle(asks, matches)
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
        groups = self._listing.divide(order) if sum(match.most for match in matches) > _FEW else []
        return self._walk(asked, matches, groups, page) if groups else None

    def _walk(self, asked: Asked, matches: Matches, groups: list[Groups], page: Span) -> list[int]:
        """Go from value to value as far as the page; how many records each has is not counted twice."""
        numbers: list[int] = []
        first, end = page
        sizes = self._sizes_of(asked)
        for turn in range(groups[0].length + 1):
            if end <= 0:
                break
            if turn == len(sizes) or max(0, first) < min(sizes[turn], end):
                run = self._listing.run(matches, groups, asked[1], turn)
                if turn == len(sizes):
                    sizes.append(self._count(asked, run))
                if max(0, first) < min(sizes[turn], end):
                    numbers += self._take_run(asked, run, (max(0, first), min(sizes[turn], end)))
            first, end = first - sizes[turn], end - sizes[turn]
        return numbers

    def _settle(self, asks: tuple[Ask, ...], matches: Matches) -> Matches:
        """List the records that cannot be counted otherwise, so that they can be cut by value."""
        if all(match.exact is not None for match in matches):
            return matches
        if asks not in self._settled:
            _make_room(self._settled, _MOST_SETTLED)
            self._settled[asks] = [Listed(array("I", sorted(match.numbers()))) for match in matches]
        return self._settled[asks]

    def _sizes_of(self, asked: Asked) -> list[int]:
        if asked not in self._sizes:
            _make_room(self._sizes, _MOST_SIZES)
        return self._sizes.setdefault(asked, [])

    def _count(self, asked: Asked, run: Run) -> int:
        return run.size if run.size is not None else len(self._list_run(asked, run))

    def _take_run(self, asked: Asked, run: Run, page: Span) -> Sequence[int]:
        """Return some records of a run, which is listed and kept where it must be."""
        taken = self._listing.take(run.matches, "up", page) if run.tied else None
        if taken is not None:
            return taken
        return self._list_run(asked, run)[slice(*page)]

    def _list_run(self, asked: Asked, run: Run) -> array[int]:
        known = self._answers.get((*asked, run.turn))
        return self._list((*asked, run.turn), run, asked[1]) if known is None else known

    def _list(self, key: tuple[object, ...], run: Run, order: Order) -> array[int]:
        """List a run in order and keep the list."""
        if not run.tied:
            return self._answers.add(key, array("I", self._listing.sort(run.matches, order)))
        numbers = array("I", self._listing.count_up(run.matches))
        backwards = order == Order("", "down")
        return self._answers.add(key, numbers[::-1] if backwards else numbers)


def _make_room(known: dict[Any, Any], most: int) -> None:
    """Forget what was known first."""
    while len(known) >= most:
        del known[next(iter(known))]
