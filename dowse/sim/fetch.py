"""The simulated web as a Fetch, in this process."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from dowse.fetch import Fetch
from dowse.model import Failure, Request, Response
from dowse.sim.manners import Turnstile, answer_too_many, find_host
from dowse.sim.server import Web

Sleep = Callable[[float], Awaitable[object]]


def simulate(world: Web, now: Callable[[], float] | None = None, sleep: Sleep | None = None) -> Fetch:
    """Return a Fetch that asks the world and nobody else.

    It answers always and at once, unless it is given a clock, by which rates are kept, or a sleep, which slow servers do.
    """

    async def fetch(request: Request) -> Response | Failure:
        return world.answer(request)

    slow = fetch if sleep is None else _delay(fetch, world, sleep)
    return slow if now is None else _limit(slow, world, Turnstile(now))


def _delay(fetch: Fetch, world: Web, sleep: Sleep) -> Fetch:
    """Take as long as the server takes before it answers."""

    async def fetch_slowly(request: Request) -> Response | Failure:
        delay = world.manners(find_host(request.url)).delay
        if delay > 0:
            await sleep(delay)
        return await fetch(request)

    return fetch_slowly


def _limit(fetch: Fetch, world: Web, turnstile: Turnstile) -> Fetch:
    """Answer 429 to what comes faster than the server allows."""

    async def fetch_within_rate(request: Request) -> Response | Failure:
        host = find_host(request.url)
        rate = world.manners(host).rate
        if turnstile.admits("", host, rate):
            return await fetch(request)
        return answer_too_many(request.url)

    return fetch_within_rate
