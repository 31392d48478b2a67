"""Fetches over HTTP: libcurl's multi interface on the asyncio loop, one hop per request.

Redirects, retries and delays are left to the wrappers. Everything that a server can
send is bounded: header bytes, body bytes before and after decompression, and time.
"""

from __future__ import annotations

import asyncio
import math
import re
import select
import socket
import ssl
from collections.abc import Callable
from contextlib import suppress
from enum import Enum, auto
from functools import lru_cache
from types import TracebackType
from typing import Any, Protocol, Self

import pycurl  # type: ignore[import-untyped]

from dowse.fetch.encoding import ACCEPTED, decode
from dowse.fetch.guard import NOT_AN_IP, build_connect_to, judge_address
from dowse.model import Failure, Request, Response
from dowse.reasons import FailureReason
from dowse.settings import FetchSettings
from dowse.url import origin, site_of

# What a visit asks for: pages, as browsers do. JSON is not named: some servers (Django REST framework) do not weigh q and send
# whichever type they like best of those that are named.
ACCEPT = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.5"
# What a question to a door asks for: the page, or the same answer for programs where the server prefers that.
ACCEPT_ANSWER = "text/html,application/xhtml+xml,application/xml;q=0.9,application/json;q=0.8,text/*;q=0.5"
MAX_CONNECTIONS = 512  # kept open, most of them idle
_MAX_HEADERS = 1000
_BUFFER_BYTES = 64 * 1024
_MAX_SPARE_HANDLES = 256  # kept for the next requests
_MIN_BYTES_PER_SECOND = 10  # slower than that for _STALL_SECONDS is a time out
_STALL_SECONDS = 30

_STATUS_LINE = re.compile(r"HTTP/[\d.]+ +(\d{3})")
_NOT_A_PAGE = re.compile(
    r"(?!image/svg)(?:image|video|audio|font|model)/"
    r"|application/(?:octet-stream|pdf|zip|gzip|x-gzip|x-tar|x-bzip2?|x-7z|x-rar|vnd\.rar|x-xz|zstd|java-archive|msword"
    r"|postscript|epub|wasm|x-msdownload|x-msdos|x-debian|x-rpm|x-iso|x-apple|x-shockwave|ogg|mp4|font|x-font"
    r"|vnd\.(?:ms-|openxml|oasis|android|apple|debian|sqlite)|x-sqlite|x-executable|x-sharedlib|pkcs|pgp|rtf|parquet)"
    r"|multipart/|text/(?:css|calendar|vcard)|binary/",
    re.IGNORECASE,
)
_CURL_ERRORS: dict[int, FailureReason] = {  # libcurl's error numbers; all others mean a broken connection
    1: FailureReason.GARBAGE,  # HTTP/0.9; other schemes do not get here
    3: FailureReason.BAD_URL,
    6: FailureReason.NO_HOST,
    7: FailureReason.REFUSED,
    8: FailureReason.GARBAGE,
    16: FailureReason.GARBAGE,
    28: FailureReason.TIMEOUT,
    35: FailureReason.TLS,
    43: FailureReason.BAD_URL,
    51: FailureReason.TLS,
    53: FailureReason.TLS,
    54: FailureReason.TLS,
    58: FailureReason.TLS,
    59: FailureReason.TLS,
    60: FailureReason.TLS,
    61: FailureReason.ENCODING,
    66: FailureReason.TLS,
    77: FailureReason.TLS,
    80: FailureReason.TLS,
    82: FailureReason.TLS,
    83: FailureReason.TLS,
    90: FailureReason.TLS,
    91: FailureReason.TLS,
    92: FailureReason.GARBAGE,
    94: FailureReason.TLS,
    98: FailureReason.TLS,
    100: FailureReason.HEADERS,
}
_SUPPRESS_CONNECT_HEADERS = 265  # CURLOPT_SUPPRESS_CONNECT_HEADERS, which pycurl has no name for
_TIMER_EXPIRED = [(pycurl.SOCKET_TIMEOUT, 0)]
_PARTIAL_BODY_ERRORS = frozenset({16, 18, 56, 92})  # errors after which what was received is still worth reading


