"""The simulated web as a server on loopback: by virtual host, and as a plain HTTP proxy.

Trouble is real here: connections that close, hang, send garbage or less than they promised, servers that are slow or
refuse to be hurried. A connection is an asyncio protocol that answers from bytes kept, because a crawler that is
measured against this web must never wait for the web.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import lru_cache
from typing import Protocol, cast

from dowse.errors import BadInput
from dowse.model import Failure, Request, Response
from dowse.reasons import FailureReason
from dowse.sim.manners import Manners, Turnstile, answer_too_many
from dowse.sim.wire import GO_AHEAD, HEAD_LIMIT, Asked, Inbox, Sealed, refuse, seal, write_last

IDLE_SECONDS = 60.0  # for a request to come whole, and for an answer to be taken
LINGER_SECONDS = 1.0  # for a client to take the last answer before the connection is cut
SWEEP_SECONDS = 1.0
CONNECTIONS = 1000
TURN = 16  # requests of one connection that are answered before others have their turn
CACHE_BYTES = 32 * 1024 * 1024
CACHE_ROW_BYTES = 600  # what an answer kept costs beside its bytes and its address
CACHED = frozenset({200, 301, 302, 404})
HOSTS_KEPT = 4096
ABSENT = frozenset({FailureReason.NO_HOST, FailureReason.BAD_URL})
BROKEN_OFF = Response("", 200, (("content-type", "text/html"),), b"<html><body><h1>Welcome")
LAST_WORDS = {
    FailureReason.GARBAGE: bytes(range(128, 256)) * 4,
    FailureReason.BROKEN: write_last(BROKEN_OFF, missing=1000),
}
FULL = write_last(refuse(503, "too many connections", ("retry-after", "1")))

Key = tuple[str, str, tuple[tuple[str, str], ...], bool]


class Web(Protocol):
    """What is served: the same answer to the same request, always."""

    def answer(self, request: Request) -> Response | Failure:
        """Answer a request."""

    def manners(self, host: str) -> Manners:
        """Return how the server behind a host, known or not, behaves on the wire."""


@asynccontextmanager
async def serve(
    world: Web,
    host: str = "127.0.0.1",
    port: int = 0,
    hang: float = 30.0,
    now: Callable[[], float] = time.monotonic,
) -> AsyncIterator[int]:
    """Serve a world while the context lasts; gives the port. A hanging site hangs for `hang` seconds."""
    loop = asyncio.get_running_loop()
    reception = Reception(world, hang, now)
    try:
        server = await loop.create_server(
            lambda: Connection(reception, loop), host, port, backlog=CONNECTIONS, start_serving=False
        )
        reception.port = server.sockets[0].getsockname()[1]
        await server.start_serving()
    except OSError as error:
        raise BadInput(f"cannot serve on {host}:{port}: {error.strerror or error}") from None
    sweep = asyncio.create_task(reception.cut_late())
    try:
        yield reception.port
    finally:
        server.close()
        sweep.cancel()
        await reception.close()
        await server.wait_closed()


class Cache:
    """Answers as bytes; those not asked for longest are forgotten. They never go stale: a world does not change."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._rows: OrderedDict[Key, Sealed] = OrderedDict()
        self.size = 0

    def __len__(self) -> int:
        return len(self._rows)

    def get(self, key: Key) -> Sealed | None:
        """Return the answer that is kept under a key."""
        found = self._rows.get(key)
        if found is not None:
            self._rows.move_to_end(key)
        return found

    def add(self, key: Key, answer: Sealed) -> None:
        """Keep an answer that is not kept yet, unless it is larger than all the room."""
        size = _size_of(key, answer)
        if size > self._limit:
            return
        self._rows[key] = answer
        self.size += size
        while self.size > self._limit:
            self.size -= _size_of(*self._rows.popitem(last=False))


