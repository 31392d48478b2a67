"""Records that are written for programs: answers of web services with their next pages, and JSON-LD in pages."""

from __future__ import annotations

import csv
import io
import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, Final
from urllib.parse import quote_plus, urljoin

import orjson

from dowse.model import Record, Request, Response, Value, Verdict
from dowse.records.answers import (
    START_NAMES,
    TOTAL_NAMES,
    Fact,
    RecordList,
    find_facts,
    find_record_list,
    find_total,
    plain_name,
    read_listed_records,
    read_whole_number,
    read_xml,
    sent_json,
    sent_pairs,
    size_of,
)
from dowse.records.counts import judge_message
from dowse.records.paging import counts_pages, domain_of
from dowse.records.pieces import resolve_link
from dowse.tree.node import Node

# -- the next records: an address that the service names, a token, an offset or the number of a page

# Bound on the work.
MAX_TOKEN_CHARS: Final = 4_000  # of a token; a longer one is left alone

_NEXT_ADDRESS: Final = frozenset(
    "next nexturl nextlink nextpageurl nextpage nexthref odatanextlink nextpagelink nextresultsurl nexturi".split()
)
# Names of tokens, and the parameter that takes each where the request does not show one.
_TOKENS: Final = {
    "nextpagetoken": "pageToken", "nextcursor": "cursor", "nextcursormark": "cursorMark", "nexttoken": "next_token",
    "continuationtoken": "continuationToken", "resumptiontoken": "resumptionToken", "nextpageid": "page_id", "endcursor": "after",
    "nextoffset": "offset", "nextstart": "start", "nextrecordposition": "startRecord", "next": "_next", "cursor": "cursor", "nextpage": "page",
    "scrollid": "scroll_id", "bookmark": "bookmark", "searchafter": "search_after",
}  # fmt: skip
_PAGES: Final = frozenset("page currentpage pagenumber pageno pageindex pagenum".split())
_LAST_PAGES: Final = frozenset("totalpages pages pagecount lastpage numpages nbpages".split())
# headers that say how many records there are in all: of WordPress, and as json-server and others call it
TOTAL_HEADERS: Final = ("x-wp-total", "x-total-count", "x-total", "total-count")
_LINK_HEADER: Final = re.compile(
    r"<([^<>]{1,4000})>\s{0,5};[^<,]{0,500}?\brel\s{0,5}=\s{0,5}\"?(?:[\w -]{0,50}\s)?next\b", re.IGNORECASE
)


def find_next_request(said: Any, listing: RecordList, response: Response, asked: Request) -> tuple[Request | None, str]:
    """Return the request for the next records, and how it was found."""
    facts = find_facts(said, listing)
    url = _next_address(facts, response)
    if url:
        return (replace(asked, url=url) if asked.method == "GET" else Request(url)), "an address"
    size = size_of(facts, asked)
    if not listing.rows or _is_last_page(facts) or (size is not None and len(listing.rows) < size):
        return None, ""
    for find, how in ((_next_token, "a token"), (_next_start, "an offset"), (_next_page, "a page number")):
        request = find(facts, listing, asked)
        if request is not None and request != asked:
            return request, how
    return None, ""


def _next_address(facts: list[Fact], response: Response) -> str:
    """Return the address of the next page that an answer names; it stays with who answers."""
    named = [str(fact.value) for fact in facts if fact.name in _NEXT_ADDRESS and _is_address(fact.value)]
    header = _LINK_HEADER.search(response.header("link")[:10_000])
    for address in [*named, *([header[1]] if header else [])]:
        # as it is meant; nothing of it is taken off, a token may look like noise
        try:
            url: str = urljoin(response.url, address).partition("#")[0]
        except ValueError:
            continue
        if (
            url != response.url
            and url.startswith(("http://", "https://"))
            and domain_of(url) == domain_of(response.url)
        ):
            return url
    return ""


def _is_address(value: Any) -> bool:
    return (
        isinstance(value, str)
        and len(value) <= MAX_TOKEN_CHARS
        and value.startswith(("http://", "https://", "/", "?", "./"))
    )


def _is_last_page(facts: list[Fact]) -> bool:
    """Return True if an answer says that nothing comes after it."""
    names = {
        "hasnextpage": False,
        "hasmore": False,
        "hasnext": False,
        "islast": True,
        "last": True,
        "islastpage": True,
        "lastpage": True,
    }
    return any(names.get(fact.name) is fact.value for fact in facts if isinstance(fact.value, bool))


def _next_token(facts: list[Fact], _: RecordList, asked: Request) -> Request | None:
    sent = dict(sent_pairs(asked))
    for fact in facts:
        name, token = fact.name, fact.value
        if (
            name not in _TOKENS
            or isinstance(token, bool)
            or not isinstance(token, str | int)
            or not 0 < len(str(token)) <= MAX_TOKEN_CHARS
        ):
            continue
        if _is_address(token):  # of another site, or it would have been taken
            continue
        if name == "cursor" and (
            len(fact.path) > 1 and plain_name(fact.path[-2]) in ("prev", "previous", "self", "resumptiontoken")
        ):
            continue  # that of OAI-PMH counts what came before
        if name == "resumptiontoken":
            head, query = asked.url.partition("?")[::2]
            verb = "&".join(part for part in query.split("&") if part.partition("=")[0] == "verb")
            return set_parameter(replace(asked, url=f"{head}?{verb}"), "resumptionToken", str(token))
        same = next(
            (each for each in sent if plain_name(each) == plain_name(_TOKENS[name]) or plain_name(each) == name),
            _TOKENS[name],
        )
        if sent.get(same) != str(token):
            return set_parameter(asked, same, str(token))
    return None


