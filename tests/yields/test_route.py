"""What queries of other attributes say of a frame."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dowse.yields.route import Open, Route, judge_open

USUAL = 0.8  # of any two records have no value in common


def route(queries: int, met: float, *, apart: float = USUAL, new: int = 4) -> Route:
    """Queries that each showed so many new records; a part of them met, a part unlike their lead."""
    found = Route()
    for _ in range(queries):
        found.add(new, new * met, 100)
        found.compare(new, round(new * apart))
    return found


def judge(routes: dict[int, Route]) -> Open:
    return judge_open(routes, USUAL, 0.9)


def test_queries_that_bring_as_much_count_one_each() -> None:
    assert route(12, 0.5).queries == pytest.approx(12)


def test_one_query_that_brings_most_counts_little_more_than_one() -> None:
    found = route(10, 0.5, new=1)
    found.add(1_000, 500, 100)
    assert found.queries < 1.1


def test_what_was_seen_when_half_was_held_counts_a_quarter() -> None:
    found = route(8, 0.5)
    found.fade(200)
    assert found.queries == pytest.approx(2)
    assert found.share == 0.5


@pytest.mark.parametrize(
    ("apart", "usual", "least", "most"),
    [
        pytest.param(0.75, 0.75, 0.0, 0.05, id="as unlike as any two"),
        pytest.param(0.0, 0.75, 0.95, 1.0, id="within each other"),
        pytest.param(0.5, 0.75, 0.25, 0.4, id="some of both"),
        pytest.param(0.0, 0.01, 0.0, 0.0, id="nearly all records are alike"),
    ],
)
def test_kinship(apart: float, usual: float, least: float, most: float) -> None:
    assert least <= route(20, 1.0, apart=apart).find_kinship(usual) <= most


def test_the_lowest_route_is_believed() -> None:
    found = judge({1: route(30, 1.0), 2: route(30, 0.5)})
    assert found.by == 2
    assert found.share == pytest.approx(0.5, abs=0.03)
    assert found.most == 1.0


def test_one_query_that_is_low_by_chance_is_not() -> None:
    found = judge({1: route(30, 0.9), 2: route(1, 0.5)})
    assert found.share > 0.65


def test_what_lies_within_the_frame_says_nothing() -> None:
    nested, nothing = judge({1: route(50, 1.0, apart=0.0)}), judge({})
    independent = judge({1: route(50, 1.0)})
    assert nothing.least < nested.least < independent.least
    assert nested.least < 0.8 < 0.95 < independent.least


def test_kin_make_the_closed_part_less_sure() -> None:
    akin, strange = (judge({1: route(400, 0.9, apart=apart)}) for apart in (0.25, USUAL))
    assert akin.share == pytest.approx(strange.share, abs=0.01)
    assert akin.least < 0.9 * strange.least


routes = st.dictionaries(
    st.integers(-1, 5),
    st.builds(route, st.integers(0, 40), st.floats(0, 1), apart=st.floats(0, 1), new=st.integers(1, 10)),
    max_size=4,
)


@given(routes, st.floats(0, 1))
def test_a_share_lies_between_its_bounds(found: dict[int, Route], usual: float) -> None:
    judged = judge_open(found, usual, 0.9)
    assert 0 < judged.least <= judged.share <= judged.most <= 1
