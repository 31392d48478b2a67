"""Places to start from: what a person typed, and lists in the shapes people keep them in.

A plain list has one address per line; a ranking is CSV with the rank and the host (Tranco),
or with a header that names its columns. Either may be gzipped; both are streamed.
"""

from __future__ import annotations

import gzip
import io
import sys
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from dowse.errors import BadInput
from dowse.model import Seed
from dowse.url import seed_address, site_of

_ADDRESS_COLUMNS = ("url", "site", "domain", "host", "homepage", "address", "origin", "rootdomain", "name")
_RANK_COLUMNS = ("rank", "globalrank", "position", "#")
MAX_LINE = 10_000


@dataclass(slots=True)
class Refused:
    """Lines of a list that are no address: how many, and the first; beside how many are."""

    accepted: int = 0
    count: int = 0
    first: str = ""

    def add(self, where: str, text: str) -> None:
        """Count a line."""
        self.count += 1
        self.first = self.first or f"{where}: {text[:80]!r} is not a web address"


@dataclass(slots=True)
class _Columns:
    """Where a CSV line has its address and its rank."""

    address: int = -1
    rank: int = -1
    names: list[str] = field(default_factory=list)


def read_seed(text: str) -> Seed:
    """Return the place that a person typed."""
    url = seed_address(text)
    if url is None:
        raise BadInput(f"{text[:120]!r} is not a web address; give one such as http://example.com/ or example.com")
    return Seed(site_of(url), url)


def read_list(path: str, refused: Refused) -> Iterator[Seed]:
    """Yield the sites of a list; `-` is standard input. Lines that are none are counted."""
    if path == "-":
        if sys.stdin is None:
            raise BadInput("standard input is closed; give a file")
        yield from _seeds(sys.stdin.buffer, "standard input", refused)
        return
    with _open(Path(path)) as stream:
        yield from _seeds(stream, path, refused)


def _open(path: Path) -> IO[bytes]:
    try:
        stream = path.open("rb")
        magic = stream.peek(2)[:2]  # a pipe cannot be wound back
    except IsADirectoryError:
        raise BadInput(f"{path} is a folder; give a file with one address per line") from None
    except OSError as error:
        raise BadInput(f"{path} cannot be read: {(error.strerror or str(error)).lower()}") from None
    return io.BufferedReader(gzip.GzipFile(fileobj=stream)) if magic == b"\x1f\x8b" else stream


def _seeds(stream: IO[bytes], name: str, refused: Refused) -> Iterator[Seed]:
    columns = _Columns()
    for number, line in enumerate(_lines(stream, name), 1):
        text = line.decode("utf-8-sig", "replace").strip()
        if not text or text.startswith("#") or (number == 1 and _is_header(text, columns)):
            continue
        address, rank = _split(text, columns)
        url = seed_address(address)
        if url is None:
            refused.add(f"{name}, line {number}", text)
        else:
            refused.accepted += 1
            yield Seed(site_of(url), url, rank)


def _lines(stream: IO[bytes], name: str) -> Iterator[bytes]:
    try:
        while line := stream.readline(MAX_LINE):
            too_long = len(line) == MAX_LINE and not line.endswith(b"\n")
            while too_long and (rest := stream.readline(MAX_LINE)) and not rest.endswith(b"\n"):
                pass
            yield b"(a line that is too long)" if too_long else line
    except (OSError, EOFError, zlib.error) as error:
        raise BadInput(f"{name} cannot be unpacked: {error}") from None


def _is_header(text: str, columns: _Columns) -> bool:
    """Say whether the first line of a CSV names columns, and take note of where they are."""
    names = [name.strip().strip('"').lower() for name in text.split(",")]
    columns.address = next((names.index(name) for name in _ADDRESS_COLUMNS if name in names), -1)
    columns.rank = next((names.index(name) for name in _RANK_COLUMNS if name in names), -1)
    return columns.address >= 0 and (len(names) > 1 or seed_address(text) is None)


def _split(text: str, columns: _Columns) -> tuple[str, int]:
    """Return the address and the rank of a line."""
    if "," not in text:
        return text.split()[0], 0
    parts = [part.strip().strip('"') for part in text.split(",")]
    if columns.address >= 0:
        address = parts[columns.address] if columns.address < len(parts) else ""
        rank = parts[columns.rank] if 0 <= columns.rank < len(parts) else ""
        return address, int(rank) if rank.isdecimal() else 0
    if parts[0].isdecimal():
        return parts[1], int(parts[0])
    return parts[0], int(parts[1]) if parts[1].isdecimal() else 0
