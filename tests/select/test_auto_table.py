"""A domain table beside what was met: trusted as far as its values are found."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dowse.harvest.loop import Drawn, draw
from dowse.model import Query, Record, Value
from dowse.select import build_selector
from dowse.select.auto import Auto
from dowse.select.auto_table import FREE_MISSES, Tips, _Trial
from dowse.select.expect import Expectation
from dowse.select.expect_routes import Routes
from dowse.select.graph import Graph
from dowse.select.selector import Asked, Interface, Parts
from dowse.select.table import NO_TABLE, DomainTable, build_table, save_table
from tests.select.tabled import Row, Table

FACE = Interface(("cast", "year"), page_size=10)


def films(count: int, seed: int) -> list[Row]:
    """Make films of a few hundred actors, popular ones in many."""
    rng = Random(seed)
    return [
        {
            "cast": "|".join(sorted({f"Name{int(rng.paretovariate(0.7)) % 300}", f"Name{rng.randrange(300)}"})),
            "year": str(1950 + int(rng.triangular(0, 60, 50))),
        }
        for _ in range(count)
    ]


def tabulate(rows: list[Row]) -> DomainTable:
    table = Table(rows, FACE)
    return build_table(map(table.record, range(len(rows))))


TARGET = Table(films(800, seed=1), FACE, page_size=10)
KIN = tabulate(films(1500, seed=2))
STRANGE = {
    "other attributes": build_table(Record((Value("gene", f"g{n}"), Value("tissue", f"t{n % 9}"))) for n in range(900)),
    "other values": build_table(Record((Value("cast", f"c{n % 99}"), Value("year", f"y{n % 9}"))) for n in range(900)),
    "some of the values": build_table(
        Record((Value("cast", f"Name{n}" if n < 40 else f"c{n % 300}"), Value("year", str(1500 + n % 400))))
        for n in range(900)
    ),
}


async def draw_to(table: Table, domain: DomainTable, share: float) -> tuple[int, Auto]:
    graph = Graph()
    selector, drawn = Auto(Parts(graph, table.interface, Random(1)), domain), Drawn(graph)
    selector.seed([table.record(0).values[0]])
    async for _ in draw(table.ask, selector, drawn, lambda record: record.values):
        if graph.record_count >= share * len(table.rows):
            break
    assert graph.record_count >= share * len(table.rows)
    return drawn.requests, selector


@pytest.mark.parametrize("strange", STRANGE.values(), ids=STRANGE)
async def test_a_table_of_another_domain_costs_a_few_requests(strange: DomainTable) -> None:
    without, _ = await draw_to(TARGET, NO_TABLE, 0.95)
    with_it, selector = await draw_to(TARGET, strange, 0.95)
    assert with_it <= 1.05 * without + FREE_MISSES
    trials = selector.tips.trials.values()
    paid = sum(trial.hits for trial in trials)
    assert sum(trial.misses for trial in trials) <= FREE_MISSES + 1 + 0.03 * with_it + paid


async def test_a_table_of_the_same_domain_reaches_islands_that_no_record_leads_to() -> None:
    rows: list[Row] = [{"cast": f"A{n % 5}"} for n in range(50)] + [{"cast": f"C{n % 9}"} for n in range(90)]
    face = Interface(("cast",), page_size=10)
    _, selector = await draw_to(Table(rows, face, page_size=10), tabulate([*rows, *rows]), 1.0)
    assert selector.tips.trials["cast"].hits >= 9


async def test_begins_with_the_table_where_nothing_else_is_known() -> None:
    selector = Auto(Parts(Graph(), FACE, Random(1)), KIN)
    query = selector.choose()
    assert query is not None
    assert query.values[0].attribute in FACE.attributes


def test_gives_up_after_a_few_misses() -> None:
    graph = Graph()
    tips, expectation = Tips(graph, FACE, KIN), Expectation(graph, Routes(graph), FACE)
    given = 0
    while (tip := tips.best(expectation)) and given < 100:
        value = graph.value(tips.give(tip))
        tips.learn(tip, Asked(Query((value,)), pages=1, total=0))
        given += 1
    assert 1 <= given <= FREE_MISSES + 1


def test_scales_what_the_table_says_by_what_both_have() -> None:
    graph = Graph()
    graph.add([Value("cast", "Name1"), Value("year", "1999")])
    tips, expectation = Tips(graph, FACE, KIN), Expectation(graph, Routes(graph), FACE)
    assert tips.best(expectation)
    for _ in range(30):
        tips.learn(None, Asked(Query((Value("cast", "Name1"),)), pages=1, records=1, total=1))
    assert tips._scale(expectation) < 0.1, "the table has hundreds of this one"


@given(st.integers(0, 50), st.integers(0, 50), st.floats(0, 1))
def test_the_lowest_share_lies_below_the_mean_and_falls_with_misses(hits: int, misses: int, prior: float) -> None:
    low = _Trial(hits, misses).low(prior)
    assert 0 <= low <= 1
    assert _Trial(hits, misses + 1).low(prior) <= low + 1e-9
    if hits + misses:
        assert low <= (hits + 3 * prior) / (hits + misses + 3) + 1e-9


def test_is_built_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "films.table"
    save_table(KIN, path)
    selector = build_selector("auto", Parts(Graph(), FACE, Random(1)), str(path))
    assert isinstance(selector, Auto)
    assert selector.tips.table.value_count == KIN.value_count
