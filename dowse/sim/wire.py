"""HTTP/1 as bytes: requests out of what a client sends, answers as they are sent. Nothing here touches a socket."""

from __future__ import annotations

import gzip
import re
from functools import lru_cache
from http.client import responses as REASONS
from typing import NamedTuple

from dowse.model import Request, Response

HEAD_LIMIT = 64 * 1024
BODY_LIMIT = 1024 * 1024
TEXT = ("content-type", "text/plain; charset=utf-8")
METHODS = ("GET", "HEAD", "POST")
HANDED = ("accept-language", "content-type", "cookie", "user-agent", "x-requested-with")  # what the world is told
GZIP_FROM = 200  # bytes; less is not worth it
GO_AHEAD = b"HTTP/1.1 100 Continue\r\n\r\n"
ROWS_KEPT = 2048
ROWS_KEPT_BYTES = 1024

_FRAMING = frozenset({"connection", "content-length", "transfer-encoding"})  # what the wire says, not the world
_ENDS = {True: b"connection: keep-alive\r\n\r\n", False: b"connection: close\r\n\r\n"}
_LINE = re.compile(rb"([!-~]+) ([!-~\x80-\xff]+) HTTP/1\.(\d)")
_ABSOLUTE = re.compile(r"http://([^/?#]*)(.*)", re.IGNORECASE)
_AUTHORITY = re.compile(r"[^\s/?#@\\,]*")
_CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]")
_GZIP = re.compile(r"(?:^|[\s,])(?:x-)?gzip(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))")
_LENGTH = re.compile(r"[0-9]{1,9}")


class Asked(NamedTuple):
    """A request as it came over the wire."""

    method: str
    url: str
    host: str  # lower case, without port
    headers: tuple[tuple[str, str], ...]  # those that the world is told
    keep_alive: bool
    gzip: bool  # the client takes gzip
    length: int = 0  # of the body
    waits: bool = False  # the client sends its body when it is told to go ahead
    body: bytes = b""

    @property
    def request(self) -> Request:
        """The request as the world sees it."""
        return Request(self.url, self.method, self.body, self.headers)


class Rows(NamedTuple):
    """What the rows of a request's head say."""

    authority: str  # host, and port where it is not this server's or 80
    headers: tuple[tuple[str, str], ...]
    wishes: frozenset[str]  # what becomes of the connection
    gzip: bool
    length: int
    waits: bool


class Place(NamedTuple):
    """Where a request leads."""

    authority: str
    path: str

    @property
    def url(self) -> str:
        """The whole address."""
        return f"http://{self.authority}{self.path}"

    @property
    def host(self) -> str:
        """The host without its port."""
        return self.authority.partition(":")[0]


class Sealed(NamedTuple):
    """An answer as bytes, all but the end of its head, which says what becomes of the connection."""

    status: int
    head: bytes
    body: bytes

    def write(self, asked: Asked) -> bytes:
        """Return the bytes to send."""
        return b"".join((self.head, _ENDS[asked.keep_alive], self.body))


