"""How long it takes to choose a query, and how much memory it needs, in a source as large as the paper's largest."""

from __future__ import annotations

import asyncio
import random
import resource
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from typing import Any, Final

from bench.harvest.databases import Database, Source
from bench.harvest.runs import decompose
from bench.kept import list_selectors, open_kept
from dowse.harvester.loop import HarvestedRecords, key_of, run_queries
from dowse.model import Query, Record, Value
from dowse.select import SELECTORS
from dowse.select.graph import Graph
from dowse.select.selector import QueryProgress, Selector, SelectorParts

RECORDS: Final = 400_000  # IMDB in the paper's Table 2
VALUES: Final = 1_200_000
LIMIT: Final = 50  # many short queries: choosing is most of the work
QUERIES: Final = 20_000
WHOLE: Final = 500_000


class Timed:
    """A selector that is timed."""

    def __init__(self, inner: Selector) -> None:
        self.inner, self.seconds, self.choices = inner, 0.0, 0

    def seed(self, values: list[Value]) -> None:
        """Pass on."""
        self.inner.seed(values)

    def choose(self) -> Query | None:
        """Time a choice."""
        begun = time.process_time()
        query = self.inner.choose()
        self.seconds += time.process_time() - begun
        self.choices += 1
        return query

    def why_abort(self, asked: QueryProgress) -> str:
        """Time what a page takes."""
        begun = time.process_time()
        why = self.inner.why_abort(asked)
        self.seconds += time.process_time() - begun
        return why

    def learn(self, asked: QueryProgress) -> None:
        """Time what is learned."""
        begun = time.process_time()
        self.inner.learn(asked)
        self.seconds += time.process_time() - begun


def make_database(records: int, values: int, seed: int) -> Database:
    """Make records like those of films: people by a power law, most of them in one film, beside a genre, a year, a country."""
    rng = random.Random(seed)
    people = int(values * 1.6)

    def make(number: int) -> Iterator[Value]:
        for _ in range(rng.choice((2, 3, 4, 5, 6, 7))):
            rank = rng.random()
            yield Value("person", f"p{int(people * rank**2.2)}" if rank < 0.6 else f"p{rng.randrange(people)}")
        yield Value("company", f"c{int(values * 0.1 * rng.random() ** 3)}")
        yield Value("year", str(2020 - int(100 * rng.random() ** 2)))
        for _ in range(rng.choice((1, 1, 2, 3))):
            yield Value("genre", f"g{int(40 * rng.random() ** 2)}")

    made = (Record(tuple(dict.fromkeys(make(number))), key=str(number)) for number in range(records))
    return Database("synthetic", ("person", "company", "year", "genre"), tuple(made))


def time_choices(name: str) -> dict[str, Any]:
    """Time a selector that has drawn a whole source, while it asks on."""
    database = make_database(RECORDS, VALUES, 1)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    graph = Graph()
    timed = Timed(SELECTORS[name](SelectorParts(graph, Source(database, limit=LIMIT).interface, random.Random(1))))
    begun = time.process_time()
    asyncio.run(_ask_on(timed, graph, database))
    return {
        "selector": name,
        "records": graph.record_count,
        "values": graph.value_count,
        "milliseconds": round(1000 * timed.seconds / max(1, timed.choices), 3),
        "choices": timed.choices,
        "cpu seconds": round(time.process_time() - begun, 1),
        "megabytes": round((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024),
    }


async def _ask_on(timed: Timed, graph: Graph, database: Database) -> None:
    """Tell the selector of all records as of one answer, then let it choose; nothing that comes is new."""
    timed.seed([database.records[0].values[0]])
    query = timed.choose()
    assert query is not None
    drawn = HarvestedRecords(graph)
    for record in database.records:
        drawn.keys[key_of(record)] = graph.add(record.values)
    fill_up(graph, VALUES)
    count = graph.record_count
    timed.learn(
        QueryProgress(query, 0, pages=count // 10, records=count, new=count, total=count, fresh=list(range(count)))
    )
    timed.seconds, timed.choices = 0.0, 0
    source = Source(database, limit=LIMIT)
    async for _ in run_queries(
        source.ask, timed, drawn, decompose, lambda: "enough" if drawn.queries >= QUERIES else ""
    ):
        pass


def fill_up(graph: Graph, values: int) -> None:
    """Add values without a record until there are so many."""
    while graph.value_count < values:
        graph.number(Value("person", f"q{graph.value_count}"))


def time_whole(name: str) -> dict[str, Any]:
    """Time the whole harvest of a large source, from a seed to 99 % of it."""
    database = make_database(WHOLE, VALUES, 2)
    source, graph = Source(database), Graph()
    timed = Timed(SELECTORS[name](SelectorParts(graph, source.interface, random.Random(1))))
    timed.seed([database.records[0].values[0]])
    wall, cpu = time.monotonic(), time.process_time()
    requests, queries = asyncio.run(_draw_whole(source, timed, graph))
    return {
        "selector": name,
        "records": graph.record_count,
        "requests": requests,
        "queries": queries,
        "seconds": round(time.monotonic() - wall, 1),
        "cpu seconds": round(time.process_time() - cpu, 1),
        "choosing seconds": round(timed.seconds, 1),
        "megabytes": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024),
    }


async def _draw_whole(source: Source, timed: Timed, graph: Graph) -> tuple[int, int]:
    drawn, enough = HarvestedRecords(graph), 0.99 * len(source.database.records)
    stop = lambda: "enough" if graph.record_count >= enough else ""  # noqa: E731
    async for _ in run_queries(source.ask, timed, drawn, decompose, stop):
        pass
    return drawn.requests, drawn.queries


def run_speed(names: tuple[str, ...], parts: tuple[str, ...]) -> dict[str, Any]:
    """Measure each selector in a process of its own, or take what was kept of it; with parts, only where `speed` is one."""
    kept = open_kept("harvest", list_selectors())
    works: list[tuple[str, str, Callable[[str], dict[str, Any]]]] = [
        *(("choices", name, time_choices) for name in names),
        ("whole", "auto", time_whole),
    ]
    found: dict[str, Any] = {"choices": {}, "whole": {}}
    for kind, name, work in works:
        one = kept.find(f"speed-{kind}-{name}")
        if one is None and (not parts or "speed" in parts):
            with ProcessPoolExecutor(1) as worker:
                one = kept.add(f"speed-{kind}-{name}", worker.submit(work, name).result())
        if one is not None:
            found[kind][name] = one
    return found
