"""Forms that demand several values with each query."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dowse.harvester.loop import HarvestedRecords, run_queries
from dowse.model import Answer, Query, Record, Value
from dowse.select.auto import AutoSelector
from dowse.select.expect import Expectation, Provenance
from dowse.select.graph import Graph
from dowse.select.joins import (
    MAX_EMPTY_TRIES,
    MAX_PARTNERS,
    CappedQueries,
    Join,
    Joins,
    RequiredSets,
    count_matches,
    count_members,
    sample_members,
)
from dowse.select.selector import Interface, QueryProgress, SelectorParts
from tests.select.tabled import Row, Table

BOTH = Interface(("first", "last"), required=("first", "last"), joins=True, page_size=5)
ROWS: list[Row] = [
    {"first": f"f{number % 7}|f{(number + 1) % 7}", "last": f"l{number % 5}|l{(number + 2) % 5}", "town": f"t{number}"}
    for number in range(70)
]


async def ask_all(table: Table, seeds: list[Value]) -> tuple[HarvestedRecords, list[Query]]:
    graph = Graph()
    selector, harvested, queries = (
        AutoSelector(SelectorParts(graph, table.interface, Random(1))),
        HarvestedRecords(graph),
        [],
    )
    selector.seed(seeds)
    async for result in run_queries(table.ask, selector, harvested, lambda record: record.values):
        queries += [result.asked.query] if result.answer.page == 0 else []
    return harvested, queries


async def test_fills_all_that_is_demanded() -> None:
    harvested, queries = await ask_all(Table(ROWS, BOTH), [Value("first", "f0"), Value("last", "l0")])
    assert harvested.graph.record_count == len(ROWS)
    assert all({value.attribute for value in query.values} == {"first", "last"} for query in queries)
    assert len(queries) == len(set(queries)) <= 7 * 5


async def test_joins_what_is_cut_with_what_is_not_demanded() -> None:
    rows: list[Row] = [{"first": "f", "last": "l", "town": f"t{number % 20}"} for number in range(100)]
    face = Interface(("first", "last", "town"), required=("first", "last"), page_size=5, limit=10)
    harvested, queries = await ask_all(Table(rows, face, limit=10), [Value("first", "f"), Value("last", "l")])
    assert {len(query.values) for query in queries} == {2, 3}
    assert harvested.graph.record_count > 40, "the towns that were shown have five records each"


async def test_has_nothing_to_ask_where_one_of_them_is_not_known() -> None:
    harvested, queries = await ask_all(Table(ROWS, BOTH), [Value("first", "f0")])
    assert not queries
    assert not harvested.requests


async def test_gives_up_where_nothing_is_found() -> None:
    seeds = [Value(name, f"{name}{number}") for number in range(200) for name in ("first", "last")]
    _, queries = await ask_all(Table([], BOTH), seeds)
    assert len(queries) == MAX_EMPTY_TRIES


@pytest.mark.parametrize(
    ("required", "several"), [((), False), (("first",), False), (("first", "last"), True)], ids=["none", "one", "two"]
)
def test_says_whether_several_are_demanded(required: tuple[str, ...], several: bool) -> None:
    assert RequiredSets(Graph(), Interface(("first", "last"), required=required)).several is several


def test_shows_the_sets_of_a_record_each_time_twice_as_many_have_them() -> None:
    graph = Graph()
    required = RequiredSets(graph, BOTH)
    records = [graph.add([Value("first", "a"), Value("last", "b"), Value("town", "c")]) for _ in range(9)]
    assert [known for _, known in required.add(records)] == [1, 2, 4, 8]
    assert not list(required.add([graph.add([Value("first", "a")])])), "a record that lacks one shows no set"


FACE = Interface(("town", "street"), joins=True, page_size=10, limit=20)


@pytest.mark.parametrize(
    ("total", "records", "new", "known", "matches"),
    [
        pytest.param(95, 20, 20, 0, 95, id="as the answer says"),
        pytest.param(None, 20, 20, 0, 40, id="nothing was known: twice as many as are shown"),
        pytest.param(None, 19, 10, 49, 99, id="half of what it shows was known"),
        pytest.param(None, 20, 0, 20, 40, id="all that it shows was known"),
    ],
)
def test_counts_matches(total: int | None, records: int, new: int, known: float, matches: float) -> None:
    assert count_matches(QueryProgress(Query(), records=records, new=new, total=total), known) == pytest.approx(matches)


def build(streets: list[str]) -> Graph:
    graph = Graph()
    for street in streets:
        graph.add([Value("town", "Linz"), Value("street", street)])
    return graph


def test_counts_records_that_have_all_values() -> None:
    graph = build(["a"] * 30 + ["b"] * 10)
    town, street = graph.number(Value("town", "Linz")), graph.number(Value("street", "a"))
    assert count_members(graph, (town, street)) == 30
    assert count_members(graph, (street, graph.number(Value("street", "b")))) == 0


def test_counts_many_records_by_a_sample() -> None:
    graph = build(["a", "b"] * 2000)
    town, street = graph.number(Value("town", "Linz")), graph.number(Value("street", "a"))
    looked, each = sample_members(graph, (town, street))
    assert len(looked) <= 200
    assert len(looked) * each == pytest.approx(2000, rel=0.05)


def find_partners(streets: list[str], cut: list[str], hidden: int) -> dict[str, tuple[float, float]]:
    graph, face = build(streets), FACE
    queries = CappedQueries(graph, face)
    for text in cut:
        number = graph.number(Value("street", text))
        queries.add((number,), QueryProgress(Query(), number, records=20, total=40), 20)
    town = graph.number(Value("town", "Linz"))
    fresh = list(graph.records_of(town)[-20:])
    capped = queries.add(
        (town,),
        QueryProgress(Query(), town, records=20, new=20, total=len(streets) + hidden, fresh=fresh),
        len(streets) - 20,
    )
    return {graph.texts[value]: (matches, known) for value, matches, known in queries.find_partners(capped)}


def test_shares_out_what_is_hidden_as_what_was_shown() -> None:
    found = find_partners(["a"] * 20 + ["b", "b", "b", "a"] * 5, ["a", "b"], hidden=100)
    assert found["b"][0] - found["b"][1] > 2 * (found["a"][0] - found["a"][1]), "by what is new, not by what is held"
    assert sum(matches - known for matches, known in found.values()) == pytest.approx(100, rel=0.01)


def test_leaves_out_values_that_were_not_cut() -> None:
    assert set(find_partners(["a", "b"] * 20, ["a"], hidden=100)) == {"a"}


def test_expects_something_of_values_that_were_never_seen_beside_it() -> None:
    often = find_partners(["a"] * 40, ["a", "c"], hidden=1000)
    rarely = find_partners(["a"] * 30 + [f"s{number}" for number in range(10)], ["a", "c"], hidden=1000)
    assert 0 < often["c"][0] < rarely["c"][0], "where many values stand once, more are to come"


def test_has_a_bounded_number_of_partners() -> None:
    streets = [f"s{number % 150}" for number in range(300)]
    assert len(find_partners(streets, [f"s{number}" for number in range(150)], hidden=10_000)) <= MAX_PARTNERS


ATTRIBUTES = ("maker", "kind", "year")
JOIN_FACE = Interface(ATTRIBUTES, joins=True, page_size=5, limit=10)


def make_cars(count: int) -> list[Row]:
    """Make cars of few makers, kinds and years: every value alone has far more of them than a limit shows."""
    rng = Random(3)
    return [
        {"maker": f"maker {rng.randrange(8)}", "kind": f"kind {rng.randrange(6)}", "year": str(2000 + rng.randrange(9))}
        for _ in range(count)
    ]


CARS = make_cars(1500)


async def draw_all(table: Table) -> tuple[HarvestedRecords, list[Query]]:
    """Draw with `auto` until nothing is left to ask."""
    graph = Graph()
    selector, harvested, queries = (
        AutoSelector(SelectorParts(graph, table.interface, Random(1))),
        HarvestedRecords(graph),
        [],
    )
    selector.seed([table.record(0).values[0]])
    async for result in run_queries(table.ask, selector, harvested, lambda record: record.values):
        queries += [result.asked.query] if result.answer.page == 0 else []
    return harvested, queries


def build_join(face: Interface = JOIN_FACE) -> tuple[Graph, Joins]:
    graph = Graph()
    for row in CARS[:200]:
        graph.add(Value(attribute, text) for attribute, text in row.items())
    return graph, Joins(graph, face, Expectation(graph, Provenance(graph), face))


def cut(graph: Graph, joins: Joins, value: Value, total: int) -> int:
    """Let the answer for a value be cut; return its number."""
    number = graph.number(value)
    fresh = list(graph.records_of(number)[-10:])
    asked = QueryProgress(Query((value,)), number, pages=2, records=10, new=10, total=total, limit=10, fresh=fresh)
    joins.note((number,), asked, graph.count(number) - 10)
    return number


@pytest.mark.parametrize(("counts", "share"), [("exact", 0.95), ("none", 0.7)], ids=["counted", "not counted"])
async def test_draws_what_single_values_cannot_show(counts: str, share: float) -> None:
    joined, queries = await draw_all(Table(CARS, JOIN_FACE, limit=10, counts=counts))
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
    harvested, queries = await draw_all(
        Table(CARS[:60], Interface(ATTRIBUTES, joins=True, page_size=5), counts="wrong")
    )
    assert harvested.graph.record_count == 60
    assert len(queries) < 250, "fewer than all pairs and all sets of three"


def test_joins_values_of_other_attributes_that_were_cut_too() -> None:
    graph, joins = build_join()
    cut(graph, joins, Value("maker", "maker 1"), 190)
    assert joins.best() is None, "no other value is known to be cut"
    year = cut(graph, joins, Value("year", "2003"), 170)
    best = joins.best()
    assert best is not None
    assert year in best.values
    assert joins.make_query(best) == Query((Value("maker", "maker 1"), Value("year", "2003")))
    assert joins.best() is None, "each is given once"


def test_asks_for_nothing_within_what_is_known_whole() -> None:
    graph, joins = build_join()
    cut(graph, joins, Value("maker", "maker 1"), 190)
    number = cut(graph, joins, Value("year", "2003"), 170)
    asked = QueryProgress(Query((Value("year", "2003"),)), number, pages=1, records=3, total=3)
    joins.note((number,), asked, 3)
    assert joins.best() is None


def test_expects_less_of_joins_that_brought_nothing() -> None:
    graph, joins = build_join()
    join = Join(0.0, (0, 1), matches=12.0, known=2.0, new=10.0)
    joins.add((graph.number(Value("maker", "maker 2")), graph.number(Value("kind", "kind 2"))), 12.0, 2.0)
    before = joins.best()
    for _ in range(8):
        joins.learn(join, QueryProgress(Query(), pages=1, total=0))
    after = joins.best()
    assert before is not None
    assert after is not None
    assert after.rate < before.rate / 2


def test_learns_that_a_source_shows_first_what_it_showed_before() -> None:
    _, joins = build_join()
    before = joins._predict(100.0, 5.0)[0]
    for _ in range(20):
        joins.learn(
            Join(0.0, (0, 1), 100.0, 5.0, new=5.0),
            QueryProgress(Query(), pages=2, records=10, new=5, total=100, limit=10),
        )
    assert joins._predict(100.0, 5.0)[0] < before
    for _ in range(200):
        joins.learn(
            Join(0.0, (0, 1), 100.0, 5.0, new=5.0),
            QueryProgress(Query(), pages=2, records=10, new=9, total=100, limit=10),
        )
    assert joins._predict(100.0, 5.0)[0] > before


@settings(deadline=None)  # the first example pays for the imports
@given(st.floats(0, 1e6), st.floats(0, 1e6), st.integers(0, 100))
def test_never_promises_more_than_is_shown(matches: float, known: float, limit: int) -> None:
    _, joins = build_join(Interface(ATTRIBUTES, joins=True, page_size=5, limit=limit))
    new, pages = joins._predict(matches, known)
    assert pages >= 1
    assert 0 <= new <= (min(matches, limit) if limit else matches) + 1e-6


def test_keeps_a_bounded_number_of_joins(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dowse.select.joins.MAX_WAITING_JOINS", 20)
    graph, joins = build_join()
    for number in range(500):
        joins.add((0, graph.number(Value("year", f"y{number}"))), 8.0 + number / 500, 0.0)
    assert all(len(heap) <= 20 for heap in joins._heaps.values())
    best = joins.best()
    assert best is not None
    assert best.matches > 8.9, "the best stay"


@pytest.mark.parametrize(
    ("wants", "all_words"), [(all, True), (any, False)], ids=["all of its words", "any of its words"]
)
async def test_two_words_go_into_one_box_that_wants_both(
    wants: Callable[[Iterable[bool]], bool], all_words: bool
) -> None:
    rng = Random(1)
    held = [
        Record(
            tuple(Value("", word) for word in sorted({f"w{int(60 ** rng.random())}" for _ in range(4)})),
            key=str(number),
        )
        for number in range(400)
    ]

    async def ask(query: Query, page: int) -> Answer:
        words = query.values[0].text.split()
        found = [each for each in held if wants([Value("", word) in each.values for word in words])]
        first = page * 5
        return Answer(
            query,
            page,
            tuple(found[first : min(10, first + 5)]),
            len(found),
            limit=10,
            more=first + 5 < min(10, len(found)),
        )

    graph = Graph()
    selector = AutoSelector(SelectorParts(graph, Interface(keyword=True, page_size=5, limit=10), Random(1)))
    selector.seed([Value("", "w1")])
    asked: list[Query] = []
    async for result in run_queries(ask, selector, HarvestedRecords(graph), lambda record: record.values):
        asked.append(result.asked.query)
    assert any(" " in query.values[0].text for query in asked)
    assert selector.joins.capped.words is all_words
