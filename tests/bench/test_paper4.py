"""The published selectors, trials that differ, and verdicts that need figures."""

from __future__ import annotations

import asyncio
import json
from functools import partial
from random import Random
from typing import Any

import pytest

pytest.importorskip("scipy")

from bench.harvest.databases import Database, Source
from bench.harvest.runs import decompose, harvest, pick_seed
from bench.paper4.facts import EXTENTS
from bench.paper4.figures import find_worst, judge, lose
from bench.paper4.interfaces import takes_keywords, takes_one_attribute
from bench.paper4.published import PUBLISHED, SATURATED_SHARE, PublishedMmmi
from bench.paper4.trials import Trial, build, list_trials, tell
from bench.places import FLOORS
from bench.report import find_empty_tables, judge_floors, markdown_table
from dowse.harvester.loop import HarvestedRecords, run_queries
from dowse.model import Query, Record, Value
from dowse.select.graph import Graph
from dowse.select.selector import Interface, QueryProgress, SelectorParts


def make_source(count: int = 300, *, limit: int = 0, seed: int = 0) -> Source:
    """Make books that hang together by a few popular authors and their years."""
    rng = Random(5)
    rows = [(f"author {int(rng.paretovariate(0.7)) % 90}", str(1900 + rng.randrange(25))) for _ in range(count)]
    records = tuple(
        Record((Value("author", who), Value("year", when)), key=str(number)) for number, (who, when) in enumerate(rows)
    )
    return Source(Database("books", ("author", "year"), records), limit=limit, seed=seed)


def ask(selector: PublishedMmmi, value: Value, records: list[list[Value]]) -> None:
    """Tell a selector that a value was asked for, and what came."""
    graph = selector.parts.graph
    fresh = [graph.add(record) for record in records]
    number = graph.find(value)
    assert number is not None
    selector.ours.greedy.refresh()
    selector.learn(QueryProgress(Query((value,)), number, pages=1, records=len(records), new=len(records), fresh=fresh))


def test_published_mmmi_asks_for_the_least_dependent_value_whatever_its_attribute() -> None:
    selector = PublishedMmmi(SelectorParts(Graph(), Interface(("who", "what")), Random(1)), size=14)
    hub, one = Value("who", "hub"), Value("who", "one")
    bound, free = Value("what", "bound"), Value("what", "free")
    ask(selector, one, [[one, bound]] * 4)
    ask(selector, hub, [[hub, free]] * 2 + [[hub, Value("who", str(number))] for number in range(8)])
    assert selector.saturated
    numbers = [selector.parts.graph.find(value) or 0 for value in (bound, free)]
    assert selector.dependency(numbers[0]) > selector.dependency(numbers[1])
    chosen = [selector.choose() for _ in range(10)]
    assert chosen[0] == Query((free,)), "of the equally dependent the one with the most links"
    assert chosen[-1] == Query((bound,))


def list_queries(name: str) -> list[tuple[Query, float]]:
    """Return what a selector asks, and which part of the records was there before."""
    source, graph = make_source(), Graph()
    asked: list[tuple[Query, float]] = []
    size = len(source.database.records)
    selector = build(SelectorParts(graph, source.interface, Random(1)), Trial("books", name), size)
    selector.seed([pick_seed(source, 1)])

    async def ask_all() -> None:
        async for result in run_queries(source.ask, selector, HarvestedRecords(graph), decompose):
            if result.answer.page == 0:
                asked.append((result.asked.query, (graph.record_count - result.asked.new) / size))

    asyncio.run(ask_all())
    return asked


@pytest.mark.parametrize("name", PUBLISHED)
def test_the_published_switch_is_at_85_percent(name: str) -> None:
    """Before it, the queries are those of greedy; after it they are not."""
    asked, greedy = list_queries(name), list_queries("greedy")
    before = [query for query, part in asked if part < SATURATED_SHARE]
    assert before == [query for query, part in greedy if part < SATURATED_SHARE]
    assert 5 < len(before) < len(asked)
    assert asked != greedy


