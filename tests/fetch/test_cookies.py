"""Cookies come back to whom they are from, and to nobody else."""

from __future__ import annotations

import asyncio

import pytest

from dowse.fetch.cookies import MAX_COOKIE_CHARS, MAX_COOKIES, WITHOUT_COOKIES, Jar, keep_cookies
from dowse.model import Failure, Request, Response


def given(jar: Jar, header: str, url: str = "http://shop.example.org/a/b") -> None:
    jar.take(Response(url, 200, (("set-cookie", header),)))


@pytest.mark.parametrize(
    ("header", "url", "brought"),
    [
        pytest.param("s=1", "http://shop.example.org/a/c", "s=1", id="beside where it was given"),
        pytest.param("s=1", "http://shop.example.org/", "", id="not above it"),
        pytest.param("s=1; Path=/", "http://shop.example.org/x", "s=1", id="everywhere when it says so"),
        pytest.param("s=1; Path=/a", "http://shop.example.org/ab", "", id="a path is whole names"),
        pytest.param("s=1; Path=/", "http://other.example.org/", "", id="not to a neighbour"),
        pytest.param("s=1; Path=/; Domain=example.org", "http://other.example.org/", "s=1", id="to the whole domain when it says so"),
        pytest.param("s=1; Path=/; Domain=.example.org", "http://example.org/", "s=1", id="a dot before it means nothing"),
        pytest.param("s=1; Path=/; Domain=org", "http://evil.org/", "", id="not to everybody under a suffix"),
        pytest.param("s=1; Path=/; Domain=bank.example", "http://bank.example/", "", id="not to a stranger"),
        pytest.param("s=1; Path=/; Secure", "http://shop.example.org/", "", id="not in the clear when it says so"),
        pytest.param("s=1; Path=/; Secure", "https://shop.example.org/", "s=1", id="but over TLS"),
        pytest.param("s=1; Path=/; Max-Age=0", "http://shop.example.org/", "", id="outdated"),
        pytest.param("s=1; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT", "http://shop.example.org/", "", id="long outdated"),
        pytest.param("s=1; Path=/; Expires=nonsense", "http://shop.example.org/", "s=1", id="a date that is none"),
        pytest.param("nonsense", "http://shop.example.org/a/b", "", id="no name and value"),
        pytest.param("s=" + "x" * MAX_COOKIE_CHARS, "http://shop.example.org/a/b", "", id="too long"),
    ],
)  # fmt: skip
def test_who_gets_a_cookie(header: str, url: str, brought: str) -> None:
    jar = Jar()
    given(jar, header)
    assert jar.header(url) == brought


def test_a_new_value_takes_the_place_of_the_old() -> None:
    jar = Jar()
    given(jar, "s=1; Path=/")
    given(jar, "s=2; Path=/")
    assert jar.header("http://shop.example.org/") == "s=2"


def test_a_server_cannot_fill_the_jar() -> None:
    jar = Jar()
    for number in range(3 * MAX_COOKIES):
        given(jar, f"c{number}={number}; Path=/")
    assert len(jar.cookies) == MAX_COOKIES
    assert f"c{3 * MAX_COOKIES - 1}=" in jar.header("http://shop.example.org/")


def test_a_fetch_brings_back_what_it_was_given() -> None:
    seen: list[tuple[tuple[str, str], ...]] = []

    async def server(request: Request) -> Response | Failure:
        seen.append(request.headers)
        return Response(request.url, 200, (("set-cookie", "id=7; Path=/"), ("set-cookie", "lang=de; Path=/")))

    fetch = keep_cookies(server, Jar())

    async def go() -> None:
        await fetch(Request("http://a.example/"))
        await fetch(Request("http://a.example/x", headers=(("accept", "*/*"), ("Cookie", "id=old"))))
        await fetch(Request("http://b.example/"))

    asyncio.run(go())
    assert seen == [(), (("accept", "*/*"), ("cookie", "id=7; lang=de")), ()]


def test_a_request_beside_the_session_brings_none_and_takes_none() -> None:
    seen: list[tuple[tuple[str, str], ...]] = []

    async def serve(request: Request) -> Response | Failure:
        seen.append(request.headers)
        return Response(request.url, 200, headers=(("set-cookie", "s=2; Path=/"),))

    jar = Jar()
    given(jar, "s=1; Path=/")
    beside = Request("http://shop.example.org/", headers=(("accept", "*/*"), WITHOUT_COOKIES))
    asyncio.run(keep_cookies(serve, jar)(beside))  # type: ignore[arg-type]
    assert seen == [(("accept", "*/*"),)]
    assert jar.header("http://shop.example.org/") == "s=1"
