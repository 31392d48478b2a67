"""Sources that were harvested before, as domain tables."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from random import Random

from bench.harvest.databases import Row, _packed, load
from bench.paper4.facts import SMALLER
from dowse.model import Record, Value
from dowse.select.domain import DomainTable, build_table

_FILMS = (
    "ccer/D10/dbpedia.csv"  # a list of films with their years; in the archive the names of its two lists are swapped
)
_ATTRIBUTES = ("actor name", "director name", "year", "genre")
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
    for row in _packed(_FILMS):
        if row["year"].isdecimal() and int(row["year"]) >= since:
            yield Record(tuple(_take(row)))


def _take(row: Row) -> Iterator[Value]:
    for attribute in _ATTRIBUTES:
        text = " ".join((row.get(attribute) or "").split())
        if text:
            yield Value(attribute, text)
