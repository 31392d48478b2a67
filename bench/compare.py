"""Whether two SQLite files say the same: row by row, without ids and times.

An id is chance (it depends on who came first), so a foreign key stands for the row it points at:
it is replaced by that row's own content, down to rows that point at nothing.
"""

from __future__ import annotations

import sqlite3
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

Row = tuple[object, ...]


@dataclass(frozen=True, slots=True)
class Rules:
    """What the schema does not say about itself."""

    ignored_tables: frozenset[str] = frozenset()
    ignored_columns: frozenset[str] = frozenset()  # "column" in every table, or "table.column"
    links: dict[str, str] = field(default_factory=dict)  # "table.column" -> table whose id it holds, undeclared


@dataclass(frozen=True, slots=True)
class Difference:
    """A table in which the files differ."""

    table: str
    only_first: int
    only_second: int
    examples: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Table:
    name: str
    key: str  # the integer primary key, or "rowid"
    columns: tuple[str, ...]  # what is compared
    points: dict[str, tuple[str, str]]  # column -> (table, column there)


def compare_files(first: Path, second: Path, rules: Rules) -> list[Difference]:
    """Return the tables that differ; an empty list means that the files say the same."""
    here, there = _read_file(first, rules), _read_file(second, rules)
    differences = []
    for name in sorted(here.keys() | there.keys()):
        mine, other = here.get(name, Counter()), there.get(name, Counter())
        if mine != other:
            differences.append(_tell(name, mine - other, other - mine))
    return differences


def _tell(name: str, lost: Counter[Row], added: Counter[Row]) -> Difference:
    examples = tuple(f"{mark} {row!r:.300}" for mark, rows in (("-", lost), ("+", added)) for row in [*rows][:3])
    return Difference(name, lost.total(), added.total(), examples)


def count_rows(path: Path, rules: Rules) -> dict[str, int]:
    """Return how many rows of each table are compared."""
    return {name: rows.total() for name, rows in _read_file(path, rules).items()}


def _read_file(path: Path, rules: Rules) -> dict[str, Counter[Row]]:
    database = sqlite3.connect(path)
    try:
        tables = {name: _read_table(database, name, rules) for name in _table_names(database, rules)}
        kept: dict[tuple[str, str], dict[object, Row]] = {}
        return {name: Counter(_rows(database, table, tables, kept, ()).values()) for name, table in tables.items()}
    finally:
        database.close()


def _table_names(database: sqlite3.Connection, rules: Rules) -> list[str]:
    """Ordinary tables: a virtual table and its shadows repeat what the others hold."""
    listed = database.execute("select name, type from pragma_table_list where schema = 'main' order by name").fetchall()
    names = [name for name, kind in listed if kind == "table" and not name.startswith("sqlite_")]
    return [name for name in names if name not in rules.ignored_tables]


def _read_table(database: sqlite3.Connection, name: str, rules: Rules) -> _Table:
    columns = database.execute("select name, type, pk from pragma_table_info(?)", (name,)).fetchall()
    keys = [column for column, kind, place in columns if place]
    integer = [column for column, kind, place in columns if place and kind.upper() == "INTEGER"]
    key = integer[0] if len(keys) == 1 and integer else ""
    points = {column: (table, there or "id") for table, column, there in _foreign_keys(database, name)}
    points |= {
        place.partition(".")[2]: (table, "id") for place, table in rules.links.items() if place.startswith(f"{name}.")
    }
    compared = tuple(
        column
        for column, _, _ in columns
        if not {column, f"{name}.{column}"} & rules.ignored_columns and (column != key or column in points)
    )
    return _Table(name, key, compared, points)


def _foreign_keys(database: sqlite3.Connection, name: str) -> list[tuple[str, str, str | None]]:
    return database.execute('select "table", "from", "to" from pragma_foreign_key_list(?)', (name,)).fetchall()


def _rows(
    database: sqlite3.Connection,
    table: _Table,
    tables: dict[str, _Table],
    kept: dict[tuple[str, str], dict[object, Row]],
    above: tuple[str, ...],
    by: str = "",
) -> dict[object, Row]:
    """Return the content of every row, by its key (or by the column that others point at)."""
    by = by or table.key or "rowid"
    if (table.name, by) in kept:
        return kept[table.name, by]
    targets = {
        column: _rows(database, tables[there], tables, kept, (*above, table.name), at)
        for column, (there, at) in table.points.items()
        if there in tables and there not in above and there != table.name and column in table.columns
    }
    wanted = ", ".join(f'"{column}"' for column in table.columns) or "null"
    number = "row_number() over ()" if by == "rowid" else f'"{by}"'  # a table may be WITHOUT ROWID
    rows = {}
    for key, *values in database.execute(f'select {number}, {wanted} from "{table.name}"'):
        pairs = zip(table.columns, values, strict=False)
        rows[key] = tuple(_content(column, value, table, targets) for column, value in pairs)
    kept[table.name, by] = rows
    return rows


def _content(column: str, value: object, table: _Table, targets: dict[str, dict[object, Row]]) -> object:
    """A value, or the row it points at; a pointer that closes a circle is only known to be there."""
    if value is None or column not in table.points:
        return value
    if column in targets:
        return targets[column].get(value, "points at nothing")
    return "points back"
