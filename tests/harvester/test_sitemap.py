"""A sitemap is a second look at how many records there are, and a way to those that no query reached."""

from __future__ import annotations

import gzip
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from dowse.harvester.sitemap import find_name_query, find_shape, find_sitemap_lines, inflate, read_locations
from dowse.model import Failure, Query, Request, Response, Value
from dowse.reasons import HarvestNotice
from tests.harvester.library import SITE, Book, Library, make_books
from tests.harvester.test_harvest import titles
from tests.harvester.test_ways import harvest

BOOKS = 137


@dataclass
class Mapped(Library):
    """A library that lists nothing, finds no book without a search, and names the addresses of its books in a sitemap."""

    place: str = "/sitemap.xml"
    missing: int = 0  # the last books that its search never shows
    parts: bool = False

    def _address(self, book: Book) -> str:
        return f"{SITE}/book/{book.number}-{'-'.join(book.title.lower().split())}"

    def _row(self, book: Book) -> str:
        return super()._row(book).replace(f"/book/{book.number}'", f"{urlsplit(self._address(book)).path}'")

    def _matches(self, book: Book, asked: dict[str, str]) -> bool:
        return book.number < len(self.books) - self.missing and super()._matches(book, asked)

    async def fetch(self, request: Request) -> Response | Failure:
        path = urlsplit(request.url).path
        if path == "/robots.txt" and self.place != "/sitemap.xml":
            return Response(request.url, 200, (("content-type", "text/plain"),), f"User-agent: *\nAllow: /\nSitemap: {SITE}{self.place}\n".encode())  # fmt: skip
        if path.startswith("/sitemap") or path == self.place:
            self.requests += 1
            if path != self.place and path != "/sitemap-books.xml":
                return Response(request.url, 404)
            urls = [self._address(book) for book in self.books] + [f"{SITE}/about", f"{SITE}/news/12"]
            kind = "urlset"
            if self.parts and path == self.place:
                kind, urls = "sitemapindex", [f"{SITE}/sitemap-pages.xml", f"{SITE}/sitemap-books.xml"]
            body = f"<?xml version='1.0'?><{kind}>{''.join(f'<url><loc>{url}</loc></url>' for url in urls)}</{kind}>"
            return Response(request.url, 200, (("content-type", "application/xml"),), body.encode())
        if path == "/robots.txt":
            self.requests += 1
        return await super().fetch(request)


@pytest.mark.parametrize(
    "library",
    [
        Mapped(make_books(BOOKS), lists_all=False, missing=30),
        Mapped(make_books(BOOKS), lists_all=False, missing=30, place="/maps/all.xml"),
        Mapped(make_books(BOOKS), lists_all=False, missing=30, parts=True),
    ],
    ids=["sitemap.xml", "named by robots.txt", "in parts"],
)
def test_what_a_sitemap_names_and_no_query_finds_is_told(tmp_path: Path, library: Mapped) -> None:
    run, records = harvest(tmp_path / "a.db", library)
    assert len(set(titles(records))) == BOOKS - 30
    assert not run.complete
    assert run.monitor.noticed[HarvestNotice.NAMED_ELSEWHERE] == BOOKS


@dataclass
class Shy(Mapped):
    """Books of one kind are found by their titles alone, which stand on no page that is shown."""

    def _matches(self, book: Book, asked: dict[str, str]) -> bool:
        if book.subject == "Chess":
            said = asked.get("q", "").lower().split()
            return len(said) > 2 and all(word in book.title.lower() for word in said)
        return super()._matches(book, asked)


def test_records_that_a_sitemap_names_are_asked_for_by_name(tmp_path: Path) -> None:
    library = Shy(make_books(BOOKS), lists_all=False, years="")
    run, records = harvest(tmp_path / "a.db", library, rounds=600)
    assert len(set(titles(records))) == BOOKS, run.stop_sentence
    assert run.harvested.requests == library.requests


def test_a_sitemap_is_not_looked_at_where_everything_is_listed_and_counted(tmp_path: Path) -> None:
    library = Mapped(make_books(BOOKS))
    harvest(tmp_path / "a.db", library)
    assert not any("sitemap" in each for each in library.asked)


def test_pieces() -> None:
    assert find_sitemap_lines("User-agent: *\nSitemap: http://a.example/s.xml\n sitemap:http://a.example/t.xml") == [
        "http://a.example/s.xml",
        "http://a.example/t.xml",
    ]
    body = b"<urlset><url><loc> http://a.example/b?x=1&amp;y=2 </loc></url></urlset>"
    assert list(read_locations(inflate(gzip.compress(body)))) == ["http://a.example/b?x=1&y=2"]
    assert inflate(b"\x1f\x8bnonsense") == b""
    assert find_shape([f"{SITE}/book/{n}" for n in range(9)]) == ("book", 2, False)
    assert find_shape([f"{SITE}/{n}" for n in range(9)]) is None, "every page of the site is like them"
    assert find_shape([f"{SITE}/book?id={n}" for n in range(9)]) is None
    assert find_name_query(f"{SITE}/book/17-the-long-night.html") == Query((Value("", "the long night"),))
    assert find_name_query(f"{SITE}/book/17") is None
