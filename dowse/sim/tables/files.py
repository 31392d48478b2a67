"""Tables from files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from dowse.errors import BadInput
from dowse.sim.tables.filed import FiledBlock
from dowse.sim.tables.gather import gather_columns
from dowse.sim.tables.kinds import pick_attributes
from dowse.sim.tables.records import Records
from dowse.sim.tables.rows import FileRow, read_rows
from dowse.sim.tables.table import Table

MOST_ROWS = 2_000_000


def read_table(path: Path) -> Table:
    """Read a database from a file: .csv, .jsonl, .ndjson or .json, also with .gz."""
    size, columns = gather_columns(_limited(path, read_rows(path)))
    if not size:
        raise BadInput(f"{path}: there are no rows in it")
    attributes = pick_attributes(columns)
    if not attributes:
        raise BadInput(f"{path}: not a table: no row has a single value in it")
    return Records(tuple(attribute for attribute, _ in attributes), [FiledBlock(size, attributes)])


def _limited(path: Path, rows: Iterable[FileRow]) -> Iterator[FileRow]:
    for number, row in enumerate(rows):
        if number == MOST_ROWS:
            raise BadInput(f"{path}: more than {MOST_ROWS:,} rows: give a part of it")
        yield row
