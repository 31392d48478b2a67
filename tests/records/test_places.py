"""Kinds of places, by tags and classes and never by numbers."""

from __future__ import annotations

import pytest

from dowse.records.places import find_places, join_paths
from dowse.tree import text_of
from tests.records.trees import tree_of

HTML = "<body><div class='row odd'><p class=x>a</p></div><nav><div class=row><p class=x>menu</p></div></nav><div class='row'><p class='x y'>b</p></div></body>"


@pytest.mark.parametrize(
    ("where", "found"),
    [
        pytest.param(("html", "body", "div.row", "p.x"), ["a", "b"], id="by class"),
        pytest.param(("html", "body", "div.odd.row", "p"), ["a"], id="by all its classes"),
        pytest.param(
            ("html", "body", "main", "div.row", "p.x"), ["a", "b"], id="last steps, where the way there is another"
        ),
        pytest.param(("html", "body", "main", "div", "p"), [], id="plain tags are everywhere"),
        pytest.param((), [], id="nowhere"),
    ],
)
def test_places(where: tuple[str, ...], found: list[str]) -> None:
    assert [text_of(node) for node in find_places(tree_of(HTML), where)] == found


def test_paths_are_joined_by_what_they_share() -> None:
    assert join_paths(["html/div.a.b/p", "html/div.a/p.x"]) == "html/div.a/p"
