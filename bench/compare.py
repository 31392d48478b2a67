"""Whether two SQLite files say the same: row by row, without ids and times.

An id is chance (it depends on who came first), so a foreign key stands for the row it points at: it is
replaced by what makes that row unique (its first UNIQUE constraint), or by all of it where nothing does.
"""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterator
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
    columns: tuple[str, ...]  # what is compared
    unique: tuple[str, ...]  # what names a row to others
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
        return {name: Counter(_rows(database, table, tables)) for name, table in tables.items()}
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
    return _Table(name, compared, _unique_columns(database, name) or compared, points)


def _unique_columns(database: sqlite3.Connection, name: str) -> tuple[str, ...]:
    found = database.execute("select name from pragma_index_list(?) where origin = 'u' order by seq desc", (name,))
    for (index,) in found.fetchall():
        return tuple(column for (column,) in database.execute("select name from pragma_index_info(?)", (index,)))
    return ()


def _foreign_keys(database: sqlite3.Connection, name: str) -> list[tuple[str, str, str | None]]:
    return database.execute('select "table", "from", "to" from pragma_foreign_key_list(?)', (name,)).fetchall()


def _rows(database: sqlite3.Connection, table: _Table, tables: dict[str, _Table]) -> Iterator[Row]:
    """Give what every row says."""
    targets = {
        column: _names(database, column, table, tables, ()) for column in table.points if column in table.columns
    }
    for values in _select(database, table.name, table.columns):
        yield tuple(_content(targets.get(column), value) for column, value in zip(table.columns, values, strict=True))


def _names(
    database: sqlite3.Connection, column: str, table: _Table, tables: dict[str, _Table], above: tuple[str, ...]
) -> dict[object, Row]:
    """Return what names each row that a column points at, by the value that points there."""
    there, key = table.points[column]
    if there not in tables or there in above:
        return {}  # left out, or a circle: it is only known that it points somewhere
    target = tables[there]
    inner = {
        each: _names(database, each, target, tables, (*above, there)) for each in target.points if each in target.unique
    }
    return {
        row[0]: tuple(_content(inner.get(each), value) for each, value in zip(target.unique, row[1:], strict=True))
        for row in _select(database, there, (key, *target.unique))
    }


def _select(database: sqlite3.Connection, table: str, columns: tuple[str, ...]) -> sqlite3.Cursor:
    wanted = ", ".join(f'"{name}"' for name in columns)
    return database.execute(f'select {wanted} from "{table}"')


def _content(names: dict[object, Row] | None, value: object) -> object:
    """A value, or the name of the row it points at."""
    if names is None or value is None:
        return value
    return names.get(value, "points elsewhere")
