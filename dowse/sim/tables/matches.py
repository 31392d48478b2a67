"""Sets of records that need not be listed: places of a shuffle, and what can be put together from them."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Collection, Iterable, Sequence
from typing import Protocol

from dowse.sim.tables.law import Span
from dowse.sim.tables.shuffle import Shuffle

_FEW = 64  # bounds of a set that is not costly to make anew for every page


class Match(Protocol):
    """Some of the records of a block."""

    @property
    def most(self) -> int:
        """No more records than these."""

    @property
    def exact(self) -> int | None:
        """How many records, where that is known without listing them."""

    def numbers(self) -> Collection[int]:
        """Return the records, in any order, each once."""

    def keep(self, numbers: Collection[int]) -> Collection[int]:
        """Return those of the given records that are in here."""

    def window(self, numbers: range, page: Span) -> Sequence[int] | None:
        """Return some records in the order of `numbers`, which are all; None when it is cheaper to list all."""


class Everything:
    """All records of a block."""

    __slots__ = ("most",)

    def __init__(self, size: int) -> None:
        self.most = size

    @property
    def exact(self) -> int:
        """As many as there are."""
        return self.most

    def numbers(self) -> range:
        """Return every record."""
        return range(self.most)

    def keep(self, numbers: Collection[int]) -> Collection[int]:
        """Keep all."""
        return numbers

    def window(self, numbers: range, page: Span) -> Sequence[int]:
        """Return a part of all numbers."""
        return numbers[slice(*page)]


class Listed:
    """Records that are listed, in order."""

    __slots__ = ("_all", "_flags", "most")

    def __init__(self, numbers: array[int]) -> None:
        self._all = numbers
        self._flags = bytearray()
        self.most = len(numbers)

    @property
    def exact(self) -> int:
        """The length of the list."""
        return self.most

    def numbers(self) -> array[int]:
        """Return the list."""
        return self._all

    def keep(self, numbers: Collection[int]) -> list[int]:
        """Return what is in both."""
        if not self.most:
            return []
        if not self._flags:
            self._flags = bytearray(self._all[-1] + 1)
            for number in self._all:
                self._flags[number] = 1
        flags, end = self._flags, len(self._flags)
        return [number for number in numbers if number < end and flags[number]]

    def window(self, numbers: range, page: Span) -> Sequence[int]:
        """Return a part of the list."""
        ordered = self._all if numbers.step > 0 else self._all[::-1]
        return ordered[slice(*page)]


NOTHING = Listed(array("I"))


class Places:
    """The records that stand at certain places of a shuffle."""

    __slots__ = ("bounds", "most", "shuffle")

    def __init__(self, shuffle: Shuffle, bounds: list[int]) -> None:
        self.shuffle = shuffle
        self.bounds = bounds  # in, out, in, out ...
        self.most = sum(bounds[1::2]) - sum(bounds[::2])

    @property
    def exact(self) -> int:
        """As many as there are places."""
        return self.most

    def numbers(self) -> list[int]:
        """Return the records, by the shuffle backwards."""
        numbers: list[int] = []
        for first, end in zip(self.bounds[::2], self.bounds[1::2], strict=True):
            numbers += self.shuffle.numbers(range(first, end))
        return numbers

    def keep(self, numbers: Collection[int]) -> list[int]:
        """Return those of the given records that stand here."""
        places = self.shuffle.places(numbers)
        if len(self.bounds) == 2:
            first, end = self.bounds
            return [number for number, place in zip(numbers, places, strict=True) if first <= place < end]
        bounds = self.bounds
        return [n for n, place in zip(numbers, places, strict=True) if bisect_right(bounds, place) & 1]

    def window(self, numbers: range, page: Span) -> list[int] | None:
        """Look through the records in order where that is sooner done than listing all that stand here."""
        first, wanted = page[0], min(page[1], self.most)
        look = wanted * len(numbers) // max(1, self.most)  # as many must be looked at, about
        if len(self.bounds) > _FEW or look > self.most:
            return None
        found: list[int] = []
        start, stride = 0, 16 + look + look // 4
        while len(found) < wanted:
            found += self.keep(numbers[start : start + stride])
            start += stride
        return found[first:wanted]


class AnyOf:
    """Records of at least one of several sets."""

    __slots__ = ("exact", "most", "parts")

    def __init__(self, parts: list[Match]) -> None:
        self.parts = parts
        self.most = sum(part.most for part in parts)
        self.exact: int | None = None

    def numbers(self) -> set[int]:
        """Return the records of all parts."""
        return set[int]().union(*(part.numbers() for part in self.parts))

    def keep(self, numbers: Collection[int]) -> list[int]:
        """Ask each part about what the ones before did not keep."""
        kept: set[int] = set()
        left = numbers
        for part in self.parts:
            kept.update(part.keep(left))
            left = [number for number in left if number not in kept]
        return list(kept)

    def window(self, numbers: range, page: Span) -> None:
        """Say that all must be listed."""


class AllOf:
    """Records that are in every one of several sets."""

    __slots__ = ("exact", "most", "parts")

    def __init__(self, parts: list[Match]) -> None:
        self.parts = sorted(parts, key=lambda part: part.most)
        self.most = self.parts[0].most
        self.exact: int | None = None

    def numbers(self) -> Collection[int]:
        """List the smallest and test the others."""
        return self._sift(self.parts[0].numbers(), self.parts[1:])

    def keep(self, numbers: Collection[int]) -> Collection[int]:
        """Return those of the given records that are in every part."""
        return self._sift(numbers, self.parts)

    def window(self, numbers: range, page: Span) -> None:
        """Say that all must be listed."""

    def _sift(self, numbers: Collection[int], parts: list[Match]) -> Collection[int]:
        for part in parts:
            numbers = part.keep(numbers)
        return numbers


def at_places(shuffle: Shuffle, spans: Iterable[Span]) -> Match:
    """Return the records at some places, which may overlap and come in any order."""
    bounds = join_spans(spans)
    if not bounds:
        return NOTHING
    return Places(shuffle, bounds) if bounds != [0, shuffle.size] else Everything(shuffle.size)


def join_spans(spans: Iterable[Span]) -> list[int]:
    """Return the bounds of what the spans cover together, in order."""
    bounds: list[int] = []
    for first, end in sorted(spans):
        if first >= end:
            continue
        if bounds and first <= bounds[-1]:
            bounds[-1] = max(bounds[-1], end)
        else:
            bounds += (first, end)
    return bounds


def cut_spans(one: list[int], other: list[int]) -> Iterable[Span]:
    """Return what two lists of bounds have in common."""
    at_one = at_other = 0
    while at_one < len(one) and at_other < len(other):
        first = max(one[at_one], other[at_other])
        end = min(one[at_one + 1], other[at_other + 1])
        if first < end:
            yield first, end
        if one[at_one + 1] < other[at_other + 1]:
            at_one += 2
        else:
            at_other += 2


def any_of(parts: Iterable[Match]) -> Match:
    """Return the records of at least one set; places of one shuffle are joined, so that they stay countable."""
    left: list[Match] = []
    spans: dict[int, list[Span]] = {}
    shuffles: dict[int, Shuffle] = {}
    for part in parts:
        if isinstance(part, Everything):
            return part
        if isinstance(part, Places):
            shuffles[id(part.shuffle)] = part.shuffle
            spans.setdefault(id(part.shuffle), []).extend(zip(part.bounds[::2], part.bounds[1::2], strict=True))
        elif part.most:
            left.append(part)
    left += (at_places(shuffles[key], each) for key, each in spans.items())
    if len(left) < 2 or any(isinstance(part, Everything) for part in left):
        return next((part for part in left if isinstance(part, Everything)), left[0] if left else NOTHING)
    return AnyOf(left)


def all_of(parts: Iterable[Match], everything: Match) -> Match:
    """Return the records of every set; places of one shuffle are cut, so that they stay countable."""
    left: list[Match] = []
    places: dict[int, Places] = {}
    for part in parts:
        if not part.most:
            return NOTHING
        if isinstance(part, Places):
            known = places.setdefault(id(part.shuffle), part)
            if known is not part:
                cut = at_places(part.shuffle, cut_spans(known.bounds, part.bounds))
                if not isinstance(cut, Places):
                    return NOTHING
                places[id(part.shuffle)] = cut
        elif not isinstance(part, Everything):
            left.append(part)
    left += places.values()
    if len(left) < 2:
        return left[0] if left else everything
    return AllOf(left)
