"""Links as authors write them lead where they should."""

from __future__ import annotations

from urllib.parse import urljoin

import pytest

from dowse.sim.address import Address, LinkWriter, read_params, relative, split_address
from dowse.sim.habits import HREFS

PATHS = ("/", "/a.html", "/a/", "/a/b/c.html", "/a/b/", "/x/y/z/", "/page.php?id=3", "/a/?sort=name&dir=asc")


@pytest.mark.parametrize("style", HREFS)
@pytest.mark.parametrize("session", ["", "zx=12", ";s=12"])
def test_a_written_link_resolves_to_its_path(style: str, session: str) -> None:
    for here in PATHS:
        base = "http://h.example/" if style == "base" else f"http://h.example{here}"
        for there in PATHS:
            link = LinkWriter("http://h.example", here, style, "&amp;", session)
            found = urljoin(base, link(there).replace("&amp;", "&"))
            assert found.replace(session, "").rstrip("?&") == f"http://h.example{there}"
            assert urljoin(base, link.plain(there).replace("&amp;", "&")) == f"http://h.example{there}"


def test_relative_says_dots_only_where_needed() -> None:
    assert relative("/a/b.html", "/a/c.html") == "c.html"
    assert relative("/a/b/", "/d") == "../../d"


def test_parameters_are_put_in_place_of_their_namesakes() -> None:
    address = split_address("/x?a=1&b=2&a=3")
    assert str(address.put(("a", "9"))) == "/x?b=2&a=9"
    assert str(address.without("a", "b")) == "/x"
    assert Address("/x", (("q", "é &"),)) == split_address("/x?q=%C3%A9+%26")


@pytest.mark.parametrize(
    ("query", "params"),
    [("q=%E9", (("q", "é"),)), ("&&=&a", (("", ""), ("a", ""))), ("&".join(["a=1"] * 500), ())],
    ids=["Latin-1", "nothing in it", "too many"],
)
def test_odd_queries(query: str, params: tuple[tuple[str, str], ...]) -> None:
    assert read_params(query) == params
