"""Rows of tags and lines, and the ways to cut them into records."""

from __future__ import annotations

import pytest

from dowse.records.units import Cut, cut_items, find_cuts, parts_of, split_units
from dowse.tree import find_nodes, text_of
from tests.records.trees import tree_of


def signs(html: str) -> list[str]:
    return [unit.sign for unit in split_units(next(find_nodes(tree_of(html), "main")))]


@pytest.mark.parametrize(
    ("html", "found"),
    [
        pytest.param("<p>a</p><p class=x>b</p>", ["p", "p.x"], id="tags"),
        pytest.param("a <b>b</b><br>c", ["~", "~"], id="lines"),
        pytest.param("<b>a</b> b<br>c<br><br>d", ["~b", "~", "br+br", "~"], id="a gap"),
        pytest.param("a<hr>b", ["~", "hr", "~"], id="a rule"),
        pytest.param("<a>x</a><a>y</a>", ["a", "a"], id="links without text between them"),
        pytest.param("<span><div>x</div></span> y", ["span", "~"], id="a block in a line"),
    ],
)
def test_units(html: str, found: list[str]) -> None:
    assert signs(f"<main>{html}</main>") == found


@pytest.mark.parametrize(
    ("html", "cut", "found"),
    [
        pytest.param("<p>a</p><div>x</div><p>b</p>", Cut("element", "tag", "p"), ["a", "b"], id="each is one"),
        pytest.param("<h3>a</h3><p>1</p><h3>b</h3><p>2</p><div>x</div>", Cut("starter", "tag", "h3", ("p",), 2), ["a 1", "b 2"], id="one begins each"),
        pytest.param("a<br>b<hr>c", Cut("between", "sign", "hr", most=9), ["a b", "c"], id="rules part them"),
    ],
)  # fmt: skip
def test_cutting(html: str, cut: Cut, found: list[str]) -> None:
    units = split_units(next(find_nodes(tree_of(f"<main>{html}</main>"), "main")))
    items = [" ".join(filter(None, (text_of(part) for part in parts_of(item)))) for item in cut_items(units, cut)]
    assert items == found


def test_what_follows_a_starter_once_is_no_part_of_records() -> None:
    units = split_units(
        next(find_nodes(tree_of("<main><h3>a</h3><p>1</p><h3>b</h3><p>2</p><ul><li>x</ul></main>"), "main"))
    )
    starter = next(cut for cut in find_cuts(units) if cut.way == "starter" and cut.sign == "h3")
    assert starter.follows == ("p",)
