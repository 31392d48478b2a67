"""The rows of a file, one after another: CSV, lines of JSON, or a JSON list of objects, each also compressed."""

from __future__ import annotations

import codecs
import csv
import gzip
import io
import json
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from dowse.errors import BadInput

_LONGEST = 1 << 24  # characters of a line, or of a record in a JSON list
_PIECE = 1 << 16
_SPACE = " \t\r\n"
_DECODER = json.JSONDecoder()

FileRow = dict[str, Any]  # column -> what the file says


def read_rows(path: Path) -> Iterator[FileRow]:
    """Read the rows of a table, or say in one line what is wrong with the file."""
    endings = [suffix.lower() for suffix in path.suffixes]
    packed = endings[-1:] == [".gz"]
    reader = _READERS.get("".join(endings[-2:-1] if packed else endings[-1:]))
    if not reader:
        raise BadInput(f"{path}: a table is a .csv, .jsonl, .ndjson or .json file, or one of these with .gz")
    try:
        with gzip.open(path) if packed else path.open("rb") as stream:
            yield from reader(path, stream)
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise BadInput(f"{path}: the compressed file is broken: {error}") from None
    except OSError as error:
        raise BadInput(f"{path}: cannot be read: {error.strerror or error}") from None


def _read_csv(path: Path, stream: io.BufferedIOBase) -> Iterator[FileRow]:
    lines = csv.reader(line for _, line in _lines(path, stream))
    try:
        columns = _name_columns(next(lines, []))
        for fields in lines:
            if fields:
                yield dict(zip(columns, fields, strict=False))
    except csv.Error as error:
        raise BadInput(f"{path}: line {lines.line_num} is not CSV: {error}") from None


def _name_columns(heads: list[str]) -> list[str]:
    """Return the names of columns, each once; those without a name are counted."""
    names: list[str] = []
    for at, head in enumerate(heads, start=1):
        plain = head.strip()
        names.append(plain if plain and plain not in names else f"{plain or 'column'} {at}")
    return names


def _read_lines(path: Path, stream: io.BufferedIOBase) -> Iterator[FileRow]:
    for number, line in _lines(path, stream):
        if not line.strip():
            continue
        try:
            row = json.loads(line.rstrip())
        except (ValueError, RecursionError) as error:
            raise BadInput(f"{path}: line {number} is not JSON: {_reason(error)}") from None
        if not isinstance(row, dict):
            raise BadInput(f"{path}: line {number} is not a record: each line must be a JSON object")
        yield row


def _lines(path: Path, stream: io.BufferedIOBase) -> Iterator[tuple[int, str]]:
    number = 0
    while line := stream.readline(_LONGEST):
        number += 1
        if len(line) == _LONGEST:
            raise BadInput(f"{path}: line {number} is too long for a table")
        if b"\0" in line:
            raise BadInput(f"{path}: line {number} is not text")
        try:
            yield number, line.decode("utf-8-sig" if number == 1 else "utf-8")
        except UnicodeDecodeError:
            raise BadInput(f"{path}: line {number} is not UTF-8 text") from None


def _read_list(path: Path, stream: io.BufferedIOBase) -> Iterator[FileRow]:
    """Read a JSON list piece by piece; it need not have lines."""
    text = _Unread(path, stream)
    if text.peek() != "[":
        raise BadInput(f"{path}: not a table: it must be a JSON list of objects")
    text.drop()
    while text.peek() == "{":
        yield text.take_object()
        if text.peek() != ",":
            break
        text.drop()
        if text.peek() != "{":
            raise BadInput(f"{path}: line {text.line} is not a record: the list must hold JSON objects")
    if text.peek() != "]":
        raise BadInput(f"{path}: line {text.line}: not a list of JSON objects, or its end is missing")
    text.drop()
    if text.peek():
        raise BadInput(f"{path}: line {text.line}: there is more after the end of the list")


class _Unread:
    """What is left of a text that is read in pieces."""

    def __init__(self, path: Path, stream: io.BufferedIOBase) -> None:
        self.line = 1
        self._path = path
        self._stream = codecs.getreader("utf-8-sig")(stream)
        self._left = ""

    def peek(self) -> str:
        """Return the sign that comes next after space, or nothing at the end."""
        while not (left := self._left.lstrip(_SPACE)) and self._read():
            pass
        self._drop(len(self._left) - len(left))
        return self._left[:1]

    def drop(self) -> None:
        """Go past one sign."""
        self._drop(1)

    def take_object(self) -> FileRow:
        """Read the object that comes next."""
        while True:
            try:
                found, end = _DECODER.raw_decode(self._left)
            except (ValueError, RecursionError) as error:
                if len(self._left) > _LONGEST or not self._read():
                    line = self.line + getattr(error, "lineno", 1) - 1
                    raise BadInput(f"{self._path}: line {line} is not JSON: {_reason(error)}") from None
                continue
            self._drop(end)
            row: FileRow = found
            return row

    def _drop(self, length: int) -> None:
        self.line += self._left.count("\n", 0, length)
        self._left = self._left[length:]

    def _read(self) -> bool:
        """Read on, twice as much each time, and say whether there was more."""
        try:
            more = self._stream.read(max(_PIECE, len(self._left)))
        except UnicodeDecodeError:
            raise BadInput(f"{self._path}: not UTF-8 text after line {self.line}") from None
        if "\0" in more:
            raise BadInput(f"{self._path}: not text after line {self.line}")
        self._left += more
        return bool(more)


def _reason(error: Exception) -> str:
    if isinstance(error, json.JSONDecodeError):
        return f"{error.msg} at character {error.colno}"
    return "nested too deeply" if isinstance(error, RecursionError) else "a number is too long"


_READERS: dict[str, Callable[[Path, io.BufferedIOBase], Iterator[FileRow]]] = {
    ".csv": _read_csv,
    ".jsonl": _read_lines,
    ".ndjson": _read_lines,
    ".json": _read_list,
}
