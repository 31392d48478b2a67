"""What stands around records on every answer: how a page is known when nothing was found."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Final

from dowse.tree.node import Node, sign_of

MAX_FRAME: Final = 120  # pairs of tags that are kept


def find_frame(trees: Sequence[Node], records: Collection[int]) -> tuple[str, ...]:
    """Return the pairs of tags, one in the other, that stand on all pages outside their records."""
    found = [set(_find_pairs(tree, records)) for tree in trees]
    return tuple(sorted(set.intersection(*found))[:MAX_FRAME]) if found else ()


def frame_likeness(frame: Collection[str], tree: Node) -> float:
    """Return the share of a frame that a page has."""
    if not frame:
        return 0.0
    there = set(_find_pairs(tree, ()))
    return sum(pair in there for pair in frame) / len(frame)


def _find_pairs(tree: Node, records: Collection[int]) -> Iterator[str]:
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        inner = [child for child in node.children if id(child) not in records]
        own = sign_of(node)
        for child in inner:
            yield f"{own}/{sign_of(child)}"
        waiting.extend(inner)
