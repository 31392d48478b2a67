"""What a service says around its records: single values by their names, and how many records there are in all."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import parse_qsl, urlsplit

import orjson

from dowse.model import Request
from dowse.records.listing import Listing

MAX_FACTS: Final = 3_000  # single values around the records
MAX_DEPTH: Final = 8
LARGEST: Final = 10**12

# Names (lower case, letters only) of how many there are in all; the surest first.
TOTALS: Final = (
    "filteredtablerowscount", "recordsfiltered", "itotaldisplayrecords", "numfound", "totalresults", "totalcount", "totalhits", "nbhits",
    "totalrecords", "totalitems", "totalelements", "totalentries", "totalrows", "totalnumber", "totalmatches", "totalfound", "estimatedtotalhits",
    "odatacount", "numberofrecords", "numberofresults", "numresults", "completelistsize", "resultcount", "resultscount", "hitcount", "matchcount",
    "total", "found", "hits", "matches", "itotalrecords", "recordstotal", "count", "nhits", "size",
)  # fmt: skip
# Of these, those that often count what stands on this page.
_WEAK: Final = frozenset(
    {"count", "size", "numresults", "resultcount", "resultscount", "hits", "matches", "numberofresults"}
)
_ABOUT: Final = frozenset({"estimatedtotalhits", "approximatecount", "estimatedcount"})
STARTS: Final = frozenset("start offset from skip startindex first begin startrecord startat resultoffset".split())
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


def find_facts(said: Any, listing: Listing) -> list[Fact]:
    """Return the single values of an answer outside its records, those near its top first."""
    return list(_walk(said, tuple(listing.place)))


def _walk(said: Any, without: tuple[str, ...]) -> Iterator[Fact]:
    waiting: deque[tuple[tuple[str, ...], Any]] = deque([((), said)])
    for _ in range(MAX_FACTS):
        if not waiting:
            return
        path, value = waiting.popleft()
        if isinstance(value, dict):
            if value.get("href") and isinstance(value.get("rel"), str):  # one link, as XML has it
                yield Fact((*path, value["rel"]), value["href"])
            inside = [((*path, str(name)), inner) for name, inner in list(value.items())[:300]]
            waiting.extend(each for each in inside if each[0] != without and len(each[0]) <= MAX_DEPTH)
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


# how many


def find_total(said: Any, listing: Listing, asked: Request, *, has_next: bool) -> tuple[int | None, bool]:
    """Return how many records there are in all, as an answer says, and whether that is exact."""
    facts = find_facts(said, listing)
    shown = len(listing.rows)
    named = {(fact.name, fact.path): number for fact in facts if (number := read_number(fact.value)) is not None}
    for name in TOTALS:
        for (found, path), number in named.items():
            if found == name and _is_total(name, number, shown, facts, asked, has_next=has_next):
                return number, name not in _ABOUT and _says_exact(facts, path)
    return None, True


def _is_total(name: str, number: int, shown: int, facts: list[Fact], asked: Request, *, has_next: bool) -> bool:
    """Say whether a number counts all records: a weak name that gives as many as are shown may count only those."""
    if number < shown:
        return False
    if name not in _WEAK or number > shown or shown == 0:
        return not (name == "size" and number == size_of(facts, asked))
    if has_next or (_start_of(facts, asked) or 0) > 0:
        return False
    if any(
        fact.value is None and fact.name in ("next", "nexturl", "nextlink") for fact in facts
    ):  # it says that this is all
        return True
    size = size_of(facts, asked)
    return size is not None and shown < size


def read_number(value: Any) -> int | None:
    """Return a whole number, also one that is written as text."""
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, str):
        value = int(value) if value.isascii() and value.isdigit() and len(value) <= 12 else None
    return int(value) if isinstance(value, int | float) and 0 <= value <= LARGEST else None


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
        number for name, value in sent_pairs(asked) if plain_name(name) in _SIZES and (number := read_number(value))
    ]
    said = [number for fact in facts if fact.name in _SIZES - {"count", "size"} and (number := read_number(fact.value))]
    return next(iter([*sent, *said]), None)


def _start_of(facts: list[Fact], asked: Request) -> int | None:
    found = [number for fact in facts if fact.name in STARTS and (number := read_number(fact.value)) is not None]
    sent = [
        number
        for name, value in sent_pairs(asked)
        if plain_name(name) in STARTS and (number := read_number(value)) is not None
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