def _size_of(key: Key, answer: Sealed) -> int:
    told = sum(len(value) for _, value in key[2])
    return len(answer.head) + len(answer.body) + len(key[1]) + told + CACHE_ROW_BYTES


class Reception:
    """What all connections share: the web and its answers, who asks how fast, and who is there."""

    def __init__(self, world: Web, hang: float, now: Callable[[], float]) -> None:
        self.port = 0
        self.hang = hang
        self.manners = lru_cache(HOSTS_KEPT)(world.manners)
        self.turnstile = Turnstile(now)
        self._world = world
        self._cache = Cache(CACHE_BYTES)
        self._present: set[Connection] = set()

    def answer(self, asked: Asked) -> Sealed | Failure:
        """Answer from the cache, or ask the world."""
        if asked.method == "POST" or asked.body:
            return self._ask(asked)
        key = (asked.method, asked.url, asked.headers, asked.gzip)
        known = self._cache.get(key)
        if known is not None:
            return known
        answer = self._ask(asked)
        if isinstance(answer, Sealed) and answer.status in CACHED:
            self._cache.add(key, answer)
        return answer

    def _ask(self, asked: Asked) -> Sealed | Failure:
        """Ask the world; a host that is not there gets an answer in words."""
        answer = self._world.answer(asked.request)
        if isinstance(answer, Response):
            return seal(answer, asked)
        return seal(refuse(502, f"no such host in this web: {asked.url}"), asked) if answer.why in ABSENT else answer

    def admit(self, connection: Connection) -> bool:
        """Let a connection in; when all places are taken, one that only might be used again makes room."""
        if len(self._present) >= CONNECTIONS:
            idle = min((each for each in self._present if each.is_idle), key=lambda each: each.deadline, default=None)
            if idle is None:
                return False
            self.forget(idle)
            idle.cut()
        self._present.add(connection)
        return True

    def forget(self, connection: Connection) -> None:
        """A connection is no more."""
        self._present.discard(connection)

    async def cut_late(self) -> None:
        """Cut connections past their deadline, as long as it is not cancelled."""
        loop = asyncio.get_running_loop()
        while True:
            await asyncio.sleep(min(SWEEP_SECONDS, IDLE_SECONDS / 4))
            for each in tuple(self._present):
                if each.is_late(loop.time()):
                    each.cut()

    async def close(self) -> None:
        """Cut all connections and see them end."""
        present = tuple(self._present)
        for each in present:
            each.cut()
        await asyncio.gather(*(each.lost for each in present))