def _next_start(facts: list[Fact], listing: RecordList, asked: Request) -> Request | None:
    """Return the request that begins where this answer ends, where it counts records."""
    total, shown = _find_stated_total(facts), len(listing.rows)
    sent = [
        (name, number)
        for name, value in sent_pairs(asked)
        if plain_name(name) in START_NAMES and (number := read_whole_number(value)) is not None
    ]
    said = [
        (fact.path[-1], number)
        for fact in facts
        if fact.name in START_NAMES and (number := read_whole_number(fact.value)) is not None
    ]
    if not sent and total is None:
        return None
    name, start = next(iter([*sent, *said]), ("", 0))
    if not name:  # the parameter that a kind of service is known to begin at
        is_odata = any(fact.name == "odatacount" for fact in facts)
        name = "from" if listing.place[-2:] == ("hits", "hits") else "$skip" if is_odata else ""
    from_one = start % max(1, shown) == 1 and plain_name(name) in ("startrecord", "startindex")
    if not name or (total is not None and start + shown - from_one >= total):
        return None
    return set_parameter(asked, name, str(start + shown))


def _find_stated_total(facts: list[Fact]) -> int | None:
    """Return how many records there are by the first name of a total that has a number."""
    numbers = (read_whole_number(fact.value) for name in TOTAL_NAMES for fact in facts if fact.name == name)
    return next((number for number in numbers if number is not None), None)


def _next_page(facts: list[Fact], listing: RecordList, asked: Request) -> Request | None:
    """Return the request for the page after this one, where pages are counted."""
    last = next(
        (n for fact in facts if fact.name in _LAST_PAGES and (n := read_whole_number(fact.value)) is not None), None
    )
    total = _find_stated_total(facts)
    said = next((n for fact in facts if fact.name in _PAGES and (n := read_whole_number(fact.value)) is not None), None)
    sent = {
        name: number
        for name, value in sent_pairs(asked)
        if counts_pages(name) and (number := read_whole_number(value)) is not None
    }
    named = {name: number for name, number in sent.items() if plain_name(name) not in START_NAMES}
    if not named and said is None:
        return None
    name, page = next(iter(named.items())) if named else ("page", said or 0)
    if last is not None and page >= last:
        return None
    if last is None and (total is None or total <= len(listing.rows) * max(1, page)):
        return None
    return set_parameter(asked, name, str(page + 1))


def set_parameter(asked: Request, name: str, value: str) -> Request:
    """Return a request with another value for one of its parameters, where the request has them."""
    if asked.body[:1] == b"{":
        sent = dict(sent_json(asked))
        is_number = value.isdecimal() and not isinstance(sent.get(name), str)
        return replace(asked, body=orjson.dumps({**sent, name: int(value[:18]) if is_number else value}))
    if asked.body:
        return replace(asked, body=_set_in_query(asked.body.decode("latin-1"), name, value).encode("latin-1"))
    head, _, query = asked.url.partition("#")[0].partition("?")
    return replace(asked, url=f"{head}?{_set_in_query(query, name, value)}")


def _set_in_query(query: str, name: str, value: str) -> str:
    """Return a query in which one parameter has another value; the others stay as they are written."""
    written = f"{quote_plus(name)}={quote_plus(value)}"
    parts = [part for part in query.split("&") if part]
    own = [place for place, part in enumerate(parts) if part.partition("=")[0] in (name, quote_plus(name))]
    if not own:
        return "&".join([*parts, written])
    return "&".join(
        written if place == own[0] else part for place, part in enumerate(parts) if place == own[0] or place not in own
    )


# -- JSON and XML into records

# Bounds on the work on one answer, above what any of the labelled pages, the services of `bench realharvest` or the simulated web has.
MAX_SERVICE_BYTES: Final = 16_000_000  # bytes that are read
MAX_TABLE_ROWS: Final = 200_000  # of CSV
MAX_JSON_LINES: Final = 50_000  # of JSON, one value each
MAX_COMPLAINT_CHARS: Final = 200  # of what a service complains about

_CALLBACK: Final = re.compile(r"\A\s{0,20}(?:/\*\*/)?\s{0,20}[\w$.\[\]]{1,100}\s{0,5}\(")
_GUARD: Final = re.compile(r"\s{0,20}(?:\)\]\}',?|while\(1\);|for\(;;\);)\s{0,20}")
_ERROR_NAMES: Final = ("error", "errors", "fault", "exception", "error_message", "errorMessage", "message", "detail")


