"""Cells of a CSV that a spreadsheet would take for formulas: what the web wrote must not be run when a file is opened."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import IO, Final

from dowse.export.rows import WRITERS, Row

MARK: Final = "'"  # spreadsheets take what follows it for words; `dowse domain build` takes it off again
_BEGINS: Final = ("=", "+", "-", "@", "\t", "\r")
_NUMBER: Final = re.compile(r"[+-]?\d[\d.,]{0,30}%?")  # -5 is what it says

Write = Callable[[Iterable[Row], tuple[str, ...], IO[bytes]], int]


def choose_writer(form: str, *, raw: bool = False) -> Write:
    """Return what writes rows in a format; in CSV, cells that look like formulas are marked unless wanted raw."""
    return WRITERS[form] if raw or form != "csv" else write_guarded


def write_guarded(rows: Iterable[Row], columns: tuple[str, ...], out: IO[bytes]) -> int:
    """Write CSV whose cells, names of columns among them, are words to every spreadsheet; return how many rows."""
    return WRITERS["csv"](_guard_rows(rows, columns), tuple(map(guard, columns)), out)


def _guard_rows(rows: Iterable[Row], columns: tuple[str, ...]) -> Iterator[Row]:
    names = {name: guard(name) for name in columns}
    for row in rows:
        yield {names[name]: guard(row[name]) if isinstance(row[name], str) else row[name] for name in columns}


def guard(cell: str) -> str:
    """Return a cell with a mark before it where a spreadsheet would take it for a formula."""
    return f"{MARK}{cell}" if cell.startswith(_BEGINS) and not _NUMBER.fullmatch(cell) else cell
