"""A record's own page: names and values that stand in pairs, and answers that are one such page."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import Final

from dowse.model import Page, Record, Response, Value
from dowse.records.attributes import Own, Wrapper, begins_like, key_of
from dowse.tree.node import Node, find_nodes, text_of
from dowse.url import same_site

# --- detail
# What a record's own page says of it: names and values that stand in pairs.

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


# --- lone
# An answer with one record, shown as its own page: doors lead there straight when nothing else was found.

LONGEST_TITLE: Final = 300  # characters of a heading that is the name of a record
_HEADINGS: Final = frozenset({"h1", "h2", "h3"})
_TITLE: Final = "title"  # what a heading is called where it stands on a record's own page


def find_own_address(response: Response, page: Page) -> str:
    """Return the address of the page that a door led to instead of a list, or that a page says is its own."""
    if response.redirects:
        return response.url
    return page.canonical if page.canonical and same_site(page.canonical, response.url) else ""


def read_lone(wrapper: Wrapper, tree: Node, address: str, usual: Collection[str]) -> Record | None:
    """Return the record whose own page this is, in the words of answers; None where it is no such page.

    `usual` are lines that answers have, too: they say nothing of a record.
    """
    if not _tells(wrapper.own) or not begins_like(address, wrapper.own):
        return None
    names = {attribute.name.casefold(): attribute.name for attribute in wrapper.attributes}
    told = [
        Value(names.get(value.attribute.casefold(), value.attribute), value.text)
        for value in read_detail(tree)
        if value.attribute != _TITLE and value.text not in usual
    ]
    if not told:
        return None
    title = next(_find_titles(tree, usual), "") if wrapper.title not in {value.attribute for value in told} else ""
    named = [Value(wrapper.title or _TITLE, title)] if title else []
    return Record((*named, *told), key_of(address, wrapper.own), address)


def _tells(own: Own) -> bool:
    """Say whether addresses of records can be told from others: they begin alike, or are written alike."""
    return bool(own.number and (own.mould or own.begins not in ("", "/")))


def _find_titles(tree: Node, usual: Collection[str]) -> Iterator[str]:
    for node in find_nodes(tree):
        text = text_of(node) if node.tag in _HEADINGS else ""
        if text and len(text) <= LONGEST_TITLE and text not in usual:
            yield text
