"""What is known of a domain from a source that was drawn before: its values and their records (paper 4, Definition 4.1).

A table is plain data in one file: a zip archive with JSON for the names and rows of numbers for the rest.
Nothing in it is run, and nothing in it is believed before it is checked.
"""

from __future__ import annotations

import os
import sys
import zipfile
import zlib
from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import orjson

from dowse.errors import BadInput
from dowse.model import Record

FORMAT: Final = "dowse domain table 1"
MOST_BYTES: Final = 1 << 30  # unpacked: a table of 400,000 films with all their people has a tenth of it
MOST_VALUES: Final = 20_000_000
LONGEST: Final = 300  # letters: a longer text is a description, which nobody asks for
_NAMES, _KINDS, _ENDS, _RECORDS = "names.json", "attributes.u16", "ends.u64", "records.u32"
_TYPES: Final = {_KINDS: "H", _ENDS: "Q", _RECORDS: "I"}


@dataclass(frozen=True, slots=True)
class DomainTable:
    """The values of a domain and, for each, the records that have it: from that, how probable it is."""

    attributes: tuple[str, ...]
    texts: Sequence[str]  # of each value
    attribute_of: array[int]  # of each value, its place in attributes
    ends: array[int]  # of each value, where its records end
    postings: array[int]  # the records of all values, one value after the other
    record_count: int

    @property
    def value_count(self) -> int:
        """How many values there are."""
        return len(self.texts)

    def count(self, value: int) -> int:
        """Return how many records have a value."""
        return self.ends[value] - (self.ends[value - 1] if value else 0)

    def records_of(self, value: int) -> array[int]:
        """Return the records that have a value."""
        return self.postings[self.ends[value - 1] if value else 0 : self.ends[value]]


NO_TABLE: Final = DomainTable((), (), array("H"), array("Q"), array("I"), 0)


def build_table(records: Iterable[Record]) -> DomainTable:
    """Make a table of records, of any source or file."""
    found: dict[tuple[str, str], array[int]] = {}
    number = -1
    for number, record in enumerate(records):
        for value in set(record.values):
            if value.text and len(value.text) <= LONGEST:
                found.setdefault(value, array("I")).append(number)
        if len(found) > MOST_VALUES:
            raise BadInput(f"more than {MOST_VALUES:,} values are too many for a domain table")
    places = {name: place for place, name in enumerate(dict.fromkeys(name for name, _ in found))}
    ends, postings = array("Q"), array("I")
    for records_of in found.values():
        postings.extend(records_of)
        ends.append(len(postings))
    kinds = array("H", (places[name] for name, _ in found))
    return DomainTable(tuple(places), tuple(text for _, text in found), kinds, ends, postings, number + 1)


def save_table(table: DomainTable, path: str | Path) -> None:
    """Write a table to a file, whole or not at all."""
    names = {
        "format": FORMAT, "records": table.record_count, "attributes": table.attributes, "texts": list(table.texts),
    }  # fmt: skip
    unfinished = f"{path}.unfinished"
    try:
        with zipfile.ZipFile(unfinished, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as packed:
            packed.writestr(_NAMES, orjson.dumps(names))
            for name, row in ((_KINDS, table.attribute_of), (_ENDS, table.ends), (_RECORDS, table.postings)):
                packed.writestr(name, _to_bytes(row))
        os.replace(unfinished, path)
    except OSError as error:
        Path(unfinished).unlink(missing_ok=True)
        raise BadInput(f"{path} cannot be written: {(error.strerror or str(error)).lower()}") from error


def read_table(path: str | Path) -> DomainTable:
    """Read a table from a file; say in one line what is wrong with it."""
    try:
        with zipfile.ZipFile(path) as packed:
            return _read(packed)
    except (
        zipfile.BadZipFile,
        zlib.error,
        KeyError,
        ValueError,
        TypeError,
        NotImplementedError,
        RuntimeError,
        EOFError,
    ) as error:
        why = str(error).strip("'\"") or type(error).__name__
        raise BadInput(f"{path} is not a domain table ({why}); make one with `dowse domain build`") from error
    except OSError as error:
        raise BadInput(f"{path} cannot be read: {(error.strerror or str(error)).lower()}") from error


def _read(packed: zipfile.ZipFile) -> DomainTable:
    if sum(each.file_size for each in packed.infolist()) > MOST_BYTES:
        raise ValueError("it is too large")
    names = orjson.loads(_read_part(packed, _NAMES))
    if not isinstance(names, dict) or names.get("format") != FORMAT:
        raise ValueError("another format")
    rows = {name: _from_bytes(_read_part(packed, name), kind) for name, kind in _TYPES.items()}
    attributes, texts = _read_texts(names, "attributes"), _read_texts(names, "texts")
    records = names.get("records")
    if not isinstance(records, int) or isinstance(records, bool) or not 0 <= records < 1 << 32:
        raise ValueError("no number of records")
    table = DomainTable(tuple(attributes), texts, rows[_KINDS], rows[_ENDS], rows[_RECORDS], records)
    _check(table)
    return table


def _read_part(packed: zipfile.ZipFile, name: str) -> bytes:
    """Read one part; the size that the archive tells may be a lie."""
    with packed.open(name) as part:
        found = part.read(MOST_BYTES + 1)
    if len(found) > MOST_BYTES:
        raise ValueError("it is too large")
    return found


def _read_texts(names: dict[str, Any], key: str) -> list[str]:
    texts = names.get(key)
    if not isinstance(texts, list) or not all(isinstance(text, str) and len(text) <= LONGEST for text in texts):
        raise ValueError(f"no {key}")
    return texts


def _check(table: DomainTable) -> None:
    """See that every number leads somewhere."""
    if not len(table.texts) == len(table.attribute_of) == len(table.ends):
        raise ValueError("its parts do not fit")
    if any(place >= len(table.attributes) for place in table.attribute_of):
        raise ValueError("a value without an attribute")
    if any(before > after for before, after in pairwise(table.ends)) or (table.ends or [0])[-1] != len(table.postings):
        raise ValueError("its parts do not fit")
    if table.postings and max(table.postings) >= table.record_count:
        raise ValueError("a record that is not there")


def _to_bytes(row: array[int]) -> bytes:
    if sys.byteorder == "big":
        row = row[:]
        row.byteswap()
    return row.tobytes()


def _from_bytes(found: bytes, kind: str) -> array[int]:
    row: array[int] = array(kind)
    row.frombytes(found)
    if sys.byteorder == "big":
        row.byteswap()
    return row
