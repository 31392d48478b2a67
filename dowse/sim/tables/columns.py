"""The columns of a block of records: the value of each record, and the records of each value, by arithmetic."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date
from functools import lru_cache
from math import ceil, floor
from typing import NamedTuple, Protocol

from dowse.sim.tables.law import Law, Span
from dowse.sim.tables.matches import NOTHING, Everything, Match, all_of, any_of, at_places
from dowse.sim.tables.pools import Turn
from dowse.sim.tables.shuffle import Shuffle
from dowse.sim.tables.values import Parts, Pattern, Values
from dowse.sim.tables.words import read_days, read_number, text_test

Key = str | int
BOUNDS = ("min", "max")
_GRAIN = 64


class Groups(NamedTuple):
    """The records of a block by value, in rising order; the blocks of a table have the same groups."""

    length: int
    group: Callable[[int], Match]
    tied: bool  # whether the records of a group come in order of their numbers
    left: Match  # records without a value


class Column(Protocol):
    """One attribute of a block of records, which are numbered from 0."""

    def values(self, number: int) -> tuple[str, ...]:
        """Return the values of a record."""

    def match(self, way: str, wanted: str) -> Match:
        """Return the records with a value that meets what is wanted: a word, phrase, contains, starts, equals, min, max."""

    def key(self, number: int) -> Key | None:
        """Return what a record is sorted by, or None without a value."""

    def groups(self) -> Groups | None:
        """Return the records by value where that is cheaper than sorting."""


class Slot(NamedTuple):
    """How a shuffle and a law give each record a rank; the places that the law leaves over give none."""

    shuffle: Shuffle
    law: Law

    def rank(self, number: int) -> int:
        """Return the rank of a record; the number of ranks when it has none."""
        place = self.shuffle.place(number)
        return self.law.rank(place) if place < self.law.length else self.law.values

    def spans(self, ranks: Iterable[int]) -> Iterator[Span]:
        """Return the places of ranks, with none as the last one."""
        ranked = list(ranks)
        yield from self.law.spans(rank for rank in ranked if rank < self.law.values)
        if self.law.values in ranked:
            yield self.law.length, self.shuffle.size

    def match(self, ranks: Iterable[int]) -> Match:
        """Return the records with one of the ranks."""
        return at_places(self.shuffle, self.spans(ranks))

    def left(self) -> Match:
        """Return the records that have no rank."""
        return self.match((self.law.values,))

    def everything(self) -> Match:
        """Return all records."""
        return Everything(self.shuffle.size)


class Choice(NamedTuple):
    """One value of a list."""

    slot: Slot
    listed: Values

    def values(self, number: int) -> tuple[str, ...]:
        """Return the value."""
        rank = self.slot.rank(number)
        return self.listed.texts[rank : rank + 1]

    def match(self, way: str, wanted: str) -> Match:
        """Find the values in the list, then their places."""
        return self.slot.everything() if way in BOUNDS else self.slot.match(self.listed.ranks(way, wanted))

    def key(self, number: int) -> Key | None:
        """Sort by text."""
        rank = self.slot.rank(number)
        return self.listed.folded[rank] if rank < len(self.listed.folded) else None

    def groups(self) -> Groups:
        """Group by text."""
        ordered = [ranks for _, ranks in sorted(self.listed.by_text.items())]
        return Groups(len(ordered), lambda at: self.slot.match(ordered[at]), True, self.slot.left())


class Child(NamedTuple):
    """A value of a list that depends on another attribute: it divides the places of that value."""

    slot: Slot
    lists: tuple[Values, ...]  # one for each value of the other

    def values(self, number: int) -> tuple[str, ...]:
        """Return the value."""
        values, rank = self._find(number)
        return values.texts[rank : rank + 1]

    def match(self, way: str, wanted: str) -> Match:
        """Find the value in every list."""
        if way in BOUNDS:
            return self.slot.everything()
        return self._match([(parent, values.ranks(way, wanted)) for parent, values in enumerate(self.lists)])

    def key(self, number: int) -> Key | None:
        """Sort by text."""
        values, rank = self._find(number)
        return values.folded[rank] if rank < len(values.folded) else None

    def groups(self) -> Groups:
        """Group by text, which may stand in several lists."""
        wanted: dict[str, list[tuple[int, Sequence[int]]]] = {}
        for parent, values in enumerate(self.lists):
            for text, ranks in values.by_text.items():
                wanted.setdefault(text, []).append((parent, ranks))
        childless = [self.slot.match([parent]) for parent, values in enumerate(self.lists) if not values.texts]
        ordered = [each for _, each in sorted(wanted.items())]
        return Groups(len(ordered), lambda at: self._match(ordered[at]), True, any_of(childless))

    def _find(self, number: int) -> tuple[Values, int]:
        place = self.slot.shuffle.place(number)
        parent = self.slot.law.rank(place)
        first, end = self.slot.law.span(parent)
        return self.lists[parent], Law(len(self.lists[parent].texts), end - first, 2).rank(place - first)

    def _match(self, wanted: list[tuple[int, Sequence[int]]]) -> Match:
        return at_places(self.slot.shuffle, (span for parent, ranks in wanted for span in self._spans(parent, ranks)))

    def _spans(self, parent: int, ranks: Sequence[int]) -> Iterator[Span]:
        if not ranks:
            return
        first, end = self.slot.law.span(parent)
        for low, high in Law(len(self.lists[parent].texts), end - first, 2).spans(ranks):
            yield first + low, first + high


class Number(NamedTuple):
    """A whole number between two bounds; ranks count from the end that is more frequent."""

    slot: Slot
    low: int
    high: int
    step: int
    falls: bool  # whether the highest number is the most frequent, as with years

    def values(self, number: int) -> tuple[str, ...]:
        """Return the number."""
        found = self.key(number)
        return () if found is None else (str(found),)

    def key(self, number: int) -> int | None:
        """Sort by size."""
        rank = self.slot.rank(number)
        return self.low + self.step * self._turn(rank) if rank < self.slot.law.values else None

    def match(self, way: str, wanted: str) -> Match:
        """Compare sizes; for parts of a number compare digits."""
        if way in (*BOUNDS, "equals"):
            return self._compare(way, read_number(wanted))
        if way == "word" and not (wanted.isascii() and wanted.isdigit()):
            return NOTHING
        test = text_test(way, wanted)
        ranks = (rank for rank in range(self.slot.law.values) if test(str(self.low + self.step * self._turn(rank))))
        return self.slot.match(ranks)

    def groups(self) -> Groups:
        """Group by size."""
        return Groups(self.slot.law.values, lambda at: self.slot.match((self._turn(at),)), True, self.slot.left())

    def _turn(self, rank: int) -> int:
        """Return the index of a rank, or the rank of an index."""
        return self.slot.law.values - 1 - rank if self.falls else rank

    def _compare(self, way: str, wanted: float | None) -> Match:
        if wanted is None:
            return self.slot.everything()
        steps = min(max((wanted - self.low) / self.step, -1.0), float(self.slot.law.values))
        first = 0 if way == "max" else ceil(steps)
        last = self.slot.law.values - 1 if way == "min" else floor(steps)
        indexes = range(max(0, first), min(last, self.slot.law.values - 1) + 1)
        return self.slot.match(sorted(map(self._turn, indexes)))


class Day(NamedTuple):
    """A date: the places of a year, latest first, are shared evenly by its days, latest first."""

    slot: Slot
    low: int  # years
    high: int
    salt: int

    def values(self, number: int) -> tuple[str, ...]:
        """Return the date as yyyy-mm-dd."""
        found = self.key(number)
        return () if found is None else (found,)

    def key(self, number: int) -> str | None:
        """Sort by date."""
        place = self.slot.shuffle.place(number)
        if place >= self.slot.law.length:
            return None
        rank = self.slot.law.rank(place)
        first, days, phase = self._divide(rank)
        back = days.rank(_GRAIN * (place - first) + phase)
        return date.fromordinal(_year(self.high - rank)[1] - back).isoformat()

    def match(self, way: str, wanted: str) -> Match:
        """Compare days; for parts of a date compare its text."""
        first, last = _year(self.low)[0], _year(self.high)[1]
        if way in (*BOUNDS, "equals"):
            return self._compare(way, read_days(wanted), (first, last))
        if way == "word":
            return at_places(self.slot.shuffle, (self._span(*days) for days in self._having(wanted)))
        return at_places(self.slot.shuffle, (self._span(*days) for days in _find_days((first, last), way, wanted)))

    def groups(self) -> Groups:
        """Group by quarter."""

        def group(at: int) -> Match:
            year, quarter = self.low + at // 4, at % 4
            return at_places(self.slot.shuffle, (self._span(*_months(year, 3 * quarter + 1, 3)),))

        return Groups(4 * self.slot.law.values, group, False, self.slot.left())

    def _having(self, word: str) -> Iterator[Span]:
        """Return the days that have a word: four digits are a year, two are a month or a day of each month."""
        if not (word.isascii() and word.isdigit() and len(word) in (2, 4)):
            return
        wanted, years = int(word), range(self.low, self.high + 1)
        if len(word) == 4:
            yield from (_year(year) for year in years if year == wanted)
            return
        for year in years:
            if 1 <= wanted <= 12:
                yield _months(year, wanted, 1)
            firsts = (_months(year, month, 1) for month in range(1, 13))
            yield from ((first + wanted - 1,) * 2 for first, last in firsts if 1 <= wanted <= last - first + 1)

    def _compare(self, way: str, wanted: Span | None, known: Span) -> Match:
        if wanted is None:
            return self.slot.everything()
        first = known[0] if way == "max" else max(known[0], wanted[0])
        last = known[1] if way == "min" else min(known[1], wanted[1])
        return at_places(self.slot.shuffle, [self._span(first, last)] if first <= last else [])

    def _span(self, first: int, last: int) -> Span:
        return self._edge(last), self._edge(first - 1)

    def _edge(self, day: int) -> int:
        """Return the first place whose date is not after a day."""
        year = date.fromordinal(day).year
        if year < self.low:
            return self.slot.law.length
        first, days, phase = self._divide(self.high - year)
        back = _year(year)[1] - day
        return first + max(0, -(-(days.bound(back) - phase) // _GRAIN))

    def _divide(self, rank: int) -> tuple[int, Law, int]:
        """Return the first place of a year, how its days share fine parts of places, and where in them a place counts.

        Otherwise the only record of a year would always be of its last day.
        """
        first, end = self.slot.law.span(rank)
        new_year, last = _year(self.high - rank)
        return first, Law(last - new_year + 1, _GRAIN * (end - first), 1), (self.salt + 37 * rank) % _GRAIN


def _year(year: int) -> Span:
    """Return the first and the last day of a year as ordinals."""
    return date(year, 1, 1).toordinal(), date(year, 12, 31).toordinal()


@lru_cache(maxsize=64)
def _find_days(known: Span, way: str, wanted: str) -> tuple[Span, ...]:
    """Return the days whose text meets what is wanted, those in a row as their first and last day.

    It is kept because all blocks of a database ask for the same, and there are many days.
    """
    test = text_test(way, wanted)
    found: list[Span] = []
    for day in range(known[0], known[1] + 1):
        if not test(date.fromordinal(day).isoformat()):
            continue
        if found and found[-1][1] == day - 1:
            found[-1] = (found[-1][0], day)
        else:
            found.append((day, day))
    return tuple(found)


def _months(year: int, month: int, count: int) -> Span:
    """Return the first and the last day of some months of a year."""
    after = month + count
    last = date(year, after, 1).toordinal() - 1 if after <= 12 else _year(year)[1]
    return date(year, month, 1).toordinal(), last


class Several(NamedTuple):
    """One to four values of a list; what comes up twice counts once."""

    slots: tuple[Slot, ...]  # the first gives every record a value
    listed: Values

    def values(self, number: int) -> tuple[str, ...]:
        """Return the values, each once."""
        found = (self.listed.texts[slot.rank(number) :][:1] for slot in self.slots)
        return tuple(dict.fromkeys(text for each in found for text in each))

    def match(self, way: str, wanted: str) -> Match:
        """Look for the value in every slot."""
        if way in BOUNDS:
            return self.slots[0].everything()
        ranks = self.listed.ranks(way, wanted)
        return any_of(slot.match(ranks) for slot in self.slots) if ranks else NOTHING

    def key(self, number: int) -> Key | None:
        """Sort by the first value."""
        return Choice(self.slots[0], self.listed).key(number)

    def groups(self) -> Groups:
        """Group by the first value."""
        return Choice(self.slots[0], self.listed).groups()


class Title(NamedTuple):
    """A text put together from parts, each drawn by itself; the last text of a part's list stands for none."""

    slots: tuple[Slot, ...]
    turns: tuple[Turn, ...]
    parts: Parts

    def values(self, number: int) -> tuple[str, ...]:
        """Return the text."""
        return (self.parts.text(self._draw(part, number) for part in range(len(self.slots))),)

    def match(self, way: str, wanted: str) -> Match:
        """Find what the parts must be, then the records that have all of these parts."""
        everything = self.slots[0].everything()
        return everything if way in BOUNDS else self.parts.match(way, wanted, self._find, everything)

    def key(self, number: int) -> Key:
        """Sort by text."""
        return self.values(number)[0].casefold()

    def groups(self) -> Groups:
        """Group by the first part."""
        clusters = self.parts.clusters()
        return Groups(len(clusters), lambda at: self._find(((0, clusters[at]),)), False, NOTHING)

    def _draw(self, part: int, number: int) -> int:
        rank = self.slots[part].rank(number)
        return self.turns[part].text_at(rank) if rank < self.slots[part].law.values else self.turns[part].total

    def _find(self, pattern: Pattern) -> Match:
        everything = self.slots[0].everything()
        return all_of((self.slots[part].match(self._ranks(part, indexes)) for part, indexes in pattern), everything)

    def _ranks(self, part: int, indexes: Sequence[int]) -> list[int]:
        """Return the ranks of texts in this block, which may use a part of the list only."""
        turn, values = self.turns[part], self.slots[part].law.values
        ranks = sorted(rank for index in indexes if (rank := turn.rank(index)) < values)
        return [*ranks, values] if turn.total in indexes else ranks
