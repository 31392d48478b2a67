"""Answers in JSON and XML: where the records stand, and what is said around them."""

from __future__ import annotations

import math
import re
from collections import Counter, deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import parse_qsl, urlsplit
from xml.parsers import expat

import orjson

from dowse.model import Record, Request, Value, Verdict

# -- XML as plain values: elements become names, repeated ones lists. A document that declares entities or refers to a
#    file is refused, so nothing is fetched and nothing is multiplied.

# Bounds on the work on one answer, above what any of the labelled pages, the services of `bench realharvest` or the simulated web has.
MAX_XML_ELEMENTS: Final = 300_000  # of one document
MAX_XML_DEPTH: Final = 60  # elements in elements
MAX_XML_TEXT_CHARS: Final = 20_000  # of one element
MAX_XML_ATTRIBUTES: Final = 100  # of one element
# Elements whose name says only what type of value they hold; what they are called stands in an attribute.
_NAMED_BY: Final = ("name", "tag", "code", "key")
_TYPE_ELEMENTS: Final = frozenset(
    "str int long float double bool date arr lst field datafield controlfield subfield data value property param attribute attr".split()
)
_VALUE_ELEMENTS: Final = frozenset({"str", "int", "long", "float", "double", "bool", "date"})


class _XmlRefused(Exception):
    """Reading was given up, and why."""


class _XmlBuilder:
    """What is open while a document is read: for each element its name, what it holds, and its text."""

    def __init__(self) -> None:
        self.root: dict[str, Any] = {}
        self.open: list[tuple[str, dict[str, Any], list[str]]] = [("", self.root, [])]
        self.elements = 0

    def start(self, name: str, given: dict[str, str]) -> None:
        """Open an element."""
        self.elements += 1
        if self.elements > MAX_XML_ELEMENTS:
            raise _XmlRefused("has too many elements")
        if len(self.open) > MAX_XML_DEPTH:
            raise _XmlRefused("is nested too deep")
        local = name.rpartition(":")[2]
        if local in _VALUE_ELEMENTS and not given:  # a value in a list of them
            local = "#text"
        holds = {
            key.rpartition(":")[2]: value[:MAX_XML_TEXT_CHARS]
            for key, value in list(given.items())[:MAX_XML_ATTRIBUTES]
            if not key.startswith("xmlns") and not key.endswith(":schemaLocation")
        }
        if local.lower() in _TYPE_ELEMENTS and (by := next((each for each in _NAMED_BY if holds.get(each)), "")):
            local = holds.pop(by)[:200]
            holds = {} if name.rpartition(":")[2].lower() == "datafield" else holds
        self.open.append((local, holds, []))

    def say(self, text: str) -> None:
        """Add words to the open element."""
        self.open[-1][2].append(text[:MAX_XML_TEXT_CHARS])

    def end(self, _: str) -> None:
        """Close an element and give it to the one around it."""
        name, holds, texts = self.open.pop()
        text = " ".join("".join(texts)[:MAX_XML_TEXT_CHARS].split())
        value: Any = ({**holds, "#text": text} if text else holds) if holds else text
        above = self.open[-1][1]
        if name not in above:
            above[name] = value
        elif isinstance(above[name], list):
            above[name].append(value)
        else:
            above[name] = [above[name], value]

    def refuse(self, *_: Any) -> int:
        """Refuse declarations that could be used to harm the reader."""
        raise _XmlRefused("declares entities")


def read_xml(body: bytes) -> Any:
    """Return a document as plain values, or why it is not read."""
    reader = _XmlBuilder()
    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.StartElementHandler = reader.start
    parser.EndElementHandler = reader.end
    parser.CharacterDataHandler = reader.say
    parser.EntityDeclHandler = reader.refuse
    parser.ExternalEntityRefHandler = reader.refuse
    try:
        parser.Parse(body, True)
    except _XmlRefused as refused:
        return Verdict(False, f"the XML {refused}")
    except (expat.ExpatError, ValueError, LookupError) as broken:
        return Verdict(False, f"broken XML: {broken}"[:200])
    return _with_lone_records(reader.root)


