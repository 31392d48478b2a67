"""When an answer is not worth its next page (paper 4, Section 3.4).

Where the answer says how many records match, those to come are counted; where it does not, they are guessed by
the pages before. The threshold is no constant: it is what the next best query promises now.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from dowse.select.selector import Asked

ALONE: Final = 1.0  # pages that what was expected counts for, where the answer says no total
LEAST: Final = 0.3  # of what others promise: others can wait, but who is left is not asked again
HASTE: Final = 0.8  # the same where all that is left by comes with others
LATELY: Final = 0.5  # what the last page counts for, beside those before it
FULL: Final = 0.8  # of a page


@dataclass(slots=True)
class Page:
    """What the pages of an answer bring."""

    rate: float = 0.0  # new records on each page to come
    strange: int = 0  # new records of the last page that will not come with values that wait already
    lately: float = -1.0  # such records on a page, the last pages counted most
    full: bool = False  # whether pages to come are nearly all new

    def count(self, asked: Asked, known: float, page_size: int, expected: float) -> None:
        """Take in a page; `known` are the records with the value in the graph, `expected` what was promised."""
        self.rate = count_rest(asked, known, page_size) if asked.total is not None else guess_rest(asked, expected)
        self.lately = self.strange if self.lately < 0 else (1 - LATELY) * self.lately + LATELY * self.strange
        self.full = self.rate >= FULL * page_size

    def why_known(self, others: float) -> str:
        """Say that what comes will come with values that wait, and that others show more that will not."""
        if self.lately >= HASTE * others:
            return ""
        return f"what it brings comes with other values, all but {self.lately:.1f} records a page"


def why_leave(rate: float, best: float) -> str:
    """Say that the pages to come are worth too little beside the best other query."""
    return f"only {rate:.1f} new records a page; {best:.1f} elsewhere" if rate < LEAST * best else ""


def count_rest(asked: Asked, known: float, page_size: int) -> float:
    """Count the new records on each page to come: all matches that are not known, as far as they are shown."""
    total = asked.total or 0
    shown = min(total, asked.limit) if asked.limit else total
    left = shown - asked.records
    if left <= 0:
        return 0.0
    hidden = total - asked.records  # some of them are not shown: they have their share of what is new
    return max(0, total - known) * left / hidden / -(-left // page_size)


def guess_rest(asked: Asked, expected: float) -> float:
    """Guess the new records on the next page by those on the pages before; what was expected counts as one page more."""
    return (asked.new + ALONE * expected) / (asked.pages + ALONE)
