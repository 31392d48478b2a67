"""What of two shapes can be mapped at most, told without mapping them: ways from the root, counted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from dowse.tree.shape import Shape


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
