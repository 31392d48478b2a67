"""Headers, cookies and a proxy that a user gives: sent to whom they are for, and judged as everything is."""

from __future__ import annotations

from pathlib import Path

import pytest

from dowse.errors import BadInput
from dowse.fetch.build import build_fetch
from dowse.fetch.headers import parse_cookie, parse_header, parse_proxy, send_headers
from dowse.fetch.http import http
from dowse.model import Failure, Request, Response
from dowse.reasons import FailureReason
from dowse.settings import FetchSettings
from tests.fetch.conftest import moved, page, serving

GIVEN = (("Authorization", "Basic x"), ("cookie", "mine=1"))


@pytest.mark.parametrize(
    ("url", "sent"),
    [
        pytest.param("http://a.example/x", True, id="the site that was named"),
        pytest.param("https://a.example/", True, id="over TLS too"),
        pytest.param("http://www.a.example/", True, id="a host below it"),
        pytest.param("http://b.example/", False, id="another site"),
        pytest.param("http://nota.example/", False, id="a name that only ends like it"),
    ],
)
async def test_headers_go_to_whom_they_are_for(url: str, sent: bool) -> None:
    seen: list[Request] = []

    async def fetch(request: Request) -> Response | Failure:
        seen.append(request)
        return Response(request.url, 200)

    await send_headers(fetch, GIVEN, ("a.example",))(Request(url))
    assert (seen[0].headers == GIVEN) is sent
    assert sent or seen[0].headers == ()


async def test_cookies_of_the_site_stay_beside_the_given_ones() -> None:
    seen: list[Request] = []

    async def fetch(request: Request) -> Response | Failure:
        seen.append(request)
        return Response(request.url, 200)

    own = (("cookie", "theirs=2"), ("authorization", "Basic y"))
    await send_headers(fetch, GIVEN, ("a.example",))(Request("http://a.example/", headers=own))
    assert seen[0].headers == (("Authorization", "Basic x"), ("cookie", "theirs=2; mine=1"))


async def test_a_redirect_to_another_host_goes_without_and_no_archive_holds_them(tmp_path: Path) -> None:
    async with serving() as server:
        server.answers = {"/": moved(f"http://localhost:{server.port}/there"), "/there": page(), "/robots.txt": page()}
        settings = FetchSettings(
            delay=0, allow_private=True, headers=GIVEN, header_hosts=("127.0.0.1",), warc=str(tmp_path)
        )
        async with build_fetch(settings) as fetches:
            await fetches.anywhere(Request(f"{server.root}/"))
            fetches.flush()
        by_path = dict(zip(server.paths, server.requests, strict=True))
        assert b"Basic x" in by_path["/"]
        assert b"mine=1" in by_path["/"]
        assert b"Basic x" not in by_path["/there"]
    assert not any(b"Basic x" in file.read_bytes() for file in _archives(tmp_path))


def _archives(folder: Path) -> list[Path]:
    found = list(folder.rglob("*.warc*"))
    assert found
    return found


async def test_every_request_goes_through_the_proxy() -> None:
    async with serving() as proxy:
        proxy.answers = {"http://far.example/x": page(b"<p>by proxy")}
        async with http(FetchSettings(delay=0, allow_private=True, proxy=proxy.root)) as fetch:
            response = await fetch(Request("http://far.example/x"))
    assert isinstance(response, Response)
    assert response.body == b"<p>by proxy"


async def test_a_private_proxy_is_judged_like_any_other_address() -> None:
    async with serving() as proxy, http(FetchSettings(delay=0, proxy=proxy.root)) as fetch:
        failure = await fetch(Request("http://far.example/x"))
        assert isinstance(failure, Failure)
        assert failure.why is FailureReason.PRIVATE
        assert "127.0.0.1" in failure.detail
        assert proxy.requests == []


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "10.0.0.1", "169.254.169.254", "[::1]"])
async def test_behind_a_proxy_private_hosts_are_refused_by_name(host: str) -> None:
    async with http(FetchSettings(delay=0, proxy="http://proxy.example:3128")) as fetch:
        failure = await fetch(Request(f"http://{host}/x"))
    assert isinstance(failure, Failure)
    assert failure.why is FailureReason.PRIVATE


@pytest.mark.parametrize(
    ("parse", "text", "said"),
    [
        pytest.param(parse_header, "X-Key abc", "'Name: value'", id="a header without a colon"),
        pytest.param(parse_header, "X Key: abc", "'Name: value'", id="a blank in its name"),
        pytest.param(parse_header, "Host: a.example", "sets that itself", id="the host"),
        pytest.param(parse_header, "User-Agent: me", "--contact", id="the name of the crawler"),
        pytest.param(parse_header, "X: a\r\nY: b", "line breaks", id="two headers in one"),
        pytest.param(parse_cookie, "session", "NAME=VALUE", id="a cookie without a value"),
        pytest.param(parse_cookie, "a=1; b", "NAME=VALUE", id="the second without a value"),
        pytest.param(parse_proxy, "proxy:3128", "http://HOST:PORT", id="a proxy without a scheme"),
        pytest.param(parse_proxy, "ftp://proxy:21", "http://HOST:PORT", id="of another scheme"),
        pytest.param(parse_proxy, "http://proxy:x", "http://HOST:PORT", id="a port that is none"),
    ],
)
def test_mistakes_are_said(parse: object, text: str, said: str) -> None:
    with pytest.raises(BadInput) as error:
        parse(text)  # type: ignore[operator]
    assert said in str(error.value)


def test_what_is_read() -> None:
    assert parse_header("X-Key:  abc ") == ("X-Key", "abc")
    assert parse_cookie("a=1; b=2=3") == ("cookie", "a=1; b=2=3")
    assert parse_proxy("socks5h://127.0.0.1:9050") == "socks5h://127.0.0.1:9050"


async def test_letters_that_are_not_ascii_are_sent_as_their_bytes() -> None:
    given = (parse_header("X-Name: Dürer à la 東"), parse_cookie("x=ü"))
    async with serving() as server:
        server.answers = {"/": page(b"<p>in", "Set-Cookie: a=\xfc\xff"), "/robots.txt": page()}
        settings = FetchSettings(delay=0, allow_private=True, cookies=True, headers=given, header_hosts=("127.0.0.1",))
        async with build_fetch(settings) as fetches:
            answers = [await fetches.anywhere(Request(f"{server.root}/")) for _ in range(2)]
        assert [type(answer) for answer in answers] == [Response, Response]
        first, second = (each for each, path in zip(server.requests, server.paths, strict=True) if path == "/")
    assert "X-Name: Dürer à la 東\r\n".encode() in first
    assert "cookie: x=ü\r\n".encode() in first
    assert b"cookie: a=\xfc\xff; x=\xc3\xbc\r\n" in second
