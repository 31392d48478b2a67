"""Pages that a crawler by example found, as rows: an attribute is a column."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from dowse.errors import BadInput
from dowse.export.formula import choose_writer
from dowse.export.records import to_row
from dowse.export.rows import OF_PAGES
from dowse.model import Record
from dowse.store import Store
from dowse.store.walks import Begun, read_targets


def write_targets(store: Store, walk: Begun, output: str, attributes: Iterable[str] = ()) -> int:
    """Write the pages of a run to a file whose ending chooses the format; return how many.

    Columns stand in the order of the attributes that are given, whatever the pages say; others come after them.
    """
    names = dict.fromkeys(attributes)
    for target in read_targets(store, walk):
        names |= dict.fromkeys(value.attribute for value in target.values)
    columns = (*OF_PAGES, *(name for name in names if name not in OF_PAGES))
    try:
        with open(output, "wb") as out:
            write = choose_writer(Path(output).suffix.lstrip(".").lower())
            return write(_rows(store, walk, columns), columns, out)
    except OSError as error:
        raise BadInput(f"{output} cannot be written: {(error.strerror or str(error)).lower()}") from None


def _rows(store: Store, walk: Begun, columns: tuple[str, ...]) -> Iterator[dict[str, Any]]:
    for target in read_targets(store, walk):
        told = {"_url": target.url, "_title": target.title, "_likeness": target.likeness, "_new": target.new}
        yield dict.fromkeys(columns) | to_row(Record(target.values, "", target.url)) | told
