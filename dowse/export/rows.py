"""Rows as JSONL, CSV or Parquet, streamed: sites, forms, records, pages found by example."""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Callable, Container, Iterable
from dataclasses import dataclass
from functools import cache, partial
from itertools import count, islice
from pathlib import Path
from typing import IO, Any, Final

from dowse.errors import BadInput
from dowse.export.types import ColumnType, find_types
from dowse.model import Record
from dowse.store import Store
from dowse.store.harvests import all_records, read_copies, read_records
from dowse.store.rows import to_json
from dowse.store.walks import WalkRun, read_targets

Row = dict[str, Any]
WriteRows = Callable[[Iterable[Row], tuple[str, ...], IO[bytes]], int]
PARQUET_BATCH_ROWS: Final = 10_000

SITE_COLUMNS = ("site", "state", "pages", "forms", "sources", "error", "stopped", "entrance", "rank", "topic", "why")
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
    "title",
    "heading",
    "topics",
)
RECORD_COLUMNS = ("_source", "_harvest", "_number")  # about a record of any harvest, before its attributes
PAGE_COLUMNS = ("_url", "_title", "_likeness", "_new")  # about a page, beside its data
COLUMNS = {"sites": SITE_COLUMNS, "forms": FORM_COLUMNS}


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
        values = [_flatten(row[name]) for name in columns]
        # true and false as in JSON
        writer.writerow([str(value).lower() if isinstance(value, bool) else value for value in values])
    return count


class _Utf8Writer:
    """A file that csv can write to, as UTF-8; unlike a TextIOWrapper it never closes the file below."""

    def __init__(self, out: IO[bytes]) -> None:
        self._out = out

    def write(self, text: str) -> int:
        """Write a line."""
        return self._out.write(text.encode("utf-8", "replace"))


def write_parquet(
    rows: Iterable[Row], columns: tuple[str, ...], out: IO[bytes], found: RecordColumns | None = None
) -> int:
    """Write Parquet; lists become JSON, unless it is known of the columns of records which of them are lists."""
    try:
        import pyarrow as arrow
        from pyarrow import parquet
    except ImportError:
        raise BadInput("Parquet needs pyarrow: pip install 'dowse[parquet]'") from None
    kinds = {"pages": arrow.int64(), "forms": arrow.int64(), "sources": arrow.int64(), "id": arrow.int64(), "rank": arrow.int64(),
             "depth": arrow.int64(), "harvest": arrow.int64(), "number": arrow.int64(), "probability": arrow.float64(), "searchable": arrow.bool_()}  # fmt: skip
    known = kinds if columns in COLUMNS.values() else {}  # the columns of records are whatever a source calls them
    known = known | {"_likeness": arrow.float64(), "_new": arrow.bool_()} if columns[:4] == PAGE_COLUMNS else known
    if found is not None:
        types = {"number": arrow.float64(), "date": arrow.date32()}
        known = known | dict.fromkeys(found.lists, arrow.list_(arrow.string()))
        known = known | {name: types[each.name] for (_, each), name in found.typed_names.items()}
        known = known | {name: arrow.int64() for name in RECORD_COLUMNS if name in ("_harvest", "_number")}
        columns = (*columns, *found.typed_names.values())
        rows = map(found.add_types, rows)
    schema = arrow.schema([(name, known.get(name, arrow.string())) for name in columns])
    lists = found.lists if found else frozenset()
    count = 0
    with parquet.ParquetWriter(out, schema) as writer:
        stream = iter(rows)
        while batch := list(islice(stream, PARQUET_BATCH_ROWS)):
            count += len(batch)
            writer.write_table(
                arrow.table(
                    {name: [row[name] if name in lists else _flatten(row[name]) for row in batch] for name in columns},
                    schema=schema,
                )
            )
    return count


def _flatten(value: Any) -> Any:
    return to_json(value) if isinstance(value, list | dict) else value


WRITERS: Final[dict[str, WriteRows]] = {
    "jsonl": write_jsonl,
    "csv": write_csv,
    "parquet": write_parquet,
}

# -- CSV cells that a spreadsheet would run as formulas when the file is opened

FORMULA_MARK: Final = "'"  # spreadsheets read what follows as text; `dowse domain build` removes it again
_FORMULA_STARTS: Final = ("=", "+", "-", "@", "\t", "\r")
_NUMBER: Final = re.compile(r"[+-]?\d[\d.,]{0,30}%?")  # -5 is a number, not a formula


def choose_writer(form: str, *, raw: bool = False) -> WriteRows:
    """Return the writer of a format; in CSV, cells that look like formulas are marked unless raw is wanted."""
    return WRITERS[form] if raw or form != "csv" else write_guarded


def write_guarded(rows: Iterable[Row], columns: tuple[str, ...], out: IO[bytes]) -> int:
    """Write CSV whose cells, names of columns among them, are text to every spreadsheet; return how many rows."""
    names = {name: guard_cell(name) for name in columns}
    guarded = (
        {names[name]: guard_cell(row[name]) if isinstance(row[name], str) else row[name] for name in columns}
        for row in rows
    )
    return WRITERS["csv"](guarded, tuple(names.values()), out)


