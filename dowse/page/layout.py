"""Where words and controls stand to each other: lines, blocks, cells, without drawing the page.

One walk over a form gives its runs of words and its controls, each with its line, its block
and its table cell. `beside.py` says from that which words belong to which control.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice

from dowse.page.parser import COMMENT, TEXT, HtmlNode, attribute, descend
from dowse.page.text import collapse

MAX_NODES = 20_000  # tags and texts of one form that are walked
MAX_AFTER = 24  # tags and texts after the last control of a form that are walked
MAX_WORDS = 200  # characters of one run of words
MAX_UP = 60  # blocks that are climbed

PLAIN, LINK, STRONG, HEAD, LABEL, HEADING = "", "link", "strong", "head", "label", "heading"
TAKEN = "taken"  # words that a label says of a control: they are not read
_RANK = {PLAIN: 0, STRONG: 1, LINK: 2, HEAD: 3, HEADING: 4, LABEL: 5, TAKEN: 6}
_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6", "legend", "caption")
_BLOCKS = (
    "address article aside blockquote center dd details dir div dl dt fieldset figure footer form header hr li main menu"
    " nav ol p pre search section summary tbody tfoot thead ul"
)
_UNWALKED = "script style template svg object iframe math datalist video audio canvas map applet embed title head"
_SORTS: dict[str, str] = {
    **dict.fromkeys(_BLOCKS.split(), "block"),
    **dict.fromkeys(_HEADINGS, "heading"),
    **dict.fromkeys(_UNWALKED.split(), "unwalked"),
    **dict.fromkeys(("input", "select", "textarea", "button"), "control"),
    "b": "strong", "strong": "strong", "a": "link", "label": "label", "br": "break",
    "table": "table", "tr": "row", "td": "cell", "th": "cell",
}  # fmt: skip


_OPENING = frozenset({"heading", "table", "row", "cell"})


class Cell:
    """A cell of a table, with the words and the number of controls in it, nested ones too."""

    __slots__ = ("column", "controls", "outer", "row", "runs")

    def __init__(self, row: Row, column: int, outer: Cell | None) -> None:
        self.row = row
        self.column = column
        self.outer = outer
        self.runs: list[Run] = []
        self.controls = 0


class Row:
    """A row of a table, and the number of controls in it."""

    __slots__ = ("above", "cells", "controls")

    def __init__(self, above: Row | None) -> None:
        self.above = above
        self.cells: list[Cell] = []
        self.controls = 0


class Table:
    """A table, as far as it has been walked."""

    __slots__ = ("last",)

    def __init__(self) -> None:
        self.last: Row | None = None


class Place:
    """What surrounds a tag or a text: its block, its cell, and whether the words there are marked."""

    __slots__ = ("block", "cell", "kind", "row", "section", "table", "up")

    def __init__(self, up: Place | None, block: int, kind: str = PLAIN) -> None:
        self.up = up
        self.block = block
        self.kind = kind
        self.cell: Cell | None = up.cell if up else None
        self.row: Row | None = up.row if up else None
        self.table: Table | None = up.table if up else None
        self.section: int = up.section if up else 0  # the block of the fieldset around it


class Run:
    """Words that nothing parts: no control, no line break, no border of a block."""

    __slots__ = ("_has_letter", "_words", "line", "links", "number", "pieces", "place")

    def __init__(self, number: int, line: int, place: Place) -> None:
        self.number = number
        self.line = line
        self.place = place
        self.pieces: list[str] = []
        self.links = 0
        self._words: str | None = None
        self._has_letter: bool | None = None

    @property
    def has_letter(self) -> bool:
        """Whether they are more than signs and numbers."""
        if self._has_letter is None:
            self._has_letter = any(map(str.isalpha, self.words))
        return self._has_letter

    @property
    def words(self) -> str:
        """The words in one line, bounded."""
        if self._words is None:
            self._words = collapse("".join(self.pieces)[: MAX_WORDS * 5], MAX_WORDS)
        return self._words

    @property
    def kind(self) -> str:
        """How the words are marked."""
        return self.place.kind


class Mark:
    """A control that can be seen: where it stands, and how many runs of words stand before it."""

    __slots__ = ("control", "line", "number", "place", "runs")

    def __init__(self, control: HtmlNode, number: int, runs: int, line: int, place: Place) -> None:
        self.control = control
        self.number = number
        self.runs = runs
        self.line = line
        self.place = place


class Layout:
    """The runs of words and the controls of a part of a page, in order."""

    def __init__(
        self, root: HtmlNode, is_taken: Callable[[HtmlNode], bool], most: int = MAX_NODES, last: HtmlNode | None = None
    ) -> None:
        self.runs: list[Run] = []
        self.marks: list[Mark] = []
        self.headings: list[int] = []  # numbers of the runs that are headings
        self.starts: dict[
            HtmlNode, tuple[int, int]
        ] = {}  # forms inside -> how many runs and controls stand before them
        self.walked = 0
        self._is_taken = is_taken  # whether a label speaks for a control
        self._last = last.mem_id if last is not None else 0  # the control after which little is of interest
        self._is_over = False
        self._places: dict[int, Place] = {root.mem_id: _root_place()}
        self._blocks = 0
        self._block = 0
        self._line = 0
        self._run: Run | None = None
        self._walk(root, most)
        self.of_control = {mark.control: mark for mark in self.marks}
        self.mark_runs = [mark.runs for mark in self.marks]

    def _walk(self, root: HtmlNode, most: int) -> None:
        find = self._places.get
        number, left = 0, MAX_AFTER
        for number, part in enumerate(islice(descend(root), most), 1):  # noqa: B007
            place = find(part.parent.mem_id)  # type: ignore[union-attr]
            if place is None:
                continue  # inside of what is not read: choices, scripts
            if self._is_over:
                left -= 1
                if not left:
                    break
            tag = part.tag
            if tag == TEXT:
                self._read(part.text_content or "", place)
            elif tag != COMMENT:
                self._enter(part, tag or "", place)
        self.walked = number

    def _read(self, text: str, place: Place) -> None:
        if place.block != self._block:
            self._break(place.block)
        run = self._run
        if text.isspace():
            if run is not None:
                run.pieces.append(" ")
            return
        kind = place.kind
        if kind == TAKEN:
            return
        if run is None or _parts(run, place):
            run = self._start_run(place)
        run.pieces.append(text)
        run.links += kind == LINK

    def _start_run(self, place: Place) -> Run:
        run = self._run = Run(len(self.runs), self._line, place)
        self.runs.append(run)
        if place.kind == HEADING:
            self.headings.append(run.number)
        if place.cell is not None:
            place.cell.runs.append(run)
        return run

    def _break(self, block: int) -> None:
        self._block = block
        self._line += 1
        self._run = None

    def _enter(self, part: HtmlNode, tag: str, place: Place) -> None:
        sort = _SORTS.get(tag)
        if sort is None:
            self._places[part.mem_id] = place
        elif sort == "block" or sort in _OPENING:
            if tag == "form":
                self.starts[part] = len(self.runs), len(self.marks)
            self._places[part.mem_id] = self._open(tag, sort, place)
        elif sort == "control":
            self._meet(part, tag, place)
        else:
            self._enter_inline(part, sort, place)

    def _enter_inline(self, part: HtmlNode, sort: str, place: Place) -> None:
        if sort == "break":
            if place.kind == LABEL and self._run is not None:
                self._run.pieces.append(" ")  # a label is one caption, on however many lines
            else:
                self._break(place.block)
        elif sort == "label":
            self._run = None
            self._places[part.mem_id] = _marked(place, TAKEN if self._is_taken(part) else LABEL)
        elif sort != "unwalked":
            self._places[part.mem_id] = _marked(place, STRONG if sort == "strong" else LINK)

    def _meet(self, control: HtmlNode, tag: str, place: Place) -> None:
        if tag == "input" and (attribute(control, "type") or "").lower() == "hidden":
            return
        if place.block != self._block:
            self._break(place.block)
        self._run = None
        self._is_over = self._is_over or control.mem_id == self._last
        self.marks.append(Mark(control, len(self.marks), len(self.runs), self._line, place))
        cell = place.cell
        while cell is not None:
            cell.controls += 1
            cell.row.controls += 1
            cell = cell.outer

    def _open(self, tag: str, sort: str, place: Place) -> Place:
        """Return the place inside of a new block."""
        self._blocks += 1
        self._break(self._blocks)
        opened = Place(place, self._blocks, place.kind)
        if place.kind == TAKEN:
            pass
        elif sort == "heading":
            opened.kind = HEADING
        elif tag == "fieldset":
            opened.section = self._blocks
        elif tag == "dt" or tag == "th":
            opened.kind = HEAD
        if sort == "table":
            opened.table = Table()
        elif sort == "row":
            opened.row = _new_row(place)
        elif sort == "cell":
            opened.cell = _new_cell(place)
        return opened


def _root_place() -> Place:
    """Return the place at the top, where a broken form may have left the rows of a table."""
    place = Place(None, 0)
    place.table, place.row = Table(), Row(None)
    return place


def _new_row(place: Place) -> Row:
    table = place.table
    if table is None:
        return Row(None)
    table.last = Row(table.last)
    return table.last


def _new_cell(place: Place) -> Cell:
    row = place.row or Row(None)
    cell = Cell(row, len(row.cells), place.cell)
    row.cells.append(cell)
    return cell


def _marked(place: Place, kind: str) -> Place:
    if _RANK[kind] <= _RANK[place.kind]:
        return place
    marked = Place(place.up, place.block, kind)
    marked.cell, marked.row, marked.table, marked.section = place.cell, place.row, place.table, place.section
    return marked


def _parts(run: Run, place: Place) -> bool:
    """Return True if words in a place start a new run: after a label, or after bold words that end in a colon."""
    if run.place is place or run.kind == place.kind:
        return False
    if LABEL in (run.kind, place.kind):
        return True
    return run.kind == STRONG and run.pieces[-1].rstrip().endswith(":")


def climb(place: Place | None) -> Iterator[int]:
    """Yield the blocks around a place, from the inside out."""
    for _ in range(MAX_UP):
        if place is None:
            return
        yield place.block
        place = place.up
