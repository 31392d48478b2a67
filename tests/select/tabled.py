"""A small table behind a form: choices, ranges, a limit, and counts that are true, missing, rough or wrong."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random

from dowse.harvester.loop import HarvestedRecords, run_queries
from dowse.model import Answer, Failure, Query, Record, Value
from dowse.reasons import FailureReason
from dowse.select.complete import CompleteSelector
from dowse.select.divide import read_amount
from dowse.select.graph import Graph
from dowse.select.selector import Interface, QueryProgress, SelectorParts

Row = dict[str, str]


@dataclass
class Table:
    """Answers queries over rows as a site would, and notes what it was asked."""

    rows: Sequence[Row]
    interface: Interface
    limit: int = 0
    page_size: int = 5
    counts: str = "exact"  # none, rough (a guess, and says so), wrong (a guess, and does not say so)
    says_limit: bool = True
    hides: tuple[str, ...] = ()  # columns that records do not show
    failing: dict[Query, int] = field(default_factory=dict)  # queries that fail so many times
    asked: list[tuple[Query, int]] = field(default_factory=list)

    def match(self, query: Query) -> list[int]:
        """Return the rows that a query finds."""
        return [number for number, row in enumerate(self.rows) if self._matches(row, query)]

    def _matches(self, row: Row, query: Query) -> bool:
        kinds = {span.attribute: span.type for span in self.interface.spans}
        for each in query.ranges:
            amount = read_amount(row.get(each.attribute, ""), kinds[each.attribute])
            low, high = (read_amount(end, kinds[each.attribute]) for end in (each.low, each.high))
            if amount is None or (low is not None and amount < low) or (high is not None and amount > high):
                return False
        return all(value.text in row.get(value.attribute, "").split("|") for value in query.values)

    async def ask(self, query: Query, page: int) -> Answer:
        """Answer with one page."""
        self.asked.append((query, page))
        if self.failing.get(query):
            self.failing[query] -= 1
            return Answer(query, page, failure=Failure("", FailureReason.TIMEOUT))
        found = self.match(query)
        shown = found[: self.limit] if self.limit else found
        first = page * self.page_size
        records = tuple(self.record(number) for number in shown[first : first + self.page_size])
        total = {"exact": len(found), "none": None}.get(self.counts, len(found) + len(found) // 7)
        return Answer(
            query, page, records, total, exact=self.counts != "rough",
            limit=self.limit if self.says_limit else 0, more=first + self.page_size < len(shown),
        )  # fmt: skip

    def record(self, number: int) -> Record:
        """Return a row as it is shown."""
        row = self.rows[number]
        values = [
            Value(name, text) for name, texts in row.items() if name not in self.hides for text in texts.split("|")
        ]
        return Record(tuple(value for value in values if value.text), key=str(number))


@dataclass
class Run:
    """A drawing, and what was learned on the way."""

    selector: CompleteSelector
    harvested: HarvestedRecords
    learned: list[QueryProgress]

    @property
    def records(self) -> int:
        """How many records are held."""
        return self.harvested.graph.record_count


async def draw_table(table: Table, queries: int = 100_000) -> Run:
    """Draw a table with `complete`, so many queries at most."""
    graph = Graph()
    run = Run(CompleteSelector(SelectorParts(graph, table.interface, Random(1))), HarvestedRecords(graph), [])
    return await go_on(run, table, queries)


async def go_on(run: Run, table: Table, queries: int = 100_000) -> Run:
    """Go on with a drawing until so many queries are done."""
    async for result in run_queries(
        table.ask, run.selector, run.harvested, lambda record: record.values,
        lambda: "enough" if len(run.learned) >= queries else "",
    ):  # fmt: skip
        if result.over:
            run.learned.append(result.asked)
    return run
