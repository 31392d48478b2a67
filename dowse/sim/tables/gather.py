"""The columns of a file, gathered row by row: each text is kept once, each record holds numbers of texts."""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from typing import Any, NamedTuple

from dowse.sim.tables.rows import FileRow

_MOST_COLUMNS = 200


class Filed(NamedTuple):
    """What a file says in one column."""

    name: str
    texts: list[str]  # each once
    ids: array[int]  # of the texts, record by record
    ends: array[int]  # where the texts of each record end in `ids`
    lists: int  # how many records had a list

    @property
    def filled(self) -> int:
        """How many records have a value."""
        starts = (0, *self.ends[:-1])
        return sum(start < end for start, end in zip(starts, self.ends, strict=True))


class _Gathering:
    """A column that grows."""

    __slots__ = ("ends", "ids", "known", "lists")

    def __init__(self) -> None:
        self.known: dict[str, int] = {}
        self.ids = array("I")
        self.ends = array("I")
        self.lists = 0

    def add(self, row: int, value: Any) -> None:
        """Add what a record says; records that said nothing before it get no value."""
        self.pad(row)
        if isinstance(value, list):
            self.lists += 1
            texts: Iterable[str] = dict.fromkeys(filter(None, map(_scalar_text, value)))
        else:
            text = _scalar_text(value)
            texts = (text,) if text else ()
        known = self.known
        for text in texts:
            self.ids.append(known.setdefault(text, len(known)))
        self.ends.append(len(self.ids))

    def pad(self, rows: int) -> None:
        """Make sure that there is an end for every record so far."""
        missing = rows - len(self.ends)
        if missing:
            self.ends.extend(array("I", [len(self.ids)]) * missing)


def gather_columns(rows: Iterable[FileRow]) -> tuple[int, list[Filed]]:
    """Gather the columns of rows, and count these; columns after the first two hundred are left out."""
    columns: dict[str, _Gathering] = {}
    count = 0
    for row in rows:
        for name, value in row.items():
            column = columns.get(name)
            if column is None:
                if len(columns) == _MOST_COLUMNS:
                    continue
                column = columns[name] = _Gathering()
            column.add(count, value)
        count += 1
    for column in columns.values():
        column.pad(count)
    return count, [Filed(name, list(each.known), each.ids, each.ends, each.lists) for name, each in columns.items()]


def _scalar_text(value: Any) -> str:
    """Return how a value is written; nothing for what is no single value."""
    if isinstance(value, str):
        return value.strip()
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value) if isinstance(value, int | float) else ""
