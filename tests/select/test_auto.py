"""What our own selector expects, keeps to and leaves."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dowse.harvester.loop import HarvestedRecords, run_queries
from dowse.model import Query, Value
from dowse.select import SELECTORS
from dowse.select.auto import AnswerPace, AutoSelector, why_below_others
from dowse.select.expect import (
    CLASS_MIDDLES,
    SINGLE,
    SIZE_CLASSES,
    SPREAD,
    UNFINISHED,
    WITHIN,
    Expectation,
    Provenance,
    ValueClasses,
    ValueKind,
    find_partition,
    size_class,
)
from dowse.select.graph import Graph
from dowse.select.selector import (
    Interface,
    QueryProgress,
    Selector,
    SelectorParts,
    count_new_per_page,
    estimate_new_per_page,
)
from tests.select.tabled import Row, Table

ASKED = Query()


@pytest.mark.parametrize(
    ("total", "limit", "read", "known", "rate"),
    [
        pytest.param(95, 0, 10, 10, 85 / 9, id="all that follow are new"),
        pytest.param(95, 0, 10, 95, 0.0, id="all are known"),
        pytest.param(95, 0, 10, 50, 5.0, id="half of nine pages"),
        pytest.param(12, 0, 10, 11, 1.0, id="a last page with two"),
        pytest.param(1000, 50, 10, 10, 10.0, id="a limit hides what is new on pages that are not shown"),
        pytest.param(1000, 50, 50, 50, 0.0, id="a limit that is reached"),
        pytest.param(5, 0, 10, 0, 0.0, id="a total that is too low"),
        pytest.param(20, 0, 10, 30, 0.0, id="more known than there are said to be"),
    ],
)
def test_counts_what_is_to_come(total: int, limit: int, read: int, known: int, rate: float) -> None:
    asked = QueryProgress(ASKED, pages=1, records=read, total=total, limit=limit, more=True)
    assert count_new_per_page(asked, known, 10) == pytest.approx(rate)


@given(st.integers(0, 500), st.integers(0, 60), st.integers(0, 500), st.integers(0, 500), st.integers(1, 50))
def test_never_counts_more_than_a_page_or_less_than_nothing(
    total: int, limit: int, read: int, known: int, page_size: int
) -> None:
    rate = count_new_per_page(
        QueryProgress(ASKED, pages=1, records=read, total=total, limit=limit), max(known, read), page_size
    )
    assert 0 <= rate <= page_size


def test_guesses_by_the_pages_before_where_no_total_is_said() -> None:
    assert estimate_new_per_page(QueryProgress(ASKED, pages=1, new=0), 8.0) == 4.0
    assert estimate_new_per_page(QueryProgress(ASKED, pages=7, new=0), 8.0) == 1.0
    assert estimate_new_per_page(QueryProgress(ASKED, pages=3, new=30), 10.0) == 10.0


def test_leaves_only_what_is_far_below_the_others() -> None:
    assert why_below_others(1.0, 9.0) == "expected too few new records"
    assert not why_below_others(5.0, 9.0)
    assert not why_below_others(0.5, 1.0), "little is enough where others have no more"


def test_leaves_what_comes_with_other_values_once_it_shows_no_strange_ones() -> None:
    page = AnswerPace()
    for uncovered, left in [(8, False), (6, False), (1, True)]:
        page.uncovered = uncovered
        page.count(QueryProgress(ASKED, pages=1, records=10, total=1000, more=True), 10, 10, 9.0)
        assert bool(page.why_known(6.0)) is left
    assert page.full, "though its pages are full of new records"


FILMS = Interface(("actor", "genre", "year"), page_size=10)


def make_films(count: int) -> list[Row]:
    """Make films with one year, one or two genres and three actors, some of whom are in many films."""
    rng = Random(5)
    return [
        {
            "actor": "|".join(sorted({f"actor {int(400 * rng.random() ** 3)}" for _ in range(3)})),
            "genre": "|".join(sorted({f"genre {int(6 * rng.random() ** 2)}" for _ in range(2)})),
            "year": str(1950 + rng.randrange(30)),
        }
        for _ in range(count)
    ]


ROWS = make_films(1500)


async def harvest(
    make: Callable[[SelectorParts], Selector], table: Table, share: float
) -> tuple[int, list[Query], Selector]:
    """Draw a share of a table; return the requests, the queries and the selector."""
    graph = Graph()
    selector, queries = make(SelectorParts(graph, table.interface, Random(3))), []
    harvested = HarvestedRecords(graph)
    selector.seed([table.record(0).values[0]])
    enough = share * len(table.rows)
    stop = lambda: "enough" if graph.record_count >= enough else ""  # noqa: E731
    async for result in run_queries(table.ask, selector, harvested, lambda record: record.values, stop):
        queries += [result.asked.query] if result.answer.page == 0 else []
    return harvested.requests, queries, selector


async def test_keeps_to_the_attribute_that_parts_the_source() -> None:
    requests, queries, _ = await harvest(AutoSelector, Table(ROWS, FILMS, page_size=10), 0.9)
    years = [query for query in queries if query.values[0].attribute == "year"]
    assert len(years) >= 20
    assert requests <= 1.25 * 0.9 * len(ROWS) / 10, "nearly every page is full of new records"


@pytest.mark.parametrize("limit", [0, 20])
async def test_needs_far_fewer_requests_than_the_most_popular_value(limit: int) -> None:
    interface = Interface(FILMS.attributes, page_size=10, limit=limit)
    table = Table(ROWS, interface, limit=limit, page_size=10)
    share = 0.9 if not limit else 0.3
    ours, _, _ = await harvest(AutoSelector, table, share)
    greedy, _, _ = await harvest(SELECTORS["greedy"], table, share)
    assert ours < 0.8 * greedy


async def test_asks_for_values_that_the_form_lists_and_nobody_showed() -> None:
    rows: list[Row] = [{"kind": "a", "town": "x"}, {"kind": "b", "town": "y"}]
    interface = Interface(("town",), choices=(("kind", ("a", "b")),))
    _, queries, _ = await harvest(AutoSelector, Table(rows, interface), 1.0)
    assert Query((Value("kind", "b"),)) in queries


@given(st.integers(1, 5_000_000))
def test_classes_of_sizes_hold_what_is_about_as_many(count: int) -> None:
    place = size_class(count)
    assert 0 < place < SIZE_CLASSES
    if place < SIZE_CLASSES - 1:
        assert CLASS_MIDDLES[place] / 1.3 <= count <= CLASS_MIDDLES[place] * 1.3


def build(rows: list[Row]) -> tuple[Graph, Provenance]:
    graph = Graph()
    provenance = Provenance(graph)
    for row in rows:
        for attribute in row:
            graph.number(Value(attribute, "-"))
    return graph, provenance


def add(graph: Graph, provenance: Provenance, rows: list[Row], *, whole: str = "yes") -> None:
    """Let a query bring records."""
    provenance.begin(0)
    numbers = [graph.add(Value(attribute, text) for attribute, text in row.items()) for row in rows]
    provenance.add(numbers)
    if whole == "yes":
        provenance.end(numbers)
    else:
        provenance.leave()


def test_says_how_the_records_of_a_value_came() -> None:
    graph, provenance = build([])
    add(
        graph,
        provenance,
        [{"make": "m", "model": "within"}, {"make": "m", "model": "within"}, {"make": "m", "model": "lone"}],
    )
    add(graph, provenance, [{"make": "n", "model": "spread"}])
    add(graph, provenance, [{"make": "o", "model": "spread"}, {"make": "o", "model": "open"}])
    add(graph, provenance, [{"make": "p", "model": "open"}], whole="no")
    ratios = {graph.texts[value]: provenance.spread(value) for value in range(graph.value_count)}
    assert {name: ratios[name] for name in ("within", "lone", "spread", "open")} == {
        "within": WITHIN, "lone": SINGLE, "spread": SPREAD, "open": UNFINISHED,
    }  # fmt: skip


def test_what_was_half_seen_is_no_longer_when_a_query_showed_it_whole() -> None:
    graph, provenance = build([])
    add(graph, provenance, [{"make": "p", "model": "open"}], whole="no")
    assert provenance.spread(1) == UNFINISHED
    provenance.begin(0)
    provenance.end(graph.records_of(0))
    assert provenance.spread(1) == SINGLE


def test_learns_by_attribute_and_kind_what_values_bring() -> None:
    graph, provenance = build([])
    add(graph, provenance, [{"make": "m", "model": "a"}] * 4)
    expectation = Expectation(graph, provenance, Interface(("make", "model")))
    expectation.make_room()
    expectation.refresh()
    rich, poor = ValueKind(1, 2, SPREAD, 0), ValueKind(1, 2, WITHIN, 0)
    before = expectation.ratio(poor)
    for _ in range(6):
        expectation.learn(rich, 1.0, 5.0)
        expectation.learn(poor, 1.0, 0.0)
    assert expectation.ratio(rich) > 3 > 1 > expectation.ratio(poor)
    assert expectation.ratio(ValueKind(0, 2, SPREAD, 0)) == before, "another attribute learns nothing from it"
    assert 1 < expectation.ratio(ValueKind(1, 3, SPREAD, 0)) < expectation.ratio(rich), "the next size takes after it"


def test_learns_for_ever() -> None:
    graph, provenance = build([])
    add(graph, provenance, [{"make": "m"}])
    expectation = Expectation(graph, provenance, Interface(("make",)))
    expectation.make_room()
    for _ in range(30_000):
        expectation.learn(ValueKind(0, 1, SPREAD, 0), 1.0, 2.0)
    assert expectation.ratio(ValueKind(0, 1, SPREAD, 0)) == pytest.approx(2.0, rel=0.1)


@pytest.mark.parametrize(
    ("known", "odds", "limit", "new", "pages"),
    [
        pytest.param(2, 1.0, 0, 2, 1.0, id="one page"),
        pytest.param(10, 9.0, 0, 90, 10.45, id="ten pages and half of another"),
        pytest.param(10, 9.0, 20, 18, 2.0, id="a limit shows the new ones in their share"),
        pytest.param(0, 9.0, 0, 0, 1.0, id="nothing known"),
    ],
)
def test_expects_new_records_and_pages(known: int, odds: float, limit: int, new: float, pages: float) -> None:
    graph = Graph()
    expectation = Expectation(graph, Provenance(graph), Interface(("a",), limit=limit))
    assert expectation.predict_new(known, odds) == pytest.approx((new, pages))


def test_the_size_is_told_by_records_that_come_again() -> None:
    graph = Graph()
    expectation = Expectation(graph, Provenance(graph), Interface(("a",)))
    expectation.learn_size(marked=100, again=10, total=50)
    assert expectation.size == pytest.approx(500)


@pytest.mark.parametrize(
    ("promises", "before", "found"),
    [
        pytest.param([0.9, 0.95], -1, 1, id="the best"),
        pytest.param([0.9, 0.95], 0, 0, id="one that was begun with"),
        pytest.param([0.6, 0.95], 0, 1, id="until another is far better"),
        pytest.param([0.2, 0.4], -1, -1, id="none is good enough"),
        pytest.param([], -1, -1, id="none at all"),
    ],
)
def test_finds_the_attribute_that_parts_the_source(promises: list[float], before: int, found: int) -> None:
    assert find_partition(promises, before) == found


def test_a_value_waits_under_one_kind_and_once() -> None:
    graph, provenance = build([])
    classes = ValueClasses(graph, provenance, lambda name: name == "model")
    add(graph, provenance, [{"make": "m", "model": "a"}])
    classes.make_room()
    for value in range(graph.value_count):
        classes.sort_in(value)
    add(graph, provenance, [{"make": "n", "model": "a"}])
    classes.make_room()
    classes.sort_in(1)
    assert list(classes.kinds()) == [(ValueKind(1, 2, SPREAD, 0), 1)]
    classes.remove(1)
    assert list(classes.kinds()) == []
