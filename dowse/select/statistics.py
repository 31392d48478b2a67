"""How many records a query will bring, by what a source of the same domain holds (paper 4, Sections 4.2 to 4.4)."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from dowse.select.selector import Interface
from dowse.select.table import DomainTable

LEAST_PART: Final = 0.02  # of the domain that was asked for, before the part is believed
FLOOR: Final = 0.05  # new records per request that are never excluded, so that a wrong "nothing" can be found out


@dataclass(slots=True)
class DomainStatistics:
    """The domain table beside what was drawn: which of its records the queries match, and how far the two differ."""

    table: DomainTable
    covered: bytearray = field(init=False)  # of each record of the table, whether a query that was asked matches it
    covered_count: int = 0
    local: int = 0  # records that were drawn
    outside: int = 0  # of them, those with a value that the table lacks (Delta DM)

    def __post_init__(self) -> None:
        """Begin with nothing asked."""
        self.covered = bytearray(self.table.record_count)

    def cover(self, values: Iterable[int]) -> None:
        """Add the records of a query to those of all before it: the incremental union of Section 4.4."""
        covered = self.covered
        for value in values:
            for record in self.table.records_of(value):
                if not covered[record]:
                    covered[record] = 1
                    self.covered_count += 1

    @property
    def part(self) -> float:
        """Which part of the domain was asked for: P(L-queried, DM)."""
        return max(LEAST_PART, self.covered_count / max(1, self.table.record_count))

    def estimate(self, frequency: int) -> float:
        """Estimate the matches of a value with so many records in DM and Delta DM (Eq. 4.2 and 4.3)."""
        if not self.covered_count or not self.local:
            return float(frequency)
        return self.local * frequency / (self.outside + self.table.record_count) / self.part


def foretell(interface: Interface, matches: float, known: int) -> tuple[float, int]:
    """Return the new records of a query and its requests, of so many matches and so many of them known (Eq. 2.1)."""
    matches = max(matches, known, 0.01)
    shown = min(matches, interface.limit) if interface.limit else matches
    requests = max(1, math.ceil(shown / interface.page_size))
    return max((matches - known) * shown / matches, FLOOR * requests), requests
