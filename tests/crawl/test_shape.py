"""What stays of an address when numbers, dates and hashes change."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dowse.crawl.shape import looks_like_dates, repeats_itself, shape_of


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
