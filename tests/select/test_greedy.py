"""The most popular value first, counted only where it might be the most popular."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dowse.model import Query, Value
from dowse.select.graph import Graph
from dowse.select.greedy import MIN_COMPACTED_ENTRIES, GreedySelector, RankedValues
from dowse.select.naive import NaiveSelector
from dowse.select.selector import Interface, QueryProgress, SelectorParts


@given(st.lists(st.tuples(st.integers(0, 30), st.integers(0, 1 << 40)), max_size=200))
def test_the_last_rank_counts(pushed: list[tuple[int, int]]) -> None:
    ranked = RankedValues(lambda value: value != 7)
    ranked.push(pushed)
    wanted = sorted(
        ((value, rank) for value, rank in dict(pushed).items() if value != 7), key=lambda pair: (-pair[1], pair[0])
    )
    taken = list(iter(ranked.pop, None))
    assert list(dict.fromkeys(taken)) == [value for value, _ in wanted]


def test_old_entries_do_not_pile_up() -> None:
    ranked = RankedValues(lambda value: True)
    for rank in range(100):
        ranked.push((value, rank) for value in range(1000))
    assert len(ranked.entries) <= MIN_COMPACTED_ENTRIES + 6 * 1000
    assert ranked.peek() == 0


INTERFACE = Interface(("a", "b"))
RECORDS = st.lists(
    st.lists(st.tuples(st.sampled_from("ab"), st.integers(0, 12).map(str)), min_size=1, max_size=5),
    min_size=1,
    max_size=40,
)


def values(record: list[tuple[str, str]]) -> list[Value]:
    return [Value(attribute, text) for attribute, text in record]


@settings(max_examples=60, deadline=None)
@given(RECORDS)
def test_every_choice_has_the_greatest_degree(records: list[list[tuple[str, str]]]) -> None:
    graph = Graph()
    greedy = GreedySelector(SelectorParts(graph, INTERFACE, Random(1)))
    waiting: set[Value] = set()
    for record in records:
        waiting |= {value for value in values(record) if graph.find(value) is None}
        greedy.learn(QueryProgress(Query(), fresh=[graph.add(values(record))]))
        query = greedy.choose()
        numbers = {value: graph.number(value) for value in waiting}
        assert (query is None) == (not waiting)
        if query is not None:
            assert graph.degree(numbers[query.values[0]]) == max(map(graph.degree, numbers.values()))
            waiting -= set(query.values)


def test_degrees_are_of_different_neighbours() -> None:
    graph = Graph()
    for _ in range(9):
        graph.add(values([("a", "often"), ("b", "the same")]))
    graph.add(values([("a", "once"), ("b", "1"), ("b", "2"), ("b", "3")]))
    greedy = GreedySelector(SelectorParts(graph, Interface(("a",)), Random(1)))
    query = greedy.choose()
    assert query is not None
    assert query.values == (Value("a", "once"),)


def test_counts_few_degrees(monkeypatch: pytest.MonkeyPatch) -> None:
    """A value that cannot be the greatest is never counted."""
    graph, counted = Graph(), []
    for number in range(2000):
        graph.add(values([("a", f"a{number}"), ("b", f"b{number % 7}")]))
    degree = graph.degree
    monkeypatch.setattr(graph, "degree", lambda value: counted.append(value) or degree(value))
    greedy = GreedySelector(SelectorParts(graph, INTERFACE, Random(1)))
    for _ in range(7):
        query = greedy.choose()
        assert query is not None
        assert query.values[0].attribute == "b"
    assert len(counted) <= 7


@pytest.mark.parametrize(("order", "expected"), [("breadth", ["0", "1", "2"]), ("depth", ["2", "1", "0"])])
def test_naive_orders(order: str, expected: list[str]) -> None:
    graph = Graph()
    graph.add(values([("a", "0"), ("a", "1"), ("a", "2"), ("c", "not asked for")]))
    naive = NaiveSelector(SelectorParts(graph, INTERFACE, Random(1)), order)
    assert [query.values[0].text for query in iter(naive.choose, None)] == expected


def test_any_order_is_of_the_seed() -> None:
    orders = []
    for seed in (1, 1, 2):
        graph = Graph()
        graph.add(values([("a", str(number)) for number in range(30)]))
        naive = NaiveSelector(SelectorParts(graph, INTERFACE, Random(seed)), "random")
        orders.append([query.values[0].text for query in iter(naive.choose, None)])
    assert orders[0] == orders[1] != orders[2]
    assert sorted(orders[0]) == sorted(orders[2])