@dataclass(frozen=True, slots=True)
class ServiceAnswer:
    """What a service answered."""

    records: tuple[Record, ...] = ()
    total: int | None = None  # matches in all, as the answer says
    exact: bool = True
    next: Request | None = None
    how: str = ""  # how the next page was found
    place: str = ""  # where in the answer the records stand, such as response.docs


def read_service(response: Response, request: Request | None = None) -> ServiceAnswer | Verdict:
    """Return the records of a JSON or XML answer, or why there are none to be read."""
    if not response.body.strip():
        return Verdict(False, "the answer is empty")
    if response.truncated or len(response.body) > MAX_SERVICE_BYTES:
        return Verdict(False, "the answer is too large")
    start = response.body[:300].lstrip(b"\xef\xbb\xbf\xff\xfe\xfe\xff \t\r\n\0")
    if start[:1] == b"<" and not _is_xml(start):
        return Verdict(False, "a page, neither JSON nor XML")
    said = _read_body(response, start)
    if isinstance(said, Verdict):
        return said
    listing = find_record_list(said)
    asked = request or Request(response.url)
    if listing is None:  # without records where it says that there are none, else why it cannot be read
        total, _ = find_total(said, RecordList(("",), ()), asked, has_next=False)
        complaint = find_complaint(said)
        reason = judge_message(complaint) or f"the service says: {complaint}"
        reason = reason if complaint else "no list of records in the answer"
        return ServiceAnswer(total=0) if total == 0 else Verdict(False, reason)
    following, how = find_next_request(said, listing, response, asked)
    total, exact = find_total(said, listing, asked, has_next=following is not None)
    if total is None and (stated := _read_header_total(response)) is not None and stated >= len(listing.rows):
        total, exact = stated, True
    return ServiceAnswer(read_listed_records(listing), total, exact, following, how, ".".join(listing.place))


def _read_header_total(response: Response) -> int | None:
    """Return how many records there are in all, as a header says."""
    found = (read_whole_number(response.header(name).strip()) for name in TOTAL_HEADERS)
    return next((number for number in found if number is not None), None)


def _read_body(response: Response, start: bytes) -> Any:
    """Return what a body says: XML, a table of rows, else JSON."""
    kind = response.header("content-type").partition(";")[0].strip().lower()
    if kind.endswith(("/csv", "/tab-separated-values")):
        return _read_table(response.body, "\t" if kind.endswith("values") else "")
    return read_xml(response.body) if start[:1] == b"<" else read_json(response.body)


def _read_table(body: bytes, border: str) -> list[dict[str, str]] | Verdict:
    """Return the rows of a table whose first line names the columns."""
    text = body.decode("utf-8-sig", "replace")
    head = text.partition("\n")[0]
    border = border or max(",;\t|", key=head.count)
    rows = list(islice(csv.DictReader(io.StringIO(text, newline=""), delimiter=border), MAX_TABLE_ROWS))
    if len(rows) < 1 or len(head.split(border)) < 1:
        return Verdict(False, "a table without rows")
    return [{name: value for name, value in row.items() if name and isinstance(value, str) and value} for row in rows]


def _is_xml(start: bytes) -> bool:
    return start[:1] == b"<" and b"<html" not in start.lower() and b"<!doctype html" not in start.lower()


def read_json(body: bytes) -> Any:
    """Return what JSON says, also as one value to a line, in a call or behind a guard; or why it is none."""
    try:
        return orjson.loads(body)
    except ValueError:
        text = body.decode(json.detect_encoding(body), "replace").lstrip("\ufeff")
    # without what scripts put around it
    text = text[found.end() :] if (found := _GUARD.match(text)) else text
    call = _CALLBACK.match(text)
    if call and text[:1000].lstrip()[:1] not in "{[" and (end := text.rfind(")")) > call.end():
        text = text[call.end() : end]
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return _read_lines(text)


def _read_lines(text: str) -> Any:
    lines = [line for line in text[:MAX_SERVICE_BYTES].splitlines()[:MAX_JSON_LINES] if line.strip()]
    try:
        values = [orjson.loads(line) for line in lines]
    except ValueError:
        return Verdict(False, "neither JSON nor XML")
    return values if len(values) > 1 else Verdict(False, "neither JSON nor XML")


def find_complaint(said: Any) -> str:
    """Return what a service says went wrong, or nothing."""
    found: Any = said if isinstance(said, dict) else None
    for _ in range(4):
        if isinstance(found, list):
            found = found[0] if found else None
        if isinstance(found, str):
            return " ".join(found.split())[:MAX_COMPLAINT_CHARS]
        if not isinstance(found, dict):
            return ""
        found = next((found[name] for name in _ERROR_NAMES if found.get(name)), None)
    return ""


# -- records that a page declares in JSON-LD and microdata

# Bounds on the work; shares were set by hand on family A, which declares records in some designs.
MAX_JSON_LD_SCRIPTS: Final = 20  # of one page
MAX_DECLARED_PARTS: Final = 5_000  # of all scripts together
MAX_DECLARED_DEPTH: Final = 12  # of objects within objects
MAX_THINGS: Final = 1_000  # of one page
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
