"""Shapes: what counts as equal, what is left out, and what hostile pages cannot do."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from dataclasses import FrozenInstanceError
from functools import cache
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dowse.errors import BadInput
from dowse.model import Response
from dowse.page.document import Document
from dowse.tree.node import MAX_DEPTH, MAX_NODES, Node
from dowse.tree.similarity import (
    ALL_REPEATS,
    BELOW_LIMIT,
    MAX_SHAPE_DEPTH,
    MIN_VALUES,
    WORK_LIMIT,
    Shape,
    Threshold,
    compare,
    count_mixed,
    explain_cuts,
    find_cut,
    fingerprint_of,
    is_median_less,
    ks_distance,
    ks_p_value,
    read_shape,
    shape_of,
    similarity,
    similarity_bound,
    write_shape,
)


def distance(a: Shape, b: Shape) -> int:
    """Return the cost of the cheapest mapping, without a limit on the work."""
    return compare(a, b, max_cells=sys.maxsize).distance


def shape(html: str, **chosen: Any) -> Shape:
    return shape_of(Document(Response("http://page.test/", 200, (), html.encode())).nodes, **chosen)


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
    assert shape(rows, repeats=ALL_REPEATS).size == 4 + 10 * 6  # html, body, table, tbody; tr, td, text, td, a, text
    assert shape(rows).size == 4 + 3  # tr, td, text: the second cell is of the kind of the first


def test_equal_parts_are_one_part_on_any_page() -> None:
    first, second = shape("<ul><li><b>a</b></ul><p>x"), shape("<div><ul><li><b>b</b></ul></div>", repeats=ALL_REPEATS)
    common = {name for name, part in first.parts.items() if second.parts.get(name) == part}
    assert {first.parts[name].size for name in common} == {1, 2, 3, 4}  # the text, b, li, ul


def test_names_are_the_same_in_another_process() -> None:
    code = (
        "from dowse.tree.node import Node; from dowse.tree.similarity import shape_of;"
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
    assert shape_of(node).size == MAX_SHAPE_DEPTH + 1


def test_a_shape_is_never_larger_than_a_page_may_be() -> None:
    rows = tuple(Node("r", {}, (Node("c"),)) for _ in range(MAX_NODES))
    assert shape_of(Node("t", {}, rows), repeats=ALL_REPEATS).size <= MAX_NODES


@pytest.mark.parametrize("css", ["\ud800", "x" * 10_000, "a\x00b", " ".join("abc" * 500)])
def test_any_class_makes_a_label(css: str) -> None:
    assert shape_of(Node("p", {"class": css})).size == 1


PAGE = (
    b"<html><body><div class=a><p>x</p><p>y</p></div><ul><li>1<li>2<li>3</ul><div class=a><p>x</p></div></body></html>"
)


def test_a_shape_is_the_same_when_it_is_read_again() -> None:
    shape = shape_of(Document(Response("http://a.example/", 200, (("content-type", "text/html"),), PAGE)).nodes)
    again = read_shape(write_shape(shape))
    assert again == shape
    assert similarity(again, shape) == 1.0


@pytest.mark.parametrize(
    "text", ["", "no", "eJyLjgUAARUAuQ==", "####", "eJw="], ids=["nothing", "words", "empty list", "no base64", "cut"]
)
def test_what_is_no_shape_is_refused(text: str) -> None:
    with pytest.raises(BadInput, match="not the shape of a page"):
        read_shape(text)


Tree = tuple[str, tuple["Tree", ...]]


def grow(tree: Tree) -> Node:
    return Node(tree[0], {}, tuple(map(grow, tree[1])))


def whole(tree: Tree) -> Shape:
    return shape_of(grow(tree), repeats=ALL_REPEATS)


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
        assert found.why == BELOW_LIMIT
        assert exact.similarity <= found.similarity < at_least
    else:
        assert found == exact


@settings(max_examples=100, deadline=None)
@given(st.tuples(trees, trees), st.integers(0, 40), st.sampled_from([0.0, 0.4, 0.8]))
def test_a_tired_mapping_is_a_bound_and_says_so(pair: tuple[Tree, Tree], work: int, at_least: float) -> None:
    a, b = map(whole, pair)
    exact, found = compare(a, b, at_least=at_least), compare(a, b, at_least=at_least, max_cells=work)
    assert found == exact or found.why == WORK_LIMIT
    if found.why == WORK_LIMIT:
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
    a = shape_of(Node("t", {}, rows), repeats=ALL_REPEATS)
    b = shape_of(Node("t", {}, (Node("q"), *rows[::-1], Node("z"))), repeats=ALL_REPEATS)
    found = compare(a, b, max_cells=2_000)
    assert found.why == WORK_LIMIT
    assert 0 < found.distance <= a.size + b.size


def test_pages_of_all_depths_are_bounded() -> None:
    deep = [Node(tag) for tag in "xy"]
    for _ in range(5_000):
        deep = [Node("d", {}, (node,)) for node in deep]
    a, b = (shape_of(node, repeats=ALL_REPEATS) for node in deep)
    assert a.size < 2 * MAX_DEPTH
    assert a.size <= distance(a, shape_of(Node("d"))) + 1
    assert distance(a, b) == 0, "what differs lies deeper than pages are read"


def test_tables_in_tables_are_mapped_once() -> None:
    """Each level holds the one below twice: two to the twelfth leaves, and thirteen pairs of parts."""
    first, second = Node("x"), Node("y")
    for _ in range(12):
        first, second = (Node("t", {}, (node, node)) for node in (first, second))
    found = compare(shape_of(first, repeats=ALL_REPEATS), shape_of(second, repeats=ALL_REPEATS), max_cells=200)
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
    assert similarity_bound(fingerprint_of(a), fingerprint_of(b)) >= similarity(a, b) - 1e-12


@settings(max_examples=50, deadline=None)
@given(trees)
def test_equal_pages_reach_it(tree: Tree) -> None:
    mark = fingerprint_of(whole(tree))
    assert similarity_bound(mark, mark) == 1


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
    assert similarity_bound(fingerprint_of(whole(read(a))), fingerprint_of(whole(read(b)))) == pytest.approx(most)
    assert similarity_bound(fingerprint_of(whole(read(b))), fingerprint_of(whole(read(a)))) == pytest.approx(most)


def _wide(count: int) -> Shape:
    return shape_of(Node("t", {}, tuple(Node("r", {}, (Node("c"),)) for _ in range(count))), repeats=ALL_REPEATS)


def test_many_rows_are_few_label_paths() -> None:
    mark = fingerprint_of(_wide(15_000))
    assert len(mark.tags) == 2
    assert sum(mark.tags.values()) == 30_000


@given(st.lists(st.sampled_from("abcd"), max_size=40))
def test_what_is_on_both_sides_is_counted_in_one_pass(kinds: list[str]) -> None:
    plain = []
    for cut in range(1, len(kinds)):
        below, above = Counter(kinds[:cut]), Counter(kinds[cut:])
        plain.append(sum(min(below[kind], count) for kind, count in above.items()))
    assert count_mixed(kinds) == plain


def test_the_cut_between_two_groups_explains_most() -> None:
    assert explain_cuts([0.0, 0.0, 1.0, 1.0])[1] == 1.0
    assert explain_cuts([0.5, 0.5]) == [0.0]


def test_what_was_found_does_not_change() -> None:
    with pytest.raises(FrozenInstanceError):
        Threshold(0.5, "", 1.0).value = 0.1  # type: ignore[misc]


LIKENESSES = st.lists(st.floats(0, 1), max_size=30)


@given(LIKENESSES, LIKENESSES)
def test_a_chance_is_a_share(some: list[float], others: list[float]) -> None:
    assert 0.0 <= ks_p_value(some, others) <= 1.0
    assert ks_p_value(some, others) == pytest.approx(ks_p_value(others, some))
    assert ks_p_value(some, some) == 1.0


def test_the_chance_is_that_of_a_table() -> None:
    """Two spreads of 50 values each that are 0.272 apart at most have one chance in twenty (Smirnov 1948)."""
    some, others = [float(n) for n in range(50)], [n + 13.5 for n in range(50)]
    assert ks_distance(some, others) == pytest.approx(0.28)
    assert ks_p_value(some, others) == pytest.approx(0.04, abs=0.01)


CHANCES = [
    ("too few to tell", [0.1] * (MIN_VALUES - 1), [0.9] * 30, 1.0, 1.0),
    ("all less", [0.1 + n / 1000 for n in range(20)], [0.9 + n / 1000 for n in range(20)], 0.0, 1e-4),
    ("all more", [0.9 + n / 1000 for n in range(20)], [0.1 + n / 1000 for n in range(20)], 0.0, 1e-4),
    ("the same", [0.5] * 20, [0.5] * 20, 0.3, 1.0),
]


@pytest.mark.parametrize(
    ("some", "others", "least", "most"), [row[1:] for row in CHANCES], ids=[row[0] for row in CHANCES]
)
def test_chance_of_same(some: list[float], others: list[float], least: float, most: float) -> None:
    assert least <= ks_p_value(some, others) <= most


def test_less_is_told_by_the_middle_and_by_how_much() -> None:
    assert is_median_less([0.1, 0.2, 0.9], [0.5, 0.6, 0.7])
    assert not is_median_less([0.1, 0.2, 0.9], [0.5, 0.6, 0.7], 0.5)
    assert not is_median_less([], [0.5])
    assert not is_median_less([0.5], [])


CUTS = [
    ("none", [], "too few"),
    ("too few", [0.9] * (MIN_VALUES - 1), "too few"),
    ("all unlike", [0.1] * 20, "too few"),
    ("all the same", [0.9] * 20, "nothing parts"),
]


@pytest.mark.parametrize(("values", "why"), [row[1:] for row in CUTS], ids=[row[0] for row in CUTS])
def test_where_nothing_can_be_told_the_threshold_is_strict(values: list[float], why: str) -> None:
    found = find_cut([(each, ("item", "/")) for each in values])
    assert found.value == 0.7
    assert why in found.why


@given(st.lists(st.tuples(st.floats(0, 1), st.sampled_from("abc")), max_size=40))
def test_a_threshold_is_a_likeness(pages: list[tuple[float, str]]) -> None:
    found = find_cut([(likeness, (kind,)) for likeness, kind in pages])
    assert 0.3 <= found.value <= 1.0
    assert found.why


def test_the_cut_lies_in_the_gap() -> None:
    items = [(0.8 + n / 100, ("item",)) for n in range(10)]
    lists = [(n / 100, ("list",)) for n in range(10)]
    assert 0.09 < find_cut(items + lists).value <= 0.8