def http(settings: FetchSettings, agent: str = "Dowse") -> Http:
    """Return the Fetch that talks to servers; close it when done."""
    return Http(settings, agent)


class Http:
    """A Fetch over one libcurl multi handle; belongs to the event loop of its first request."""

    def __init__(self, settings: FetchSettings, agent: str) -> None:
        self._settings = settings
        self._agent = agent
        self._connect_to = build_connect_to(settings.connect_to) if settings.connect_to else None
        self._spare: list[_Transfer] = []
        self._active: set[_Transfer] = set()
        self._driver: _Driver | None = None

    async def __call__(self, request: Request) -> Response | Failure:
        """Send one request."""
        url = request.url
        if not url.startswith(("http://", "https://")):
            return Failure(url, FailureReason.BAD_URL, "only http and https are fetched")
        if self._settings.proxy and not self._settings.allow_private and (refused := _private_host(url)):
            return Failure(url, FailureReason.PRIVATE, f"{refused}; --allow-private allows it")
        driver = self._driver = self._driver or _Driver(asyncio.get_running_loop())
        transfer = self._spare.pop() if self._spare else _Transfer(self._settings, self._agent)
        try:
            transfer.prepare(request, self._connect_to(origin(url)) if self._connect_to else "")
        except (pycurl.error, UnicodeError, ValueError) as problem:
            transfer.close()
            return Failure(url, FailureReason.BAD_URL, str(problem))
        done = driver.start(transfer)
        self._active.add(transfer)
        try:
            await done
        except asyncio.CancelledError:
            driver.stop(transfer)
            raise
        finally:
            self._active.discard(transfer)
        result = transfer.result(request)
        if len(self._spare) < _MAX_SPARE_HANDLES:
            transfer.clear()
            self._spare.append(transfer)
        else:
            transfer.close()
        return result

    async def aclose(self) -> None:
        """Close every connection; requests under way are cancelled."""
        driver, self._driver = self._driver, None
        if driver is None:
            return
        for transfer in self._active:
            driver.stop(transfer)
        for transfer in self._spare:
            transfer.close()
        self._spare.clear()
        driver.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()


