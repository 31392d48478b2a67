"""The databases behind query forms: records made from a seed, and the answer to a query."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from dowse.model import Record
from dowse.sim.attributes import Attribute, Topic
from dowse.sim.chance import dice, skewed
from dowse.sim.topics import TOPICS

Row = dict[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class DatabasePlan:
    """What is needed to make a database again."""

    number: int  # within its site
    id: str
    topic: str
    size: int
    key: str  # of its chance


@dataclass(frozen=True, slots=True)
class Ask:
    """One condition of a query: keyword, contains, equals, min or max."""

    operator: str
    attribute: str
    value: str


@dataclass(frozen=True, slots=True)
class Table:
    """All records of a database, ready to be asked."""

    topic: Topic
    rows: tuple[Row, ...]
    folded: tuple[Row, ...]  # the same without regard to case
    texts: tuple[str, ...]  # of each row, for keywords

    def find(self, asks: tuple[Ask, ...]) -> list[int]:
        """Return the numbers of the records that meet every condition, in order."""
        rows = enumerate(zip(self.folded, self.texts, strict=True))
        return [number for number, (row, text) in rows if all(_meets(row, text, ask) for ask in asks)]

    def record(self, number: int) -> Record:
        """Return one record with all its values."""
        return Record(tuple((name, value) for name, values in self.rows[number].items() for value in values))

    def name(self, number: int) -> str:
        """Return what a person would call the record."""
        row = self.rows[number]
        first = self.topic.attributes[0]
        if first.kind == "title":
            return row[first.name][0]
        return " ".join(row[each.name][0] for each in self.topic.attributes[:3])


def make_table(plan: DatabasePlan) -> Table:
    """Make the records of a database."""
    topic = TOPICS[plan.topic]
    rng = dice(plan.key, "rows")
    rows = tuple(_make_row(topic, rng) for _ in range(plan.size))
    folded = tuple({name: tuple(map(str.casefold, values)) for name, values in row.items()} for row in rows)
    return Table(topic, rows, folded, tuple(" ".join(map(" ".join, row.values())) for row in folded))


def _make_row(topic: Topic, rng: Random) -> Row:
    row: Row = {}
    for attribute in topic.attributes:
        row[attribute.name] = _make_values(attribute, row, rng)
    return row


def _make_values(attribute: Attribute, row: Row, rng: Random) -> tuple[str, ...]:
    if attribute.kind == "number":
        steps = (attribute.high - attribute.low) // attribute.step
        return (str(attribute.low + attribute.step * rng.randrange(steps + 1)),)
    if attribute.kind == "child":
        options = dict(attribute.children)[row[attribute.parent][0]]
        return (skewed(rng, options, 1.5),)
    if attribute.kind == "several":
        drawn = [skewed(rng, attribute.values) for _ in range(1 + int(3 * rng.random() ** 2))]
        return tuple(dict.fromkeys(drawn))
    return (skewed(rng, attribute.values, 1.2 if attribute.kind == "title" else 2.2),)


def _meets(row: Row, text: str, ask: Ask) -> bool:
    wanted = ask.value.casefold()
    if ask.operator == "keyword":
        return all(word in text for word in wanted.split())
    values = row[ask.attribute]
    if ask.operator == "equals":
        return wanted in values
    if ask.operator == "contains":
        return any(all(word in value for word in wanted.split()) for value in values)
    return _in_range(int(values[0]), ask)


def _in_range(number: int, ask: Ask) -> bool:
    """Compare numbers; a bound that is not a number bounds nothing, as on most sites."""
    try:
        bound = float(ask.value.replace(",", ""))
    except ValueError:
        return True
    return number >= bound if ask.operator == "min" else number <= bound


def choices_of(attribute: Attribute) -> tuple[str, ...]:
    """Return every value that a select for the attribute would offer."""
    if attribute.kind == "child":
        return tuple(dict.fromkeys(value for _, values in attribute.children for value in values))
    return attribute.values
