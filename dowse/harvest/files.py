"""Records from files that a user has: JSON Lines and CSV, gzipped or not."""

from __future__ import annotations

import csv
import gzip
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, Any, Final

import orjson

from dowse.errors import BadInput
from dowse.model import Record, Value

LONGEST_LINE: Final = 4_000_000  # letters: what is longer is no record
MOST_ATTRIBUTES: Final = 500
MOST_VALUES: Final = 2000  # of one record
OWN: Final = "_"  # what Dowse writes beside the values of a record begins with it
VALUES: Final = "values"  # the column of `dowse export records` that holds all of a record
MARKED: Final = ("'=", "'+", "'-", "'@", "'\t", "'\r")
CSV_ENDINGS: Final = (".csv", ".csv.gz", ".tsv", ".tsv.gz")


def read_records_file(path: str | Path) -> Iterator[Record]:
    """Yield the records of a file: an object of JSON on each line, or a CSV with a head."""
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
    while line := lines.readline(LONGEST_LINE + 1):
        number += 1
        if len(line) > LONGEST_LINE:
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
    held = found[VALUES] if isinstance(found.get(VALUES), dict) else found
    return Record(tuple(_take_values(held.items())))


def _read_csv(name: str, lines: IO[str]) -> Iterator[Record]:
    separator = "\t" if ".tsv" in name.lower() else ","
    before = csv.field_size_limit(LONGEST_LINE)  # the values of a record may all stand in one cell
    rows = csv.reader(_bounded(name, lines), delimiter=separator)
    try:
        head = [_unmark(cell) for cell in next(rows, [])]
        for row in rows:
            held = list(zip(head, map(_open_cell, row), strict=False))
            exported = (cell for column, cell in held if column == VALUES and isinstance(cell, dict))
            yield Record(tuple(_take_values(next(exported, dict[str, object]()).items() or held)))
    except csv.Error as error:
        raise BadInput(f"{name}: line {rows.line_num:,} is not CSV: {error}") from error
    finally:
        csv.field_size_limit(before)  # it is the whole process's


def _open_cell(cell: str) -> object:
    """Return the several values of a cell, or all of a record, as Dowse writes them; else the cell as it is."""
    if not cell.startswith(('["', '{"')):
        return _unmark(cell)
    try:
        return orjson.loads(cell)
    except orjson.JSONDecodeError:
        return cell


def _unmark(cell: str) -> str:
    """Take off the mark that keeps spreadsheets from taking a cell for a formula."""
    return cell[1:] if cell.startswith(MARKED) else cell


def _bounded(name: str, lines: IO[str]) -> Iterator[str]:
    while line := lines.readline(LONGEST_LINE + 1):
        if len(line) > LONGEST_LINE:
            raise BadInput(f"{name} has a line that is too long for a record")
        yield line


def _take_values(held: Iterable[tuple[str, Any]]) -> Iterator[Value]:
    """Yield the values of a record; a list has several of one attribute, and what is nested deeper is left out."""
    left = MOST_VALUES
    for place, (attribute, found) in enumerate(held):
        if place >= MOST_ATTRIBUTES:
            return
        for each in (found if isinstance(found, list) else [found])[:left]:
            text = _write(each)
            if text and attribute and not attribute.startswith(OWN):
                left -= 1
                yield Value(attribute, text)


def _write(found: object) -> str:
    if found is None or isinstance(found, bool | dict | list):
        return ""
    return " ".join(str(found).split())
