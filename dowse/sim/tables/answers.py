"""The last few lists of records, for those who turn pages."""

from __future__ import annotations

from array import array
from collections import OrderedDict
from collections.abc import Hashable

_MOST_LISTS = 64
_MOST_NUMBERS = 2_000_000


class Answers:
    """Lists of record numbers under what was asked, bounded in number and length."""

    def __init__(self) -> None:
        self._lists: OrderedDict[Hashable, array[int]] = OrderedDict()
        self._length = 0

    def get(self, key: Hashable) -> array[int] | None:
        """Return a list that is still known."""
        known = self._lists.get(key)
        if known is not None:
            self._lists.move_to_end(key)
        return known

    def add(self, key: Hashable, numbers: array[int]) -> array[int]:
        """Keep a list, and forget the ones that nobody asked for the longest."""
        self._length += len(numbers) - len(self._lists.pop(key, ()))
        self._lists[key] = numbers
        while len(self._lists) > _MOST_LISTS or self._length > _MOST_NUMBERS:
            self._length -= len(self._lists.popitem(last=False)[1])
        return numbers
