"""The server gives the same bytes as the world does in process, and its trouble is real."""

from __future__ import annotations

import asyncio
import socket
from io import BytesIO

import pycurl
import pytest

from dowse.errors import BadInput
from dowse.model import Request, Response
from dowse.sim import World, serve, simulate

from .walk import walk


def _curl(url: str, port: int, body: bytes = b"", **options: object) -> tuple[int, bytes]:
    """Fetch through the server as a proxy; returns status and body, or the number of curl's error."""
    out, curl = BytesIO(), pycurl.Curl()
    curl.setopt(pycurl.URL, url)
    curl.setopt(pycurl.PROXY, f"http://127.0.0.1:{port}")
    curl.setopt(pycurl.ACCEPT_ENCODING, "gzip")
    curl.setopt(pycurl.TIMEOUT_MS, 3000)
    curl.setopt(pycurl.WRITEDATA, out)
    if body:
        curl.setopt(pycurl.POSTFIELDS, body)
    for name, value in options.items():
        curl.setopt(getattr(pycurl, name), value)
    try:
        curl.perform()
    except pycurl.error as error:
        return -int(error.args[0]), b""
    finally:
        status = curl.getinfo(pycurl.RESPONSE_CODE)
        curl.close()
    return status, out.getvalue()


async def _raw(port: int, *parts: bytes) -> bytes:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(b"".join(parts))
    answer = await asyncio.wait_for(reader.read(), 5)
    writer.close()
    return answer


async def test_curl_through_the_proxy_sees_the_same_bytes_as_the_fetch(world: World) -> None:
    fetch = simulate(world)
    sites = [world.site(index) for index in range(20)]
    urls = [page.url for truth in sites[:8] if truth.reachable for _, page in walk(world, truth, depth=1)]
    urls += [f"{truth.site}/robots.txt" for truth in sites]
    urls += [form.action for truth in sites for form in truth.forms]
    compared = 0
    async with serve(world, hang=0.1) as port:
        for url in urls:
            expected = await fetch(Request(url))
            if isinstance(expected, Response):
                assert await asyncio.to_thread(_curl, url, port) == (expected.status, expected.body)
                compared += 1
    assert compared > 50


async def test_a_posted_form_gives_the_same_bytes(world: World) -> None:
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
    async with serve(world) as port:
        assert await asyncio.to_thread(_curl, form.action, port, body) == (200, expected.body)


async def test_by_virtual_host_with_keep_alive_and_head(world: World) -> None:
    host = world.site(0).site.removeprefix("http://")
    expected = world.answer(Request(f"http://{host}/"))
    assert isinstance(expected, Response)
    async with serve(world) as port:
        answer = await _raw(
            port,
            f"HEAD / HTTP/1.1\r\nHost: {host}\r\n\r\n".encode(),
            f"GET / HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode(),
        )
    first, second = answer.split(b"HTTP/1.1 200 OK")[1:]
    assert f"content-length: {len(expected.body)}".encode() in first
    assert first.endswith(b"\r\n\r\n")
    assert second.endswith(expected.body)


@pytest.mark.parametrize(
    ("trouble", "error"),
    [
        ("refused", pycurl.E_GOT_NOTHING),
        ("hanging", pycurl.E_GOT_NOTHING),
        ("garbage", pycurl.E_UNSUPPORTED_PROTOCOL),
        ("wrong-length", pycurl.E_PARTIAL_FILE),
    ],
)
async def test_trouble_is_real_on_the_wire(trouble: str, error: int) -> None:
    world = World(seed=3, sites=900)
    address = next(world.traits(index).address for index in range(900) if world.traits(index).trouble == trouble)
    async with serve(world, hang=0.2) as port:
        status, _ = await asyncio.to_thread(_curl, address, port)
    assert status == -error


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        (b"GET / HTTP/1.1\r\nHost: nobody.example\r\nConnection: close\r\n\r\n", b"404"),
        (b"hello\r\n\r\n", b"400"),
        (b"DELETE / HTTP/1.1\r\nHost: x\r\n\r\n", b"405"),
        (b"POST / HTTP/1.1\r\nContent-Length: 99999999\r\n\r\n", b"413"),
        (b"POST / HTTP/1.1\r\nContent-Length: x\r\n\r\n", b"413"),
        (b"GET / HTTP/1.1\r\nX: " + b"y" * 200_000 + b"\r\n\r\n", b"431"),
        (b"GET / HTTP/1.0\r\n\r\n", b"404"),
    ],
    ids=["unknown host", "not HTTP", "method", "body too large", "odd length", "long headers", "no host, HTTP/1.0"],
)
async def test_bad_requests_get_one_clear_answer(world: World, sent: bytes, status: bytes) -> None:
    async with serve(world) as port:
        answer = await _raw(port, sent)
    assert answer.startswith(b"HTTP/1.1 " + status)
    assert answer.partition(b"\r\n\r\n")[2]


async def test_a_port_in_use_is_one_line(world: World) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(BadInput, match=f"cannot serve on 127.0.0.1:{port}") as error:
            async with serve(world, port=port):
                pass
    assert "\n" not in str(error.value)


async def test_leaving_ends_connections_that_are_open(world: World) -> None:
    async with serve(world) as port:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
    assert await asyncio.wait_for(reader.read(), 2) == b""
    writer.close()