class Connection(asyncio.Protocol):
    """A client, whose requests are answered in order, one after the other."""

    def __init__(self, reception: Reception, loop: asyncio.AbstractEventLoop) -> None:
        self._reception, self._loop = reception, loop
        self._inbox = Inbox(reception.port)
        self._peer = ""
        self._pending: asyncio.Handle | None = None  # what the connection does next, at its time
        self._hangs = False
        self._has_answered = False
        self._is_reading = True
        self._is_full = False  # the client does not take what it was sent
        self._is_ending = False
        self._is_silent = False  # the client will send no more
        self.deadline = math.inf
        self.lost: asyncio.Future[None] = loop.create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """A client has come."""
        self._transport = cast(asyncio.Transport, transport)
        self._peer = str((transport.get_extra_info("peername") or ("",))[0])
        if self._reception.admit(self):
            self._wait(IDLE_SECONDS)
            return
        self._is_ending = True
        self._transport.write(FULL)
        self._transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        """The client has gone, or was cut: what it waited for is not wanted any more."""
        self._is_ending = True
        self._reception.forget(self)
        if self._pending:
            self._pending.cancel()
        if not self.lost.done():
            self.lost.set_result(None)

    def data_received(self, data: bytes) -> None:
        """The client has sent something; when answers are under way not much of it is read ahead."""
        if self._is_ending:
            return
        self._inbox.add(data)
        self._advance()
        if (self._pending or self._is_full) and len(self._inbox) > HEAD_LIMIT and self._is_reading:
            self._is_reading = False
            self._transport.pause_reading()

    def eof_received(self) -> bool:
        """The client will send no more, and gets what it has asked for, unless that is nothing."""
        self._is_silent = True
        return not self._is_ending and not self._hangs and bool(self._pending or self._is_full)

    def pause_writing(self) -> None:
        """The client takes answers more slowly than they are made."""
        self._is_full = True

    def resume_writing(self) -> None:
        """The client has taken its answers."""
        self._is_full = False
        self._wait(LINGER_SECONDS if self._is_ending else IDLE_SECONDS)
        self._advance()

    @property
    def is_idle(self) -> bool:
        """Whether the client has had its answers, and may never ask again."""
        busy = self._pending or self._is_full or self._is_ending or not self._inbox.is_empty
        return self._has_answered and not busy

    def is_late(self, now: float) -> bool:
        """Whether the client has had its time; the last answer has as long as any other to be taken."""
        unsent = self._is_ending and self._transport.get_write_buffer_size() > 0
        return now > self.deadline + (IDLE_SECONDS if unsent else 0.0)

    def cut(self) -> None:
        """End the connection at once."""
        self._transport.abort()

    def _wait(self, seconds: float) -> None:
        self.deadline = self._loop.time() + seconds

    def _advance(self) -> None:
        """Answer what has come, as far as the client takes it, and so that others have their turn."""
        for _ in range(TURN):
            if self._pending or self._is_full or self._is_ending or self._transport.is_closing():
                return
            self._read_on()
            asked = self._inbox.take()
            if asked is None:
                return self._wait_for_more()
            self._answer(asked)
        if not self._pending:
            self._pending = self._loop.call_soon(self._go_on, _nothing)

    def _read_on(self) -> None:
        if not self._is_reading:
            self._is_reading = True
            self._transport.resume_reading()

    def _wait_for_more(self) -> None:
        if self._is_silent:
            self._end()
        elif self._inbox.take_wait():
            self._transport.write(GO_AHEAD)

    def _answer(self, asked: Asked | Response) -> None:
        if isinstance(asked, Response):
            self._transport.write(write_last(asked))
            return self._end()
        manners = self._reception.manners(asked.host)
        if not self._reception.turnstile.admits(self._peer, asked.host, manners.rate):
            return self._give(asked, seal(answer_too_many(asked.url), asked))
        try:
            answer = self._reception.answer(asked)
        except Exception:
            self.cut()  # a world that breaks is a bug, to be shown; the client is not to wait for its end
            raise
        if manners.delay > 0:
            return self._later(manners.delay, lambda: self._give(asked, answer))
        self._give(asked, answer)

    def _later(self, seconds: float, act: Callable[[], None]) -> None:
        self.deadline = math.inf
        self._pending = self._loop.call_later(seconds, self._go_on, act)

    def _go_on(self, act: Callable[[], None]) -> None:
        self._pending = None
        act()
        self._advance()

    def _give(self, asked: Asked, answer: Sealed | Failure) -> None:
        if isinstance(answer, Failure):
            return self._fail(answer.why)
        self._transport.write(answer.write(asked))
        self._has_answered = True
        self._wait(IDLE_SECONDS)
        if not asked.keep_alive:
            self._end()

    def _fail(self, why: FailureReason) -> None:
        """Fail on the wire as the site does."""
        if why is FailureReason.TIMEOUT:
            self._hangs = True
            return self._later(self._reception.hang, self._end)
        self._transport.write(LAST_WORDS.get(why, b""))
        self._end()

    def _end(self) -> None:
        """Send no more; the client may take what is under way, or else the kernel would throw it away."""
        self._is_ending = True
        if self._is_silent or self._transport.is_closing():
            return self._transport.close()
        self._read_on()
        self._transport.write_eof()
        self._wait(LINGER_SECONDS)


def _nothing() -> None:
    """Do nothing but take one's turn."""
