"""One link followed."""

from __future__ import annotations

from dataclasses import replace

from dowse.form.doors import find_doors
from dowse.model import Failure, Familiar, Link, Response, Why
from dowse.page.read import read_page
from dowse.step.visit import digest, visit
from tests.webs import HTML, page, refused, web

URL = "http://e.com/a"
FORM = '<form action="/find"><input name="title"><input name="author"><button>Search books</button></form>'


async def test_a_page_with_a_door() -> None:
    body = page("/b", forms=FORM)
    visited = await visit(Link(URL, depth=2), web({URL: body}), Familiar(), now=lambda: 7.0)
    assert visited.page
    assert [link.url for link in visited.page.links] == ["http://e.com/b"]
    (door,) = visited.doors
    assert (door.judgement.kind, door.depth, door.page) == ("database", 2, URL)
    assert (visited.status, visited.digest, visited.seconds) == (200, digest(body.encode()), 7.0)


async def test_what_is_familiar_is_left_out_and_counted() -> None:
    familiar = Familiar(links={"http://e.com/b"})
    first = await visit(Link(URL), web({URL: page("/b", "/c", forms=FORM)}), familiar)
    again = await visit(Link(URL), web({URL: page("/b", "/d", forms=FORM)}), familiar)
    assert first.page
    assert again.page
    assert [link.url for link in first.page.links] == ["http://e.com/c"]
    assert [link.url for link in again.page.links] == ["http://e.com/d"]
    assert (again.page.link_count, again.page.form_count, again.page.forms) == (2, 1, ())
    assert first.doors
    assert not again.doors


async def test_a_form_in_broken_markup_is_never_taken_for_a_familiar_one() -> None:
    """Its controls stand outside of it, so two such forms look alike."""
    table = "<table><form action=/find><tr><td><input name={}><td><input name=b></form></table>"
    familiar = Familiar()
    for name in ("one", "two"):
        read = read_page(Response(URL, 200, HTML, table.format(name).encode()), familiar=familiar)
        assert [field.name for field in read.forms[0].fields] == [name, "b"]


async def test_failures_are_values() -> None:
    assert (await visit(Link(URL), web(refused), Familiar())).failure == refused(URL)
    missing = await visit(Link(URL), web({}), Familiar())
    assert missing.failure == Failure(URL, Why.STATUS, "HTTP 404", 404)


async def test_a_redirect_to_another_site() -> None:
    moved = await visit(Link(URL), web({URL: Response(URL, 302, (("location", "https://e.com/a"),))}), Familiar())
    assert moved.moved == "https://e.com/a"
    nowhere = await visit(Link(URL), web({URL: Response(URL, 302, (("location", "javascript:x"),))}), Familiar())
    assert nowhere.failure
    assert nowhere.failure.why == Why.REDIRECT_BAD


def test_a_door_whose_signature_is_known_is_not_opened_again() -> None:
    read = read_page(Response(URL, 200, HTML, (FORM * 2).encode()))
    (door,) = find_doors(read)
    assert not list(find_doors(read, known={door.signature}))


SHELL = "<html><body><div id=app></div><script src=/a.js></script></body></html>"


async def test_a_page_that_needs_a_browser_is_read_as_the_browser_shows_it() -> None:
    opened: list[str] = []

    async def render(response: Response) -> Response | Failure:
        opened.append(response.url)
        return replace(response, body=page("/b", forms=FORM).encode(), rendered=True)

    pages = {URL: SHELL, "http://e.com/plain": page("/c", text="words " * 100)}
    visited = await visit(Link(URL), web(pages), Familiar(), render=render)
    assert visited.page
    assert [link.url for link in visited.page.links] == ["http://e.com/b"]
    assert len(visited.doors) == 1
    assert (visited.digest, visited.unrendered, visited.page.unrendered) == (digest(SHELL.encode()), "", "")
    await visit(Link("http://e.com/plain"), web(pages), Familiar(), render=render)
    assert opened == [URL]


async def test_what_stood_in_the_page_as_it_came_is_not_left_out_of_the_page_as_shown() -> None:
    writes = "<script>document.write('<form><input type=text></form>')</script>"
    body = page("/b", text="words " * 100, forms=FORM + writes)

    async def render(response: Response) -> Response | Failure:
        return replace(response, rendered=True)

    visited = await visit(Link(URL), web({URL: body}), Familiar(), render=render)
    assert visited.page
    assert [link.url for link in visited.page.links] == ["http://e.com/b"]
    assert len(visited.doors) == 1


async def test_without_a_browser_a_page_is_read_as_it_came_and_says_so() -> None:
    async def render(response: Response) -> Response | Failure:
        return Failure(response.url, Why.BROWSER, "no browser", response.status)

    visited = await visit(Link(URL), web({URL: SHELL}), Familiar(), render=render)
    assert (visited.failure, visited.status, visited.unrendered) == (None, 200, "no browser")
    assert visited.page
    never = await visit(Link(URL), web({URL: SHELL}), Familiar())
    assert never.unrendered == ""


async def test_a_page_from_the_browser_is_laid_out_where_a_strategy_looks() -> None:
    async def render(response: Response) -> Response | Failure:
        return replace(response, body=b"<p><a href=/a>A</a> <a href=/b>B</a> <a href=/c>C</a>", rendered=True)

    visited = await visit(Link(URL), web({URL: SHELL}), Familiar(layout=True), render=render)
    assert visited.page is not None
    assert [len(group.places) for group in visited.page.groups] == [3]
