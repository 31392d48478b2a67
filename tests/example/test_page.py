"""Looking at a page: where it leads on its own site, and why it is none."""

from __future__ import annotations

import pytest

from dowse.example.page import (
    MAX_CHOICES_ASKED,
    MAX_PAGE_LINKS,
    MAX_WORDS_ASKED,
    ExamplePage,
    FormQuestions,
    build_opener,
    build_request,
    failure_reason,
    find_blocks,
    find_form_queries,
    find_session_parameters,
    strip_parameters,
)
from dowse.example.pattern import FormQuery
from dowse.model import Failure, Page, Request, Response, Why
from dowse.page.tree import read_tree
from tests.example.shop import HTML, SITE, Shop, address, listing, other

BLOCKS_HTML = (("content-type", "text/html; charset=utf-8"),)


def anchors(*links: str) -> list[str]:
    return [f'<a href="{link}">{link}</a>' for link in links]


def together(body: str) -> list[set[str]]:
    tree = read_tree(Response("http://a.example/", 200, BLOCKS_HTML, f"<html><body>{body}</body></html>".encode()))
    return [set(block.links) for block in find_blocks(tree, lambda href: href, "abcdefgh")]


MENU = "<nav>" + " ".join(anchors("g", "h")) + "</nav>"
PAGES = [
    ("points", "<ul>" + "".join(f"<li>{each}</li>" for each in anchors(*"abc")) + "</ul>"),
    ("lines", "<p>" + "<br>".join(anchors(*"abc")) + "</p>"),
    ("cells", "<table><tr>" + "".join(f"<td>{each}</td>" for each in anchors(*"abc")) + "</tr></table>"),
    ("a grid", "<table><tr><td>{}</td><td>{}</td></tr><tr><td>{}</td></tr></table>".format(*anchors(*"abc"))),
    ("cards", "".join(f"<div class=card><h3>{each}</h3><p>text</p></div>" for each in anchors(*"abc"))),
]


@pytest.mark.parametrize("body", [row[1] for row in PAGES], ids=[row[0] for row in PAGES])
def test_a_list_is_told_from_a_menu(body: str) -> None:
    assert together(MENU + body) == [{"g", "h"}, {"a", "b", "c"}]


def test_two_lists_of_one_kind_are_two() -> None:
    lists = ["<ul>" + "".join(f"<li>{each}</li>" for each in anchors(*some)) + "</ul>" for some in ("abc", "def")]
    assert together("".join(lists)) == [set("abc"), set("def")]


def test_rows_with_two_links_are_one_list() -> None:
    rows = "".join(f"<tr><td>{a} {b}</td></tr>" for a, b in zip(anchors(*"abc"), anchors(*"def"), strict=True))
    assert together(f"<table>{rows}</table>") == [set("abcdef")]


def test_a_link_alone_stands_by_itself() -> None:
    assert together("<p>" + anchors("a")[0] + "</p><div>" + anchors("b")[0] + "</div>") == [{"a"}, {"b"}]


def test_a_place_is_the_same_on_another_page() -> None:
    def places(*links: str) -> set[int]:
        body = "<ul>" + "".join(f"<li>{each}</li>" for each in anchors(*links)) + "</ul>"
        tree = read_tree(Response("http://a.example/", 200, BLOCKS_HTML, body.encode()))
        return {block.place for block in find_blocks(tree, lambda href: href, "abcdefgh")}

    assert places("a") == places("b", "c") == places(*"defg")


@pytest.mark.parametrize(
    "row", ["<tr class={}><td>{}</td></tr>", '<div class="row {}">{}</div>', "<li class={}>{}</li>"]
)
def test_odd_and_even_rows_are_one_list(row: str) -> None:
    kinds = ("odd", "even", "odd", "even", "last")
    rows = "".join(map(row.format, kinds, anchors(*"abcde")))
    assert together(f"<table>{rows}</table>" if row.startswith("<tr") else rows) == [set("abcde")]


def test_what_is_no_link_of_the_page_is_left_out() -> None:
    assert together('<a href="z">z</a><a>none</a><a href="">empty</a>') == []


