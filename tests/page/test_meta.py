from __future__ import annotations

import pytest

from dowse.model import Response
from dowse.page import read_page
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
