"""One harvest of a source in memory, and its curve: requests for each percent of the records."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field

from bench.harvest.databases import Source
from dowse.harvester.loop import HarvestedRecords, run_queries
from dowse.model import Record, Value
from dowse.select.graph import Graph
from dowse.select.selector import Selector, SelectorParts

Make = Callable[[SelectorParts], Selector]


@dataclass
class Curve:
    """Requests after which each percent of all records was drawn."""

    size: int
    steps: list[int] = field(default_factory=list)  # for 1 %, 2 % ...
    drawn: int = 0
    requests: int = 0

    def note(self, requests: int, drawn: int) -> None:
        """Note how many records there are after so many requests."""
        while len(self.steps) < 100 and drawn * 100 >= self.size * (len(self.steps) + 1):
            part = (self.size * (len(self.steps) + 1) / 100 - self.drawn) / max(1, drawn - self.drawn)
            self.steps.append(self.requests + max(1, round((requests - self.requests) * part)))
        self.requests, self.drawn = requests, drawn

    def to_json(self) -> dict[str, object]:
        """Write it down."""
        return {"steps": self.steps, "drawn": self.drawn, "requests": self.requests}


def pick_seed(source: Source, seed: int) -> Value:
    """Pick a value of a record by chance, which no lower seed picks: what a harvest begins with."""
    taken: list[Value] = []
    for each in range(min(seed, 1), seed + 1):
        rng = random.Random(each)
        picked = rng.choice(rng.choice(source.database.records).values)
        while picked in taken and len(taken) < source.database.values:
            picked = rng.choice(rng.choice(source.database.records).values)
        taken.append(picked)
    return taken[-1]


async def harvest(source: Source, make: Make, seed: int, *, share: float = 1.0, requests: int = 0) -> Curve:
    """Draw a source from a seed until a share of it is there, so many requests are spent, or nothing is left to ask."""
    graph, size = Graph(), len(source.database.records)
    selector = make(SelectorParts(graph, source.interface, random.Random(seed)))
    selector.seed([pick_seed(source, seed)])
    drawn, curve = HarvestedRecords(graph), Curve(size)
    async for _ in run_queries(source.ask, selector, drawn, decompose):
        curve.note(drawn.requests, graph.record_count)
        if graph.record_count >= share * size or 0 < requests <= drawn.requests:
            break
    return curve


def decompose(record: Record) -> tuple[Value, ...]:
    """Return the values of a record as they are."""
    return record.values
