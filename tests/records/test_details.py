"""One record shown as its own page instead of a list."""

from __future__ import annotations

import pytest

from dowse.model import Page, Record, Response, Value
from dowse.page.tree import read_tree
from dowse.records.attributes import Attribute, Own, Wrapper
from dowse.records.details import find_own_address, read_lone
from dowse.records.pieces import Cut

FIND = "http://a.test/find?q=x"
WRAPPER = Wrapper(
    ("body",),
    Cut("element", "tag", "tr"),
    (Attribute("Title", "header"), Attribute("Author", "header")),
    own=Own("td[1]/a", 1, "/book/", "/book/0", ("back",)),
    title="Title",
)
BOOK = (
    b"<h1>Library</h1><h2>Emma</h2><table><tr><th>author</th><td>Austen</td></tr></table><p>Opening hours: 9 to 5</p>"
)


def read(url: str, body: bytes = BOOK, wrapper: Wrapper = WRAPPER) -> Record | None:
    tree = read_tree(Response(url, 200, (("content-type", "text/html"),), body))
    return read_lone(wrapper, tree, url, {"Library", "9 to 5"})


def test_a_record_in_the_words_of_answers() -> None:
    wanted = Record(
        (Value("Title", "Emma"), Value("Author", "Austen")), "http://a.test/book/7", "http://a.test/book/7?back=1"
    )
    loose = Wrapper(
        WRAPPER.where, WRAPPER.cut, WRAPPER.attributes, own=Own("td[1]/a", 1, "/book/", "", ("back",)), title="Title"
    )
    assert read("http://a.test/book/7?back=1", wrapper=loose) == wanted


OTHERS = [
    ("another address", "http://a.test/list/7", BOOK, WRAPPER),
    ("written differently", "http://a.test/book/new", BOOK, WRAPPER),
    ("nothing said of it", "http://a.test/book/7", b"<h1>Library</h1><p>Hello</p>", WRAPPER),
    ("records without pages", "http://a.test/book/7", BOOK, Wrapper(WRAPPER.where, WRAPPER.cut)),
    ("any address", "http://a.test/x", BOOK, Wrapper(WRAPPER.where, WRAPPER.cut, own=Own("td[1]/a", 1, "/"))),
]


@pytest.mark.parametrize(("url", "body", "wrapper"), [row[1:] for row in OTHERS], ids=[row[0] for row in OTHERS])
def test_what_is_no_own_page(url: str, body: bytes, wrapper: Wrapper) -> None:
    assert read(url, body, wrapper) is None


def test_the_address_of_a_record() -> None:
    own = "http://a.test/book/7"
    assert find_own_address(Response(own, 200, redirects=(FIND,)), Page(own)) == own
    assert find_own_address(Response(FIND, 200), Page(FIND, canonical=own)) == own
    assert find_own_address(Response(FIND, 200), Page(FIND, canonical="http://b.test/book/7")) == ""
    assert find_own_address(Response(FIND, 200), Page(FIND)) == ""
