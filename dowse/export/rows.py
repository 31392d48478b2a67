"""Rows as JSONL, CSV or Parquet, streamed: sites, forms, records, pages found by example."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Container, Iterable, Iterator
from itertools import count, islice
from pathlib import Path
from typing import IO, Any, Final

from dowse.errors import BadInput
from dowse.model import Record
from dowse.store import Store
from dowse.store.harvests import read_records
from dowse.store.rows import to_json
from dowse.store.walks import Begun, read_targets

# --- rows
# Rows as JSONL, CSV or Parquet, streamed.

Row = dict[str, Any]
PARQUET_BATCH = 10_000

SITE_COLUMNS = ("site", "state", "pages", "forms", "sources", "error", "stopped", "entrance", "rank")
FORM_COLUMNS = (
    "site",
    "page",
    "depth",
    "kind",
    "searchable",
    "probability",
    "reasons",
    "method",
    "action",
    "fields",
    "conditions",
    "signature",
    "database",
    "id",
    "probe",
    "made",
    "template",
    "controls",
)
RECORD_COLUMNS = ("source", "harvest", "number", "url", "values")
COLUMNS = {"sites": SITE_COLUMNS, "forms": FORM_COLUMNS, "records": RECORD_COLUMNS}


def write_jsonl(rows: Iterable[Row], columns: tuple[str, ...], out: IO[bytes]) -> int:
    """Write one JSON object per line; return how many."""
    count = 0
    for count, row in enumerate(rows, 1):  # noqa: B007
        out.write(to_json(row).encode() + b"\n")
    return count


def write_csv(rows: Iterable[Row], columns: tuple[str, ...], out: IO[bytes]) -> int:
    """Write CSV with a header; lists become JSON."""
    writer = csv.writer(_Utf8Writer(out))
    writer.writerow(columns)
    count = 0
    for count, row in enumerate(rows, 1):  # noqa: B007
        writer.writerow([_plain(row[name]) for name in columns])
    return count


class _Utf8Writer:
    """What csv writes text into, as UTF-8; unlike a TextIOWrapper it never closes what it writes to."""

    def __init__(self, out: IO[bytes]) -> None:
        self._out = out

    def write(self, text: str) -> int:
        """Write a line."""
        return self._out.write(text.encode("utf-8", "replace"))


PAGE_COLUMNS = ("_url", "_title", "_likeness", "_new")  # what is said of a page beside its data


def write_parquet(rows: Iterable[Row], columns: tuple[str, ...], out: IO[bytes]) -> int:
    """Write Parquet; lists become JSON."""
    try:
        import pyarrow as arrow
        from pyarrow import parquet
    except ImportError:
        raise BadInput("Parquet needs pyarrow: pip install 'dowse[parquet]'") from None
    kinds = {"pages": arrow.int64(), "forms": arrow.int64(), "sources": arrow.int64(), "id": arrow.int64(), "rank": arrow.int64(),
             "depth": arrow.int64(), "harvest": arrow.int64(), "number": arrow.int64(), "probability": arrow.float64(), "searchable": arrow.bool_()}  # fmt: skip
    known = kinds if columns in COLUMNS.values() else {}  # the columns of records are whatever a source calls them
    known = known | {"_likeness": arrow.float64(), "_new": arrow.bool_()} if columns[:4] == PAGE_COLUMNS else known
    schema = arrow.schema([(name, known.get(name, arrow.string())) for name in columns])
    count = 0
    with parquet.ParquetWriter(out, schema) as writer:
        for batch in _batches(rows):
            count += len(batch)
            writer.write_table(
                arrow.table({name: [_flat(row[name]) for row in batch] for name in columns}, schema=schema)
            )
    return count


def _plain(value: Any) -> Any:
    """Return a value as CSV has it: true and false in small letters, as in JSON."""
    return str(value).lower() if isinstance(value, bool) else _flat(value)


def _batches(rows: Iterable[Row]) -> Iterator[list[Row]]:
    stream = iter(rows)
    while batch := list(islice(stream, PARQUET_BATCH)):
        yield batch


def _flat(value: Any) -> Any:
    return to_json(value) if isinstance(value, list | dict) else value


WRITERS: dict[str, Callable[[Iterable[Row], tuple[str, ...], IO[bytes]], int]] = {
    "jsonl": write_jsonl,
    "csv": write_csv,
    "parquet": write_parquet,
}

# --- formula
# Cells of a CSV that a spreadsheet would take for formulas: what the web wrote must not be run when a file is opened.

FORMULA_MARK: Final = "'"  # spreadsheets take what follows it for words; `dowse domain build` takes it off again
_FORMULA_STARTS: Final = ("=", "+", "-", "@", "\t", "\r")
_NUMBER: Final = re.compile(r"[+-]?\d[\d.,]{0,30}%?")  # -5 is what it says

WriteRows = Callable[[Iterable[Row], tuple[str, ...], IO[bytes]], int]


def choose_writer(form: str, *, raw: bool = False) -> WriteRows:
    """Return what writes rows in a format; in CSV, cells that look like formulas are marked unless wanted raw."""
    return WRITERS[form] if raw or form != "csv" else write_guarded


def write_guarded(rows: Iterable[Row], columns: tuple[str, ...], out: IO[bytes]) -> int:
    """Write CSV whose cells, names of columns among them, are words to every spreadsheet; return how many rows."""
    return WRITERS["csv"](_guard_rows(rows, columns), tuple(map(guard_cell, columns)), out)


def _guard_rows(rows: Iterable[Row], columns: tuple[str, ...]) -> Iterator[Row]:
    names = {name: guard_cell(name) for name in columns}
    for row in rows:
        yield {names[name]: guard_cell(row[name]) if isinstance(row[name], str) else row[name] for name in columns}


def guard_cell(cell: str) -> str:
    """Return a cell with a mark before it where a spreadsheet would take it for a formula."""
    return f"{FORMULA_MARK}{cell}" if cell.startswith(_FORMULA_STARTS) and not _NUMBER.fullmatch(cell) else cell


# --- records
# Records of a harvest as rows: an attribute is a column, several values of one are a list.


def write_records(store: Store, harvest: int, output: str, *, raw: bool = False) -> int:
    """Write the records of a harvest to a file whose ending chooses the format; return how many."""
    columns = find_columns(store, harvest)
    write = choose_writer(Path(output).suffix.lstrip(".").lower(), raw=raw)
    try:
        with open(output, "wb") as out:
            return write(_rows(store, harvest, columns), columns, out)
    except OSError as error:
        raise BadInput(f"{output} cannot be written: {(error.strerror or str(error)).lower()}") from None


def find_columns(store: Store, harvest: int) -> tuple[str, ...]:
    """Return the attributes that records have, in the order they were met."""
    names: dict[str, None] = {}
    for record in read_records(store, harvest):
        names |= dict.fromkeys(value.attribute for value in record.values)
    return (*names, url_column(names))


def url_column(names: Container[str]) -> str:
    """Return the name of the column for a record's own page: one that no attribute has."""
    return next(name for name in (f"{'_' * n}url" for n in count(1)) if name not in names)


