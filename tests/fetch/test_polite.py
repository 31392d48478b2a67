"""Politeness, on a clock of its own."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from dowse.fetch import Fetch
from dowse.fetch.polite import CrawlDelays, _Slots, parse_retry_after, polite
from dowse.model import Failure, Request, Response
from dowse.reasons import FailureReason

A, B = "http://a.example/", "http://b.example/"


class Clock:
    """Time that passes only while somebody sleeps."""

    def __init__(self) -> None:
        self.time = 1000.0

    def __call__(self) -> float:
        return self.time

    async def sleep(self, seconds: float) -> None:
        self.time += seconds
        await asyncio.sleep(0)


class Server:
    """Answers with the statuses given, then with 200; notes when it was asked."""

    def __init__(self, clock: Clock, *answers: tuple[int, str], takes: float = 0.0) -> None:
        self.clock = clock
        self.answers = list(answers)
        self.takes = takes
        self.times: list[float] = []
        self.at_once = 0
        self.most_at_once = 0

    async def __call__(self, request: Request) -> Response | Failure:
        self.times.append(self.clock.time - 1000)
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        await self.clock.sleep(self.takes)
        self.at_once -= 1
        status, retry_after = self.answers.pop(0) if self.answers else (200, "")
        return Response(request.url, status, (("retry-after", retry_after),) if retry_after else ())


def build(server: Server, delay: float, **options: Any) -> Fetch:
    clock = server.clock
    return polite(server, delay, now=clock, clock=clock, sleep=clock.sleep, **options)


async def test_a_pause_from_the_end_of_one_request_to_the_start_of_the_next() -> None:
    server = Server(Clock(), takes=3)
    fetch = build(server, 1.0)
    for _ in range(3):
        await fetch(Request(A))
    assert server.times == [0, 4, 8]


async def test_one_at_a_time_per_site() -> None:
    server = Server(Clock())
    fetch = build(server, 0.0)
    await asyncio.gather(*(fetch(Request(f"{A}{n}")) for n in range(10)))
    assert server.most_at_once == 1
    await asyncio.gather(fetch(Request(A)), fetch(Request(B)))
    assert server.most_at_once == 2


async def test_other_sites_do_not_wait() -> None:
    server = Server(Clock())
    fetch = build(server, 1.0)
    await fetch(Request(A))
    await fetch(Request(B))
    assert server.times == [0, 0]


async def test_robots_may_ask_for_more_but_not_for_less() -> None:
    crawl_delays = CrawlDelays()
    crawl_delays.set("http://a.example", 7)
    crawl_delays.set("http://b.example", 0.1)
    server = Server(Clock())
    fetch = build(server, 1.0, crawl_delays=crawl_delays)
    for url in (A, A, B, B):
        await fetch(Request(url))
    assert server.times == [0, 7, 7, 8]


async def test_a_wait_beyond_our_patience_is_not_waited() -> None:
    crawl_delays = CrawlDelays()
    crawl_delays.set("http://a.example", 3600)
    server = Server(Clock())
    fetch = build(server, 1.0, crawl_delays=crawl_delays)
    assert isinstance(await fetch(Request(A)), Response)
    assert await fetch(Request(A)) == Failure(A, FailureReason.BUSY, "for 3600 s more", 0, 3600.0)
    assert server.times == [0]


async def test_our_own_delay_may_be_longer_than_our_patience() -> None:
    crawl_delays = CrawlDelays()
    crawl_delays.set("http://b.example", 30)
    server = Server(Clock())
    fetch = build(server, 600.0, crawl_delays=crawl_delays)
    for url in (A, A, B, B):
        assert isinstance(await fetch(Request(url)), Response)
    assert server.times == [0, 600, 600, 1200]


async def test_a_long_delay_of_our_own_is_kept_between_retries_and_not_named_as_the_servers() -> None:
    server = Server(Clock(), *[(503, "40")] * 3)
    fetch = build(server, 600.0)
    assert await fetch(Request(A)) == Failure(A, FailureReason.BUSY, "for 40 s more", 503, 40.0)
    assert server.times == [0, 600, 1200]


@pytest.mark.parametrize("status", [429, 503])
async def test_a_busy_server_is_asked_again_later_and_later(status: int) -> None:
    server = Server(Clock(), *[(status, "")] * 3)
    failure = await build(server, 0.0)(Request(A))
    assert server.times == [0, 1, 3]
    assert failure == Failure(A, FailureReason.BUSY, "for 4 s more", status, 4.0)


async def test_a_busy_server_that_recovers() -> None:
    server = Server(Clock(), (503, ""))
    assert await build(server, 0.0)(Request(A)) == Response(A, 200)


RETRY_AFTER = {
    "seconds": ("30", [0, 30]),
    "date": ("Thu, 01 Jan 1970 00:17:30 GMT", [0, 50]),
    "date gone by": ("Thu, 01 Jan 1970 00:00:30 GMT", [0, 1]),
    "junk": ("soon", [0, 1]),
}


@pytest.mark.parametrize(("value", "times"), RETRY_AFTER.values(), ids=RETRY_AFTER.keys())
async def test_retry_after_is_kept(value: str, times: list[float]) -> None:
    server = Server(Clock(), (429, value))
    assert isinstance(await build(server, 0.0)(Request(A)), Response)
    assert server.times == times


async def test_retry_after_beyond_our_patience_gives_up_and_stays_away() -> None:
    server = Server(Clock(), (429, "500"))
    fetch = build(server, 0.0)
    assert await fetch(Request(A)) == Failure(A, FailureReason.BUSY, "for 500 s more", 429, 500.0)
    assert isinstance(await fetch(Request(A)), Failure)
    assert server.times == [0]
    server.clock.time += 400
    assert isinstance(await fetch(Request(A)), Response)
    assert server.times == [0, 500]


@pytest.mark.parametrize("value", ["", "-1", "inf", "nan", "1e9", "9" * 400, "x" * 1000, "Thu, 99 Foo 2026"])
def test_retry_after_junk_asks_for_nothing(value: str) -> None:
    assert parse_retry_after(value, 0.0) == 0.0


async def test_who_stops_waiting_holds_nobody_up() -> None:
    server = Server(Clock())
    fetch = build(server, 0.0)
    tasks = [asyncio.ensure_future(fetch(Request(A))) for _ in range(3)]
    await asyncio.sleep(0)
    tasks[0].cancel()
    tasks[1].cancel()
    assert isinstance(await tasks[2], Response)
    assert isinstance(await fetch(Request(A)), Response)


@pytest.mark.parametrize("delay", [0.0, 1.0])
async def test_sites_at_rest_are_forgotten(monkeypatch: pytest.MonkeyPatch, delay: float) -> None:
    server = Server(Clock(), takes=0.01)
    slots = _Slots(server.clock)
    monkeypatch.setattr("dowse.fetch.polite._Slots", lambda now: slots)
    fetch = build(server, delay)
    for number in range(5000):
        await fetch(Request(f"http://h{number}.example/"))
    assert len(slots) <= 1300
