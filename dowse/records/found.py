"""What stands where records stand, on one page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from dowse.records.own import follow
from dowse.records.pieces import Part, Piece, Reader
from dowse.records.places import find_places
from dowse.records.template import Wrapper
from dowse.records.units import cut_items, parts_of, split_units
from dowse.tree.node import Node

MAX_FOUND: Final = 3_000  # on one page


@dataclass(frozen=True, slots=True)
class Found:
    """Something that may be a record."""

    parts: tuple[Part, ...]
    pieces: tuple[Piece, ...]
    page: str  # what its links are relative to

    @property
    def id(self) -> str:
        """The id of its own tag, if it has one."""
        first = self.parts[0] if self.parts else ""
        return first.attribute("id") if isinstance(first, Node) else ""


def find_candidates(wrapper: Wrapper, tree: Node, url: str, most: int = MAX_FOUND) -> list[Found]:
    """Return what stands where the records of a wrapper stand, in the order of the page."""
    page = find_base(tree, url)
    top = "outside" if wrapper.cut.way == "element" else "inside"
    reader = Reader(wrapper.marks)
    found: list[Found] = []
    for parent in find_places(tree, wrapper.where):
        for item in cut_items(split_units(parent), wrapper.cut):
            if len(found) >= most:
                return found
            parts = parts_of(item)
            pieces = reader.read(parts, top)
            if pieces:
                found.append(Found(parts, tuple(pieces), page))
    return found


def find_base(tree: Node, url: str) -> str:
    """Return what the links of a page are relative to."""
    base = next((node.attribute("href") for node in tree.children if node.tag == "base"), "")
    return (follow(base, url) or url) if base else url
