"""Which forms a site has shown before."""

from __future__ import annotations

import pytest

from dowse.model import Response
from dowse.page import read_page
from tests.webs import read_in_turn

FIELDS = "<input name=q><input type=submit>"


def count(*pages: tuple[str, str]) -> list[int]:
    """Return how many forms are new on each of some pages of a site."""
    return [len(page.forms) for page in read_in_turn(*(Response(url, 200, (), body.encode()) for url, body in pages))]


@pytest.mark.parametrize(
    ("form", "found"),
    [
        pytest.param(f"<form action=/find>{FIELDS}</form>", [1, 0], id="one address"),
        pytest.param(f"<form action=http://e.com/find>{FIELDS}</form>", [1, 0], id="one address in full"),
        pytest.param(f"<form action=find>{FIELDS}</form>", [1, 1], id="an address in each folder"),
        pytest.param(f"<form action='?do=find'>{FIELDS}</form>", [1, 1], id="a query of each page"),
        pytest.param(f"<form action=''>Books {FIELDS}</form>", [1, 0], id="its own page with the same words"),
    ],
)
def test_a_form_is_known_by_where_it_sends(form: str, found: list[int]) -> None:
    assert count(("http://e.com/a/p", form), ("http://e.com/b/p", form)) == found


def test_a_relative_address_under_another_base() -> None:
    form = f"<form action=find>{FIELDS}</form>"
    assert count(("http://e.com/p", form), ("http://e.com/p", f"<base href=http://e.com/x/>{form}")) == [1, 1]


@pytest.mark.parametrize("action", ["", "#", "?", "#top", " "])
def test_a_form_that_sends_to_its_own_page_is_known_by_its_words(action: str) -> None:
    books, cars = (f"<form action='{action}'>{words} {FIELDS}</form>" for words in ("Books", "Cars"))
    assert count(("http://e.com/b", books), ("http://e.com/c", cars), ("http://e.com/d", books)) == [1, 1, 0]


def test_a_form_is_known_by_the_controls_that_name_it() -> None:
    form = f"<form id=f action=/find>{FIELDS}</form>"
    pages = [f"{form}<select form=f name={name}><option>1<option>2</select>" for name in ("year", "town", "year")]
    assert count(*[("http://e.com/", page) for page in pages]) == [1, 1, 0]


@pytest.mark.parametrize(
    ("action", "own"),
    [("", True), ("#", True), ("?", True), ("#results", True), ("?#", True), ("?q=1", False), ("/find", False), ("page", False)],
)  # fmt: skip
def test_own_page(action: str, own: bool) -> None:
    form = read_page(Response("http://e.com/page", 200, (), f"<form action='{action}'>{FIELDS}</form>".encode())).forms[
        0
    ]
    assert form.own_page is own