class _Driver:
    """Runs libcurl's transfers on the event loop."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._running = 0
        self._timer: asyncio.TimerHandle | None = None
        self._soon: asyncio.Handle | None = None
        self._sockets = build_sockets(loop, self._on_ready)
        self._multi = multi = pycurl.CurlMulti()
        multi.setopt(pycurl.M_MAXCONNECTS, MAX_CONNECTIONS)
        multi.setopt(pycurl.M_SOCKETFUNCTION, self._sockets.watch)
        multi.setopt(pycurl.M_TIMERFUNCTION, self._set_timer)

    def start(self, transfer: _Transfer) -> asyncio.Future[None]:
        """Hand a transfer to libcurl; the future is done when the transfer is."""
        transfer.done = done = self._loop.create_future()
        self._multi.add_handle(transfer.curl)
        self._running += 1
        return done

    def stop(self, transfer: _Transfer) -> None:
        """Cancel a transfer."""
        if not transfer.finished:
            self._multi.remove_handle(transfer.curl)
            self._running -= 1
            transfer.finished = True
        if transfer.done is not None:
            transfer.done.cancel()
        transfer.close()

    def close(self) -> None:
        """Close the connections; no transfer may be running."""
        self._multi.close()
        self._sockets.close()
        for handle in (self._timer, self._soon):
            if handle is not None:
                handle.cancel()

    def _set_timer(self, milliseconds: int) -> None:
        """Set the timer for libcurl, which does so several times per request: an earlier timer is kept."""
        if milliseconds == 0:
            if self._soon is None:
                self._soon = self._loop.call_soon(self._on_soon)
            return
        if milliseconds < 0:
            return
        when = self._loop.time() + milliseconds / 1000
        if self._timer is not None:
            if self._timer.when() <= when:
                return
            self._timer.cancel()
        self._timer = self._loop.call_at(when, self._on_timer)

    def _on_soon(self) -> None:
        self._soon = None
        self._on_ready(_TIMER_EXPIRED)

    def _on_timer(self) -> None:
        self._timer = None
        self._on_ready(_TIMER_EXPIRED)
        if self._timer is None and self._running and (left := self._multi.timeout()) >= 0:
            self._set_timer(left)

    def _on_ready(self, ready: list[tuple[int, int]]) -> None:
        """Let libcurl work on the sockets that are ready, then complete the transfers that have ended."""
        running = self._running
        for fd, what in ready:
            _, running = self._multi.socket_action(fd, what)
        if running < self._running:
            self._collect_finished()

    def _collect_finished(self) -> None:
        multi = self._multi
        waiting = 1
        while waiting:
            waiting, good, bad = multi.info_read()
            for curl in good:
                self._finish(curl, 0, "")
            for curl, number, message in bad:
                self._finish(curl, number, message)

    def _finish(self, curl: Any, number: int, message: str) -> None:
        self._multi.remove_handle(curl)
        self._running -= 1
        curl.transfer.finish(number, message)


class _Ended(Enum):
    """Why a transfer was ended before the server had sent everything."""

    HEADERS_TOO_LARGE = auto()
    NOT_A_PAGE = auto()
    BODY_LIMIT = auto()


class _Transfer:
    """One easy handle, what it has received, and the future that waits for it."""

    def __init__(self, settings: FetchSettings, agent: str) -> None:
        self.curl: Any = pycurl.Curl()
        self.curl.transfer = self
        self.done: asyncio.Future[None] | None = None
        self.finished = False
        self._settings = settings
        self._agent = agent
        self._connect_to = ""
        self._is_plain_get = True
        self._set_up()
        self.clear()

    def clear(self) -> None:
        """Reset the handle for the next request."""
        self.done = None
        self.finished = False
        self._error = 0
        self._message = ""
        self._accepts_any_type = False
        self._lines: list[bytes] = []
        self._header_bytes_left = self._settings.header_limit
        self._headers: tuple[tuple[str, str], ...] = ()
        self._status = 0
        self._parts: list[bytes] = []
        self._body_bytes_left = self._settings.body_limit
        self._ended: _Ended | None = None  # why we ended the transfer ourselves
        self._refused = ""  # the address that the guard refused
        if not self._is_plain_get:
            self.curl.reset()
            self._set_up()

    def close(self) -> None:
        """Free the handle, which refers back to this transfer."""
        self.curl.transfer = None
        self.curl.close()

    def prepare(self, request: Request, connect_to: str) -> None:
        """Set the options of one request."""
        curl = self.curl
        curl.setopt(pycurl.URL, request.url)
        if connect_to != self._connect_to:
            curl.setopt(
                pycurl.CONNECT_TO, [f"::{connect_to}"] if connect_to else None
            )  # an empty list would change nothing
            self._connect_to = connect_to
        if request.method != "GET" or request.headers or request.body:
            self._is_plain_get = False
            self._set_method(request)
        self._accepts_any_type = request.url.endswith("/robots.txt") or any(
            name.lower() == "accept" and value != ACCEPT_ANSWER for name, value in request.headers
        )

    def finish(self, number: int, message: str) -> None:
        """Note how the transfer ended and wake who waits for it."""
        self.finished = True
        self._error = number
        self._message = message
        if self.done is not None and not self.done.done():
            self.done.set_result(None)

    def result(self, request: Request) -> Response | Failure:
        """Return the response, or why there is none."""
        failure = self._failure(request) if self._error else None
        if failure is not None:
            return failure
        if self._status < 200:
            return Failure(request.url, FailureReason.GARBAGE, "the header does not end", self._status)
        body = self._parts[0] if len(self._parts) == 1 else b"".join(self._parts)
        cut = self._error != 0
        if not body or not self._header("content-encoding"):
            return Response(request.url, self._status, self._headers, body, cut)
        encoding = ",".join(value for name, value in self._headers if name == "content-encoding")
        decoded = decode(body, encoding, self._settings.body_limit)
        if decoded.error and not decoded.body:
            return Failure(request.url, FailureReason.ENCODING, decoded.error, self._status)
        return Response(request.url, self._status, self._headers, decoded.body, cut or decoded.truncated)

    def _failure(self, request: Request) -> Failure | None:
        """Return why there is no response, or None when what was received can be used."""
        url, status = request.url, self._status
        if self._ended is _Ended.HEADERS_TOO_LARGE:
            return Failure(url, FailureReason.HEADERS, f"more than {self._settings.header_limit} bytes", status)
        if self._ended is _Ended.NOT_A_PAGE and 200 <= status < 300:
            return Failure(url, FailureReason.NOT_A_PAGE, self._header("content-type"), status)
        if self._ended is not None or (self._parts and self._error in _PARTIAL_BODY_ERRORS):
            return None
        if self._refused and self._error == pycurl.E_COULDNT_CONNECT:
            return Failure(url, FailureReason.PRIVATE, f"{self._refused}; --allow-private allows it")
        why = _CURL_ERRORS.get(self._error, FailureReason.BROKEN)
        if why is FailureReason.TIMEOUT:  # libcurl's message has milliseconds in it, so that no two would be equal
            return Failure(url, why, f"no answer in {self._settings.timeout:g} s", status)
        if why is FailureReason.REFUSED:  # libcurl's message says the same twice more
            return Failure(url, why, f"is the {'proxy' if self._settings.proxy else 'server'} up?", status)
        return Failure(url, why, self._message, status)

    def _on_header_line(self, line: bytes) -> int | None:
        """Take one line of the header; any result but None ends the transfer."""
        self._lines.append(line)
        self._header_bytes_left -= len(line)
        if self._header_bytes_left < 0:
            self._ended = _Ended.HEADERS_TOO_LARGE
            return -1
        return self._on_header_end() if len(line) < 3 else None

    def _on_header_end(self) -> int | None:
        """Parse a whole header block: of an interim response (100, 103), of the response, or a trailer."""
        first, *lines = b"".join(self._lines).decode("latin-1").replace("\r", "").split("\n")
        self._lines.clear()
        match = _STATUS_LINE.match(first)
        if match is None or self._headers:
            return None
        self._status = int(match[1])
        if self._status < 200:
            return None
        pairs = [line.partition(":") for line in lines[:_MAX_HEADERS]]
        self._headers = tuple([(name.strip().lower(), value.strip()) for name, colon, value in pairs if colon])
        return self._check_type()

    def _check_type(self) -> int | None:
        """End the transfer when the type says that it is not a page; a redirect may have any type."""
        content_type = self._header("content-type")
        if self._accepts_any_type or 300 <= self._status < 400 or not _NOT_A_PAGE.match(content_type):
            return None
        self._ended = _Ended.NOT_A_PAGE
        return -1

    def _header(self, name: str) -> str:
        return next((value for key, value in self._headers if key == name), "")

    def _on_body(self, chunk: bytes) -> int | None:
        """Take a chunk of the body; the transfer ends when the limit is reached."""
        room = self._body_bytes_left
        if len(chunk) <= room:
            self._parts.append(chunk)
            self._body_bytes_left = room - len(chunk)
            return None
        self._parts.append(chunk[:room])
        self._body_bytes_left = 0
        self._ended = _Ended.BODY_LIMIT
        return -1

    def _open_socket(self, purpose: int, address: Any) -> socket.socket | int:
        """Open a socket unless the address that libcurl connects to is refused."""
        family, kind, protocol, target = address
        ip = target[0] if isinstance(target, tuple) else str(target)
        verdict = judge_address(ip)
        if not verdict.yes:
            self._refused = f"{ip} ({verdict.reason})"
            return int(pycurl.SOCKET_BAD)
        return socket.socket(family, kind, protocol)

    def _set_method(self, request: Request) -> None:
        curl = self.curl
        if request.method == "HEAD":
            curl.setopt(pycurl.NOBODY, 1)
        elif request.method == "POST" or request.body:
            curl.setopt(pycurl.POST, 1)
            curl.setopt(pycurl.POSTFIELDS, request.body)
        if request.method not in ("GET", "HEAD", "POST"):
            curl.setopt(pycurl.CUSTOMREQUEST, request.method)
        curl.setopt(pycurl.HTTPHEADER, _merge_headers(request))

    def _set_up(self) -> None:
        """Set the options that all requests share."""
        self._is_plain_get = True
        self._connect_to = ""
        settings = self._settings
        for option, value in _COMMON_OPTIONS:
            self.curl.setopt(option, value)
        callbacks: list[tuple[int, Callable[..., Any]]] = [
            (pycurl.HEADERFUNCTION, self._on_header_line),
            (pycurl.WRITEFUNCTION, self._on_body),
        ]
        if not settings.allow_private:
            callbacks.append((pycurl.OPENSOCKETFUNCTION, self._open_socket))
        for option, callback in callbacks:
            self.curl.setopt(option, callback)
        if settings.proxy:
            self.curl.setopt(pycurl.PROXY, settings.proxy)
        if ca_file := _ca_file():
            self.curl.setopt(pycurl.CAINFO, ca_file)
        self.curl.setopt(pycurl.USERAGENT, self._agent)
        self.curl.setopt(pycurl.TIMEOUT_MS, max(1, int(settings.timeout * 1000)))
        self.curl.setopt(pycurl.CONNECTTIMEOUT_MS, max(1, int(settings.connect_timeout * 1000)))
        self.curl.setopt(pycurl.LOW_SPEED_TIME, min(_STALL_SECONDS, max(1, math.ceil(settings.timeout))))


def _private_host(url: str) -> str:
    """Return the host of a URL if it is a private address by itself: behind a proxy no socket would show that."""
    host = site_of(url).host.strip("[]")
    verdict = judge_address(host)
    if host == "localhost" or host.endswith(".localhost"):
        return f"{host} (loopback)"
    return "" if verdict.yes or verdict.reason == NOT_AN_IP else f"{host} ({verdict.reason})"


@lru_cache(maxsize=1)
def _ca_file() -> str:
    """Return the system's file of certificate authorities; the libcurl in the wheel has none."""
    return ssl.get_default_verify_paths().cafile or ""


