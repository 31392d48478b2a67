"""Sources that were drawn before, as domain tables."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from random import Random

from bench.harvest.databases import Row, _packed, load
from bench.paper4.facts import JEDAI
from dowse.model import Record, Value
from dowse.select.domain import DomainTable, build_table

_FILMS = {  # the two lists of films, with what they tell; in the archive their names are swapped
    "ccer/D10/imdb.csv": ("starring", "writer", "editor"),
    "ccer/D10/dbpedia.csv": ("actor name", "director name", "year", "genre"),
}


@lru_cache(maxsize=2)
def make_table(kin: str, share: float = 1.0) -> DomainTable:
    """Make a table of a source, or of a part of its records by chance."""
    records = list(_read_films()) if kin == JEDAI else list(load(kin).records)
    if share < 1:
        records = Random(1).sample(records, int(share * len(records)))
    return build_table(records)


def _read_films() -> Iterator[Record]:
    for member, attributes in _FILMS.items():
        for row in _packed(member):
            yield Record(tuple(_take(row, attributes)))


def _take(row: Row, attributes: tuple[str, ...]) -> Iterator[Value]:
    for attribute in attributes:
        text = " ".join((row.get(attribute) or "").split())
        if text:
            yield Value(attribute, text)
