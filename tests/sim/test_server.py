"""The server gives the same bytes as the world does in process, its trouble is real, and nothing sent to it harms it."""

from __future__ import annotations

import asyncio
import gc
import gzip
import re
import socket
import subprocess
import threading
from collections.abc import Callable, Iterator
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import Any

import pycurl
import pytest
import uvloop
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from dowse.errors import BadInput
from dowse.model import Failure, Request, Response
from dowse.reasons import FailureReason
from dowse.sim import World, serve, simulate
from dowse.sim import server as server_module
from dowse.sim.manners import Manners
from dowse.sim.server import CACHE_ROW_BYTES, Cache, Connection, Web
from dowse.sim.wire import Sealed

from .walk import walk

HTML = ("content-type", "text/html; charset=utf-8")
LAST = "Connection: close\r\n"
TROUBLES = {
    "refusing.example": FailureReason.REFUSED,
    "hanging.example": FailureReason.TIMEOUT,
    "garbage.example": FailureReason.GARBAGE,
    "broken.example": FailureReason.BROKEN,
}
MANNERS = {
    "slow.example": Manners(delay=0.3),
    "slowest.example": Manners(delay=60),
    "strict.example": Manners(rate=2.0),
}
STATUSES = {"/error": 500, "/gone": 404, "/there": 301, "/away": 302}
LARGE = 200_000
PATIENCE = 60  # seconds until a test gives up; a busy machine needs a few
SIZES = {"/large": 1, "/huge": 50}
LOOPS = (asyncio.new_event_loop, uvloop.new_event_loop)
LOOP_NAMES = ("asyncio", "uvloop")


class SmallWeb:
    """A web whose pages say what was asked; notes each request that reaches it."""

    def __init__(self) -> None:
        self.asked: list[Request] = []

    def answer(self, request: Request) -> Response | Failure:
        self.asked.append(request)
        _, host, path = re.fullmatch(r"http://(([^/?#:]*)[^/?#]*)(.*)", request.url, re.DOTALL).groups()  # type: ignore[union-attr]
        if host in TROUBLES:
            return Failure(request.url, TROUBLES[host])
        if not host.endswith(".example"):
            return Failure(request.url, FailureReason.NO_HOST, host)
        if path == "/bug":
            raise ZeroDivisionError("a bug in a page")
        told = " ".join(f"{name}={value}" for name, value in request.headers)
        text = f"<p>{request.method} {host}{path} [{told}] {request.body.decode('latin-1')}</p>"
        filling = "x" * LARGE * SIZES.get(path.rstrip("0123456789"), 0)
        headers = (HTML, ("set-cookie", "first=1; Path=/"), ("set-cookie", "second=2; Path=/"))
        return Response(request.url, STATUSES.get(path, 200), headers, (text + filling).encode())

    def manners(self, host: str) -> Manners:
        return MANNERS.get(host, Manners())


class QuickWorld:
    """A world whose servers are all quick and patient."""

    def __init__(self, world: World) -> None:
        self.answer = world.answer

    def manners(self, host: str) -> Manners:
        return Manners()


class Served:
    """A web served from a thread with a loop of its own, and what went wrong there."""

    def __init__(self, new_loop: Callable[[], asyncio.AbstractEventLoop], web: Web, **options: Any) -> None:
        self.port = 0
        self.wrong: list[dict[str, Any]] = []
        self._loop, self._ready, self._leave = new_loop(), threading.Event(), asyncio.Event()
        self._thread = threading.Thread(target=lambda: self._loop.run_until_complete(self._serve(web, options)))

    async def _serve(self, web: Web, options: dict[str, Any]) -> None:
        self._loop.set_exception_handler(lambda _, context: self.wrong.append(context))
        async with serve(web, **options) as self.port:
            self._ready.set()
            await self._leave.wait()

    def __enter__(self) -> Served:
        self._thread.start()
        assert self._ready.wait(PATIENCE)
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._leave.set)
        self._thread.join(PATIENCE)
        assert not self._thread.is_alive()
        self._loop.close()
        assert not self.wrong

    def talk(self, sent: bytes) -> bytes:
        """Send it all and say so; return what comes until the server ends the connection."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE) as client:
            client.sendall(sent)
            client.shutdown(socket.SHUT_WR)
            return b"".join(iter(lambda: client.recv(65536), b""))


Serving = Callable[..., Served]


@pytest.fixture(params=LOOPS, ids=LOOP_NAMES)
def serving(request: pytest.FixtureRequest) -> Serving:
    """Serve a web on either loop."""
    return partial(Served, request.param)


@pytest.fixture
def web() -> SmallWeb:
    return SmallWeb()


def _ask(path: str = "/", host: str = "a.example", more: str = "", method: str = "GET", body: str = "") -> bytes:
    length = f"Content-Length: {len(body)}\r\n" if body else ""
    return f"{method} {path} HTTP/1.1\r\nHost: {host}\r\n{length}{more}\r\n{body}".encode("latin-1")


async def _talk(port: int, *parts: bytes, source: str = "127.0.0.1") -> bytes:
    """Send it all, and return what comes until the server ends the connection."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(source, 0))
    writer.write(b"".join(parts))
    try:
        return await asyncio.wait_for(reader.read(), PATIENCE)
    finally:
        writer.close()


