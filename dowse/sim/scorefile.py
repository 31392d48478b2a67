"""Reads what somebody found from a file, to be compared with the truth."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import orjson

from dowse.errors import BadInput
from dowse.sim.score import Found, read_found

FORM_KEYS = ("site", "kind", "action", "fields")


def read_rows(path: str) -> Iterator[dict[str, Any]]:
    """Give the objects of a file of JSON lines."""
    try:
        with open(path, "rb") as lines:
            for number, line in enumerate(lines, 1):
                if line.strip():
                    yield _read_row(path, number, line)
    except OSError as error:
        raise BadInput(f"{path} cannot be read: {(error.strerror or str(error)).lower()}") from None


def _read_row(path: str, number: int, line: bytes) -> dict[str, Any]:
    try:
        row = orjson.loads(line)
    except orjson.JSONDecodeError:
        row = None
    if not isinstance(row, dict):
        raise BadInput(f"{path} line {number} is not a JSON object; one object per line is wanted")
    return row


def read_forms(path: str) -> list[Found]:
    """Read forms as `dowse export forms` writes them."""
    rows = list(read_rows(path))
    for number, row in enumerate(rows, 1):
        missing = [key for key in FORM_KEYS if key not in row]
        if missing:
            raise BadInput(f"{path} line {number} has no {missing[0]}; `dowse export forms` writes what is wanted")
    return read_found(rows)