def _merge_headers(request: Request) -> list[bytes]:
    """Return our own headers, overridden by the request's; without an empty Expect libcurl would send one."""
    given = {name.lower() for name, _ in request.headers}
    own = [(name, value) for name, value in _DEFAULT_HEADERS if name.lower() not in given]
    lines = [f"{name}: {value}" for name, value in (*own, *request.headers)]
    return [*(b" ".join(_header_bytes(line).split()) for line in lines), b"Expect:"]


def _header_bytes(text: str) -> bytes:
    """Return the bytes of a header: Latin-1, as the headers of responses are decoded; UTF-8 for all other letters."""
    try:
        return text.encode("latin-1")
    except UnicodeEncodeError:
        return text.encode("utf-8", "surrogateescape")


_DEFAULT_HEADERS = (("Accept", ACCEPT), ("Accept-Encoding", ACCEPTED), ("Accept-Language", "en;q=0.7,*;q=0.5"))
_COMMON_OPTIONS: tuple[tuple[int, object], ...] = (
    (pycurl.NOSIGNAL, 1),
    (pycurl.PROXY, ""),  # not the proxies that the environment names
    (_SUPPRESS_CONNECT_HEADERS, 1),  # a proxy's response to CONNECT is not the response
    (pycurl.PROTOCOLS, pycurl.PROTO_HTTP | pycurl.PROTO_HTTPS),
    (pycurl.FOLLOWLOCATION, 0),
    (pycurl.HTTP09_ALLOWED, 0),
    (pycurl.HTTP_CONTENT_DECODING, 0),  # the wheel's libcurl has no zstd; see encoding.py
    (pycurl.BUFFERSIZE, _BUFFER_BYTES),
    (pycurl.LOW_SPEED_LIMIT, _MIN_BYTES_PER_SECOND),
    (pycurl.DNS_CACHE_TIMEOUT, 300),
    (pycurl.HTTPHEADER, [f"{name}: {value}" for name, value in _DEFAULT_HEADERS]),
)


