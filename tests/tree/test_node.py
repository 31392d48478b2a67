"""Trees as data: signs, texts, walks."""

from __future__ import annotations

import pytest

from dowse.tree import Node, find_nodes, sign_of, text_of

TREE = Node(
    "div",
    {"class": "b a"},
    ("One ", Node("b", {}, ("two",)), " three", Node("p", {}, ("four", Node("i", {}, ("five",))))),
)


@pytest.mark.parametrize(
    ("css", "sign"),
    [
        pytest.param("", "li", id="no class"),
        pytest.param("card", "li.card", id="one"),
        pytest.param("wide Card", "li.card.wide", id="in no order"),
        pytest.param("item item-123 post77", "li.item", id="numbers are left out"),
        pytest.param("a b c d e", "li.a.b.c", id="the first three"),
        pytest.param("x" * 41, "li", id="made by a program"),
    ],
)
def test_a_sign_is_the_same_for_tags_of_a_kind(css: str, sign: str) -> None:
    assert sign_of(Node("li", {"class": css})) == sign


def test_tags_come_in_the_order_of_the_page() -> None:
    assert [node.tag for node in find_nodes(TREE)] == ["div", "b", "p", "i"]
    assert [node.tag for node in find_nodes(TREE, "i", "b")] == ["b", "i"]


def test_words_are_one_line() -> None:
    assert text_of(TREE) == "One two three four five"
    assert text_of(TREE, 7) == "One two"


def test_content_is_texts_and_tags() -> None:
    assert TREE.texts == ("One ", " three")
    assert [child.tag for child in TREE.children] == ["b", "p"]


def test_two_tags_are_the_same_only_when_they_are_one() -> None:
    assert Node("b") != Node("b")
    assert len({TREE, TREE}) == 1
