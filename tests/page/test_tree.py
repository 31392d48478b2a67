"""Responses become trees, whatever is in them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dowse.model import Response
from dowse.page.document import Document
from dowse.tree import MAX_DEPTH, MAX_NODES, Node, find_nodes, text_of


def read(body: str | bytes, kind: str = "text/html; charset=utf-8") -> Node:
    data = body.encode() if isinstance(body, str) else body
    return Document(Response("http://a.test/", 200, (("content-type", kind),), data)).nodes


def test_tags_texts_and_attributes_are_kept() -> None:
    tree = read("<p class=x data-n=1 onclick=y>One <b>two</b> three</p>")
    paragraph = next(find_nodes(tree, "p"))
    assert dict(paragraph.attributes) == {"class": "x"}
    assert [part if isinstance(part, str) else part.tag for part in paragraph.content] == ["One ", "b", " three"]


@pytest.mark.parametrize("tag", ["script", "style", "select", "textarea", "noscript", "template"])
def test_what_nobody_reads_is_left_out(tag: str) -> None:
    assert "secret" not in text_of(read(f"<p>Seen</p><{tag}>secret</{tag}>"))


def test_declared_records_and_the_base_come_first() -> None:
    tree = read('<base href="/b/"><p>x<script type="application/ld+json">{"a": 1}</script>')
    assert [(child.tag, text_of(child)) for child in tree.children][:2] == [("base", ""), ("script", '{"a": 1}')]


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        pytest.param("Größe".encode(), "text/html; charset=utf-8", id="header"),
        pytest.param(b'<meta charset="iso-8859-1">Gr\xf6\xdfe', "text/html", id="meta"),
        pytest.param("\ufeffGröße".encode("utf-16-le"), "text/html", id="mark"),
        pytest.param(b"Gr\xf6\xdfe in einem deutschen Satz mit vielen Worten", "text/html", id="guessed"),
    ],
)
def test_the_encoding_is_found(body: bytes, kind: str) -> None:
    assert text_of(read(body, kind)).startswith("Größe")


def test_depth_and_number_of_tags_are_bounded() -> None:
    deep = read("<div>" * 1_000 + "word")
    assert text_of(deep) == "word"
    assert _depth(deep) <= MAX_DEPTH + 1
    assert sum(1 for _ in find_nodes(read("<b>x</b>" * (MAX_NODES + 100)))) <= MAX_NODES


def _depth(node: Node) -> int:
    return 1 + max((_depth(child) for child in node.children), default=0)


def test_a_blank_between_two_tags_is_kept() -> None:
    line = next(find_nodes(read("<p><b>Harry</b> <b>Potter</b></p>"), "p"))
    assert [part for part in line.content if isinstance(part, str)] == [" "]


@given(st.binary(max_size=300))
def test_nothing_is_too_odd(body: bytes) -> None:
    assert read(body, "text/html").tag == "html"


@pytest.mark.parametrize(
    "body", [b"", b"\xff\xfe\x00", b"\x00" * 100, b"<" * 5000], ids=["none", "mark", "zeros", "angles"]
)
def test_garbage(body: bytes) -> None:
    assert Document(Response("http://e.com/", 200, (), body)).nodes.tag == "html"


@pytest.mark.parametrize(
    ("rows", "cells"),
    [
        pytest.param(
            "<tr><td rowspan=2>Austen<td>Emma<tr><td>Persuasion<tr><td>Eliot<td>Romola",
            ["Austen Emma", "Austen Persuasion", "Eliot Romola"],
            id="a value of several rows",
        ),
        pytest.param(
            "<tr><td>Emma<td rowspan=3>1815<td rowspan=2>lent<tr><td>Romola<tr><td>Shirley<td>free",
            ["Emma 1815 lent", "Romola 1815 lent", "Shirley 1815 free"],
            id="two of them, the last and in the middle",
        ),
        pytest.param(
            "<tr><td rowspan=2>1.<td>Emma<tr><td>Austen<tr><td rowspan=2>2.<td>Romola<tr><td>Eliot",
            ["1. Emma", "Austen", "2. Romola", "Eliot"],
            id="records of two rows",
        ),
        pytest.param(
            "<tr><td rowspan=3>" + "<a href=/x>Menu</a><br>" * 20 + "<td>Emma<tr><td>Romola<tr><td>Eliot<tr><td>1<td>2",
            ["Menu " * 20 + "Emma", "Romola", "Eliot", "1 2"],
            id="a menu beside rows",
        ),
        pytest.param(
            "<tr><td rowspan=9 colspan=2>Emma<tr><td>1<td rowspan=0>2<tr><td rowspan=x>3",
            ["Emma", "1 2", "3"],
            id="spans that reach too far, and no other",
        ),
    ],
)
def test_a_cell_that_spans_rows_stands_in_each(rows: str, cells: list[str]) -> None:
    tree = read(f"<table>{rows}</table>")
    assert [" ".join(text_of(row).split()) for row in find_nodes(tree, "tr")] == cells


def test_cells_that_span_many_rows_do_not_fill_the_tree() -> None:
    wide = "<tr>" + "<td rowspan=100>x" * 90
    tree = read(f"<table>{(wide + '<tr><td>y' * 99) * 40}</table>")
    assert sum(1 for _ in find_nodes(tree)) <= MAX_NODES
