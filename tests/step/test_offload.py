"""A large page is worked on beside the event loop, which goes on meanwhile; a small one at once."""

from __future__ import annotations

import asyncio
import threading

import pytest

from dowse.model import Familiar, Link, Request, Response
from dowse.step.ask import Heard, ask
from dowse.step.inspect import Inspection, inspect
from dowse.step.offload import LARGE_BYTES, LARGE_TAGS, is_large, offload
from dowse.step.visit import visit

URL = "http://books.test/"
HTML = (("content-type", "text/html; charset=utf-8"),)
LARGE_PAGE = b"<dl><dt>Name<dd>Value <a href=/item>item</a></dl>" * 8_000
LEAST_TURNS = 10  # of the event loop while a page is read that takes some hundred milliseconds


@pytest.mark.parametrize(
    ("body", "large"),
    [
        pytest.param(b"<p>hello", False, id="a few words"),
        pytest.param(b"word " * 20_000, False, id="many words, no tags"),
        pytest.param(b"x" * (LARGE_BYTES + 1), True, id="many bytes"),
        pytest.param(b"<p>" * LARGE_TAGS, False, id="just small enough"),
        pytest.param(b"<p>" * (LARGE_TAGS + 1), True, id="few bytes, many tags"),
    ],
)
def test_large_is_what_takes_long(body: bytes, large: bool) -> None:
    assert is_large(body) is large


async def test_small_work_is_done_where_it_is_asked_for() -> None:
    assert await offload(False, threading.get_ident) == threading.get_ident()


async def test_large_work_is_done_in_one_other_thread() -> None:
    threads = {await offload(True, threading.get_ident) for _ in range(5)}
    assert len(threads) == 1
    assert threading.get_ident() not in threads


async def test_an_error_is_raised_where_work_was_asked_for() -> None:
    with pytest.raises(ZeroDivisionError):
        await offload(True, divmod, 1, 0)


async def fetch(request: Request) -> Response:
    return Response(request.url, 200, HTML, LARGE_PAGE)


async def count_turns(work: asyncio.Task[object]) -> int:
    turns = 0
    while not work.done():
        await asyncio.sleep(0)
        turns += 1
    return turns


async def test_the_loop_goes_on_while_a_large_page_is_read() -> None:
    asked = asyncio.create_task(ask(Request(URL), fetch))
    assert await count_turns(asked) > LEAST_TURNS
    heard = asked.result()
    assert isinstance(heard, Heard)
    assert heard.large
    assert heard.tree is not None


async def test_a_large_page_is_read_like_any_other() -> None:
    visited = await visit(Link(URL), fetch, Familiar())
    seen = await inspect(URL, fetch)
    assert visited.page is not None
    assert isinstance(seen, Inspection)
    assert [link.url for link in visited.page.links[:2]] == [f"{URL}item"] * 2
    assert seen.page.link_count == visited.page.link_count == 5_000
