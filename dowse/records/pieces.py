"""The pieces that a record is made of: each text with the place it stands at, counted from the record's own tag."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Final, NamedTuple

from dowse.tree.node import Node, sign_of

MAX_PIECES: Final = 400  # of one record; longer ones are cut
MAX_PIECE: Final = 10_000  # characters of one piece: a description, an abstract
MAX_SPAN: Final = 100  # columns that one cell may take
MARKING: Final = frozenset({"mark", "wbr"})  # tags that part no words: highlighted search words, places to break
SPONSORED: Final = "@sponsored"  # below a link that is marked so for search engines

_CELLS = frozenset({"td", "th"})
_LISTED = frozenset({"itemListElement", "item", "itemOffered", "mainEntity"})  # properties that are things
_VALUED = ("content", "datetime")

Part = Node | str


class Piece(NamedTuple):
    """A text of a record, or a link or picture without one."""

    place: str  # tags from the record's own on: div.head/h3/a, td[2]
    text: str
    href: str = ""  # where the link leads that it stands in
    prop: str = ""  # what microdata or RDFa call it


class Reader:
    """Reads the pieces of records of one page; what stands in a tag is read once, whatever is tried with it."""

    __slots__ = ("_known", "_marks")

    def __init__(self, marks: Collection[str] = ()) -> None:
        self._marks = MARKING | frozenset(marks)
        self._known: dict[int, list[Piece]] = {}

    def read(self, parts: Iterable[Part], top: str = "outside") -> list[Piece]:
        """Return the pieces of a record; `top` says whether the tags of its parts are inside of each place."""
        parts = tuple(parts)
        if top == "outside" and len(parts) == 1 and isinstance(parts[0], Node):
            return self._read_node(parts[0])
        return self._read_content(parts)[:MAX_PIECES]

    def _read_node(self, node: Node) -> list[Piece]:
        """Return the pieces in a tag; links and properties around them are told of each."""
        known = self._known.get(id(node))
        if known is None:
            known = self._read_content(node.content)
            if node.attributes:
                known = _with_attributes(node, known)
            known = self._known[id(node)] = known[:MAX_PIECES]
        return known

    def _read_content(self, content: tuple[Part, ...]) -> list[Piece]:
        """Return texts and tags in their order; texts that only a highlighted word parts are one."""
        pieces: list[Piece] = []
        line: list[str] = []
        column = 0
        for part in content:
            if isinstance(part, str):
                line.append(part)
            elif part.tag in MARKING or sign_of(part) in self._marks:
                line += part.texts
            else:
                _end_line(pieces, line)
                if part.tag != "br":
                    column += width_of(part)
                    pieces += _below(write_step(part, column), self._read_node(part))
        _end_line(pieces, line)
        return pieces


def _below(step: str, pieces: list[Piece]) -> list[Piece]:
    return [Piece(f"{step}/{place}" if place else step, text, href, prop) for place, text, href, prop in pieces]


def _with_attributes(node: Node, pieces: list[Piece]) -> list[Piece]:
    """Return the pieces of a tag with what its attributes say of them."""
    href = node.attribute("href") if node.tag == "a" else ""
    own = node.attribute("itemprop") or node.attribute("property")
    said = next((node.attribute(name) for name in _VALUED if own and node.attribute(name)), "")
    if said:
        return [Piece("", " ".join(said.split())[:MAX_PIECE], href, own)]
    if node.tag == "img" or (href and not pieces):
        pieces = [*pieces, Piece("", "")]
    if href and "sponsored" in node.attribute("rel"):
        pieces = [*pieces, Piece(SPONSORED, "")]
    prop = "" if _is_thing(node, own) else own
    if not href and not prop:
        return pieces
    return [Piece(piece.place, piece.text, piece.href or href, piece.prop or prop) for piece in pieces]


def _end_line(pieces: list[Piece], line: list[str]) -> None:
    if not line:
        return
    text = " ".join("".join(line).split())[:MAX_PIECE]
    line.clear()
    if any(map(str.isalnum, text)):
        pieces.append(Piece("", text))


def _is_thing(node: Node, prop: str) -> bool:
    """Say whether a tag is a thing with properties of its own, and no property itself."""
    return prop in _LISTED or bool(node.attribute("itemtype") or node.attribute("typeof"))


def width_of(cell: Node) -> int:
    """Return how many columns a cell takes."""
    if cell.tag not in _CELLS:
        return 1
    span = cell.attribute("colspan")[:3]
    return min(MAX_SPAN, max(1, int(span))) if span.isdecimal() else 1


def write_step(node: Node, column: int) -> str:
    """Return one step of a place: cells by their column, other tags by their class."""
    return f"{node.tag}[{column}]" if node.tag in _CELLS else sign_of(node)
