"""What a selector sees, and what it decides: which query is asked next, and when an answer is not worth its next page."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from typing import Any, Protocol, runtime_checkable

from dowse.model import Query, Value, Verdict
from dowse.select.graph import Graph

USUAL_PAGE = 10  # records on a page, until one was seen (paper 4, Section 5)


@dataclass(frozen=True, slots=True)
class Span:
    """Numbers or dates that can be asked for from one to another."""

    attribute: str
    type: str = "number"  # or date
    low: str = ""  # the least there is, where the form says it
    high: str = ""
    steps: tuple[str, ...] = ()  # the ends that can be chosen, where they are not typed


@dataclass(frozen=True, slots=True)
class Interface:
    """What a source lets one ask."""

    attributes: tuple[str, ...] = ()  # that take a value of one's own
    keyword: bool = False  # words of any kind are found in all of a record; they are values of the attribute ""
    choices: tuple[tuple[str, tuple[str, ...]], ...] = ()  # attributes with all the values that can be chosen
    spans: tuple[Span, ...] = ()
    required: tuple[str, ...] = ()  # attributes that must be given in each query
    joins: bool = False  # several values can be asked for at once
    blank: bool = False  # a query without values lists everything
    page_size: int = USUAL_PAGE
    limit: int = 0  # records that are shown at most for one query; 0 for all

    def takes(self, attribute: str) -> bool:
        """Say whether a value of an attribute can be asked for by itself."""
        return attribute in self.attributes or (not attribute and self.keyword) or attribute in dict(self.choices)


@dataclass(slots=True)
class Asked:
    """A query, and what its answer has given so far, page by page."""

    query: Query
    value: int = -1  # its number in the graph, where it asks for one value
    known: int = 0  # records with that value before it was asked
    pages: int = 0  # read so far; each cost a request
    records: int = 0  # on these pages
    new: int = 0  # of them
    total: int | None = None  # matches in all, as the answer says
    exact: bool = True
    limit: int = 0  # the most that is shown, as far as is known
    more: bool = False  # a further page can be had
    fresh: list[int] = field(default_factory=list)  # the new records, by their numbers in the graph
    repeats: int = (
        0  # records that it showed twice: its pages were shifted while they were read, or its order is by chance
    )
    aborted: str = ""  # why the rest was not asked for
    failed: str = ""  # why there is no answer

    @property
    def done(self) -> bool:
        """Whether all that can be had of its answer was read."""
        return not (self.more or self.aborted or self.failed)

    @property
    def overflowed(self) -> bool:
        """Whether there are matches that this query cannot show."""
        if self.total is not None and self.exact:
            return self.total > self.records and not self.more
        return bool(self.limit) and self.records >= self.limit


class Selector(Protocol):
    """Chooses queries. The harvest adds records to the graph; the selector is told of each page and each end.

    It is told of the end of queries that it did not choose, too: what was asked before it could choose, and probes
    that only count. Such a query may have no value, several, or a value that nobody has met.
    """

    def seed(self, values: list[Value]) -> None:
        """Take values to begin with, or that came from elsewhere."""

    def choose(self) -> Query | None:
        """Return the next query; each is given once. None when nothing is left to ask."""

    def why_abort(self, asked: Asked) -> str:
        """After a page of a query that it chose: say why the next page is not worth its request; nothing means go on."""

    def learn(self, asked: Asked) -> None:
        """Take in a query that is over: its `fresh` records are in the graph."""


@runtime_checkable
class Proving(Protocol):
    """A selector that can prove that everything was drawn."""

    def verdict(self) -> Verdict:
        """Say whether everything was drawn, or why that is not proven."""

    def certificate(self) -> dict[str, Any]:
        """Return the proof as plain data."""


@dataclass(frozen=True, slots=True)
class Parts:
    """What a selector is made of."""

    graph: Graph
    interface: Interface
    rng: Random
