"""How many records an answer shows at most, and whether its counts are true: told, or found while asking."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Final

from dowse.select.selector import Asked

ROUND: Final = 50  # an answer that ends at a multiple of it, with no count, was cut off there


@dataclass(slots=True)
class Limits:
    """What was found out about a source's answers."""

    told: int  # the limit that the form says; 0 for none
    limit: int = 0
    counts: bool = False  # answers say exactly how many there are
    lies: str = ""  # how a count was found to be untrue
    ends: Counter[int] = field(default_factory=Counter)  # where answers ended before their count was reached

    def __post_init__(self) -> None:
        """Begin with what was told."""
        self.limit = self.told

    def learn(self, asked: Asked) -> None:
        """Take in an answer that is over."""
        if asked.limit:
            self.limit = max(asked.limit, self.limit) if asked.records > asked.limit else asked.limit
        if not (asked.more or asked.aborted):
            self._learn_end(asked, asked.total if asked.exact else None)
        self.counts = asked.total is not None and asked.exact and not self.lies

    def _learn_end(self, asked: Asked, total: int | None) -> None:
        """Find the limit where an answer ends before its count is reached, and counts that are not true."""
        shown = asked.records
        if total is not None and total < shown:
            self.lies = self.lies or f"{asked.query}: {total} were said to match, {shown} were shown"
        elif total is not None and total > shown and (not self.limit or shown < self.limit):
            self._learn_early_end(asked, shown, total)
        elif self._is_at_limit(shown, total):
            self.limit = shown

    def _is_at_limit(self, shown: int, total: int | None) -> bool:
        if self.limit:
            return shown > self.limit
        return total is None and shown > 0 and shown % ROUND == 0

    def _learn_early_end(self, asked: Asked, shown: int, total: int) -> None:
        """The first such end is a limit; a second one elsewhere shows that counts are not true."""
        self.ends[shown] += 1
        if len(self.ends) == 1:
            self.limit = shown
        elif not self.lies:
            self.lies = f"{asked.query}: {total} were said to match, the answer ended at {shown}"
            self.limit = self.told or max(self.ends)

    def overflows(self, asked: Asked) -> bool:
        """Say whether a source has more for a query than it showed."""
        if asked.aborted or asked.more:
            return True
        if self.counts and asked.total is not None:
            return asked.total > asked.records
        return bool(self.limit) and asked.records >= self.limit