def _rows(store: Store, harvest: int, columns: tuple[str, ...]) -> Iterator[dict[str, Any]]:
    for record in read_records(store, harvest):
        yield dict.fromkeys(columns, None) | to_row(record, columns[-1])


def to_row(record: Record, url: str = "_url") -> dict[str, Any]:
    """Return a record as a row: one value as it is, several as a list."""
    held: dict[str, list[str]] = {}
    for attribute, text in record.values:
        held.setdefault(attribute, []).append(text)
    return {name: texts[0] if len(texts) == 1 else texts for name, texts in held.items()} | {url: record.url}


# --- targets
# Pages that a crawler by example found, as rows: an attribute is a column.


def write_targets(store: Store, walk: Begun, output: str, attributes: Iterable[str] = ()) -> int:
    """Write the pages of a run to a file whose ending chooses the format; return how many.

    Columns stand in the order of the attributes that are given, whatever the pages say; others come after them.
    """
    names = dict.fromkeys(attributes)
    for target in read_targets(store, walk):
        names |= dict.fromkeys(value.attribute for value in target.values)
    columns = (*PAGE_COLUMNS, *(name for name in names if name not in PAGE_COLUMNS))
    try:
        with open(output, "wb") as out:
            write = choose_writer(Path(output).suffix.lstrip(".").lower())
            return write(_target_rows(store, walk, columns), columns, out)
    except OSError as error:
        raise BadInput(f"{output} cannot be written: {(error.strerror or str(error)).lower()}") from None


def _target_rows(store: Store, walk: Begun, columns: tuple[str, ...]) -> Iterator[dict[str, Any]]:
    for target in read_targets(store, walk):
        told = {"_url": target.url, "_title": target.title, "_likeness": target.likeness, "_new": target.new}
        yield dict.fromkeys(columns) | to_row(Record(target.values, "", target.url)) | told
