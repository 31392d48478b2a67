"""A small database in memory that answers as a site would."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from dowse.model import Answer, Query, Record, Value

COLOURS = ("red", "green", "blue")


def make_records(count: int) -> tuple[Record, ...]:
    """Return records with a colour, a maker and a number; all are connected."""
    return tuple(
        Record((Value("colour", COLOURS[n % 3]), Value("maker", f"maker {n % 7}"), Value("model", f"model {n // 2}")), str(n))
        for n in range(count)
    )  # fmt: skip


@dataclass
class Small:
    """Answers queries out of a few records, and counts how often it was asked."""

    records: Sequence[Record]
    page_size: int = 10
    limit: int = 0
    counts: bool = True
    asked: list[tuple[Query, int]] = field(default_factory=list)

    async def ask(self, query: Query, page: int) -> Answer:
        """Answer with one page."""
        self.asked.append((query, page))
        found = [record for record in self.records if set(query.values) <= set(record.values)]
        shown = found[: self.limit] if self.limit else found
        first = page * self.page_size
        return Answer(
            query, page, tuple(shown[first : first + self.page_size]), len(found) if self.counts else None,
            limit=self.limit, more=first + self.page_size < len(shown),
        )  # fmt: skip


def values_of(record: Record) -> tuple[Value, ...]:
    """Decompose a record into all that it has."""
    return record.values
