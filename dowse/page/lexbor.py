"""selectolax behind the methods of `html.Tree` and `html.Element`.

It stands in where turbohtml cannot be had. Lexbor takes time that grows with the square of
depth and of attributes, so the source is cut in front of it, and it keeps no positions, so
each form and control is given its own as an attribute before it is parsed.
"""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Iterator
from itertools import islice
from typing import Any

from selectolax.lexbor import LexborHTMLParser, LexborNode

from dowse.page.charset import decode
from dowse.page.html import Position

MAX_TAGS = 15_000
MAX_TAG_LENGTH = 20_000

_AT = "data-dowse-at"
_PLACED = re.compile(r"<(?:form|input|select|textarea|button)(?=[\s/>])", re.IGNORECASE)
_LONG_TAG = re.compile(rf"<[^<>]{{{MAX_TAG_LENGTH},}}>?")


class Words:
    """A text between tags."""

    __slots__ = ("_node",)

    def __init__(self, node: LexborNode) -> None:
        self._node = node

    @property
    def text(self) -> str:
        return self._node.text_content or ""

    @property
    def parent(self) -> Any:
        return wrap(self._node.parent)

    @property
    def previous_sibling(self) -> Any:
        return wrap(self._node.prev)

    @property
    def next_sibling(self) -> Any:
        return wrap(self._node.next)


class Wrapped:
    """An element, or the tree above the root."""

    __slots__ = ("_node",)

    def __init__(self, node: LexborNode) -> None:
        self._node = node

    def __hash__(self) -> int:
        return hash(self._node.mem_id)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Wrapped) and self._node.mem_id == other._node.mem_id

    def __getitem__(self, index: int) -> Any:
        child = next(islice(self._node.iter(include_text=True), index, None), None)
        if child is None:
            raise IndexError(index)
        return wrap(child)

    @property
    def tag(self) -> str:
        return str(self._node.tag)

    @property
    def parent(self) -> Any:
        return wrap(self._node.parent)

    @property
    def previous_sibling(self) -> Any:
        return wrap(self._node.prev)

    @property
    def next_sibling(self) -> Any:
        return wrap(self._node.next)

    @property
    def children(self) -> tuple[Any, ...]:
        return tuple(map(wrap, self._node.iter(include_text=True)))

    @property
    def descendants(self) -> Iterator[Any]:
        own = self._node.mem_id
        return (wrap(node) for node in self._node.traverse(include_text=True) if node.mem_id != own)

    @property
    def text(self) -> str:
        return str(self._node.text(deep=True))

    @property
    def position(self) -> Position | None:
        line, _, column = (self.attr(_AT) or "0,0").partition(",")
        return int(line), int(column)

    @property
    def html(self) -> str:
        return self._node.html or ""

    @property
    def attrs(self) -> dict[str, str | None]:
        return self._node.attributes

    def attr(self, name: str, /) -> str | None:
        attributes = self._node.attributes
        return (attributes[name] or "") if name in attributes else None

    def find_all(self, tag: str, /) -> list[Wrapped]:
        return [Wrapped(node) for node in self._node.css(tag)]

    def iter_elements(self, tags: tuple[str, ...], /) -> Iterator[Wrapped]:
        return map(Wrapped, self._node.css(", ".join(tags)))


class LexborTree:
    """A body parsed by Lexbor."""

    def __init__(self, source: str) -> None:
        self._parser = LexborHTMLParser(source)
        self._hidden: set[str] = set()

    @property
    def root(self) -> Wrapped | None:
        return Wrapped(self._parser.root) if self._parser.root is not None else None

    @property
    def stripped_strings(self) -> Iterator[str]:
        waiting = [self._parser.root]
        while waiting:
            node = waiting.pop()
            if node is None:
                continue
            waiting.append(node.next)
            if node.is_text_node:
                yield (node.text_content or "").strip()
            elif node.tag not in self._hidden:
                waiting.append(node.first_child)

    def find_all(self, tag: str, /) -> list[Wrapped]:
        return self.select(tag)

    def iter_elements(self, tags: tuple[str, ...], /) -> Iterator[Wrapped]:
        return iter(self.select(", ".join(tags)))

    def select(self, selector: str, /) -> list[Wrapped]:
        return [Wrapped(node) for node in self._parser.css(selector)]

    def remove(self, selector: str, /) -> None:
        """Leave out from now on; what selectolax itself removes is freed under those who still hold it."""
        self._hidden.update(part.strip() for part in selector.split(","))


def parse(body: bytes, encoding: str) -> LexborTree:
    """Parse as much of a body as Lexbor can take in reasonable time."""
    source = decode(body, encoding).replace("\r\n", "\n").replace("\r", "\n").replace("\0", "\ufffd")
    source = _LONG_TAG.sub("", source)
    return LexborTree(_with_positions(_first_tags(source)))


def wrap(node: LexborNode | None) -> Any:
    """Return a text, an element or nothing."""
    if node is None:
        return None
    return Words(node) if node.is_text_node else Wrapped(node)


def _first_tags(source: str) -> str:
    if source.count("<") <= MAX_TAGS:
        return source
    return "<".join(source.split("<", MAX_TAGS + 1)[: MAX_TAGS + 1])


def _with_positions(source: str) -> str:
    lines = [0, *(match.end() for match in re.finditer("\n", source))]

    def placed(match: re.Match[str]) -> str:
        line = bisect(lines, match.start())
        return f'{match[0]} {_AT}="{line},{match.start() - lines[line - 1]}"'

    return _PLACED.sub(placed, source)