def guard_cell(cell: str) -> str:
    """Return a cell with a mark before it where a spreadsheet would take it for a formula."""
    return f"{FORMULA_MARK}{cell}" if cell.startswith(_FORMULA_STARTS) and not _NUMBER.fullmatch(cell) else cell


# -- records of a harvest, and pages found by example: an attribute is a column, several values of one are a list


MAX_TYPED_TEXTS: Final = 5_000  # of a column that decide its type: more do not change it


@dataclass(frozen=True, slots=True)
class RecordColumns:
    """The columns of some records: one for each attribute, a list where any record has several values."""

    names: tuple[str, ...]
    lists: frozenset[str] = frozenset()
    types: tuple[tuple[str, ColumnType], ...] = ()  # of columns whose texts are numbers or dates
    url: str = "_url"  # the column of a record's own page

    @property
    def typed_names(self) -> dict[tuple[str, ColumnType], str]:
        """The columns that hold the numbers and dates of others: Price (number)."""
        return {(name, each): f"{name} ({each.name})" for name, each in self.types}

    def to_row(self, record: Record) -> Row:
        """Return a record as a row with every column."""
        row = dict.fromkeys((*self.names, self.url)) | to_row(record, self.url)
        return row | {name: [row[name]] for name in self.lists if isinstance(row[name], str)}

    def add_types(self, row: Row) -> Row:
        """Return a row with its numbers and dates."""
        read = {
            name: each.parse(row[column]) if isinstance(row[column], str) else None
            for (column, each), name in self.typed_names.items()
        }
        return row | read


def find_columns(records: Iterable[Record]) -> RecordColumns:
    """Return the columns of records, in the order they occur."""
    lists: set[str] = set()
    texts: dict[str, list[str]] = {}
    for record in records:
        own = Counter(value.attribute for value in record.values)
        lists |= {name for name, often in own.items() if often > 1}
        for name, text in record.values:
            kept = texts.setdefault(name, [])
            if len(kept) < MAX_TYPED_TEXTS:
                kept.append(text)
    found = find_types({name: some for name, some in texts.items() if name not in lists})
    types = tuple((name, each) for name, each in found.items() if f"{name} ({each.name})" not in texts)
    return RecordColumns(tuple(texts), frozenset(lists), types, url_column(texts))


def write_records(store: Store, harvest: int, output: str, *, raw: bool = False) -> int:
    """Write the records of a harvest, copies left out, to a file whose ending chooses the format; return how many."""
    found, copies = find_columns(read_records(store, harvest)), read_copies(store, harvest)
    rows = (found.to_row(record) for number, record in enumerate(read_records(store, harvest)) if number not in copies)
    return _write_file(rows, (*found.names, found.url), output, raw=raw, found=found)


def write_all_records(store: Store, form: str, out: IO[bytes], *, raw: bool = False) -> int:
    """Write the records of all harvests, copies left out, with the columns of all of them; return how many."""
    copies_of = cache(partial(read_copies, store))
    found = find_columns(record for *_, record in all_records(store))
    columns = (*RECORD_COLUMNS, *(name for name in found.names if name not in RECORD_COLUMNS), found.url)
    rows = (
        found.to_row(record) | {"_source": source, "_harvest": harvest, "_number": number}
        for source, harvest, number, record in all_records(store)
        if number not in copies_of(harvest)
    )
    return (
        write_parquet(rows, columns, out, found)
        if form == "parquet"
        else choose_writer(form, raw=raw)(rows, columns, out)
    )


def write_targets(store: Store, walk: WalkRun, output: str, attributes: Iterable[str] = ()) -> int:
    """Write the pages of a run to a file whose ending chooses the format; return how many.

    Columns stand in the order of the attributes that are given, whatever the pages have; others come after them.
    """
    names = dict.fromkeys(attributes)
    for target in read_targets(store, walk):
        names |= dict.fromkeys(value.attribute for value in target.values)
    columns = (*PAGE_COLUMNS, *(name for name in names if name not in PAGE_COLUMNS))
    rows = (
        dict.fromkeys(columns)
        | to_row(Record(target.values, "", target.url))
        | {"_url": target.url, "_title": target.title, "_likeness": target.likeness, "_new": target.new}
        for target in read_targets(store, walk)
    )
    return _write_file(rows, columns, output)


def _write_file(
    rows: Iterable[Row], columns: tuple[str, ...], output: str, *, raw: bool = False, found: RecordColumns | None = None
) -> int:
    form = Path(output).suffix.lstrip(".").lower()
    write = choose_writer(form, raw=raw)
    try:
        with open(output, "wb") as out:
            return write_parquet(rows, columns, out, found) if form == "parquet" else write(rows, columns, out)
    except OSError as error:
        raise BadInput(f"{output} cannot be written: {(error.strerror or str(error)).lower()}") from None


def url_column(names: Container[str]) -> str:
    """Return the name of the column for a record's own page: one that no attribute has."""
    return next(name for name in (f"{'_' * n}url" for n in count(1)) if name not in names)


def to_row(record: Record, url: str = "_url") -> Row:
    """Return a record as a row: one value as it is, several as a list."""
    values: dict[str, list[str]] = {}
    for attribute, text in record.values:
        values.setdefault(attribute, []).append(text)
    return {name: texts[0] if len(texts) == 1 else texts for name, texts in values.items()} | {url: record.url}
