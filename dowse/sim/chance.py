"""Chance that is the same today, next year and on any machine.

Every draw belongs to a key. Only `Random.random()` is used of Python's generator: its sequence is promised to
stay; what `choice`, `sample` and `shuffle` make of it is not.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Sequence
from random import Random
from typing import TypeVar

T = TypeVar("T")

Shares = tuple[tuple[str, float], ...]  # a name and its part of the whole
MASK = (1 << 64) - 1


def number_of(*key: object) -> int:
    """Return the number of 64 bits that belongs to a key."""
    return int.from_bytes(hashlib.blake2b("/".join(map(str, key)).encode(), digest_size=8).digest(), "big")


def dice(*key: object) -> Random:
    """Return the generator that belongs to a key."""
    return Random(number_of(*key))


def mix(key: int, number: int) -> int:
    """Return a number of 64 bits that belongs to a key and a number; for what is drawn many times for a page."""
    bits = (key + number * 0x9E3779B97F4A7C15) & MASK  # splitmix64
    bits = ((bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    bits = ((bits ^ (bits >> 27)) * 0x94D049BB133111EB) & MASK
    return bits ^ (bits >> 31)


def scramble(key: int, number: int, bits: int) -> int:
    """Return another number of so many bits, each one for one: what `unscramble` turns back."""
    mask, half = (1 << bits) - 1, bits // 2
    factor = key | 1
    number = (number ^ (key >> 17)) & mask
    for _ in range(2):
        number = number * factor & mask
        number ^= number >> half
    return number


def unscramble(key: int, number: int, bits: int) -> int:
    """Return the number that was scrambled."""
    mask, half = (1 << bits) - 1, bits // 2
    inverse = pow(key | 1, -1, 1 << bits)
    for _ in range(2):
        number ^= (number >> half) ^ (number >> 2 * half)
        number = number * inverse & mask
    return (number ^ (key >> 17)) & mask


def token(length: int, *key: object) -> str:
    """Return hexadecimal digits that look random and belong to a key."""
    return hashlib.blake2b("/".join(map(str, key)).encode(), digest_size=32).hexdigest()[:length]


def pick(rng: Random, values: Sequence[T]) -> T:
    """Pick evenly."""
    return values[int(len(values) * rng.random())]


def between(rng: Random, low: int, high: int) -> int:
    """Pick a whole number from low to high, both included."""
    return low + int((high - low + 1) * rng.random())


def skewed(rng: Random, values: Sequence[T], power: float = 2.2) -> T:
    """Pick with a heavy head: the first values come up far more often than the last."""
    return values[int(len(values) * rng.random() ** power)]


def shuffled(rng: Random, values: Sequence[T]) -> list[T]:
    """Return the values in another order."""
    return [value for _, value in sorted(enumerate(values), key=lambda _: rng.random())]


def some(rng: Random, values: Sequence[T], count: int) -> list[T]:
    """Pick several, none twice."""
    return shuffled(rng, values)[:count]


def pareto(rng: Random, alpha: float) -> float:
    """Draw from a heavy tail that begins at one."""
    return math.pow(1.0 - rng.random(), -1.0 / alpha)


def by_share(rng: Random, shares: Shares) -> str:
    """Pick a name by its share; what the shares leave over picks nothing."""
    left = rng.random()
    for name, share in shares:
        left -= share
        if left < 0:
            return name
    return ""
