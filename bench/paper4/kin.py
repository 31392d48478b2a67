"""Sources that were harvested before, as domain tables."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from random import Random

from bench.harvest.databases import Row, _packed, load
from bench.paper4.facts import SMALLER
from dowse.model import Record, Value
from dowse.select.domain import DomainTable, build_table

# two lists of films, and which of the one is which of the other; in the archive the names of the lists are swapped
_DATED, _OTHER, _MATCHES = "ccer/D10/dbpedia.csv", "ccer/D10/imdb.csv", "ccer/D10/gt.csv"
_ATTRIBUTES = {_DATED: ("actor name", "director name", "year", "genre"), _OTHER: ("starring", "writer", "editor")}
_SINCE = "films since "
_SHARE = 0.3  # of the records, for the smaller table


@lru_cache(maxsize=2)
def make_table(kin: str) -> DomainTable:
    """Make a table of a source, of a part of its records by chance, or of films since a year."""
    if kin.startswith(_SINCE):
        return build_table(_read_films(int(kin.removeprefix(_SINCE))))
    records = list(load(kin.removesuffix(SMALLER)).records)
    return build_table(Random(1).sample(records, int(_SHARE * len(records))) if kin.endswith(SMALLER) else records)


def _read_films(since: int) -> Iterator[Record]:
    """Yield the films of both lists; one of them has years, and the other takes them from it."""
    dated = {row["id"]: row for row in _packed(_DATED) if row["year"].isdecimal() and int(row["year"]) >= since}
    same = {pair["D1"] for pair in _packed(_MATCHES) if pair["D2"] in dated}
    for row in dated.values():
        yield Record(tuple(_take(row, _ATTRIBUTES[_DATED])))
    for row in _packed(_OTHER):
        if row["id"] in same:
            yield Record(tuple(_take(row, _ATTRIBUTES[_OTHER])))


def _take(row: Row, attributes: tuple[str, ...]) -> Iterator[Value]:
    for attribute in attributes:
        text = " ".join((row.get(attribute) or "").split())
        if text:
            yield Value(attribute, text)