async def look_at(shop: Shop, place: str = "/", without: tuple[str, ...] = ()) -> ExamplePage | Failure:
    return await build_opener(shop.fetches.within_site, without=without)(Request(address(place)))


async def test_links_to_the_same_site_each_once_in_their_order() -> None:
    body = (
        '<a href="/b">b</a><a href="http://else.example/">x</a><a href="/a#top">a</a><a href="/b">again</a>'
        '<a rel="nofollow" href="/c">c</a><a href="mailto:x@shop.example">mail</a>'
    )
    seen = await look_at(Shop({"/": f"<html><body>{body}</body></html>"}))
    assert isinstance(seen, ExamplePage)
    assert seen.links == (address("/b"), address("/a"))


async def test_parameters_that_number_a_visit_are_left_out() -> None:
    seen = await look_at(Shop({"/": listing("/a?v=1&id=2", "/a?id=2&v=3", "/b?v=4")}), without=("v",))
    assert isinstance(seen, ExamplePage)
    assert seen.links[-2:] == (address("/a?id=2"), address("/b"))


async def test_a_page_that_moved_within_its_site_is_known_by_the_address_asked_for() -> None:
    shop = Shop({"/old": Response(address("/old"), 301, (("location", "/new"),)), "/new": other("/x")})
    seen = await look_at(shop, "/old")
    assert isinstance(seen, ExamplePage)
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
    assert (seen.why, failure_reason(seen)) == (why, name)


async def test_a_page_with_very_many_links_is_bounded() -> None:
    seen = await look_at(Shop({"/": listing(*(f"/{n}" for n in range(20_000)))}))
    assert isinstance(seen, ExamplePage)
    assert len(seen.links) <= MAX_PAGE_LINKS


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
    assert strip_parameters(SITE + url, names) == SITE + wanted


SESSIONS = [
    ("a long random value in most links", ["v=8f3a9c01d2e4b7a6"] * 5, {"v"}),
    ("too short", ["v=8f3a9c"] * 5, set()),
    ("words are no number", ["v=abcdefghijklmnop"] * 5, set()),
    ("another in every link", [f"v=8f3a9c01d2e4b7a{n}" for n in range(5)], set()),
    ("in few links", ["v=8f3a9c01d2e4b7a6"] * 3 + [f"id={n}" for n in range(9)], set()),
]


@pytest.mark.parametrize(("queries", "wanted"), [row[1:] for row in SESSIONS], ids=[row[0] for row in SESSIONS])
def test_find_session(queries: list[str], wanted: set[str]) -> None:
    assert find_session_parameters([f"{SITE}/{n}?{query}" for n, query in enumerate(queries)]) == wanted


def test_a_session_in_a_path() -> None:
    assert find_session_parameters([f"{SITE}/item/{n};tk=8f3a9c01d2e4b7a6?id={n}" for n in range(5)]) == {";tk"}


async def test_links_to_what_is_avoided_are_none() -> None:
    shop = Shop({"/": listing("/a", "/b")})
    seen = await build_opener(shop.fetches.within_site, avoid=(address("/a"),))(Request(address("/")))
    assert isinstance(seen, ExamplePage)
    assert address("/b") in seen.links
    assert address("/a") not in seen.links


async def test_links_that_stand_together() -> None:
    seen = await look_at(Shop({"/": listing("/a?v=1", "/b", "/c")}), without=("v",))
    assert isinstance(seen, ExamplePage)
    assert tuple(map(address, ("/a", "/b", "/c"))) in [block.links for block in seen.find_blocks()]


def test_a_parameter_that_differs_from_page_to_page_numbers_a_visit() -> None:
    here = [f"http://a.example/{number}?v=abc&lang=de" for number in range(6)]
    there = [f"http://a.example/{number}?v=xyz&lang=de" for number in range(6)]
    assert find_session_parameters(here, there) == {"v"}
    assert find_session_parameters(here, here) == frozenset()


BOX = FormQuery(address("/find"), "GET", "q", ("jazz",), words=True)


