"""The whole stack, against a real server."""

from __future__ import annotations

import platform
import time
from dataclasses import replace
from pathlib import Path

import pytest

from dowse import __version__
from dowse.fetch.build import build_fetch, user_agent
from dowse.fetch.guard import judge_address
from dowse.model import Failure, Request, Response, Verdict
from dowse.reasons import FailureReason
from dowse.settings import ConnectTo, FetchSettings
from tests.fetch.conftest import Server, moved, page


def test_user_agent_names_a_contact() -> None:
    assert user_agent("me@example.org") == f"Dowse/{__version__} (+me@example.org)"
    assert user_agent() == f"Dowse/{__version__} (+abuse@{platform.node()})"


async def test_robots_first_then_the_page(server: Server, settings: FetchSettings) -> None:
    server.answers = {"/robots.txt": page(b"User-agent: *\nDisallow: /no", type="text/plain"), "/yes": page(b"hi")}
    async with build_fetch(settings) as fetches:
        response = await fetches.within_site(Request(f"{server.root}/yes"))
        failure = await fetches.within_site(Request(f"{server.root}/no"))
    assert isinstance(response, Response)
    assert response.body == b"hi"
    assert isinstance(failure, Failure)
    assert failure.why == FailureReason.ROBOTS
    assert server.paths == ["/robots.txt", "/yes"]


async def test_robots_is_asked_on_every_hop(server: Server, settings: FetchSettings) -> None:
    server.answers = {"/robots.txt": page(b"User-agent: *\nDisallow: /no"), "/yes": moved("/no")}
    async with build_fetch(settings) as fetches:
        failure = await fetches.within_site(Request(f"{server.root}/yes"))
    assert failure == Failure(f"{server.root}/no", FailureReason.ROBOTS, f"{server.root}/robots.txt")


async def test_the_delay_is_kept(server: Server, settings: FetchSettings) -> None:
    server.answers = {"/": page()}
    start = time.monotonic()
    async with build_fetch(replace(settings, delay=0.1)) as fetches:
        for _ in range(3):
            await fetches.within_site(Request(f"{server.root}/"))
    assert time.monotonic() - start >= 0.3  # robots.txt and three pages


async def test_the_guard_stands_at_every_hop(
    monkeypatch: pytest.MonkeyPatch, server: Server, settings: FetchSettings
) -> None:
    """The first connection passes as one to a public address would; that of the redirect does not."""
    verdicts = iter([Verdict(True)])
    monkeypatch.setattr("dowse.fetch.http.judge_address", lambda ip: next(verdicts, judge_address(ip)))
    server.answers = {"/": moved(f"http://localhost:{server.port}/secret")}
    async with build_fetch(replace(settings, allow_private=False)) as fetches:
        failure = await fetches.anywhere(Request(f"{server.root}/"))
    assert isinstance(failure, Failure)
    assert failure.why == FailureReason.PRIVATE
    assert "--allow-private allows it" in failure.detail
    assert server.paths == ["/robots.txt", "/"]


@pytest.mark.parametrize("way", ["within_site", "anywhere"])
async def test_leaving_the_site(server: Server, settings: FetchSettings, way: str) -> None:
    server.answers = {"/": moved("http://b.example/there"), "/there": page(b"b")}
    own = replace(settings, connect_to=(ConnectTo("*.example", "127.0.0.1", server.port),))
    async with build_fetch(own) as fetches:
        response = await getattr(fetches, way)(Request("http://a.example/"))
    assert (response.status, response.url) == {
        "within_site": (302, "http://a.example/"),
        "anywhere": (200, "http://b.example/there"),
    }[way]
    assert ("/there" in server.paths) == (way == "anywhere")


async def test_what_was_archived_is_replayed_the_same(server: Server, settings: FetchSettings, tmp_path: Path) -> None:
    server.answers = {
        "/robots.txt": page(b"User-agent: *\nDisallow: /no"),
        "/": page(b"<p>home"),
        "/moved": moved("/"),
        "/image": page(b"x", type="image/png"),
        "/broken": b"garbage",
    }
    requests = [Request(f"{server.root}{path}") for path in ("/", "/moved", "/image", "/broken", "/no", "/none")]
    requests.append(Request(f"{server.root}/", "POST", b"q=1"))
    async with build_fetch(replace(settings, warc=str(tmp_path))) as fetches:
        live = [await fetches.within_site(request) for request in requests]
        fetches.flush()
    asked = len(server.requests)
    async with build_fetch(replace(settings, replay=str(tmp_path))) as fetches:
        again = [await fetches.within_site(request) for request in requests]
    assert again == live
    assert len(server.requests) == asked
