"""HTTP against servers that behave, misbehave and break."""

from __future__ import annotations

import asyncio
import gzip
import shutil
import socket
import ssl
import subprocess
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import brotli  # type: ignore[import-untyped]
import pytest
import uvloop
import zstandard

from dowse.fetch.http import EpollSockets, Http, LoopSockets, http
from dowse.model import Failure, Request, Response
from dowse.reasons import FailureReason
from dowse.settings import ConnectTo, FetchSettings
from tests.fetch.conftest import Server, moved, page


async def get(fetch: Http, server: Server, answer: object) -> Response | Failure:
    server.answers["/"] = answer  # type: ignore[assignment]
    return await fetch(Request(f"{server.root}/"))


def encoded(name: str, body: bytes) -> bytes:
    return page(body, f"Content-Encoding: {name}")


TEXT = b"<p>hello</p>" * 100
PAGES = {
    "plain": (page(TEXT), TEXT),
    "empty": (page(b""), b""),
    "gzip": (encoded("gzip", gzip.compress(TEXT)), TEXT),
    "brotli": (encoded("br", brotli.compress(TEXT)), TEXT),
    "zstd": (encoded("zstd", zstandard.compress(TEXT)), TEXT),
    "chunked": (
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n<p>he\r\n3\r\nllo\r\n0\r\n\r\n",
        b"<p>hello",
    ),
    "chunked with a trailer": (
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\nX-Late: 1\r\n\r\n",
        b"hi",
    ),
    "until the end": (b"HTTP/1.0 200 OK\r\n\r\n<p>old", b"<p>old"),
    "no type": (b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi", b"hi"),
    "after a hint": (b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n" + page(b"hi"), b"hi"),
    "after a continue": (b"HTTP/1.1 100 Continue\r\n\r\n" + page(b"hi"), b"hi"),
    "length too short": (b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nhi there", b"hi"),
    "json": (page(b"{}", type="application/json"), b"{}"),
    "xml": (page(b"<a/>", type="application/rss+xml"), b"<a/>"),
    "text": (page(b"hi", type="text/plain"), b"hi"),
    "svg": (page(b"<svg>", type="image/svg+xml"), b"<svg>"),
}


@pytest.mark.parametrize(("answer", "body"), PAGES.values(), ids=PAGES.keys())
async def test_pages(fetch: Http, server: Server, answer: bytes, body: bytes) -> None:
    response = await get(fetch, server, answer)
    assert isinstance(response, Response), response
    assert (response.status, response.body, response.truncated) == (200, body, False)


async def test_headers_are_those_of_the_answer_in_lower_case(fetch: Http, server: Server) -> None:
    answer = b"HTTP/1.1 103 Hints\r\nX-Hint: 1\r\n\r\n" + page(b"hi", "X-Two:  a b ", "x-two: caf\xe9")
    response = await get(fetch, server, answer)
    assert isinstance(response, Response)
    assert response.headers == (
        ("content-type", "text/html"),
        ("content-length", "2"),
        ("x-two", "a b"),
        ("x-two", "caf\xe9"),
    )


@pytest.mark.parametrize("status", [301, 304, 404, 429, 500, 503, 999])
async def test_every_status_is_a_response(fetch: Http, server: Server, status: int) -> None:
    response = await get(fetch, server, f"HTTP/1.1 {status} X\r\nContent-Length: 0\r\n\r\n".encode())
    assert isinstance(response, Response)
    assert response.status == status


async def endless(writer: asyncio.StreamWriter) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n")
    while True:
        writer.write(b"<p>more and more " * 1000)
        await writer.drain()


async def endless_headers(writer: asyncio.StreamWriter) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\n")
    while True:
        writer.write(b"X-More: and more\r\n" * 100)
        await writer.drain()


HANGS = 60  # seconds


async def hang(writer: asyncio.StreamWriter) -> None:
    await asyncio.sleep(HANGS)


async def drip(writer: asyncio.StreamWriter) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n")
    while True:
        writer.write(b"x")
        await writer.drain()
        await asyncio.sleep(0.05)


async def reset(writer: asyncio.StreamWriter) -> None:
    writer.transport.abort()


LONG = encoded("gzip", gzip.compress(TEXT))
CUT = {
    "endless": (endless, 100_000),
    "gzip bomb": (encoded("gzip", gzip.compress(bytes(20_000_000))), 100_000),
    "brotli bomb": (encoded("br", brotli.compress(bytes(20_000_000), quality=3)), 100_000),
    "zstd bomb": (encoded("zstd", zstandard.compress(bytes(20_000_000))), 100_000),
    "length too long": (b"HTTP/1.1 200 OK\r\nContent-Length: 99\r\nConnection: close\r\n\r\nshort", 5),
    "chunks that end too early": (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n9\r\nx", 6),
    "broken chunks": (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\nzz\r\n", 5),
}


@pytest.mark.parametrize(("answer", "length"), CUT.values(), ids=CUT.keys())
async def test_what_came_is_kept(fetch: Http, server: Server, answer: object, length: int) -> None:
    response = await get(fetch, server, answer)
    assert isinstance(response, Response), response
    assert len(response.body) == length
    assert response.truncated


FAILURES = {
    "garbage": (b"\x00\x01\x02 SSH-2.0 not http\r\n\r\n", FailureReason.GARBAGE),
    "HTTP/0.9": (b"<p>just a page", FailureReason.GARBAGE),
    "bad status line": (b"HTTP/1.1 banana\r\n\r\n", FailureReason.GARBAGE),
    "nothing": (b"", FailureReason.BROKEN),
    "reset": (reset, FailureReason.BROKEN),
    "length but no body": (b"HTTP/1.1 200 OK\r\nContent-Length: 99\r\nConnection: close\r\n\r\n", FailureReason.BROKEN),
    "huge header": (page(b"x", "X-Big: " + "x" * 70_000), FailureReason.HEADERS),
    "many headers": (page(b"x", *["X-Many: 1"] * 9000), FailureReason.HEADERS),
    "endless headers": (endless_headers, FailureReason.HEADERS),
    "not gzip at all": (encoded("gzip", b"plain text"), FailureReason.ENCODING),
    "unknown encoding": (encoded("rot13", b"uryyb"), FailureReason.ENCODING),
    "image": (page(b"x", type="image/png"), FailureReason.NOT_A_PAGE),
    "endless film": (page(b"x", type="Video/MP4"), FailureReason.NOT_A_PAGE),
    "pdf": (page(b"x", type="application/pdf; charset=x"), FailureReason.NOT_A_PAGE),
    "zip": (page(b"x", type="application/zip"), FailureReason.NOT_A_PAGE),
    "bytes": (page(b"x", type="application/octet-stream"), FailureReason.NOT_A_PAGE),
    "spreadsheet": (page(b"x", type="application/vnd.openxmlformats-officedocument"), FailureReason.NOT_A_PAGE),
    "font": (page(b"x", type="font/woff2"), FailureReason.NOT_A_PAGE),
}


@pytest.mark.parametrize(("answer", "why"), FAILURES.values(), ids=FAILURES.keys())
async def test_failures(fetch: Http, server: Server, answer: object, why: FailureReason) -> None:
    failure = await get(fetch, server, answer)
    assert isinstance(failure, Failure), failure
    assert failure.why == why
    assert failure.detail


async def test_what_is_not_a_page_still_shows_its_status(fetch: Http, server: Server) -> None:
    failure = await get(fetch, server, page(b"x", type="image/png"))
    assert failure == Failure(f"{server.root}/", FailureReason.NOT_A_PAGE, "image/png", 200)
    response = await get(fetch, server, page(b"x", "Retry-After: 3", status="429 Slow", type="image/png"))
    assert isinstance(response, Response)
    assert (response.status, response.header("retry-after")) == (429, "3")


async def test_robots_txt_is_read_whatever_its_type(fetch: Http, server: Server) -> None:
    server.answers["/robots.txt"] = page(b"User-agent: *", type="application/octet-stream")
    response = await fetch(Request(f"{server.root}/robots.txt"))
    assert isinstance(response, Response)
    assert response.body == b"User-agent: *"


async def test_who_says_what_to_accept_gets_it(fetch: Http, server: Server) -> None:
    server.answers["/x"] = page(b"PNG", type="image/png")
    response = await fetch(Request(f"{server.root}/x", headers=(("accept", "image/png"),)))
    assert isinstance(response, Response)
    assert isinstance(await fetch(Request(f"{server.root}/x")), Failure)  # the handle is used again, the header is not


@pytest.mark.parametrize(("answer", "limit"), [(hang, 0.3), (drip, 0.5)], ids=["hangs", "drips"])
async def test_time_is_bounded(settings: FetchSettings, server: Server, answer: object, limit: float) -> None:
    start = time.monotonic()
    async with http(replace(settings, timeout=limit)) as fetch:
        failure = await get(fetch, server, answer)
    assert isinstance(failure, Failure)
    assert failure.why == FailureReason.TIMEOUT
    assert limit * 0.9 <= time.monotonic() - start < HANGS / 2


async def test_refused_and_unknown_hosts(fetch: Http) -> None:
    with socket.socket() as deaf:  # bound, so that nobody else takes the port, but not listening
        deaf.bind(("127.0.0.1", 0))
        refused = await fetch(Request(f"http://127.0.0.1:{deaf.getsockname()[1]}/"))
    unknown = await fetch(Request("http://no-such-host.invalid/"))
    assert isinstance(refused, Failure)
    assert isinstance(unknown, Failure)
    assert (refused.why, unknown.why) == (FailureReason.REFUSED, FailureReason.NO_HOST)
    assert str(refused) == "connection refused: is the server up?"


@pytest.mark.parametrize("url", ["ftp://a.example/", "file:///etc/passwd", "gopher://x/", "", "http://", "http://a b/"])
async def test_other_addresses_are_not_fetched(fetch: Http, url: str) -> None:
    failure = await fetch(Request(url))
    assert isinstance(failure, Failure)
    assert failure.why == FailureReason.BAD_URL


async def test_the_proxies_of_the_environment_are_not_used(
    monkeypatch: pytest.MonkeyPatch, settings: FetchSettings, server: Server
) -> None:
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:1")
    monkeypatch.setenv("ALL_PROXY", "http://127.0.0.1:1")
    async with http(settings) as fetch:
        assert isinstance(await get(fetch, server, page()), Response)


async def test_redirects_are_not_followed(fetch: Http, server: Server) -> None:
    response = await get(fetch, server, moved("/next"))
    assert isinstance(response, Response)
    assert (response.status, response.header("location")) == (302, "/next")
    assert server.paths == ["/"]


async def test_what_is_sent(fetch: Http, server: Server) -> None:
    url = f"{server.root}/ask"
    await fetch(Request(url, "POST", b"q=used+cars", (("X-Mine", "a\r\nX-Evil: b"),)))
    await fetch(Request(url))
    await fetch(Request(url, "HEAD"))
    post, plain, head = server.requests
    assert post.startswith(b"POST /ask HTTP/1.1\r\n")
    assert post.endswith(b"\r\n\r\nq=used+cars")
    assert b"\r\nX-Mine: a X-Evil: b\r\n" in post
    assert b"Content-Type: application/x-www-form-urlencoded" in post
    assert b"Expect" not in post
    assert plain.startswith(b"GET /ask HTTP/1.1\r\n")
    assert b"X-Mine" not in plain
    assert b"User-Agent: Dowse/test\r\n" in plain
    assert b"Accept-Encoding: gzip, deflate, br, zstd\r\n" in plain
    assert head.startswith(b"HEAD ")


# --- addresses ---------------------------------------------------------------------------------------------------


async def test_private_addresses_are_refused_on_the_address_connected_to(
    settings: FetchSettings, server: Server
) -> None:
    guarded = replace(settings, allow_private=False, connect_to=(ConnectTo("*.example", "127.0.0.1", server.port),))
    async with http(guarded) as fetch:
        for url in (f"{server.root}/", f"http://localhost:{server.port}/", "http://a.example/", "http://2130706433/"):
            failure = await fetch(Request(url))
            assert isinstance(failure, Failure)
            assert failure.why == FailureReason.PRIVATE, failure
            assert "127.0.0.1 (loopback)" in failure.detail or "::1 (loopback)" in failure.detail
            assert "--allow-private allows it" in failure.detail
    assert server.connections == 0


async def test_connect_to_keeps_hosts_apart(settings: FetchSettings, server: Server) -> None:
    server.answers["/"] = page()
    async with http(replace(settings, connect_to=(ConnectTo("*.example", "127.0.0.1", server.port),))) as fetch:
        for _ in range(3):
            for number in range(5):
                assert isinstance(await fetch(Request(f"http://h{number}.example/")), Response)
        with socket.socket() as deaf:  # no detour is left on the handle
            deaf.bind(("127.0.0.1", 0))
            assert isinstance(await fetch(Request(f"http://127.0.0.1:{deaf.getsockname()[1]}/")), Failure)
    hosts = [request.partition(b"Host: ")[2].partition(b"\r\n")[0].decode() for request in server.requests]
    assert hosts == [f"h{number}.example" for number in range(5)] * 3
    assert server.connections == 5


# --- the loop ----------------------------------------------------------------------------------------------------


async def test_a_connection_is_used_again(fetch: Http, server: Server) -> None:
    server.answers["/"] = page()
    for _ in range(10):
        assert isinstance(await fetch(Request(f"{server.root}/")), Response)
    assert server.connections == 1


async def test_a_cancelled_request_leaves_nothing_behind(fetch: Http, server: Server) -> None:
    server.answers["/hang"] = hang
    server.answers["/"] = page()
    tasks = [asyncio.create_task(fetch(Request(f"{server.root}/hang"))) for _ in range(5)]
    await server.asked(5)
    for task in tasks:
        task.cancel()
    assert all(isinstance(x, asyncio.CancelledError) for x in await asyncio.gather(*tasks, return_exceptions=True))
    assert not fetch._active
    assert fetch._driver is not None
    assert fetch._driver._running == 0
    assert isinstance(await fetch(Request(f"{server.root}/")), Response)


async def test_a_request_cancelled_at_once(fetch: Http, server: Server) -> None:
    server.answers["/"] = page()
    task = asyncio.create_task(fetch(Request(f"{server.root}/")))
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert isinstance(await fetch(Request(f"{server.root}/")), Response)


async def test_closing_cancels_what_is_under_way(settings: FetchSettings, server: Server) -> None:
    server.answers["/"] = hang
    client = http(settings)
    task = asyncio.create_task(client(Request(f"{server.root}/")))
    await server.asked(1)
    await client.aclose()
    with pytest.raises(asyncio.CancelledError):
        await task


async def test_many_at_once(fetch: Http, server: Server) -> None:
    for number in range(50):
        server.answers[f"/{number}"] = page(str(number).encode() * 5000)
    results = await asyncio.gather(*(fetch(Request(f"{server.root}/{number % 50}")) for number in range(300)))
    assert [isinstance(x, Response) and x.body for x in results] == [str(n % 50).encode() * 5000 for n in range(300)]


@pytest.mark.parametrize("run", [asyncio.run, uvloop.run], ids=["asyncio", "uvloop"])
@pytest.mark.parametrize("watch", [EpollSockets, LoopSockets], ids=["epoll", "loop"])
def test_either_loop_and_either_watch(
    monkeypatch: pytest.MonkeyPatch, settings: FetchSettings, run: Callable[..., object], watch: type
) -> None:
    monkeypatch.setattr("dowse.fetch.http.build_sockets", watch)

    async def main() -> None:
        raw = Server({"/": page(TEXT * 50), "/hang": hang})
        listener = await asyncio.start_server(raw.talk, "127.0.0.1", 0)
        raw.port = listener.sockets[0].getsockname()[1]
        async with http(settings) as fetch, http(replace(settings, timeout=0.4)) as impatient:
            slow = asyncio.create_task(impatient(Request(f"{raw.root}/hang")))
            results = await asyncio.gather(*(fetch(Request(f"{raw.root}/")) for _ in range(40)))
            assert all(isinstance(x, Response) and x.body == TEXT * 50 for x in results)
            failure = await slow
            assert isinstance(failure, Failure)
            assert failure.why == FailureReason.TIMEOUT
        listener.close()

    run(main())


@pytest.fixture
def certificate(tmp_path: Path) -> tuple[Path, Path]:
    """A certificate for a.example that nobody has signed, and its key."""
    paths = tmp_path / "cert.pem", tmp_path / "key.pem"
    command = [
        *(
            "openssl",
            "req",
            "-x509",
            "-newkey",
            "ec",
            "-pkeyopt",
            "ec_paramgen_curve:prime256v1",
            "-nodes",
            "-days",
            "1",
        ),
        *("-out", str(paths[0]), "-keyout", str(paths[1]), "-subj", "/CN=a.example"),
        *("-addext", "subjectAltName=DNS:a.example"),
    ]
    if not shutil.which("openssl") or subprocess.run(command, capture_output=True, check=False).returncode:
        pytest.skip("no openssl")
    return paths


CERTIFICATES = {
    "trusted": ("a.example", True, None),
    "of another host": ("b.example", True, FailureReason.TLS),
    "not trusted": ("a.example", False, FailureReason.TLS),
}


@pytest.mark.parametrize(("host", "trusted", "why"), CERTIFICATES.values(), ids=CERTIFICATES.keys())
async def test_certificates(
    monkeypatch: pytest.MonkeyPatch,
    settings: FetchSettings,
    certificate: tuple[Path, Path],
    host: str,
    trusted: bool,
    why: FailureReason | None,
) -> None:
    if trusted:
        monkeypatch.setattr("dowse.fetch.http._ca_file", lambda: str(certificate[0]))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*certificate)
    raw = Server({"/": page()})
    listener = await asyncio.start_server(raw.talk, "127.0.0.1", 0, ssl=context)
    port = listener.sockets[0].getsockname()[1]
    async with http(replace(settings, connect_to=(ConnectTo("*", "127.0.0.1", port),))) as fetch:
        results = [await fetch(Request(f"https://{host}/")) for _ in range(3)]
    listener.close()
    assert [result.why if isinstance(result, Failure) else None for result in results] == [why] * 3
    assert (len(raw.requests), raw.connections if why is None else 1) == (0 if why else 3, 1)


async def test_a_header_in_utf_8_is_one_header(fetch: Http, server: Server) -> None:
    place = "/Ångström\u2028"
    response = await get(fetch, server, page(b"", "Location: " + place.encode().decode("latin-1"), "X-Next: 1"))
    assert isinstance(response, Response)
    assert response.header("location").encode("latin-1").decode() == place
    assert response.header("x-next") == "1"