_RECORD_ELEMENTS: Final = frozenset({"record", "item", "entry", "doc", "result", "row", "hit", "document", "feature"})


def _with_lone_records(root: dict[str, Any]) -> dict[str, Any]:
    """Return the values with a lone record as a list of one: XML does not tell the two apart."""
    waiting: list[dict[str, Any]] = [root]
    for _ in range(1_000):
        if not waiting:
            break
        holds = waiting.pop(0)
        for name, value in holds.items():
            if isinstance(value, dict):
                waiting.append(value)
                if name.lower() in _RECORD_ELEMENTS and len(value) > 1 and "numFound" not in value:
                    holds[name] = [value]
                    waiting.pop()
    return root


# -- tables as lists of lists: the first row may name the columns; without names they are named by their number

# Bounds on the work; a longer first cell is a value: names of columns in CSV of real software have 40 at most.
MAX_SAMPLED_ROWS: Final = 200  # rows
MAX_HEAD_CHARS: Final = 60  # of the name of a column

TableRow = list[Any]

_NUMERAL: Final = re.compile(r"[\d.,:/+\-\s]+")
_IDENTIFIER: Final = re.compile(
    r"\A(?:[A-Za-z](?=\w*_\w)\w++|[a-z]{2,}[A-Z]\w*)"
)  # first_name, firstName: nobody is called so
_COLUMN_WORDS: Final = frozenset(
    "id name title author authors creator subject subjects keyword keywords year date type kind category description abstract summary text url uri "
    "link href language lang country city state region county address zip price currency amount quantity status code number isbn issn doi publisher "
    "format size length width height weight color colour brand model make email phone latitude longitude lat lon lng timestamp time created updated "
    "modified key value label count total score rank source version original mimetype statuscode digest urlkey population species genus family "
    "artist album track genre director rating company department salary age gender birthday first last street symbol unit place location".split()
)


def is_table(rows: Sequence[TableRow], width: int) -> bool:
    """Return True if lists are rows of a table: plain values, words among them, most of them as many."""
    some = rows[:MAX_SAMPLED_ROWS]
    if any(isinstance(cell, dict | list) for row in some for cell in row):
        return False
    has_words = any(isinstance(cell, str) and not _NUMERAL.fullmatch(cell) for row in some for cell in row)
    return has_words and width > 1 and 2 * sum(len(row) == width for row in some) >= len(some)


def name_columns(rows: list[TableRow], width: int) -> tuple[list[str], list[TableRow]]:
    """Return the names of the columns and the rows under them: those of a first row that is a head, else their places."""
    if _has_head(rows, width):
        return [cell.strip() for cell in rows[0]], rows[1:]
    return [f"column {place}" for place in range(1, width + 1)], rows


def _has_head(rows: Sequence[TableRow], width: int) -> bool:
    """Return True if the first row is a head: names by themselves, or words over what is none."""
    head, below = rows[0], rows[1:MAX_SAMPLED_ROWS]
    if not below or len(head) != width or not all(map(_is_word, head)) or len(set(head)) < width:
        return False
    names = [cell.strip().lower() for cell in head]
    if any(len(name) > MAX_HEAD_CHARS for name in names):
        return False
    usual = sum(
        name in _COLUMN_WORDS or bool(_IDENTIFIER.fullmatch(cell.strip()))
        for name, cell in zip(names, head, strict=True)
    )
    if 2 * usual >= width:
        return True
    # or a column that has no word at all under its first row
    columns = [
        [row[place] for row in below if len(row) > place and row[place] not in (None, "")] for place in range(width)
    ]
    return any(cells and not any(map(_is_word, cells)) for cells in columns)


def _is_word(cell: Any) -> bool:
    return isinstance(cell, str) and bool(cell.strip()) and not _NUMERAL.fullmatch(cell)


# -- where the records stand: the largest list of like objects, or a table with its columns