async def _read_answer(reader: asyncio.StreamReader) -> tuple[int, bytes]:
    """Read one answer of a connection that stays open."""
    head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), PATIENCE)
    length = re.search(rb"content-length: (\d+)", head)
    assert length
    return int(head.split()[1]), await asyncio.wait_for(reader.readexactly(int(length[1])), PATIENCE)


def _split(answers: bytes) -> list[tuple[int, bytes, bytes]]:
    """Return status, head and body of the answers that came one after the other."""
    found = []
    while answers:
        head, _, answers = answers.partition(b"\r\n\r\n")
        length = re.search(rb"content-length: (\d+)", head)
        assert length
        size = int(length[1])
        found.append((int(head.split()[1]), head, answers[:size]))
        answers = answers[size:]
    return found


def _curl(url: str, port: int, body: bytes = b"") -> tuple[int, bytes]:
    """Fetch through the server as a proxy; returns status and body, or the number of curl's error."""
    out, curl = BytesIO(), pycurl.Curl()
    curl.setopt(pycurl.URL, url)
    curl.setopt(pycurl.PROXY, f"http://127.0.0.1:{port}")
    curl.setopt(pycurl.ACCEPT_ENCODING, "gzip")
    curl.setopt(pycurl.TIMEOUT_MS, 3000)
    curl.setopt(pycurl.WRITEDATA, out)
    if body:
        curl.setopt(pycurl.POSTFIELDS, body)
    try:
        curl.perform()
    except pycurl.error as error:
        return -int(error.args[0]), b""
    finally:
        status = curl.getinfo(pycurl.RESPONSE_CODE)
        curl.close()
    return status, out.getvalue()


