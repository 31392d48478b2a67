"""Fingerprints never say that pages are less alike than they are."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dowse.tree.fingerprint import bound, print_of
from dowse.tree.node import Node
from dowse.tree.rtdm import similarity
from dowse.tree.shape import WHOLE, Shape, shape_of
from tests.tree.test_rtdm import Tree, kin, read, trees, whole


@settings(max_examples=200, deadline=None)
@given(st.one_of(st.tuples(trees, trees), kin()))
def test_the_bound_holds(pair: tuple[Tree, Tree]) -> None:
    a, b = map(whole, pair)
    assert bound(print_of(a), print_of(b)) >= similarity(a, b) - 1e-12


@settings(max_examples=50, deadline=None)
@given(trees)
def test_equal_pages_reach_it(tree: Tree) -> None:
    mark = print_of(whole(tree))
    assert bound(mark, mark) == 1


@pytest.mark.parametrize(
    ("a", "b", "most"),
    [
        pytest.param("a(b c)", "a(b d)", 5 / 6, id="d for c"),
        pytest.param("a(b c)", "x(b c)", 5 / 6, id="another root"),
        pytest.param("a(b(x x) c(x))", "a(d(x x x))", 3 / 11, id="the same tags in others"),
        pytest.param("a(b c)", "a(c b)", 1, id="it does not know the order"),
        pytest.param("a(b b b b)", "a(b)", 4 / 7, id="how many"),
    ],
)
def test_how_much_can_be_mapped(a: str, b: str, most: float) -> None:
    assert bound(print_of(whole(read(a))), print_of(whole(read(b)))) == pytest.approx(most)
    assert bound(print_of(whole(read(b))), print_of(whole(read(a)))) == pytest.approx(most)


def _wide(count: int) -> Shape:
    return shape_of(Node("t", {}, tuple(Node("r", {}, (Node("c"),)) for _ in range(count))), repeats=WHOLE)


def test_many_rows_are_few_ways() -> None:
    mark = print_of(_wide(15_000))
    assert len(mark.ways) == 2
    assert sum(mark.ways.values()) == 30_000
