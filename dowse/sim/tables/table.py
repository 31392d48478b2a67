"""What a database is to those who ask it: attributes, conditions, an order, and answers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, Protocol

Row = dict[str, tuple[str, ...]]  # attribute -> its values, none where one is missing


class Attribute(NamedTuple):
    """One column of a database, and what a form could say of it."""

    name: str
    kind: str  # title, person, persons, choice, several, child, number, date, text
    labels: tuple[str, ...]  # what forms may call it
    choices: tuple[str, ...] = ()  # what a select would offer; none when there are too many
    parent: str = ""  # the attribute that a child's value depends on
    low: int = 0  # of numbers, and the years of dates
    high: int = 0
    step: int = 1


@dataclass(frozen=True, slots=True)
class Ask:
    """One condition: keyword (all words), any (one of them), phrase, contains, starts, equals, min or max."""

    operator: str
    attribute: str  # "" for words anywhere
    values: tuple[str, ...]  # equals: any of them; the others use the first


class Order(NamedTuple):
    """What records are sorted by; the database's own order is that of their numbers."""

    attribute: str = ""
    way: str = "up"  # or down; records without a value come last in both


class Table(Protocol):
    """A database that can be asked, however its records are kept."""

    @property
    def attributes(self) -> tuple[Attribute, ...]:
        """Every column."""

    @property
    def size(self) -> int:
        """How many records there are."""

    def find(self, asks: tuple[Ask, ...], order: Order, first: int, count: int) -> tuple[int, tuple[int, ...]]:
        """Return how many records meet every condition, and the numbers of some of them from `first` on."""

    def row(self, number: int) -> Row:
        """Return the values of a record."""

    def name(self, number: int) -> str:
        """Return what a person would call the record."""