class Inbox:
    """What a client has sent and nobody has read yet."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._bytes = bytearray()
        self._searched = 0
        self._asked: Asked | None = None  # a head whose body has not come yet

    def __len__(self) -> int:
        return len(self._bytes)

    @property
    def is_empty(self) -> bool:
        """Whether no request has begun."""
        return not self._bytes and self._asked is None

    def add(self, chunk: bytes) -> None:
        """Add what the client has sent."""
        self._bytes += chunk

    def take(self) -> Asked | Response | None:
        """Take the next request; one that cannot be served gives its answer, one that has not come yet nothing."""
        if self._asked is None:
            found = self._take_head()
            if not isinstance(found, Asked) or not found.length:
                return found
            self._asked = found
        return self._take_body(self._asked)

    def take_wait(self) -> bool:
        """Whether the client waits to be told to go ahead: true once."""
        if self._asked is None or not self._asked.waits:
            return False
        self._asked = self._asked._replace(waits=False)
        return True

    def _take_head(self) -> Asked | Response | None:
        end = self._bytes.find(b"\r\n\r\n", self._searched)
        if (end if end >= 0 else len(self._bytes)) > HEAD_LIMIT:
            return refuse(431, "headers too large")
        if end < 0:
            self._searched = max(0, len(self._bytes) - 3)
            return None
        head = bytes(self._bytes[:end])
        del self._bytes[: end + 4]
        self._searched = 0
        return read_head(head, self._port)

    def _take_body(self, asked: Asked) -> Asked | None:
        if len(self._bytes) < asked.length:
            return None
        body = bytes(self._bytes[: asked.length])
        del self._bytes[: asked.length]
        self._asked = None
        return asked._replace(body=body)


def read_head(head: bytes, port: int) -> Asked | Response:
    """Read the head of a request that came to a port; one that cannot be served gives its answer."""
    line, _, block = head.removeprefix(b"\r\n").partition(b"\r\n")
    match = _LINE.fullmatch(line)
    if not match:
        return refuse(400, "not an HTTP/1 request")
    rows = (_read_known_rows if len(block) <= ROWS_KEPT_BYTES else _read_rows)(block, port)
    if isinstance(rows, Response):
        return rows
    method, minor = match[1].decode("latin-1"), match[3]
    if method not in METHODS:
        return _refuse_method(method)
    place = _find_place(match[2].decode("latin-1"), rows.authority, port)
    if isinstance(place, Response):
        return place
    if not place.authority and minor != b"0":  # RFC 9112, 3.2
        return refuse(400, "no host is named")
    keep_alive = "close" not in rows.wishes if minor != b"0" else "keep-alive" in rows.wishes
    return Asked(method, place.url, place.host, rows.headers, keep_alive, rows.gzip, rows.length, rows.waits)


def _find_place(target: str, authority: str, port: int) -> Place | Response:
    """Return what a target names: a path of the host in the head, or as to a proxy all of an address."""
    if target.startswith("/"):
        return Place(authority, target)
    absolute = _ABSOLUTE.fullmatch(target)
    if not absolute:
        return refuse(400, "the target is neither a path nor an http:// address")
    return Place(_drop_port(absolute[1], port), absolute[2])


def _read_rows(block: bytes, port: int) -> Rows | Response:
    """Read the rows below the first line."""
    headers: dict[str, str] = {}
    for row in block.decode("latin-1").split("\r\n") if block else ():
        name, _, value = row.partition(":")
        name, value = name.strip().lower(), value.strip()
        joint = "; " if name == "cookie" else ", "
        headers[name] = f"{headers[name]}{joint}{value}" if name in headers else value
    if any(map(_CONTROL.search, headers.values())):
        return refuse(400, "control characters in headers")
    if "transfer-encoding" in headers or not _is_length(headers.get("content-length", "0")):
        return refuse(413, "body too large")
    if not _AUTHORITY.fullmatch(headers.get("host", "")):
        return refuse(400, "the host named is no host")
    wish = headers.get("connection", headers.get("proxy-connection", "")).lower()
    return Rows(
        _drop_port(headers.get("host", ""), port),
        tuple((name, headers[name]) for name in HANDED if name in headers),
        frozenset(token.strip() for token in wish.split(",")),
        bool(_GZIP.search(headers.get("accept-encoding", "").lower())),
        int(headers.get("content-length", "0")),
        headers.get("expect", "").lower() == "100-continue",
    )


_read_known_rows = lru_cache(ROWS_KEPT)(_read_rows)  # a client says the same of itself each time


def _is_length(text: str) -> bool:
    return bool(_LENGTH.fullmatch(text)) and int(text) <= BODY_LIMIT


def _drop_port(authority: str, port: int) -> str:
    """Return host and port without a port that leads here: a browser that is told where hosts are names the real one."""
    host, _, named = authority.lower().partition(":")
    return host if named in ("", "80", str(port)) else f"{host}:{named}"


def refuse(status: int, line: str, *headers: tuple[str, str]) -> Response:
    """Return the answer to a request that is not put to the world."""
    return Response("", status, (TEXT, *headers), f"{line}\n".encode())


def _refuse_method(method: str) -> Response:
    words = {"CONNECT": "CONNECT is refused: this web speaks plain HTTP"}
    return refuse(405, words.get(method, "GET, HEAD and POST only"), ("allow", ", ".join(METHODS)))


def seal(answer: Response, asked: Asked) -> Sealed:
    """Write an answer to a request as bytes."""
    body, headers = answer.body, answer.headers
    if asked.gzip and len(body) >= GZIP_FROM and not answer.header("content-encoding"):
        body = gzip.compress(body, 1, mtime=0)
        headers = (*headers, ("content-encoding", "gzip"), ("vary", "accept-encoding"))
    head = write_head(answer.status, headers, len(body))
    return Sealed(answer.status, head, b"" if asked.method == "HEAD" else body)


def write_last(answer: Response, missing: int = 0) -> bytes:
    """Write the last answer of a connection; it may promise more than it has."""
    return write_head(answer.status, answer.headers, len(answer.body) + missing) + _ENDS[False] + answer.body


def write_head(status: int, headers: tuple[tuple[str, str], ...], length: int) -> bytes:
    """Write the head of an answer, all but its end."""
    rows = "".join(f"{name}: {_CONTROL.sub(' ', value)}\r\n" for name, value in headers if name not in _FRAMING)
    line = f"HTTP/1.1 {status} {REASONS.get(status, 'Unknown')}"
    return f"{line}\r\n{rows}content-length: {length}\r\n".encode("latin-1", "replace")
