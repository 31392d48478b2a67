"""The simulated web as a server on loopback: by virtual host, and as a plain HTTP proxy.

Trouble is real here: connections that close, hang, send garbage or less than they promised.
"""

from __future__ import annotations

import asyncio
import gzip
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from http import HTTPStatus

from dowse.errors import BadInput
from dowse.model import Failure, Request, Response, Why
from dowse.sim.world import World

HEAD_LIMIT = 64 * 1024
BODY_LIMIT = 1024 * 1024
IDLE_SECONDS = 60.0
CONNECTIONS = 1000
GARBAGE = bytes(range(128, 256)) * 4
TEXT = ("content-type", "text/plain; charset=utf-8")


@dataclass(frozen=True, slots=True)
class Asked:
    """A request as it came over the wire."""

    request: Request
    keep_alive: bool
    gzip: bool


@asynccontextmanager
async def serve(world: World, host: str = "127.0.0.1", port: int = 0, hang: float = 30.0) -> AsyncIterator[int]:
    """Serve a world while the context lasts; gives the port. A hanging site hangs for `hang` seconds."""
    places = asyncio.Semaphore(CONNECTIONS)
    talking: set[asyncio.Task[None]] = set()

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        talking.add(task)
        try:
            async with places:
                await _talk(world, reader, writer, hang)
        except (ConnectionError, TimeoutError, asyncio.CancelledError):
            pass  # the client went away, or the server is closing
        finally:
            talking.discard(task)
            writer.close()

    try:
        server = await asyncio.start_server(connected, host, port, limit=HEAD_LIMIT)
    except OSError as error:
        raise BadInput(f"cannot serve on {host}:{port}: {error.strerror or error}") from None
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()
        for task in tuple(talking):
            task.cancel()
        await asyncio.gather(*talking, return_exceptions=True)
        await server.wait_closed()


async def _talk(world: World, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, hang: float) -> None:
    """Answer the requests of one connection, one after the other."""
    while True:
        asked = await _read_request(reader)
        if asked is None:
            return
        if isinstance(asked, Response):
            writer.write(_write_head(asked, len(asked.body), "close") + asked.body)
            await writer.drain()
            return
        given = world.answer(asked.request)
        answer = await _fail(given, writer, hang) if isinstance(given, Failure) else given
        if answer is None:
            return
        writer.write(_write_answer(answer, asked))
        await writer.drain()
        if not asked.keep_alive:
            return


async def _read_request(reader: asyncio.StreamReader) -> Asked | Response | None:
    """Read one request; a bad one gives its answer, a closed connection nothing."""
    try:
        head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), IDLE_SECONDS)
    except asyncio.LimitOverrunError:
        return Response("", 431, (TEXT,), b"headers too large\n")
    except asyncio.IncompleteReadError:
        return None
    line, *rows = head.decode("latin-1").rstrip("\r\n").split("\r\n")
    parts = line.split(" ")
    if len(parts) != 3 or not parts[2].startswith("HTTP/1."):
        return Response("", 400, (TEXT,), b"not an HTTP request\n")
    headers = {name.strip().lower(): value.strip() for name, _, value in (row.partition(":") for row in rows)}
    return await _read_body(reader, parts, headers)


async def _read_body(
    reader: asyncio.StreamReader, parts: list[str], headers: dict[str, str]
) -> Asked | Response | None:
    method, target, version = parts
    length = headers.get("content-length", "0")
    if not length.isdigit() or int(length) > BODY_LIMIT or "transfer-encoding" in headers:
        return Response("", 413, (TEXT,), b"body too large\n")
    if method not in ("GET", "HEAD", "POST"):
        return Response("", 405, (TEXT, ("allow", "GET, HEAD, POST")), b"GET, HEAD and POST only\n")
    try:
        body = await asyncio.wait_for(reader.readexactly(int(length)), IDLE_SECONDS) if int(length) else b""
    except asyncio.IncompleteReadError:
        return None
    url = target if target.lower().startswith("http://") else f"http://{headers.get('host', '')}{target}"
    wish = headers.get("connection", headers.get("proxy-connection", "")).lower()
    keep_alive = wish != "close" if version == "HTTP/1.1" else wish == "keep-alive"
    return Asked(Request(url, method, body), keep_alive, "gzip" in headers.get("accept-encoding", ""))


async def _fail(failure: Failure, writer: asyncio.StreamWriter, hang: float) -> Response | None:
    """Fail on the wire as the site does; a host that is not there gets an answer in words."""
    if failure.why in (Why.NO_HOST, Why.BAD_URL):
        return Response(failure.url, 404, (TEXT,), f"no such site in this world: {failure.url}\n".encode())
    if failure.why is Why.TIMEOUT:
        await asyncio.sleep(hang)
    elif failure.why is Why.GARBAGE:
        writer.write(GARBAGE)
    elif failure.why is Why.BROKEN:  # promises more than it sends
        answer = Response(failure.url, 200, (("content-type", "text/html"),), b"<html><body><h1>Welcome")
        writer.write(_write_head(answer, len(answer.body) + 1000, "close") + answer.body)
    return None


def _write_answer(answer: Response, asked: Asked) -> bytes:
    body = answer.body
    extra: tuple[tuple[str, str], ...] = ()
    if asked.gzip and len(body) > 200:
        body = gzip.compress(body, 1, mtime=0)
        extra = (("content-encoding", "gzip"), ("vary", "accept-encoding"))
    head = _write_head(
        Response(answer.url, answer.status, answer.headers + extra),
        len(body),
        "keep-alive" if asked.keep_alive else "close",
    )
    return head if asked.request.method == "HEAD" else head + body


def _write_head(answer: Response, length: int, connection: str) -> bytes:
    rows = "".join(f"{name}: {value}\r\n" for name, value in answer.headers)
    reason = HTTPStatus(answer.status).phrase
    return (
        f"HTTP/1.1 {answer.status} {reason}\r\n{rows}content-length: {length}\r\nconnection: {connection}\r\n\r\n"
    ).encode("latin-1", "replace")
