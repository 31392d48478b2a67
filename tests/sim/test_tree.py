"""Depths are true shortest paths, and the shape of sites is the one that was measured on the web."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dowse.sim import World
from dowse.sim.tree import Special, Tree

from .walk import walk


@given(
    counts=st.lists(st.integers(1, 60), min_size=0, max_size=6),
    bend=st.floats(1.0, 2.5),
    key=st.integers(0, 2**64 - 1),
    added=st.integers(0, 30),
)
def test_parents_and_children_agree_whatever_the_shape(counts: list[int], bend: float, key: int, added: int) -> None:
    tree = Tree(key, (1, *counts), bend, 5, 3, added=added if counts else 0)
    seen = {0}
    for number in range(tree.size):
        for child in tree.children(number):
            assert child not in seen
            seen.add(child)
            assert tree.parent(child) == number
            assert tree.depth(child) == tree.depth(number) + 1
    assert seen == set(range(tree.size))
    assert sum(tree.count_by_depth()) == tree.size


def test_a_page_with_a_purpose_hangs_where_the_plan_says() -> None:
    chart, form = Special("sitemap", "Map", 0, 1, "content"), Special("form", "Find", -1, 2, "sitemap", (4,))
    tree = Tree(1, (1, 3, 5), 1.5, 5, 3, (chart, form))
    assert tree.sitemap == 9
    assert tree.children(9) == [10]
    assert tree.parent(10) == 9
    assert not tree.by_menu(10)


def test_added_pages_do_not_move_the_others() -> None:
    old, new = Tree(7, (1, 4, 9, 12), 1.4, 5, 3), Tree(7, (1, 4, 9, 12), 1.4, 5, 3, added=20)
    for number in range(old.size):
        assert set(old.children(number)) <= set(new.children(number))
        assert old.in_menu(number) == new.in_menu(number)


def _choose(world: World) -> list[int]:
    """Return sites so that every kind of trap, robots.txt, trouble, design and way to write addresses comes up."""
    wanted: dict[str, int] = {}
    for index, truth in enumerate(world.truth()):
        habits = world.plan(index).habits
        marks = [*(trap.kind for trap in truth.traps), truth.robots, truth.trouble, truth.spread, truth.language]
        marks += [habits.hrefs, habits.pages, truth.design, *(form.way for form in truth.forms)]
        for mark in marks if truth.reachable and sum(truth.pages_by_depth) < 600 else ():
            wanted.setdefault(mark, index)
    return sorted(set(wanted.values()))


@pytest.mark.parametrize("family", ["A", "B"])
def test_pages_by_depth_is_what_an_independent_walk_finds(family: str) -> None:
    world = World(seed=1, sites=300, family=family)
    for index in _choose(world):
        check_walk(world, index)


def check_walk(world: World, index: int) -> None:
    truth = world.site(index)
    depths = {page.url: depth for depth, page in walk(world, truth)}
    counts = Counter(depths.values())
    assert tuple(counts[depth] for depth in range(max(counts) + 1)) == truth.pages_by_depth
    for form in truth.forms:  # each at its depth, none behind a trap, none that robots.txt hides
        assert depths.get(form.page) == (form.depth if form.reachable else None)


@pytest.fixture(scope="module", params=["A", "B"])
def many(request: pytest.FixtureRequest) -> World:
    return World(seed=11, sites=2000, family=request.param)


def test_the_shape_of_sites_is_as_measured(many: World) -> None:
    """Paper 1: 94 % of query forms in the 17 % of pages within depth 3, none below 5; 4.2 per site; 87 % by menus."""
    pages: Counter[int] = Counter()
    spreads: Counter[str] = Counter()
    forms = []
    deep = 0
    for truth in many.truth():
        pages.update(dict(enumerate(truth.pages_by_depth)))
        spreads[truth.spread] += 1
        query_forms = [form for form in truth.forms if form.kind == "database" and not form.same_as]
        deep += bool(query_forms)
        forms += query_forms
    below_root = [form for form in forms if form.depth]
    assert sum(pages[depth] for depth in range(4)) / pages.total() == pytest.approx(0.17, rel=0.1)
    assert [pages[depth] for depth in range(6)] == sorted(pages[depth] for depth in range(6))
    assert pages[5] > pages[6] > pages[7]
    assert sum(form.depth <= 3 for form in forms) / len(forms) == pytest.approx(0.94, rel=0.1)
    assert max(form.depth for form in forms) == 5
    assert len(forms) / deep == pytest.approx(4.2, rel=0.1)
    assert deep / many.sites < 0.5
    assert sum(form.by_menu for form in below_root) / len(below_root) == pytest.approx(0.87, rel=0.1)
    for spread, share in {"link-page": 44, "skeleton": 8, "directory": 8, "mixed": 29, "none": 11}.items():
        assert spreads[spread] / many.sites == pytest.approx(share / 100, rel=0.1)


def test_sizes_have_a_heavy_tail_and_sites_of_a_kind_link_each_other(many: World) -> None:
    truths = [many.site(index) for index in range(0, 2000, 4)]
    sizes = sorted(sum(truth.pages_by_depth) for truth in truths if truth.reachable)
    assert sizes[-len(sizes) // 100] > 6 * sizes[len(sizes) // 2]
    topics = {many.traits(index).address: many.traits(index).topic for index in range(many.sites)}
    chosen = [(truth.topic, topics[address]) for truth in truths for address in truth.neighbours]
    assert sum(own == other for own, other in chosen) / len(chosen) > 0.3  # one in eight by chance


def test_decoys_outnumber_query_forms(many: World) -> None:
    forms = [form for index in range(200) for form in many.site(index).forms]
    kinds, purposes = Counter(form.kind for form in forms), Counter(form.purpose for form in forms)
    assert kinds.total() - kinds["database"] > kinds["database"]
    assert set(kinds) == {
        "database",
        "site-search",
        "login",
        "registration",
        "contact",
        "subscribe",
        "order",
        "configure",
        "other",
    }
    assert len(purposes) == 18
