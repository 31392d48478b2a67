from __future__ import annotations

from dowse.page.path import MAX_TAGS
from tests.page.pages import only_link, read


def test_path_has_no_numbers() -> None:
    page = read("<div><p>x<p><a href=x>y</a></div><div><p><a href=x>y</a></div>")
    assert {link.path for link in page.links} == {"html/body/div/p/a"}


def test_deep_paths_are_cut() -> None:
    path = only_link("<div>" * 400 + "<a href=x>y</a>").path
    assert path.count("/") == MAX_TAGS - 1
    assert path.startswith("html/body/div/")
    assert path.endswith("/a")
