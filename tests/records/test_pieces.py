"""Pieces of records and their places."""

from __future__ import annotations

import pytest

from dowse.records.pieces import (
    Cut,
    PieceReader,
    cut_items,
    find_cuts,
    find_highlights,
    find_places,
    join_paths,
    split_units,
    unit_parts,
    width_of,
)
from dowse.tree import Node, find_nodes, text_of
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


def pieces(html: str, tag: str, marks: tuple[str, ...] = ()) -> list[tuple[str, ...]]:
    node = next(find_nodes(tree_of(html), tag))
    return [tuple(piece) for piece in PieceReader(marks).read((node,), Cut("element", "tag", node.tag))]


@pytest.mark.parametrize(
    ("html", "found"),
    [
        pytest.param("<li>One <b>two</b></li>", [("", "One", "", ""), ("b", "two", "", "")], id="texts"),
        pytest.param("<li>a<br>b</li>", [("", "a", "", ""), ("", "b", "", "")], id="lines"),
        pytest.param("<li><a href=/x><b>t</b></a></li>", [("a/b", "t", "/x", "")], id="link"),
        pytest.param("<li><a href=/x></a></li>", [("a", "", "/x", "")], id="link without words"),
        pytest.param("<li><p class='k z'>t</p></li>", [("p.k.z", "t", "", "")], id="class"),
        pytest.param("<li><i itemprop=name>t</i></li>", [("i@name", "t", "", "name")], id="microdata"),
        pytest.param("<li><time itemprop=d datetime=2001>May</time></li>", [("time@d", "2001", "", "d")], id="machine value"),
        pytest.param("<li>a, <mark>b</mark>c</li>", [("", "a, bc", "", "")], id="highlight"),
        pytest.param("<li> | <b>-</b></li>", [], id="signs are no words"),
        pytest.param("<li><a title='The whole story' href=/a>The who...</a></li>", [("a", "The whole story", "/a", "")], id="cut, and whole in its title"),
        pytest.param("<li><a title='Another story' href=/a>The who...</a></li>", [("a", "The who...", "/a", "")], id="another title"),
        pytest.param("<li data-label=Year>1990</li>", [("", "1990", "", "Year")], id="a cell that says its head"),
    ],
)  # fmt: skip
def test_pieces(html: str, found: list[tuple[str, ...]]) -> None:
    assert pieces(f"<ul>{html}</ul>", "li") == found


def test_cells_are_counted_by_their_columns() -> None:
    assert [piece[0] for piece in pieces("<table><tr><td>a<td colspan=2>b<td>c</table>", "tr")] == [
        "td[1]",
        "td[2]",
        "td[4]",
    ]


def test_learned_highlights_part_no_text() -> None:
    assert pieces("<p>The <b>magic</b> mountain</p>", "p", ("b",)) == [("", "The magic mountain", "", "")]


@pytest.mark.parametrize(("span", "width"), [("3", 3), ("0", 1), ("-1", 1), ("x", 1), ("99999", 100), ("", 1)])
def test_spans_are_bounded(span: str, width: int) -> None:
    assert width_of(Node("td", {"colspan": span})) == width


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
    items = [" ".join(filter(None, (text_of(part) for part in unit_parts(item)))) for item in cut_items(units, cut)]
    assert items == found


def test_what_follows_a_starter_once_is_no_part_of_records() -> None:
    units = split_units(
        next(find_nodes(tree_of("<main><h3>a</h3><p>1</p><h3>b</h3><p>2</p><ul><li>x</ul></main>"), "main"))
    )
    starter = next(cut for cut in find_cuts(units) if cut.way == "starter" and cut.sign == "h3")
    assert starter.follows == ("p",)


@pytest.mark.parametrize(
    ("html", "found"),
    [
        pytest.param("<p>The <b>magic</b> hat</p><p>A <b>Magic</b> box</p>", ("b",), id="in the middle of texts"),
        pytest.param("<p><b>magic</b></p><p><b>magic</b></p>", (), id="values of their own"),
        pytest.param(
            "<p>The <b>magic</b> hat</p><p>A <b>red</b> box</p><p>B <b>new</b> c</p>", (), id="other words too"
        ),
        pytest.param("<p>The <b>magic</b> hat</p>", (), id="only once"),
    ],
)
def test_highlights(html: str, found: tuple[str, ...]) -> None:
    assert find_highlights([(tree_of(html), ("magic",))]) == found
