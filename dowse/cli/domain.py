"""`dowse domain`: tables of the values of one database, for harvesting similar ones; records from files."""

from __future__ import annotations

import csv
import gzip
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, Any, Final

import click
import orjson

from dowse.cli import options
from dowse.cli.printing import print_json
from dowse.errors import BadInput
from dowse.model import Record, Value
from dowse.reasons import say_count

MAX_LINE_CHARACTERS: Final = 4_000_000  # what is longer is no record
MAX_ATTRIBUTES: Final = 500  # of one record
MAX_VALUES: Final = 2000  # of one record
OWN_PREFIX: Final = "_"  # of what Dowse writes beside the values of a record
VALUES_COLUMN: Final = "values"  # of `dowse export records`: holds all of a record
# How a cell begins that was escaped to keep spreadsheets from taking it for a formula.
ESCAPED_PREFIXES: Final = ("'=", "'+", "'-", "'@", "'\t", "'\r")
CSV_ENDINGS: Final = (".csv", ".csv.gz", ".tsv", ".tsv.gz")
FILE_ENDINGS: Final = (*CSV_ENDINGS, ".jsonl", ".jsonl.gz", ".json", ".json.gz", ".ndjson", ".ndjson.gz")


def read_records_file(path: str | Path) -> Iterator[Record]:
    """Yield the records of a file: an object of JSON on each line, or a CSV with a header."""
    name = str(path)
    try:
        with _open(name) as lines:
            yield from _read_csv(name, lines) if name.lower().endswith(CSV_ENDINGS) else _read_jsonl(name, lines)
    except (UnicodeDecodeError, zlib.error, EOFError, gzip.BadGzipFile) as error:
        raise BadInput(f"{name} cannot be read as text: {error}") from error
    except OSError as error:
        raise BadInput(f"{name} cannot be read: {(error.strerror or str(error)).lower()}") from error


def _open(name: str) -> IO[str]:
    if name.lower().endswith(".gz"):
        return gzip.open(name, "rt", encoding="utf-8-sig", newline="")
    return open(name, encoding="utf-8-sig", newline="")


def _read_jsonl(name: str, lines: IO[str]) -> Iterator[Record]:
    number = 0
    while line := lines.readline(MAX_LINE_CHARACTERS + 1):
        number += 1
        if len(line) > MAX_LINE_CHARACTERS:
            raise BadInput(f"{name}: line {number:,} is too long for a record")
        if line.strip():
            yield _read_object(f"{name}: line {number:,}", line)


def _read_object(where: str, line: str) -> Record:
    try:
        found = orjson.loads(line)
    except orjson.JSONDecodeError as error:
        raise BadInput(f"{where} is not JSON; give JSON Lines (one object a line) or a .csv file") from error
    if not isinstance(found, dict):
        raise BadInput(f"{where} is not an object")
    held = found[VALUES_COLUMN] if isinstance(found.get(VALUES_COLUMN), dict) else found
    return Record(tuple(_take_values(held.items())))


def _read_csv(name: str, lines: IO[str]) -> Iterator[Record]:
    separator = "\t" if ".tsv" in name.lower() else ","
    before = csv.field_size_limit(MAX_LINE_CHARACTERS)  # the values of a record may all stand in one cell
    rows = csv.reader(_bounded(name, lines), delimiter=separator)
    try:
        head = [_unescape(cell) for cell in next(rows, [])]
        for row in rows:
            held = list(zip(head, map(_open_cell, row), strict=False))
            exported = (cell for column, cell in held if column == VALUES_COLUMN and isinstance(cell, dict))
            yield Record(tuple(_take_values(next(exported, dict[str, object]()).items() or held)))
    except csv.Error as error:
        raise BadInput(f"{name}: line {rows.line_num:,} is not CSV: {error}") from error
    finally:
        csv.field_size_limit(before)  # it is the whole process's


