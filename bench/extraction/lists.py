"""Whether real attributes are taken for lists or for single values, on pages of a few records made of real databases."""

from __future__ import annotations

import itertools
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random

from bench.harvest.databases import DATABASES, Row, available
from dowse.records.values import find_separator

ROWS = 6_000  # of a database, spread over all of it
PAGES = 12  # of each attribute, size, way of asking and separator
SIZES = (10, 20)
JOINS: tuple[str, ...] = (", ", "; ", " / ", " · ", " | ")
SEED = 7

Decide = Callable[[Sequence[str], Collection[str]], str]
Texts = tuple[tuple[str, ...], ...]  # values of one attribute, record by record


@dataclass(frozen=True, slots=True)
class Column:
    """An attribute of a real database, with another one that its records can be asked by."""

    name: str
    values: Texts
    asked_by: Texts
    several: bool
    joins: tuple[str, ...] = JOINS


@dataclass(frozen=True, slots=True)
class Case:
    """The texts of an attribute on one page, what was asked for, and what stands between its values in truth."""

    texts: tuple[str, ...]
    asked: tuple[str, ...]
    truth: str
    way: str


SEVERAL: tuple[
    tuple[str, str, str, tuple[str, ...]], ...
] = (  # database, attribute, the one it is asked by as well, what can join its values
    ("movies", "cast", "year", JOINS),
    ("movies", "genres", "year", JOINS),
    ("tate", "artists", "medium", JOINS[1:]),
    ("tate", "subjects", "artists", JOINS),
    ("tate", "movements", "artists", JOINS),
    ("papers", "authors", "year", JOINS),
    ("papers", "venue", "year", JOINS),
    ("goodbooks", "author", "year", JOINS),
    ("gutenberg", "subject", "author", JOINS[1:]),
    ("packages", "tags", "section", JOINS),
    ("packages", "depends", "section", JOINS),
    ("artsmia", "artist", "country", JOINS[1:]),
)
SINGLE = (
    ("movies", "title", "cast"),
    ("tate", "title", "artists"),
    ("tate", "artist_birthplace", "movements"),
    ("tate", "credit_line", "artists"),
    ("tate", "date_text", "artists"),
    ("papers", "title", "authors"),
    ("papers", "address", "year"),
    ("papers", "volume_title", "venue"),
    ("papers", "pages", "venue"),
    ("papers", "month", "year"),
    ("goodbooks", "title", "author"),
    ("gutenberg", "title", "subject"),
    ("gutenberg", "author", "language"),
    ("packages", "description", "section"),
    ("packages", "maintainer", "section"),
    ("artsmia", "title", "artist"),
    ("artsmia", "dated", "artist"),
    ("artsmia", "life_date", "country"),
    ("artsmia", "creditline", "country"),
    ("vehicles", "model", "make"),
    ("vehicles", "trans", "make"),
    ("cities-500", "timezone", "countrycode"),
    ("cities", "place", "cc"),
)


def read_columns() -> Iterator[Column]:
    """Yield the attributes, database by database."""
    wanted: dict[str, list[tuple[str, str, bool, tuple[str, ...]]]] = defaultdict(list)
    for base, name, other, joins in SEVERAL:
        wanted[base].append((name, other, True, joins))
    for base, name, other in SINGLE:
        wanted[base].append((name, other, False, ("",)))
    for base, columns in wanted.items():
        rows = _read_rows(base)
        for name, other, several, joins in columns:
            held = [(_list_values(row, name), _list_values(row, other)) for row in rows]
            kept = [pair for pair in held if pair[0]]
            column = Column(
                f"{base}.{name}", tuple(own for own, _ in kept), tuple(by for _, by in kept), several, joins
            )
            yield column
            if several:
                yield _with_one_or_two(column)
    yield from _list_surnames()


def _with_one_or_two(column: Column) -> Column:
    """Return an attribute of which a record has one value or two, as often."""
    rng = Random(f"{SEED} {column.name}")
    values = tuple(own[: 1 + rng.randrange(2)] for own in column.values)
    return replace(column, name=f"{column.name} (1-2)", values=values)


