"""The query, harvest, decompose loop (paper 4, Section 2), and the steering around a selector."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from random import Random

from dowse.model import Answer, Query, Record, Value
from dowse.select.graph import Graph
from dowse.select.selector import Asked, Interface, Selector
from dowse.yields.reach import MOST_PAGES, Reach, Shown, allow_probes, choose_probe
from dowse.yields.size import Size, estimate_size

# --- loop
# Query, harvest, decompose (paper 4, Section 2): the loop itself, over any source that answers.

Ask = Callable[[Query, int], Awaitable[Answer]]  # a query and the number of a page, counted from 0
Decompose = Callable[[Record], Iterable[Value]]


@dataclass(slots=True)
class Drawn:
    """What was drawn so far: the records are in the graph, their keys here."""

    graph: Graph
    keys: dict[bytes, int] = field(default_factory=dict)  # what tells a record from others -> its number in the graph
    requests: int = 0
    queries: int = 0

    def add(self, records: Iterable[Record], decompose: Decompose) -> tuple[tuple[int, ...], tuple[Record, ...]]:
        """Add the records that are new; return the numbers of all, and those that were new."""
        numbers, new = [], []
        for record in records:
            key = key_of(record)
            number = self.keys.get(key)
            if number is None:
                number = self.keys[key] = self.graph.add(decompose(record))
                new.append(record)
            numbers.append(number)
        return tuple(numbers), tuple(new)


@dataclass(frozen=True, slots=True)
class Draught:
    """One page of an answer: what it held, and what of it is new."""

    asked: Asked
    answer: Answer
    numbers: tuple[int, ...] = ()  # of its records
    new: tuple[Record, ...] = ()
    over: bool = False  # the query is done with


async def draw(
    ask: Ask,
    selector: Selector,
    drawn: Drawn,
    decompose: Decompose,
    why_stop: Callable[[], str] = lambda: "",
) -> AsyncIterator[Draught]:
    """Ask what the selector chooses, page by page, until nothing is left to ask or somebody says stop."""
    while not why_stop():
        query = selector.choose()
        if query is None:
            return
        drawn.queries += 1
        asked, shown = _begin(query, drawn.graph), set[int]()
        while True:
            answer = await ask(query, asked.pages)
            draught = _take_in(answer, asked, drawn, decompose, selector, shown)
            if draught.over:
                selector.learn(asked)
            yield draught
            if draught.over:
                break
            if why_stop():
                return


def _begin(query: Query, graph: Graph) -> Asked:
    value = graph.find(query.values[0]) if len(query.values) == 1 and not query.ranges else None
    if value is None:
        return Asked(query)
    return Asked(query, value, graph.count(value))


def _take_in(
    answer: Answer, asked: Asked, drawn: Drawn, decompose: Decompose, selector: Selector, shown: set[int]
) -> Draught:
    """Add what is new on a page, and decide whether the next is wanted."""
    drawn.requests += answer.requests
    numbers, new = drawn.add(answer.records, decompose)
    asked.fresh += range(drawn.graph.record_count - len(new), drawn.graph.record_count)
    asked.repeats += len(numbers) - len(set(numbers) - shown)
    shown.update(numbers)
    asked.pages += 1
    asked.records += len(answer.records)
    asked.new += len(new)
    asked.more = answer.more and bool(answer.records)
    if asked.total is None and answer.total is not None:  # a last page that is empty says none
        asked.total, asked.exact = answer.total, answer.exact
    asked.limit = answer.limit or asked.limit
    asked.failed = str(answer.failure) if answer.failure else answer.trouble
    if asked.more and not asked.failed:
        asked.aborted = selector.why_abort(asked)
    return Draught(asked, answer, numbers, new, over=bool(asked.failed or asked.aborted) or not asked.more)


def key_of(record: Record) -> bytes:
    """Return what tells a record from others: its own key, else all of its values."""
    text = record.key or "\n".join(f"{attribute}\t{text}" for attribute, text in sorted(record.values))
    return blake2b(text.encode("utf-8", "replace"), digest_size=12).digest()


# --- steer
# Around a selector: what is asked first, and now and then a value drawn at random, only to learn how large the source is.

ONLY_COUNTED = "asked only to learn how many there are"
TOO_LONG = "asked only to learn how many there are, and long"


@dataclass(slots=True)
class Steered:
    """Asks some queries first, then what a selector chooses, with probes in between; keeps account of what they reach."""

    selector: Selector
    graph: Graph
    interface: Interface
    rng: Random
    first: list[Query] = field(default_factory=list)
    values: Sequence[Value] = ()  # handed to the selector after what is asked first
    reach: Reach = field(init=False)
    probed: int = 0  # requests spent on probes; one that found no value counts, too
    requests: int = 0
    _asked: set[Query] = field(default_factory=set)
    _shown: Shown = field(default_factory=lambda: Shown(-1))
    _seeded: bool = False
    _wavers: bool = False  # a query for everything said another total on another page, or none
    _chosen: Query | None = None  # by the selector, the last time
    _left: list[tuple[Query, int | None]] = field(default_factory=list)  # probes that were left, and their totals

    def __post_init__(self) -> None:
        """Begin to keep account."""
        self.reach = Reach(self.graph)

    def seed(self, values: list[Value]) -> None:
        """Hand values on."""
        self.selector.seed(values)

    def choose(self) -> Query | None:
        """Return the next query."""
        for find in (self._take_first, self._take_probe, self._take_chosen, self._take_left):
            query = find()
            if query is not None:
                return query
        return None

    def _take_first(self) -> Query | None:
        if not self.first:
            return None
        query = self.first.pop(0)
        self._asked.add(query)
        self._begin(query)
        return query

    def _take_probe(self) -> Query | None:
        """Return a probe when it is time for one, and a value is left that nobody has counted."""
        self._seed()
        if self.probed + 1 > allow_probes(self.requests):
            return None
        value = choose_probe(self.reach, self.rng, self._takes_alone)
        if value is None:
            self.probed += 1
            return None
        query = Query((self.graph.value(value),))
        if query in self._asked:
            return None
        self._asked.add(query)
        self._shown = self.reach.begin(value, probe=True)
        return query

    def _takes_alone(self, attribute: str) -> bool:
        return self.interface.takes(attribute) and not set(self.interface.required) - {attribute}

    def _take_chosen(self) -> Query | None:
        """Return what the selector chooses; what was asked before it could choose is not asked again."""
        query = self.selector.choose()
        while query is not None and query in self._asked:
            self._asked.discard(query)
            query = self.selector.choose()
        if query is not None:
            self._begin(query)
        self._chosen = query
        return query

    def _take_left(self) -> Query | None:
        """Return a probe that was left, when nothing else is to be asked and not all that it finds is held."""
        while self._left:
            query, total = self._left.pop(0)
            value = self.graph.find(query.values[0])
            if value is None or total is None or self.graph.count(value) < total:
                self._begin(query)
                return query
        return None

    def _seed(self) -> None:
        if not self._seeded:
            self._seeded = True
            self.selector.seed(list(self.values))

    def _begin(self, query: Query) -> None:
        value = self.graph.find(query.values[0]) if len(query.values) == 1 and not query.ranges else None
        self._shown = self.reach.begin(-1 if value is None else value)

    def why_abort(self, asked: Asked) -> str:
        """Leave a probe as soon as it says how many there are, or grows long; of what the selector chose it decides itself."""
        if self._shown.probe:
            if asked.total is not None and asked.exact and asked.new < asked.records / 2:
                return ONLY_COUNTED
            return TOO_LONG if asked.pages >= MOST_PAGES else ""
        return self.selector.why_abort(asked) if asked.query == self._chosen else ""

    def learn(self, asked: Asked) -> None:
        """Hand on what an answer brought; what was left of a probe may be wanted in the end."""
        if self._shown.probe and asked.aborted:
            self._left.append((asked.query, asked.total if asked.exact else None))
        self.selector.learn(asked)

    def note(self, draught: Draught) -> None:
        """Take in a page: what it showed, what it cost."""
        asked, answer = draught.asked, draught.answer
        self.requests += answer.requests
        self.probed += answer.requests if self._shown.probe else 0
        total = answer.total if answer.exact and answer.page == 0 else None
        if asked.query == Query() and answer.exact and answer.records:
            self.reach.total = (
                None if self._wavers or (answer.page and answer.total != self.reach.total) else answer.total
            )
            self._wavers = self._wavers or self.reach.total is None
        self.reach.add(self._shown, draught.numbers, total)
        if draught.over:
            self.reach.end(self._shown, complete=asked.done and not asked.overflowed)

    def estimate(self) -> Size:
        """Return how many records there seem to be."""
        return estimate_size(self.reach.evidence())
