"""The simulated web in this process: at once by default, with a clock and a sleep as slow and strict as on the wire."""

from __future__ import annotations

from dowse.model import Failure, Request, Response
from dowse.sim import simulate
from dowse.sim.manners import Manners

MANNERS = {"slow.example": Manners(delay=2.5), "strict.example": Manners(rate=1.0), "both.example": Manners(3.0, 1.0)}


class Web:
    """A web of one page per host."""

    def answer(self, request: Request) -> Response | Failure:
        return Response(request.url, 200, (), request.url.encode())

    def manners(self, host: str) -> Manners:
        return MANNERS.get(host, Manners())


class Sleeper:
    """Notes how long it was to sleep."""

    def __init__(self) -> None:
        self.slept: list[float] = []

    async def __call__(self, seconds: float) -> None:
        self.slept.append(seconds)


async def _statuses(fetch: object, *urls: str) -> list[int]:
    answers = [await fetch(Request(url)) for url in urls]  # type: ignore[operator]
    return [answer.status for answer in answers if isinstance(answer, Response)]


async def test_by_default_every_answer_comes_at_once() -> None:
    urls = ["http://slow.example/", *["http://strict.example/"] * 9, "http://other.example/"]
    assert await _statuses(simulate(Web()), *urls) == [200] * 11


async def test_with_a_clock_rates_are_kept_per_host() -> None:
    time = [0.0]
    fetch = simulate(Web(), now=lambda: time[0])
    urls = ["http://strict.example/a"] * 3 + ["http://STRICT.example:80/b", "http://other.example/"]
    assert await _statuses(fetch, *urls) == [200, 200, 429, 429, 200]
    time[0] = 1.0
    answers = [await fetch(Request("http://strict.example/a")) for _ in range(2)]
    assert [answer.status for answer in answers] == [200, 429]
    assert isinstance(answers[1], Response)
    assert answers[1].header("retry-after") == "1"
    assert answers[1].url == "http://strict.example/a"


async def test_with_a_sleep_slow_servers_are_slow() -> None:
    sleeper = Sleeper()
    fetch = simulate(Web(), sleep=sleeper)
    assert await _statuses(fetch, "http://slow.example/", "http://other.example/", *["http://strict.example/"] * 4)
    assert sleeper.slept == [2.5]


async def test_who_is_refused_does_not_wait() -> None:
    sleeper = Sleeper()
    fetch = simulate(Web(), now=lambda: 0.0, sleep=sleeper)
    assert await _statuses(fetch, *["http://both.example/"] * 3) == [200, 200, 429]
    assert sleeper.slept == [3.0, 3.0]
