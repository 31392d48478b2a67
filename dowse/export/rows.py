"""Rows as JSONL, CSV or Parquet, streamed."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import IO, Any

from dowse.errors import BadInput
from dowse.store.rows import to_json

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
    writer = csv.writer(_Encoded(out))
    writer.writerow(columns)
    count = 0
    for count, row in enumerate(rows, 1):  # noqa: B007
        writer.writerow([_plain(row[name]) for name in columns])
    return count


class _Encoded:
    """What csv writes text into, as UTF-8; unlike a TextIOWrapper it never closes what it writes to."""

    def __init__(self, out: IO[bytes]) -> None:
        self._out = out

    def write(self, text: str) -> int:
        """Write a line."""
        return self._out.write(text.encode("utf-8", "replace"))


OF_PAGES = ("_url", "_title", "_likeness", "_new")  # what is said of a page beside its data


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
    known = known | {"_likeness": arrow.float64(), "_new": arrow.bool_()} if columns[:4] == OF_PAGES else known
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
