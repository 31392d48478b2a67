"""The mapping costs what a plain one costs, whatever is left out on the way."""

from __future__ import annotations

from functools import cache
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dowse.tree.node import MAX_DEPTH, Node
from dowse.tree.rtdm import CUT, TIRED, bound, compare, distance, print_of, similarity
from dowse.tree.shape import WHOLE, Shape, shape_of

Tree = tuple[str, tuple["Tree", ...]]


def grow(tree: Tree) -> Node:
    return Node(tree[0], {}, tuple(map(grow, tree[1])))


def whole(tree: Tree) -> Shape:
    return shape_of(grow(tree), repeats=WHOLE)


def read(text: str) -> Tree:
    """Read a(b c(d)) as a tree."""
    stack: list[list[Tree]] = [[]]
    names: list[str] = []
    for word in text.replace("(", " ( ").replace(")", " ) ").split():
        if word == "(":
            names.append(stack[-1].pop()[0])
            stack.append([])
        elif word == ")":
            children = stack.pop()
            stack[-1].append((names.pop(), tuple(children)))
        else:
            stack[-1].append((word, ()))
    return stack[0][0]


def count(tree: Tree) -> int:
    return 1 + sum(map(count, tree[1]))


def map_plainly(a: Tree, b: Tree) -> int:
    """Fill every table in full: nothing is trimmed, remembered, cut or known to be equal."""
    return (a[0] != b[0]) + _map_children(a, b)


@cache
def _map_children(a: Tree, b: Tree) -> int:
    table = [[0] * (len(b[1]) + 1) for _ in range(len(a[1]) + 1)]
    for row, x in enumerate(a[1], 1):
        table[row][0] = table[row - 1][0] + count(x)
    for column, y in enumerate(b[1], 1):
        table[0][column] = table[0][column - 1] + count(y)
    for row, x in enumerate(a[1], 1):
        for column, y in enumerate(b[1], 1):
            table[row][column] = min(
                table[row - 1][column] + count(x),
                table[row][column - 1] + count(y),
                table[row - 1][column - 1] + (_map_children(x, y) if x[0] == y[0] else count(x) + count(y) - 1),
            )
    return table[-1][-1]


labels = st.sampled_from("abc")
trees: st.SearchStrategy[Tree] = st.recursive(
    st.tuples(labels, st.just(())),
    lambda inner: st.tuples(labels, st.lists(inner, max_size=5).map(tuple)),
    max_leaves=16,
)


@st.composite
def kin(draw: st.DrawFn) -> tuple[Tree, Tree]:
    """A tree and one that was made from it by a few changes: pages of one template are like that."""
    tree = draw(trees)
    return tree, _change(tree, draw(st.integers(0, 3)), draw(trees))


