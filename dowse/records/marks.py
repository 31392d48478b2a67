"""Tags that only highlight the words that were asked for: they part no text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from typing import Final

from dowse.tree.node import Node, find_nodes, sign_of

LEAST: Final = 2  # highlighted words that make a tag a highlight
MOSTLY: Final = 0.8  # share of such tags that hold what was asked for

_TAGS: Final = frozenset("b strong em i span font u".split())


def find_marks(pages: Collection[tuple[Node, tuple[str, ...]]]) -> tuple[str, ...]:
    """Return the signs of tags that stand in the middle of a text and hold the words asked for, on pages and their queries."""
    seen: Counter[str] = Counter()
    hits: Counter[str] = Counter()
    for tree, asked in pages:
        words = {word.casefold() for value in asked for word in (value, *value.split())}
        for node, flows in _find_inline(tree) if words else ():
            seen[sign_of(node)] += 1
            hits[sign_of(node)] += flows and " ".join("".join(node.texts).split()).casefold() in words
    return tuple(sorted(sign for sign, count in hits.items() if count >= max(LEAST, MOSTLY * seen[sign])))


def _find_inline(tree: Node) -> Iterator[tuple[Node, bool]]:
    """Yield tags of letters, and whether other words stand right before or after them."""
    for parent in find_nodes(tree):
        content = parent.content
        for place, part in enumerate(content):
            if isinstance(part, Node) and part.tag in _TAGS and part.content:
                beside = [each for each in (*content[max(0, place - 1) : place], *content[place + 1 : place + 2])]
                yield part, not part.children and any(isinstance(each, str) and each.strip() for each in beside)
