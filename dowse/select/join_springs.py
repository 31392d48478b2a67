"""Queries whose answers were cut, and the values that what they hide is likely to have.

The new records that an answer showed are a fair sample of those that it hides: neither were known. Where
the sample is small, the records that are held count as some more. What was never seen beside a value has
the share of what was seen once (Good and Turing), in parts as large as the values are.
"""

from __future__ import annotations

from bisect import insort
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from dowse.model import Value
from dowse.select.candidates import takes_alone
from dowse.select.graph import Graph
from dowse.select.selector import Asked, Interface

LOOKED: Final = 200  # held records that are looked at to count those with several values
SAMPLED: Final = 60  # records of an answer that are looked at
HELD_COUNTS: Final = 5.0  # records of the sample that all held ones count for
MOST_PARTNERS: Final = 40  # of one query
MOST_UNSEEN: Final = 12  # values of one attribute that were never seen beside it
CUT_HALF: Final = 2.0  # times what an answer showed: how long one is that was cut, where nothing else tells
LEAST_HIDDEN: Final = 1.0  # records of a part: who hides fewer is not asked for


@dataclass(frozen=True, slots=True)
class Spring:
    """A query whose answer was cut, at the time it was."""

    values: tuple[int, ...]
    hidden: float  # matches that were not held
    held: float
    fresh: tuple[int, ...]  # new records that its answer showed


@dataclass(slots=True)
class Springs:
    """All queries for one value whose answers were cut, and how others are made from them."""

    graph: Graph
    interface: Interface
    cut: set[int] = field(default_factory=set)  # values
    listed: dict[int, list[int]] = field(default_factory=dict)  # values by attribute that cannot be asked for alone
    _largest: dict[int, list[tuple[float, int]]] = field(
        default_factory=dict
    )  # by attribute: hidden, less than nothing
    _joined: list[bool] = field(default_factory=list)  # of each attribute, whether it can be joined
    _alone: list[bool] = field(default_factory=list)  # of each attribute, whether it can be asked for by itself

    def add(self, values: tuple[int, ...], asked: Asked, known: float) -> Spring:
        """Take in a query whose answer was cut; `known` are its records that were held before."""
        held = known + asked.new
        spring = Spring(values, max(0.0, count_matches(asked, known) - held), held, tuple(asked.fresh[-SAMPLED:]))
        if len(values) == 1:
            self.cut.add(values[0])
            largest = self._largest.setdefault(self.graph.attribute_of[values[0]], [])
            insort(largest, (-spring.hidden, values[0]))
            del largest[2 * MOST_UNSEEN :]
        return spring

    def find_partners(self, spring: Spring) -> Iterator[tuple[int, float, float]]:
        """Yield values to be joined with a spring, each with the matches and the held records to be expected."""
        if spring.hidden < LEAST_HIDDEN:
            return
        self._take_up()
        shown, held, step = self._count(spring)
        found = self._find_seen(spring, shown, held, step)
        found += self._find_unseen(spring, shown | held)
        found.sort(key=lambda each: each[1] - each[2], reverse=True)
        yield from found[:MOST_PARTNERS]

    def _count(self, spring: Spring) -> tuple[Counter[int], Counter[int], float]:
        members, step = sample_members(self.graph, spring.values)
        return self._count_values(spring.fresh, spring), self._count_values(members, spring), step

    def _count_values(self, records: Sequence[int], spring: Spring) -> Counter[int]:
        attribute_of, own = self.graph.attribute_of, {self.graph.attribute_of[value] for value in spring.values}
        return Counter(
            value
            for record in records
            for value in self.graph.values_of(record)
            if self._joined[attribute_of[value]] and attribute_of[value] not in own
        )

    def _find_seen(
        self, spring: Spring, shown: Counter[int], held: Counter[int], step: float
    ) -> list[tuple[int, float, float]]:
        sample, most = len(spring.fresh), max(1.0, spring.held)
        found = []
        for value, count in held.items():
            if value in self.cut or not self._alone[self.graph.attribute_of[value]]:
                known = count * step
                share = (shown[value] + HELD_COUNTS * min(1.0, known / most)) / (sample + HELD_COUNTS)
                found.append((value, known + spring.hidden * share, known))
        return found

    def _find_unseen(self, spring: Spring, seen: Counter[int]) -> list[tuple[int, float, float]]:
        """Share out what the sample lets expect of values that it does not have."""
        own = {self.graph.attribute_of[value] for value in spring.values}
        found = []
        for attribute, joined in enumerate(self._joined):
            others = self._list_unseen(attribute, seen) if joined and attribute not in own else []
            weight = sum(size for _, size in others)
            once = sum(count == 1 for value, count in seen.items() if self.graph.attribute_of[value] == attribute)
            all_seen = sum(count for value, count in seen.items() if self.graph.attribute_of[value] == attribute)
            share = (once + 0.5) / (all_seen + 1)
            found += [(value, spring.hidden * share * size / weight, 0.0) for value, size in others]
        return [each for each in found if each[1] >= LEAST_HIDDEN]

    def _list_unseen(self, attribute: int, seen: Counter[int]) -> list[tuple[int, float]]:
        largest = [(value, 1.0 - hidden) for hidden, value in self._largest.get(attribute, ()) if value not in seen]
        listed = [(value, 1.0) for value in self.listed.get(attribute, ()) if value not in seen]
        return (largest + listed)[:MOST_UNSEEN]

    def _take_up(self) -> None:
        if not self._joined:
            self._list_choices()
        for name in self.graph.attributes[len(self._joined) :]:
            self._joined.append(self.interface.takes(name))
            self._alone.append(takes_alone(self.interface, name))

    def _list_choices(self) -> None:
        """Note the choices of attributes that cannot be asked for alone: nobody has asked for them, and nobody will."""
        for name, texts in self.interface.choices:
            if texts and not takes_alone(self.interface, name):
                numbers = [self.graph.number(Value(name, text)) for text in texts[:MOST_UNSEEN]]
                self.listed[self.graph.attribute_of[numbers[0]]] = numbers


def count_matches(asked: Asked, known: float) -> float:
    """Return how many records match, as the answer says; else by those on it that were known before."""
    if asked.total is not None:
        return float(asked.total)
    again = max(0, asked.records - asked.new)
    return max(CUT_HALF * asked.records, (known + 1) * (asked.records + 1) / (again + 1) - 1)  # Chapman 1951


def sample_members(graph: Graph, values: tuple[int, ...]) -> tuple[list[int], float]:
    """Return some of the held records that have all values, and how many each of them stands for."""
    rarest = min(values, key=graph.count)
    records = graph.records_of(rarest)
    step = max(1, -(-len(records) // LOOKED))
    looked = records[::step]
    wanted = set(values)
    found = [record for record in looked if wanted.issubset(graph.values_of(record))]
    return found, len(records) / max(1, len(looked))


def count_members(graph: Graph, values: tuple[int, ...]) -> float:
    """Count the held records that have all values; where there are many, by a sample."""
    found, step = sample_members(graph, values)
    return len(found) * step
