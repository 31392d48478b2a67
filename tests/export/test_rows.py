"""Rows out: the same rows in every format."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import orjson
import pytest

from dowse.export.rows import FORM_COLUMNS, WRITERS

ROWS = [
    {
        name: [f"{name} 1"]
        if name in ("reasons", "fields", "conditions", "controls")
        else 1
        if name in ("depth", "id")
        else 0.5
        if name == "probability"
        else name == "searchable" or f'ü, "{name}"'
        for name in FORM_COLUMNS
    }
]
ROWS[0]["searchable"] = True


@pytest.mark.parametrize("form", list(WRITERS))
def test_formats(form: str, tmp_path: Path) -> None:
    path = tmp_path / "out"
    with path.open("wb") as out:
        WRITERS[form](iter(ROWS), FORM_COLUMNS, out)
    assert _read(form, path)["signature"] == 'ü, "signature"'


def _read(form: str, path: Path) -> dict[str, object]:
    if form == "jsonl":
        return orjson.loads(path.read_bytes())  # type: ignore[no-any-return]
    if form == "csv":
        return next(csv.DictReader(io.StringIO(path.read_text())))
    from pyarrow import parquet

    table = parquet.read_table(path).to_pylist()
    assert table[0]["depth"] == 1
    return table[0]  # type: ignore[no-any-return]
