"""Orders of many numbers that need no list: a number's place, and the number at a place, by arithmetic."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable


def draw(*key: object) -> int:
    """Return 320 bits that belong to a key."""
    return int.from_bytes(hashlib.blake2b("/".join(map(str, key)).encode(), digest_size=40).digest(), "little")


class Shuffle:
    """A keyed order of the numbers below `size`.

    Odd multiplication and xorshift on just enough bits are one-to-one; what falls outside `size` walks on until it
    falls inside (cycle walking: Black and Rogaway 2002), so the whole is one-to-one on the numbers below `size`.
    """

    __slots__ = ("_add", "_back", "_end", "_mask", "_shift", "_times", "size")

    def __init__(self, size: int, *key: object) -> None:
        self.size = size
        bits = max(1, (size - 1).bit_length())
        drawn = draw(*key)
        parts = [drawn >> (64 * part) & ((1 << bits) - 1) for part in range(5)]
        self._mask = (1 << bits) - 1
        self._shift = (bits + 1) // 2  # at least half of the bits: then a xorshift undoes itself
        self._times = (parts[0] | 1, parts[1] | 1, parts[2] | 1)
        self._back = tuple(pow(times, -1, 1 << bits) for times in self._times)
        self._add, self._end = parts[3], parts[4]

    def place(self, number: int) -> int:
        """Return where a number stands."""
        size, mask, shift, add, end = self.size, self._mask, self._shift, self._add, self._end
        one, two, three = self._times
        while True:
            number = (number + add) * one & mask
            number = (number ^ number >> shift) * two & mask
            number = (number ^ number >> shift) * three + end & mask
            if number < size:
                return number

    def number(self, place: int) -> int:
        """Return the number that stands at a place."""
        return self.numbers((place,))[0]

    def places(self, numbers: Iterable[int]) -> list[int]:
        """Return where numbers stand; all three are written out in full because everything waits for them."""
        size, mask, shift, add, end = self.size, self._mask, self._shift, self._add, self._end
        one, two, three = self._times
        found = []
        for number in numbers:
            at = (number + add) * one & mask
            at = (at ^ at >> shift) * two & mask
            at = (at ^ at >> shift) * three + end & mask
            while at >= size:
                at = (at + add) * one & mask
                at = (at ^ at >> shift) * two & mask
                at = (at ^ at >> shift) * three + end & mask
            found.append(at)
        return found

    def numbers(self, places: Iterable[int]) -> list[int]:
        """Return the numbers that stand at places."""
        size, mask, shift, add, end = self.size, self._mask, self._shift, self._add, self._end
        one, two, three = self._back
        found = []
        for place in places:
            at = (place - end) * three & mask
            at = (at ^ at >> shift) * two & mask
            at = (at ^ at >> shift) * one - add & mask
            while at >= size:
                at = (at - end) * three & mask
                at = (at ^ at >> shift) * two & mask
                at = (at ^ at >> shift) * one - add & mask
            found.append(at)
        return found