def test_trials_are_kept_under_names_of_their_own() -> None:
    trials = [
        Trial("movies", "greedy"),
        Trial("movies", "greedy", limit=10),
        Trial("movies", "greedy", seeds=(1, 2)),
        Trial("movies", "greedy", records=100),
        Trial("movies", "greedy", abort="always"),
        Trial("movies", "domain", "packages"),
        Trial("movies", "domain", "packages, 30 %"),
    ]
    assert len({trial.name for trial in trials}) == len(trials)


@pytest.mark.parametrize("extent", EXTENTS.values(), ids=EXTENTS)
def test_every_harvest_is_made_once_with_its_control(extent: Any) -> None:
    trials = list_trials(extent)
    assert len(trials) == len(set(trials))
    made = set(trials)
    for trial in trials:
        if trial.abort == "always":
            assert any(
                each.abort == "never" and each.selector == trial.selector
                for each in made
                if each.database == trial.database
            )
        if trial.kin and not trial.limit:
            assert any(each.selector == "domain" and not each.kin and each.database == trial.database for each in made)


@pytest.mark.parametrize("selector", ["breadth", "random", "greedy", "mmmi"])
def test_four_seeds_are_four_runs(selector: str) -> None:
    curves = [
        asyncio.run(harvest(make_source(seed=seed), partial(build, trial=Trial("books", selector), size=300), seed))
        for seed in (1, 2, 3, 4)
    ]
    assert tell(curves)["runs"] == 4


def test_runs_that_are_the_same_are_counted_once() -> None:
    curve = asyncio.run(harvest(make_source(), partial(build, trial=Trial("books", "greedy"), size=300), 1))
    assert tell([curve, curve])["runs"] == 1


def test_a_limit_loses_what_is_not_harvested_within_the_budget() -> None:
    assert lose({"within the budget": 0.4}, {"within the budget": 0.8}) == 0.5
    assert lose(None, {"within the budget": 0.8}) is None


def test_the_worst_of_what_was_not_all_measured_is_unknown() -> None:
    assert find_worst({"a": 1.0, "b": 2.0}) == 2.0
    assert find_worst({"a": 1.0, "b": None}) is None
    assert find_worst({}) is None


def test_nothing_is_reached_when_nothing_was_measured() -> None:
    judged = judge_floors("paper4", {"medians": judge([], [], {})})
    assert len(judged) == len(json.loads(FLOORS.read_text())["paper4"])
    assert not [what for what, _, _, met in judged if met]


def test_a_table_without_rows_is_found() -> None:
    full, empty = (markdown_table(["a", "b"], rows, numbers=1) for rows in ([["1", "2"]], []))
    assert find_empty_tables(f"## Full\n\n{full}\n\n## Empty\n\n{empty}\n\nwords") == ["Empty"]
    assert find_empty_tables(f"{full}\n") == []
    assert find_empty_tables(empty) == ["a table"]


def condition(label: str, *values: str, box: str = "selection_list") -> dict[str, Any]:
    """Make a condition of an interface as the repository writes it."""
    return {"label": label, "concept": label.lower(), "inputs": [{"format": box, "values": list(values)}]}


def test_an_interface_takes_one_attribute_unless_two_lists_demand_a_choice() -> None:
    make, year = condition("Make", "Audi", "BMW"), condition("Year", "2001", "2002")
    assert takes_one_attribute([condition("Title", box="text_box"), make])
    assert not takes_one_attribute([make, year])
    assert takes_one_attribute([make, condition("Year", "-- All --", "2001")])
    assert takes_one_attribute([make, condition("Sort by", "price", "year")])
    assert takes_keywords(condition("Keywords:", box="text_box"))
    assert not takes_keywords(condition("Keywords", "yes", "no"))
    assert not takes_keywords(condition("Title", box="text_box"))
