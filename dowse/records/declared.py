"""Records that a page declares in JSON-LD and microdata."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import orjson

from dowse.model import Record, Value
from dowse.records.pieces import resolve_link
from dowse.tree.node import Node

MAX_JSON_LD_SCRIPTS: Final = 20
MAX_DECLARED_PARTS: Final = 5_000  # of all scripts together
MAX_DECLARED_DEPTH: Final = 12
MAX_THINGS: Final = 1_000
MAX_PROPERTIES: Final = 60  # of one thing
MAX_DECLARED_CHARS: Final = 500  # characters
MIN_DECLARED_THINGS: Final = 2  # things of one kind that are a list
MIN_MATCHED_SHARE: Final = 0.6  # of records that a declared list must know

_JSON: Final = "application/ld+json"
_PAGE_KINDS: Final = frozenset(  # kinds of things that a page says of itself, not of its records
    "WebSite WebPage SearchResultsPage CollectionPage Organization BreadcrumbList ListItem ItemList SearchAction "
    "ImageObject SiteNavigationElement WPHeader WPFooter Corporation Person EntryPoint PostalAddress Offer "
    "AggregateRating Rating Brand Place GeoCoordinates ContactPoint QuantitativeValue MonetaryAmount".split()
)
_NAMES: Final = ("name", "headline", "title")


@dataclass(frozen=True, slots=True)
class DeclaredThing:
    """Something that a page declares."""

    kind: str
    url: str
    name: str
    values: tuple[Value, ...]


def find_things(tree: Node, page: str) -> tuple[DeclaredThing, ...]:
    """Return the largest list of things of one kind that a page declares, in its order; nothing when there is none."""
    found = [thing for thing in _read_scripts(tree, page) if thing.values]
    kinds = Counter(thing.kind for thing in found)
    if not kinds:
        return ()
    kind, count = kinds.most_common(1)[0]
    return tuple(thing for thing in found if thing.kind == kind)[:MAX_THINGS] if count >= MIN_DECLARED_THINGS else ()


def _read_scripts(tree: Node, page: str) -> Iterator[DeclaredThing]:
    scripts = [child for child in tree.children if child.tag == "script" and child.attribute("rel") == _JSON]
    left = MAX_DECLARED_PARTS
    for script in scripts[:MAX_JSON_LD_SCRIPTS]:
        try:
            said = orjson.loads("".join(script.texts))
        except ValueError:
            continue
        waiting = [(said, 0)]
        while waiting and left > 0:
            part, depth = waiting.pop(0)
            left -= 1
            if isinstance(part, dict):
                yield from _read_thing(part, page)
                part = list(part.values())
            if isinstance(part, list) and depth < MAX_DECLARED_DEPTH:
                waiting += [(each, depth + 1) for each in part[:MAX_THINGS] if isinstance(each, dict | list)]


def _read_thing(part: Mapping[str, Any], page: str) -> Iterator[DeclaredThing]:
    """Yield an object as a thing, unless it is one that only belongs to another."""
    kind = part.get("@type")
    kind = kind[0] if isinstance(kind, list) and kind else kind
    if not isinstance(kind, str) or kind in _PAGE_KINDS:
        return
    url = part.get("url") or part.get("@id")
    name = next((part[key] for key in _NAMES if isinstance(part.get(key), str)), "")
    values = tuple(_read_properties(part, "", 0))[:MAX_PROPERTIES]
    yield DeclaredThing(kind, resolve_link(url, page) if isinstance(url, str) else "", _flat(name), values)


def _read_properties(part: Mapping[str, Any], above: str, depth: int) -> Iterator[Value]:
    """Yield the values of a thing and of what belongs to it: price of offers, name of author."""
    for key, value in list(part.items())[:MAX_PROPERTIES]:
        if key.startswith("@") or key in ("url", "image"):
            continue
        for each in value[:MAX_PROPERTIES] if isinstance(value, list) else [value]:
            if isinstance(each, dict) and depth < 2:
                yield from _read_properties(each, f"{above}{key}.", depth + 1)
            elif isinstance(each, str | int | float) and not isinstance(each, bool) and _flat(str(each)):
                yield Value(f"{above}{key}".removesuffix(".name"), _flat(str(each)))


def _flat(text: str) -> str:
    return " ".join(text.split())[:MAX_DECLARED_CHARS]


class DeclaredThings:
    """The things of a page by what records are known by: the address of their page, or what they are called."""

    def __init__(self, things: Sequence[DeclaredThing]) -> None:
        self.things = things
        self._by_url = {thing.url: thing for thing in things if thing.url}
        self._by_name = {thing.name.casefold(): thing for thing in things if thing.name}

    def find(self, record: Record) -> DeclaredThing | None:
        """Return the thing that is a record, if one is."""
        known = self._by_url.get(record.url) if record.url else None
        names = (self._by_name.get(value.text.casefold()) for value in record.values)
        return known or next((thing for thing in names if thing), None)

    def knows(self, records: Sequence[Record]) -> bool:
        """Return True if most of some records are declared."""
        return bool(records and self.things) and sum(
            self.find(record) is not None for record in records
        ) >= MIN_MATCHED_SHARE * len(records)

    def extend(self, record: Record) -> Record:
        """Return a record with what is declared of it and does not stand in it."""
        thing = self.find(record)
        if thing is None:
            return record
        texts = {value.text for value in record.values}
        more = tuple(value for value in thing.values if value.text not in texts)
        return Record((*record.values, *more), record.key, record.url or thing.url)

    def records(self) -> tuple[Record, ...]:
        """Return the things as records."""
        return tuple(Record(thing.values, thing.url, thing.url) for thing in self.things)
