"""How one region is divided: the order of its choices, the ends of its ranges, and what lies between them."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from math import sqrt
from typing import Final

from dowse.select.held import Held, fold
from dowse.select.region import Bounds, Division, Region
from dowse.select.scale import Scale
from dowse.select.shrink import place_cut

FEW: Final = 5  # known records that tell nothing of how the others lie
EVEN_FILL: Final = 0.85  # of an answer, where values lie evenly: a part strays by the root of its size
MISLED: Final = 8  # times fewer than the known records make one expect: they do not stand for the others


def begin_division(region: Region, name: str, held: Held) -> Division:
    """Return a division of a region by an attribute, with no parts yet."""
    if name in held.scales:
        seen = held.amounts[name]
        ranked = sorted(seen[record][0] for record in region.known() if record in seen)
        start, end = region.bound(name)
        return Division(name, ranges=True, ranked=ranked, start=start, end=end)
    groups: dict[str, list[int]] = {}
    held.group(name, region.known(), groups)
    choices = sorted(reversed(held.choices[name]), key=lambda text: len(groups.get(fold(text), ())))
    return Division(name, choices=choices)


def wish_end(region: Region, division: Division, scale: Scale, left: int | None, limit: int) -> int | None:
    """Return where the next range should end; None for at the end."""
    start, ranked = division.start, division.ranked
    first = 0 if start is None else bisect_left(ranked, start)
    if division.children and left is not None and left <= limit:
        return None
    if _is_misled(region, division, first, left, limit):
        return scale.middle(start, division.end)
    if left is None:
        left = _left_by_sample(division, first)
    even = _end_if_even(division, first, left, limit, scale.grain)
    if even is not None:
        return even
    place = place_cut(ranked, first, left, limit or len(ranked) + 1)
    if place is not None or division.children:
        return place
    if not ranked:
        return scale.middle(start, division.end)
    return ranked[0] - 1 if start is None or start < ranked[0] else ranked[0]  # they all share one value


def _left_by_sample(division: Division, first: int) -> int | None:
    """Guess what is left from the parts that were drawn: how many they had for each record that was known of them."""
    if not first or any(child.state != "proven" for child in division.children):
        return None
    drawn = sum(child.held for child in division.children)
    return max(1, drawn * (len(division.ranked) - first) // first)


def _end_if_even(division: Division, first: int, left: int | None, limit: int, grain: int) -> int | None:
    """Return an end by length where known records lie evenly, and hardly share values; None where they do not."""
    start, end, ranked = division.start, division.end, division.ranked
    count = len(ranked) - first
    if left is None or start is None or end is None or count < FEW or left <= limit:
        return None
    length = end - start
    if length // grain * limit < 5 * left:  # a value has a fifth of an answer, or more
        return None
    strays = max(abs((ranked[first + place] - start) / length - place / count) for place in range(count))
    if strays > 1 / sqrt(count):
        return None
    parts = -(-left // max(1, int(EVEN_FILL * limit)))
    return start + length // max(2, parts)


def left_of(region: Region, division: Division) -> int | None:
    """Return how many records of a region are in none of the parts made so far; None when nobody can say."""
    parts = [_amount(child) for child in division.children]
    if region.about is None or None in parts:
        return None
    return region.about - sum(each for each in parts if each is not None)


def _amount(region: Region) -> int | None:
    """Return how many records a region has, as far as is known."""
    if region.total is not None:
        return region.total
    return region.held if region.state == "proven" else None


def _is_misled(region: Region, division: Division, first: int, left: int | None, limit: int) -> bool:
    """Say whether the known records lie where the others do not: a source that sorts shows its first ones."""
    total = region.about
    if not total or left is None or not first or left <= 2 * limit:
        return False
    return (total - left) * MISLED * len(division.ranked) < first * total


def find_gaps(parts: Sequence[Bounds], grain: int) -> list[Bounds]:
    """Return what lies between ranges that were cut when values seemed to be coarser."""
    ends = sorted(high for _, high in parts if high is not None)
    gaps: list[Bounds] = []
    for low, _ in parts:
        place = bisect_left(ends, low + 1) - 1 if low is not None else -1
        if low is not None and place >= 0 and low - ends[place] > grain:
            gaps.append((ends[place] + grain, low - grain))
    return gaps
