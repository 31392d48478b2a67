"""What a selector sees and decides: which query is asked next, and when an answer is not worth its next page."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, field
from heapq import heappop, heappush
from random import Random
from typing import Any, Final, Protocol, runtime_checkable

from dowse.model import Answer, Query, Value, Verdict
from dowse.select.graph import Graph

DEFAULT_PAGE_SIZE = 10  # records on a page, until one was seen (paper 4, Section 5)

POSTPONED: Final = "its next page can wait"  # why an answer is left whose query may be chosen again: it goes on there

Ask = Callable[[Query, int], Awaitable[Answer]]  # a query and the number of a page, counted from 0


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
    page_size: int = DEFAULT_PAGE_SIZE
    limit: int = 0  # records that are shown at most for one query; 0 for all

    def takes(self, attribute: str) -> bool:
        """Return True if a value of an attribute can be asked for by itself."""
        return attribute in self.attributes or (not attribute and self.keyword) or attribute in dict(self.choices)


@dataclass(slots=True)
class QueryProgress:
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
    more: bool = False  # there is a further page
    fresh: list[int] = field(default_factory=list)  # the new records, by their numbers in the graph
    repeats: int = (
        0  # records that it showed twice: its pages were shifted while they were read, or its order is by chance
    )
    aborted: str = ""  # why the rest was not asked for
    failed: str = ""  # why there is no answer

    @property
    def done(self) -> bool:
        """Return True if all that is available of its answer was read."""
        return not (self.more or self.aborted or self.failed)

    @property
    def overflowed(self) -> bool:
        """Return True if there are matches that this query cannot show."""
        if self.total is not None and self.exact:
            return self.total > self.records and not self.more
        return bool(self.limit) and self.records >= self.limit


class Selector(Protocol):
    """Chooses queries. The harvest adds records to the graph; the selector is told of each page and each end.

    It is told of the end of queries that it did not choose, too: what was asked before it could choose, and probes
    that only count. Such a query may have no value, several, or a value that nobody has met.
    """

    def seed(self, values: list[Value]) -> None:
        """Add values to begin with, or that came from elsewhere."""

    def choose(self) -> Query | None:
        """Return the next query; each is given once, a postponed one again. None when nothing is left to ask."""

    def why_abort(self, asked: QueryProgress) -> str:
        """After a page of a query that it chose: say why the next page is not worth its request; nothing means go on.

        What is left as `POSTPONED` goes on at its next page when its query is chosen again.
        """

    def learn(self, asked: QueryProgress) -> None:
        """Learn from a query that is over: its `fresh` records are in the graph."""


@runtime_checkable
class ProvingSelector(Protocol):
    """A selector that can prove that everything was harvested."""

    def verdict(self) -> Verdict:
        """Return whether everything was harvested, or why that is not proven."""

    def certificate(self) -> dict[str, Any]:
        """Return the proof as plain data."""


@dataclass(frozen=True, slots=True)
class SelectorParts:
    """What a selector is made of."""

    graph: Graph
    interface: Interface
    rng: Random


# -- which values wait to be asked for: those that were met, that the interface takes, each of them once


@dataclass(slots=True)
class Candidates:
    """The values of the graph that can be asked for by themselves and were not (L-to-query, paper 4, Section 2.5)."""

    graph: Graph
    interface: Interface
    asked: bytearray = field(default_factory=bytearray)  # of each value, whether it was asked for
    askable: list[bool] = field(default_factory=list)  # of each attribute, whether the interface takes it alone
    met: int = 0  # values that were taken up so far: they are numbered in the order they were met
    listed: bool = False  # whether the values that the form lists were taken up
    elsewhere: set[Value] = field(default_factory=set)  # values that others asked for before they were met

    def add(self, values: Iterable[Value]) -> None:
        """Add values that came from elsewhere into the graph."""
        for value in values:
            self.graph.number(value)

    def add_new(self) -> Iterable[int]:
        """Return the values that were met since the last time, in their order, where they can be asked for."""
        first, self.met = self.met, self.graph.value_count
        self.asked.extend(bytes(self.met - len(self.asked)))
        for name in self.graph.attributes[len(self.askable) :]:
            self.askable.append(takes_alone(self.interface, name))
        for value in range(first, self.met) if self.elsewhere else ():
            self.asked[value] |= self.graph.value(value) in self.elsewhere
        askable, attribute_of, done = self.askable, self.graph.attribute_of, self.asked
        return [v for v in range(first, self.met) if askable[attribute_of[v]] and not done[v]]

    def add_listed(self) -> Iterable[int]:
        """Return the values that the form lists and that were not met: what is left when nothing else is."""
        if self.listed:
            return ()
        self.listed = True
        self.add(Value(name, text) for name, texts in self.interface.choices for text in texts if text)
        return self.add_new()

    def waits(self, value: int) -> bool:
        """Return True if a value can be asked for and was not."""
        return self.askable[self.graph.attribute_of[value]] and not self.asked[value]

    def make_query(self, value: int) -> Query:
        """Return the query for a value, which is not asked for again."""
        self.asked[value] = 1
        return Query((self.graph.value(value),))

    def learn(self, asked: QueryProgress) -> None:
        """Note a query that was asked, whoever chose it."""
        if 0 <= asked.value < len(self.asked):
            self.asked[asked.value] = 1
        elif len(asked.query.values) == 1 and not asked.query.ranges:
            self.elsewhere.update(asked.query.values)


def takes_alone(interface: Interface, attribute: str) -> bool:
    """Return True if a query may have a value of this attribute and nothing else."""
    return interface.takes(attribute) and set(interface.required) <= {attribute}


# -- when an answer is not worth its next page, whoever chose its query (paper 4, Section 3.4)
#
# Where the answer says how many records match, those to come are counted; where it does not, they are guessed by the
# pages before. The paper names no threshold: here it is a part of what a request has brought lately.

EXPECTED_AS_PAGES: Final = 1.0  # pages that what was expected counts for, where the answer says no total
MIN_PACE_SHARE: Final = (
    0.5  # of what a request brings lately: what was left may be asked for again, from its first page
)
PACE_HALF_LIFE_REQUESTS: Final = 50.0  # requests after which what they brought counts half
WAITS_TO_THE_END: Final = 1e-9  # new records for a request: less than any count promises, and more than nothing
MIN_GUESSED_PAGES: Final = 3  # pages of an answer without a total that are read ("the first several pages")


def count_new_per_page(asked: QueryProgress, known: float, page_size: int) -> float:
    """Count the new records on each page to come: all matches that are not known, as far as they are shown."""
    total = asked.total or 0
    shown = min(total, asked.limit) if asked.limit else total
    left = shown - asked.records
    if left <= 0:
        return 0.0
    hidden = total - asked.records  # some of them are not shown: they have their share of what is new
    return max(0, total - known) * left / hidden / -(-left // page_size)


def estimate_new_per_page(asked: QueryProgress, expected: float) -> float:
    """Guess the new records on the next page by those on the pages before; what was expected counts as one page more."""
    return (asked.new + EXPECTED_AS_PAGES * expected) / (asked.pages + EXPECTED_AS_PAGES)


@dataclass(slots=True)
class AbortingSelector:
    """Leaves answers whose next pages bring little, whatever selector chose their queries.

    What was left is asked for again, and then read to its end, when it promises more than requests bring by then, or
    when the selector has nothing else to ask.
    """

    selector: Selector
    parts: SelectorParts
    pace: float = 0.0  # new records for a request, lately
    # queries whose answers were left, in a heap: what they promised when last looked at, which can only fall, and totals
    left: list[tuple[float, int, Query, int]] = field(default_factory=list)
    count: int = 0  # answers that were left so far
    again: set[Query] = field(default_factory=set)  # of them, those that were asked for again

    def __post_init__(self) -> None:
        """Begin with full pages."""
        self.pace = float(self.parts.interface.page_size)

    def seed(self, values: list[Value]) -> None:
        """Hand values on."""
        self.selector.seed(values)

    def choose(self) -> Query | None:
        """Return an answer that was left if it promises enough by now, else what the selector chooses."""
        return self._pop_left(self.pace) or self.selector.choose() or self._pop_left(0.0)

    def _pop_left(self, least: float) -> Query | None:
        """Take out the query that was left and promises most, if that is more than so many new records for a request."""
        while self.left and -self.left[0][0] > least:
            promised, number, query, total = heappop(self.left)
            now = -self._promise(query, total)
            if now > promised:  # some of it has come with other queries
                if now < 0:
                    heappush(self.left, (now, number, query, total))
                continue
            self.again.add(query)
            return query
        return None

    def _promise(self, query: Query, total: int) -> float:
        """Return the new records for each request of an answer from its first page; what says no total waits to the end."""
        value = self.parts.graph.find_only_value(query)
        if total < 0 or value is None:
            return WAITS_TO_THE_END
        interface = self.parts.interface
        shown = min(total, interface.limit) if interface.limit else total
        new = max(0, total - self.parts.graph.count(value)) * shown / max(1, total)
        return new / max(1, -(-shown // interface.page_size))

    def why_abort(self, asked: QueryProgress) -> str:
        """Return a reason where a page to come brings too little beside what requests have brought lately."""
        if asked.query in self.again:
            return ""
        if asked.total is not None and asked.exact:
            known = self.parts.graph.count(asked.value) if asked.value >= 0 else asked.known + asked.new
            rate = count_new_per_page(asked, known, self.parts.interface.page_size)
        elif asked.pages < MIN_GUESSED_PAGES:
            return ""
        else:
            rate = estimate_new_per_page(asked, self.pace)
        return "expected too few new records" if rate < MIN_PACE_SHARE * self.pace else ""

    def learn(self, asked: QueryProgress) -> None:
        """Note what a query brought for its requests, and hand it on."""
        if asked.pages:
            kept = 0.5 ** (asked.pages / PACE_HALF_LIFE_REQUESTS)
            self.pace = self.pace * kept + asked.new / asked.pages * (1 - kept)
        if asked.aborted and asked.query not in self.again:
            total = asked.total if asked.total is not None and asked.exact else -1
            heappush(self.left, (-self._promise(asked.query, total), self.count, asked.query, total))
            self.count += 1
        self.selector.learn(asked)


@dataclass(slots=True)
class PatientSelector:
    """Reads every answer to its end, whatever selector chose its query."""

    selector: Selector

    def seed(self, values: list[Value]) -> None:
        """Hand values on."""
        self.selector.seed(values)

    def choose(self) -> Query | None:
        """Return what the selector chooses."""
        return self.selector.choose()

    def why_abort(self, asked: QueryProgress) -> str:
        """Read on; the selector is told of the page all the same."""
        self.selector.why_abort(asked)
        return ""

    def learn(self, asked: QueryProgress) -> None:
        """Hand on what came."""
        self.selector.learn(asked)
