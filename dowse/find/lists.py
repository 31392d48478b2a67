"""Lists with one address per line: plain ones, and rankings in columns (Tranco, Umbrella, Majestic).

A ranking has the rank and the host, in either order, or a header that names its columns.
Commas, tabs and semicolons stand between columns; what stands in quotation marks is one column.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from dataclasses import dataclass

from dowse.find.address import is_number, seed_of, why_none
from dowse.find.refused import Refused
from dowse.find.unpack import Listing, split_lines
from dowse.model import Seed

SEPARATORS = (",", "\t", ";")
_ADDRESS_COLUMNS = ("url", "site", "domain", "host", "homepage", "address", "origin", "rootdomain", "name")
_RANK_COLUMNS = ("rank", "globalrank", "position", "#")
_MAX_RANK_DIGITS = 12


@dataclass(frozen=True, slots=True)
class Columns:
    """What stands between the columns of a ranking, and which of them hold address and rank; -1 when nothing says it."""

    separator: str
    address: int = -1
    rank: int = -1


def read_plain(listing: Listing, refused: Refused) -> Iterator[Seed]:
    """Yield the places of a plain list; words behind an address are left aside."""
    first = True
    for number, line in enumerate(split_lines(listing.blocks), 1):
        text = line.strip()
        if not text or text[0] == "#":
            continue
        is_header, first = first and text.lower() in _ADDRESS_COLUMNS, False
        if is_header:
            continue
        word = text.split(None, 1)[0]
        seed = seed_of(word)
        if seed:
            refused.accepted += 1
            yield seed
        else:
            refused.add(f"{listing.name}, line {number}", text, why_none(word))


def read_ranking(listing: Listing, refused: Refused) -> Iterator[Seed]:
    """Yield the places of a list in columns, with their ranks."""
    columns: Columns | None = None
    for number, line in enumerate(split_lines(listing.blocks), 1):
        text = line.strip()
        if not text or (text[0] == "#" and not text.startswith("#,")):
            continue
        if columns is None:
            columns = find_columns(text)
            if columns.address >= 0:
                continue
        seed = _read_row(text, columns)
        if isinstance(seed, Seed):
            refused.accepted += 1
            yield seed
        else:
            refused.add(f"{listing.name}, line {number}", text, seed)


def find_columns(text: str) -> Columns:
    """Return what the first line of a list says about its columns: names, or nothing but what stands between them."""
    separator = next((mark for mark in SEPARATORS if mark in text), ",")
    names = [name.strip().lower() for name in _cells(text, separator)]
    address = next((names.index(name) for name in _ADDRESS_COLUMNS if name in names), -1)
    rank = next((names.index(name) for name in _RANK_COLUMNS if name in names), -1)
    return Columns(separator, address, rank)


def _read_row(text: str, columns: Columns) -> Seed | str:
    """Return the place that a row means, or why it means none."""
    cells = _cells(text, columns.separator)
    at, rank = columns.address, columns.rank
    if at < 0:
        at = 1 if len(cells) > 1 and cells[0].isdigit() else 0
        rank = 1 - at
    words = cells[at].split(None, 1) if at < len(cells) else []
    if not words:
        return "has no web address"
    found = seed_of(words[0], _rank(cells[rank]) if 0 <= rank < len(cells) else 0)
    return found or ("has a number for its web address" if is_number(words[0]) else "is not a web address")


def _cells(text: str, separator: str) -> list[str]:
    if '"' not in text:
        return text.split(separator)
    try:
        return next(csv.reader([text], delimiter=separator, skipinitialspace=True), [])
    except csv.Error:
        return text.replace('"', "").split(separator)


def _rank(cell: str) -> int:
    digits = cell.strip()
    return int(digits) if digits.isdecimal() and len(digits) <= _MAX_RANK_DIGITS else 0
