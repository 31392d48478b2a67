"""What stays of an address when numbers, dates and hashes change."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dowse.frontier.traps import Sameness, looks_like_dates, repeats_itself, shape_of, view_of


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("/item/17", "/item/18"),
        ("/c/2024-05-01", "/c/2025-12-31"),
        ("/x?size=3&color=red", "/x?color=blue&size=99"),
        ("/commit/0a1b2c3d4e", "/commit/ffee00112233"),
        ("/u/123e4567-e89b-12d3-a456-426614174000", "/u/00000000-0000-0000-0000-000000000001"),
        ("/x?p=a;h=1", "/x?p=b;h=2"),
    ],
)
def test_same_shape(first: str, second: str) -> None:
    assert shape_of(f"http://e.com{first}") == shape_of(f"http://e.com{second}")


@pytest.mark.parametrize(("first", "second"), [("/item/17", "/items/17"), ("/x?a=1", "/x?b=1"), ("/facade", "/decade")])
def test_other_shape(first: str, second: str) -> None:
    assert shape_of(f"http://e.com{first}") != shape_of(f"http://e.com{second}")


@pytest.mark.parametrize(
    "tail", ["/cal/2026/11", "/x?month=11", "/?ym=202611", "/agenda?w=1&date=x1", "/events/2026-11-15", "/a?d=11-2026"]
)
def test_dates(tail: str) -> None:
    assert looks_like_dates(f"http://e.com{tail}")


@pytest.mark.parametrize("tail", ["/item/17", "/x?q=cars", "/calendar", "/page/2", "/isbn/9780201038019"])
def test_no_dates(tail: str) -> None:
    assert not looks_like_dates(f"http://e.com{tail}")


@pytest.mark.parametrize("path", ["/a/a/a", "/a/b/a/b/a/b", "/x/y/z/y/z/y/z", "/a/b/c/a/b/c/a/b/c/d"])
def test_circles(path: str) -> None:
    assert repeats_itself(path)


@pytest.mark.parametrize("path", ["/", "/a/a", "/2020/01/01", "/a/b/a/b", "/en/docs/en/guide", "/a/b/c/d/e"])
def test_no_circles(path: str) -> None:
    assert not repeats_itself(path)


@given(st.text(max_size=100))
def test_never_raises(text: str) -> None:
    shape_of(f"http://e.com/{text}")
    looks_like_dates(f"http://e.com/{text}")
    repeats_itself(f"/{text}")


MULTIPLES = [
    ("a shop's sort order", "/shoes?sort=price_asc", "sort order", "/shoes"),
    ("Magento's direction", "/shoes?dir=desc&order=price", "sort order", "/shoes"),
    ("directory listing", "/pub/?C=M;O=A", "sort order", "/pub/"),
    ("other parameters kept", "/shoes?cat=3&sort_by=name", "sort order", "/shoes?cat=3"),
    ("page size", "/list?limit=100", "page size", "/list"),
    ("page size, other word", "/list?per_page=48&q=x", "page size", "/list?q=x"),
    ("print parameter", "/a?print=1", "print view", "/a"),
    ("MediaWiki printable", "/index.php?title=X&printable=yes", "print view", "/index.php?title=X"),
    ("Joomla component", "/a?tmpl=component", "print view", "/a"),
    ("print in the path", "/article/12/print", "print view", ""),
    ("MediaWiki history", "/index.php?title=X&action=history", "history", "/index.php?title=X"),
    ("MediaWiki old version", "/index.php?title=X&oldid=123", "history", "/index.php?title=X"),
    ("MediaWiki difference", "/index.php?title=X&diff=12&oldid=11", "difference", "/index.php?title=X"),
    ("MediaWiki edit", "/index.php?title=X&action=edit", "edit or account page", "/index.php?title=X"),
    ("DokuWiki revisions", "/start?do=revisions", "history", "/start"),
    ("gitweb difference", "/?p=a.git;a=commitdiff;h=0a1b2c3d4e5f", "difference", "/?p=a.git"),
    ("cgit log", "/repo/log/", "history", ""),
    ("WordPress reply", "/2024/05/post/?replytocom=77", "share or reply", "/2024/05/post/"),
    ("way back", "/login?returnto=/a/b", "share or reply", "/login"),
    ("grid or list", "/shoes?mode=grid", "page style", "/shoes"),
]


@pytest.mark.parametrize(("tail", "reason", "base"), [row[1:] for row in MULTIPLES], ids=[row[0] for row in MULTIPLES])
def test_multiple(tail: str, reason: str, base: str) -> None:
    found, page = view_of(f"http://e.com{tail}")
    assert found == reason
    assert page == (f"http://e.com{base}" if base else "")


@pytest.mark.parametrize(
    "tail",
    [
        "/",
        "/search?q=sort",
        "/list?c=books",
        "/x?view=article&id=3",
        "/blog/2024/05/",
        "/catalog?type=book",
        "/x?order=20331",
        "/logistics/",
        "/printers/",
    ],
)
def test_single(tail: str) -> None:
    assert view_of(f"http://e.com{tail}") == (None, "")


def learn(*seen: tuple[str, str]) -> Sameness:
    sameness = Sameness()
    for tail, content in seen:
        sameness.learn(f"http://e.com{tail}", hash(content))
    return sameness


def test_a_parameter_that_changes_nothing_is_noise() -> None:
    sameness = learn(("/a?z=1", "A"), ("/a?z=2", "A"), ("/b?z=3", "B"), ("/b?z=4", "B"))
    assert sameness.key("http://e.com/c?z=9&id=1") == "http://e.com/c?id=1"
    assert sameness.key("http://e.com/c?z=9") == "http://e.com/c"


def test_one_equal_pair_is_no_proof() -> None:
    sameness = learn(("/a?z=1", "same"), ("/a?z=2", "same"))
    assert sameness.key("http://e.com/c?z=9") == "http://e.com/c?z=9"


def test_a_parameter_that_ever_changed_a_page_is_data() -> None:
    sameness = learn(
        ("/a?id=1", "one"),
        ("/a?id=2", "two"),
        ("/a?id=8", "one"),
        ("/b?id=8", "none"),
        ("/b?id=9", "none"),
        ("/c?id=8", "none"),
        ("/c?id=9", "none"),
    )
    assert sameness.key("http://e.com/a?id=5") == "http://e.com/a?id=5"


def test_order_matters_until_shown_otherwise() -> None:
    sameness = learn(("/a?x=1&y=2", "same"))
    assert sameness.key("http://e.com/b?y=1&x=2") == "http://e.com/b?y=1&x=2"
    sameness.learn("http://e.com/a?y=2&x=1", hash("same"))
    assert sameness.key("http://e.com/b?y=1&x=2") == "http://e.com/b?x=2&y=1"