async def _run_curl(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = ["curl", "-sS", "--max-time", "5", *arguments]
    return await asyncio.to_thread(subprocess.run, command, capture_output=True, text=True, check=False)


# The same web as in process


async def test_curl_through_the_proxy_sees_the_same_bytes_as_the_fetch(world: World, serving: Serving) -> None:
    fetch = simulate(QuickWorld(world))
    sites = [world.site(index) for index in range(20)]
    urls = [page.url for truth in sites[:8] if truth.reachable for _, page in walk(world, truth, depth=1)]
    urls += [f"{truth.site}/robots.txt" for truth in sites]
    urls += [form.action for truth in sites for form in truth.forms]
    compared = 0
    with serving(QuickWorld(world), hang=0.1) as server:
        for url in urls:
            expected = await fetch(Request(url))
            if isinstance(expected, Response):
                assert await asyncio.to_thread(_curl, url, server.port) == (expected.status, expected.body)
                compared += 1
    assert compared > 50


async def test_a_posted_form_gives_the_same_bytes(world: World, serving: Serving) -> None:
    form = next(
        form
        for truth in world.truth()
        if truth.reachable
        for form in truth.forms
        if form.method == "POST" and form.database
    )
    body = f"{form.fields[0]}=a".encode()
    expected = world.answer(Request(form.action, "POST", body))
    assert isinstance(expected, Response)
    with serving(QuickWorld(world)) as server:
        assert await asyncio.to_thread(_curl, form.action, server.port, body) == (200, expected.body)


async def test_two_runs_and_the_cache_give_the_same_bytes(web: SmallWeb, serving: Serving) -> None:
    asks = [_ask("/large"), _ask("/large", more="Accept-Encoding: gzip\r\n"), _ask("/gone"), _ask(method="HEAD")]
    asks += [_ask(host="nobody.test"), _ask("/form", method="POST", body="q=1"), _ask("/error", more=LAST)]
    runs = []
    for _ in range(2):
        with serving(web) as server:
            runs += [await _talk(server.port, *asks) for _ in range(2)]
    assert len(runs[0]) > LARGE
    assert len(set(runs)) == 1


# Requests and answers


async def test_pipelined_requests_are_answered_in_order(web: SmallWeb, serving: Serving) -> None:
    asks = [_ask(f"/{number}", host=("a.example", "slow.example")[number == 3]) for number in range(40)]
    with serving(web) as server:
        answers = _split(await _talk(server.port, *asks, _ask("/last", more=LAST)))
    pages = [re.findall(rb"example/(\w+)", body)[0].decode() for _, _, body in answers]
    assert pages == [*map(str, range(40)), "last"]
    assert all(b"connection: keep-alive" in head for _, head, _ in answers[:-1])
    assert b"connection: close" in answers[-1][1]


async def test_head_promises_what_get_sends(web: SmallWeb, serving: Serving) -> None:
    with serving(web) as server:
        head = await _talk(server.port, _ask("/page", method="HEAD", more=LAST))
        [(_, plain, body)] = _split(await _talk(server.port, _ask("/page", more=LAST)))
    assert head.endswith(b"\r\n\r\n")
    assert head.count(b"\r\n\r\n") == 1
    assert f"content-length: {len(body) + 1}".encode() in head  # the page says HEAD instead of GET
    assert plain.splitlines()[0] == head.splitlines()[0]


async def test_the_world_is_told_what_it_may_depend_on(web: SmallWeb, serving: Serving) -> None:
    more = "Cookie: sid=7\r\nUser-Agent: me\r\nX-Requested-With: XMLHttpRequest\r\nX-Secret: no\r\n"
    more += "Content-Type: application/x-www-form-urlencoded\r\nAccept-Language: fr\r\nAccept: */*\r\n"
    with serving(web) as server:
        await _talk(server.port, _ask("/form", method="POST", body="q=1", more=more + LAST))
    [asked] = web.asked
    assert (asked.url, asked.method, asked.body) == ("http://a.example/form", "POST", b"q=1")
    assert dict(asked.headers) == {
        "cookie": "sid=7",
        "user-agent": "me",
        "x-requested-with": "XMLHttpRequest",
        "content-type": "application/x-www-form-urlencoded",
        "accept-language": "fr",
    }


async def test_http_1_0_closes_unless_asked_to_stay(web: SmallWeb, serving: Serving) -> None:
    stay = b"GET /1 HTTP/1.0\r\nHost: a.example\r\nConnection: keep-alive\r\n\r\n"
    with serving(web) as server:
        answers = _split(await _talk(server.port, stay, stay, b"GET /2 HTTP/1.0\r\nHost: a.example\r\n\r\n"))
    assert [head.splitlines()[-1] for _, head, _ in answers] == [b"connection: keep-alive"] * 2 + [b"connection: close"]


@pytest.mark.parametrize(
    "place", ["http://a.example/x", "http://A.EXAMPLE:80/x", "http://a.example:{port}/x"], ids=["plain", "80", "own"]
)
async def test_a_port_that_leads_here_is_not_part_of_the_address(web: SmallWeb, serving: Serving, place: str) -> None:
    with serving(web) as server:
        url = place.format(port=server.port)
        by_proxy = await _talk(server.port, f"GET {url} HTTP/1.1\r\nHost: other.test\r\n{LAST}\r\n".encode())
        by_host = await _talk(server.port, _ask("/x", url.removeprefix("http://").removesuffix("/x"), LAST))
    assert by_proxy == by_host
    assert {asked.url for asked in web.asked} == {"http://a.example/x"}


async def test_another_port_is_another_server(web: SmallWeb, serving: Serving) -> None:
    with serving(web) as server:
        await _talk(server.port, _ask("/x", "a.example:9", LAST))
    assert web.asked[0].url == "http://a.example:9/x"


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        (b"GET / HTTP/1.1\r\nHost: nobody.test\r\nConnection: close\r\n\r\n", b"502"),
        (b"hello\r\n\r\n", b"400"),
        (b"DELETE / HTTP/1.1\r\nHost: x\r\n\r\n", b"405"),
        (b"CONNECT a.example:443 HTTP/1.1\r\nHost: a.example:443\r\n\r\n", b"405"),
        (b"POST / HTTP/1.1\r\nContent-Length: 99999999\r\n\r\n" + b"x" * 2_000_000, b"413"),
        (b"POST / HTTP/1.1\r\nContent-Length: x\r\n\r\n", b"413"),
        (b"POST / HTTP/1.1\r\nHost: a.example\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", b"413"),
        (b"GET / HTTP/1.1\r\nX: " + b"y" * 2_000_000 + b"\r\n\r\n", b"431"),
        (b"GET / HTTP/1.0\r\n\r\n", b"502"),
        (b"GET / HTTP/1.1\r\n\r\n", b"400"),
    ],
    ids=[
        "unknown host",
        "not HTTP",
        "method",
        "tunnel",
        "body too large",
        "odd length",
        "chunks",
        "long headers",
        "no host, HTTP/1.0",
        "no host",
    ],
)
async def test_bad_requests_get_one_clear_answer(web: SmallWeb, serving: Serving, sent: bytes, status: bytes) -> None:
    with serving(web) as server:
        answer = await _talk(server.port, sent)
    assert answer.startswith(b"HTTP/1.1 " + status)
    body = answer.partition(b"\r\n\r\n")[2]
    assert body
    assert body.count(b"\n") == 1


