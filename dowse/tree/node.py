"""A tag with its attributes, and the texts and tags in it, in their order."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from types import MappingProxyType
from typing import Final

MAX_NODES: Final = 40_000  # tags of one tree; the largest pages that people read have half of it
MAX_DEPTH: Final = 80  # tags in tags; deeper ones count to the last tag above them, and recursion stays shallow
MAX_CLASSES: Final = 3  # names of one class attribute that tell its kind; those after them are for looks
MAX_CLASS: Final = 40  # characters of a class name; longer ones are made by programs for one page
KEPT: Final = frozenset(
    "class id itemprop itemtype property typeof href src title alt datetime content rel aria-label colspan rowspan data-label data-title data-th".split()
)
NOTHING: Final[Mapping[str, str]] = MappingProxyType({})

_DIGITS = re.compile(r"\d")


@dataclass(slots=True, eq=False)  # not frozen: a page has thousands, and that would be a third of the time to make them
class Node:
    """A tag of a page, never changed; two are the same only when they are the same place."""

    tag: str
    attributes: Mapping[str, str] = field(default_factory=lambda: NOTHING)
    content: tuple[Node | str, ...] = ()

    @property
    def children(self) -> tuple[Node, ...]:
        """The tags in it."""
        return tuple(each for each in self.content if isinstance(each, Node))

    @property
    def texts(self) -> tuple[str, ...]:
        """The texts in it that stand in no other tag."""
        return tuple(each for each in self.content if isinstance(each, str))

    def attribute(self, name: str) -> str:
        """Return an attribute, or nothing."""
        return self.attributes.get(name, "")


@lru_cache(maxsize=8_192)
def _sign(tag: str, css: str) -> str:
    names = [name for name in css.lower().split()[:20] if len(name) <= MAX_CLASS and not _DIGITS.search(name)]
    return ".".join((tag, *sorted(set(names[:MAX_CLASSES]))))


def sign_of(node: Node) -> str:
    """Return what is the same for tags of the same kind: div.card.wide; class names with digits number it, and are left out."""
    css = node.attributes.get("class")
    return _sign(node.tag, css) if css else node.tag


def find_nodes(tree: Node, *tags: str) -> Iterator[Node]:
    """Yield the tags of these kinds, or of any, in the order of the page."""
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        if not tags or node.tag in tags:
            yield node
        waiting.extend(each for each in reversed(node.content) if isinstance(each, Node))


def text_of(part: Node | str, limit: int = 2_000) -> str:
    """Return the words in a tag, in one line, cut to a length."""
    found: list[str] = []
    left = 2 * limit
    waiting: list[Node | str] = [part]
    while waiting and left > 0:
        each = waiting.pop()
        if isinstance(each, str):
            found.append(each)
            left -= len(each)
        else:
            waiting.extend(reversed(each.content))
            found.append(" ")
    return " ".join("".join(found).split())[:limit].rstrip()
