"""Columns of a file, indexed in memory: the records of each value, and the values with each word."""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from datetime import date
from functools import cached_property
from itertools import accumulate
from math import inf

from dowse.sim.tables.columns import BOUNDS, Groups
from dowse.sim.tables.gather import Filed
from dowse.sim.tables.matches import NOTHING, Everything, Listed, Match
from dowse.sim.tables.table import Attribute
from dowse.sim.tables.words import read_days, read_number, split_words, text_test

_SIZED = ("number", "date")
_BY_WORDS = ("title", "person", "persons")  # in these, `contains` asks for the beginnings of words


class FiledBlock:
    """All records of a file."""

    def __init__(self, size: int, columns: list[tuple[Attribute, Filed]]) -> None:
        self.size = size
        self.names = tuple(attribute.name for attribute, _ in columns)
        self._columns = {attribute.name: FiledColumn(attribute.kind, filed) for attribute, filed in columns}

    def column(self, name: str) -> FiledColumn:
        """Return the column of an attribute."""
        return self._columns[name]


class FiledColumn:
    """One attribute of all records of a file; its indexes are made when they are needed first."""

    def __init__(self, kind: str, filed: Filed) -> None:
        self._kind = kind
        self._filed = filed

    def values(self, number: int) -> tuple[str, ...]:
        """Return the values of a record."""
        return tuple(self._filed.texts[each] for each in self._ids(number))

    def key(self, number: int) -> int | None:
        """Sort by the first value."""
        ids = self._ids(number)
        return self._ranks[ids[0]] if ids else None

    def groups(self) -> Groups | None:
        """Leave sorting to the keys, which are at hand."""
        return None

    def match(self, way: str, wanted: str) -> Match:
        """Find the values that meet what is wanted, then their records."""
        if way in BOUNDS or (way == "equals" and self._kind in _SIZED):
            return self._compare(way, wanted)
        if way == "word":
            return self._records(self._words.get(wanted, ()))
        if way == "equals":
            return self._records(self._by_text.get(wanted, ()))
        if way == "contains" and self._kind in _BY_WORDS:
            prefixes = split_words(wanted)
            return self._records(self._with_prefixes(prefixes)) if prefixes else self._everything()
        return self._records(self._scan(way, wanted))

    def _ids(self, number: int) -> array[int]:
        ends = self._filed.ends
        return self._filed.ids[ends[number - 1] if number else 0 : ends[number]]

    def _everything(self) -> Match:
        return Everything(len(self._filed.ends))

    def _compare(self, way: str, wanted: str) -> Match:
        span = self._read_span(wanted)
        if span is None:
            return self._everything()
        sizes, ids = self._by_size
        first = bisect_left(sizes, -inf if way == "max" else span[0])
        end = bisect_right(sizes, inf if way == "min" else span[1])
        return self._records(ids[first:end])

    def _read_span(self, wanted: str) -> tuple[float, float] | None:
        """Read a number or the days of a date; None when it is none, or when the column is of neither."""
        if self._kind == "date":
            return read_days(wanted)
        number = read_number(wanted) if self._kind == "number" else None
        return None if number is None else (number, number)

    def _scan(self, way: str, wanted: str) -> Iterable[int]:
        test = text_test(way, wanted)
        texts = self._filed.texts
        among = self._words.get(wanted.partition(" ")[0], ()) if way == "phrase" else range(len(texts))
        return [each for each in among if test(texts[each].casefold())]

    def _with_prefixes(self, prefixes: list[str]) -> Iterable[int]:
        """Return the values in which each of the prefixes begins a word."""
        found: list[set[int]] = []
        for prefix in prefixes:
            first = bisect_left(self._vocabulary, prefix)
            end = bisect_right(self._vocabulary, prefix, key=lambda word: word[: len(prefix)])
            found.append(set[int]().union(*(self._words[word] for word in self._vocabulary[first:end])))
        return set.intersection(*found)

    def _records(self, ids: Iterable[int]) -> Match:
        """Return the records with at least one of some values."""
        starts, records = self._postings
        lists = [records[starts[each] : starts[each + 1]] for each in ids]
        if not lists:
            return NOTHING
        return Listed(lists[0] if len(lists) == 1 else array("I", sorted(set[int]().union(*lists))))

    @cached_property
    def _postings(self) -> tuple[array[int], array[int]]:
        """For each value, where its records begin, and the records of all values one after another."""
        counts = [0] * len(self._filed.texts)
        for each in self._filed.ids:
            counts[each] += 1
        starts = array("I", accumulate(counts, initial=0))
        free = starts.tolist()
        records = array("I", bytes(4 * len(self._filed.ids)))
        start = 0
        for number, end in enumerate(self._filed.ends):
            for each in self._filed.ids[start:end]:
                records[free[each]] = number
                free[each] += 1
            start = end
        return starts, records

    @cached_property
    def _words(self) -> dict[str, array[int]]:
        """The values that have a word."""
        found: dict[str, array[int]] = {}
        for each, text in enumerate(self._filed.texts):
            for word in set(split_words(text)):
                if word in found:
                    found[word].append(each)
                else:
                    found[word] = array("I", (each,))
        return found

    @cached_property
    def _vocabulary(self) -> list[str]:
        return sorted(self._words)

    @cached_property
    def _by_text(self) -> dict[str, tuple[int, ...]]:
        found: dict[str, tuple[int, ...]] = {}
        for each, text in enumerate(self._filed.texts):
            folded = text.casefold()
            found[folded] = (*found.get(folded, ()), each)
        return found

    @cached_property
    def _by_size(self) -> tuple[list[float], Sequence[int]]:
        """The values of numbers and dates in order of their size, and which they are."""
        texts = self._filed.texts
        sizes = [
            float(text) if self._kind == "number" else float(date.fromisoformat(text).toordinal()) for text in texts
        ]
        order = sorted(range(len(texts)), key=sizes.__getitem__)
        return [sizes[each] for each in order], order

    @cached_property
    def _ranks(self) -> array[int]:
        """The rank of each value; texts that differ in case only share one."""
        texts = self._filed.texts
        keys = [float(text) if self._kind == "number" else text.casefold() for text in texts]
        ranks = array("I", bytes(4 * len(texts)))
        rank, last = 0, None
        for each in sorted(range(len(texts)), key=keys.__getitem__):
            rank += keys[each] != last
            ranks[each], last = rank, keys[each]
        return ranks
