from __future__ import annotations

from dowse.page.path import MAX_TAGS
from tests.page.pages import BOTH, only_link, read


@BOTH
def test_path_has_no_numbers(parser: str) -> None:
    page = read("<div><p>x<p><a href=x>y</a></div><div><p><a href=x>y</a></div>", parser)
    assert {link.path for link in page.links} == {"html/body/div/p/a"}


@BOTH
def test_deep_paths_are_cut(parser: str) -> None:
    path = only_link("<div>" * 400 + "<a href=x>y</a>", parser).path
    assert path.count("/") == MAX_TAGS - 1
    assert path.startswith("html/body/div/")
    assert path.endswith("/a")
