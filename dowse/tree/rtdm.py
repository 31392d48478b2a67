"""How far two shapes are apart: the restricted top-down mapping (de Castro Reis et al., WWW 2004), and a quick upper bound."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import floor
from typing import Final

from dowse.tree.shape import Part, Shape

# --- fingerprint
# What of two shapes can be mapped at most, told without mapping them: ways from the root, counted.


@dataclass(frozen=True, slots=True)
class Print:
    """A shape as counts; a way is the labels from the root, without its own, down to a tag."""

    label: int  # of the root
    size: int
    ways: Mapping[int, int]  # tags at the end of a way
    crowds: Mapping[int, int]  # tags in all tags at the end of a way


def print_of(shape: Shape) -> Print:
    """Return the fingerprint of a shape."""
    parts, ways, crowds = shape.parts, dict[int, int](), dict[int, int]()
    waiting = [(0, shape.root)]
    for way, name in waiting:  # grows while it is walked
        children = parts[name].children
        if children:
            crowds[way] = crowds.get(way, 0) + len(children)
        for child in children:
            below = hash((way, parts[child].label))
            ways[below] = ways.get(below, 0) + 1
            waiting.append((below, child))
    return Print(parts[shape.root].label, shape.size, ways, crowds)


def bound(a: Print, b: Print) -> float:
    """Return what the similarity of two shapes is at most.

    Tags are only mapped under tags that are mapped, of the same labels up to the root: so no more of them than both
    have at the end of a way are mapped at no cost, and no more than both have under it at all are mapped or replaced.
    """
    same = _count_both(a.ways, b.ways)
    mapped = _count_both(a.crowds, b.crowds)
    roots = 2 if a.label == b.label else 1
    return min(1.0, (roots + same + mapped) / (a.size + b.size))


def _count_both(some: Mapping[int, int], others: Mapping[int, int]) -> int:
    if len(others) < len(some):
        some, others = others, some
    both = 0
    for way, count in some.items():
        other = others.get(way, 0)
        both += count if count < other else other
    return both


# --- rtdm
# How far two shapes are apart: the restricted top-down mapping of de Castro Reis et al. (WWW 2004).
#
# Roots are mapped to each other, tags in the order of the page, and what is mapped stands in what is mapped. Only tags of
# one label go on to their children; one that is replaced by another label loses all that is in it, as one that is
# deleted or inserted does. Every tag or text that is deleted, inserted or replaced costs one.

MOST_WORK: Final = 1_000_000  # cells filled for one pair, a second; pages of one site need 1,000, and seldom 20,000
CUT: Final = "less alike than was asked for"
TIRED: Final = "too much work: at least as alike as this"


@dataclass(frozen=True, slots=True)
class Comparison:
    """What a mapping costs; `why` says why it is only a bound, and nothing where it is the least."""

    distance: int
    similarity: float
    why: str = ""


def compare(a: Shape, b: Shape, *, at_least: float = 0.0, most_work: int = MOST_WORK) -> Comparison:
    """Map one shape to another; a pair that cannot be as alike as `at_least` is given up as soon as that is known."""
    whole = a.size + b.size
    first, second = a.parts[a.root], b.parts[b.root]
    replaced = int(first.label != second.label)
    most = floor((1.0 - at_least) * whole + 1e-9)
    mapping = _Mapping(a, b, most_work)
    found = replaced + mapping.measure(a.root, b.root, most - replaced)
    if mapping.is_tired:
        return _say(found if found <= most else whole - 2 + replaced, whole, TIRED)
    return _say(min(found, most + 1), whole, CUT if found > most else "")


def _say(found: int, whole: int, why: str) -> Comparison:
    return Comparison(found, 1.0 - found / whole, why)


def distance(a: Shape, b: Shape) -> int:
    """Return how many tags and texts must be deleted, inserted or replaced, without a limit to the work."""
    return compare(a, b, most_work=sys.maxsize).distance


def similarity(a: Shape, b: Shape, *, at_least: float = 0.0) -> float:
    """Return the part of both shapes that is the same, 0 to 1; anything less than `at_least` when it cannot reach that."""
    return compare(a, b, at_least=at_least).similarity


class _Mapping:
    """What is known about the parts of one pair of shapes."""

    def __init__(self, a: Shape, b: Shape, most_work: int) -> None:
        self.left, self.right = a.parts, b.parts
        self.work, self.is_tired = most_work, False
        self.exact: dict[tuple[int, int], int] = {}
        self.over: dict[tuple[int, int], int] = {}  # pairs that cost more than this

    def measure(self, x: int, y: int, most: int) -> int:
        """Return what the children of two parts cost; only that it is more than `most`, where it is."""
        pair = (x, y)
        known = self.exact.get(pair)
        if known is not None:
            return known
        if self.over.get(pair, -1) >= most:
            return most + 1
        if self.is_tired:
            return self.left[x].size + self.right[y].size - 2
        found = 0 if x == y else self._align(self.left[x].children, self.right[y].children, most)
        if found <= most:
            self.exact[pair] = found
        else:
            self.over[pair] = most
        return found

    def _align(self, names: Sequence[int], others: Sequence[int], most: int) -> int:
        self.work -= min(len(names), len(others)) // 8  # to trim one is that much quicker than to fill a cell
        names, others = trim(names, others)
        rows = [(name, self.left[name]) for name in names]
        columns = [(name, self.right[name]) for name in others]
        self.work -= (len(rows) + 1) * (len(columns) + 1)
        if rows and columns and self.work >= 0:
            return self._fill(rows, columns, most)
        self.is_tired |= self.work < 0
        return sum(part.size for _, part in rows) + sum(part.size for _, part in columns)

    def _fill(self, rows: list[tuple[int, Part]], columns: list[tuple[int, Part]], most: int) -> int:
        """Fill the table of what the first parts of both sides cost, a row for each part of one side."""
        line = [0]
        for _, part in columns:
            line.append(line[-1] + part.size)
        for x, (label, size, _) in rows:
            slant = line[0]
            beside = slant + size
            filled = [beside]
            for (y, (other, extent, _)), above in zip(columns, line[1:], strict=True):
                best = min(above + size, beside + extent)
                if x == y:
                    best = slant  # equal parts are mapped in some cheapest mapping: |size - extent| is the least any pair costs
                elif label != other:
                    best = min(best, slant + size + extent - 1)
                else:
                    room = min(best - 1, most) - slant
                    if abs(size - extent) <= room:
                        best = min(best, slant + self.measure(x, y, room))
                filled.append(best)
                slant, beside = above, best
            if min(filled) > most:
                return most + 1
            line = filled
        return line[-1]


def trim(names: Sequence[int], others: Sequence[int]) -> tuple[Sequence[int], Sequence[int]]:
    """Leave out the equal parts that both begin and end with: some cheapest mapping maps them to each other."""
    start, shorter = 0, min(len(names), len(others))
    while start < shorter and names[start] == others[start]:
        start += 1
    end = 0
    while end < shorter - start and names[-1 - end] == others[-1 - end]:
        end += 1
    return names[start : len(names) - end], others[start : len(others) - end]
