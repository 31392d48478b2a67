"""Around a selector: what is asked first, and now and then a value drawn at random, only to learn how large the source is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random

from dowse.harvest.loop import Draught
from dowse.model import Query, Value
from dowse.select.graph import Graph
from dowse.select.selector import Asked, Interface, Selector
from dowse.yields.probe import MOST_PAGES, allow_probes, choose_probe
from dowse.yields.reach import Reach, Shown
from dowse.yields.size import Size, estimate_size

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
