"""Values that a kindred source has and this one has not shown: asked for as far as they are found (paper 4, Section 4.3).

A table of another domain must do no harm. So what it says counts only times the share of its values that were found, as
low as that may well be, and misses are counted: no more of them than a small part of all queries, unless hits pay for them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Final

from dowse.model import Value
from dowse.select.candidates import takes_alone
from dowse.select.expect import Expectation
from dowse.select.graph import Graph
from dowse.select.kinship import Kinship
from dowse.select.selector import Asked, Interface
from dowse.select.table import DomainTable

FIRST_LOOK: Final = 32  # values met before attributes are compared; then at each doubling
FREE_MISSES: Final = 3  # values that may be asked for in vain before anything is known
MISSES: Final = 0.03  # of all queries that may be in vain beside those that hits pay for
DOUBT: Final = 3.0  # values that the overlap with what was met counts for, beside values that were asked for
TRUST: Final = 20.0  # records that the sizes of both sources count for, beside answers that were compared
KEPT: Final = 0.97  # of what answers told, after each one


@dataclass(frozen=True, slots=True)
class Tip:
    """A value of the table that nobody has met, and the new records for a request that it promises."""

    rate: float
    attribute: str  # of the source
    number: int  # in the table


@dataclass(slots=True)
class _Trial:
    """How many values of an attribute were found, of those that only the table had."""

    hits: int = 0
    misses: int = 0

    def low(self, prior: float) -> float:
        """Return the share that is found, as low as it may well be: a standard deviation below what is expected."""
        found, missed = self.hits + DOUBT * prior, self.misses + DOUBT * (1 - prior)
        both = found + missed
        return max(0.0, found / both - math.sqrt(found * missed / (both + 1)) / both)


@dataclass(slots=True)
class Tips:
    """What a domain table adds to the values that were met."""

    graph: Graph
    interface: Interface
    table: DomainTable
    queries: int = 0
    trials: dict[str, _Trial] = field(default_factory=dict)
    _kinship: Kinship = field(init=False)
    _places: dict[str, tuple[int, ...]] = field(default_factory=dict)  # the table's attributes for each of the source
    _unmet: dict[str, list[int]] = field(default_factory=dict)  # by the source's attribute, the most frequent last
    _found: set[int] = field(default_factory=set)  # values of the table that were met or asked for
    _met: int = 0
    _next_look: int = 0
    _foretold: float = 0.0  # records that the table has of values that were asked for
    _came: float = 0.0  # records that the source has of them

    def __post_init__(self) -> None:
        """Index the table."""
        self._kinship = Kinship(self.table)

    def best(self, expectation: Expectation) -> Tip | None:
        """Return the value that promises most, unless too many were not found."""
        if not self.table.value_count or not self._may_miss():
            return None
        self._take_up()
        tips = [self._weigh(name, expectation) for name in self._unmet]
        return max((tip for tip in tips if tip), key=lambda tip: tip.rate, default=None)

    def _may_miss(self) -> bool:
        hits = sum(trial.hits for trial in self.trials.values())
        misses = sum(trial.misses for trial in self.trials.values())
        return misses < FREE_MISSES + MISSES * self.queries + hits

    def _weigh(self, name: str, expectation: Expectation) -> Tip | None:
        values = self._unmet[name]
        while values and values[-1] in self._found:
            values.pop()
        hit = self.trials.get(name, _Trial()).low(self._kinship.hit_rate(name, self._places[name]))
        if not values or not hit:
            return None
        new = self.table.count(values[-1]) * self._scale(expectation)
        shown, pages = expectation.bring(0.01, new / 0.01)
        return Tip(hit * shown / (hit * pages + 1 - hit), name, values[-1])

    def _scale(self, expectation: Expectation) -> float:
        """Return how many records the source has for each that the table has."""
        prior = expectation.size / max(1, self.table.record_count) if self.graph.record_count else 1.0
        return (self._came + TRUST * prior) / (self._foretold + TRUST)

    def give(self, tip: Tip) -> int:
        """Return the value of a tip by its number in the graph, as the source would write it."""
        self._found.add(tip.number)
        return self.graph.number(Value(tip.attribute, self._kinship.write(tip.attribute, tip.number)))

    def learn(self, tip: Tip | None, asked: Asked) -> None:
        """Note whether a value was found, and how many records it has in both sources."""
        self.queries += 1
        if asked.failed or not self.table.value_count:
            return
        if tip:
            trial = self.trials.setdefault(tip.attribute, _Trial())
            trial.hits += bool(asked.records)
            trial.misses += not asked.records
        if asked.records and (asked.done or asked.total is not None):
            self._compare_sizes(tip, asked)

    def _compare_sizes(self, tip: Tip | None, asked: Asked) -> None:
        if len(asked.query.values) != 1 or asked.query.ranges:
            return
        attribute, text = asked.query.values[0]
        same = (tip.number,) if tip else self._kinship.find(self._places.get(attribute, ()), text)
        if same:
            self._foretold = self._foretold * KEPT + sum(map(self.table.count, same))
            self._came = self._came * KEPT + (asked.total if asked.total is not None else asked.records)

    def _take_up(self) -> None:
        """Look up values that were met since the last time; compare attributes now and then."""
        first, self._met = self._met, self.graph.value_count
        for number in range(first, self._met):
            attribute, text = self.graph.value(number)
            self._kinship.meet(attribute, text)
            self._found.update(self._kinship.find(self._places.get(attribute, ()), text))
        if self._met >= self._next_look:
            self._next_look = max(FIRST_LOOK, 2 * self._met)
            self._compare()

    def _compare(self) -> None:
        """Compare the attributes of the source and the table; begin anew if more is known of them."""
        names = dict.fromkeys([*self.graph.attributes, *self.interface.attributes, *dict(self.interface.choices)])
        places = {name: self._kinship.match(name) for name in names if takes_alone(self.interface, name)}
        if places == self._places:
            return
        self._places = places
        for number in range(self.graph.value_count):
            attribute, text = self.graph.value(number)
            self._found.update(self._kinship.find(places.get(attribute, ()), text))
        self._list_unmet()

    def _list_unmet(self) -> None:
        by_place: dict[int, list[int]] = {}
        for value, place in enumerate(self.table.attribute_of):
            if value not in self._found:
                by_place.setdefault(place, []).append(value)
        self._unmet = {}
        for name, places in self._places.items():
            values = [value for place in places for value in by_place.get(place, ())]
            if values:
                self._unmet[name] = sorted(values, key=lambda value: (self.table.count(value), -value))
