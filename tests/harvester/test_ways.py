"""`open_harvest` takes the cheapest way to everything: whole harvests of small sites."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import parse_qs, parse_qsl, urlsplit

import orjson
import pytest

from dowse.engine.find import find_site_doors
from dowse.errors import Stopped
from dowse.fetch.build import wrap_fetch
from dowse.fetch.cookies import Jar
from dowse.harvester.harvest import HarvestOrder, open_harvest, run_harvest
from dowse.harvester.presets import find_path_filter
from dowse.harvester.resume import HarvestRun
from dowse.model import Door, Failure, Field, Form, Judgement, Record, Request, Response
from dowse.reasons import StopReason
from dowse.seeds.lists import read_seed
from dowse.settings import HarvestSettings
from dowse.store import open_store
from dowse.store.harvests import read_records
from tests.harvester.library import SITE, SUBJECTS, Book, Library, make_books
from tests.harvester.protocols import answer_oai, answer_sru
from tests.harvester.test_harvest import titles

BOOKS = 430


def harvest(
    path: Path, library: Library, target: str = f"{SITE}/", rounds: int = 300
) -> tuple[HarvestRun, list[Record]]:
    async def go() -> HarvestRun:
        fetches = wrap_fetch(library.fetch, jar=Jar())
        settings = HarvestSettings(rounds=rounds)
        async with open_harvest(HarvestOrder(target), str(path), settings, fetches) as (store, run, opened):
            async for _ in run_harvest(store, run, opened):
                pass
            return run

    run = asyncio.run(go())
    with open_store(str(path)) as store:
        return run, list(read_records(store, run.harvest.id))


@dataclass
class Sized(Library):
    """A library whose addresses say how many books a page shows."""

    def _answer(self, url: str, sent: dict[str, list[str]]) -> Response:
        self.page_size = int(sent.pop("per_page", ["10"])[0])
        answer = super()._answer(url, sent)
        body = answer.body.replace(b"&page=", f"&per_page={self.page_size}&page=".encode())
        return Response(answer.url, answer.status, answer.headers, body)


@dataclass
class Remembering(Library):
    """A library whose links "10 50 200" set the size of its pages in a cookie, and lead back."""

    most: int = 10_000  # books that a page ever shows

    async def fetch(self, request: Request) -> Response | Failure:
        parts = urlsplit(request.url)
        if parts.path == "/page-size":
            self.requests += 1
            size = parse_qs(parts.query)["nb"][0]
            return Response(request.url, 302, (("location", f"{SITE}/find?q="), ("set-cookie", f"n={size}")))
        sent = dict(request.headers).get("cookie", "n=10")
        self.page_size = min(self.most, int(sent.partition("=")[2]))
        return await super().fetch(request)

    def _answer(self, url: str, sent: dict[str, list[str]]) -> Response:
        answer = super()._answer(url, sent)
        links = "".join(f"<a href=/page-size?nb={size}>{size}</a> " for size in (10, 50, 200))
        body = answer.body.replace(b"<p id=foot>", f"{links}<p id=foot>".encode())
        return Response(answer.url, answer.status, answer.headers, body)


@dataclass
class Exporting(Library):
    """A library with a link to all of its books as a table; only some of them where it lies."""

    rows: int = BOOKS

    async def fetch(self, request: Request) -> Response | Failure:
        if urlsplit(request.url).path == "/books.csv":
            self.requests += 1
            lines = [f'{book.number},"{book.title}","{book.author}",{book.year}' for book in self.books[: self.rows]]
            body = "\n".join(["number,name,writer,published", *lines])
            return Response(request.url, 200, (("content-type", "text/csv"),), body.encode())
        return await super().fetch(request)

    def _answer(self, url: str, sent: dict[str, list[str]]) -> Response:
        answer = super()._answer(url, sent)
        body = answer.body.replace(b"<p id=foot>", b"<a href=/books.csv>Export</a><p id=foot>")
        return Response(answer.url, answer.status, answer.headers, body)


@dataclass
class Weblog(Library):
    """A site in WordPress: its box must be filled as browsers see it, its API is declared in the head, and lists no pages."""

    pages: int = 0  # of its first books: its search finds them, its API does not list them
    listed: int = 0  # requests that the API had

    async def fetch(self, request: Request) -> Response | Failure:
        parts = urlsplit(request.url)
        if parts.path != "/wp-json/wp/v2/posts":
            return await super().fetch(request)
        self.listed += 1
        asked = dict(parse_qsl(parts.query))
        size, page = int(asked["per_page"]), int(asked.get("page", "1"))
        posts = self.books[self.pages :]
        shown = posts[(page - 1) * size : page * size]
        rows = [
            {"link": f"{SITE}/book/{each.number}", "title": {"rendered": each.title.replace("and", "&#038;")}}
            for each in shown
        ]
        following = f'<{SITE}/wp-json/wp/v2/posts?per_page={size}&page={page + 1}>; rel="next"'
        headers = (("content-type", "application/json"), ("x-wp-total", str(len(posts))))
        headers += (("link", following),) if page * size < len(posts) else ()
        return Response(request.url, 200, headers, orjson.dumps(rows))

    def _page(self, url: str, body: str, headers: tuple[tuple[str, str], ...] = ()) -> Response:
        page = super()._page(url, body, headers)
        head = f"<link rel='https://api.w.org/' href='{SITE}/wp-json/'><title>".encode()
        return replace(page, body=page.body.replace(b"<title>", head))

    def _form(self) -> str:
        return (
            "<form action=/find><label>Search <input type=search name=q required></label><button>Search</button></form>"
        )


@dataclass
class Archive(Library):
    """A library with a service for harvesters, whose page links to it."""

    protocol: str = "oai"

    async def fetch(self, request: Request) -> Response | Failure:
        path = urlsplit(request.url).path
        if path not in ("/oai", "/sru"):
            return await super().fetch(request)
        self.requests += 1
        body = (answer_oai if path == "/oai" else answer_sru)(request.url, self.books)
        return Response(request.url, 200, (("content-type", "text/xml; charset=utf-8"),), body)

    def _page(self, url: str, body: str, headers: tuple[tuple[str, str], ...] = ()) -> Response:
        links = {
            "oai": "<a href='/oai?verb=Identify'>OAI-PMH</a>",
            "sru": "<a href='/sru?operation=explain&amp;version=1.2'>SRU</a>",
        }
        return super()._page(url, f"{body}<p>{links[self.protocol]}</p>", headers)


@dataclass
class Scripted(Library):
    """A library whose page names the address of its data in a script, or links to an API."""

    offer: str = "<script>var books = fetch('/rest/all');</script>"
    path: str = "/rest/all"

    async def fetch(self, request: Request) -> Response | Failure:
        if urlsplit(request.url).path != self.path:
            return await super().fetch(request)
        self.requests += 1
        rows = [{"id": book.number, "name": book.title, "writer": book.author} for book in self.books]
        return Response(request.url, 200, (("content-type", "application/json"),), orjson.dumps(rows))

    def _page(self, url: str, body: str, headers: tuple[tuple[str, str], ...] = ()) -> Response:
        return super()._page(url, f"{body}{self.offer}", headers)


@dataclass
class Sorted(Library):
    """A library that shows the first sixty of a list, in the order that is asked for."""

    limit: int = 60

    def _form(self) -> str:
        orders = "".join(f"<option value={name}>{name}</option>" for name in ("number", "title", "author", "year"))
        chosen = f"<label>Sort by <select name=sort>{orders}</select></label><button>"
        return super()._form().replace("<button>", chosen).replace("<input name=q>", "<input name=q type=hidden>")

    def _answer(self, url: str, sent: dict[str, list[str]]) -> Response:
        (order,) = sent.pop("sort", ["number"])
        books, self.books = self.books, sorted(self.books, key=lambda book: getattr(book, order))
        answer = super()._answer(url, sent)
        self.books = books
        return answer


@dataclass
class Browsable(Library):
    """A library that finds nothing for an empty query, and lists its books by subject."""

    lists_all: bool = False

    def _page(self, url: str, body: str, headers: tuple[tuple[str, str], ...] = ()) -> Response:
        links = "".join(
            f"<li><a href='/browse?subject={n + 1}'>{name} ({n + 40})</a></li>" for n, name in enumerate(SUBJECTS)
        )
        return super()._page(url, f"{body}<ul class=browse>{links}</ul>", headers)


@dataclass
class Service(Library):
    """Books as JSON, and no form."""

    async def fetch(self, request: Request) -> Response | Failure:
        parts = urlsplit(request.url)
        if parts.path != "/api/books":
            return Response(request.url, 404)
        self.requests += 1
        page = int(parse_qs(parts.query).get("page", ["1"])[0])
        shown = self.books[(page - 1) * 20 : page * 20]
        following = f"{SITE}/api/books?page={page + 1}" if page * 20 < len(self.books) else None
        rows = [{"id": book.number, "title": book.title, "author": book.author} for book in shown]
        body = orjson.dumps({"count": len(self.books), "next": following, "results": rows})
        return Response(request.url, 200, (("content-type", "application/json"),), body)


def test_larger_pages_are_taken(tmp_path: Path) -> None:
    run, records = harvest(tmp_path / "a.db", Sized(make_books(BOOKS)))
    assert len(set(titles(records))) == BOOKS
    assert run.complete
    assert "per_page=1000" in run.way
    assert run.harvested.requests <= 12  # 43 pages as they come


def test_larger_pages_that_a_cookie_asks_for_are_taken_again_in_the_next_run(tmp_path: Path) -> None:
    library = Remembering(make_books(BOOKS), most=200)
    run, _ = harvest(tmp_path / "a.db", library, rounds=8)
    assert "pages of 200" in run.way
    assert run.stopped is StopReason.REQUEST_BUDGET
    again, records = harvest(tmp_path / "a.db", library)
    assert len(set(titles(records))) == BOOKS
    assert again.complete
    assert library.requests <= 20  # 43 pages as they come


def test_an_export_is_taken_and_kept(tmp_path: Path) -> None:
    library = Exporting(make_books(BOOKS))
    run, records = harvest(tmp_path / "a.db", library)
    assert run.complete
    assert {dict(record.values)["name"] for record in records} == {book.title for book in library.books}
    assert run.harvested.requests == library.requests <= 12
    again, _ = harvest(tmp_path / "a.db", library)
    assert again.harvested.requests <= run.harvested.requests + 1  # a trial whose answer is not kept
    assert (again.records, again.way) == (run.records, run.way)


@pytest.mark.parametrize("protocol", ["oai", "sru"])
def test_a_service_for_harvesters_is_taken(tmp_path: Path, protocol: str) -> None:
    library = Archive(make_books(BOOKS), protocol=protocol)
    run, records = harvest(tmp_path / "a.db", library)
    assert protocol in run.way.lower()
    assert run.complete
    assert sum(any(value.text == book.title for value in record.values) for book, record in zip(library.books, records, strict=True)) == BOOKS  # fmt: skip
    assert library.requests <= 12  # 43 pages as they come


@pytest.mark.parametrize(
    ("offer", "path"),
    [
        pytest.param("<script>var books = fetch('/rest/all');</script>", "/rest/all", id="an address in a script"),
        pytest.param("<div data-source='/ajax/books'></div>", "/ajax/books", id="an address in a data attribute"),
    ],
)
def test_what_the_page_s_own_script_asks_for_is_taken(tmp_path: Path, offer: str, path: str) -> None:
    library = Scripted(make_books(BOOKS), offer=offer, path=path)
    run, records = harvest(tmp_path / "a.db", library)
    assert run.complete
    assert {dict(record.values)["name"] for record in records} == {book.title for book in library.books}
    assert library.requests <= 12


@dataclass
class Dated(Library):
    """A library with books without a year, which no range of years finds."""

    def _matches(self, book: Book, asked: dict[str, str]) -> bool:
        return super()._matches(book, asked) and (book.year > 0 or not any("year" in name for name in asked))


@dataclass
class Worded(Library):
    """A library that lists nothing by itself; each book is known to be printed in town."""

    lists_all: bool = False

    def _matches(self, book: Book, asked: dict[str, str]) -> bool:
        words = asked.get("q", "").lower()
        return words == "printed" or super()._matches(book, asked)

    def _row(self, book: Book) -> str:
        return super()._row(book).replace("</td></tr>", ", printed in town</td></tr>")


def test_a_word_that_all_records_show_is_asked_where_nothing_lists_everything(tmp_path: Path) -> None:
    library = Worded(make_books(BOOKS))
    run, records = harvest(tmp_path / "a.db", library, rounds=80)
    assert any("q=printed" in url for url in library.asked)
    assert set(titles(records)) == {book.title for book in library.books}
    assert run.harvested.requests == sum(library.asked.values()) + 1  # those of trials among them, and robots.txt


@pytest.mark.parametrize("years", ["from, to", "from", "to"])
def test_a_range_that_holds_any_year_is_asked_where_nothing_lists_everything(tmp_path: Path, years: str) -> None:
    library = Library(make_books(BOOKS), lists_all=False, years=years)
    run, records = harvest(tmp_path / "a.db", library, rounds=200)
    assert "any 'year'" in run.way
    assert len(set(titles(records))) == BOOKS
    assert run.harvested.requests <= BOOKS // 10 + 40
    assert not run.complete, "a book without a year would not be listed"
    assert run.complete_for == f"all {BOOKS} with a value for 'year'"


def test_books_without_a_year_are_found_beside_the_range(tmp_path: Path) -> None:
    books = [book if book.number % 4 else replace(book, year=0) for book in make_books(BOOKS)]
    run, records = harvest(tmp_path / "a.db", Dated(books, lists_all=False), rounds=1_000)
    assert "any 'year'" in run.way
    assert len(set(titles(records))) == BOOKS
    assert not run.complete


def test_lists_by_subject_are_taken_where_nothing_lists_everything(tmp_path: Path) -> None:
    run, records = harvest(tmp_path / "a.db", Browsable(make_books(BOOKS), counts=False, years=""), rounds=120)
    assert "lists them by" in run.way
    assert set(titles(records)) == {book.title for book in make_books(BOOKS)}


@pytest.mark.parametrize("pages", [0, 2])
def test_the_api_that_a_page_declares_is_taken(tmp_path: Path, pages: int) -> None:
    library = Weblog(make_books(BOOKS), counts=False, pages=pages)
    run, records = harvest(tmp_path / "a.db", library, rounds=400)
    assert "the API of the site" in run.way
    assert len(records) == BOOKS, "those of the API and those of the search are the same by their addresses"
    assert not run.complete, "what the API counts is not all that the search finds"
    assert library.listed == 5
    assert next(url for url in library.asked if "q=" in url and "q=&" not in f"{url}&"), "an empty query was tried"


def test_an_export_of_a_part_is_left(tmp_path: Path) -> None:
    run, records = harvest(tmp_path / "a.db", Exporting(make_books(BOOKS), rows=100))
    assert not run.way
    assert len(set(titles(records))) == BOOKS


def test_a_list_that_ends_without_a_count_is_everything_once_others_agree(tmp_path: Path) -> None:
    run, records = harvest(tmp_path / "a.db", Library(make_books(137), counts=False))
    assert len(records) == 137
    assert run.complete
    assert "ended there" in run.proof
    assert run.harvested.requests <= 14 + 16


def test_a_list_that_is_cut_without_a_word_is_not_everything(tmp_path: Path) -> None:
    run, _ = harvest(tmp_path / "a.db", Library(make_books(137), counts=False, limit=60), rounds=40)
    assert not run.complete


def test_a_list_that_is_cut_is_asked_in_other_orders(tmp_path: Path) -> None:
    library = Sorted(make_books(400))
    run, records = harvest(tmp_path / "a.db", library, rounds=60)
    assert any("sort=title" in url for url in library.asked)
    assert len(records) > 60
    assert not run.complete


def test_a_list_in_json_needs_no_form(tmp_path: Path) -> None:
    run, records = harvest(tmp_path / "a.db", Service(make_books(137)), f"{SITE}/api/books")
    assert len(records) == 137
    assert run.complete
    assert run.stopped is StopReason.ALL_HARVESTED


def test_a_folder_in_the_address_of_a_form_bounds_it() -> None:
    narrow, wide, other = (
        Door(Form(0, "GET", f"{SITE}{path}", (Field(name, "text"),)), Judgement("database", 1.0))
        for path, name in (("/distro/fedora/search", "pattern"), ("/search", "pattern"), ("/pages", "words"))
    )
    spaced = Door(Form(0, "GET", f"{SITE}/distro/Debian%2011/search"), Judgement("database", 1.0))
    assert not find_path_filter(narrow, [other])
    assert "distro" in find_path_filter(narrow, [wide])
    assert "Debian 11" in find_path_filter(spaced, [])


def test_doors_of_a_site_are_found_from_its_home_page() -> None:
    library = Library(make_books(20))
    found = asyncio.run(find_site_doors(read_seed(f"{SITE}/about"), wrap_fetch(library.fetch), pages=4))
    assert found.doors[0].form.action == f"{SITE}/find"


def test_the_only_link_of_a_home_page_is_followed_whatever_it_says() -> None:
    """Its words say nothing of searching, and it has a query: on a whole crawl such a link is left for better ones."""

    async def fetch(request: Request) -> Response:
        parts = urlsplit(request.url)
        body = '<h1>Kestrel</h1><ul><li><a href="/t?board=nest">Nest tasks</a></li></ul>'
        if parts.path == "/t" and "board" in parts.query:
            choices = "".join(f"<option>{each}</option>" for each in ("any", "new", "done", "late"))
            rows = "".join(f'<tr><td><a href="/t/{n}">Task {n}</a></td><td>late</td></tr>' for n in range(20))
            form = f'<form action="/t"><label>State <select name="s">{choices}</select></label><label>Title <input name="w"></label><button>Filter tasks</button></form>'
            body = f"<h1>Tasks</h1>{form}<table>{rows}</table>"
        elif parts.path != "/":
            return Response(request.url, 404, (("content-type", "text/html"),), b"<h1>Not found</h1>")
        top = '<p><a href="/">Home</a> <a href="/about">About</a> <a href="/imprint">Imprint</a></p>'
        return Response(
            request.url, 200, (("content-type", "text/html"),), f"<html><body>{top}{body}</body></html>".encode()
        )

    found = asyncio.run(find_site_doors(read_seed("http://kestrel.test/"), wrap_fetch(fetch)))
    assert [door.page for door in found.doors] == ["http://kestrel.test/t?board=nest"]
    assert found.pages < 25


@dataclass
class TwoForms(Library):
    """A page with a form that leads to one record by its number, before the search: the likelier one by its words."""

    path: str = "/catalogue/"
    broken: bool = False  # no form is answered
    failed: int = 0  # requests

    async def fetch(self, request: Request) -> Response | Failure:
        parts = urlsplit(request.url)
        if parts.path == self.path and not parts.query:
            goto = (
                "<form action=/goto><h3>Find books in our catalogue</h3><label>Search the book catalogue by number "
                "<input name=number></label><label>Author <input name=a></label><button>Search the catalogue</button></form>"
            )
            return self._page(request.url, f"{goto}<form action=/find><input name=q><button>Go</button></form>")
        if parts.path == "/goto" or (self.broken and parts.path == "/find"):
            self.failed += 1
            return Response(request.url, 500)
        return await super().fetch(request)


def test_the_next_form_of_a_page_is_tried_where_one_brings_nothing(tmp_path: Path) -> None:
    library = TwoForms(make_books(60))
    run, records = harvest(tmp_path / "a.db", library, f"{SITE}/catalogue/")
    assert (len(records), run.complete) == (60, True)
    assert library.failed
    library.failed = 0
    again, _ = harvest(tmp_path / "a.db", library, f"{SITE}/catalogue/")
    assert (again.records, library.failed) == (60, 0), "the form that was harvested is known"


def test_forms_that_bring_nothing_are_named(tmp_path: Path) -> None:
    with pytest.raises(Stopped, match=r"no records came back.*\(nor from 1 other form of the page\)"):
        harvest(tmp_path / "a.db", TwoForms(make_books(60), broken=True), f"{SITE}/catalogue/")


@pytest.mark.parametrize(
    "library",
    [
        Library(make_books(137)),
        Library(make_books(137), counts=False),
        Library(make_books(137), limit=40),
        Sized(make_books(BOOKS)),
        Remembering(make_books(BOOKS)),
    ],
    ids=["counted", "without counts", "limited", "larger pages", "larger pages by a cookie"],
)
def test_a_harvest_that_ended_asks_nothing_when_it_is_run_again(tmp_path: Path, library: Library) -> None:
    run, records = harvest(tmp_path / "a.db", library)
    before = library.requests
    again, kept = harvest(tmp_path / "a.db", library)
    assert library.requests == before
    assert (len(kept), again.proof, again.complete) == (len(records), run.proof, run.complete)
