"""Query, harvest, decompose (paper 4, Section 2): the loop itself, over any source that answers."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from dataclasses import dataclass, field
from hashlib import blake2b

from dowse.model import Answer, Query, Record, Value
from dowse.select.graph import Graph
from dowse.select.selector import Asked, Selector

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
