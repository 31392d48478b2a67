"""Looking at a page: where it leads on its own site, and why it is none."""

from __future__ import annotations

import pytest

from dowse.example.look import MOST_LINKS, Seen, find_session, leave_out, look_with, name_failure
from dowse.model import Failure, Request, Response, Why

from .shop import HTML, SITE, Shop, address, listing, other


async def look_at(shop: Shop, place: str = "/", without: tuple[str, ...] = ()) -> Seen | Failure:
    return await look_with(shop.fetches.within_site, without=without)(Request(address(place)))


async def test_links_to_the_same_site_each_once_in_their_order() -> None:
    body = (
        '<a href="/b">b</a><a href="http://else.example/">x</a><a href="/a#top">a</a><a href="/b">again</a>'
        '<a rel="nofollow" href="/c">c</a><a href="mailto:x@shop.example">mail</a>'
    )
    seen = await look_at(Shop({"/": f"<html><body>{body}</body></html>"}))
    assert isinstance(seen, Seen)
    assert seen.links == (address("/b"), address("/a"))


async def test_parameters_that_number_a_visit_are_left_out() -> None:
    seen = await look_at(Shop({"/": listing("/a?v=1&id=2", "/a?id=2&v=3", "/b?v=4")}), without=("v",))
    assert isinstance(seen, Seen)
    assert seen.links[-2:] == (address("/a?id=2"), address("/b"))


async def test_a_page_that_moved_within_its_site_is_known_by_the_address_asked_for() -> None:
    shop = Shop({"/old": Response(address("/old"), 301, (("location", "/new"),)), "/new": other("/x")})
    seen = await look_at(shop, "/old")
    assert isinstance(seen, Seen)
    assert (seen.url, seen.page.url, seen.moved) == (address("/old"), address("/new"), True)


FAILURES = [
    ("gone", Response("", 404, HTML, b"<p>no"), Why.STATUS, "HTTP 404"),
    ("broken", Response("", 500, HTML), Why.STATUS, "HTTP 500"),
    ("leads to another site", Response("", 302, (("location", "http://else.example/"),)), Why.REDIRECT_BAD, "redirects to nowhere"),
    ("a service", Response("", 200, (("content-type", "application/json"),), b"{}"), Why.NOT_A_PAGE, "not a page"),
    ("nobody there", Failure("", Why.REFUSED), Why.REFUSED, "connection refused"),
]  # fmt: skip


@pytest.mark.parametrize(("answer", "why", "name"), [row[1:] for row in FAILURES], ids=[row[0] for row in FAILURES])
async def test_what_is_no_page_says_why(answer: Response | Failure, why: Why, name: str) -> None:
    seen = await look_at(Shop({"/": answer}))
    assert isinstance(seen, Failure)
    assert (seen.why, name_failure(seen)) == (why, name)


async def test_a_page_with_very_many_links_is_bounded() -> None:
    seen = await look_at(Shop({"/": listing(*(f"/{n}" for n in range(20_000)))}))
    assert isinstance(seen, Seen)
    assert len(seen.links) <= MOST_LINKS


ADDRESSES = [
    ("/a?x=1&y=2", ("x",), "/a?y=2"),
    ("/a?x=1", ("x",), "/a"),
    ("/a?xx=1", ("x",), "/a?xx=1"),
    ("/a?x=1&x=2&y", ("x",), "/a?y"),
    ("/a?x=1", (), "/a?x=1"),
    ("/a", ("x",), "/a"),
    ("/a;x=1?y=2", (";x",), "/a?y=2"),
    ("/a;x=1;y=2/b", (";x",), "/a;y=2/b"),
    ("/a;x=1?x=2", ("x",), "/a;x=1"),
]


@pytest.mark.parametrize(("url", "names", "wanted"), ADDRESSES, ids=[row[0] for row in ADDRESSES])
def test_leave_out(url: str, names: tuple[str, ...], wanted: str) -> None:
    assert leave_out(SITE + url, names) == SITE + wanted


SESSIONS = [
    ("a long random value in most links", ["v=8f3a9c01d2e4b7a6"] * 5, {"v"}),
    ("too short", ["v=8f3a9c"] * 5, set()),
    ("words are no number", ["v=abcdefghijklmnop"] * 5, set()),
    ("another in every link", [f"v=8f3a9c01d2e4b7a{n}" for n in range(5)], set()),
    ("in few links", ["v=8f3a9c01d2e4b7a6"] * 3 + [f"id={n}" for n in range(9)], set()),
]


@pytest.mark.parametrize(("queries", "wanted"), [row[1:] for row in SESSIONS], ids=[row[0] for row in SESSIONS])
def test_find_session(queries: list[str], wanted: set[str]) -> None:
    assert find_session([f"{SITE}/{n}?{query}" for n, query in enumerate(queries)]) == wanted


def test_a_session_in_a_path() -> None:
    assert find_session([f"{SITE}/item/{n};tk=8f3a9c01d2e4b7a6?id={n}" for n in range(5)]) == {";tk"}


async def test_links_to_what_is_avoided_are_none() -> None:
    shop = Shop({"/": listing("/a", "/b")})
    seen = await look_with(shop.fetches.within_site, avoid=(address("/a"),))(Request(address("/")))
    assert isinstance(seen, Seen)
    assert address("/b") in seen.links
    assert address("/a") not in seen.links


async def test_links_that_stand_together() -> None:
    seen = await look_at(Shop({"/": listing("/a?v=1", "/b", "/c")}), without=("v",))
    assert isinstance(seen, Seen)
    assert tuple(map(address, ("/a", "/b", "/c"))) in [block.links for block in seen.find_blocks()]


def test_a_parameter_that_differs_from_page_to_page_numbers_a_visit() -> None:
    here = [f"http://a.example/{number}?v=abc&lang=de" for number in range(6)]
    there = [f"http://a.example/{number}?v=xyz&lang=de" for number in range(6)]
    assert find_session(here, there) == {"v"}
    assert find_session(here, here) == frozenset()
