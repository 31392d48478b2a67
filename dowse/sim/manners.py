"""How the servers of the simulated web behave on the wire: some are slow, some allow only so many requests a second."""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Callable
from typing import NamedTuple

from dowse.model import Response

BUCKETS_KEPT = 10_000
LEAST_BURST = 2.0
_HOST = re.compile(r"https?://([^/?#:]+)", re.IGNORECASE)


class Manners(NamedTuple):
    """How the server behind a host behaves; by default it answers at once, however often it is asked."""

    delay: float = 0.0  # seconds it takes before each answer
    rate: float = 0.0  # requests per second that it allows; beyond that it answers 429; 0 allows any


class Bucket(NamedTuple):
    """How many requests were left, and when."""

    tokens: float
    at: float


class Turnstile:
    """Says whether a client may ask a host now: token buckets, of which the least recently used are forgotten."""

    def __init__(self, now: Callable[[], float], kept: int = BUCKETS_KEPT) -> None:
        self._now, self._kept = now, kept
        self._buckets: OrderedDict[tuple[str, str], Bucket] = OrderedDict()

    def __len__(self) -> int:
        return len(self._buckets)

    def admits(self, client: str, host: str, rate: float) -> bool:
        """Count a request and say whether it keeps to the rate; a burst of two seconds' worth does."""
        if rate <= 0:
            return True
        now, burst = self._now(), max(LEAST_BURST, 2 * rate)
        last = self._buckets.pop((client, host), Bucket(burst, now))
        tokens = min(burst, last.tokens + max(0.0, now - last.at) * rate)
        admitted = tokens >= 1.0
        self._buckets[client, host] = Bucket(tokens - 1.0 if admitted else tokens, now)
        if len(self._buckets) > self._kept:
            self._buckets.popitem(last=False)
        return admitted


def answer_too_many(url: str) -> Response:
    """Answer a client that asks faster than the server allows."""
    headers = (("content-type", "text/html"), ("retry-after", "1"))
    return Response(
        url, 429, headers, b"<html><head><title>429</title></head><body><h1>Too Many Requests</h1></body></html>\n"
    )


def find_host(url: str) -> str:
    """Return the host that an address names, in lower case; nothing when it names none."""
    match = _HOST.match(url)
    return match[1].lower() if match else ""
