"""Domain statistics: what one source says of another of its kind."""

from __future__ import annotations

from pathlib import Path
from random import Random

from dowse.harvest.loop import Drawn, draw
from dowse.model import Record, Value
from dowse.select import SELECTORS, build_selector
from dowse.select.domain import Domain, Group
from dowse.select.graph import Graph
from dowse.select.selector import Asked, Interface, Parts, Selector
from dowse.select.table import build_table, save_table
from tests.select.tabled import Row, Table

INTERFACE = Interface(("cast", "year"), page_size=10)


def films(count: int, seed: int) -> list[Row]:
    """Make films of the same few hundred actors, popular ones in many."""
    rng = Random(seed)
    return [
        {
            "cast": "|".join(
                sorted({f"Given{n} Name{n}" for n in (int(rng.paretovariate(0.7)) % 300, rng.randrange(300))})
            ),
            "year": str(1950 + int(rng.triangular(0, 60, 50))),
        }
        for _ in range(count)
    ]


def write_kin(rows: list[Row]) -> list[Record]:
    """Write films as another source does: other names for attributes, family names first."""
    return [
        Record(
            (
                *(Value("actor", ", ".join(reversed(name.split()))) for name in row["cast"].split("|")),
                Value("released", row["year"]),
            )
        )
        for row in rows
    ]


TARGET = Table(films(2000, seed=1), INTERFACE, page_size=10)
KIN = build_table(write_kin(films(3000, seed=2)))


async def draw_to(selector: Selector, graph: Graph, table: Table, share: float) -> int:
    selector.seed([table.record(0).values[0]])
    drawn = Drawn(graph)
    async for _ in draw(table.ask, selector, drawn, lambda record: record.values):
        if graph.record_count >= share * len(table.rows):
            break
    assert graph.record_count >= share * len(table.rows)
    return drawn.requests


async def test_needs_fewer_requests_than_greedy() -> None:
    graphs = Graph(), Graph()
    greedy = await draw_to(SELECTORS["greedy"](Parts(graphs[0], INTERFACE, Random(1))), graphs[0], TARGET, 0.8)
    domain = Domain(Parts(graphs[1], INTERFACE, Random(1)), KIN)
    least = 0.8 * len(TARGET.rows) / INTERFACE.page_size  # no selector can do with fewer
    assert await draw_to(domain, graphs[1], TARGET, 0.8) - least <= 0.3 * (greedy - least)
    assert {name: [KIN.attributes[place] for place in places] for name, places in domain.places.items()} == {
        "cast": ["actor"],
        "year": ["released"],
    }


async def test_reaches_islands_that_no_record_leads_to() -> None:
    """The limited pool of candidates: Section 4, Limitation 2."""
    rows: list[Row] = [{"cast": f"A{number % 5} B"} for number in range(50)] + [
        {"cast": f"C{n % 9} D"} for n in range(90)
    ]
    table = Table(rows, Interface(("cast",), page_size=10), page_size=10)
    kin = build_table(Record((Value("cast", row["cast"]), Value("set", "x"))) for row in rows)
    graph = Graph()
    await draw_to(Domain(Parts(graph, table.interface, Random(1)), kin), graph, table, 1.0)


async def test_a_table_of_another_domain_does_little_harm() -> None:
    strange = build_table(
        Record((Value("gene", f"g{number}"), Value("tissue", f"t{number % 9}"))) for number in range(2000)
    )
    graphs = Graph(), Graph()
    greedy = await draw_to(SELECTORS["greedy"](Parts(graphs[0], INTERFACE, Random(1))), graphs[0], TARGET, 0.8)
    domain = await draw_to(Domain(Parts(graphs[1], INTERFACE, Random(1)), strange), graphs[1], TARGET, 0.8)
    assert domain <= 1.5 * greedy


def test_misses_lower_what_is_expected_of_the_table() -> None:
    graph = Graph()
    domain = Domain(Parts(graph, Interface(("actor",)), Random(1)), KIN)
    first = domain.choose()
    assert first is not None
    group = domain.choice and domain.choice.group
    assert isinstance(group, Group)
    before = domain._correction(group)
    for _ in range(5):
        domain.learn(Asked(first, graph.find(first.values[0]) or 0, pages=1, total=0))
        first = domain.choose()
        assert first is not None
    assert domain._correction(group) < before / 2


def test_is_built_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "films.table"
    save_table(KIN, path)
    selector = build_selector("domain", Parts(Graph(), INTERFACE, Random(1)), str(path))
    assert isinstance(selector, Domain)
    assert selector.table.value_count == KIN.value_count