# -- the sockets of libcurl, watched for the event loop
# libcurl registers a socket again for every request. An epoll of its own, itself watched by the loop, takes half the time of
# uvloop's add_reader for that and a third of asyncio's, and reports many ready sockets at once; where the system has no
# epoll, the loop watches each socket.

Ready = Callable[[list[tuple[int, int]]], None]  # sockets, and what each is ready for, as libcurl's CSELECT flags


class Sockets(Protocol):
    """Watches the sockets that libcurl names."""

    def watch(self, what: int, fd: int, multi: object, data: object) -> None:
        """Start, change or stop watching one socket, as libcurl says (CURLMOPT_SOCKETFUNCTION)."""

    def close(self) -> None:
        """Stop watching."""


def build_sockets(loop: asyncio.AbstractEventLoop, ready: Ready) -> Sockets:
    """Return the fastest implementation that this system has."""
    return EpollSockets(loop, ready) if hasattr(select, "epoll") else LoopSockets(loop, ready)


class EpollSockets:
    """All sockets in one epoll, and only that one in the loop."""

    def __init__(self, loop: asyncio.AbstractEventLoop, ready: Ready) -> None:
        self._loop = loop
        self._ready = ready
        self._epoll = select.epoll()
        self._watched: dict[int, int] = {}
        loop.add_reader(self._epoll.fileno(), self._on_ready)

    def watch(self, what: int, fd: int, multi: object, data: object) -> None:
        """Start, change or stop watching one socket."""
        known = self._watched.get(fd)
        if what == pycurl.POLL_REMOVE:
            if known is not None:
                del self._watched[fd]
                with suppress(OSError):  # closed already, which unregisters it as well
                    self._epoll.unregister(fd)
            return
        if known is None:
            self._epoll.register(fd, _EPOLL_MASKS[what])
        elif known != what:
            self._epoll.modify(fd, _EPOLL_MASKS[what])
        self._watched[fd] = what

    def close(self) -> None:
        """Stop watching."""
        self._loop.remove_reader(self._epoll.fileno())
        self._epoll.close()

    def _on_ready(self) -> None:
        self._ready([(fd, _curl_mask(mask)) for fd, mask in self._epoll.poll(0)])


