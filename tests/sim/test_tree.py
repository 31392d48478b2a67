"""Depths are true shortest paths, and the shape of sites is the one that was measured on the web."""

from __future__ import annotations

from collections import Counter

import pytest

from dowse.sim import World

from .walk import walk


def _chosen() -> list[int]:
    """Return sites so that every kind of trap, robots.txt, trouble and way to write links comes up."""
    world = World(seed=1, sites=300)
    wanted: dict[str, int] = {}
    for index, truth in enumerate(world.truth()):
        habits = world.plan(index).habits
        marks = [
            *(trap.kind for trap in truth.traps),
            truth.robots,
            truth.trouble,
            habits.hrefs,
            habits.paths,
            habits.design,
        ]
        for mark in marks if truth.reachable else ():
            wanted.setdefault(mark, index)
    return sorted(set(wanted.values()))


@pytest.mark.parametrize("index", _chosen())
def test_pages_by_depth_is_what_an_independent_walk_finds(world: World, index: int) -> None:
    truth = world.site(index)
    depths = {page.url: depth for depth, page in walk(world, truth)}
    counts = Counter(depths.values())
    assert tuple(counts[depth] for depth in range(max(counts) + 1)) == truth.pages_by_depth
    for form in truth.forms:  # each at its depth, none behind a trap, none that robots.txt hides
        assert depths.get(form.page) == (form.depth if form.reachable else None)


@pytest.fixture(scope="module")
def many() -> World:
    return World(seed=11, sites=1000)


def test_the_shape_of_sites_is_as_measured(many: World) -> None:
    """Paper 1: 94 % of query forms in the 17 % of pages within depth 3, none below 5; 4.2 per site; 87 % by menus."""
    pages: Counter[int] = Counter()
    forms = []
    deep = 0
    for truth in many.truth():
        pages.update(dict(enumerate(truth.pages_by_depth)))
        query_forms = [form for form in truth.forms if form.kind == "database"]
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


def test_decoys_outnumber_query_forms(many: World) -> None:
    kinds = Counter(form.kind for index in range(200) for form in many.site(index).forms)
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