async def test_a_large_body_is_taken_whole_after_leave_to_send_it(web: SmallWeb, serving: Serving) -> None:
    body = "q" * 1024 * 1024
    with serving(web) as server:
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port, limit=2**22)
        head, _, rest = _ask("/form", method="POST", body=body, more="Expect: 100-continue\r\n").partition(b"\r\n\r\n")
        writer.write(head + b"\r\n\r\n")
        assert await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), PATIENCE) == b"HTTP/1.1 100 Continue\r\n\r\n"
        writer.write(rest)
        status, answer = await _read_answer(reader)
        writer.close()
    assert status == 200
    assert answer.endswith(f"{body}</p>".encode())


# curl, as people use it


async def test_curl_by_proxy_and_by_virtual_host(web: SmallWeb, serving: Serving, tmp_path: Path) -> None:
    jar = tmp_path / "jar"
    with serving(web) as server:
        proxied = await _run_curl("-x", f"http://127.0.0.1:{server.port}", "-c", str(jar), "http://a.example/x?y=1")
        mapped = f"a.example:{server.port}:127.0.0.1"
        direct = await _run_curl("--resolve", mapped, "-b", str(jar), f"http://a.example:{server.port}/x?y=1")
        zipped = await _run_curl("--compressed", "-H", "Host: a.example", f"http://127.0.0.1:{server.port}/large")
        posted = await _run_curl("-x", f"http://127.0.0.1:{server.port}", "-d", "q=1", "http://a.example/form")
        many = await _run_curl(
            "-x", f"http://127.0.0.1:{server.port}", "http://a.example/page[1-20]", "-w", "%{num_connects}"
        )
    assert proxied.stdout.startswith("<p>GET a.example/x?y=1 [user-agent=curl")
    assert "cookie=" in direct.stdout
    assert {"first=1", "second=2"} == set(re.findall(r"(?:first|second)=\d", direct.stdout))
    assert len(zipped.stdout) > LARGE
    assert posted.stdout.endswith("q=1</p>")
    assert sum(map(int, re.findall(r"</p>(\d)", many.stdout))) == 1  # one connection for all twenty


async def test_curl_is_told_why_there_is_no_tunnel(web: SmallWeb, serving: Serving) -> None:
    with serving(web) as server:
        told = await _run_curl("-v", "-x", f"http://127.0.0.1:{server.port}", "https://a.example/")
        assert told.returncode != 0
        assert "405" in told.stderr
        answer = await _talk(server.port, b"CONNECT a.example:443 HTTP/1.1\r\nHost: a.example:443\r\n\r\n")
    assert b"CONNECT is refused: this web speaks plain HTTP\n" in answer


# Trouble


@pytest.mark.parametrize(
    ("host", "error"),
    [
        ("refusing.example", pycurl.E_GOT_NOTHING),
        ("hanging.example", pycurl.E_GOT_NOTHING),
        ("garbage.example", pycurl.E_UNSUPPORTED_PROTOCOL),
        ("broken.example", pycurl.E_PARTIAL_FILE),
    ],
)
async def test_trouble_is_real_on_the_wire(web: SmallWeb, serving: Serving, host: str, error: int) -> None:
    with serving(web, hang=0.2) as server:
        status, _ = await asyncio.to_thread(_curl, f"http://{host}/", server.port)
    assert status == -error


