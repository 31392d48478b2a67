"""Mutual information after saturation."""

from __future__ import annotations

import math
from collections.abc import Callable
from random import Random

import pytest

from dowse.harvester.loop import HarvestedRecords, run_queries
from dowse.model import Query, Value
from dowse.select.graph import Graph
from dowse.select.mmmi import DEPENDENCY_STEPS, MmmiSelector, RecentRate
from dowse.select.selector import Interface, QueryProgress, Selector, SelectorParts
from tests.select.tabled import Row, Table

INTERFACE = Interface(("who", "what"), page_size=10)


def ask(mmmi: MmmiSelector, value: Value, records: list[list[Value]]) -> None:
    """Tell a selector that a value was asked for, and what came."""
    graph = mmmi.parts.graph
    fresh = [graph.add(record) for record in records]
    number = graph.find(value)
    assert number is not None
    mmmi.learn(QueryProgress(Query((value,)), number, pages=1, records=len(records), new=len(records), fresh=fresh))


def test_dependency_is_that_of_definition_3_1() -> None:
    """ln(P(q, a) / (P(q) P(a))), the greatest over what was asked, whatever the order of asking."""
    mmmi = MmmiSelector(SelectorParts(Graph(), INTERFACE, Random(1)))
    first, second = Value("who", "first"), Value("who", "second")
    near, far = Value("what", "near"), Value("what", "far")
    ask(mmmi, first, [[first, near]] * 3 + [[first, far]])
    ask(mmmi, second, [[second, far]] * 6)
    graph = mmmi.parts.graph
    for value in (near, far):
        number = graph.find(value)
        assert number is not None
        greatest = max(
            math.log(both * graph.record_count / (graph.count(number) * graph.count(graph.find(asked) or 0)))
            for asked in (first, second)
            if (both := sum(number in graph.values_of(record) for record in graph.records_of(graph.find(asked) or 0)))
        )
        told = (
            math.log(graph.record_count)
            - (dict(mmmi._rank([number]))[number] % (64 * DEPENDENCY_STEPS)) / DEPENDENCY_STEPS
        )
        assert told == pytest.approx(greatest, abs=0.01)


def test_a_value_with_new_records_is_ranked_again_though_its_share_is_the_same() -> None:
    mmmi = MmmiSelector(SelectorParts(Graph(), INTERFACE, Random(1)))
    shared = Value("what", "shared")
    ranks = []
    for name, count in (("first", 1), ("second", 5)):
        ask(mmmi, Value("who", name), [[Value("who", name), shared]] * count)
        mmmi.greedy.refresh()
        mmmi._rank_changed()
        ranks.append(mmmi.ranks[mmmi.parts.graph.find(shared) or 0])
    assert 0 <= ranks[0] < ranks[1]


def test_the_less_dependent_comes_first_among_equally_popular() -> None:
    mmmi = MmmiSelector(SelectorParts(Graph(), INTERFACE, Random(1)))
    hub, one = Value("who", "hub"), Value("who", "one")
    bound, free = Value("what", "bound"), Value("what", "free")
    ask(mmmi, one, [[one, bound]] * 4)
    ask(mmmi, hub, [[hub, free]] * 4 + [[hub, Value("what", str(number))] for number in range(30)])
    mmmi.greedy.refresh()
    mmmi._rank_changed()
    popped = mmmi.ranked[1].pop()
    assert popped is not None
    assert mmmi.parts.graph.value(popped) == free


@pytest.mark.parametrize(
    ("new", "now", "usual", "rate"),
    [(0, 10, 5.0, 2.5), (100, 10, 5.0, 7.5), (100, 1_000_000, 5.0, 5.0)],
    ids=["nothing came", "all new", "long ago"],
)
def test_a_harvest_is_between_what_came_and_the_usual(new: int, now: int, usual: float, rate: float) -> None:
    harvest = RecentRate()
    harvest.add(QueryProgress(Query(), pages=10, new=new), 10)
    assert harvest.rate(now, usual) == pytest.approx(rate, abs=0.01)


