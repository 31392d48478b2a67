"""Chance that is the same today, next year and in another process.

Every draw comes from a generator that is seeded by words, never by Python's own hash.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from random import Random
from typing import TypeVar

T = TypeVar("T")

Shares = tuple[tuple[str, float], ...]  # a name and its part of the whole


def dice(*key: object) -> Random:
    """Return the generator that belongs to a key."""
    return Random("/".join(map(str, key)))


def token(length: int, *key: object) -> str:
    """Return hexadecimal digits that look random and belong to a key."""
    return hashlib.blake2b("/".join(map(str, key)).encode(), digest_size=32).hexdigest()[:length]


def pick(rng: Random, values: Sequence[T]) -> T:
    """Pick evenly; three times as fast as `choice`, for what is drawn a million times."""
    return values[int(len(values) * rng.random())]


def skewed(rng: Random, values: Sequence[T], power: float = 2.2) -> T:
    """Pick with a heavy head: the first values come up far more often than the last."""
    return values[int(len(values) * rng.random() ** power)]


def by_share(rng: Random, shares: Shares) -> str:
    """Pick a name by its share; what the shares leave over picks nothing."""
    left = rng.random()
    for name, share in shares:
        left -= share
        if left < 0:
            return name
    return ""
