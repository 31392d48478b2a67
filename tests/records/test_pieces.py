"""Pieces of records and their places."""

from __future__ import annotations

import pytest

from dowse.records.pieces import Reader, width_of
from dowse.tree import Node
from dowse.tree.node import find_nodes
from tests.records.trees import tree_of


def pieces(html: str, tag: str, marks: tuple[str, ...] = ()) -> list[tuple[str, ...]]:
    node = next(find_nodes(tree_of(html), tag))
    return [tuple(piece) for piece in Reader(marks).read((node,))]


@pytest.mark.parametrize(
    ("html", "found"),
    [
        pytest.param("<li>One <b>two</b></li>", [("", "One", "", ""), ("b", "two", "", "")], id="texts"),
        pytest.param("<li>a<br>b</li>", [("", "a", "", ""), ("", "b", "", "")], id="lines"),
        pytest.param("<li><a href=/x><b>t</b></a></li>", [("a/b", "t", "/x", "")], id="link"),
        pytest.param("<li><a href=/x></a></li>", [("a", "", "/x", "")], id="link without words"),
        pytest.param("<li><p class='k z'>t</p></li>", [("p.k.z", "t", "", "")], id="class"),
        pytest.param("<li><i itemprop=name>t</i></li>", [("i", "t", "", "name")], id="microdata"),
        pytest.param("<li><time itemprop=d datetime=2001>May</time></li>", [("time", "2001", "", "d")], id="machine value"),
        pytest.param("<li>a, <mark>b</mark>c</li>", [("", "a, bc", "", "")], id="highlight"),
        pytest.param("<li> | <b>-</b></li>", [], id="signs are no words"),
    ],
)  # fmt: skip
def test_pieces(html: str, found: list[tuple[str, ...]]) -> None:
    assert pieces(f"<ul>{html}</ul>", "li") == found


def test_cells_are_counted_by_their_columns() -> None:
    assert [piece[0] for piece in pieces("<table><tr><td>a<td colspan=2>b<td>c</table>", "tr")] == [
        "td[1]",
        "td[3]",
        "td[4]",
    ]


def test_learned_highlights_part_no_text() -> None:
    assert pieces("<p>The <b>magic</b> mountain</p>", "p", ("b",)) == [("", "The magic mountain", "", "")]


@pytest.mark.parametrize(("span", "width"), [("3", 3), ("0", 1), ("-1", 1), ("x", 1), ("99999", 100), ("", 1)])
def test_spans_are_bounded(span: str, width: int) -> None:
    assert width_of(Node("td", {"colspan": span})) == width
