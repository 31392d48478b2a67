"""Which values wait to be asked for: those that were met, that the interface takes, each of them once."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from dowse.model import Query, Value
from dowse.select.graph import Graph
from dowse.select.selector import Asked, Interface


@dataclass(slots=True)
class Candidates:
    """The values of the graph that can be asked for by themselves and were not (L-to-query, paper 4, Section 2.5)."""

    graph: Graph
    interface: Interface
    given: bytearray = field(default_factory=bytearray)  # of each value, whether it was asked for
    taken: list[bool] = field(default_factory=list)  # of each attribute, whether the interface takes it alone
    met: int = 0  # values that were taken up so far: they are numbered in the order they were met
    listed: bool = False  # whether the values that the form lists were taken up
    elsewhere: set[Value] = field(default_factory=set)  # values that others asked for before they were met

    def add(self, values: Iterable[Value]) -> None:
        """Take values that came from elsewhere into the graph."""
        for value in values:
            self.graph.number(value)

    def take_up(self) -> Iterable[int]:
        """Return the values that were met since the last time, in their order, where they can be asked for."""
        first, self.met = self.met, self.graph.value_count
        self.given.extend(bytes(self.met - len(self.given)))
        for name in self.graph.attributes[len(self.taken) :]:
            self.taken.append(takes_alone(self.interface, name))
        for value in range(first, self.met) if self.elsewhere else ():
            self.given[value] |= self.graph.value(value) in self.elsewhere
        taken, attribute_of, given = self.taken, self.graph.attribute_of, self.given
        return [v for v in range(first, self.met) if taken[attribute_of[v]] and not given[v]]

    def take_listed(self) -> Iterable[int]:
        """Return the values that the form lists and that were not met: what is left when nothing else is."""
        if self.listed:
            return ()
        self.listed = True
        self.add(Value(name, text) for name, texts in self.interface.choices for text in texts if text)
        return self.take_up()

    def waits(self, value: int) -> bool:
        """Say whether a value can be asked for and was not."""
        return self.taken[self.graph.attribute_of[value]] and not self.given[value]

    def give(self, value: int) -> Query:
        """Return the query for a value, which is not asked for again."""
        self.given[value] = 1
        return Query((self.graph.value(value),))

    def learn(self, asked: Asked) -> None:
        """Note a query that was asked, whoever chose it."""
        if 0 <= asked.value < len(self.given):
            self.given[asked.value] = 1
        elif len(asked.query.values) == 1 and not asked.query.ranges:
            self.elsewhere.update(asked.query.values)


def takes_alone(interface: Interface, attribute: str) -> bool:
    """Say whether a query may have a value of this attribute and nothing else."""
    return interface.takes(attribute) and set(interface.required) <= {attribute}
