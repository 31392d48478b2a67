"""Rows as JSONL, CSV or Parquet, streamed."""

from __future__ import annotations

import csv
import io
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
)
COLUMNS = {"sites": SITE_COLUMNS, "forms": FORM_COLUMNS}


def write_jsonl(rows: Iterable[Row], columns: tuple[str, ...], out: IO[bytes]) -> None:
    """Write one JSON object per line."""
    for row in rows:
        out.write(to_json(row).encode() + b"\n")


def write_csv(rows: Iterable[Row], columns: tuple[str, ...], out: IO[bytes]) -> None:
    """Write CSV with a header; lists become JSON."""
    text = io.TextIOWrapper(out, "utf-8", newline="", write_through=True)
    writer = csv.writer(text)
    writer.writerow(columns)
    for row in rows:
        writer.writerow([_flat(row[name]) for name in columns])
    text.detach()


def write_parquet(rows: Iterable[Row], columns: tuple[str, ...], out: IO[bytes]) -> None:
    """Write Parquet; lists become JSON."""
    try:
        import pyarrow as arrow
        from pyarrow import parquet
    except ImportError:
        raise BadInput("Parquet needs pyarrow: pip install 'dowse[parquet]'") from None
    kinds = {"pages": arrow.int64(), "forms": arrow.int64(), "sources": arrow.int64(), "rank": arrow.int64(),
             "depth": arrow.int64(), "probability": arrow.float64(), "searchable": arrow.bool_()}  # fmt: skip
    schema = arrow.schema([(name, kinds.get(name, arrow.string())) for name in columns])
    with parquet.ParquetWriter(out, schema) as writer:
        for batch in _batches(rows):
            writer.write_table(
                arrow.table({name: [_flat(row[name]) for row in batch] for name in columns}, schema=schema)
            )


def _batches(rows: Iterable[Row]) -> Iterator[list[Row]]:
    stream = iter(rows)
    while batch := list(islice(stream, PARQUET_BATCH)):
        yield batch


def _flat(value: Any) -> Any:
    return to_json(value) if isinstance(value, list | dict) else value


WRITERS: dict[str, Callable[[Iterable[Row], tuple[str, ...], IO[bytes]], None]] = {
    "jsonl": write_jsonl,
    "csv": write_csv,
    "parquet": write_parquet,
}
