"""Which attribute of a domain table is which of a source, and how the source writes its values: found by overlap.

The one calls it `cast`, the other `actor` and `starring`; the one writes `Tom Hanks`, the other `Hanks, Tom`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from dowse.select.table import DomainTable
from dowse.select.wording import WRITINGS, normalise

ENOUGH: Final = 3  # values in common before two attributes are taken for the same
SHARE: Final = 0.05  # of a source's values of an attribute that must be in the table's
DOUBTED: Final = 30  # values after which attributes of one name must have some in common, too


@dataclass(slots=True)
class Kinship:
    """The table's attributes for each of a source's, as far as its values have shown."""

    table: DomainTable
    given: Mapping[str, Sequence[str]] = field(default_factory=dict)  # what the user says, by the source's attribute
    met: Counter[str] = field(default_factory=Counter)  # values of the source, by attribute
    common: Counter[tuple[str, int]] = field(default_factory=Counter)  # of them in the table, by both attributes
    right: dict[tuple[str, int], Counter[str]] = field(default_factory=dict)  # ways of writing that gave the source's
    _values: list[dict[str, list[int]]] = field(default_factory=list)  # of each table attribute, normal text -> values

    def __post_init__(self) -> None:
        """Index the table by what is the same in all writings."""
        self._values = [{} for _ in self.table.attributes]
        for value, (place, text) in enumerate(zip(self.table.attribute_of, self.table.texts, strict=True)):
            self._values[place].setdefault(normalise(text), []).append(value)

    def meet(self, attribute: str, text: str) -> None:
        """Compare a value of the source with the table."""
        self.met[attribute] += 1
        normal = normalise(text)
        for place, values in enumerate(self._values):
            for value in values.get(normal, ())[:1] if normal else ():
                self.common[attribute, place] += 1
                ways = self.right.setdefault((attribute, place), Counter())
                ways.update(name for name, write in WRITINGS.items() if write(self.table.texts[value]) == text)

    def find(self, places: Iterable[int], text: str) -> tuple[int, ...]:
        """Return the table's values that are the same as a text."""
        normal = normalise(text)
        return tuple(value for place in places for value in self._values[place].get(normal, ())) if normal else ()

    def match(self, attribute: str) -> tuple[int, ...]:
        """Return the table's attributes that are the same as one of the source."""
        if attribute in self.given:
            return tuple(place for place, name in enumerate(self.table.attributes) if name in self.given[attribute])
        return tuple(filter(partial(self._is_same, attribute), range(len(self.table.attributes))))

    def _is_same(self, attribute: str, place: int) -> bool:
        common, met = self.common[attribute, place], self.met[attribute]
        if met < DOUBTED and normalise(self.table.attributes[place]) == normalise(attribute):
            return True
        return common >= ENOUGH and common >= SHARE * met

    def hit_rate(self, attribute: str, places: Iterable[int]) -> float:
        """Return which part of the source's values of an attribute one of the table's has (paper 4, Section 4.3)."""
        most = max((self.common[attribute, place] for place in places), default=0)
        return (most + 1) / (self.met[attribute] + 2)

    def write(self, attribute: str, value: int) -> str:
        """Return a value of the table as the source would write it."""
        ways = self.right.get((attribute, self.table.attribute_of[value]))
        best = max(ways, key=lambda name: (ways[name], name == "as it is")) if ways else "as it is"
        return WRITINGS[best](self.table.texts[value])