class LoopSockets:
    """Every socket in the loop."""

    def __init__(self, loop: asyncio.AbstractEventLoop, ready: Ready) -> None:
        self._loop = loop
        self._ready = ready
        self._watched: dict[int, int] = {}

    def watch(self, what: int, fd: int, multi: object, data: object) -> None:
        """Start, change or stop watching one socket."""
        if what == pycurl.POLL_REMOVE:
            what = pycurl.POLL_NONE
        changed = what ^ self._watched.pop(fd, pycurl.POLL_NONE)
        if what & pycurl.POLL_IN:
            self._loop.add_reader(fd, self._ready, [(fd, pycurl.CSELECT_IN)])
        elif changed & pycurl.POLL_IN:
            self._loop.remove_reader(fd)
        if what & pycurl.POLL_OUT:
            self._loop.add_writer(fd, self._ready, [(fd, pycurl.CSELECT_OUT)])
        elif changed & pycurl.POLL_OUT:
            self._loop.remove_writer(fd)
        if what:
            self._watched[fd] = what

    def close(self) -> None:
        """Stop watching."""
        for fd in list(self._watched):
            self.watch(pycurl.POLL_REMOVE, fd, None, None)


_IN, _OUT = getattr(select, "EPOLLIN", 0), getattr(select, "EPOLLOUT", 0)
_EPOLL_MASKS = {
    pycurl.POLL_NONE: 0,
    pycurl.POLL_IN: _IN,
    pycurl.POLL_OUT: _OUT,
    pycurl.POLL_INOUT: _IN | _OUT,
}


def _curl_mask(mask: int) -> int:
    """Return epoll's mask as CSELECT flags; an error or a hang-up counts as readable."""
    if mask == _IN:
        return int(pycurl.CSELECT_IN)
    return (pycurl.CSELECT_OUT if mask & _OUT else 0) | (pycurl.CSELECT_IN if mask & ~_OUT else 0)
