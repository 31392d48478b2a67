"""One link followed."""

from __future__ import annotations

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
