"""What every selector keeps to, whatever it expects of queries: one battery for all of them."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from functools import partial
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bench.paper4.published import PublishedMmmi
from dowse.harvester.loop import HarvestedRecords, run_queries
from dowse.model import Query, Value
from dowse.select import SELECTORS, build_selector
from dowse.select.domain import DomainSelector, build_table
from dowse.select.graph import Graph
from dowse.select.selector import Interface, QueryProgress, Selector, SelectorParts
from tests.select.tabled import Row, Table

MOST_QUERIES = 5000  # far more than any of these databases has queries
SHELVES = ("maps", "poems", "plays", "songs")


def shelve(count: int, seed: int = 1) -> list[Row]:
    """Make books that hang together by their shelves, some with two authors."""
    rng = Random(seed)
    return [
        {
            "author": "|".join(sorted({f"author {int(rng.paretovariate(1))}", f"author {rng.randrange(count)}"})),
            "shelf": SHELVES[number % len(SHELVES)],
            "year": str(1900 + rng.randrange(30)),
        }
        for number in range(count)
    ]


FREE = Interface(("author", "year"), choices=(("shelf", SHELVES),), page_size=5)
BOOKS = shelve(120)
KIN = Table(shelve(80, seed=2), FREE)
KIN_TABLE = build_table(map(KIN.record, range(len(KIN.rows))))


def leave(name: str, parts: SelectorParts) -> Selector:
    """Build a selector that leaves answers that bring little."""
    return build_selector(name, parts, abort="always")


MAKERS = (
    dict(SELECTORS)
    | {"domain, with a table": partial(DomainSelector, table=KIN_TABLE)}
    | {f"{name}, leaving answers": partial(leave, name) for name in SELECTORS if name != "complete"}
    | {"mmmi as published": lambda parts: PublishedMmmi(parts, len(BOOKS))}
)
pytestmark = pytest.mark.parametrize("name", MAKERS)


@dataclass
class Told:
    """A harvest, and what was asked in it."""

    selector: Selector
    harvested: HarvestedRecords
    queries: list[Query] = field(default_factory=list)
    strange: list[Query] = field(default_factory=list)  # queries for values that nobody has shown
    aborted: set[Query] = field(default_factory=set)

    @property
    def repeated(self) -> list[Query]:
        """Queries that were asked again though all of their answer had been read."""
        counts = Counter(self.queries)
        return [query for query, count in counts.items() if count > 1 + (query in self.aborted)]


async def harvest(name: str, table: Table, seed: Value | None = None) -> Told:
    """Draw a table from a seed and what its form lists, until nothing is left to ask or far too much was asked."""
    graph = Graph()
    told = Told(MAKERS[name](SelectorParts(graph, table.interface, Random(7))), HarvestedRecords(graph))
    listed = [Value(attribute, text) for attribute, texts in table.interface.choices for text in texts]
    told.selector.seed([seed, *listed] if seed else listed)
    met = {*listed, seed}
    if "table" in name:
        met |= {value for number in range(len(KIN.rows)) for value in KIN.record(number).values}
    known = 0
    async for result in run_queries(
        table.ask, told.selector, told.harvested, lambda record: record.values,
        lambda: "too many" if len(told.queries) >= MOST_QUERIES else "",
    ):  # fmt: skip
        if result.answer.page == 0:
            told.queries.append(result.asked.query)
            told.strange += [result.asked.query] if set(result.asked.query.values) - met else []
        met |= {graph.value(number) for number in range(known, graph.value_count)} if result.new else set()
        known = graph.value_count
        if result.asked.aborted:
            told.aborted.add(result.asked.query)
    return told


def first_value(table: Table) -> Value:
    return table.record(0).values[0]


async def test_draws_everything_and_ends(name: str) -> None:
    table = Table(BOOKS, FREE)
    told = await harvest(name, table, first_value(table))
    assert told.harvested.graph.record_count == len(BOOKS)
    assert len(told.queries) < MOST_QUERIES
    assert told.selector.choose() is None
    assert told.selector.choose() is None, "it ends once"


async def test_draws_everything_from_what_the_form_lists(name: str) -> None:
    told = await harvest(name, Table(BOOKS, FREE))
    assert told.harvested.graph.record_count == len(BOOKS)


async def test_asks_each_query_once(name: str) -> None:
    table = Table(BOOKS, FREE)
    told = await harvest(name, table, first_value(table))
    assert not told.repeated


async def test_asks_only_for_values_that_were_shown(name: str) -> None:
    table = Table(BOOKS, FREE)
    told = await harvest(name, table, first_value(table))
    assert not told.strange


async def test_the_same_seed_gives_the_same_queries(name: str) -> None:
    first, second = [await harvest(name, Table(BOOKS, FREE), Value("author", "author 1")) for _ in range(2)]
    assert first.queries == second.queries


INTERFACES = {
    "one attribute": Interface(("author",), choices=(("shelf", SHELVES),), page_size=5),
    "only lists": Interface(choices=(("shelf", SHELVES),), page_size=5),
    "joins": Interface(("author", "year"), choices=(("shelf", SHELVES),), joins=True, page_size=5),
    "several required": Interface(
        ("author",), choices=(("shelf", SHELVES),), required=("shelf", "author"), page_size=5
    ),
    "a required list": Interface(("author",), choices=(("shelf", SHELVES),), required=("shelf",), page_size=5),
}


@pytest.mark.parametrize("interface", INTERFACES.values(), ids=INTERFACES)
async def test_asks_only_what_the_interface_takes(name: str, interface: Interface) -> None:
    told = await harvest(name, Table(BOOKS, interface))
    for query in told.queries:
        attributes = [value.attribute for value in query.values]
        assert all(interface.takes(attribute) for attribute in attributes)
        assert set(interface.required) <= set(attributes)
        assert len(attributes) <= 1 or interface.joins or interface.required
        assert query.values or query.ranges
    if len(interface.required) < 2:
        assert told.harvested.graph.record_count == len(BOOKS), "the lists reach everything"


JOINED = Interface(("author", "year"), choices=(("shelf", SHELVES),), joins=True, page_size=5, limit=5)


@pytest.mark.parametrize("counts", ["exact", "none", "rough", "wrong"])
async def test_ends_where_every_value_overflows_and_values_can_be_joined(name: str, counts: str) -> None:
    rows = [
        row | {"author": f"author {number % 6}", "year": str(1900 + number % 7)} for number, row in enumerate(BOOKS)
    ]
    table = Table(rows, JOINED, limit=5, counts=counts)
    told = await harvest(name, table, first_value(table))
    assert told.harvested.graph.record_count >= 5
    assert len(told.queries) < MOST_QUERIES
    assert not told.repeated
    assert not told.strange
    for query in told.queries:
        attributes = [value.attribute for value in query.values]
        assert len(attributes) == len(set(attributes)), "a form has one place for an attribute"
        assert all(map(JOINED.takes, attributes))


@pytest.mark.parametrize("counts", ["exact", "none", "rough", "wrong"])
@pytest.mark.parametrize("limit", [0, 3, 10])
async def test_ends_whatever_the_source_shows_and_says(name: str, limit: int, counts: str) -> None:
    interface = Interface(("author", "year"), choices=(("shelf", SHELVES),), page_size=5, limit=limit)
    table = Table(BOOKS, interface, limit=limit, counts=counts)
    told = await harvest(name, table, first_value(table))
    assert 0 < told.harvested.graph.record_count <= len(BOOKS)
    assert len(told.queries) < MOST_QUERIES
    assert not told.repeated


async def test_goes_on_after_failures(name: str) -> None:
    table = Table(BOOKS, FREE, failing={Query((Value("shelf", "maps"),)): 1, Query((Value("author", "author 1"),)): 9})
    told = await harvest(name, table, Value("author", "author 1"))
    assert told.harvested.graph.record_count >= len(BOOKS) * 3 // 4
    assert len(told.queries) < MOST_QUERIES


async def test_ends_when_every_answer_fails(name: str) -> None:
    queries = [
        Query((Value(attribute, text),))
        for row in BOOKS
        for attribute, texts in row.items()
        for text in texts.split("|")
    ]
    table = Table(BOOKS, FREE, failing=dict.fromkeys([*queries, Query()], 99))
    told = await harvest(name, table, Value("author", "author 1"))
    assert told.harvested.graph.record_count == 0
    assert len(told.queries) < MOST_QUERIES


async def test_ends_when_every_answer_is_empty(name: str) -> None:
    told = await harvest(name, Table([], FREE), Value("author", "nobody"))
    assert told.harvested.graph.record_count == 0
    assert len(told.queries) < MOST_QUERIES


def test_has_nothing_to_ask_where_nothing_is_known(name: str) -> None:
    selector = MAKERS[name](SelectorParts(Graph(), Interface(("isbn",)), Random(1)))
    assert selector.choose() is None


OTHERS = {
    "everything": Query(),
    "two values": Query((Value("author", "author 1"), Value("year", "1901"))),
    "a value nobody met": Query((Value("author", "author unknown"),)),
}


@pytest.mark.parametrize("query", OTHERS.values(), ids=OTHERS)
def test_takes_in_queries_of_others(name: str, query: Query) -> None:
    graph = Graph()
    selector = MAKERS[name](SelectorParts(graph, FREE, Random(1)))
    fresh = [graph.add(KIN.record(number).values) for number in range(3)]
    selector.learn(QueryProgress(query, pages=1, records=3, new=3, total=3, fresh=fresh))
    given: list[Query] = []
    while (chosen := selector.choose()) is not None and len(given) < MOST_QUERIES:
        given.append(chosen)
        value = graph.find(chosen.values[0]) if len(chosen.values) == 1 else None
        selector.learn(QueryProgress(chosen, -1 if value is None else value, pages=1, total=0))
    assert given
    assert len(given) == len(set(given))
    assert query not in given


ROWS = st.lists(
    st.fixed_dictionaries(
        {
            "author": st.sampled_from([f"a{number}" for number in range(6)]),
            "shelf": st.sampled_from(SHELVES),
            "year": st.sampled_from([str(1900 + number) for number in range(4)]),
        }
    ),
    min_size=1,
    max_size=25,
)


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(rows=ROWS)
async def test_draws_everything_of_any_database(name: str, rows: list[Row]) -> None:
    table = Table(rows, FREE)
    told = await harvest(name, table, first_value(table))
    assert told.harvested.graph.record_count == len(rows)
    assert not told.repeated
