"""Links that stand together: in lists, in menus, alone."""

from __future__ import annotations

import pytest

from dowse.example.blocks import find_blocks
from dowse.model import Response
from dowse.page.tree import read_tree

HTML = (("content-type", "text/html; charset=utf-8"),)


def anchors(*links: str) -> list[str]:
    return [f'<a href="{link}">{link}</a>' for link in links]


def together(body: str) -> list[set[str]]:
    tree = read_tree(Response("http://a.example/", 200, HTML, f"<html><body>{body}</body></html>".encode()))
    return [set(block.links) for block in find_blocks(tree, lambda href: href, "abcdefgh")]


MENU = "<nav>" + " ".join(anchors("g", "h")) + "</nav>"
PAGES = [
    ("points", "<ul>" + "".join(f"<li>{each}</li>" for each in anchors(*"abc")) + "</ul>"),
    ("lines", "<p>" + "<br>".join(anchors(*"abc")) + "</p>"),
    ("cells", "<table><tr>" + "".join(f"<td>{each}</td>" for each in anchors(*"abc")) + "</tr></table>"),
    ("a grid", "<table><tr><td>{}</td><td>{}</td></tr><tr><td>{}</td></tr></table>".format(*anchors(*"abc"))),
    ("cards", "".join(f"<div class=card><h3>{each}</h3><p>text</p></div>" for each in anchors(*"abc"))),
]


@pytest.mark.parametrize("body", [row[1] for row in PAGES], ids=[row[0] for row in PAGES])
def test_a_list_is_told_from_a_menu(body: str) -> None:
    assert together(MENU + body) == [{"g", "h"}, {"a", "b", "c"}]


def test_two_lists_of_one_kind_are_two() -> None:
    lists = ["<ul>" + "".join(f"<li>{each}</li>" for each in anchors(*some)) + "</ul>" for some in ("abc", "def")]
    assert together("".join(lists)) == [set("abc"), set("def")]


def test_rows_with_two_links_are_one_list() -> None:
    rows = "".join(f"<tr><td>{a} {b}</td></tr>" for a, b in zip(anchors(*"abc"), anchors(*"def"), strict=True))
    assert together(f"<table>{rows}</table>") == [set("abcdef")]


def test_a_link_alone_stands_by_itself() -> None:
    assert together("<p>" + anchors("a")[0] + "</p><div>" + anchors("b")[0] + "</div>") == [{"a"}, {"b"}]


def test_a_place_is_the_same_on_another_page() -> None:
    def places(*links: str) -> set[int]:
        body = "<ul>" + "".join(f"<li>{each}</li>" for each in anchors(*links)) + "</ul>"
        tree = read_tree(Response("http://a.example/", 200, HTML, body.encode()))
        return {block.place for block in find_blocks(tree, lambda href: href, "abcdefgh")}

    assert places("a") == places("b", "c") == places(*"defg")


@pytest.mark.parametrize(
    "row", ["<tr class={}><td>{}</td></tr>", '<div class="row {}">{}</div>', "<li class={}>{}</li>"]
)
def test_odd_and_even_rows_are_one_list(row: str) -> None:
    kinds = ("odd", "even", "odd", "even", "last")
    rows = "".join(map(row.format, kinds, anchors(*"abcde")))
    assert together(f"<table>{rows}</table>" if row.startswith("<tr") else rows) == [set("abcde")]


def test_what_is_no_link_of_the_page_is_left_out() -> None:
    assert together('<a href="z">z</a><a>none</a><a href="">empty</a>') == []
