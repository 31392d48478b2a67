"""Queries for several values: what they are made of, what they promise, what they bring."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dowse.harvest.loop import Drawn, draw
from dowse.model import Query, Value
from dowse.select.auto import Auto
from dowse.select.expect import Expectation
from dowse.select.expect_routes import Routes
from dowse.select.graph import Graph
from dowse.select.join import Join, Joins
from dowse.select.selector import Asked, Interface, Parts
from tests.select.tabled import Row, Table

ATTRIBUTES = ("maker", "kind", "year")
FACE = Interface(ATTRIBUTES, joins=True, page_size=5, limit=10)


def make_cars(count: int) -> list[Row]:
    """Make cars of few makers, kinds and years: every value alone has far more of them than a limit shows."""
    rng = Random(3)
    return [
        {"maker": f"maker {rng.randrange(8)}", "kind": f"kind {rng.randrange(6)}", "year": str(2000 + rng.randrange(9))}
        for _ in range(count)
    ]


CARS = make_cars(1500)


async def draw_all(table: Table) -> tuple[Drawn, list[Query]]:
    """Draw with `auto` until nothing is left to ask."""
    graph = Graph()
    selector, drawn, queries = Auto(Parts(graph, table.interface, Random(1))), Drawn(graph), []
    selector.seed([table.record(0).values[0]])
    async for draught in draw(table.ask, selector, drawn, lambda record: record.values):
        queries += [draught.asked.query] if draught.answer.page == 0 else []
    return drawn, queries


def build(face: Interface = FACE) -> tuple[Graph, Joins]:
    graph = Graph()
    for row in CARS[:200]:
        graph.add(Value(attribute, text) for attribute, text in row.items())
    return graph, Joins(graph, face, Expectation(graph, Routes(graph), face))


def cut(graph: Graph, joins: Joins, value: Value, total: int) -> int:
    """Let the answer for a value be cut; return its number."""
    number = graph.number(value)
    fresh = list(graph.records_of(number)[-10:])
    asked = Asked(Query((value,)), number, pages=2, records=10, new=10, total=total, limit=10, fresh=fresh)
    joins.note((number,), asked, graph.count(number) - 10)
    return number


@pytest.mark.parametrize(("counts", "share"), [("exact", 0.95), ("none", 0.7)], ids=["counted", "not counted"])
async def test_draws_what_single_values_cannot_show(counts: str, share: float) -> None:
    joined, queries = await draw_all(Table(CARS, FACE, limit=10, counts=counts))
    alone, _ = await draw_all(Table(CARS, Interface(ATTRIBUTES, page_size=5, limit=10), limit=10, counts=counts))
    assert alone.graph.record_count <= 10 * 23, "values alone show ten records each"
    assert joined.graph.record_count >= share * len(CARS)
    assert len(queries) == len(set(queries))
    assert joined.requests <= 3 * len(CARS) / 5, "most pages bring something new"


async def test_asks_for_one_value_at_a_time_where_nothing_is_cut() -> None:
    _, queries = await draw_all(Table(CARS[:300], Interface(ATTRIBUTES, joins=True, page_size=5)))
    assert {len(query.values) for query in queries} == {1}


async def test_never_joins_where_the_form_does_not() -> None:
    _, queries = await draw_all(Table(CARS[:300], Interface(ATTRIBUTES, page_size=5, limit=10), limit=10))
    assert {len(query.values) for query in queries} == {1}


async def test_ends_where_counts_are_wrong_and_nothing_is_hidden() -> None:
    """A source that says more than it has seems to hide something in every answer."""
    drawn, queries = await draw_all(Table(CARS[:60], Interface(ATTRIBUTES, joins=True, page_size=5), counts="wrong"))
    assert drawn.graph.record_count == 60
    assert len(queries) < 250, "fewer than all pairs and all sets of three"


def test_joins_values_of_other_attributes_that_were_cut_too() -> None:
    graph, joins = build()
    cut(graph, joins, Value("maker", "maker 1"), 190)
    assert joins.best() is None, "no other value is known to be cut"
    year = cut(graph, joins, Value("year", "2003"), 170)
    best = joins.best()
    assert best is not None
    assert year in best.values
    assert joins.give(best) == Query((Value("maker", "maker 1"), Value("year", "2003")))
    assert joins.best() is None, "each is given once"


def test_asks_for_nothing_within_what_is_known_whole() -> None:
    graph, joins = build()
    cut(graph, joins, Value("maker", "maker 1"), 190)
    number = cut(graph, joins, Value("year", "2003"), 170)
    asked = Asked(Query((Value("year", "2003"),)), number, pages=1, records=3, total=3)
    joins.note((number,), asked, 3)
    assert joins.best() is None


def test_expects_less_of_joins_that_brought_nothing() -> None:
    graph, joins = build()
    join = Join(0.0, (0, 1), matches=12.0, known=2.0, new=10.0)
    joins.add((graph.number(Value("maker", "maker 2")), graph.number(Value("kind", "kind 2"))), 12.0, 2.0)
    before = joins.best()
    for _ in range(8):
        joins.learn(join, Asked(Query(), pages=1, total=0))
    after = joins.best()
    assert before is not None
    assert after is not None
    assert after.rate < before.rate / 2


def test_learns_that_a_source_shows_first_what_it_showed_before() -> None:
    _, joins = build()
    before = joins._bring(100.0, 5.0)[0]
    for _ in range(20):
        joins.learn(
            Join(0.0, (0, 1), 100.0, 5.0, new=5.0), Asked(Query(), pages=2, records=10, new=5, total=100, limit=10)
        )
    assert joins._bring(100.0, 5.0)[0] < before
    for _ in range(200):
        joins.learn(
            Join(0.0, (0, 1), 100.0, 5.0, new=5.0), Asked(Query(), pages=2, records=10, new=9, total=100, limit=10)
        )
    assert joins._bring(100.0, 5.0)[0] > before


@settings(deadline=None)  # the first example pays for the imports
@given(st.floats(0, 1e6), st.floats(0, 1e6), st.integers(0, 100))
def test_never_promises_more_than_is_shown(matches: float, known: float, limit: int) -> None:
    _, joins = build(Interface(ATTRIBUTES, joins=True, page_size=5, limit=limit))
    new, pages = joins._bring(matches, known)
    assert pages >= 1
    assert 0 <= new <= (min(matches, limit) if limit else matches) + 1e-6


def test_keeps_a_bounded_number_of_joins(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dowse.select.join.MOST_WAITING", 20)
    graph, joins = build()
    for number in range(500):
        joins.add((0, graph.number(Value("year", f"y{number}"))), 8.0 + number / 500, 0.0)
    assert all(len(heap) <= 20 for heap in joins._heaps.values())
    best = joins.best()
    assert best is not None
    assert best.matches > 8.9, "the best stay"