async def test_a_slow_server_keeps_nobody_else_waiting(web: SmallWeb, serving: Serving) -> None:
    loop = asyncio.get_running_loop()
    with serving(web) as server:

        async def ask(host: str) -> float:
            begun = loop.time()
            await _talk(server.port, _ask(host=host, more=LAST))
            return loop.time() - begun

        slowest = asyncio.create_task(ask("slowest.example"))
        await _settle(lambda: len(web.asked) == 1)
        await asyncio.gather(ask("a.example"), ask("b.example"))
        assert not slowest.done()
        assert await ask("slow.example") >= 0.29
        assert await ask("slow.example") >= 0.29  # from the cache, and just as slow
        slowest.cancel()


async def test_a_slow_answer_reaches_a_client_that_has_said_all(web: SmallWeb, serving: Serving) -> None:
    with serving(web) as server:
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        writer.write(_ask("/1", "slow.example") + _ask("/2"))
        writer.write_eof()
        assert len(_split(await asyncio.wait_for(reader.read(), PATIENCE))) == 2
        writer.close()


async def test_a_strict_server_is_not_to_be_hurried(web: SmallWeb, serving: Serving) -> None:
    time = [0.0]
    strict = [_ask(f"/{number}", "strict.example") for number in range(6)]
    with serving(web, now=lambda: time[0]) as server:
        answers = _split(await _talk(server.port, *strict, _ask("/other", more=LAST)))
        assert [status for status, _, _ in answers] == [200] * 4 + [429] * 2 + [200]
        assert b"\r\nretry-after: 1\r\n" in answers[4][1]
        assert b"Too Many Requests" in answers[4][2]
        elsewhere = _split(await _talk(server.port, _ask(host="strict.example", more=LAST), source="127.0.0.2"))
        assert [status for status, _, _ in elsewhere] == [200]
        time[0] = 1.0
        answers = _split(await _talk(server.port, *strict[:3], _ask("/other", more=LAST)))
        assert [status for status, _, _ in answers] == [200, 200, 429, 200]


async def test_a_bug_in_a_page_ends_one_connection_and_is_shown(web: SmallWeb, serving: Serving) -> None:
    with serving(web) as server:
        assert await _talk(server.port, _ask("/bug")) == b""
        assert await _talk(server.port, *[_ask()] * 20, _ask("/bug"))  # in a later turn
        assert (await _talk(server.port, _ask(more=LAST))).startswith(b"HTTP/1.1 200")
        assert [type(context["exception"]) for context in server.wrong] == [ZeroDivisionError] * 2
        server.wrong.clear()


# What is kept


async def test_the_world_is_asked_once_for_what_is_kept(web: SmallWeb, serving: Serving) -> None:
    asks = [_ask(), _ask(method="HEAD"), _ask(more="Cookie: a=1\r\n"), _ask(more="Accept-Encoding: gzip\r\n")]
    asks += [_ask("/gone"), _ask("/there"), _ask("/away"), _ask(more="X-Requested-With: XMLHttpRequest\r\n")]
    with serving(web) as server:
        for _ in range(3):
            await _talk(server.port, *asks, _ask("/last", more=LAST))
        assert len(web.asked) == len(asks) + 1
        by_proxy = b"GET http://a.example/ HTTP/1.1\r\nHost: a.example\r\nConnection: close\r\n\r\n"
        await _talk(server.port, by_proxy)  # the same address, however it is written
        assert len(web.asked) == len(asks) + 1


@pytest.mark.parametrize(
    "ask",
    [_ask("/error"), _ask("/form", method="POST", body="q=1"), _ask("/form", method="POST"), _ask("/form", body="q=1")],
    ids=["an error", "a form", "an empty form", "a body"],
)
async def test_the_world_is_asked_again_for_the_rest(web: SmallWeb, serving: Serving, ask: bytes) -> None:
    with serving(web) as server:
        answers = _split(await _talk(server.port, ask, ask, ask, _ask(more=LAST)))
    assert len({body for _, _, body in answers[:3]}) == 1
    assert len(web.asked) == 4