async def read(body: str, title: str = "") -> ExamplePage:
    shop = Shop({"/": f"<html><head><title>{title}</title></head><body>{body}</body></html>"})
    seen = await build_opener(shop.fetches.within_site)(Request(address("/")))
    assert isinstance(seen, ExamplePage)
    return seen


async def page(body: str, title: str = "") -> Page:
    return (await read(body, title)).page


def choices(count: int) -> str:
    return "".join(f"<option value='v{n}'>Kind {n}</option>" for n in range(count))


async def find(body: str, title: str = "Blue velvet") -> list[FormQuery]:
    return list(find_form_queries(await page(body), await page("", title)))


async def test_a_list_of_choices_is_asked_one_by_one() -> None:
    body = f"<form action='/find'><input type=hidden name=a value=1><select name=kind><option value=''>all</option>{choices(3)}</select><button>Search</button></form>"
    (ask, *_) = await find(body)
    assert (ask.field, ask.values, ask.words) == ("kind", ("v0", "v1", "v2"), False)
    assert build_request(ask, "v1").url == address("/find?a=1&kind=v1")


async def test_a_box_is_asked_with_words_of_the_sample() -> None:
    asks = await find("<form action='/find'>Search <input type=search name=q><button>Search</button></form>")
    assert [(ask.field, ask.values, ask.words) for ask in asks] == [("q", ("blue", "velvet"), True)]


REFUSED = [
    ("a login", "<form><input name=user><input type=password name=p><button>Log in</button></form>"),
    ("too many choices", f"<form action='/f'><select name=k>{choices(MAX_CHOICES_ASKED + 1)}</select><button>Go</button></form>"),
    ("one choice", f"<form action='/f'><select name=k>{choices(1)}</select><button>Go</button></form>"),
    ("no form", "<p>nothing</p>"),
]  # fmt: skip


@pytest.mark.parametrize("body", [row[1] for row in REFUSED], ids=[row[0] for row in REFUSED])
async def test_what_cannot_be_asked_through_gives_nothing(body: str) -> None:
    assert [ask for ask in await find(body, title="") if not ask.words] == []


def test_without_a_form_the_entry_is_the_start() -> None:
    assert [each.url for each in FormQuestions(None).start(address("/"))] == [address("/")]


def test_every_value_of_a_file_is_asked_however_many() -> None:
    values = tuple(f"v{n}" for n in range(MAX_WORDS_ASKED + 500))
    asked = list(FormQuestions(FormQuery(address("/find"), "GET", "q", values)).start(address("/")))
    assert len(asked) == len(values)


async def test_words_of_pages_that_were_found_are_asked_once() -> None:
    questions = FormQuestions(BOX)
    assert [each.url for each in questions.start("")] == [address("/find?q=jazz")]
    seen = await read("", "Jazz and Blues, 1999 - an A B")
    assert [each.url for each in questions.learn(seen.page.title)] == [address("/find?q=and"), address("/find?q=blues")]
    assert list(questions.learn(seen.page.title)) == []


async def test_words_are_bounded() -> None:
    questions = FormQuestions(BOX)
    questions.asked = dict.fromkeys(map(str, range(MAX_WORDS_ASKED)))
    assert list(questions.learn("Something else")) == []


SENT = [
    ("a parameter more", FormQuery(address("/f?a=1"), "GET", "q", ()), "x y", address("/f?a=1&q=x+y"), b""),
    ("signs", FormQuery(address("/f"), "GET", "q", ()), "a&b=c#d", address("/f?q=a%26b%3Dc%23d"), b""),
    ("post", FormQuery(address("/f"), "POST", "q", ()), "ä", address("/f"), b"q=%C3%A4"),
]


@pytest.mark.parametrize(("ask", "value", "url", "body"), [row[1:] for row in SENT], ids=[row[0] for row in SENT])
def test_send(ask: FormQuery, value: str, url: str, body: bytes) -> None:
    request = build_request(ask, value)
    assert (request.url, request.method, request.body) == (url, ask.method, body)
