"""Answers from WARC files instead of the network; the newest capture wins.

The index is a sorted CDXJ file beside the WARCs, searched on disk by bisection: memory
use does not grow with the recording. A key is the URL, and for other methods than GET
the method and the digest of the request's body too (`url#POST:digest`).
"""

from __future__ import annotations

import hashlib
import heapq
import json
import mmap
import os
import re
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO

from fastwarc.warc import ArchiveIterator, WarcRecord, WarcRecordType

from dowse.errors import BadInput
from dowse.fetch import Fetch
from dowse.fetch.archive import FAILURE_TYPE, ORIGINAL_PREFIX
from dowse.fetch.encoding import decode
from dowse.model import Failure, Request, Response
from dowse.reasons import FailureReason
from dowse.settings import MIB
from dowse.url import canonical

INDEX_NAME = "dowse-index.cdxj"
_VERSION = "!dowse-cdxj 1"  # '!' sorts before every address
_RECORD_TYPES = WarcRecordType.request | WarcRecordType.response | WarcRecordType.metadata
_MAX_HEADER_BYTES = MIB
_OLDEST_TIMESTAMP = "0" * 20
_NOT_DIGITS = re.compile(r"\D")
_READ_ERRORS = (OSError, EOFError, ValueError, RuntimeError)  # of fastwarc, at a record that is incomplete


@contextmanager
def open_replay(folder: str, body_limit: int = 2 * MIB) -> Iterator[Fetch]:
    """Open a folder of WARC files as a Fetch; the index is rebuilt when the files have changed."""
    path = Path(folder)
    warcs = sorted([*path.glob("*.warc.gz"), *path.glob("*.warc")])
    if not warcs:
        raise BadInput(f"cannot replay {folder}: there are no WARC files in it")
    try:
        index = _open_index(path, warcs)
    except OSError as problem:
        raise BadInput(f"cannot replay {folder}: {problem.strerror}") from problem
    with index.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as lines:
        yield replay(path, lines, body_limit)


def replay(folder: Path, lines: mmap.mmap | bytes, body_limit: int) -> Fetch:
    """Return a Fetch that answers from the WARC files that the index lines point into."""

    async def fetch_from_recording(request: Request) -> Response | Failure:
        place = find_capture(lines, request_key(request.url, request.method, request.body))
        if place is None:
            return Failure(request.url, FailureReason.NOT_RECORDED)
        return read_capture(folder, place, request.url, body_limit)

    return fetch_from_recording


@dataclass(frozen=True, slots=True)
class CapturePlace:
    """Where a record is."""

    file: str
    offset: int


def request_key(url: str, method: str = "GET", body: bytes = b"") -> str:
    """Return the key of an exchange in the index."""
    if method == "GET" and not body:
        return url
    return f"{url}#{method}:{hashlib.sha1(body, usedforsecurity=False).hexdigest()}"