async def test_gzip_is_kept_apart_from_plain(web: SmallWeb, serving: Serving) -> None:
    zipped, plain = _ask("/large", more="Accept-Encoding: gzip\r\n"), _ask("/large")
    with serving(web) as server:
        answers = _split(await _talk(server.port, zipped, plain, zipped, plain, _ask(more=LAST)))
    assert [b"content-encoding: gzip" in head for _, head, _ in answers[:4]] == [True, False, True, False]
    assert gzip.decompress(answers[2][2]) == answers[3][2] == answers[1][2]


def _answer_of(size: int) -> Sealed:
    return Sealed(200, b"", b"x" * (size - CACHE_ROW_BYTES - 1))


def test_the_cache_is_bounded_by_bytes_and_forgets_the_least_recently_used() -> None:
    cache = Cache(5000)
    keys = [("GET", letter, (), False) for letter in "abcdef"]
    for key in keys[:5]:
        cache.add(key, _answer_of(1000))
    assert (len(cache), cache.size) == (5, 5000)
    assert cache.get(keys[0])
    cache.add(keys[5], _answer_of(1000))
    assert [cache.get(key) is not None for key in keys] == [True, False, True, True, True, True]
    cache.add(("GET", "g", (), False), _answer_of(5001))  # larger than all the room: nothing has to go for it
    assert len(cache) == 5
    cache.add(("GET", "h", (), False), _answer_of(5000))
    assert (len(cache), cache.size) == (1, 5000)


# Clients that are slow, many, or gone


async def test_a_client_that_drips_is_cut(web: SmallWeb, serving: Serving, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server_module, "IDLE_SECONDS", 0.3)
    loop = asyncio.get_running_loop()
    with serving(web) as server:
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        begun = loop.time()
        ended = asyncio.ensure_future(reader.read())
        for byte in _ask(more=f"X-Padding: {'x' * 2000}\r\n"):  # two minutes of it
            writer.write(bytes([byte]))
            await asyncio.wait((ended,), timeout=0.05)
            if ended.done():
                break
        assert ended.done()
        assert loop.time() - begun > 0.25
        writer.close()
    assert not web.asked


async def test_a_client_that_does_not_read_is_cut(
    web: SmallWeb, serving: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server_module, "IDLE_SECONDS", 0.3)
    with serving(web) as server, socket.socket() as client:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        client.connect(("127.0.0.1", server.port))
        client.sendall(_ask("/large") * 100)
        await _settle(lambda: bool(web.asked))
        await _settle(_everybody_is_gone)
        assert await asyncio.to_thread(_count_until_end, client) < 100 * LARGE


async def test_the_last_answer_has_its_time_to_be_taken(
    web: SmallWeb, serving: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server_module, "LINGER_SECONDS", 0.01)
    monkeypatch.setattr(server_module, "SWEEP_SECONDS", 0.01)
    with serving(web) as server, socket.socket() as client:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        client.connect(("127.0.0.1", server.port))
        client.sendall(_ask("/huge", more=LAST))
        await asyncio.sleep(0.3)
        assert await asyncio.to_thread(_count_until_end, client) > 50 * LARGE


def _count_until_end(client: socket.socket) -> int:
    client.settimeout(PATIENCE)
    count = 0
    try:
        while chunk := client.recv(1 << 20):
            count += len(chunk)
    except ConnectionResetError:
        pass
    return count


async def test_answers_are_made_as_fast_as_they_are_taken(web: SmallWeb, serving: Serving) -> None:
    with serving(web) as server:
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        asks = [_ask(f"/large{number}") for number in range(100)]
        writer.write(b"".join(asks) + b"".join(_ask(more=f"X-Padding: {'x' * 9000}\r\n") for _ in range(100)))
        await asyncio.sleep(0.3)
        made = len(web.asked)
        assert made < 80
        pages = [await _read_answer(reader) for _ in range(200)]
        writer.close()
    assert [re.findall(rb"/large(\d+)", body)[0] for _, body in pages[:100]] == [b"%d" % each for each in range(100)]
    assert made < len(web.asked)


