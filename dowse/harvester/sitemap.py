"""The sitemap of a site as a second look at its records: which addresses like theirs it names, and which were not harvested."""

from __future__ import annotations

import re
import zlib
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass
from html import unescape
from random import Random
from typing import Any, Final
from urllib.parse import unquote, urljoin, urlsplit

from dowse.fetch import Fetch
from dowse.model import Failure, Query, Record, Request, Value
from dowse.url import same_site

MAX_SITEMAP_REQUESTS: Final = 4  # sitemap.xml, robots.txt, and parts of one that has several
MAX_SITEMAP_BYTES: Final = 52_428_800  # of one: more is against the protocol (sitemaps.org)
MAX_NAMED: Final = 50_000  # addresses of one part (sitemaps.org)
MAX_SAMPLE: Final = 200  # addresses of records that are looked for among what was harvested: a share of 1 % is seen so
MIN_KNOWN_SHARE: Final = (
    0.5  # of the known records that a sitemap of records names; others lag behind, or name pages alone
)
MIN_LIKE_SHARE: Final = 0.8  # of the known records whose addresses are alike
MIN_WORD_LETTERS: Final = 3  # of a word of an address that is asked for
MAX_SLUG_WORDS: Final = 4  # that are asked for together

_LOCATION: Final = re.compile(rb"<loc>\s{0,20}(?:<!\[CDATA\[)?\s{0,20}([^<\]\s]{8,2000})")
_SITEMAP_LINE: Final = re.compile(r"(?im)^[ \t]{0,20}sitemap[ \t]{0,20}:[ \t]{0,20}(\S{8,2000})")
_ENDING: Final = re.compile(r"\.[a-z]{2,5}\Z")  # .html
_WORD: Final = re.compile(r"[^\W\d_]+")


@dataclass(frozen=True, slots=True)
class NamedRecords:
    """Addresses like those of records that a sitemap names: how many, and some of them drawn at random."""

    count: int
    sample: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain data."""
        return {"count": self.count, "sample": list(self.sample)}

    @staticmethod
    def from_dict(plain: dict[str, Any]) -> NamedRecords:
        """Read it from plain data."""
        return NamedRecords(plain.get("count", 0), tuple(plain.get("sample", ())))


@dataclass(slots=True)
class SitemapLook:
    """What was asked for, and what came of it."""

    fetch: Fetch
    requests: int = 0

    async def find_records(self, records: Sequence[Record], seed: int) -> NamedRecords | None:
        """Return the addresses like those of known records that the site's sitemap names; None where it does not name them."""
        own = [record.url for record in records if record.url and record.key == record.url]
        shape = find_shape(own) if len(own) >= MIN_LIKE_SHARE * max(1, len(records)) else None
        if shape is None:
            return None
        named = {url async for url in self._list_addresses(own[0], shape[0]) if _shape(url) == shape}
        alike = {url for url in own if _shape(url) == shape}
        if len(alike & named) < MIN_KNOWN_SHARE * len(alike):
            return None
        some = Random(seed).sample(sorted(named), min(MAX_SAMPLE, len(named)))
        return NamedRecords(len(named), tuple(some))

    async def _list_addresses(self, url: str, folder: str) -> AsyncIterator[str]:
        """Yield what the sitemap names; of one that has parts, those first that are called like the folder of records."""
        waiting = [urljoin(url, "/sitemap.xml")]
        body = await self._request(waiting.pop())
        if b"<loc>" not in body:
            waiting = find_sitemap_lines((await self._request(urljoin(url, "/robots.txt"))).decode("utf-8", "replace"))
            waiting = [each for each in waiting if same_site(each, url)]
            body = await self._request(waiting.pop(0)) if waiting else b""
        if b"<sitemapindex" in body[:2_000]:
            parts = [each for each in read_locations(body) if same_site(each, url)]
            words = {word.rstrip("s") for word in _WORD.findall(folder.lower())}
            parts.sort(key=lambda each: -len(words & {word.rstrip("s") for word in _WORD.findall(urlsplit(each).path.lower())}))  # fmt: skip
            waiting, body = parts, b""
        for each in read_locations(body):
            yield each
        while waiting and self.requests < MAX_SITEMAP_REQUESTS:
            for each in read_locations(await self._request(waiting.pop(0))):
                yield each

    async def _request(self, url: str) -> bytes:
        response = await self.fetch(Request(url))
        self.requests += 1
        if isinstance(response, Failure) or response.status >= 400:
            return b""
        return inflate(response.body)


def inflate(body: bytes) -> bytes:
    """Return a file as it was before gzip, where it was."""
    if body[:2] != b"\x1f\x8b":
        return body
    try:
        return zlib.decompressobj(31).decompress(body, MAX_SITEMAP_BYTES)
    except zlib.error:
        return b""


def read_locations(body: bytes) -> Iterator[str]:
    """Yield the addresses that a sitemap, or the list of its parts, names."""
    for place, found in enumerate(_LOCATION.finditer(body)):
        if place >= MAX_NAMED:
            return
        yield unescape(found[1].decode("utf-8", "replace"))


def find_sitemap_lines(robots: str) -> list[str]:
    """Return the sitemaps that robots.txt names."""
    return _SITEMAP_LINE.findall(robots)


def find_shape(urls: Sequence[str]) -> tuple[str, int, bool] | None:
    """Return what the addresses of records have in common: folder, depth and whether they have a query; None where that is too little."""
    shapes = Counter(map(_shape, urls))
    shape, count = shapes.most_common(1)[0] if shapes else (("", 0, False), 0)
    return shape if count >= MIN_LIKE_SHARE * len(urls) and shape[0].strip("/") and not shape[2] else None


def _shape(url: str) -> tuple[str, int, bool]:
    parts = urlsplit(url)
    path = parts.path.rstrip("/")
    return path.split("/")[1] if path.count("/") > 1 else "", path.count("/"), bool(parts.query)


def find_name_query(url: str) -> Query | None:
    """Return a query for the words at the end of an address, which name its record: /film/the-long-night; None where there are none."""
    name = _ENDING.sub("", unquote(urlsplit(url).path.rstrip("/").rpartition("/")[2]))
    words = [word for word in _WORD.findall(name) if len(word) >= MIN_WORD_LETTERS][:MAX_SLUG_WORDS]
    return Query((Value("", " ".join(words)),)) if words else None