# Bounds on the work; the share was set by hand on services of real software (`python -m bench realharvest`).
MAX_LIST_DEPTH: Final = 12  # levels in which a list is looked for
MAX_VISITED_VALUES: Final = 20_000  # values that are looked at for it
MAX_SERVICE_RECORDS: Final = 50_000  # of one answer
MAX_ROW_VALUES: Final = 500  # of one record
MAX_ROW_LEVELS: Final = 6  # of objects within a record
MAX_VALUE_CHARS: Final = 20_000  # of one value
MAX_NAME_CHARS: Final = 120  # of the name of an attribute
MIN_COMMON_NAME_SHARE: Final = 0.5  # of its names that an object has in common with most of the list

_RECORD_NAMES: Final = frozenset(
    "results result items item docs documents records record hits data value values entries entry rows features edges nodes elements objects "
    "content list matches response collection members hydra:member".split()
)
_OTHER_NAMES: Final = frozenset(
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
_KEY_NAMES: Final = (
    "id", "_id", "@id", "uuid", "guid", "key", "identifier", "uid", "pid", "oid", "objectid", "doi", "isbn", "accession", "code", "slug",
    "recordid", "record_id", "nr", "number", "url", "link", "href",
)  # fmt: skip
_ADDRESS_NAMES: Final = (
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
class RecordList:
    """The records of an answer as plain objects, and where they stand."""

    place: tuple[str, ...]
    rows: tuple[Mapping[str, Any], ...]


def find_record_list(said: Any) -> RecordList | None:
    """Return the records of an answer, or None where it has no list; a list that is empty is an answer too."""
    best: tuple[float, RecordList] | None = None
    for place, value, above in _walk(said):
        rows = _rows_of(value, place, above)
        if rows is None:
            continue
        worth = _score_rows(rows, place)
        if best is None or worth > best[0]:
            best = worth, RecordList(place, rows)
    return best[1] if best else None


def _walk(said: Any) -> Iterator[tuple[tuple[str, ...], list[Any], Mapping[str, Any]]]:
    """Yield the lists of an answer with their places; the insides of records are not looked into, those of a lone one are."""
    waiting: deque[tuple[tuple[str, ...], Any, Mapping[str, Any]]] = deque([((), said, {})])
    for _ in range(MAX_VISITED_VALUES):
        if not waiting:
            return
        place, value, above = waiting.popleft()
        if isinstance(value, list):
            yield place, value, above
        if len(place) < MAX_LIST_DEPTH:
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
    if len(inner) < 3 or len(inner) < len(value) - 1 or _likeness(inner) < 0.8 or not _RECORD_NAMES.isdisjoint(value):
        return []
    return [
        {"@key": name, **each} for name, each in list(value.items())[:MAX_SERVICE_RECORDS] if isinstance(each, dict)
    ]


def _rows_of(
    value: list[Any], place: tuple[str, ...], above: Mapping[str, Any]
) -> tuple[Mapping[str, Any], ...] | None:
    """Return a list as rows: objects, or rows of a table with its columns; None for a list of anything else."""
    if not value:
        return () if not place or place[-1].lower() in _RECORD_NAMES else None
    some = value[:MAX_SERVICE_RECORDS]
    if all(isinstance(each, dict) for each in some):
        return tuple(unwrap(each) for each in some)
    if all(isinstance(each, list) for each in some):
        return _table_rows(some, above, is_likely=not place or place[-1].lower() in _RECORD_NAMES)
    return None


def _table_rows(
    rows: list[list[Any]], above: Mapping[str, Any], *, is_likely: bool
) -> tuple[Mapping[str, Any], ...] | None:
    width = max(map(len, rows))
    if not 0 < width <= MAX_ROW_VALUES:
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
    names = []
    for each in said[: MAX_ROW_VALUES + 1]:
        held = each if isinstance(each, dict) else {}
        name = each if isinstance(each, str) else next((held[key] for key in _COLUMN_NAMES if key in held), "")
        names.append(name if isinstance(name, str) else "")
    return names if all(names) and len(set(names)) == len(names) else []


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


def _score_rows(rows: Sequence[Mapping[str, Any]], place: tuple[str, ...]) -> float:
    """Return how likely rows are the records: many of them, with several values, all alike, at a place that says so."""
    name = place[-1].lower() if place else ""
    favour = 4.0 if name in _RECORD_NAMES else 0.1 if any(each.lower() in _OTHER_NAMES for each in place) else 1.0
    if not rows:
        return 0.5 * favour - 1.0
    values = sum(min(len(row), 12) for row in rows[:200]) / min(len(rows), 200)
    return favour * math.sqrt(len(rows)) * values * _likeness(rows) / (1 + 0.1 * len(place))


def _likeness(rows: Sequence[Mapping[str, Any]]) -> float:
    """Return the share of names that rows have in common with most of them."""
    some = rows[:100]
    counts = Counter(name for row in some for name in row)
    usual = {name for name, count in counts.items() if count >= MIN_COMMON_NAME_SHARE * len(some)}
    if not usual:
        return 0.1
    return sum(len(usual & row.keys()) / max(1, len(usual | row.keys())) for row in some) / len(some)


def read_listed_records(listing: RecordList) -> tuple[Record, ...]:
    """Return the rows of a listing as records, each with its key and address."""
    flat = [read_row_values(row) for row in listing.rows[:MAX_SERVICE_RECORDS]]
    flat = [values for values in flat if values]
    # made for it, had by all and shared by none: what identifies records, and the address of each one's own page
    key = next((name for name in _candidates(flat, _KEY_NAMES) if _is_unique(flat, name)), "")
    unique = (name for name in _candidates(flat, _ADDRESS_NAMES) if _is_unique(flat, name))
    page = next((name for name in unique if _single(flat[0], name).startswith(("http://", "https://"))), "")
    return tuple(Record(values, _single(values, key), _single(values, page)) for values in flat)


def read_row_values(row: Mapping[str, Any]) -> tuple[Value, ...]:
    """Return the values of an object: names of objects within it are joined by dots, a list gives several values."""
    return tuple(_flatten(row))[:MAX_ROW_VALUES]


def _flatten(row: Mapping[str, Any]) -> Iterator[Value]:
    waiting: list[tuple[str, Any, int]] = [(str(name), each, 0) for name, each in reversed(list(row.items()))]
    for _ in range(4 * MAX_ROW_VALUES):
        if not waiting:
            return
        name, each, level = waiting.pop()
        if isinstance(each, dict | list):
            waiting += _deeper(name, each, level)
        elif text := write_value(each):
            yield Value(name[:MAX_NAME_CHARS], text)


def _deeper(name: str, each: Any, level: int) -> list[tuple[str, Any, int]]:
    if level >= MAX_ROW_LEVELS:
        return []
    if isinstance(each, list):
        return [(name, inner, level + 1) for inner in reversed(each[:MAX_ROW_VALUES])]
    return [
        (name if key == "#text" else f"{name}.{key}", inner, level + 1)
        for key, inner in reversed(list(each.items())[:MAX_ROW_VALUES])
    ]


def write_value(each: Any) -> str:
    """Return a value as text; nothing for null and for what is no number."""
    if isinstance(each, str):
        return " ".join(each[:MAX_VALUE_CHARS].split())
    if isinstance(each, bool):
        return "true" if each else "false"
    if isinstance(each, int):
        return str(each) if abs(each) < 10**40 else ""
    return repr(each) if isinstance(each, float) and math.isfinite(each) else ""


def _candidates(flat: Sequence[tuple[Value, ...]], wanted: Sequence[str]) -> Iterator[str]:
    """Yield the attributes of the first record by the order of what they may be called; *_id comes after the plain names."""
    names = list(dict.fromkeys(value.attribute for value in flat[0])) if flat else []
    lower = {name.lower(): name for name in reversed(names)}
    yield from (lower[name] for name in wanted if name in lower)
    yield from (
        name for name in names if name == "@key" or name.lower().endswith(("_id", ".id")) or name.endswith(("Id", "ID"))
    )


def _is_unique(flat: Sequence[tuple[Value, ...]], name: str) -> bool:
    keys = [_single(values, name) for values in flat]
    return all(keys) and len(set(keys)) == len(keys)


def _single(values: Sequence[Value], name: str) -> str:
    """Return the value of an attribute that has exactly one."""
    found = [value.text for value in values if value.attribute == name] if name else []
    return found[0] if len(found) == 1 else ""


# -- the envelope: what a service says around its records, and how many there are in all

# Bounds on the work on one answer, above what any of the labelled pages, the services of `bench realharvest` or the simulated web has.
MAX_FACTS: Final = 3_000  # single values around the records
MAX_ENVELOPE_DEPTH: Final = 8  # of objects within objects
MAX_TOTAL: Final = 10**12  # records; a larger number counts something else

# Names (lower case, letters only) of how many there are in all; the most reliable first.
TOTAL_NAMES: Final = (
    "filteredtablerowscount", "recordsfiltered", "itotaldisplayrecords", "numfound", "totalresults", "totalcount", "totalhits", "nbhits",
    "totalrecords", "totalitems", "totalelements", "totalentries", "totalrows", "totalnumber", "totalmatches", "totalfound", "estimatedtotalhits",
    "odatacount", "numberofrecords", "numberofresults", "numresults", "completelistsize", "resultcount", "resultscount", "hitcount", "matchcount",
    "total", "found", "hits", "matches", "itotalrecords", "recordstotal", "count", "nhits", "size",
)  # fmt: skip
# Of these, those that often count what stands on this page.
_PAGE_TOTALS: Final = frozenset(
    {"count", "size", "numresults", "resultcount", "resultscount", "hits", "matches", "numberofresults"}
)
_ESTIMATED_TOTALS: Final = frozenset({"estimatedtotalhits", "approximatecount", "estimatedcount"})
START_NAMES: Final = frozenset("start offset from skip startindex first begin startrecord startat resultoffset".split())
_SIZES: Final = frozenset(
    "limit rows pagesize perpage size itemsperpage count maximumrecords resultsperpage num top pagelimit hitsperpage maxresults".split()
)
_LETTERS: Final = re.compile(r"[^a-z]+")


@dataclass(frozen=True, slots=True)
class Fact:
    """A single value that stands around the records."""

    path: tuple[str, ...]
    value: Any

    @property
    def name(self) -> str:
        """Its last name, lower case, letters only; those of a wrapper around it where it only says value or href."""
        for part in reversed(self.path):
            plain = plain_name(part)
            if plain not in ("value", "href", "url", "text", ""):
                return plain
        return ""


def plain_name(name: str) -> str:
    """Return a name without case and signs: total_count, totalCount and total-count are one."""
    return _LETTERS.sub("", name.rpartition(":")[2].lower())


def find_facts(said: Any, listing: RecordList) -> list[Fact]:
    """Return the single values of an answer outside its records, those near its top first."""
    return list(_walk_envelope(said, tuple(listing.place)))


def _walk_envelope(said: Any, without: tuple[str, ...]) -> Iterator[Fact]:
    """Yield the single values of an answer, without what stands at one place of it."""
    waiting: deque[tuple[tuple[str, ...], Any]] = deque([((), said)])
    for _ in range(MAX_FACTS):
        if not waiting:
            return
        path, value = waiting.popleft()
        if isinstance(value, dict):
            if value.get("href") and isinstance(value.get("rel"), str):  # one link, as XML has it
                yield Fact((*path, value["rel"]), value["href"])
            inside = [((*path, str(name)), inner) for name, inner in list(value.items())[:300]]
            waiting.extend(each for each in inside if each[0] != without and len(each[0]) <= MAX_ENVELOPE_DEPTH)
        elif isinstance(value, list):
            waiting.extend(_from_list(path, value))
        else:
            yield Fact(path, value)


def _from_list(path: tuple[str, ...], value: list[Any]) -> list[tuple[tuple[str, ...], Any]]:
    """Return links of a list by their relation; and what stands beside a list of records in a list: [{total: 5}, [...]]."""
    links = [each for each in value[:50] if isinstance(each, dict) and (each.get("rel") or each.get("relation"))]
    if links:
        return [
            ((*path, str(each.get("rel") or each.get("relation"))), each.get("href") or each.get("url"))
            for each in links
        ]
    return [(path, each) for each in value[:2] if isinstance(each, dict)] if not path and len(value) == 2 else []


def find_total(said: Any, listing: RecordList, asked: Request, *, has_next: bool) -> tuple[int | None, bool]:
    """Return how many records there are in all, as an answer says, and whether that is exact."""
    facts = find_facts(said, listing)
    shown = len(listing.rows)
    named = {(fact.name, fact.path): number for fact in facts if (number := read_whole_number(fact.value)) is not None}
    for name in TOTAL_NAMES:
        for (found, path), number in named.items():
            if found == name and _is_total(name, number, shown, facts, asked, has_next=has_next):
                return number, name not in _ESTIMATED_TOTALS and _says_exact(facts, path)
    return None, True


def _is_total(name: str, number: int, shown: int, facts: list[Fact], asked: Request, *, has_next: bool) -> bool:
    """Return True if a number counts all records: a weak name that gives as many as are shown may count only those."""
    if number < shown:
        return False
    if name not in _PAGE_TOTALS or number > shown or shown == 0:
        return not (name == "size" and number == size_of(facts, asked))
    if has_next or (_start_of(facts, asked) or 0) > 0:
        return False
    if any(
        fact.value is None and fact.name in ("next", "nexturl", "nextlink") for fact in facts
    ):  # it says that this is all
        return True
    size = size_of(facts, asked)
    return size is not None and shown < size


def read_whole_number(value: Any) -> int | None:
    """Return a whole number, also one that is written as text."""
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, str):
        value = int(value) if value.isascii() and value.isdigit() and len(value) <= 12 else None
    return int(value) if isinstance(value, int | float) and 0 <= value <= MAX_TOTAL else None


def _says_exact(facts: list[Fact], path: tuple[str, ...]) -> bool:
    for fact in facts:
        name = plain_name(fact.path[-1]) if fact.path else ""
        if name in ("numfoundexact", "exhaustivenbhits", "totalexact", "countisexact") and fact.value in (
            False,
            "false",
        ):
            return False
        if name == "relation" and fact.path[:-1] == path[:-1] and fact.value in ("gte", "gt"):
            return False
    return True


def size_of(facts: list[Fact], asked: Request) -> int | None:
    """Return how many records stand on a full page, by the request or the answer."""
    sent = [
        number
        for name, value in sent_pairs(asked)
        if plain_name(name) in _SIZES and (number := read_whole_number(value))
    ]
    said = [
        number
        for fact in facts
        if fact.name in _SIZES - {"count", "size"} and (number := read_whole_number(fact.value))
    ]
    return next(iter([*sent, *said]), None)


def _start_of(facts: list[Fact], asked: Request) -> int | None:
    found = [
        number for fact in facts if fact.name in START_NAMES and (number := read_whole_number(fact.value)) is not None
    ]
    sent = [
        number
        for name, value in sent_pairs(asked)
        if plain_name(name) in START_NAMES and (number := read_whole_number(value)) is not None
    ]
    return next(iter([*found, *sent]), None)


def sent_pairs(asked: Request) -> list[tuple[str, str]]:
    """Return what a request sends: its parameters, or the single values of a JSON body."""
    query = urlsplit(asked.url).query
    pairs = parse_qsl(query, keep_blank_values=True) if query.count("&") < 500 else []
    if asked.body[:1] == b"{":
        pairs += [(name, str(value)) for name, value in sent_json(asked).items() if isinstance(value, str | int)]
    elif asked.body and asked.body.count(b"&") < 500:
        pairs += parse_qsl(asked.body.decode("latin-1"), keep_blank_values=True)
    return pairs


def sent_json(asked: Request) -> Mapping[str, Any]:
    try:
        sent = orjson.loads(asked.body)
    except ValueError:
        return {}
    return sent if isinstance(sent, dict) else {}