async def test_leaves_an_attribute_that_brings_nothing_new() -> None:
    """Tags are popular and show the same records again; sections are not, and part the database."""
    rng = Random(1)
    tags = [
        "|".join(f"t{tag}" for tag in rng.sample(range(40), 4)) if number % 5 == 0 else "" for number in range(3000)
    ]
    rows: list[Row] = [{"section": f"s{rng.randrange(60)}", "tags": some} for some in tags]
    table = Table(rows, Interface(("section", "tags"), page_size=10), page_size=10)
    requests = {}
    makers: dict[str, Callable[[SelectorParts], Selector]] = {
        "mmmi": MmmiSelector,
        "greedy": lambda parts: MmmiSelector(parts).greedy,
    }
    for name, make in makers.items():
        graph = Graph()
        selector = make(SelectorParts(graph, table.interface, Random(1)))
        selector.seed([Value("section", "s0")])
        harvested = HarvestedRecords(graph)
        async for _ in run_queries(table.ask, selector, harvested, lambda record: record.values):
            if graph.record_count >= 2850:
                break
        requests[name] = harvested.requests
    assert requests["mmmi"] < requests["greedy"]


async def test_with_one_attribute_dependency_is_tried_and_booked_apart() -> None:
    """Hubs and their companions: greedy asks for those who stand beside each other again and again."""
    rng = Random(3)
    rows: list[Row] = []
    for number in range(2500):
        group = int(rng.paretovariate(0.8)) % 120
        names = {f"{group}-{rng.randrange(4)}", f"{group}-{rng.randrange(4)}", f"alone {number % 700}"}
        rows.append({"who": "|".join(sorted(names))})
    table = Table(rows, Interface(("who",), page_size=10), page_size=10)
    asked: dict[str, list[Query]] = {}
    selectors: dict[str, MmmiSelector] = {}
    for name in ("mmmi", "greedy"):
        graph = Graph()
        selectors[name] = MmmiSelector(SelectorParts(graph, table.interface, Random(1)))
        selector: Selector = selectors[name] if name == "mmmi" else selectors[name].greedy
        selector.seed([table.record(0).values[0]])
        async for result in run_queries(table.ask, selector, HarvestedRecords(graph), lambda record: record.values):
            if result.answer.page == 0:
                asked.setdefault(name, []).append(result.asked.query)
    assert selectors["mmmi"].saturated
    assert selectors["mmmi"].independent[0].requests > 0
    assert asked["mmmi"] != asked["greedy"]


def test_what_dependency_brought_decides_whether_it_is_asked_on() -> None:
    mmmi = MmmiSelector(SelectorParts(Graph(), Interface(("who",), page_size=10), Random(1)))
    hub = Value("who", "hub")
    ask(mmmi, hub, [[hub, Value("who", str(number))] for number in range(20)])
    mmmi.saturated, mmmi.requests = True, 500
    assert mmmi._expect_independent(0) == mmmi._rate(mmmi.attributes[0])
    for _ in range(5):
        chosen = mmmi.choose()
        assert chosen is not None
        if mmmi.by_dependency:
            mmmi.learn(QueryProgress(chosen, mmmi.parts.graph.find(chosen.values[0]) or 0, pages=10))
    assert mmmi._expect_independent(0) < mmmi._rate(mmmi.attributes[0])


async def test_shares_are_exact_under_a_limit() -> None:
    """Records of an answer that was cut come with other queries: its shares are counted again, in batches."""
    rng = Random(2)
    rows: list[Row] = [{"who": f"w{rng.randrange(80)}", "what": f"a{rng.randrange(20)}"} for _ in range(600)]
    table = Table(rows, Interface(("who", "what"), page_size=5, limit=10), limit=10)
    graph = Graph()
    mmmi = MmmiSelector(SelectorParts(graph, table.interface, Random(1)))
    mmmi.seed([table.record(0).values[0]])
    async for _ in run_queries(table.ask, mmmi, HarvestedRecords(graph), lambda record: record.values):
        if mmmi.queries >= 30:
            break
    assert mmmi.cut
    mmmi.greedy.refresh()
    stale = mmmi.shares[:]
    mmmi._count_shares()
    assert mmmi.shares != stale
    asked = mmmi.greedy.candidates.asked
    for value in range(graph.value_count):
        beside = [other for other in graph.neighbours(value) if asked[other]]
        if beside and not asked[value]:
            exact = max(beside.count(other) / graph.count(other) for other in beside)
            assert mmmi.shares[value] == pytest.approx(exact)
