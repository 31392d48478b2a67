"""Where the records stand in plain values: the largest list of like objects, or a table with its columns."""

from __future__ import annotations

import math
from collections import Counter, deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from dowse.model import Record, Value
from dowse.records.columns import is_table, name_columns

MAX_DEPTH: Final = 12  # levels in which a list is looked for
MAX_LOOKED: Final = 20_000  # values that are looked at for it
MAX_RECORDS: Final = 50_000
MAX_VALUES: Final = 500  # of one record
MAX_LEVELS: Final = 6  # of objects within a record
MAX_TEXT: Final = 20_000  # characters of one value
MAX_NAME: Final = 120
LIKE: Final = 0.5  # share of its names that an object has in common with most of the list

_LIKELY: Final = frozenset(
    "results result items item docs documents records record hits data value values entries entry rows features edges nodes elements objects "
    "content list matches response collection members hydra:member".split()
)
_UNLIKELY: Final = frozenset(
    "facets facet aggregations aggs filters columns fields errors links link suggestions sort facet_results suggested_facets expandable_columns "
    "included warnings params parameters options breadcrumbs categories menu units meta".split()
)
# Names that wrap one record; what stands beside them speaks of the place of the record in the answer.
_WRAPPERS: Final = frozenset(
    "node doc _source attributes properties fields resource record document item entry metadata recorddata".split()
)
_BESIDE: Final = frozenset(
    "cursor id _id type _type _index _score score highlight links relationships geometry kind fullurl search sort ranking header recordschema "
    "recordpacking recordposition recordidentifier identifier bbox etag @id @type href self explanation".split()
)
_KEYS: Final = (
    "id", "_id", "@id", "uuid", "guid", "key", "identifier", "uid", "pid", "oid", "objectid", "doi", "isbn", "accession", "code", "slug",
    "recordid", "record_id", "nr", "number", "url", "link", "href",
)  # fmt: skip
_PAGES: Final = (
    "html_url",
    "url",
    "link",
    "href",
    "weburl",
    "web_url",
    "permalink",
    "uri",
    "links.self",
    "_links.self.href",
    "@id",
    "id",
)
_COLUMNS: Final = ("columns", "column_names", "fields", "header", "headers", "cols", "names", "schema", "keys")
_COLUMN_NAMES: Final = ("name", "label", "id", "field", "key", "title", "columnName")


@dataclass(frozen=True, slots=True)
class Listing:
    """The records of an answer as plain objects, and where they stand."""

    place: tuple[str, ...]
    rows: tuple[Mapping[str, Any], ...]


def find_listing(said: Any) -> Listing | None:
    """Return the records of an answer, or None where it has no list; a list that is empty is an answer too."""
    best: tuple[float, Listing] | None = None
    for place, value, above in _walk(said):
        rows = _rows_of(value, place, above)
        if rows is None:
            continue
        worth = _worth(rows, place)
        if best is None or worth > best[0]:
            best = worth, Listing(place, rows)
    return best[1] if best else None


Found = tuple[tuple[str, ...], list[Any], Mapping[str, Any]]


def _walk(said: Any) -> Iterator[Found]:
    """Yield the lists of an answer with their places; the insides of records are not looked into, those of a lone one are."""
    waiting: deque[tuple[tuple[str, ...], Any, Mapping[str, Any]]] = deque([((), said, {})])
    for _ in range(MAX_LOOKED):
        if not waiting:
            return
        place, value, above = waiting.popleft()
        if isinstance(value, list):
            yield place, value, above
        if len(place) < MAX_DEPTH:
            waiting.extend(_inside(place, value))


def _inside(place: tuple[str, ...], value: Any) -> list[tuple[tuple[str, ...], Any, Mapping[str, Any]]]:
    if isinstance(value, dict):
        keyed = _keyed_rows(value)
        if keyed:
            return [((*place, "*"), keyed, {})]
        return [
            ((*place, str(name)), inner, value)
            for name, inner in list(value.items())[:1_000]
            if isinstance(inner, dict | list)
        ]
    if (
        isinstance(value, list)
        and value
        and (len(value) <= 2 or not all(isinstance(each, dict) for each in value[:50]))
    ):
        return [(place, inner, {}) for inner in value[:5] if isinstance(inner, dict | list)]
    return []


