"""Redirects, followed and not."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import pytest

from dowse.fetch.redirects import follow_anywhere, follow_within_site
from dowse.model import Failure, Request, Response
from dowse.reasons import FailureReason

A = "http://a.example"
Fetcher = Callable[[Request], Awaitable[Response | Failure]]


class Web:
    """Redirects by address; every other page is there."""

    def __init__(self, moves: dict[str, tuple[int, str]]) -> None:
        self.moves = moves
        self.asked: list[Request] = []

    async def __call__(self, request: Request) -> Response | Failure:
        self.asked.append(request)
        if request.url not in self.moves:
            return Response(request.url, 200, body=b"there")
        status, location = self.moves[request.url]
        return Response(request.url, status, (("location", location),) if location else ())


FOLLOWED = {
    "relative": ("next", f"{A}/next"),
    "absolute": (f"{A}/x/../y", f"{A}/y"),
    "with a fragment": ("/y#there", f"{A}/y"),
    "UTF-8 in bytes": ("/caf\xc3\xa9", f"{A}/caf%C3%A9"),
    "spaces around": ("  /y ", f"{A}/y"),
}


@pytest.mark.parametrize(("location", "target"), FOLLOWED.values(), ids=FOLLOWED.keys())
async def test_leads_to(location: str, target: str) -> None:
    web = Web({f"{A}/": (302, location)})
    assert await follow_within_site(web)(Request(f"{A}/")) == Response(target, 200, body=b"there", redirects=(f"{A}/",))


BROKEN = {
    "no location": ({f"{A}/": (301, "")}, FailureReason.REDIRECT_BAD),
    "another scheme": ({f"{A}/": (301, "javascript:alert(1)")}, FailureReason.REDIRECT_BAD),
    "not an address": ({f"{A}/": (301, "http://[")}, FailureReason.REDIRECT_BAD),
    "to itself": ({f"{A}/": (301, "/")}, FailureReason.REDIRECT_LOOP),
    "in a circle": ({f"{A}/": (301, "/b"), f"{A}/b": (301, "/")}, FailureReason.REDIRECT_LOOP),
    "on and on": ({f"{A}/{n or ''}": (301, f"/{n + 1}") for n in range(9)}, FailureReason.REDIRECTS),
}


@pytest.mark.parametrize(("moves", "why"), BROKEN.values(), ids=BROKEN.keys())
@pytest.mark.parametrize("follow", [follow_within_site, follow_anywhere])
async def test_leads_nowhere(
    follow: Callable[..., Fetcher], moves: dict[str, tuple[int, str]], why: FailureReason
) -> None:
    web = Web(moves)
    failure = await follow(web, 5)(Request(f"{A}/"))
    assert isinstance(failure, Failure)
    assert (failure.why, failure.url) == (why, f"{A}/")
    assert len(web.asked) <= 6


async def test_as_many_hops_as_allowed() -> None:
    web = Web({f"{A}/{n}": (301, f"/{n + 1}") for n in range(5)})
    response = await follow_within_site(web, 5)(Request(f"{A}/0"))
    assert isinstance(response, Response)
    assert response.redirects == tuple(f"{A}/{n}" for n in range(5))


LEAVING = {
    "host": ("http://b.example/x", "http://b.example/x"),
    "www": ("//www.a.example/", "http://www.a.example/"),
    "scheme": ("https://a.example/", "https://a.example/"),
    "port": ("http://a.example:81/", "http://a.example:81/"),
}


@pytest.mark.parametrize(("location", "target"), LEAVING.values(), ids=LEAVING.keys())
async def test_a_redirect_that_leaves_the_site_is_told_not_followed(location: str, target: str) -> None:
    web = Web({f"{A}/": (302, "/b"), f"{A}/b": (301, location)})
    response = await follow_within_site(web)(Request(f"{A}/"))
    assert response == Response(f"{A}/b", 301, (("location", target),), redirects=(f"{A}/",))
    assert len(web.asked) == 2
    elsewhere = await follow_anywhere(web)(Request(f"{A}/"))
    assert elsewhere == Response(target, 200, body=b"there", redirects=(f"{A}/", f"{A}/b"))


@pytest.mark.parametrize(("status", "method"), [(301, "GET"), (302, "GET"), (303, "GET"), (307, "POST"), (308, "POST")])
async def test_what_becomes_of_a_post(status: int, method: str) -> None:
    web = Web({f"{A}/": (status, "/b")})
    headers = (("Content-Type", "text/plain"), ("X-Mine", "1"))
    await follow_within_site(web)(Request(f"{A}/", "POST", b"q=1", headers))
    expected = (
        Request(f"{A}/b", "POST", b"q=1", headers) if method == "POST" else Request(f"{A}/b", headers=headers[1:])
    )
    assert web.asked[1] == expected


async def test_a_session_that_the_server_insists_on_is_no_loop() -> None:
    session = f"{A}/;jsessionid=0123456789abcdef"
    web = Web({f"{A}/": (302, session)})
    response = await follow_within_site(web)(Request(f"{A}/"))
    assert isinstance(response, Response)
    assert response.url == session


@pytest.mark.parametrize("status", [200, 300, 304, 404, 500])
async def test_other_statuses_are_no_redirects(status: int) -> None:
    web = Web({f"{A}/": (status, "/b")})
    response = await follow_anywhere(web)(Request(f"{A}/"))
    assert isinstance(response, Response)
    assert (response.status, response.redirects) == (status, ())


async def test_a_failure_on_the_way_is_the_answer() -> None:
    async def fetch(request: Request) -> Response | Failure:
        if request.url.endswith("/b"):
            return Failure(request.url, FailureReason.TIMEOUT)
        return Response(request.url, 301, (("location", "/b"),))

    assert await follow_within_site(fetch)(Request(f"{A}/")) == Failure(f"{A}/b", FailureReason.TIMEOUT)


@pytest.mark.parametrize("has_cookie", [True, False])
async def test_a_server_that_sets_a_cookie_and_sends_back_is_followed_once(has_cookie: bool) -> None:
    """First to a page that sets a cookie, then back to where it began; without a cookie that is a loop."""
    asked: list[str] = []

    async def fetch(request: Request) -> Response | Failure:
        asked.append(request.url)
        cookie = (("set-cookie", "id=1"),) if has_cookie else ()
        if len(asked) == 1:
            return Response(request.url, 302, (("location", "/start"), *cookie))
        return (
            Response(request.url, 302, (("location", "/"),))
            if request.url == f"{A}/start"
            else Response(request.url, 200)
        )

    came = await follow_anywhere(fetch)(Request(f"{A}/"))
    assert isinstance(came, Response) is has_cookie
    assert asked == ([f"{A}/", f"{A}/start", f"{A}/"] if has_cookie else [f"{A}/", f"{A}/start"])
