"""How to ask a service for its next records: an address that it names, a token, an offset or the number of a page."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any, Final
from urllib.parse import quote_plus, urljoin, urlsplit

import orjson

from dowse.model import Request, Response
from dowse.records.envelope import (
    STARTS,
    TOTALS,
    Fact,
    find_facts,
    plain_name,
    read_number,
    sent_json,
    sent_pairs,
    size_of,
)
from dowse.records.listing import Listing
from dowse.records.steps import counts_pages
from dowse.url import registrable_domain

MAX_TOKEN: Final = 4_000

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
_LINK_HEADER: Final = re.compile(
    r"<([^<>]{1,4000})>\s{0,5};[^<,]{0,500}?\brel\s{0,5}=\s{0,5}\"?(?:[\w -]{0,50}\s)?next\b", re.IGNORECASE
)


def find_next_request(said: Any, listing: Listing, response: Response, asked: Request) -> tuple[Request | None, str]:
    """Return the request for the next records, and how it was found."""
    facts = find_facts(said, listing)
    url = _next_address(facts, response)
    if url:
        return (replace(asked, url=url) if asked.method == "GET" else Request(url)), "an address"
    size = size_of(facts, asked)
    if not listing.rows or _says_over(facts) or (size is not None and len(listing.rows) < size):
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
        url = _join(response.url, address)
        if url != response.url and url.startswith(("http://", "https://")) and _domain(url) == _domain(response.url):
            return url
    return ""


def _join(here: str, address: str) -> str:
    """Return an address as it is meant; nothing of it is taken off, a token may look like noise."""
    try:
        return urljoin(here, address).partition("#")[0]
    except ValueError:
        return ""


def _is_address(value: Any) -> bool:
    return (
        isinstance(value, str) and len(value) <= MAX_TOKEN and value.startswith(("http://", "https://", "/", "?", "./"))
    )


def _domain(url: str) -> str:
    return registrable_domain(urlsplit(url).hostname or "")


def _says_over(facts: list[Fact]) -> bool:
    """Say whether an answer tells that nothing comes after it."""
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


def _next_token(facts: list[Fact], _: Listing, asked: Request) -> Request | None:
    sent = dict(sent_pairs(asked))
    for fact in facts:
        name, token = fact.name, fact.value
        if (
            name not in _TOKENS
            or isinstance(token, bool)
            or not isinstance(token, str | int)
            or not 0 < len(str(token)) <= MAX_TOKEN
        ):
            continue
        if _is_address(token):  # of another site, or it would have been taken
            continue
        if name == "cursor" and (len(fact.path) > 1 and plain_name(fact.path[-2]) in ("prev", "previous", "self")):
            continue
        if name == "resumptiontoken":
            return put(replace(asked, url=_keep_only(asked.url, "verb")), "resumptionToken", str(token))
        same = next(
            (each for each in sent if plain_name(each) == plain_name(_TOKENS[name]) or plain_name(each) == name),
            _TOKENS[name],
        )
        if sent.get(same) != str(token):
            return put(asked, same, str(token))
    return None


def _keep_only(url: str, name: str) -> str:
    head, _, query = url.partition("?")
    return f"{head}?{'&'.join(part for part in query.split('&') if part.partition('=')[0] == name)}"


def _next_start(facts: list[Fact], listing: Listing, asked: Request) -> Request | None:
    """Return the request that begins where this answer ends, where it counts records."""
    total, shown = _total_of(facts), len(listing.rows)
    sent = [
        (name, number)
        for name, value in sent_pairs(asked)
        if plain_name(name) in STARTS and (number := read_number(value)) is not None
    ]
    said = [
        (fact.path[-1], number)
        for fact in facts
        if fact.name in STARTS and (number := read_number(fact.value)) is not None
    ]
    if not sent and total is None:
        return None
    name, start = next(iter([*sent, *said]), ("", 0))
    name = name or _usual_start(facts, listing)
    from_one = start % max(1, shown) == 1 and plain_name(name) in ("startrecord", "startindex")
    if not name or (total is not None and start + shown - from_one >= total):
        return None
    return put(asked, name, str(start + shown))


def _usual_start(facts: list[Fact], listing: Listing) -> str:
    """Return the parameter that a kind of service is known to begin at, where nothing else tells."""
    if listing.place[-2:] == ("hits", "hits"):
        return "from"
    return "$skip" if any(fact.name == "odatacount" for fact in facts) else ""


def _total_of(facts: list[Fact]) -> int | None:
    told = ((name, read_number(fact.value)) for name in TOTALS for fact in facts if fact.name == name)
    return next((number for _, number in told if number is not None), None)


def _next_page(facts: list[Fact], listing: Listing, asked: Request) -> Request | None:
    """Return the request for the page after this one, where pages are counted."""
    last = next((n for fact in facts if fact.name in _LAST_PAGES and (n := read_number(fact.value)) is not None), None)
    total = next(
        (n for name in TOTALS for f in facts if f.name == name and (n := read_number(f.value)) is not None), None
    )
    said = next((n for fact in facts if fact.name in _PAGES and (n := read_number(fact.value)) is not None), None)
    sent = {
        name: number
        for name, value in sent_pairs(asked)
        if counts_pages(name) and (number := read_number(value)) is not None
    }
    named = {name: number for name, number in sent.items() if plain_name(name) not in STARTS}
    if not named and said is None:
        return None
    name, page = next(iter(named.items())) if named else ("page", said or 0)
    if last is not None and page >= last:
        return None
    if last is None and (total is None or total <= len(listing.rows) * max(1, page)):
        return None
    return put(asked, name, str(page + 1))


def put(asked: Request, name: str, value: str) -> Request:
    """Return a request with another value for one of its parameters, where the request has them."""
    if asked.body[:1] == b"{":
        sent = dict(sent_json(asked))
        is_number = value.isdecimal() and not isinstance(sent.get(name), str)
        return replace(asked, body=orjson.dumps({**sent, name: int(value[:18]) if is_number else value}))
    if asked.body:
        return replace(asked, body=_put(asked.body.decode("latin-1"), name, value).encode("latin-1"))
    head, _, query = asked.url.partition("#")[0].partition("?")
    return replace(asked, url=f"{head}?{_put(query, name, value)}")


def _put(query: str, name: str, value: str) -> str:
    """Return a query in which one parameter has another value; the others stay as they are written."""
    written = f"{quote_plus(name)}={quote_plus(value)}"
    parts = [part for part in query.split("&") if part]
    own = [place for place, part in enumerate(parts) if part.partition("=")[0] in (name, quote_plus(name))]
    if not own:
        return "&".join([*parts, written])
    return "&".join(
        written if place == own[0] else part for place, part in enumerate(parts) if place == own[0] or place not in own
    )
