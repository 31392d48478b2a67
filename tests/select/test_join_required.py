"""Forms that demand several values with each query."""

from __future__ import annotations

from random import Random

import pytest

from dowse.harvest.loop import Drawn, draw
from dowse.model import Query, Value
from dowse.select.auto import Auto
from dowse.select.graph import Graph
from dowse.select.join_required import BARREN, Required
from dowse.select.selector import Interface, Parts
from tests.select.tabled import Row, Table

BOTH = Interface(("first", "last"), required=("first", "last"), joins=True, page_size=5)
ROWS: list[Row] = [
    {"first": f"f{number % 7}|f{(number + 1) % 7}", "last": f"l{number % 5}|l{(number + 2) % 5}", "town": f"t{number}"}
    for number in range(70)
]


async def ask_all(table: Table, seeds: list[Value]) -> tuple[Drawn, list[Query]]:
    graph = Graph()
    selector, drawn, queries = Auto(Parts(graph, table.interface, Random(1))), Drawn(graph), []
    selector.seed(seeds)
    async for draught in draw(table.ask, selector, drawn, lambda record: record.values):
        queries += [draught.asked.query] if draught.answer.page == 0 else []
    return drawn, queries


async def test_fills_all_that_is_demanded() -> None:
    drawn, queries = await ask_all(Table(ROWS, BOTH), [Value("first", "f0"), Value("last", "l0")])
    assert drawn.graph.record_count == len(ROWS)
    assert all({value.attribute for value in query.values} == {"first", "last"} for query in queries)
    assert len(queries) == len(set(queries)) <= 7 * 5


async def test_joins_what_is_cut_with_what_is_not_demanded() -> None:
    rows: list[Row] = [{"first": "f", "last": "l", "town": f"t{number % 20}"} for number in range(100)]
    face = Interface(("first", "last", "town"), required=("first", "last"), page_size=5, limit=10)
    drawn, queries = await ask_all(Table(rows, face, limit=10), [Value("first", "f"), Value("last", "l")])
    assert {len(query.values) for query in queries} == {2, 3}
    assert drawn.graph.record_count > 40, "the towns that were shown have five records each"


async def test_has_nothing_to_ask_where_one_of_them_is_not_known() -> None:
    drawn, queries = await ask_all(Table(ROWS, BOTH), [Value("first", "f0")])
    assert not queries
    assert not drawn.requests


async def test_gives_up_where_nothing_is_found() -> None:
    seeds = [Value(name, f"{name}{number}") for number in range(200) for name in ("first", "last")]
    _, queries = await ask_all(Table([], BOTH), seeds)
    assert len(queries) == BARREN


@pytest.mark.parametrize(
    ("required", "several"), [((), False), (("first",), False), (("first", "last"), True)], ids=["none", "one", "two"]
)
def test_says_whether_several_are_demanded(required: tuple[str, ...], several: bool) -> None:
    assert Required(Graph(), Interface(("first", "last"), required=required)).several is several


def test_shows_the_sets_of_a_record_each_time_twice_as_many_have_them() -> None:
    graph = Graph()
    required = Required(graph, BOTH)
    records = [graph.add([Value("first", "a"), Value("last", "b"), Value("town", "c")]) for _ in range(9)]
    assert [known for _, known in required.add(records)] == [1, 2, 4, 8]
    assert not list(required.add([graph.add([Value("first", "a")])])), "a record that lacks one shows no set"
