"""Tables that a service gives as lists of lists: whether the first row names the columns; without names they are called by their place."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final

MAX_LOOKED: Final = 200  # rows
LONGEST_NAME: Final = 60  # characters of the name of a column

Row = list[Any]

_NUMERAL: Final = re.compile(r"[\d.,:/+\-\s]+")
_WRITTEN: Final = re.compile(
    r"\A(?:[A-Za-z](?=\w*_\w)\w++|[a-z]{2,}[A-Z]\w*)"
)  # first_name, firstName: nobody is called so
_USUAL: Final = frozenset(
    "id name title author authors creator subject subjects keyword keywords year date type kind category description abstract summary text url uri "
    "link href language lang country city state region county address zip price currency amount quantity status code number isbn issn doi publisher "
    "format size length width height weight color colour brand model make email phone latitude longitude lat lon lng timestamp time created updated "
    "modified key value label count total score rank source version original mimetype statuscode digest urlkey population species genus family "
    "artist album track genre director rating company department salary age gender birthday first last street symbol unit place location".split()
)


def is_table(rows: Sequence[Row], width: int) -> bool:
    """Say whether lists are rows of a table: plain values, words among them, most of them as many."""
    some = rows[:MAX_LOOKED]
    if any(isinstance(cell, dict | list) for row in some for cell in row):
        return False
    has_words = any(isinstance(cell, str) and not _NUMERAL.fullmatch(cell) for row in some for cell in row)
    return has_words and width > 1 and 2 * sum(len(row) == width for row in some) >= len(some)


def name_columns(rows: list[Row], width: int) -> tuple[list[str], list[Row]]:
    """Return the names of the columns and the rows under them: those of a first row that is a head, else their places."""
    if _has_head(rows, width):
        return [cell.strip() for cell in rows[0]], rows[1:]
    return [f"column {place}" for place in range(1, width + 1)], rows


def _has_head(rows: Sequence[Row], width: int) -> bool:
    """Say whether the first row is a head: names by themselves, or words over what is none."""
    head, below = rows[0], rows[1:MAX_LOOKED]
    if not below or len(head) != width or not all(map(_is_word, head)) or len(set(head)) < width:
        return False
    names = [cell.strip().lower() for cell in head]
    if any(len(name) > LONGEST_NAME for name in names):
        return False
    usual = sum(
        name in _USUAL or bool(_WRITTEN.fullmatch(cell.strip())) for name, cell in zip(names, head, strict=True)
    )
    return 2 * usual >= width or any(_differs(below, place) for place in range(width))


def _differs(below: Sequence[Row], place: int) -> bool:
    """Say whether a column has no word at all under its first row."""
    cells = [row[place] for row in below if len(row) > place and row[place] not in (None, "")]
    return bool(cells) and not any(map(_is_word, cells))


def _is_word(cell: Any) -> bool:
    return isinstance(cell, str) and bool(cell.strip()) and not _NUMERAL.fullmatch(cell)
