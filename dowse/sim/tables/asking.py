"""What conditions mean: each becomes a set of the records of a block.

A condition without anything to look for, and a bound that is no number or date, constrains nothing, as on most sites.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from dowse.sim.tables.columns import Column
from dowse.sim.tables.matches import Everything, Match, all_of, any_of
from dowse.sim.tables.table import Ask
from dowse.sim.tables.words import split_words


class Columns(Protocol):
    """Some records of a table with all their columns; the records are numbered from 0."""

    @property
    def size(self) -> int:
        """How many records there are."""

    @property
    def names(self) -> tuple[str, ...]:
        """The attributes."""

    def column(self, name: str) -> Column:
        """Return the column of an attribute."""


def match_asks(asks: tuple[Ask, ...], block: Columns) -> Match:
    """Return the records of a block that meet every condition."""
    everything = Everything(block.size)
    return all_of((_OPERATORS[ask.operator](ask, block) for ask in asks), everything)


def _asked(ask: Ask, block: Columns) -> list[Column]:
    names = (ask.attribute,) if ask.attribute else block.names
    return [block.column(name) for name in names]


def _wanted(ask: Ask) -> str:
    return ask.values[0].strip().casefold() if ask.values else ""


def _match_keyword(ask: Ask, block: Columns) -> Match:
    words = dict.fromkeys(split_words(_wanted(ask)))
    columns = _asked(ask, block)
    found = (any_of(column.match("word", word) for column in columns) for word in words)
    return all_of(found, Everything(block.size))


def _match_any(ask: Ask, block: Columns) -> Match:
    words = dict.fromkeys(split_words(_wanted(ask)))
    if not words:
        return Everything(block.size)
    return any_of(column.match("word", word) for column in _asked(ask, block) for word in words)


def _match_phrase(ask: Ask, block: Columns) -> Match:
    words = split_words(_wanted(ask))
    if not words:
        return Everything(block.size)
    return any_of(column.match("phrase", " ".join(words)) for column in _asked(ask, block))


def _match_part(ask: Ask, block: Columns) -> Match:
    wanted = _wanted(ask)
    if not wanted:
        return Everything(block.size)
    return any_of(column.match(ask.operator, wanted) for column in _asked(ask, block))


def _match_equals(ask: Ask, block: Columns) -> Match:
    wanted = [value.strip().casefold() for value in ask.values if value.strip()]
    column = block.column(ask.attribute)
    return any_of(column.match("equals", each) for each in wanted) if wanted else Everything(block.size)


def _match_bound(ask: Ask, block: Columns) -> Match:
    return block.column(ask.attribute).match(ask.operator, _wanted(ask))


_OPERATORS: dict[str, Callable[[Ask, Columns], Match]] = {
    "keyword": _match_keyword,
    "any": _match_any,
    "phrase": _match_phrase,
    "contains": _match_part,
    "starts": _match_part,
    "equals": _match_equals,
    "min": _match_bound,
    "max": _match_bound,
}
