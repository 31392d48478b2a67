"""Draws whole databases through forms with choices and ranges, and compares the queries with the published bounds.

The bound is Theorem 1 of Sheng, Zhang, Tao, Jin (VLDB 2012) with its constants taken as one, n records, k shown at
most, d ranges, choices of U values: d n/k without choices; U + d n/k with one list; with more of them
sum U + n/k sum min(U, n/k) + d n/k. It counts queries; a query costs a request for each page of ten.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from itertools import product, starmap
from random import Random
from typing import Any, NamedTuple

import numpy as np

from bench.harvest.databases import DATABASES
from bench.kept import open_kept
from bench.options import Options
from bench.places import ROOT
from bench.report import markdown_table
from dowse.harvester.loop import HarvestedRecords, run_queries
from dowse.model import Answer, Query, Range, Record, Value
from dowse.select.complete import CompleteSelector
from dowse.select.divide import read_amount
from dowse.select.graph import Graph
from dowse.select.selector import Interface, SelectorParts, Span

TITLE = "Everything, and the proof of it"
Row = Mapping[str, Any]
MISSING = -(2**62)


@dataclass(frozen=True)
class Form:
    """A database behind a form: which of its columns are lists to choose from, which are ranges."""

    database: str
    choices: tuple[str, ...] = ()
    ranges: tuple[str, ...] = ()


@dataclass
class Table:
    """Records with choices and numbers, answered as a site would: so many on a page, no more than the limit."""

    records: Sequence[Record]
    form: Form
    limit: int = 0
    page_size: int = 10
    counts: str = "exact"  # none
    sort: str = ""  # an attribute by which answers are sorted
    blank: bool = True
    joins: bool = True
    _last: tuple[Query, Any] | None = None

    def __post_init__(self) -> None:
        """Put records in an order of the source's own, the same for every query."""
        shuffled = list(self.records)
        Random(len(shuffled)).shuffle(shuffled)
        if self.sort:
            shuffled.sort(key=lambda record: _first_amount(record, self.sort))
        self.records = shuffled

    @cached_property
    def postings(self) -> dict[Value, Any]:
        """The records of each choice, in their order."""
        found: dict[Value, list[int]] = {}
        for number, record in enumerate(self.records):
            for value in set(record.values):
                if value.attribute in self.form.choices:
                    found.setdefault(value, []).append(number)
        return {value: np.array(numbers) for value, numbers in found.items()}

    @cached_property
    def columns(self) -> dict[str, Any]:
        """For each range, the amount of each record; MISSING where it has none."""
        columns = {name: np.full(len(self.records), MISSING) for name in self.form.ranges}
        for number, record in enumerate(self.records):
            for name, text in record.values:
                amount = read_amount(text, "number") if name in columns else None
                if amount is not None:
                    columns[name][number] = amount
        return columns

    @property
    def interface(self) -> Interface:
        """What it can be asked."""
        choices = {name: sorted({v.text for v in self.postings if v.attribute == name}) for name in self.form.choices}
        spans = tuple(Span(name) for name in self.form.ranges)
        return Interface(
            choices=tuple((name, tuple(texts)) for name, texts in choices.items()), spans=spans,
            joins=self.joins, blank=self.blank, page_size=self.page_size, limit=self.limit,
        )  # fmt: skip

    def match(self, query: Query) -> Any:
        """Return the records that a query finds, in the order of the source."""
        lists = sorted((self.postings.get(value, np.array([], dtype=int)) for value in query.values), key=len)
        found = lists[0] if lists else np.arange(len(self.records))
        for each in lists[1:]:
            found = np.intersect1d(found, each, assume_unique=True)
        for wanted in query.ranges:
            column = self.columns[wanted.attribute][found]
            low, high = read_amount(wanted.low, "number"), read_amount(wanted.high, "number")
            kept = column != MISSING
            if low is not None:
                kept &= column >= low
            if high is not None:
                kept &= column <= high
            found = found[kept]
        return found

    async def ask(self, query: Query, page: int) -> Answer:
        """Answer with one page."""
        if self._last is None or self._last[0] != query:
            self._last = (query, self.match(query))
        found = self._last[1]
        shown = min(len(found), self.limit) if self.limit else len(found)
        first = page * self.page_size
        records = tuple(self.records[number] for number in found[first : min(first + self.page_size, shown)])
        total = len(found) if self.counts == "exact" else None
        return Answer(query, page, records, total, limit=self.limit, more=first + self.page_size < shown)


