"""Keeps Dowse polite: one request at a time per site, a delay in between, and retries for busy servers."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Awaitable, Callable
from email.utils import parsedate_to_datetime

from dowse.fetch import Fetch
from dowse.model import Failure, Request, Response
from dowse.reasons import FailureReason
from dowse.url import origin

BUSY_STATUSES = frozenset({429, 503})
_FIRST_BACKOFF_SECONDS = 1.0  # before a busy server is asked again, doubled each time
_FORGET_IDLE_SITES_AT = 1024  # sites remembered before the idle ones are forgotten
_SECONDS = re.compile(r"\A\d{1,300}(?:\.\d+)?$")


class CrawlDelays:
    """The Crawl-delay of each robots.txt: seconds between two requests, by the origin of the site."""

    def __init__(self) -> None:
        self._seconds: dict[str, float] = {}

    def set(self, site: str, seconds: float) -> None:
        """Keep a site's Crawl-delay; 0 removes it."""
        if seconds > 0:
            self._seconds[site] = seconds
        else:
            self._seconds.pop(site, None)

    def get(self, site: str) -> float:
        """Return a site's Crawl-delay in seconds, 0 when it has none."""
        return self._seconds.get(site, 0.0)


def polite(
    fetch: Fetch,
    delay: float,
    *,
    retries: int = 2,
    patience: float = 120.0,
    crawl_delays: CrawlDelays | None = None,
    now: Callable[[], float] = time.monotonic,
    clock: Callable[[], float] = time.time,
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
) -> Fetch:
    """Wrap a Fetch so that a site gets one request at a time, `delay` seconds after its last response.

    A server that asks for a wait longer than `patience` gets no request: the result is BUSY at once. Our own delay may be
    longer than that.
    """
    crawl_delays = crawl_delays or CrawlDelays()
    slots = _Slots(now)

    async def fetch_politely(request: Request) -> Response | Failure:
        site = origin(request.url)
        slot = slots.join(site)
        try:
            async with slot.lock:
                return await fetch_with_retries(request, slot, crawl_delays.get(site))
        finally:
            slots.leave(site, slot)

    async def fetch_with_retries(request: Request, slot: _Slot, crawl_delay: float) -> Response | Failure:
        status = 0
        for attempt in range(retries + 1):
            if slot.asked_until and slot.asked_until - now() > patience:
                break
            if slot.free_at and (wait := slot.free_at - now()) > 0:
                await sleep(wait)
            result = await fetch(request)
            slot.rest(now(), delay, crawl_delay)
            if isinstance(result, Failure) or result.status not in BUSY_STATUSES:
                return result
            status = result.status
            retry_after = parse_retry_after(result.header("retry-after"), clock())
            slot.rest(now(), delay, max(crawl_delay, retry_after, _FIRST_BACKOFF_SECONDS * 2**attempt))
        wait = max(0.0, slot.asked_until - now())
        return Failure(request.url, FailureReason.BUSY, f"for {wait:.0f} s more", status, wait)

    return fetch_politely


def parse_retry_after(value: str, clock: float) -> float:
    """Return the seconds that a Retry-After header asks for: a number, or a date against the clock."""
    if not value:
        return 0.0
    if _SECONDS.match(value):
        return float(value)
    try:
        return max(0.0, parsedate_to_datetime(value).timestamp() - clock)
    except (ValueError, OverflowError):
        return 0.0


class _Slot:
    """The one request that a site may get at a time, and when the next one may start."""

    __slots__ = ("asked_until", "free_at", "lock", "users")

    def __init__(self) -> None:
        self.lock = asyncio.Lock()
        self.free_at = 0.0  # when the next request may start; 0 for at once
        self.asked_until = 0.0  # until when the server asked for a pause; 0 for not at all
        self.users = 0

    def rest(self, now: float, delay: float, asked: float) -> None:
        """Pause for our delay, or for as long as the server asked where that is longer."""
        self.asked_until = now + asked if asked else 0.0
        self.free_at = now + max(delay, asked) if delay or asked else 0.0


class _Slots:
    """Slots of the sites that have requests or are resting; the others are forgotten."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._slots: dict[str, _Slot] = {}
        self._forget_at = _FORGET_IDLE_SITES_AT

    def __len__(self) -> int:
        return len(self._slots)

    def join(self, site: str) -> _Slot:
        """Return the slot of a site, counting one more user of it."""
        slot = self._slots.get(site)
        if slot is None:
            if len(self._slots) >= self._forget_at:
                self._forget_idle()
            slot = self._slots[site] = _Slot()
        slot.users += 1
        return slot

    def leave(self, site: str, slot: _Slot) -> None:
        """Count one user less; a site without users that needs no rest is forgotten."""
        slot.users -= 1
        if not slot.users and not slot.free_at:
            del self._slots[site]

    def _forget_idle(self) -> None:
        time_now = self._now()
        self._slots = {site: slot for site, slot in self._slots.items() if slot.users or slot.free_at > time_now}
        self._forget_at = 2 * len(self._slots) + _FORGET_IDLE_SITES_AT
