"""A search engine over two fifths of the topical world: finds pages that name a host, and sites by words.

It is one more host of the world. `/search?q=...` answers with a page, and with `format=json` as SearXNG does, ten results at a
time (`pageno`). It knows sites that it may visit only. Asked `"HOST" -site:HOST` it gives pages that link to that host; asked
words it gives home pages whose name or description has them; `site:HOST` gives pages of a site.
"""

from __future__ import annotations

import re
from array import array
from collections import defaultdict
from functools import cached_property
from html import escape
from typing import TYPE_CHECKING, NamedTuple

import orjson

from dowse.model import Response
from dowse.sim.address import split_address
from dowse.sim.chance import mix
from dowse.sim.naming import path_of, title_of
from dowse.sim.topical.themes import TopicalThemes

if TYPE_CHECKING:
    from dowse.sim.world import World

SEARCH_HOST = "search.example"
INDEXED = 0.4  # of the sites
RESULTS = 10  # on a page
MOST_RESULTS = 200  # that can be paged to
_PHRASE = re.compile(r'"([^"]*)"')
_SITE = re.compile(r"(-?)site:(\S+)")
_WORD = re.compile(r"[a-z]{2,}")


class Hit(NamedTuple):
    """A page that was found."""

    url: str
    title: str
    content: str


class SearchEngine:
    """Its index is made when it is first asked: a few seconds for 20,000 sites, a few bytes for each link."""

    def __init__(self, world: World) -> None:
        self._world = world

    def knows(self, index: int) -> bool:
        """Return True if a site is in the index."""
        return (
            mix(self._world.themes.key ^ 0x5EA2C4, index) % 1000 < 1000 * INDEXED
            and not self._world.traits(index).is_closed
        )

    @cached_property
    def _index(self) -> tuple[dict[int, array[int]], dict[str, array[int]]]:
        """The sites that link to a site, and the sites that are described by a word."""
        citing: defaultdict[int, array[int]] = defaultdict(lambda: array("I"))
        worded: defaultdict[str, array[int]] = defaultdict(lambda: array("I"))
        for index in filter(self.knows, range(self._world.sites)):
            for number in self._world.linked_sites(index).numbers:
                citing[number].append(index)
            for word in set(_WORD.findall(self._describe(index).casefold())):
                worded[word].append(index)
        return dict(citing), dict(worded)

    def _describe(self, index: int) -> str:
        traits, themes = self._world.traits(index), self._world.themes
        note = themes.describe(index, traits.topic) if isinstance(themes, TopicalThemes) else ""
        return f"{traits.name}: {note}"

    def sites_naming(self, index: int) -> array[int]:
        """Return the sites of the index that link to a site."""
        return self._index[0].get(index, array("I"))

    def find(self, query: str, first: int = 0) -> tuple[int, list[Hit]]:
        """Return how many results there are, at most, and ten of them."""
        barred = [host for sign, host in _SITE.findall(query) if sign]
        within = [host for sign, host in _SITE.findall(query) if not sign]
        rest = _SITE.sub(" ", query)
        named = [self._world.host_index(each) for each in _PHRASE.findall(rest)]
        if within:
            return self._list_site(within[0], first)
        if named and named[0] is not None:
            return self._list_naming(named[0], barred, first)
        return self._list_worded(rest, first)

    def _list_site(self, host: str, first: int) -> tuple[int, list[Hit]]:
        index = self._world.host_index(host)
        if index is None or not self.knows(index):
            return 0, []
        pages = self._world.site(index).navigation[:MOST_RESULTS]
        return len(pages), [Hit(url, url, self._describe(index)) for url in pages[first : first + RESULTS]]

    def _list_naming(self, target: int, barred: list[str], first: int) -> tuple[int, list[Hit]]:
        banned = {self._world.host_index(each) for each in barred}
        citing = [each for each in self.sites_naming(target) if each not in banned][:MOST_RESULTS]
        hits = [hit for each in citing[first : first + RESULTS] for hit in self._pages_naming(each, target)]
        return len(citing), hits

    def _pages_naming(self, index: int, target: int) -> list[Hit]:
        plan, host = self._world.plan(index), self._world.traits(target).host
        known = self._world.traits(target).address[7:-1]
        for address in plan.neighbours:
            if address[7:].partition("/")[0] in (host, known):
                mention = plan.themes.mention(plan, address)
                content = f"{mention.anchor.text} {mention.note} {known}"
                pages = [each for each in plan.find_pages_naming(address) if each not in plan.secluded]
                return [Hit(plan.origin + path_of(plan, each), title_of(plan, each), content) for each in pages[:1]]
        return []

    def _list_worded(self, query: str, first: int) -> tuple[int, list[Hit]]:
        found: dict[int, int] = {}
        for word in set(_WORD.findall(query.casefold())):
            for index in self._index[1].get(word, ()):
                found[index] = found.get(index, 0) + 1
        ranked = sorted(found, key=lambda each: (-found[each], -len(self.sites_naming(each)), each))[:MOST_RESULTS]
        traits = [self._world.traits(each) for each in ranked[first : first + RESULTS]]
        return len(ranked), [Hit(each.address, each.name, self._describe(each.index)) for each in traits]

    def answer(self, url: str, text: str) -> Response:
        """Answer a request to the engine's host."""
        address = split_address(text)
        query, number = address.get("q"), address.get("pageno")
        if address.path not in ("/", "/search"):
            return Response(url, 404, (("content-type", "text/html"),), b"<h1>Not found</h1>")
        place = int(number) if number.isdecimal() and len(number) < 4 else 1
        total, hits = self.find(query, RESULTS * max(0, place - 1)) if query else (0, [])
        if address.get("format") == "json":
            return Response(url, 200, (("content-type", "application/json"),), _write_json(query, total, hits))
        page = _write_page(query, total, hits, place)
        return Response(url, 200, (("content-type", "text/html; charset=utf-8"),), page.encode())


def _write_json(query: str, total: int, hits: list[Hit]) -> bytes:
    results = [{**hit._asdict(), "engine": "sim", "engines": ["sim"], "category": "general"} for hit in hits]
    empty: dict[str, list[object]] = {"answers": [], "corrections": [], "infoboxes": [], "suggestions": []}
    return orjson.dumps(
        {"query": query, "number_of_results": total, "results": results, **empty, "unresponsive_engines": []}
    )


def _write_page(query: str, total: int, hits: list[Hit], place: int) -> str:
    rows = "".join(
        f'<article><h3><a href="{escape(hit.url)}">{escape(hit.title)}</a></h3><p>{escape(hit.content)}</p></article>\n'
        for hit in hits
    )
    asked = escape(query)
    further = f'<a href="/search?q={asked}&amp;pageno={place + 1}">Next page</a>' if place * RESULTS < total else ""
    return (
        f"<!DOCTYPE html>\n<html><head><title>{asked or 'Search'}</title></head>\n<body>"
        f'<form action="/search"><input type="search" name="q" value="{asked}"><button>Search</button></form>\n'
        f"<p>{total} results</p>\n{rows}{further}</body></html>\n"
    )