def _first_amount(record: Record, name: str) -> int:
    return next((read_amount(text, "number") or 0 for attribute, text in record.values if attribute == name), 0)


FORMS = {
    "vehicles": Form("vehicles", ("make", "class", "trans", "fuel", "drive"), ("year", "cyl", "displ", "hwy", "cty")),
    "vehicles-numbers": Form("vehicles", (), ("year", "hwy", "cty")),
    "vehicles-choices": Form(
        "vehicles", ("make", "class", "trans", "fuel", "drive", "year", "cyl", "displ", "hwy", "cty")
    ),
    "movies": Form("movies", ("genres",), ("year",)),
    "artsmia": Form("artsmia", ("classification", "country", "department"), ("id",)),
    "artsmia-choices": Form("artsmia", ("classification", "country", "department", "style")),
    "cities": Form("cities", ("cc", "admin1"), ("lat", "lon")),
    "cities-numbers": Form("cities", (), ("lat", "lon")),
    "goodbooks": Form("goodbooks", ("language_code",), ("year", "average_rating", "ratings_count")),
    "gutenberg": Form("gutenberg", ("language",), ("gutenberg_id",)),
    "packages": Form("packages", ("section", "priority", "architecture"), ("installed_size",)),
}
EXTENTS = {"short": (100, 1000), "full": (10, 50, 100, 1000)}
COUNTS = ("exact", "none")  # whether answers say how many match
DRAWING = (
    "certificate",
    "complete",
    "divide",
    "held",
    "limits",
    "region",
    "scale",
    "shrink",
)  # what the queries hang on


class Case(NamedTuple):
    """One database to draw."""

    form: str
    limit: int
    counts: str

    @property
    def name(self) -> str:
        """What it is called where it is kept."""
        return f"{self.form}-{self.limit}-{self.counts}"


def read_records(form: Form) -> tuple[Record, ...]:
    """Read a database with the columns of a form."""
    rows = list(DATABASES[form.database][1]())
    names = (*form.choices, *form.ranges)
    return tuple(Record(tuple(_values(row, names)), key=str(number)) for number, row in enumerate(rows))


def _values(row: Row, names: Sequence[str]) -> Iterator[Value]:
    for name in names:
        held = row.get(name)
        for each in held if isinstance(held, list) else [held]:
            text = " ".join(str(each if each is not None else "").split())
            if text and text != "NA":
                yield Value(name, text[:200])


def bound(table: Table) -> float:
    """Return the published bound (Theorem 1), its constants taken as one."""
    share = len(table.records) / table.limit
    domains = [len(texts) for _, texts in table.interface.choices]
    numeric = len(table.form.ranges) * share
    if not domains:
        return numeric
    if len(domains) == 1:
        return domains[0] + numeric
    return sum(domains) + share * sum(min(size, share) for size in domains) + numeric


async def draw_all(table: Table, stop: int = 10**9) -> tuple[CompleteSelector, HarvestedRecords]:
    """Draw a table with the selector `complete`."""
    graph = Graph()
    selector, drawn = CompleteSelector(SelectorParts(graph, table.interface, Random(1))), HarvestedRecords(graph)
    async for _ in run_queries(
        table.ask, selector, drawn, lambda record: record.values, lambda: "enough" if drawn.requests >= stop else ""
    ):
        pass
    return selector, drawn


def measure(name: str, records: Sequence[Record], limit: int, counts: str) -> dict[str, Any]:
    """Draw a database once, and say what it took."""
    table = Table(records, FORMS[name], limit=limit, counts=counts)
    selector, drawn = asyncio.run(draw_all(table))
    held, allowed = drawn.graph.record_count, bound(table)
    return {
        "form": name, "records": len(records), "limit": limit, "counts": counts, "held": held,
        "apart": count_apart(table), "queries": drawn.queries, "bound": round(allowed),
        "ratio": round(drawn.queries / allowed, 3), "requests": drawn.requests,
        "requests_per_page": round(drawn.requests * table.page_size / len(records), 2),
        "complete": selector.verdict().yes, "reason": selector.verdict().reason,
    }  # fmt: skip