def _open_cell(cell: str) -> object:
    """Return the several values of a cell, or all of a record, as Dowse writes them; else the cell as it is."""
    if not cell.startswith(('["', '{"')):
        return _unescape(cell)
    try:
        return orjson.loads(cell)
    except orjson.JSONDecodeError:
        return cell


def _unescape(cell: str) -> str:
    """Remove the quote that keeps spreadsheets from running a cell as a formula."""
    return cell[1:] if cell.startswith(ESCAPED_PREFIXES) else cell


def _bounded(name: str, lines: IO[str]) -> Iterator[str]:
    while line := lines.readline(MAX_LINE_CHARACTERS + 1):
        if len(line) > MAX_LINE_CHARACTERS:
            raise BadInput(f"{name} has a line that is too long for a record")
        yield line


def _take_values(held: Iterable[tuple[str, Any]]) -> Iterator[Value]:
    """Yield the values of a record; a list has several of one attribute, and what is nested deeper is skipped."""
    left = MAX_VALUES
    for place, (attribute, found) in enumerate(held):
        if place >= MAX_ATTRIBUTES:
            return
        for each in (found if isinstance(found, list) else [found])[:left]:
            text = _write(each)
            if text and attribute and not attribute.startswith(OWN_PREFIX):
                left -= 1
                yield Value(attribute, text)


def _write(found: object) -> str:
    if found is None or isinstance(found, bool | dict | list):
        return ""
    return " ".join(str(found).split())


@click.group("domain")
def command() -> None:
    """Make domain statistics tables: values of one database, to harvest similar databases."""


@command.command("build")
@click.argument("source", metavar="SOURCE_OR_FILE")
@click.option(
    "-o", "--output", default="domain.table", show_default=True, metavar="TABLE", help="Write the table to this file."
)
@options.db
@options.as_json
def build_command(source: str, output: str, db: str, as_json: bool) -> int:
    """Make a domain statistics table for harvesting databases similar to a source.

    The records come from a harvested source of the database, or from a file: JSON Lines (one object a line; a list
    holds several values) or CSV with a header, gzipped or not. `dowse harvest --selector domain --domain TABLE` uses it.
    """
    from dowse.select.domain import build_table, save_table

    if not output or Path(output).is_dir():
        raise BadInput(f"-o needs the name of a file, not {output or 'nothing'}")
    made = build_table(read_source(db, source))
    if not made.record_count:
        raise BadInput(f"{source} has no records")
    save_table(made, output)
    if as_json:
        print_json({"values": made.value_count, "records": made.record_count})
    else:
        click.echo(
            f"{say_count(made.value_count, 'values')} of {say_count(made.record_count, 'records')} are in {output}."
        )
    return 0


def read_source(db: str, source: str) -> Iterable[Record]:
    """Return the records of a file, where there is one of that name or it is named like one, else of a source in the database."""
    if Path(source).is_file() or ("://" not in source and source.lower().endswith(FILE_ENDINGS)):
        return read_records_file(source)
    return records_of_source(db, source)


def records_of_source(db: str, source: str) -> Iterable[Record]:
    """Return the records of every harvest of a source: a form by its number, or an address that was harvested."""
    from dowse.store import open_existing
    from dowse.store.database import database_path
    from dowse.store.harvests import list_harvests, read_records

    unknown = BadInput(
        f"{source} is not a file, and as a source in {db} it has not been harvested yet; run `dowse harvest {source}` first"
    )
    if not database_path(db).exists():
        raise unknown
    with open_existing(db) as store:
        form = store.form(int(source[:18])) if source.isascii() and source.isdigit() else None
        wanted = form["signature"] if form else ""
        mine = [
            each
            for each in list_harvests(store)
            if source.rstrip("/") == each.url.rstrip("/") or (wanted and wanted == each.door)
        ]
        if not mine:
            raise unknown
        yield from (record for each in mine for record in read_records(store, each.id))
