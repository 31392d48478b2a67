"""Values by what a source of the same domain says of them, met or not (paper 4, Section 4)."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Final, NamedTuple

from dowse.model import Query, Value
from dowse.select.candidates import Candidates, takes_alone
from dowse.select.kinship import Kinship
from dowse.select.ranked import Ranked
from dowse.select.selector import Asked, Parts
from dowse.select.statistics import DomainStatistics, foretell
from dowse.select.table import NO_TABLE, DomainTable

TRUST: Final = 20.0  # matches that an estimator is taken to have foretold rightly, before it has foretold any
KEPT: Final = 0.97  # of what was foretold, after each query: the last thirty or so count
WHOLE: Final = -1  # the level that stands for all
FIRST_LOOK: Final = 32  # values met before attributes are compared; then at each doubling
STEPS: Final = 1 << 20  # of a rank
MET, NEW, TABLE = "met", "new", "table"  # in Q_DB and the table; in Q_DB, not in the table; in Q_DT


class Group(NamedTuple):
    """Candidates whose harvest is foretold in the same way."""

    kind: str
    attribute: str  # of the source
    level: int  # the power of two of the records that the table has, or the graph where the table has none


class Choice(NamedTuple):
    """The best of a group."""

    rate: float  # new records per request to be expected
    group: Group
    number: int  # of the value: in the table for Q_DT, else in the graph
    foretold: float  # matches, before experience corrects it


@dataclass(slots=True)
class Experience:
    """How many matches were foretold for the queries of a group, and how many came."""

    foretold: float = 0.0
    came: float = 0.0

    def correct(self, prior: float) -> float:
        """Return by what a forecast is multiplied."""
        return (self.came + TRUST * prior) / (self.foretold + TRUST)

    def add(self, foretold: float, came: float) -> None:
        """Take in a query that is over."""
        self.foretold = self.foretold * KEPT + foretold
        self.came = self.came * KEPT + came


@dataclass(slots=True)
class Domain:
    """Asks for the value with the greatest harvest rate by the domain's statistics.

    Candidates stand in groups of one kind, attribute and order of magnitude. Only the first of each group has its rate
    computed (the lazy evaluation of Section 4.4); inside a group the order does not change with what is drawn.
    """

    parts: Parts
    table: DomainTable = NO_TABLE
    names: Mapping[str, Sequence[str]] = field(default_factory=dict)  # the table's attributes by the source's, if given
    candidates: Candidates = field(init=False)
    kinship: Kinship = field(init=False)
    statistics: DomainStatistics = field(init=False)
    same: list[tuple[int, ...]] = field(default_factory=list)  # of each value of the graph: the same in the table
    outside_of: array[int] = field(default_factory=lambda: array("I"))  # of each value: its records in Delta DM
    ranks: array[int] = field(default_factory=lambda: array("Q"))
    group_of: list[Group | None] = field(default_factory=list)  # of each value of the graph
    groups: dict[Group, Ranked] = field(default_factory=dict)
    unmet: dict[Group, list[int]] = field(default_factory=dict)  # values of the table only, the most frequent last
    found: set[int] = field(default_factory=set)  # values of the table that were met or asked for
    places: dict[str, tuple[int, ...]] = field(default_factory=dict)  # the table's attributes for each of the source
    next_look: int = 0  # values to be met before attributes are compared again
    touched: set[int] = field(default_factory=set)
    experience: dict[Group, Experience] = field(default_factory=dict)
    choice: Choice | None = None
    given: Query | None = None  # what was chosen

    def __post_init__(self) -> None:
        """Begin with what the graph has."""
        self.candidates = Candidates(self.parts.graph, self.parts.interface)
        self.kinship = Kinship(self.table, self.names)
        self.statistics = DomainStatistics(self.table)

    def seed(self, values: list[Value]) -> None:
        """Take values to begin with."""
        self.candidates.add(values)

    def choose(self) -> Query | None:
        """Return the query with the greatest harvest rate, of the values that were met and those in the table."""
        self._take_up(self.candidates.take_up())
        self.choice = self._best()
        if self.choice is None:
            self._take_up(self.candidates.take_listed())
            self.choice = self._best()
        self.given = None if self.choice is None else self._give(self.choice)
        return self.given

    def why_abort(self, asked: Asked) -> str:
        """Read every answer to its end."""
        return ""

    def learn(self, asked: Asked) -> None:
        """Note what came of a forecast, and bring the statistics up to date."""
        self.candidates.learn(asked)
        self._take_up(self.candidates.take_up())
        if 0 <= asked.value < len(self.same):
            self.statistics.cover(self.same[asked.value])
        if self.choice is not None and asked.query == self.given and not asked.failed:
            self._compare_forecast(self.choice, asked)
        for record in asked.fresh:
            self._add_record(self.parts.graph.values_of(record))

    def _compare_forecast(self, choice: Choice, asked: Asked) -> None:
        came = asked.total if asked.total is not None and asked.exact else asked.records
        for group in (choice.group, choice.group._replace(level=WHOLE)):
            self.experience.setdefault(group, Experience()).add(choice.foretold, came)

    def _add_record(self, values: Iterable[int]) -> None:
        self.statistics.local += 1
        self.touched.update(values)
        if not all(self.same[value] for value in values):
            self.statistics.outside += 1
            for value in values:
                self.outside_of[value] += 1

    def _take_up(self, values: Iterable[int]) -> None:
        """Look values up in the table, and rank those that changed."""
        graph = self.parts.graph
        for value in range(len(self.same), graph.value_count):
            attribute, text = graph.value(value)
            self.kinship.meet(attribute, text)
            self._look_up(value)
        self.group_of.extend([None] * (len(self.same) - len(self.group_of)))
        self.outside_of.frombytes(bytes((len(self.same) - len(self.outside_of)) * self.outside_of.itemsize))
        self.touched.update(values)
        if len(self.same) >= self.next_look:
            self._compare()
        self._rank(self.touched)
        self.touched.clear()

    def _look_up(self, value: int) -> None:
        attribute, text = self.parts.graph.value(value)
        entries = self.kinship.find(self.places.get(attribute, ()), text)
        self.same[value:] = [entries]
        self.found.update(entries)

    def _compare(self) -> None:
        """Compare the attributes of the source and the table again; start over if more is known of them."""
        self.next_look = max(FIRST_LOOK, 2 * len(self.same))
        interface = self.parts.interface
        names = dict.fromkeys([*self.parts.graph.attributes, *interface.attributes, *dict(interface.choices)])
        places = {name: self.kinship.match(name) for name in names}
        if places == self.places:
            return
        self.places = places
        same, self.same = self.same, []
        for value in range(len(same)):
            self._look_up(value)
        self.touched.update(range(len(same)))
        self._list_unmet()

    def _list_unmet(self) -> None:
        """Sort the values of the table into groups, the most frequent of each last."""
        count = self.table.count
        self.unmet = {}
        for name, places in self.places.items():
            if takes_alone(self.parts.interface, name):
                for value in range(self.table.value_count):
                    if self.table.attribute_of[value] in places and value not in self.found:
                        self.unmet.setdefault(Group(TABLE, name, count(value).bit_length()), []).append(value)
        for values in self.unmet.values():
            values.sort(key=lambda value: (count(value), -value))

    def _frequency(self, value: int) -> int:
        """Return the records of a value in DM and Delta DM (Eq. 4.3)."""
        return sum(map(self.table.count, self.same[value])) + self.outside_of[value]

    def _rank(self, values: Iterable[int]) -> None:
        graph, waits = self.parts.graph, self.candidates.waits
        for value in sorted(values):
            if waits(value):
                known, frequency = graph.count(value), self._frequency(value)
                kind = MET if self.same[value] else NEW
                level = (frequency if self.same[value] else known).bit_length()
                group = self.group_of[value] = Group(kind, graph.attributes[graph.attribute_of[value]], level)
                if group not in self.groups:
                    self.groups[group] = Ranked(partial(self._waits_in, group), self.ranks)
                rank = STEPS * frequency // max(1, known) if kind == MET else graph.links[value]
                self.groups[group].push([(value, rank)])

    def _waits_in(self, group: Group, value: int) -> bool:
        return self.group_of[value] == group and self.candidates.waits(value)

    def _best(self) -> Choice | None:
        """Return the best of the first candidates of all groups."""
        firsts = [(group, ranked.peek()) for group, ranked in self.groups.items()]
        firsts += [(group, self._first_unmet(values)) for group, values in self.unmet.items()]
        choices = [self._foretell(group, number) for group, number in firsts if number is not None]
        return max(choices, default=None)

    def _first_unmet(self, values: list[int]) -> int | None:
        while values and values[-1] in self.found:
            values.pop()
        return values[-1] if values else None

    def _foretell(self, group: Group, number: int) -> Choice:
        """Estimate what a candidate will bring, corrected by what its like has brought."""
        known = 0 if group.kind == TABLE else self.parts.graph.count(number)
        matches = self._estimate(group, number, known)
        corrected = matches * self._correction(group)
        new, requests = foretell(self.parts.interface, corrected, known)
        return Choice(new / requests, group, number, matches)

    def _estimate(self, group: Group, number: int, known: int) -> float:
        """Estimate the matches of a value (Section 4.2)."""
        if group.kind == TABLE:
            return self.statistics.estimate(self.table.count(number))
        if group.kind == MET:
            return self.statistics.estimate(self._frequency(number))
        return known / self.statistics.part  # what the table lacks is taken to be as far known as the domain

    def _correction(self, group: Group) -> float:
        """Return by what an estimate is multiplied: for values that were not met, at first by the hit rate (4.3)."""
        nothing = Experience()
        prior = self.kinship.hit_rate(group.attribute, self.places[group.attribute]) if group.kind == TABLE else 1.0
        whole = self.experience.get(group._replace(level=WHOLE), nothing).correct(prior)
        return self.experience.get(group, nothing).correct(whole)

    def _give(self, choice: Choice) -> Query:
        if choice.group.kind != TABLE:
            return self.candidates.give(choice.number)
        text = self.kinship.write(choice.group.attribute, choice.number)
        self.found.add(choice.number)
        number = self.parts.graph.number(Value(choice.group.attribute, text))
        self._take_up(self.candidates.take_up())
        self.same[number] = self.same[number] or (choice.number,)
        return self.candidates.give(number)
