"""Kinds of places on a page: tags by those they stand in, each by its tag and classes, never by its number.

A step such as `div.row` stands for every div that has that class, whatever others it has and wherever it comes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from dowse.tree.node import Node, sign_of

NEAR: Final = 2  # last steps of a place that must be the same when the page around it is built differently

_SKIPPED = frozenset({"nav", "footer", "aside"})


def walk_paths(tree: Node) -> Iterator[tuple[Node, str]]:
    """Yield each tag with the signs of those it stands in, and its own; navigation left out."""
    waiting = [(tree, tree.tag)]
    while waiting:
        node, path = waiting.pop()
        yield node, path
        waiting.extend((child, f"{path}/{sign_of(child)}") for child in _seen(node))


def _seen(node: Node) -> list[Node]:
    """Return the tags in a tag that are no navigation, the last first."""
    return [part for part in reversed(node.content) if isinstance(part, Node) and part.tag not in _SKIPPED]


def without_classes(path: str) -> str:
    """Return a path by tags alone."""
    return "/".join(sign.partition(".")[0] for sign in path.split("/"))


def join_paths(paths: Sequence[str]) -> str:
    """Return the path that paths of the same tags have in common: the classes of all of them."""
    steps = zip(*(path.split("/") for path in paths), strict=True)
    return "/".join(_join_signs(signs) for signs in steps)


def _join_signs(signs: Sequence[str]) -> str:
    tag, *classes = signs[0].split(".")
    shared = set(classes).intersection(*(sign.split(".")[1:] for sign in signs[1:]))
    return ".".join((tag, *sorted(shared)))


def find_places(tree: Node, where: Sequence[str]) -> list[Node]:
    """Return the tags at a place, in the order of the page; if there is none, those whose last steps are the same."""
    if not where or not _fits(tree, where[0]):
        return _find_near(tree, where)
    level = [tree]
    for step in where[1:]:
        level = [child for node in level for child in reversed(_seen(node)) if _fits(child, step)]
    return level or _find_near(tree, where)


def _find_near(tree: Node, where: Sequence[str]) -> list[Node]:
    last = where[-NEAR:]
    if not any("." in step for step in last):  # plain tags are everywhere
        return []
    return [node for node, path in walk_paths(tree) if _ends(path.rsplit("/", NEAR)[-NEAR:], last)]


def _ends(signs: Sequence[str], steps: Sequence[str]) -> bool:
    return len(signs) == len(steps) and all(_has(sign, step) for sign, step in zip(signs, steps, strict=True))


def _fits(node: Node, step: str) -> bool:
    return _has(sign_of(node), step)


def _has(sign: str, step: str) -> bool:
    """Say whether a tag with a sign is of the kind that a step stands for."""
    if sign == step:
        return True
    tag, *classes = step.split(".")
    own, *others = sign.split(".")
    return tag == own and set(classes) <= set(others)
