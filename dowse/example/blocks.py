"""Links that stand together on a page: in one list, one row of a menu, one column of a table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator
from functools import lru_cache
from typing import Final, NamedTuple

from dowse.tree.node import Node

MARKED: Final = frozenset(
    "div ul ol dl table tbody section nav aside main header footer form".split()
)  # tags whose class says what is in them; those of rows say odd and even, first and last
ROWS: Final = frozenset({"tr", "tbody", "thead"})  # a list in a table goes on in the next row
MOST_NAMES: Final = 20  # of a class that are looked at
LIST: Final = 3  # links that make a list; of fewer, two may do
PAIR: Final = 2

_Key = tuple[int, int]  # a tag, and the way from it down to a link


class Block(NamedTuple):
    """Links that stand together, and in what kind of place: the tags from the root down to each of them."""

    place: int
    links: tuple[str, ...]


def find_blocks(tree: Node, resolve: Callable[[str], str | None], links: Collection[str]) -> tuple[Block, ...]:
    """Return which of a page's links stand together; each in the smallest part of the page where others stand as it does."""
    known = set(links)
    found = [(url, keys, place) for href, keys, place in _find_anchors(tree) if (url := resolve(href)) in known]
    counts = Counter(key for _, keys, _ in found for key in keys)
    blocks: dict[tuple[_Key, int], dict[str, None]] = {}
    for url, keys, place in found:
        key = next((key for least in (LIST, PAIR) for key in keys if counts[key] >= least), keys[0])
        if url is not None:
            blocks.setdefault((key, place), {})[url] = None
    return tuple(Block(place, tuple(urls)) for (_, place), urls in blocks.items())


def _find_anchors(tree: Node) -> Iterator[tuple[str, list[_Key], int]]:
    """Yield where each link leads, with the tags around it from the nearest to the root."""
    waiting: list[tuple[Node, tuple[Node, ...]]] = [(tree, ())]
    while waiting:
        node, above = waiting.pop()
        if node.tag == "a" and node.attribute("href"):
            yield node.attribute("href"), *_name_place(node, above or (node,))
        inside = (*above, node)
        waiting.extend((each, inside) for each in reversed(node.content) if isinstance(each, Node))


def _name_place(node: Node, above: tuple[Node, ...]) -> tuple[list[_Key], int]:
    way, keys = hash(node.tag), []
    for tag in reversed(above):
        if tag.tag not in ROWS or tag is above[0]:
            keys.append((id(tag), way))
        way = hash((way, tag.tag, _find_mark(tag.attribute("class")) if tag.tag in MARKED else ""))
    return keys, way


@lru_cache(maxsize=8_192)
def _find_mark(css: str) -> str:
    """Return the first name of a class that has no digits: those after it tell the tags of one kind apart."""
    names = css.lower().split()[:MOST_NAMES]
    return next((name for name in names if not any(map(str.isdigit, name))), "")