def _keyed_rows(value: Mapping[str, Any]) -> list[Any]:
    """Return objects that stand under their own keys ({"12": {...}, "15": {...}}) as a list; nothing for other objects."""
    inner = [each for each in value.values() if isinstance(each, dict)]
    if len(inner) < 3 or len(inner) < len(value) - 1 or _likeness(inner) < 0.8 or not _LIKELY.isdisjoint(value):
        return []
    return [{"@key": name, **each} for name, each in list(value.items())[:MAX_RECORDS] if isinstance(each, dict)]


def _rows_of(
    value: list[Any], place: tuple[str, ...], above: Mapping[str, Any]
) -> tuple[Mapping[str, Any], ...] | None:
    """Return a list as rows: objects, or rows of a table with its columns; None for a list of anything else."""
    if not value:
        return () if not place or place[-1].lower() in _LIKELY else None
    some = value[:MAX_RECORDS]
    if all(isinstance(each, dict) for each in some):
        return tuple(unwrap(each) for each in some)
    if all(isinstance(each, list) for each in some):
        return _table_rows(some, above, is_likely=not place or place[-1].lower() in _LIKELY)
    return None


def _table_rows(
    rows: list[list[Any]], above: Mapping[str, Any], *, is_likely: bool
) -> tuple[Mapping[str, Any], ...] | None:
    width = max(map(len, rows))
    if not 0 < width <= MAX_VALUES:
        return None
    names = next((read for name in _COLUMNS if len(read := _read_columns(above.get(name))) == width), [])
    if not names and is_likely and is_table(rows, width):
        names, rows = name_columns(rows, width)
    elif any(len(row) != width for row in rows):
        return None
    return tuple(dict(zip(names, row, strict=False)) for row in rows) if names else None


def _read_columns(said: Any) -> list[str]:
    """Return the names of columns, given as words or as objects that have one."""
    if not isinstance(said, list):
        return []
    names = [each if isinstance(each, str) else _name_of(each) for each in said[: MAX_VALUES + 1]]
    return names if all(names) and len(set(names)) == len(names) else []


def _name_of(each: Any) -> str:
    found = next((each[name] for name in _COLUMN_NAMES if name in each), "") if isinstance(each, dict) else ""
    return found if isinstance(found, str) else ""