async def _settle(is_so: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not is_so():  # noqa: ASYNC110
            await asyncio.sleep(0.01)


def _everybody_is_gone() -> bool:
    return all(each.lost.done() for each in gc.get_objects() if isinstance(each, Connection))


def _nobody_is_remembered() -> bool:
    gc.collect()
    return not any(isinstance(each, Connection) for each in gc.get_objects())


async def test_a_client_that_goes_away_gives_its_place_back(
    web: SmallWeb, serving: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server_module, "CONNECTIONS", 1)
    with serving(web, hang=60) as server:
        _, hanging = await asyncio.open_connection("127.0.0.1", server.port)
        hanging.write(_ask(host="hanging.example"))
        await _settle(lambda: len(web.asked) == 1)
        refused = await _talk(server.port)
        assert refused.startswith(b"HTTP/1.1 503 Service Unavailable\r\n")
        assert refused.endswith(b"too many connections\n")
        hanging.close()
        await hanging.wait_closed()
        await _settle(_nobody_is_remembered)
        assert (await _talk(server.port, _ask(more=LAST))).startswith(b"HTTP/1.1 200")


async def test_a_connection_that_rests_makes_room_for_a_new_one(
    web: SmallWeb, serving: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server_module, "CONNECTIONS", 2)
    with serving(web) as server:
        reader, resting = await asyncio.open_connection("127.0.0.1", server.port)
        resting.write(_ask())
        assert (await _read_answer(reader))[0] == 200
        _, fresh = await asyncio.open_connection("127.0.0.1", server.port)
        assert (await _talk(server.port, _ask("/new", more=LAST))).startswith(b"HTTP/1.1 200")
        assert await asyncio.wait_for(reader.read(), PATIENCE) == b""
        resting.close()
        fresh.close()


async def test_hundreds_of_clients_at_once(web: SmallWeb, serving: Serving) -> None:
    with serving(web) as server:
        asks = (_talk(server.port, _ask(f"/{number}"), _ask(f"/{number}", more=LAST)) for number in range(200))
        answers = await asyncio.gather(*asks)
    assert all(len(_split(answer)) == 2 for answer in answers)


async def test_a_port_in_use_is_one_line(web: SmallWeb) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(BadInput, match=f"cannot serve on 127.0.0.1:{port}") as error:
            async with serve(web, port=port):
                pass
    assert "\n" not in str(error.value)


async def test_leaving_ends_connections_that_are_open(web: SmallWeb, serving: Serving) -> None:
    with serving(web) as server:
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        hanging_reader, hanging = await asyncio.open_connection("127.0.0.1", server.port)
        hanging.write(_ask(host="hanging.example"))
        await _settle(lambda: len(web.asked) == 1)
    assert await asyncio.wait_for(reader.read(), PATIENCE) == b""
    assert await asyncio.wait_for(hanging_reader.read(), PATIENCE) == b""
    writer.close()
    hanging.close()


# Whatever is sent


@pytest.fixture(scope="module", params=LOOPS, ids=LOOP_NAMES)
def standing(request: pytest.FixtureRequest) -> Iterator[Served]:
    with Served(request.param, SmallWeb(), hang=0.01) as running:
        yield running


PIECES = st.one_of(
    st.binary(max_size=60),
    st.sampled_from(
        [
            b"GET ",
            b"POST ",
            b"HEAD ",
            b"CONNECT ",
            b"/",
            b"/large",
            b"http://a.example",
            b"http://[::1",
            b"*",
            b" HTTP/1.1\r\n",
            b" HTTP/1.0\r\n",
            b"Host: a.example\r\n",
            b"Host: hanging.example\r\n",
            b"Host: garbage.example\r\n",
            b"Host: \r\n",
            b"Host: [::1]:80\r\n",
            b"Content-Length: 5\r\n",
            b"Content-Length: 1\xb9\r\n",
            b"Content-Length: -0\r\n",
            b"Transfer-Encoding: chunked\r\n",
            b"Expect: 100-continue\r\n",
            b"Accept-Encoding: gzip\r\n",
            b": \r\n",
            b"\r\n",
            b"\r\n\r\n",
            b"\n\n",
            b"\x00",
            b"hello",
            _ask(),
            _ask("/form", method="POST", body="q=1"),
        ]
    ),
)


@settings(max_examples=400, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(pieces=st.lists(PIECES, max_size=12))
@example([b"GET / HTTP/1.1\r\nHost: a.example\r\nContent-Length: \xb2\r\n\r\n"])
@example([b"GET  HTTP/1.1\r\n\r\n"])
@example([b"\r\n\r\n" * 50])
@example([_ask() * 100, b"GET"])
def test_nothing_sent_harms_the_server(standing: Served, pieces: list[bytes]) -> None:
    standing.talk(b"".join(pieces))
    assert standing.talk(_ask("/well")).startswith(b"HTTP/1.1 200 OK\r\n")
    assert not standing.wrong
