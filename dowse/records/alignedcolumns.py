"""Tables with a row of heads: what each cell is called by the head of its column."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from dowse.records.labels import LONGEST, fold
from dowse.records.pieces import Piece, width_of
from dowse.tree.node import Node, text_of

COLUMN: Final = " | "  # between a cell and the head of its column: td[2] | Year; classes and ids have no spaces
PAIR: Final = 2  # columns of a table that can hold names and what they name
LISTED: Final = 1.5  # names on a page, on average, from which a first column can be one of names
AGAIN: Final = 0.5  # share of pages with the same text in the first column, and of such texts in it

_CELLS = ("td", "th")
_PARTS = ("thead", "tbody", "tfoot")
_SIGNS = re.compile(r"[/.#=:：|]+")  # that mean something in a place
_FIRST = ("td[1]", "th[1]")

Row = tuple[Node, ...]  # cells


def find_columns(table: Node) -> dict[int, str | None]:
    """Return the heads of cells by the identity of these; nothing for cells that are heads."""
    found: dict[int, str | None] = {}
    heads: Row = ()
    names: dict[int, str] = {}
    for part, cells in _list_rows(table):
        if part == "thead" or all(cell.tag == "th" for cell in cells):
            heads = cells if len(cells) > 1 else heads
            continue
        if heads:
            names = _read_heads(heads) if _end(heads) == _end(cells) else {}
            found.update((id(cell), None) for cell in heads if names)
            heads = ()
        if names and _end(cells) == max(names):
            found.update((id(cell), names[at]) for at, cell in _number(cells) if width_of(cell) == 1 and names.get(at))
    return found


def _list_rows(table: Node) -> Iterator[tuple[str, Row]]:
    """Yield the rows of a table that have cells, with the part of it that they stand in."""
    for part in table.children:
        for row in part.children if part.tag in _PARTS else (part,):
            cells = tuple(each for each in row.children if each.tag in _CELLS)
            if row.tag == "tr" and cells:
                yield part.tag, cells


def _number(cells: Row) -> Iterator[tuple[int, Node]]:
    """Yield cells with the numbers of their columns: the last one for a cell that takes several."""
    at = 0
    for cell in cells:
        at += width_of(cell)
        yield at, cell


def _end(cells: Row) -> int:
    return sum(map(width_of, cells))


def _read_heads(heads: Row) -> dict[int, str]:
    """Return the names of columns; a head without words, or over several columns, names none of them."""
    return {at: name_column(text_of(head)) if width_of(head) == 1 else "" for at, head in _number(heads)}


def name_column(text: str) -> str:
    """Return the words of a head as they can stand in a place."""
    return " ".join(_SIGNS.sub(" ", text).split())[:LONGEST].strip()


def find_head(place: str) -> str:
    """Return the head of the column that a place is in, or nothing."""
    return place.rpartition(COLUMN)[2].partition("/")[0] if COLUMN in place else ""


def learn_columns(pages: Sequence[Sequence[Piece]]) -> frozenset[str]:
    """Return the steps of columns that heads name; a table of names and values says itself what these are."""
    steps: dict[str, set[str]] = defaultdict(set)
    firsts: dict[str, list[set[str]]] = defaultdict(list)
    for page in pages:
        own: dict[str, set[str]] = defaultdict(set)
        for piece in page:
            if COLUMN in piece.place:
                table, step = _part_place(piece.place)
                steps[table].add(step)
                own[table].update({fold(piece.text)} if step.startswith(_FIRST) else ())
        for table, texts in own.items():
            firsts[table].append(texts)
    return frozenset(step for table, own_steps in _leave_pairs(steps, firsts).items() for step in own_steps)


def _part_place(place: str) -> tuple[str, str]:
    before, _, after = place.rpartition(COLUMN)
    row, _, cell = before.rpartition("/")
    return row, f"{cell}{COLUMN}{after.partition('/')[0]}"


def _leave_pairs(steps: Mapping[str, set[str]], firsts: Mapping[str, list[set[str]]]) -> dict[str, set[str]]:
    pairs = {table for table, own in steps.items() if len(own) == PAIR and _are_names(firsts[table])}
    return {table: own for table, own in steps.items() if table not in pairs}


def _are_names(pages: Sequence[set[str]]) -> bool:
    """Say whether the texts of a first column come back from page to page, several on each."""
    counts = Counter(text for texts in pages for text in texts)
    again = sum(count for text, count in counts.items() if count > AGAIN * len(pages) and text[:1].isalpha())
    return counts.total() >= LISTED * len(pages) and again >= AGAIN * counts.total()
