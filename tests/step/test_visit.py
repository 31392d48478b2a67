"""One link followed."""

from __future__ import annotations

import asyncio
import threading
from dataclasses import replace

import pytest

from dowse.form.doors import find_doors
from dowse.model import Failure, Link, Request, Response, SeenOnSite
from dowse.page.document import Document, read_page
from dowse.page.needs_browser import SHELL
from dowse.reasons import FailureReason
from dowse.step.ask import FetchedPage, ask
from dowse.step.visit import LARGE_BYTES, LARGE_TAGS, Inspection, digest, inspect, is_large, look_at, offload, visit
from tests.webs import HTML, page, read_in_turn, refused, web

URL = "http://books.test/"
OFFLOAD_HTML = (("content-type", "text/html; charset=utf-8"),)
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
    return Response(request.url, 200, OFFLOAD_HTML, LARGE_PAGE)


async def count_turns(work: asyncio.Task[object]) -> int:
    turns = 0
    while not work.done():
        await asyncio.sleep(0)
        turns += 1
    return turns


async def test_the_loop_goes_on_while_a_large_page_is_read() -> None:
    asked = asyncio.create_task(ask(Request(URL), fetch))
    assert await count_turns(asked) > LEAST_TURNS
    fetched = asked.result()
    assert isinstance(fetched, FetchedPage)
    assert fetched.large
    assert fetched.tree is not None


async def test_a_large_page_is_read_like_any_other() -> None:
    visited = await visit(Link(URL), fetch, SeenOnSite())
    seen = await inspect(URL, fetch)
    assert visited.page is not None
    assert isinstance(seen, Inspection)
    assert [link.url for link in visited.page.links[:2]] == [f"{URL}item"] * 2
    assert seen.page.link_count == visited.page.link_count == 5_000


INSPECT_URL = "http://e.com/a"
SHELL_PAGE = "<html><body><div id=app></div><script src=/a.js></script></body></html>"
FORM = '<form action="/find"><input name="title"><input name="author"><button>Search books</button></form>'


async def test_a_page_is_opened_in_a_browser_where_that_sees_more() -> None:
    async def render(response: Response) -> Response | Failure:
        return replace(response, body=page(forms=FORM).encode(), rendered=True)

    plain = await inspect(INSPECT_URL, web({INSPECT_URL: SHELL_PAGE}))
    seen = await inspect(INSPECT_URL, web({INSPECT_URL: SHELL_PAGE}), render)
    assert isinstance(plain, Inspection)
    assert isinstance(seen, Inspection)
    assert (len(plain.doors), plain.page.unrendered) == (0, SHELL)
    assert (len(seen.doors), seen.page.unrendered) == (1, "")


async def test_without_a_browser_the_page_says_why_it_is_as_it_came() -> None:
    async def render(response: Response) -> Response | Failure:
        return Failure(response.url, FailureReason.BROWSER, "no browser", response.status)

    seen = await inspect(INSPECT_URL, web({INSPECT_URL: SHELL_PAGE}), render)
    assert isinstance(seen, Inspection)
    assert seen.page.unrendered == f"{SHELL} (no browser)"


async def test_an_error_is_not_looked_at() -> None:
    assert await inspect(INSPECT_URL, web({})) == Failure(INSPECT_URL, FailureReason.STATUS, "HTTP 404", 404)


def test_link_groups_are_those_of_the_layout() -> None:
    body = b"<p><a href=/a>One</a> | <b><a href=/b>Two</a></b> | <i><a href=/c>Three</a></i><p><a href=/d>Alone</a>"
    seen = look_at(Document(Response("http://e.com/", 200, (("content-type", "text/html"),), body)))
    assert [[link.text for link in group] for group in seen.link_groups] == [["One", "Two", "Three"]], (
        "one line, three paths"
    )


VISIT_URL = "http://e.com/a"
VISIT_FORM = '<form action="/find"><input name="title"><input name="author"><button>Search books</button></form>'


async def test_a_page_with_a_door() -> None:
    body = page("/b", forms=VISIT_FORM)
    visited = await visit(Link(VISIT_URL, depth=2), web({VISIT_URL: body}), SeenOnSite(), now=lambda: 7.0)
    assert visited.page
    assert [link.url for link in visited.page.links] == ["http://e.com/b"]
    (door,) = visited.doors
    assert (door.judgement.kind, door.depth, door.page) == ("database", 2, VISIT_URL)
    assert (visited.status, visited.digest, visited.seconds) == (200, digest(body.encode()), 7.0)


