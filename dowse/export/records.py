"""Records of a harvest as rows: an attribute is a column, several values of one are a list."""

from __future__ import annotations

from collections.abc import Container, Iterator
from itertools import count
from pathlib import Path
from typing import Any

from dowse.errors import BadInput
from dowse.export.formula import choose_writer
from dowse.model import Record
from dowse.store import Store
from dowse.store.harvests import read_records


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
