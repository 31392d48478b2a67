"""Opening a list: packed or not, from a file or standard input, as blocks of bytes."""

from __future__ import annotations

import bz2
import codecs
import gzip
import io
import lzma
import sys
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import chain
from pathlib import Path
from typing import IO

from dowse.errors import BadInput

BLOCK_BYTES = 1 << 18
HEAD_BYTES = 1 << 14  # as much of a list as it is recognised by
MAX_LINE_CHARS = 10_000
MAX_FILES = 1_000  # of one archive
TOO_LONG = "(a line that is too long)"
_BROKEN = (OSError, EOFError, zlib.error, lzma.LZMAError, zipfile.BadZipFile, NotImplementedError, RuntimeError)
_ZIP = b"PK\x03\x04"
_UNREADABLE = {b"\x28\xb5\x2f\xfd": "zstd", b"7z\xbc\xaf": "7z", b"Rar!": "rar"}


@dataclass(frozen=True, slots=True)
class SiteList:
    """A list that is open: its name, where it lies, how it begins, and all of it."""

    name: str
    folder: Path | None
    head: bytes
    blocks: Iterator[bytes]
    in_archive: bool = False  # beside other files


@contextmanager
def open_listing(path: str) -> Iterator[SiteList]:
    """Open a list; `-` is standard input."""
    name = "standard input" if path == "-" else path
    with _open(path) as stream:
        head, blocks = _read_head(_blocks(stream, name))
        if not head:
            list(blocks)  # what is broken from its first byte on says so here
            raise BadInput(f"{name} is empty; give a file with one address per line")
        yield SiteList(name, None if path == "-" else Path(path).parent, head, blocks)


def open_listings(path: str) -> Iterator[SiteList | str]:
    """Yield a list, open until the next is asked for; or each file of a zip archive, or why one of them is no list."""
    if path == "-" or not _has_several_files(path):
        with open_listing(path) as listing:
            yield listing
        return
    with zipfile.ZipFile(path) as archive:
        files = _files(archive)
        for each in files[:MAX_FILES]:
            yield _open_member(archive, each, path)
    if len(files) > MAX_FILES:
        yield f"{path}: {len(files) - MAX_FILES:,} more files of the archive were not read"


def _has_several_files(path: str) -> bool:
    """Return True if a file is an archive with several files in it; what is wrong with it is said where it is opened."""
    try:
        if not Path(path).is_file():  # a pipe can be read once
            return False
        with Path(path).open("rb") as stream:
            return stream.read(4) == _ZIP and len(_files(zipfile.ZipFile(stream))) > 1
    except (*_BROKEN, ValueError):
        return False


def _files(archive: zipfile.ZipFile) -> list[zipfile.ZipInfo]:
    return [each for each in archive.infolist() if not each.is_dir()]


def _open_member(archive: zipfile.ZipFile, file: zipfile.ZipInfo, path: str) -> SiteList | str:
    """Open one file of an archive; it is closed with the archive."""
    name = f"{path}: {file.filename[:200]}"
    try:
        head, blocks = _read_head(_blocks(archive.open(file), name))
    except _BROKEN as error:
        return f"{name} cannot be unpacked: {_reason(error)}"
    return SiteList(name, Path(path).parent, head, blocks, in_archive=True) if head else f"{name} is empty"


def split_lines(blocks: Iterator[bytes]) -> Iterator[str]:
    """Yield the lines; one that is too long is only named. A last line that was cut off by an error is not given."""
    rest, skipping = b"", False
    for block in blocks:
        whole, newline, rest = (rest + block).rpartition(b"\n")
        if newline:
            lines = whole.decode("utf-8", "replace").split("\n")
            yield from (line if len(line) <= MAX_LINE_CHARS else TOO_LONG for line in lines[skipping:])
            skipping = False
        if len(rest) > MAX_LINE_CHARS:
            if not skipping:
                yield TOO_LONG
            rest, skipping = b"", True
    if rest and not skipping:
        yield rest.decode("utf-8", "replace")


@contextmanager
def _open(path: str) -> Iterator[IO[bytes]]:
    if path == "-":
        if sys.stdin is None:
            raise BadInput("standard input is closed; give a file")
        yield _unpack(sys.stdin.buffer, "standard input")
        return
    try:
        stream = Path(path).open("rb")  # noqa: SIM115 (closed below)
    except IsADirectoryError:
        raise BadInput(f"{path} is a folder; give a file with one address per line") from None
    except (OSError, ValueError) as error:
        raise BadInput(f"{path} cannot be read: {_reason(error)}") from None
    with stream:
        yield _unpack(stream, path)


def _unpack(stream: IO[bytes], name: str) -> IO[bytes]:
    """Return the stream as it was before it was packed; a pipe cannot be wound back, so one only looks ahead."""
    try:
        magic = stream.peek(6)[:6]  # type: ignore[attr-defined]  # both kinds of stream have it
    except OSError as error:
        raise BadInput(f"{name} cannot be read: {_reason(error)}") from None
    for start, word in _UNREADABLE.items():
        if magic.startswith(start):
            raise BadInput(f"{name} is packed with {word}; unpack it first")
    unpack = next((unpack for start, unpack in _UNPACKERS.items() if magic.startswith(start)), None)
    try:
        return unpack(stream) if unpack else stream
    except _BROKEN as error:
        raise BadInput(f"{name} cannot be unpacked: {_reason(error)}") from None


def _open_zip(stream: IO[bytes]) -> IO[bytes]:
    """Open the largest file of an archive."""
    if not stream.seekable():
        raise OSError("a zip archive has to be a file")
    archive = zipfile.ZipFile(stream)
    files = _files(archive)
    if not files:
        raise OSError("the archive is empty")
    return archive.open(max(files, key=lambda each: each.file_size))


_UNPACKERS: dict[bytes, Callable[[IO[bytes]], IO[bytes]]] = {
    b"\x1f\x8b": lambda stream: gzip.GzipFile(fileobj=stream),  # type: ignore[dict-item,return-value]
    b"\xfd7zXZ\x00": partial(lzma.LZMAFile, format=lzma.FORMAT_XZ),
    b"BZh": lambda stream: bz2.BZ2File(stream),
    _ZIP: _open_zip,
}


def _blocks(stream: IO[bytes], name: str) -> Iterator[bytes]:
    """Yield the bytes as they come; what stood before an error has been given when it is raised."""
    try:
        while block := stream.read1(BLOCK_BYTES):  # type: ignore[attr-defined]
            yield block
    except _BROKEN as error:
        packed = not isinstance(stream, io.BufferedReader)
        raise BadInput(f"{name} cannot be {'unpacked' if packed else 'read'}: {_reason(error)}") from None


def _read_head(blocks: Iterator[bytes]) -> tuple[bytes, Iterator[bytes]]:
    """Return the beginning, and all blocks with it."""
    begun: list[bytes] = []
    try:
        while sum(map(len, begun)) < HEAD_BYTES and (block := next(blocks, b"")):
            begun.append(block)
    except BadInput as error:
        blocks = _broken_off(error)
    whole = b"".join(begun).removeprefix(codecs.BOM_UTF8)
    return whole[:HEAD_BYTES], chain([whole], blocks)


def _broken_off(error: BadInput) -> Iterator[bytes]:
    """Raise the error when what stood before it has been read."""
    raise error
    yield b""


def _reason(error: Exception) -> str:
    return str((isinstance(error, OSError) and error.strerror) or error).lower()
