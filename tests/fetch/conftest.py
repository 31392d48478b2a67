"""A server that answers with the very bytes a test gives it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field

import pytest

from dowse.fetch.http import Http, http
from dowse.settings import FetchSettings

Answer = bytes | Callable[[asyncio.StreamWriter], Awaitable[None]]


def page(body: bytes = b"<p>hello", *headers: str, status: str = "200 OK", type: str = "text/html") -> bytes:
    """Return a well-formed answer."""
    lines = [f"HTTP/1.1 {status}", f"Content-Type: {type}", f"Content-Length: {len(body)}", *headers, "", ""]
    return "\r\n".join(lines).encode("latin-1") + body


def moved(location: str, status: int = 302) -> bytes:
    return page(b"", f"Location: {location}", status=f"{status} Moved")


@dataclass
class Server:
    """Raw answers by path; what it was asked is kept."""

    answers: dict[str, Answer] = field(default_factory=dict)
    requests: list[bytes] = field(default_factory=list)
    connections: int = 0
    open: int = 0
    port: int = 0

    @property
    def root(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def paths(self) -> list[str]:
        return [request.split(b" ")[1].decode() for request in self.requests]

    async def asked(self, count: int) -> None:
        """Wait until so many requests have come."""
        while len(self.requests) < count:  # noqa: ASYNC110
            await asyncio.sleep(0.01)

    async def talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        self.open += 1
        with suppress(ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            while await self.answer(reader, writer):
                pass
        self.open -= 1
        writer.close()

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        head = await reader.readuntil(b"\r\n\r\n")
        length = next((int(x[15:]) for x in head.lower().split(b"\r\n") if x.startswith(b"content-length:")), 0)
        self.requests.append(head + await reader.readexactly(length))
        path = head.split(b" ")[1].decode()
        answer = self.answers.get(path, page(b"no such page", status="404 Not Found"))
        if callable(answer):
            await answer(writer)
            return False
        writer.write(answer)
        await writer.drain()
        return b"content-length:" in answer.partition(b"\r\n\r\n")[0].lower() and b"Connection: close" not in answer


@asynccontextmanager
async def serving() -> AsyncIterator[Server]:
    raw = Server()
    listener = await asyncio.start_server(raw.talk, "127.0.0.1", 0, limit=1 << 20, backlog=512)
    raw.port = listener.sockets[0].getsockname()[1]
    yield raw
    listener.close()


@pytest.fixture
async def server() -> AsyncIterator[Server]:
    async with serving() as raw:
        yield raw


@pytest.fixture
def settings() -> FetchSettings:
    return FetchSettings(delay=0, timeout=60, connect_timeout=60, body_limit=100_000, allow_private=True)


@pytest.fixture
async def fetch(settings: FetchSettings) -> AsyncIterator[Http]:
    async with http(settings, "Dowse/test") as client:
        yield client