async def test_what_the_site_has_shown_is_left_out_and_counted() -> None:
    links = {"http://e.com/b"}
    first = await visit(
        Link(VISIT_URL), web({VISIT_URL: page("/b", "/c", forms=VISIT_FORM)}), SeenOnSite(links)
    )  # fmt: skip
    assert first.page
    seen = SeenOnSite(links, {form.key for form in first.page.form_keys}, first.signatures)
    again = await visit(Link(VISIT_URL), web({VISIT_URL: page("/b", "/d", forms=VISIT_FORM)}), seen)
    assert again.page
    assert [link.url for link in first.page.links] == ["http://e.com/c"]
    assert [link.url for link in again.page.links] == ["http://e.com/d"]
    assert (again.page.link_count, again.page.form_count, again.page.forms) == (2, 1, ())
    assert first.doors
    assert not again.doors


async def test_a_form_in_broken_markup_is_never_taken_for_one_that_is_known() -> None:
    """Its controls stand outside of it, so two such forms look alike."""
    table = "<table><form action=/find><tr><td><input name={}><td><input name=b></form></table>"
    pages = read_in_turn(*(Response(VISIT_URL, 200, HTML, table.format(name).encode()) for name in ("one", "two")))
    assert [[field.name for field in read.forms[0].fields] for read in pages] == [["one", "b"], ["two", "b"]]


async def test_failures_are_values() -> None:
    assert (await visit(Link(VISIT_URL), web(refused), SeenOnSite())).failure == refused(VISIT_URL)
    missing = await visit(Link(VISIT_URL), web({}), SeenOnSite())
    assert missing.failure == Failure(VISIT_URL, FailureReason.STATUS, "HTTP 404", 404)


async def test_a_redirect_to_another_site() -> None:
    moved = await visit(
        Link(VISIT_URL), web({VISIT_URL: Response(VISIT_URL, 302, (("location", "https://e.com/a"),))}), SeenOnSite()
    )
    assert moved.moved == "https://e.com/a"
    nowhere = await visit(
        Link(VISIT_URL), web({VISIT_URL: Response(VISIT_URL, 302, (("location", "javascript:x"),))}), SeenOnSite()
    )
    assert nowhere.failure
    assert nowhere.failure.why == FailureReason.REDIRECT_BAD


def test_a_door_whose_signature_is_known_is_not_opened_again() -> None:
    read = read_page(Response(VISIT_URL, 200, HTML, (VISIT_FORM * 2).encode()))
    (door,), signatures = find_doors(read)
    assert signatures == {door.signature}
    assert find_doors(read, known=signatures) == ((), signatures)


VISIT_SHELL = "<html><body><div id=app></div><script src=/a.js></script></body></html>"


async def test_a_page_that_needs_a_browser_is_read_as_the_browser_shows_it() -> None:
    opened: list[str] = []

    async def render(response: Response) -> Response | Failure:
        opened.append(response.url)
        return replace(response, body=page("/b", forms=VISIT_FORM).encode(), rendered=True)

    pages = {VISIT_URL: VISIT_SHELL, "http://e.com/plain": page("/c", text="words " * 100)}
    visited = await visit(Link(VISIT_URL), web(pages), SeenOnSite(), render=render)
    assert visited.page
    assert [link.url for link in visited.page.links] == ["http://e.com/b"]
    assert len(visited.doors) == 1
    assert (visited.digest, visited.unrendered, visited.page.unrendered) == (digest(VISIT_SHELL.encode()), "", "")
    await visit(Link("http://e.com/plain"), web(pages), SeenOnSite(), render=render)
    assert opened == [VISIT_URL]


async def test_what_stood_in_the_page_as_it_came_is_not_left_out_of_the_page_as_shown() -> None:
    writes = "<script>document.write('<form><input type=text></form>')</script>"
    body = page("/b", text="words " * 100, forms=VISIT_FORM + writes)

    async def render(response: Response) -> Response | Failure:
        return replace(response, rendered=True)

    visited = await visit(Link(VISIT_URL), web({VISIT_URL: body}), SeenOnSite(), render=render)
    assert visited.page
    assert [link.url for link in visited.page.links] == ["http://e.com/b"]
    assert len(visited.doors) == 1


async def test_without_a_browser_a_page_is_read_as_it_came_and_says_so() -> None:
    async def render(response: Response) -> Response | Failure:
        return Failure(response.url, FailureReason.BROWSER, "no browser", response.status)

    visited = await visit(Link(VISIT_URL), web({VISIT_URL: VISIT_SHELL}), SeenOnSite(), render=render)
    assert (visited.failure, visited.status, visited.unrendered) == (None, 200, "no browser")
    assert visited.page
    never = await visit(Link(VISIT_URL), web({VISIT_URL: VISIT_SHELL}), SeenOnSite())
    assert never.unrendered == ""


async def test_a_page_from_the_browser_is_laid_out_where_a_strategy_looks() -> None:
    async def render(response: Response) -> Response | Failure:
        return replace(response, body=b"<p><a href=/a>A</a> <a href=/b>B</a> <a href=/c>C</a>", rendered=True)

    visited = await visit(Link(VISIT_URL), web({VISIT_URL: VISIT_SHELL}), SeenOnSite(layout=True), render=render)
    assert visited.page is not None
    assert [len(group.places) for group in visited.page.groups] == [3]