def unwrap(row: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the record within what an answer wraps around it: {"node": {...}}, {"_id": 1, "_source": {...}}."""
    for _ in range(3):
        inner = [name for name, each in row.items() if isinstance(each, dict) and name.lower() in _WRAPPERS]
        if not inner and len(row) == 1:
            inner = [name for name, each in row.items() if isinstance(each, dict)]
        if len(inner) != 1 or not all(name == inner[0] or name.lower() in _BESIDE for name in row):
            return row
        beside = (
            {} if "id" in row[inner[0]] else {name: row[name] for name in ("id", "_id", "identifier") if name in row}
        )
        ids = {name: each for name, each in beside.items() if not isinstance(each, dict | list)}
        row = {**ids, **row[inner[0]]}
    return row


def _worth(rows: Sequence[Mapping[str, Any]], place: tuple[str, ...]) -> float:
    """Return how likely rows are the records: many of them, with several values, all alike, at a place that says so."""
    name = place[-1].lower() if place else ""
    favour = 4.0 if name in _LIKELY else 0.1 if any(each.lower() in _UNLIKELY for each in place) else 1.0
    if not rows:
        return 0.5 * favour - 1.0
    values = sum(min(len(row), 12) for row in rows[:200]) / min(len(rows), 200)
    return favour * math.sqrt(len(rows)) * values * _likeness(rows) / (1 + 0.1 * len(place))


def _likeness(rows: Sequence[Mapping[str, Any]]) -> float:
    """Return the share of names that rows have in common with most of them."""
    some = rows[:100]
    counts = Counter(name for row in some for name in row)
    usual = {name for name, count in counts.items() if count >= LIKE * len(some)}
    if not usual:
        return 0.1
    return sum(len(usual & row.keys()) / max(1, len(usual | row.keys())) for row in some) / len(some)


def read_records(listing: Listing) -> tuple[Record, ...]:
    """Return the rows of a listing as records, with what tells each from the others."""
    flat = [read_values(row) for row in listing.rows[:MAX_RECORDS]]
    flat = [values for values in flat if values]
    key = _find_key(flat)
    page = _find_page(flat)
    return tuple(Record(values, _single(values, key), _single(values, page)) for values in flat)


def read_values(row: Mapping[str, Any]) -> tuple[Value, ...]:
    """Return the values of an object: names of objects within it are joined by dots, a list gives several values."""
    return tuple(_flatten(row))[:MAX_VALUES]


def _flatten(row: Mapping[str, Any]) -> Iterator[Value]:
    waiting: list[tuple[str, Any, int]] = [(str(name), each, 0) for name, each in reversed(list(row.items()))]
    for _ in range(4 * MAX_VALUES):
        if not waiting:
            return
        name, each, level = waiting.pop()
        if isinstance(each, dict | list):
            waiting += _deeper(name, each, level)
        elif text := write_value(each):
            yield Value(name[:MAX_NAME], text)


def _deeper(name: str, each: Any, level: int) -> list[tuple[str, Any, int]]:
    if level >= MAX_LEVELS:
        return []
    if isinstance(each, list):
        return [(name, inner, level + 1) for inner in reversed(each[:MAX_VALUES])]
    return [
        (name if key == "#text" else f"{name}.{key}", inner, level + 1)
        for key, inner in reversed(list(each.items())[:MAX_VALUES])
    ]


def write_value(each: Any) -> str:
    """Return a value as text; nothing for null and for what is no number."""
    if isinstance(each, str):
        return " ".join(each[:MAX_TEXT].split())
    if isinstance(each, bool):
        return "true" if each else "false"
    if isinstance(each, int):
        return str(each) if abs(each) < 10**40 else ""
    return repr(each) if isinstance(each, float) and math.isfinite(each) else ""


def _find_key(flat: Sequence[tuple[Value, ...]]) -> str:
    """Return the attribute that tells records apart: one of those that are made for it, that all have and none shares."""
    return next((name for name in _candidates(flat, _KEYS) if _tells_apart(flat, name)), "")


def _candidates(flat: Sequence[tuple[Value, ...]], wanted: Sequence[str]) -> Iterator[str]:
    """Yield the attributes of the first record by the order of what they may be called; *_id comes after the plain names."""
    names = list(dict.fromkeys(value.attribute for value in flat[0])) if flat else []
    lower = {name.lower(): name for name in reversed(names)}
    yield from (lower[name] for name in wanted if name in lower)
    yield from (
        name for name in names if name == "@key" or name.lower().endswith(("_id", ".id")) or name.endswith(("Id", "ID"))
    )


def _tells_apart(flat: Sequence[tuple[Value, ...]], name: str) -> bool:
    keys = [_single(values, name) for values in flat]
    return all(keys) and len(set(keys)) == len(keys)


def _find_page(flat: Sequence[tuple[Value, ...]]) -> str:
    """Return the attribute that is the address of each record's own page."""
    return next(
        (
            name
            for name in _candidates(flat, _PAGES)
            if _tells_apart(flat, name) and _single(flat[0], name).startswith(("http://", "https://"))
        ),
        "",
    )


def _single(values: Sequence[Value], name: str) -> str:
    """Return the value of an attribute that has exactly one."""
    found = [value.text for value in values if value.attribute == name] if name else []
    return found[0] if len(found) == 1 else ""
