"""What a record's own page says of it: names and values that stand in pairs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from dowse.model import Value
from dowse.tree.node import Node, find_nodes, text_of

MAX_PAIRS: Final = 200  # of one page
LONGEST_NAME: Final = 40  # characters
LONGEST_VALUE: Final = 10_000

_LABELLED = re.compile(r"\A\s*([^\W\d][^:：\n]{0,38}?)\s*[:：]\s*(\S.{0,9999})\Z", re.DOTALL)
_MENUS = frozenset({"nav", "header", "footer", "aside", "form"})


def read_detail(tree: Node) -> tuple[Value, ...]:
    """Return the attributes of a record from its own page, without what stands in its menus."""
    found: dict[Value, None] = {}
    for value in _find_pairs(_without_menus(tree)):
        found.setdefault(value)
        if len(found) >= MAX_PAIRS:
            break
    return tuple(found)


def _without_menus(tree: Node) -> Node:
    content = tuple(
        _without_menus(part) if isinstance(part, Node) else part
        for part in tree.content
        if isinstance(part, str) or part.tag not in _MENUS
    )
    return Node(tree.tag, tree.attributes, content)


def _find_pairs(tree: Node) -> Iterator[Value]:
    for node in find_nodes(tree):
        if node.tag == "h1":
            yield from _named("title", text_of(node))
        elif node.tag == "dl":
            yield from _read_list(node)
        elif node.tag == "tr":
            yield from _read_row(node)
        elif node.tag in ("li", "p", "div", "td", "span") and not _has_blocks(node):
            yield from _read_line(node)
        if node.attribute("itemprop"):
            said = node.attribute("content") or node.attribute("datetime") or text_of(node)
            yield from _named(node.attribute("itemprop"), said)


def _read_list(node: Node) -> Iterator[Value]:
    name = ""
    for child in node.children:
        inner = child.children if child.tag == "div" else (child,)
        for part in inner:
            if part.tag == "dt":
                name = text_of(part)
            elif part.tag == "dd":
                yield from _named(name, text_of(part))


def _read_row(node: Node) -> Iterator[Value]:
    """Yield the pair of a row with a heading cell, or with two cells of which the first is a name."""
    cells = [child for child in node.children if child.tag in ("th", "td")]
    if len(cells) == 2 and (cells[0].tag == "th") >= (cells[1].tag == "th"):
        yield from _named(text_of(cells[0]), text_of(cells[1]))


def _read_line(node: Node) -> Iterator[Value]:
    found = _LABELLED.match(text_of(node))
    if found:
        yield from _named(found[1], found[2])


def _has_blocks(node: Node) -> bool:
    return any(child.tag in ("div", "p", "ul", "ol", "dl", "table", "section", "li", "tr") for child in node.children)


def _named(name: str, text: str) -> Iterator[Value]:
    name = name.strip(" :：*\t")
    if name and text and len(name) <= LONGEST_NAME:
        yield Value(name, text[:LONGEST_VALUE])
