"""What was harvested so far, as paper 4 sees it: records, the values they are made of, and which stand together.

Values and records are numbers here, in the order they were met: a source of 400,000 records has
1,200,000 values. Edges of the graph (Definition 2.1) are not kept; a value's neighbours are those of
its records, counted when somebody asks.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence

from dowse.model import Query, Value


class Graph:
    """The local database with its attribute-value graph: it only grows."""

    def __init__(self) -> None:
        self.attributes: list[str] = []
        self.texts: list[str] = []  # of each value
        self.attribute_of = array("H")  # of each value, its place in attributes
        self.links = array("Q")  # of each value: values beside it in its records, each as often as it stands there
        self._places: dict[str, int] = {}  # of each attribute, by its name
        self._numbers: list[dict[str, int]] = []  # for each attribute, text -> value
        self._records: list[int | list[int]] = []  # of each value; most values have one record
        self._members = array("I")  # the values of all records, one record after the other
        self._ends = array("Q", [0])

    @property
    def record_count(self) -> int:
        """How many records there are."""
        return len(self._ends) - 1

    @property
    def value_count(self) -> int:
        """How many values there are, those without a record (seeds) included."""
        return len(self.texts)

    def add(self, values: Iterable[Value]) -> int:
        """Add a record that is new; return its number."""
        record = self.record_count
        members = list(dict.fromkeys(self.number(value) for value in values))
        for value in members:
            records = self._records[value]
            if isinstance(records, list):
                records.append(record)
            else:
                self._records[value] = record if records < 0 else [records, record]
            self.links[value] += len(members) - 1
        self._members.extend(members)
        self._ends.append(len(self._members))
        return record

    def number(self, value: Value) -> int:
        """Return the number of a value; one that was not met before gets the next."""
        place = self._places.get(value.attribute)
        if place is None:
            place = self._places[value.attribute] = len(self.attributes)
            self.attributes.append(value.attribute)
            self._numbers.append({})
        numbers = self._numbers[place]
        found = numbers.get(value.text)
        if found is None:
            found = numbers[value.text] = len(self.texts)
            self.texts.append(value.text)
            self.attribute_of.append(place)
            self.links.append(0)
            self._records.append(-1)
        return found

    def find(self, value: Value) -> int | None:
        """Return the number of a value that was met, or None."""
        place = self._places.get(value.attribute)
        return None if place is None else self._numbers[place].get(value.text)

    def find_only_value(self, query: Query) -> int | None:
        """Return the number of the value of a query that asks for one value alone; None for others, or a new value."""
        return self.find(query.values[0]) if len(query.values) == 1 and not query.ranges else None

    def value(self, number: int) -> Value:
        """Return the value with a number."""
        return Value(self.attributes[self.attribute_of[number]], self.texts[number])

    def records_of(self, value: int) -> Sequence[int]:
        """Return the records that have a value."""
        records = self._records[value]
        return records if isinstance(records, list) else () if records < 0 else (records,)

    def count(self, value: int) -> int:
        """Return how many records have a value."""
        records = self._records[value]
        return len(records) if isinstance(records, list) else int(records >= 0)

    def values_of(self, record: int) -> Sequence[int]:
        """Return the values of a record."""
        return self._members[self._ends[record] : self._ends[record + 1]]

    def neighbours(self, value: int) -> Iterator[int]:
        """Yield the values that stand beside a value, each as often as it does."""
        for record in self.records_of(value):
            for other in self.values_of(record):
                if other != value:
                    yield other

    def degree(self, value: int) -> int:
        """Return how many values stand beside a value (its degree in the graph); `links` is never less."""
        found: set[int] = set()
        for record in self.records_of(value):
            found.update(self._members[self._ends[record] : self._ends[record + 1]])
        return max(0, len(found) - 1)
