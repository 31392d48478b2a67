"""Several values in one query: what of an answer the limit cut off is asked for in parts.

A query whose answer was cut is a spring (`join_springs.py`): it says how many records it hides, and what it showed
says which values they are likely to have. Joins wait in heaps, one for each set of attributes and order of
magnitude; for each heap it is learned how far what came was from what was foretold.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from heapq import heapify, heappop, heappush, nsmallest
from itertools import combinations
from typing import Final, NamedTuple

from dowse.model import Query, Value
from dowse.select.expect import Expectation
from dowse.select.graph import Graph
from dowse.select.join_required import Required
from dowse.select.join_springs import Spring, Springs, count_members
from dowse.select.selector import Asked, Interface

WIDEST: Final = 4  # values in one query
TRUST: Final = 4.0  # queries whose new records are taken to have been foretold rightly, before any were
MOST_TOLD: Final = 3.0  # times what was foretold: more is luck
KEPT: Final = 0.97  # of what was foretold, after each query of a group
FLOOR: Final = 0.1  # new records for a request: a join that promises fewer is not asked for
FIRST: Final = 0.7  # of known records are shown first, before it is known in which order a source shows them
FIRST_TRUST: Final = 20.0  # known records that this counts for
STEADY: Final = 0.9  # of what it promised when it was last looked at: a join that does still is taken
PATIENCE: Final = 20  # looks until the best is taken as it is
MOST_WAITING: Final = 20_000  # joins in one heap; half of them go when there are more
WHOLE: Final = -1  # the level that stands for all


class Group(NamedTuple):
    """Joins of the same attributes that promise about as many new records."""

    attributes: tuple[int, ...]
    level: int


class Join(NamedTuple):
    """Values that can be asked for together, the best first in a heap."""

    loss: float  # the new records for a request that it promises, less than nothing for the order of the heap
    values: tuple[int, ...]
    matches: float  # foretold
    known: float  # of them
    new: float = 0.0  # records to come, as it was looked at last
    rate: float = 0.0  # new records for a request, as experience corrects it


@dataclass(slots=True)
class _Experience:
    """How many new records were foretold, and how many came."""

    foretold: float = 0.0
    came: float = 0.0

    def correct(self, prior: float, trust: float = TRUST) -> float:
        return max(0.0, (self.came + trust * prior) / (self.foretold + trust))

    def add(self, foretold: float, came: float) -> None:
        self.foretold = self.foretold * KEPT + foretold
        self.came = self.came * KEPT + came


@dataclass(slots=True)
class Joins:
    """The queries for several values that wait, and what they promise."""

    graph: Graph
    interface: Interface
    expectation: Expectation
    springs: Springs = field(init=False)
    required: Required = field(init=False)
    given: set[tuple[int, ...]] = field(default_factory=set)
    whole: set[tuple[int, ...]] = field(default_factory=set)  # values whose records are all known
    _heaps: dict[Group, list[Join]] = field(default_factory=dict)
    _promises: dict[Group, float] = field(default_factory=dict)  # new records for a request of the first of each heap
    _stale: set[Group] = field(default_factory=set)  # groups whose promise has to be worked out again
    _experience: dict[Group, _Experience] = field(default_factory=dict)
    _limit: int = 0  # records that are shown at most
    _first_known: _Experience = field(default_factory=_Experience)  # of known ones, shown beyond what chance would show

    def __post_init__(self) -> None:
        """Begin with nothing cut off."""
        self.springs = Springs(self.graph, self.interface)
        self.required = Required(self.graph, self.interface)
        self._limit = self.interface.limit

    @property
    def possible(self) -> bool:
        """Whether the form takes several values at once."""
        return self.interface.joins or bool(self.interface.required)

    def note(self, values: tuple[int, ...], asked: Asked, known: float) -> None:
        """Take in the end of a query: its values are done with, or its answer was cut and its parts are wanted."""
        if not values or asked.failed:
            return
        self.given.add(values)
        if asked.done and not asked.overflowed:
            self.whole.add(values)
        elif self._was_cut(asked):
            self._limit = asked.limit or self._limit or asked.records
            self._open(self.springs.add(values, asked, known))

    def take_in(self, records: Sequence[int]) -> None:
        """Let the sets of values wait that new records show, where the form demands several."""
        if not self.required.several:
            return
        unseen = self.expectation.size / max(1, self.graph.record_count) - 1
        for values, known in self.required.add(records):
            if values not in self.given:
                self.add(values, known * (1 + unseen), known)

    def try_next(self) -> Join | None:
        """Return values that nobody has seen together, where the form demands several: the last resort."""
        values = self.required.try_next(self.given) if self.required.several else None
        return None if values is None else Join(0.0, values, 1.0, 0.0, new=1.0)

    def _was_cut(self, asked: Asked) -> bool:
        limit = asked.limit or self.interface.limit
        return asked.overflowed or bool(limit and asked.total and asked.total > limit)

    def _open(self, spring: Spring) -> None:
        if len(spring.values) >= WIDEST:
            return
        for partner, matches, known in self.springs.find_partners(spring):
            values = tuple(sorted((*spring.values, partner)))
            if values not in self.given and not any(part in self.whole for part in _parts(values)):
                self.add(values, matches, known)

    def add(self, values: tuple[int, ...], matches: float, known: float) -> None:
        """Let a join wait."""
        new, pages = self._bring(matches, known)
        group = self._group(values, new)
        heap = self._heaps.setdefault(group, [])
        heappush(heap, Join(-new / pages, values, matches, known))
        self._stale.add(group)
        if len(heap) > MOST_WAITING:
            heap[:] = nsmallest(MOST_WAITING // 2, heap)
            heapify(heap)

    def _group(self, values: tuple[int, ...], new: float) -> Group:
        attributes = sorted(self.graph.attribute_of[value] for value in values)
        return Group(tuple(attributes), int(max(0.0, new) + 1).bit_length())

    def _bring(self, matches: float, known: float) -> tuple[float, float]:
        """Return the new records and the requests of a join, before experience corrects it."""
        matches = max(matches, known)
        if self._limit and matches > self._limit:
            by_chance, at_most = self._known_among_shown(matches, known)
            first = min(1.0, self._first_known.correct(FIRST, FIRST_TRUST))
            shown = self._limit - by_chance - first * (at_most - by_chance)
            return max(0.0, shown), float(-(-self._limit // self.expectation.page_size))
        known = max(known, 0.01)
        return self.expectation.bring(known, max(0.0, matches - known) / known)

    def _known_among_shown(self, matches: float, known: float) -> tuple[float, float]:
        """Return how many of the records that an answer shows before it is cut are known: by chance, and at most."""
        return self._limit * known / matches, min(known, self._limit)

    def best(self) -> Join | None:
        """Return the join that promises most, as it stands now."""
        for _ in range(PATIENCE):
            group = self._find_group()
            if group is None:
                return None
            join = self._heaps[group][0]
            known = count_members(self.graph, join.values)
            new, pages = self._bring(join.matches, known)
            self._stale.add(group)
            if new / pages >= STEADY * -join.loss:
                return join._replace(known=known, new=new, rate=new / pages * self._correction(group))
            heappop(self._heaps[group])
            self.add(join.values, join.matches, known)
        return None

    def _find_group(self) -> Group | None:
        """Return the group whose first join promises most, if that is enough."""
        for group in self._stale:
            join = self._top(group)
            if join is None:
                self._heaps.pop(group, None)
                self._promises.pop(group, None)
            else:
                self._promises[group] = -join.loss * self._correction(group)
        self._stale.clear()
        best = max(self._promises, key=self._promises.__getitem__, default=None)
        return best if best is not None and self._promises[best] >= FLOOR else None

    def _top(self, group: Group) -> Join | None:
        """Return the first join of a group; what was asked for meanwhile, or is known whole, is dropped."""
        heap = self._heaps.get(group, [])
        while heap:
            if heap[0].values not in self.given and not any(part in self.whole for part in _parts(heap[0].values)):
                return heap[0]
            heappop(heap)
        return None

    def _correction(self, group: Group) -> float:
        nothing = _Experience()
        whole = self._experience.get(group._replace(level=WHOLE), nothing).correct(1.0)
        return self._experience.get(group, nothing).correct(whole)

    def give(self, join: Join) -> Query:
        """Return the query of a join, which is not asked for again."""
        self.given.add(join.values)
        return self.query(join.values)

    def query(self, values: tuple[int, ...]) -> Query:
        """Return the query for values, always in the same order."""
        return Query(tuple(sorted(map(self.graph.value, values))))

    def learn(self, join: Join, asked: Asked) -> None:
        """Compare what came of a join with what was foretold."""
        if asked.failed:
            return
        self.required.barren = 0 if asked.records else self.required.barren + 1
        self._learn_first(join, asked)
        pages = self._bring(join.matches, join.known)[1]
        came = asked.new if asked.done else asked.new / asked.pages * pages
        group = self._group(join.values, join.new)
        for each in (group, group._replace(level=WHOLE)):
            self._experience.setdefault(each, _Experience()).add(1.0, min(MOST_TOLD, came / max(join.new, 0.01)))
        self._stale.update(each for each in self._heaps if each.attributes == group.attributes)

    def _learn_first(self, join: Join, asked: Asked) -> None:
        """Learn whether a source shows first what it showed before: most have one order for all answers."""
        if self._limit and asked.total and asked.total > self._limit and asked.records >= self._limit:
            by_chance, at_most = self._known_among_shown(asked.total, join.known)
            again = asked.records - asked.new
            self._first_known.add(max(0.0, at_most - by_chance), again - by_chance)

    def find(self, query: Query) -> tuple[int, ...]:
        """Return the values of a query by their numbers; nothing where one was never met or a range is asked for."""
        numbers = [self.graph.find(Value(*value)) for value in query.values]
        if query.ranges or None in numbers:
            return ()
        return tuple(sorted(number for number in numbers if number is not None))


def _parts(values: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Yield all that a join is made of: who knows all records of one of these knows those of the join."""
    for size in range(1, len(values)):
        yield from combinations(values, size)
