from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dowse.model import Response
from dowse.page import read_page
from dowse.url import canonical
from tests.page.hostile import BODIES
from tests.page.pages import URL, read


@pytest.mark.parametrize(
    ("content", "url"),
    [
        pytest.param("0; url=/x", "http://example.com/x", id="usual"),
        pytest.param("5;URL='x'", "http://example.com/dir/x", id="quotes"),
        pytest.param("0,x", "http://example.com/dir/x", id="without url="),
        pytest.param("30", "", id="only loads again"),
        pytest.param("0; url=javascript:f()", "", id="script"),
        pytest.param("", "", id="empty"),
    ],
)
def test_refresh(content: str, url: str) -> None:
    assert read(f'<meta http-equiv=Refresh content="{content}">').refresh == url


@pytest.mark.parametrize(
    ("html", "headers", "robots"),
    [
        pytest.param("<meta name=Robots content='NoIndex, follow'>", [], {"noindex", "follow"}, id="meta"),
        pytest.param("", ["noindex", "nofollow"], {"noindex", "nofollow"}, id="several headers"),
        pytest.param("<meta name=robots content=none>", [], {"none", "noindex", "nofollow"}, id="none means both"),
        pytest.param("<meta name=googlebot content=noindex>", ["googlebot: noindex"], set(), id="for others"),
        pytest.param("", ["dowse: noindex"], {"noindex"}, id="for us"),
    ],
)
def test_robots(html: str, headers: list[str], robots: set[str]) -> None:
    sent = tuple(("x-robots-tag", value) for value in headers)
    assert read_page(Response(URL, 200, sent, html.encode())).robots == robots


def test_canonical_and_base() -> None:
    page = read("<base href=/b/><link rel='x Canonical' href=c>")
    assert (page.canonical, page.base) == ("http://example.com/b/c", "http://example.com/b/")


def test_the_first_base_counts() -> None:
    assert read("<base target=x><base href=/a/><base href=/b/>").base == "http://example.com/a/"


_TAGS = (
    "form /form table /table tr td /td input select option /select textarea /textarea button label script /script "
    "a /a p div /div b /b template noscript svg math title base meta !-- --"
)
TAGS = st.sampled_from(_TAGS.split())
ATTRIBUTES = st.sampled_from(
    ["", " href=x", " href='//['", " name=a", " form=f", " id=f", " type=image", " content='0;url=x'", " src=y"]
)
SOUP = st.lists(st.one_of(st.builds("<{}{}>".format, TAGS, ATTRIBUTES), st.text(max_size=5)), max_size=40).map("".join)
SECONDS = 3.0  # of this process, wide: it catches what grows with the square, not a slow half second


@given(body=st.binary(max_size=300), header=st.text(max_size=30))
@settings(max_examples=60, deadline=None)
def test_any_bytes_are_a_page(body: bytes, header: str) -> None:
    page = read(body, content_type=f"text/html; charset={header}")
    page.text.encode()


@given(html=SOUP)
@settings(max_examples=150, deadline=None)
def test_any_tags_are_a_page(html: str) -> None:
    page = read(html)
    assert all(canonical(link.url) == link.url for link in page.links)
    assert [link.place for link in page.links] == list(range(len(page.links)))
    assert page == read(html)


@pytest.mark.parametrize("name", BODIES)
def test_hostile_bodies_take_no_time(name: str) -> None:
    start = time.process_time()
    read(BODIES[name])
    assert time.process_time() - start < SECONDS


@pytest.mark.parametrize("url", ["", "file:///x", "http://h?x=/", "nonsense"])
def test_any_address_will_do(url: str) -> None:
    page = read_page(Response(url, 200, (), b"<a href=x>y</a><a href=http://o.org/>z</a><form></form><iframe src=x>"))
    assert page.links[-1].url.startswith("http://")


def test_a_body_over_the_bound_is_cut_and_counted() -> None:
    assert read(b"x" * (2 * 1024 * 1024 + 5)).dropped == (("bytes", 5),)


def test_page_keeps_its_address() -> None:
    assert read("x", url=f"{URL}#top").url == f"{URL}#top"
