"""Decodes content encodings (gzip, deflate, br, zstd) without ever holding more than the limit."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import brotli  # type: ignore[import-untyped]
import zstandard

ACCEPTED = "gzip, deflate, br, zstd"
_MAX_ENCODINGS = 4  # one on top of the other; real servers use one
_CHUNK_BYTES = 1024  # decoded in one go: the most that is lost before an error in the stream
_MAX_WINDOW_BYTES = 8 * 1024 * 1024  # RFC 9659: what a zstd decoder for the web must allow, and no more


@dataclass(frozen=True, slots=True)
class Decoded:
    """A body without its content encoding."""

    body: bytes
    truncated: bool = False  # there was more than the limit, or the stream ended early
    error: str = ""  # why it could not be decoded


def decode(body: bytes, content_encoding: str, limit: int) -> Decoded:
    """Decode the encodings that the Content-Encoding header names, last one first."""
    names = [name for name in (part.strip().lower() for part in content_encoding.split(",")) if name != "identity"]
    names = [name for name in names if name]
    if len(names) > _MAX_ENCODINGS:
        return Decoded(b"", error=f"{len(names)} encodings on top of each other")
    decoded = Decoded(body)
    for name in reversed(names):
        inner = _decode_one(decoded.body, name, limit)
        decoded = Decoded(inner.body, decoded.truncated or inner.truncated, inner.error or decoded.error)
    return decoded


def _decode_one(body: bytes, name: str, limit: int) -> Decoded:
    decoder = _DECODERS.get(name)
    if decoder is None:
        return Decoded(b"", error=f"unknown encoding {name[:40]!r}")
    if not body:
        return Decoded(b"")
    return _collect(decoder(body, limit), limit)


def _collect(chunks: Iterator[bytes], limit: int) -> Decoded:
    """Join what a decoder yields up to the limit; of a broken stream what came before is kept."""
    parts: list[bytes] = []
    room = limit
    try:
        for chunk in chunks:
            parts.append(chunk[:room])
            if len(chunk) > room:
                return Decoded(b"".join(parts), truncated=True)
            room -= len(chunk)
    except _Incomplete:
        return Decoded(b"".join(parts), truncated=True, error="" if any(parts) else "ends too early")
    except (zlib.error, brotli.error, zstandard.ZstdError, MemoryError) as problem:
        return Decoded(b"".join(parts), truncated=True, error=str(problem) or "broken stream")
    return Decoded(b"".join(parts))


class _Incomplete(Exception):
    """The stream ended before its end mark."""


def _gzip(body: bytes, limit: int) -> Iterator[bytes]:
    """Yield the members one after the other; data after the last one that is not gzip is ignored."""
    start = 0
    while start == 0 or body.startswith(b"\x1f\x8b", start):
        stream = zlib.decompressobj(wbits=31)
        for place in range(start, len(body), _CHUNK_BYTES):
            piece = body[place : place + _CHUNK_BYTES]
            yield stream.decompress(piece, limit + 1)
            if stream.eof:
                break
        if not stream.eof:
            raise _Incomplete
        start = place + len(piece) - len(stream.unused_data)


def _deflate(body: bytes, limit: int) -> Iterator[bytes]:
    """Yield a zlib stream, or a raw one, as some servers misread RFC 9110 8.4.1.2."""
    zlib_header = len(body) > 1 and body[0] & 15 == 8 and (body[0] << 8 | body[1]) % 31 == 0
    stream = zlib.decompressobj(wbits=15 if zlib_header else -15)
    for place in range(0, len(body), _CHUNK_BYTES):
        yield stream.decompress(body[place : place + _CHUNK_BYTES], limit + 1)
    if not stream.eof:
        raise _Incomplete


def _brotli(body: bytes, limit: int) -> Iterator[bytes]:
    stream = brotli.Decompressor()
    step = min(limit + 1, 1 << 18)
    for place in range(0, len(body), _CHUNK_BYTES):
        yield stream.process(body[place : place + _CHUNK_BYTES], output_buffer_limit=step)
        while not stream.can_accept_more_data():
            yield stream.process(b"", output_buffer_limit=step)
        if stream.is_finished():
            return
    raise _Incomplete


def _zstd(body: bytes, limit: int) -> Iterator[bytes]:
    decompressor = zstandard.ZstdDecompressor(max_window_size=_MAX_WINDOW_BYTES)
    reader = decompressor.stream_reader(body, read_across_frames=True)
    nothing = True
    while chunk := reader.read(min(limit + 1, 1 << 18)):
        nothing = False
        yield chunk
    if nothing:
        stream = decompressor.decompressobj()
        stream.decompress(body)  # small, or the reader would have given something
        if not stream.eof:
            raise _Incomplete


_DECODERS: dict[str, Callable[[bytes, int], Iterator[bytes]]] = {
    "gzip": _gzip,
    "x-gzip": _gzip,
    "deflate": _deflate,
    "br": _brotli,
    "zstd": _zstd,
}
