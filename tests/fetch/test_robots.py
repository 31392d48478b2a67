"""robots.txt, by RFC 9309."""

from __future__ import annotations

import asyncio

import pytest

from dowse.fetch import robots as module
from dowse.fetch.polite import CrawlDelays
from dowse.fetch.robots import obey_robots
from dowse.model import Failure, Request, Response
from dowse.reasons import FailureReason

A = "http://a.example"


class Site:
    """A site whose robots.txt is the answer given; every page is there."""

    def __init__(self, answer: Response | Failure | bytes) -> None:
        self.answer = Response("", 200, body=answer) if isinstance(answer, bytes) else answer
        self.asked: list[str] = []

    async def __call__(self, request: Request) -> Response | Failure:
        self.asked.append(request.url)
        await asyncio.sleep(0)
        return self.answer if request.url.endswith("/robots.txt") else Response(request.url, 200)


def rules(text: str) -> bytes:
    return text.encode()


PATHS = {
    "nothing": (b"", "/x", True),
    "disallow": (rules("User-agent: *\nDisallow: /x"), "/x/y", False),
    "disallow elsewhere": (rules("User-agent: *\nDisallow: /x"), "/y", True),
    "empty disallow": (rules("User-agent: *\nDisallow:\n"), "/x", True),
    "everything": (rules("User-agent: *\nDisallow: /"), "/", False),
    "longest match allows": (rules("User-agent: *\nDisallow: /x\nAllow: /x/y"), "/x/y", True),
    "longest match disallows": (rules("User-agent: *\nAllow: /x\nDisallow: /x/y"), "/x/y", False),
    "our own group": (rules("User-agent: *\nDisallow:\n\nUser-agent: Dowse\nDisallow: /"), "/", False),
    "another's group": (rules("User-agent: other\nDisallow: /"), "/", True),
    "wildcard and end": (rules("User-agent: *\nDisallow: /*.cgi$"), "/a/b.cgi", False),
    "query": (rules("User-agent: *\nDisallow: /*?q="), "/s?q=1", False),
    "byte order mark": (b"\xef\xbb\xbfUser-agent: *\nDisallow: /", "/", False),
    "junk bytes": (b"\xff\xfe\x00\x80\nUser-agent: *\nDisallow: /\xff\nDisallow: /x", "/x", False),
    "carriage returns": (b"User-agent: *\rDisallow: /", "/", False),
    "a page instead": (b"<!doctype html><p>Not found: this page is dishonest", "/x", True),
    "misspelt": (rules("User-agent: *\nDissallow: /"), "/", False),
    "beyond what is read": (b"#" * (500 * 1024) + b"\nUser-agent: *\nDisallow: /", "/", True),
    "at the end of what is read": (b"#" * (499 * 1024) + b"\nUser-agent: *\nDisallow: /", "/", False),
}


@pytest.mark.parametrize(("text", "path", "allowed"), PATHS.values(), ids=PATHS.keys())
async def test_paths(text: bytes, path: str, allowed: bool) -> None:
    site = Site(text)
    result = await obey_robots(site)(Request(A + path))
    expected = Response(A + path, 200) if allowed else Failure(A + path, FailureReason.ROBOTS, f"{A}/robots.txt")
    assert result == expected
    assert site.asked == [f"{A}/robots.txt", A + path][: 1 + allowed]


def status(number: int) -> Response:
    return Response(f"{A}/robots.txt", number, body=b"User-agent: *\nDisallow: /")


ANSWERS: dict[str, tuple[Response | Failure, FailureReason | None]] = {
    "not found": (status(404), None),
    "forbidden": (status(403), None),
    "gone": (status(410), None),
    "server error": (status(500), FailureReason.ROBOTS_DOWN),
    "bad gateway": (status(502), FailureReason.ROBOTS_DOWN),
    "timeout": (Failure("", FailureReason.TIMEOUT), FailureReason.ROBOTS_DOWN),
    "refused": (Failure("", FailureReason.REFUSED), FailureReason.ROBOTS_DOWN),
    "busy": (Failure("", FailureReason.BUSY, "", 503, 9.0), FailureReason.ROBOTS_DOWN),
    "garbage": (Failure("", FailureReason.GARBAGE), FailureReason.ROBOTS_DOWN),
    "no such host": (Failure("", FailureReason.NO_HOST), FailureReason.NO_HOST),
    "private": (Failure("", FailureReason.PRIVATE), FailureReason.PRIVATE),
    "not recorded": (Failure("", FailureReason.NOT_RECORDED), None),
    "redirects to itself": (Response(f"{A}/robots.txt", 301, (("location", "/robots.txt"),)), None),
}


