"""A response as a tree, in which records are found, and its words with their places."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Final, NamedTuple

from dowse.page.parser import COMMENT, TEXT, HtmlNode, Tree, attribute, descend
from dowse.page.text import leave_out
from dowse.tree.node import KEPT, MAX_DEPTH, MAX_NODES, NOTHING, Node, find_nodes

# --- tree
# A response as a tree: what records are found in, without code, choices and words for other browsers.

MAX_TEXT: Final = 2_000  # characters of one text
MAX_SCRIPT: Final = 100_000  # characters of a script that declares records
MAX_SPAN: Final = 100  # rows or columns that one cell may take
MAX_SPANNING_TAGS: Final = 12  # in a cell over several rows that is a value of each; more are a menu beside them
MAX_ATTRIBUTE: Final = 1_000  # characters of one attribute; addresses may be long

_UNSEEN = frozenset(
    "head script style noscript iframe noframes select textarea datalist template svg object".split()
) | {COMMENT, ""}
_JSON = "application/ld+json"
_LISTS = ("class", "rel")  # attributes that hold several words
_CELLS = ("td", "th")
_ROW_HOLDERS = ("table", "thead", "tbody", "tfoot")
_BLANKS = (" ", "\xa0", "\t")


def build_nodes(tree: Tree) -> tuple[Node, bool]:
    """Return what records are found in, the tags and texts that people see and the records that a page declares; and True if that is all."""
    if tree.root is None:
        return Node("html"), True
    growth = _Growth()
    declared = [Node("script", {"rel": _JSON}, (text,)) for text in _find_declared(tree)]
    bases = [Node("base", _keep_attributes(base.attributes)) for base in tree.tags("base")[:1]]
    nodes = Node("html", NOTHING, (*bases, *declared, *growth.read_content(tree.root, 1)))
    return nodes, not tree.is_cut and not growth.is_full


def _find_declared(tree: Tree) -> list[str]:
    """Return the scripts that say in JSON what is on the page."""
    scripts = [each for each in tree.tags("script")[:200] if (attribute(each, "type") or "").lower() == _JSON]
    return [text for text in (each.text() for each in scripts[:20]) if len(text) <= MAX_SCRIPT]


class _Growth:
    """Reads tags into nodes as long as there is room for them."""

    def __init__(self) -> None:
        self._nodes_left = MAX_NODES - 1
        self.is_full = False  # there was no room for a tag

    def read_content(self, element: HtmlNode, depth: int) -> tuple[Node | str, ...]:
        """Return what stands in an element; below the deepest level, only its texts."""
        content: list[Node | str] = []
        part = element.first_child
        while part is not None:
            tag = part.tag or ""
            if tag == TEXT:
                _add_text(content, part.text_content or "")
            elif tag in _UNSEEN:
                pass
            elif not self._nodes_left:
                self.is_full = True
            elif depth > MAX_DEPTH:
                self._add_texts_below(content, part)
            else:
                self._nodes_left -= 1
                attributes = part.attributes
                inside = self.read_content(part, depth + 1)
                if tag in _ROW_HOLDERS:
                    inside = self._fill_rows(inside)
                content.append(Node(tag, _keep_attributes(attributes) if attributes else NOTHING, inside))
            part = part.next
        return tuple(content)

    def _fill_rows(self, rows: tuple[Node | str, ...]) -> tuple[Node | str, ...]:
        """Return the rows of a table, each with the cells that reach down to it; where all of these are as high, rows below are parts of one record."""
        own = [row for row in rows if isinstance(row, Node) and row.tag == "tr"]
        if not any(cell.attribute("rowspan") for row in own for cell in row.children):
            return rows
        laid: list[list[LaidCell]] = []
        heights: dict[int, set[int]] = {}  # of the cells in each column, from the first that is higher than its row
        copied = 0
        for cells in _lay_out(own):
            laid.append(cells)
            copied += sum(not each.is_own for each in cells)
            if len(cells) > MAX_SPAN or MAX_SPANNING_TAGS * copied > self._nodes_left:
                return rows
            for each in cells:
                height = _read_span(each.cell, "rowspan")
                if each.is_own and (each.column in heights or height > 1):
                    heights.setdefault(each.column, set()).add(height)
        if all(len(each) < 2 for each in heights.values()):
            return rows
        filled = iter([self._fill_row(row, cells) for row, cells in zip(own, laid, strict=True)])
        return tuple(next(filled) if isinstance(row, Node) and row.tag == "tr" else row for row in rows)

    def _fill_row(self, row: Node, laid: Sequence[LaidCell]) -> Node:
        small = [each for each in laid if each.is_own or _is_small(each.cell)]
        cells = (each.cell if each.is_own else self._copy(each.cell) for each in small)
        others = (part for part in row.content if not isinstance(part, Node) or part.tag not in _CELLS)
        return Node(row.tag, row.attributes, (*map(_lower, cells), *others))

    def _copy(self, node: Node) -> Node:
        self._nodes_left -= 1
        inside = tuple(self._copy(part) if isinstance(part, Node) else part for part in node.content)
        return Node(node.tag, node.attributes, inside)

    def _add_texts_below(self, content: list[Node | str], element: HtmlNode) -> None:
        parts = descend(element)
        for part in parts:
            if part.tag == TEXT:
                _add_text(content, part.text_content or "")
            elif part.tag in _UNSEEN:
                leave_out(part, parts)


class LaidCell(NamedTuple):
    """A cell in a row of a table, where it stands or reaches down to."""

    column: int
    cell: Node
    is_own: bool  # it stands in this row


def _lay_out(rows: Iterable[Node]) -> Iterator[list[LaidCell]]:
    """Yield the cells of each row by their columns, those that reach down from rows above among them."""
    hanging: dict[int, tuple[Node, int]] = {}  # by column: a cell, and how many rows it still reaches down
    for row in rows:
        own = [cell for cell in row.children if cell.tag in _CELLS][::-1]
        found: list[LaidCell] = []
        below: dict[int, tuple[Node, int]] = {}
        column = 1
        while own or any(each >= column for each in hanging):
            if column in hanging:
                cell, left = hanging.pop(column)
                found.append(LaidCell(column, cell, False))
            elif own:
                cell = own.pop()
                left = _read_span(cell, "rowspan")
                found.append(LaidCell(column, cell, True))
            else:
                column = min(each for each in hanging if each >= column)
                continue
            if left > 1:
                below[column] = (cell, left - 1)
            column += _read_span(cell, "colspan")
        hanging = below
        yield found


def _read_span(cell: Node, name: str) -> int:
    span = cell.attribute(name)[:3]
    return min(MAX_SPAN, max(1, int(span))) if span.isdecimal() else 1


def _lower(cell: Node) -> Node:
    """Return a cell that other rows have as well as one that stands in its own row alone."""
    if not cell.attribute("rowspan") or not _is_small(cell):
        return cell
    return Node(cell.tag, {name: own for name, own in cell.attributes.items() if name != "rowspan"}, cell.content)


def _is_small(cell: Node) -> bool:
    """Return True if a cell holds a value and no part of the page's layout."""
    return sum(1 for _ in islice(find_nodes(cell), MAX_SPANNING_TAGS + 1)) <= MAX_SPANNING_TAGS


def _keep_attributes(attributes: dict[str, str | None]) -> Mapping[str, str]:
    kept: dict[str, str] = {}
    for name, value in attributes.items():
        if name in KEPT:
            value = value or ""
            if name in _LISTS:
                value = " ".join(value.split())
            kept[name] = value if len(value) <= MAX_ATTRIBUTE else value[:MAX_ATTRIBUTE]
    return kept or NOTHING


def _add_text(content: list[Node | str], text: str) -> None:
    """Add a text in one line; a blank at its ends is kept, for it parts words from those in the next tag."""
    line = " ".join(text[: 2 * MAX_TEXT].split())[:MAX_TEXT]
    if line:
        before = " " if text[0].isspace() else ""
        content.append(f"{before}{line}{' ' if text[-1].isspace() else ''}")
    elif text in _BLANKS and content:
        content.append(" ")
