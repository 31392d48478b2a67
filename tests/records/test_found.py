"""What stands where records stand."""

from __future__ import annotations

from dowse.records.found import find_base, find_candidates
from dowse.records.template import Wrapper
from dowse.records.units import Cut
from tests.records.trees import URL, tree_of

WRAPPER = Wrapper(("html", "body", "ul"), Cut("element", "tag", "li"))


def test_candidates_come_in_order_and_bounded() -> None:
    tree = tree_of("<ul>" + "".join(f"<li id=r{n}>{n}</li>" for n in range(9)) + "<li></li></ul>")
    assert [each.id for each in find_candidates(WRAPPER, tree, URL)] == [f"r{n}" for n in range(9)]
    assert len(find_candidates(WRAPPER, tree, URL, 4)) == 4


def test_links_are_relative_to_what_the_page_says() -> None:
    assert find_base(tree_of("<base href='/b/'><p>x"), "http://a.test/c/d") == "http://a.test/b/"
    assert find_base(tree_of("<p>x"), "http://a.test/c/d") == "http://a.test/c/d"
