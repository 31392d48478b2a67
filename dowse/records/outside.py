"""The lines of a page outside its records: a count, a remark, steps to further pages."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from dowse.tree.node import Node

MAX_LINES: Final = 600
LONGEST_LINE: Final = 400

_INLINE = frozenset("a abbr b big cite code em font i mark q small span strong sub sup tt u var".split())


def find_lines(tree: Node, records: Collection[int]) -> tuple[str, ...]:
    """Return the lines of text that stand in no record, in their order."""
    lines: list[str] = []
    words: list[str] = []
    _read(tree, records, lines, words)
    _end(lines, words)
    return tuple(lines[:MAX_LINES])


def _read(node: Node, records: Collection[int], lines: list[str], words: list[str]) -> None:
    if node.tag == "script" or len(lines) >= MAX_LINES:
        return
    for part in node.content:
        if id(part) in records:
            _end(lines, words)
        elif isinstance(part, str):
            words.append(part)
        elif part.tag in _INLINE:
            _read(part, records, lines, words)
        else:
            _end(lines, words)
            _read(part, records, lines, words)
            _end(lines, words)


def _end(lines: list[str], words: list[str]) -> None:
    line = " ".join("".join(words).split())[:LONGEST_LINE]
    words.clear()
    if any(map(str.isalnum, line)):
        lines.append(line)
