"""How the addresses of numbered links follow from their numbers."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dowse.records.page_address import (
    Relation,
    find_numbered_links,
    is_dated,
    relate,
)


def test_numbered_links_give_a_rule() -> None:
    row = find_numbered_links([(2, "http://a.test/?s=10"), (3, "http://a.test/?s=20"), (4, "http://a.test/?s=30")])
    assert row
    assert (row.write(9), row.read("https://www.a.test/?s=50"), row.read("http://a.test/?s=55")) == (
        "http://a.test/?s=80",
        6,
        0,
    )


def test_numbers_without_a_rule_give_none() -> None:
    assert find_numbered_links([(2, "http://a.test/x7"), (3, "http://a.test/y9")]) is None


@pytest.mark.parametrize(
    ("here", "there", "near"),
    [
        ("/s?q=a", "/s?q=a&page=2", Relation.COUNTED),
        ("/s?q=a&page=3", "/s?q=a&page=2", Relation.BACKWARDS),
        ("/s?q=a", "/s?q=a&cursor=x", Relation.SAME_LIST),
        ("/s?q=a", "/s?q=a&colour=7", Relation.STEPS),
        ("/s?q=a&page=2", "/s?q=a", Relation.ELSEWHERE),
        ("/", "/?p=33216", Relation.SAME_LIST),
        ("/blog/", "/blog/page/2/", Relation.COUNTED),
        ("/blog/index.php", "/blog/?page=2", Relation.COUNTED),
        ("/f-3.html", "/f-4.html", Relation.STEPS),
        ("/thesis/29", "/thesis/44", Relation.ELSEWHERE),
        ("/a", "/a/b", Relation.BELOW),
        ("/a", "/b", Relation.ELSEWHERE),
        ("/hotel/x", "/list?pagina=2", Relation.SAME_LIST),
    ],
)
def test_relations(here: str, there: str, near: int) -> None:
    assert relate(f"http://a.test{here}", f"http://a.test{there}") == near


@pytest.mark.parametrize(
    ("url", "dated"),
    [
        ("http://a.test/2016/03/", True),
        ("http://a.test/2016/03/12", True),
        ("http://a.test/cal?month=4", True),
        ("http://a.test/2016/03/page/2/", False),
        ("http://a.test/s?page=2016", False),
    ],
)
def test_dates(url: str, dated: bool) -> None:
    assert is_dated(url) is dated


@given(st.text(max_size=40), st.text(max_size=40))
def test_any_addresses(one: str, two: str) -> None:
    assert Relation.BACKWARDS <= relate(f"http://a.test/{one}", f"http://a.test/{two}") <= Relation.COUNTED
