"""Blocks of made records: what a database began with, and what was added since, each from its key and size alone."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from math import isqrt
from typing import NamedTuple

from dowse.sim.tables.columns import Child, Choice, Column, Day, Number, Several, Slot, Title
from dowse.sim.tables.law import Law
from dowse.sim.tables.names import Names
from dowse.sim.tables.people import CREWS, Circles, People, make_circles
from dowse.sim.tables.pools import Turn, count_plain_endings, make_families, make_title_parts, turn_list
from dowse.sim.tables.shuffle import Shuffle, draw
from dowse.sim.tables.table import Attribute
from dowse.sim.tables.topics import PARENTS, SCALES, list_values
from dowse.sim.tables.values import Parts, Values, in_keyed_order
from dowse.sim.wording import Wording

_SEVERAL = (1000, 700, 400, 150)  # thousandths of the records that have a first, second ... value
_PLAIN_TITLES = 60  # about so many titles of a large database have neither a middle word nor an ending
_TITLE_POWERS = (1, 2, 1, 2)
_COMMAS = dict.fromkeys(("books", "films", "papers", "movies", "publications", "music"), ": ")


class Shape(NamedTuple):
    """What distinguishes databases of one topic, beside their key."""

    skew: int  # power of the law of choices: the higher, the more records the first values have
    gaps: int  # thousandths of the records that miss a value of an attribute, at most


def draw_shape(key: str) -> Shape:
    """Draw the shape that belongs to a key."""
    drawn = draw(key, "shape")
    return Shape(2 + drawn % 3, drawn // 3 % 7 * 10)


class Stock:
    """What all blocks of a database draw their values from."""

    def __init__(self, topic: str, wording: Wording, key: str, shape: Shape) -> None:
        self.topic = topic
        self.wording = wording
        self.key = key
        self.shape = shape
        self._values: dict[str, Values] = {}
        self._names: dict[str, Names] = {}

    def values(self, name: str) -> Values:
        """Return the values of a choice by rank."""
        if name not in self._values:
            listed = list_values(name, self.wording, self.wording.topics[self.topic])
            self._values[name] = Values(in_keyed_order(listed, self.key, name))
        return self._values[name]

    def children(self, name: str) -> tuple[Values, ...]:
        """Return the values of a child by rank, for each value of its parent by rank."""
        children = self.wording.topics[self.topic].children[name]
        parents = self.values(PARENTS[name]).texts
        return tuple(Values(in_keyed_order(children.get(parent, ()), self.key, name, parent)) for parent in parents)

    def names(self, name: str) -> Names:
        """Return the names of the people of an attribute."""
        if name not in self._names:
            self._names[name] = Names(self.wording, self.key, name)
        return self._names[name]

    def gap(self, name: str) -> int:
        """Return how many thousandths of the records miss a value: none for half of the attributes."""
        drawn = draw(self.key, "gap", name)
        return drawn // 2 % (self.shape.gaps + 1) if drawn % 2 else 0

    @cached_property
    def title_parts(self) -> Parts:
        """The parts of titles."""
        words, wording = self.wording.topics[self.topic], self.wording
        endings = (*self._endings, *make_families(wording.last_names, ""))
        return make_title_parts(words.heads, words.words, words.tails, endings, _COMMAS.get(self.topic, ", "))

    @cached_property
    def title_turns(self) -> tuple[Turn, ...]:
        """Which parts of titles are frequent in this database."""
        head, middle, tail, ending = (len(values.texts) for values in self.title_parts.lists)
        plain = count_plain_endings(len(self._endings))
        sizes = ((head, head), (middle - 1, middle - 1), (tail, tail), (plain, ending - 1))
        return tuple(turn_list(*size, self.key, "title", part) for part, size in enumerate(sizes))

    @cached_property
    def _endings(self) -> tuple[str, ...]:
        words = self.wording.topics[self.topic].words
        return tuple(dict.fromkeys((*words, *self.wording.cities, *self.wording.last_names)))


class Block:
    """A number of records, made when they are asked for."""

    def __init__(self, stock: Stock, position: int, size: int, attributes: tuple[Attribute, ...]) -> None:
        self.size = size
        self.names = tuple(attribute.name for attribute in attributes)
        self._stock = stock
        self._key = (stock.key, position)
        self._attributes = attributes
        self._columns: dict[str, Column] = {}
        self._slots: dict[str, Slot] = {}

    def column(self, name: str) -> Column:
        """Return the column of an attribute."""
        if name not in self._columns:
            attribute = self._attributes[self.names.index(name)]
            self._columns[name] = _BUILD[attribute.kind](self, attribute)
        return self._columns[name]

    def choice(self, attribute: Attribute) -> Column:
        """Build a column with one value of a list."""
        return Choice(self._choice_slot(attribute.name), self._stock.values(attribute.name))

    def child(self, attribute: Attribute) -> Column:
        """Build a column that divides its parent's."""
        return Child(self._choice_slot(attribute.parent), self._stock.children(attribute.name))

    def several(self, attribute: Attribute) -> Column:
        """Build a column with several values of a list."""
        values = self._stock.values(attribute.name)
        lengths = [self.size * share // 1000 if values.texts else 0 for share in _SEVERAL]
        laws = [Law(len(values.texts), length, self._stock.shape.skew) for length in lengths]
        slots = [self._slot(f"{attribute.name}/{turn}", law) for turn, law in enumerate(laws)]
        return Several(tuple(slots), values)

    def number(self, attribute: Attribute) -> Column:
        """Build a column of numbers."""
        scale = SCALES[self._stock.topic, attribute.name]
        steps = (scale.high - scale.low) // scale.step + 1
        return Number(self._scale_slot(attribute.name, steps), scale.low, scale.high, scale.step, scale.falls)

    def date(self, attribute: Attribute) -> Column:
        """Build a column of dates, which agrees with the column of years if there is one."""
        name = "year" if "year" in self.names else attribute.name
        slot = self._scale_slot(name, attribute.high - attribute.low + 1)
        return Day(slot, attribute.low, attribute.high, draw(*self._key, "days") % 64)

    def people(self, attribute: Attribute) -> Column:
        """Build a column of people; those of all attributes of a record belong together."""
        return People(self._circles, CREWS[attribute.kind], self._stock.names(attribute.name))

    def title(self, attribute: Attribute) -> Column:
        """Build a column of titles: the more records, the fewer do without a middle word and an ending."""
        without = min(2 * self.size // 5, isqrt(_PLAIN_TITLES * self.size))
        turns = self._stock.title_turns
        laws = [Law(turn.total, self.size, power) for turn, power in zip(turns, _TITLE_POWERS, strict=True)]
        middle, ending = laws[1], min(turns[3].plain + self.size // 10, turns[3].total)
        laws[1] = middle._replace(length=self.size - without if middle.values else 0)
        laws[3] = Law(ending, self.size - without, _TITLE_POWERS[3])
        slots = tuple(self._slot(f"{attribute.name}/{part}", law) for part, law in enumerate(laws))
        return Title(slots, turns, self._stock.title_parts)

    @cached_property
    def _circles(self) -> Circles:
        return make_circles(self.size, *self._key)

    def _choice_slot(self, name: str) -> Slot:
        values = len(self._stock.values(name).texts)
        return self._slot(name, Law(values, self._filled(name) if values else 0, self._stock.shape.skew))

    def _scale_slot(self, name: str, values: int) -> Slot:
        return self._slot(name, Law(values, self._filled(name), 2))

    def _slot(self, name: str, law: Law) -> Slot:
        """Return the slot of a name; columns that hang together share one."""
        if name not in self._slots:
            self._slots[name] = Slot(Shuffle(self.size, *self._key, name), law)
        return self._slots[name]

    def _filled(self, name: str) -> int:
        """Return how many records have a value; what names a record and what others depend on is never missing."""
        kept = self._attributes[0].name == name or (name in PARENTS.values() and "child" in self._kinds)
        return self.size if kept else self.size - self.size * self._stock.gap(name) // 1000

    @cached_property
    def _kinds(self) -> tuple[str, ...]:
        return tuple(attribute.kind for attribute in self._attributes)


_BUILD: dict[str, Callable[[Block, Attribute], Column]] = {
    "title": Block.title,
    "person": Block.people,
    "persons": Block.people,
    "choice": Block.choice,
    "several": Block.several,
    "child": Block.child,
    "number": Block.number,
    "date": Block.date,
}
