"""Which of several things are made alike: what most of them have, and how much of it each of them has."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from dowse.records.pieces import Piece

USUAL: Final = 0.5  # share of them that have what is usual
LIKE: Final = 0.45  # likeness to what is usual from which one of them is a record
ROUNDS: Final = 3  # of leaving out what is not like the others
MAX_SAME: Final = 12  # pieces at one place of one record that are told apart

Shape = frozenset[str]


@dataclass(frozen=True, slots=True)
class Agreement:
    """How alike some things are."""

    kept: tuple[int, ...]  # those that are like most of them, by number
    likeness: float  # of those, on average
    shares: dict[str, float]  # of those that have each part


def shape_of(pieces: Iterable[Piece]) -> Shape:
    """Return which pieces a record has: the second at a place is one of its own."""
    counts: Counter[str] = Counter()
    shape = set()
    for piece in pieces:
        counts[piece.place] += 1
        if counts[piece.place] <= MAX_SAME:
            shape.add(f"{piece.place}#{counts[piece.place]}")
    return frozenset(shape)


def agree(shapes: Sequence[Shape]) -> Agreement:
    """Return which of several are like most of them, most of the others left out first."""
    kept = tuple(range(len(shapes)))
    shares = find_shares(shapes)
    for _ in range(ROUNDS):
        like = tuple(number for number in kept if likeness(shapes[number], shares) >= LIKE)
        if not like or like == kept:
            break
        kept, shares = like, find_shares([shapes[number] for number in like])
    if not kept:
        return Agreement((), 0.0, {})
    return Agreement(kept, sum(likeness(shapes[number], shares) for number in kept) / len(kept), shares)


def find_shares(shapes: Collection[Shape]) -> dict[str, float]:
    """Return the share of them that have each part."""
    counts = Counter(part for shape in shapes for part in shape)
    return {part: count / len(shapes) for part, count in counts.items()}


def likeness(shape: Shape, shares: dict[str, float]) -> float:
    """Return how much of what is usual a shape has, and how little else, from 0 to 1."""
    usual = sum(share for share in shares.values() if share >= USUAL)
    have = sum(share for part in shape if (share := shares.get(part, 0.0)) >= USUAL)
    odd = sum(1 - shares.get(part, 0.0) for part in shape if shares.get(part, 0.0) < USUAL)
    return have / (usual + 0.5 * odd) if usual or odd else 0.0
