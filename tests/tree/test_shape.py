"""Shapes: what counts as equal, what is left out, and what hostile pages cannot do."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest

from dowse.errors import BadInput
from dowse.model import Response
from dowse.page.tree import read_tree
from dowse.tree.node import MAX_NODES, Node
from dowse.tree.rtdm import similarity
from dowse.tree.shape import DEEPEST, WHOLE, Shape, read_shape, shape_of, write_shape


def shape(html: str, **chosen: Any) -> Shape:
    return shape_of(read_tree(Response("http://page.test/", 200, (), html.encode())), **chosen)


ROW = "<tr><td>{}</td><td><a href=x>{}</a></td></tr>"


@pytest.mark.parametrize(
    ("first", "second"),
    [
        pytest.param("<p>One</p>", "<p>Other words, more of them</p>", id="words"),
        pytest.param("<ul><li>1</ul>", "<ul>" + 50 * "<li>1" + "</ul>", id="a list of one and one of fifty"),
        pytest.param("<p>a</p><p>b</p>", "<p>a</p><p>b <i>c</i></p><p>d</p>", id="paragraphs, with marks in some"),
        pytest.param("<div class='card x1'>a</div>", "<div class='card x2'>a</div>", id="numbers in classes"),
        pytest.param("<body class='home'><p>a", "<body class='post id-7'><p>a", id="classes of the body"),
        pytest.param("<p id=a>a", "<p id=b>a", id="ids"),
        pytest.param(
            f"<table>{ROW.format(1, 2)}</table>", f"<table>{9 * ROW.format(3, 4)}</table>", id="rows of a table"
        ),
    ],
)
def test_pages_of_one_shape(first: str, second: str) -> None:
    assert shape(first) == shape(second)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        pytest.param("<p>a", "<h1>a", id="tags"),
        pytest.param("<p class=a>a", "<p class=b>a", id="classes"),
        pytest.param("<div><p>a</p></div>", "<p>a</p>", id="levels"),
        pytest.param("<p>a</p><h2>b</h2>", "<h2>b</h2><p>a</p>", id="order"),
        pytest.param("<div><p>a</div>", "<div><p>a</div><div><form></form></div>", id="blocks that hold other blocks"),
        pytest.param("<div><img></div>", "<div><img>words</div>", id="whether there are words"),
    ],
)
def test_pages_of_two_shapes(first: str, second: str) -> None:
    assert shape(first).root != shape(second).root


def test_nothing_is_left_out_of_a_whole_shape() -> None:
    rows = "<table>" + "".join(ROW.format(number, number) for number in range(10)) + "</table>"
    assert shape(rows, repeats=WHOLE).size == 4 + 10 * 6  # html, body, table, tbody; tr, td, text, td, a, text
    assert shape(rows).size == 4 + 3  # tr, td, text: the second cell is of the kind of the first


def test_equal_parts_are_one_part_on_any_page() -> None:
    first, second = shape("<ul><li><b>a</b></ul><p>x"), shape("<div><ul><li><b>b</b></ul></div>", repeats=WHOLE)
    common = {name for name, part in first.parts.items() if second.parts.get(name) == part}
    assert {first.parts[name].size for name in common} == {1, 2, 3, 4}  # the text, b, li, ul


def test_names_are_the_same_in_another_process() -> None:
    code = (
        "from dowse.tree.node import Node; from dowse.tree.shape import shape_of;"
        "print(shape_of(Node('ul', {'class': 'a b'}, (Node('li', {}, ('x',)), Node('p')))).root)"
    )
    said = {
        subprocess.run(
            [sys.executable, "-c", code], env={"PYTHONHASHSEED": seed}, capture_output=True, text=True, check=True
        ).stdout
        for seed in ("1", "2")
    }
    assert said == {f"{shape_of(Node('ul', {'class': 'b a'}, (Node('li', {}, ('x',)), Node('p')))).root}\n"}


def test_a_shape_is_never_deeper_than_a_page_may_be() -> None:
    node = Node("x")
    for _ in range(3_000):
        node = Node("d", {}, (node,))
    assert shape_of(node).size == DEEPEST + 1


def test_a_shape_is_never_larger_than_a_page_may_be() -> None:
    rows = tuple(Node("r", {}, (Node("c"),)) for _ in range(MAX_NODES))
    assert shape_of(Node("t", {}, rows), repeats=WHOLE).size <= MAX_NODES


@pytest.mark.parametrize("css", ["\ud800", "x" * 10_000, "a\x00b", " ".join("abc" * 500)])
def test_any_class_makes_a_label(css: str) -> None:
    assert shape_of(Node("p", {"class": css})).size == 1


PAGE = (
    b"<html><body><div class=a><p>x</p><p>y</p></div><ul><li>1<li>2<li>3</ul><div class=a><p>x</p></div></body></html>"
)


def test_a_shape_is_the_same_when_it_is_read_again() -> None:
    shape = shape_of(read_tree(Response("http://a.example/", 200, (("content-type", "text/html"),), PAGE)))
    again = read_shape(write_shape(shape))
    assert again == shape
    assert similarity(again, shape) == 1.0


@pytest.mark.parametrize(
    "text", ["", "no", "eJyLjgUAARUAuQ==", "####", "eJw="], ids=["nothing", "words", "empty list", "no base64", "cut"]
)
def test_what_is_no_shape_is_refused(text: str) -> None:
    with pytest.raises(BadInput, match="not the shape of a page"):
        read_shape(text)