def _change(tree: Tree, step: int, new: Tree) -> Tree:
    label, children = tree
    if not children:
        return (label, (new,))
    changed = _change(children[-1], step // 2, new)
    return (label, (children[1:], (*children, new), (*children[:-1], changed), children[::-1])[step])


@settings(max_examples=200, deadline=None)
@given(st.one_of(st.tuples(trees, trees), kin()))
def test_it_costs_what_a_plain_mapping_costs(pair: tuple[Tree, Tree]) -> None:
    a, b = pair
    assert distance(whole(a), whole(b)) == map_plainly(a, b)


@settings(max_examples=100, deadline=None)
@given(st.one_of(st.tuples(trees, trees), kin()), st.floats(0, 1))
def test_what_reaches_the_cut_is_exact_and_what_does_not_stays_below(pair: tuple[Tree, Tree], at_least: float) -> None:
    a, b = map(whole, pair)
    exact, found = compare(a, b), compare(a, b, at_least=at_least)
    if exact.similarity >= at_least:
        assert found == exact
    elif found.why:
        assert found.why == CUT
        assert exact.similarity <= found.similarity < at_least
    else:
        assert found == exact


@settings(max_examples=100, deadline=None)
@given(st.tuples(trees, trees), st.integers(0, 40), st.sampled_from([0.0, 0.4, 0.8]))
def test_a_tired_mapping_is_a_bound_and_says_so(pair: tuple[Tree, Tree], work: int, at_least: float) -> None:
    a, b = map(whole, pair)
    exact, found = compare(a, b, at_least=at_least), compare(a, b, at_least=at_least, most_work=work)
    assert found == exact or found.why == TIRED
    if found.why == TIRED:
        assert found.distance >= distance(a, b)


@settings(max_examples=100, deadline=None)
@given(trees, trees, trees)
def test_it_is_a_distance(a: Tree, b: Tree, c: Tree) -> None:
    x, y, z = map(whole, (a, b, c))
    assert distance(x, y) == distance(y, x)
    assert (distance(x, y) == 0) == (a == b)
    assert distance(x, z) <= distance(x, y) + distance(y, z)
    assert 0 <= similarity(x, y) <= 1


@pytest.mark.parametrize(
    ("a", "b", "cost"),
    [
        pytest.param("a(b c)", "a(b c)", 0, id="equal"),
        pytest.param("a", "b", 1, id="another root"),
        pytest.param("a(b c)", "d(b c)", 1, id="another root keeps its children"),
        pytest.param("a(b)", "a(c)", 1, id="a leaf is replaced"),
        pytest.param("a(b(x y))", "a(c(x y))", 5, id="another label inside loses all that is in it"),
        pytest.param("a(b(x y) c)", "a(c)", 3, id="what is deleted takes all that is in it along"),
        pytest.param("a(x)", "a(b(x))", 2, id="nothing is inserted between: x is replaced, another inserted"),
        pytest.param("a(b c)", "a(c b)", 2, id="in the order of the page"),
        pytest.param("a(r(x) r(x) r(x))", "a(r(x))", 4, id="rows"),
        pytest.param("a(r(x y) r(z))", "a(r(z) r(x y))", 4, id="rows that are mapped across"),
    ],
)
def test_what_changes_cost(a: str, b: str, cost: int) -> None:
    assert distance(whole(read(a)), whole(read(b))) == cost
    assert map_plainly(read(a), read(b)) == cost


def test_similarity_is_the_part_that_is_the_same() -> None:
    a, b = whole(read("a(b c d)")), whole(read("a(b c e f)"))
    assert distance(a, b) == 2
    assert similarity(a, b) == 1 - 2 / 9
    assert similarity(a, a) == 1


@pytest.mark.parametrize("width", [300, 10_000])
def test_pages_made_to_cost_time_are_bounded(width: int) -> None:
    """Every pair of rows differs a little, so that none is equal and each could be mapped to each."""
    rows = tuple(
        Node("r", {}, (Node("x" * (1 + number % 7)), Node("y" * (1 + number % 11)))) for number in range(width)
    )
    a = shape_of(Node("t", {}, rows), repeats=WHOLE)
    b = shape_of(Node("t", {}, (Node("q"), *rows[::-1], Node("z"))), repeats=WHOLE)
    found = compare(a, b, most_work=2_000)
    assert found.why == TIRED
    assert 0 < found.distance <= a.size + b.size


def test_pages_of_all_depths_are_bounded() -> None:
    deep = [Node(tag) for tag in "xy"]
    for _ in range(5_000):
        deep = [Node("d", {}, (node,)) for node in deep]
    a, b = (shape_of(node, repeats=WHOLE) for node in deep)
    assert a.size < 2 * MAX_DEPTH
    assert a.size <= distance(a, shape_of(Node("d"))) + 1
    assert distance(a, b) == 0, "what differs lies deeper than pages are read"


def test_tables_in_tables_are_mapped_once() -> None:
    """Each level holds the one below twice: two to the twelfth leaves, and thirteen pairs of parts."""
    first, second = Node("x"), Node("y")
    for _ in range(12):
        first, second = (Node("t", {}, (node, node)) for node in (first, second))
    found = compare(shape_of(first, repeats=WHOLE), shape_of(second, repeats=WHOLE), most_work=200)
    assert found.distance == 2**12
    assert not found.why


def test_the_more_a_page_is_changed_the_less_it_is_alike() -> None:
    base = [
        read(f"a({' '.join('b(c d)' for _ in range(8))} {' '.join('z' for _ in range(extra))})") for extra in range(6)
    ]
    scores = [similarity(whole(base[0]), whole(each)) for each in base]
    assert all(before > after for before, after in pairwise(scores))


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