def _list_surnames() -> Iterator[Column]:
    """Yield values of one word with a capital letter, one to three, that mostly stand in one record."""
    rows = _read_rows("papers")
    names = [tuple(dict.fromkeys(each.split()[-1] for each in _list_values(row, "authors")[:3])) for row in rows]
    kept = [(own, _list_values(row, "year")) for own, row in zip(names, rows, strict=True) if own]
    column = Column("papers.surnames", tuple(own for own, _ in kept), tuple(by for _, by in kept), several=True)
    yield column
    yield _with_one_or_two(column)


def _read_rows(base: str) -> list[Row]:
    """Return rows of a database, every n-th so that they come from all of it."""
    rows = list(DATABASES[base][1]())
    if base == "cities":
        rows = [
            {**row, "place": ", ".join(dict.fromkeys(row[k] for k in ("name", "admin2", "admin1", "cc") if row[k]))}
            for row in rows
        ]
    return rows[:: max(1, len(rows) // ROWS)]


def _list_values(row: Row, name: str) -> tuple[str, ...]:
    held = row.get(name)
    texts = (" ".join(str(each or "").split())[:200] for each in (held if isinstance(held, list) else [held]))
    return tuple(dict.fromkeys(text for text in texts if text))


def make_cases(column: Column, seed: int = SEED) -> Iterator[Case]:
    """Yield pages of an attribute: some records, those that have one value, and those that have a value of another attribute."""
    rng = Random(f"{seed} {column.name}")
    ways = {"own": _index(column.values if column.several else _words(column.values)), "other": _index(column.asked_by)}
    for size, join, _ in itertools.product(SIZES, column.joins, range(PAGES)):
        some = tuple(rng.sample(range(len(column.values)), size))
        asked = {way: _draw(index, size, rng) for way, index in ways.items()}
        both = (*asked["own"][0], *asked["other"][0]), asked["own"][1] + asked["other"][1]
        for way, (values, numbers) in {**asked, "any": ((), some), "both": both}.items():
            if len(numbers) > 2:
                yield _write_case(column, numbers, values, join, way)


def _words(values: Texts) -> Texts:
    """Return the words of single values, and what stands between their commas: a form may ask for either."""
    return tuple(tuple({*own[0].split(", "), *own[0].split()}) if own else () for own in values)


def _index(values: Texts) -> dict[str, list[int]]:
    found: dict[str, list[int]] = defaultdict(list)
    for number, own in enumerate(values):
        for value in own:
            found[value].append(number)
    return {value: numbers for value, numbers in found.items() if len(numbers) > 2}


def _draw(index: dict[str, list[int]], size: int, rng: Random) -> tuple[tuple[str, ...], tuple[int, ...]]:
    """Return a value and some of the records that have it; what many have is drawn as often as what few have."""
    if not index:
        return (), ()
    value = rng.choice(sorted(index))
    numbers = index[value]
    return (value,), tuple(rng.sample(numbers, min(size, len(numbers))))


def _write_case(column: Column, numbers: Sequence[int], asked: tuple[str, ...], join: str, way: str) -> Case:
    texts = tuple(
        join.join(column.values[number]) if column.several else column.values[number][0] for number in numbers
    )
    parted = column.several and any(len(column.values[number]) > 1 for number in numbers)
    return Case(texts, asked, join if parted else "", way)


def count(column: Column, decide: Decide = find_separator) -> Counter[tuple[str, str]]:
    """Count what is right and wrong on the pages of an attribute, by what joins its values and by the way of asking."""
    counts: Counter[tuple[str, str]] = Counter()
    for case in make_cases(column):
        if column.several and not case.truth:
            continue
        right = "right" if decide(case.texts, case.asked) == case.truth else "wrong"
        counts[f"join {case.truth!r}", right] += 1
        counts[f"way {case.way}", right] += 1
        counts["all", right] += 1
    return counts


def show(counts: Counter[tuple[str, str]]) -> str:
    """Write shares that are right in one line."""
    keys = sorted({key for key, _ in counts})
    shares = {key: counts[key, "right"] / (counts[key, "right"] + counts[key, "wrong"]) for key in keys}
    return "  ".join(f"{key} {share:.2f}" for key, share in shares.items())


def run() -> None:
    """Print the confusion of every attribute."""
    for column in read_columns():
        print(f"{column.name:28}{'list' if column.several else 'one':6}{show(count(column))}")


if __name__ == "__main__" and available():
    run()