@pytest.mark.parametrize(("answer", "why"), ANSWERS.values(), ids=ANSWERS.keys())
async def test_answers(answer: Response | Failure, why: FailureReason | None) -> None:
    result = await obey_robots(Site(answer))(Request(f"{A}/x"))
    if why is None:
        assert result == Response(f"{A}/x", 200)
        return
    assert isinstance(result, Failure)
    assert (result.why, result.url) == (why, f"{A}/x")
    assert result.retry_after == (answer.retry_after if isinstance(answer, Failure) else 0.0)


@pytest.mark.parametrize(("hops", "why"), [(5, FailureReason.ROBOTS), (6, None)], ids=["five hops", "six hops"])
async def test_redirects_are_followed_across_hosts(hops: int, why: FailureReason | None) -> None:
    async def fetch(request: Request) -> Response | Failure:
        if request.url == f"{A}/x":
            return Response(request.url, 200)
        number = 0 if request.url.endswith("robots.txt") else int(request.url[-1])
        if number < hops:
            return Response(request.url, 301, (("location", f"http://h{number}.example/{number + 1}"),))
        return Response(request.url, 200, body=b"User-agent: *\nDisallow: /")

    result = await obey_robots(fetch)(Request(f"{A}/x"))
    assert (result.why if isinstance(result, Failure) else None) == why


async def test_one_request_however_many_wait_even_if_the_first_leaves() -> None:
    site = Site(b"")
    fetch = obey_robots(site)
    tasks = [asyncio.ensure_future(fetch(Request(f"{A}/{n}"))) for n in range(20)]
    await asyncio.sleep(0)
    tasks[0].cancel()
    results = await asyncio.gather(*tasks, return_exceptions=True)
    assert isinstance(results[0], asyncio.CancelledError)
    assert all(isinstance(result, Response) for result in results[1:])
    assert site.asked.count(f"{A}/robots.txt") == 1


@pytest.mark.parametrize(
    ("answer", "fresh"), [(b"", 24 * 3600), (status(500), 600)], ids=["rules for a day", "an outage for ten minutes"]
)
async def test_believed_for(answer: Response | bytes, fresh: float) -> None:
    site, time = Site(answer), [0.0]
    fetch = obey_robots(site, now=lambda: time[0])
    for moment, asked in ((0.0, 1), (fresh - 1, 1), (fresh + 1, 2)):
        time[0] = moment
        await fetch(Request(f"{A}/x"))
        assert site.asked.count(f"{A}/robots.txt") == asked


async def test_crawl_delay_is_told() -> None:
    crawl_delays = CrawlDelays()
    await obey_robots(Site(b"User-agent: *\nCrawl-delay: 2.5"), crawl_delays=crawl_delays)(Request(f"{A}/x"))
    assert crawl_delays.get(A) == 2.5


async def test_memory_is_bounded_in_sites_and_in_text(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_CACHED_SITES", 10)
    monkeypatch.setattr(module, "MAX_CACHED_BYTES", 1000)
    crawl_delays = CrawlDelays()
    site = Site(b"User-agent: *\nCrawl-delay: 2\nDisallow: /y" + b"\n#" + b"x" * 250)
    fetch = obey_robots(site, crawl_delays=crawl_delays)
    for number in range(30):
        await fetch(Request(f"http://h{number}.example/x"))
    assert [bool(crawl_delays.get(f"http://h{n}.example")) for n in range(26, 30)] == [False, True, True, True]
    await fetch(Request("http://h29.example/z"))
    assert len(site.asked) == 61  # still known
    await fetch(Request("http://h0.example/z"))
    assert len(site.asked) == 63  # forgotten, so asked again