def count_apart(table: Table) -> int:
    """Count the records that can be had at all: those that the narrowest query for each shows before the limit."""
    alike: Counter[Query] = Counter()
    match = cache(table.match)
    apart = 0
    for number, record in enumerate(table.records):
        query = find_narrowest(table, record)
        alike[query] += 1
        if has_all(table, record):  # then it is found with its likes alone
            apart += alike[query] <= table.limit
        else:
            apart += int(np.searchsorted(match(query), number)) < table.limit
    return apart


def find_narrowest(table: Table, record: Record) -> Query:
    """Return the query that finds a record and as few others as can be: one choice of each list, and its numbers."""
    choices = [value for value in record.values if value.attribute in table.form.choices]
    choices.sort(key=lambda value: len(table.postings[value]), reverse=True)
    ranges = {
        name: Range(name, text, text)
        for name, text in record.values
        if name in table.form.ranges and read_amount(text, "number") is not None
    }
    return Query(
        tuple(sorted({value.attribute: value for value in choices}.values())),
        tuple(each for _, each in sorted(ranges.items())),
    )


def has_all(table: Table, record: Record) -> bool:
    """Return True if a record has one value of every attribute that can be asked for."""
    names = [
        name for name, text in record.values if name in table.form.choices or read_amount(text, "number") is not None
    ]
    return sorted(names) == sorted((*table.form.choices, *table.form.ranges))


def run(options: Options) -> dict[str, object]:
    """Draw each database with each limit, with counts and without; or those of some parts beside what was kept."""
    read_once = lru_cache(maxsize=1)(lambda name: read_records(FORMS[name]))
    kept = open_kept("complete", [ROOT / "dowse" / "select" / f"{name}.py" for name in DRAWING])
    rows, missing = [], []
    for case in starmap(Case, product(FORMS, EXTENTS[options.extent], COUNTS)):
        row = kept.find(case.name)
        if row is None and (not options.parts or not {case.form, str(case.limit)}.isdisjoint(options.parts)):
            row = kept.add(case.name, measure(case.form, read_once(case.form), case.limit, case.counts))
        if row is None:
            missing.append(case.name)
        else:
            rows.append(row)
            options.say(f"complete: {row}")
    return {"rows": rows, "missing": missing, "medians": list_figures(rows)}


def list_figures(rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return the figures that can have a floor, of the databases whose form tells all records apart."""
    apart = [row for row in rows if row["apart"] == row["records"]]
    found: dict[str, Any] = {}
    for counts in COUNTS:
        some = [row for row in apart if row["counts"] == counts]
        found[f"worst ratio, counts {counts}"] = max((row["ratio"] for row in some), default=None)
        found[f"least held, counts {counts}"] = min((row["held"] / row["records"] for row in some), default=None)
        proven = [row["complete"] and row["held"] == row["records"] for row in some]
        found[f"drawn whole and proven, counts {counts}"] = sum(proven) / len(proven) if proven else None
    found["proofs of what was not whole"] = sum(row["complete"] and row["held"] < row["records"] for row in rows)
    return found


def table(result: dict[str, Any]) -> str:
    """Write the figures as a table."""
    heads = ["form", "limit", "counts", "held", "can be had", "of", "queries", "bound", "ratio", "requests", "proven"]
    rows = [
        [
            row["form"], str(row["limit"]), row["counts"], str(row["held"]), str(row["apart"]), str(row["records"]), str(row["queries"]),
            str(row["bound"]), f"{row['ratio']:.2f}", str(row["requests"]), "yes" if row["complete"] else row["reason"],
        ]
        for row in result["rows"]
    ]  # fmt: skip
    return markdown_table(heads, rows)


def notes(result: dict[str, Any]) -> str:
    """Describe what the figures are."""
    return (
        "Real databases behind a form with choices and ranges, ten records on a page. The bound is that of Theorem 1 of "
        "Sheng, Zhang, Tao and Jin (VLDB 2012), its constants taken as one; it counts queries. *Of* are all records, "
        "*can be had* those that the narrowest query for each (one choice of each list, its numbers) shows before the limit: where more records than the "
        "limit have the same values, or lack one that would tell them apart, no form of this kind shows them all, and the bound does not hold."
        + (f" Not measured: {', '.join(result['missing'])}." if result["missing"] else "")
    )