def find_capture(lines: mmap.mmap | bytes, key: str) -> CapturePlace | None:
    """Find the newest capture of a key by bisection over the sorted lines."""
    prefix = key.encode() + b" "
    low, high = 0, len(lines)
    while low < high:  # to the first line after all lines of the key
        start = lines.rfind(b"\n", 0, (low + high) // 2) + 1
        end = lines.find(b"\n", start) + 1 or len(lines)
        if lines[start:end][: len(prefix)] <= prefix:
            low = end
        else:
            high = start
    start = lines.rfind(b"\n", 0, max(0, low - 1)) + 1
    line = lines[start:low]
    if not line.startswith(prefix):
        return None
    entry = json.loads(line[len(prefix) :].partition(b" ")[2])
    return CapturePlace(entry["filename"], int(entry["offset"]))


def read_capture(folder: Path, place: CapturePlace, url: str, body_limit: int) -> Response | Failure:
    """Read one record as the result that it was recorded from."""
    try:
        with (folder / place.file).open("rb") as file:
            file.seek(place.offset)
            record = next(_records(file))
            if record.record_type == WarcRecordType.metadata:
                return _read_failure(record, url)
            return _read_response(record, url, body_limit)
    except (*_READ_ERRORS, StopIteration) as problem:
        return Failure(url, FailureReason.NOT_RECORDED, f"{place.file} at {place.offset} cannot be read: {problem}")


def _records(file: IO[bytes]) -> Iterator[WarcRecord]:
    return iter(ArchiveIterator(file, record_types=_RECORD_TYPES, parse_http=False))


def _read_failure(record: WarcRecord, url: str) -> Failure:
    fields = json.loads(record.reader.read())
    return Failure(url, FailureReason[fields["why"]], fields["detail"], fields["status"], fields["retry_after"])


def _read_response(record: WarcRecord, url: str, body_limit: int) -> Response | Failure:
    record.parse_http(auto_decode="transfer", max_header_len=_MAX_HEADER_BYTES, strict_mode=False)
    body = record.reader.read(body_limit + 1)
    pairs = [(name.lower(), value) for name, value in record.http_headers.items()]
    status = record.http_headers.status_code or 0
    encoding = ",".join(value for name, value in pairs if name == "content-encoding") if body else ""
    cut = "WARC-Truncated" in record.headers or len(body) > body_limit
    decoded = decode(body[:body_limit], encoding, body_limit)
    if decoded.error and not decoded.body:
        return Failure(url, FailureReason.ENCODING, decoded.error, status)
    return Response(url, status, tuple(_original_headers(pairs)), decoded.body, cut or decoded.truncated)


def _original_headers(pairs: list[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Yield the headers as the server sent them, before the archive changed them."""
    replaced = {name.removeprefix(ORIGINAL_PREFIX) for name, _ in pairs if name.startswith(ORIGINAL_PREFIX)}
    for name, value in pairs:
        if name not in replaced:
            yield name.removeprefix(ORIGINAL_PREFIX), value


def _open_index(folder: Path, warcs: list[Path]) -> Path:
    """Return the path of the index, rebuilt unless it was made from these very files."""
    index = folder / INDEX_NAME
    stats = [(warc.name, warc.stat().st_size, warc.stat().st_mtime_ns) for warc in warcs]
    first = f"{_VERSION} {hashlib.sha1(repr(stats).encode(), usedforsecurity=False).hexdigest()}\n"
    with suppress(FileNotFoundError), index.open("rb") as file:
        if file.readline() == first.encode():
            return index
    draft = folder / f"{INDEX_NAME}.{os.getpid()}"
    with ExitStack() as stack, draft.open("w", encoding="utf-8", newline="\n") as out:
        out.write(first)
        out.writelines(heapq.merge(*(_sorted_lines(warc, stack) for warc in warcs), key=_as_bytes))
    draft.replace(index)
    return index


def _as_bytes(line: str) -> bytes:
    return line.encode()


def _sorted_lines(warc: Path, stack: ExitStack) -> IO[str]:
    """Return the sorted index lines of one file, held on disk while the others are read."""
    draft = stack.enter_context(TemporaryFile("w+", encoding="utf-8", newline="\n"))  # noqa: SIM115
    draft.writelines(sorted(build_index_lines(warc), key=_as_bytes))
    draft.seek(0)
    return draft


@dataclass(slots=True)
class _ArchivedExchange:
    """An exchange found in a file, before its index line is written."""

    url: str
    when: str
    offset: int
    suffix: str = ""  # what the key has after the address, for other methods than GET
    lines: list[str] = field(default_factory=list)


def build_index_lines(warc: Path) -> list[str]:
    """Return the index lines of one WARC file; an incomplete record at its end is left out."""
    captures: dict[str, _ArchivedExchange] = {}
    suffixes: dict[str, str] = {}  # by the id of a record on either side of the exchange
    with warc.open("rb") as file, suppress(*_READ_ERRORS):
        for record in _records(file):
            if record.record_type == WarcRecordType.request:
                _note_request(record, suffixes)
            elif capture := _to_capture(record):
                suffix = suffixes.pop(record.headers.get("WARC-Concurrent-To") or "", "")
                capture.suffix = suffix
                captures[str(record.record_id)] = capture
    for identity, suffix in suffixes.items():  # requests that were written after their responses
        if identity in captures:
            captures[identity].suffix = suffix
    return [line for capture in captures.values() for line in _index_lines(capture, warc.name)]


def _note_request(record: WarcRecord, suffixes: dict[str, str]) -> None:
    """Keep the end of the key of an exchange that is not a plain GET."""
    other = record.headers.get("WARC-Concurrent-To") or ""
    identity = str(record.record_id)
    record.parse_http(max_header_len=_MAX_HEADER_BYTES, strict_mode=False)
    method = (record.http_headers.status_line or "").partition(" ")[0]
    body = record.reader.read()
    suffix = request_key("", method or "GET", body)
    if suffix:
        suffixes[identity] = suffix
        if other:
            suffixes[other] = suffix


def _to_capture(record: WarcRecord) -> _ArchivedExchange | None:
    """Return the capture of a response or failure record; None for any other record."""
    headers = record.headers
    kind = (headers.get("Content-Type") or "").replace(" ", "").lower()
    wanted = FAILURE_TYPE if record.record_type == WarcRecordType.metadata else "application/http"
    url = (headers.get("WARC-Target-URI") or "").strip("<>")  # wget writes the brackets of WARC 1.0
    if not kind.startswith(wanted) or not url:
        return None
    place = record.stream_pos
    if record.consume() != record.content_length:
        return None  # incomplete: the end of the file is missing
    when = _NOT_DIGITS.sub("", headers.get("WARC-Date") or "")[:20].ljust(20, "0")
    return _ArchivedExchange(url.replace(" ", "%20"), when, place)


def _index_lines(capture: _ArchivedExchange, name: str) -> Iterator[str]:
    """Yield the line of the URL as recorded, and an older one of its canonical form."""
    entry = json.dumps({"filename": name, "offset": capture.offset})
    yield f"{capture.url}{capture.suffix} {capture.when} {entry}\n"
    canonical_url = canonical(capture.url)
    if canonical_url is not None and canonical_url != capture.url:
        yield f"{canonical_url}{capture.suffix} {_OLDEST_TIMESTAMP} {entry}\n"
