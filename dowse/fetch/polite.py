"""Keeps Dowse polite: one request at a time per site, a pause in between, and patience with busy servers."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Awaitable, Callable
from email.utils import parsedate_to_datetime

from dowse.fetch import Fetch
from dowse.model import Failure, Request, Response, Why
from dowse.url import origin

BUSY = frozenset({429, 503})
_FIRST_PAUSE = 1.0  # seconds before a busy server is asked again, doubled each time
_SWEEP = 1024  # sites remembered before those at rest are forgotten
_SECONDS = re.compile(r"\A\d{1,300}(?:\.\d+)?$")


class Pace:
    """What robots.txt files ask for: seconds between two requests, by the origin of the site."""

    def __init__(self) -> None:
        self._seconds: dict[str, float] = {}

    def ask(self, site: str, seconds: float) -> None:
        """Note what a site asks for; nothing asked is nothing noted."""
        if seconds > 0:
            self._seconds[site] = seconds
        else:
            self._seconds.pop(site, None)

    def of(self, site: str) -> float:
        """Return the seconds that a site asked for."""
        return self._seconds.get(site, 0.0)


def polite(
    fetch: Fetch,
    delay: float,
    *,
    retries: int = 2,
    patience: float = 120.0,
    pace: Pace | None = None,
    now: Callable[[], float] = time.monotonic,
    clock: Callable[[], float] = time.time,
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
) -> Fetch:
    """Wrap a Fetch so that no site is asked twice at once, nor sooner than `delay` after its last answer.

    A site that asks to wait for longer than our patience is not asked: the answer is BUSY at once.
    """
    pace = pace or Pace()
    turns = _Turns(now)

    async def fetch_politely(request: Request) -> Response | Failure:
        site = origin(request.url)
        turn = turns.join(site)
        try:
            async with turn.lock:
                return await ask_until_answered(request, turn, max(delay, pace.of(site)))
        finally:
            turns.leave(site, turn)

    async def ask_until_answered(request: Request, turn: _Turn, pause: float) -> Response | Failure:
        status = 0
        for attempt in range(retries + 1):
            wait = turn.ready - now() if turn.ready else 0.0
            if wait > patience:
                return _busy(request, status, wait)
            if wait > 0:
                await sleep(wait)
            result = await fetch(request)
            turn.ready = now() + pause if pause else 0.0
            if isinstance(result, Failure) or result.status not in BUSY:
                return result
            status = result.status
            asked = read_retry_after(result.header("retry-after"), clock())
            turn.ready = now() + max(pause, asked, _FIRST_PAUSE * 2**attempt)
        return _busy(request, status, turn.ready - now())

    return fetch_politely


def read_retry_after(value: str, clock: float) -> float:
    """Return the seconds that a Retry-After header asks for: a number, or a date against the clock."""
    if not value:
        return 0.0
    if _SECONDS.match(value):
        return float(value)
    try:
        return max(0.0, parsedate_to_datetime(value).timestamp() - clock)
    except (ValueError, OverflowError):
        return 0.0


def _busy(request: Request, status: int, wait: float) -> Failure:
    return Failure(request.url, Why.BUSY, f"for {wait:.0f} s more", status, max(0.0, wait))


class _Turn:
    """Whose turn it is at one site, and from when the site may be asked again."""

    __slots__ = ("lock", "ready", "users")

    def __init__(self) -> None:
        self.lock = asyncio.Lock()
        self.ready = 0.0  # 0 for at once
        self.users = 0


class _Turns:
    """The sites that are being asked or that rest; the others are forgotten."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._turns: dict[str, _Turn] = {}
        self._sweep_at = _SWEEP

    def __len__(self) -> int:
        return len(self._turns)

    def join(self, site: str) -> _Turn:
        """Get in line at a site."""
        turn = self._turns.get(site)
        if turn is None:
            if len(self._turns) >= self._sweep_at:
                self._sweep()
            turn = self._turns[site] = _Turn()
        turn.users += 1
        return turn

    def leave(self, site: str, turn: _Turn) -> None:
        """Leave; a site that needs no rest and where nobody waits is forgotten."""
        turn.users -= 1
        if not turn.users and not turn.ready:
            del self._turns[site]

    def _sweep(self) -> None:
        time_now = self._now()
        self._turns = {site: turn for site, turn in self._turns.items() if turn.users or turn.ready > time_now}
        self._sweep_at = 2 * len(self._turns) + _SWEEP
