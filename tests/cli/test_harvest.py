"""`dowse harvest` over HTTP: what it prints, what it writes, and every mistake in one line."""

from __future__ import annotations

import asyncio
import csv
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from urllib.parse import urlsplit

import pytest

from dowse.model import Failure, Request, Response
from tests.cli.conftest import Dowse
from tests.harvester.library import SITE, WORDS, Book, Library, make_books

OWN = ("--allow-private", "--delay", "0")


@contextmanager
def serving(library: Library, robots: str = "") -> Iterator[str]:
    """Serve a library on loopback."""

    class Answering(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.answer(b"")

        def do_POST(self) -> None:
            self.answer(self.rfile.read(int(self.headers["content-length"])))

        def answer(self, body: bytes) -> None:
            if self.path == "/robots.txt" and robots:
                return self.send(Response("", 200, (("content-type", "text/plain"),), robots.encode()))
            headers = tuple((name.lower(), value) for name, value in self.headers.items())
            found = asyncio.run(library.fetch(Request(f"{SITE}{self.path}", self.command, body, headers)))
            assert isinstance(found, Response)
            return self.send(found)

        def send(self, found: Response) -> None:
            self.send_response(found.status)
            for name, value in found.headers:
                self.send_header(name, value)
            self.send_header("content-length", str(len(found.body)))
            self.end_headers()
            self.wfile.write(found.body)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Answering)
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/"
    finally:
        server.shutdown()
        server.server_close()
        thread.join(120)


def test_all_records_are_extracted_and_reported(dowse: Dowse) -> None:
    with serving(Library(make_books(64))) as url:
        done = dowse("harvest", url, *OWN, "-o", "books.csv")
    assert done.code == 0
    assert "64 records are in books.csv" in done.out
    assert "complete" in done.out
    rows = list(csv.DictReader(Path("books.csv").read_text().splitlines()))
    assert {row["Title"] for row in rows} == {book.title for book in make_books(64)}


@dataclass
class TwoSearches(Library):
    """A library whose home page has a search that finds nothing, and a link to the catalogue."""

    async def fetch(self, request: Request) -> Response | Failure:
        path = urlsplit(request.url).path
        if path == "/":
            form = "<form action=/lost><label>Search news <input name=q></label><button>Search</button></form>"
            return self._page(request.url, f"{form}<a href=/catalogue/>Search the catalogue</a>")
        if path == "/catalogue/":
            return self._page(request.url, self._form())
        if path == "/lost":
            return self._page(request.url, "<p>Nothing was found.</p>")
        return await super().fetch(request) if path == "/find" else Response(request.url, 404)


def test_a_home_page_whose_search_finds_nothing_is_not_the_end(dowse: Dowse) -> None:
    with serving(TwoSearches(make_books(64))) as url:
        done = dowse("harvest", url, *OWN, "-o", "books.csv")
    assert done.code == 0, done.err
    assert f"takes {url}catalogue/ --form 0" in done.err
    assert "64 records are in books.csv" in done.out


def test_the_keys_that_scripts_rely_on(dowse: Dowse) -> None:
    with serving(Library(make_books(64))) as url:
        done = dowse("harvest", url, *OWN, "--json")
    told = json.loads(done.out)
    wanted = {"records", "requests", "queries", "coverage", "coverage_ci", "size", "size_ci", "complete", "stopped"}
    assert wanted <= told.keys()
    assert (told["records"], told["complete"], told["coverage"]) == (64, True, 1.0)


def test_a_budget_is_exit_code_3_and_the_records_are_exported(dowse: Dowse) -> None:
    with serving(Library(make_books(300), lists_all=False)) as url:
        done = dowse("harvest", url, *OWN, "--rounds", "15", "--json")
    assert done.code == 3
    told = json.loads(done.out)
    assert told["requests"] == 15
    assert told["stopped"] == "request budget"
    least, most = told["size_ci"]
    assert told["records"] <= least
    assert (most is None) == (told["size"] is None) == (told["coverage"] is None), "at least so many, or an interval"
    rows = [json.loads(line) for line in dowse("export", "records").out.splitlines()]
    assert len(rows) == told["records"]
    assert {"_source", "_harvest", "_number", "_url", "Title", "Author"} <= set(rows[0])


@pytest.mark.parametrize("rounds", [1, 2, 3, 5])
def test_no_more_requests_than_allowed(dowse: Dowse, rounds: int) -> None:
    library = Library(make_books(300))
    with serving(library) as url:
        done = dowse("harvest", url, *OWN, "--rounds", str(rounds), "--json")
    assert library.requests == done.json["requests"] == rounds
    assert done.code == 3
    assert done.json["records"] >= 10  # type: ignore[operator]


def test_values_to_begin_with(dowse: Dowse) -> None:
    library = Library(make_books(90), lists_all=False)
    with serving(library) as url:
        done = dowse("harvest", url, *OWN, "--value", "author=Kern", "--rounds", "20", "--json")
    assert done.code in (0, 3)
    assert any("author=Kern" in asked for asked in library.asked)


def test_a_proof(dowse: Dowse) -> None:
    with serving(Library(make_books(90), limit=30)) as url:
        done = dowse("harvest", url, *OWN, "--selector", "complete", "--json")
    told = json.loads(done.out)
    assert told["records"] == 90
    assert told["complete"] is True, told["proof"]


CHECKS = [
    ("nothing has changed", make_books(90), 0, "answers are the same"),
    ("a book more", make_books(91), 1, "90 records were all, now there are 91"),
    ("as many, but others", [replace(each, year=1990, subject="Chess") for each in make_books(90)], 1, "were shown, now"),
]  # fmt: skip


@pytest.mark.parametrize(("books", "code", "reason"), [row[1:] for row in CHECKS], ids=[row[0] for row in CHECKS])
def test_a_proof_is_asked_again(dowse: Dowse, books: list[Book], code: int, reason: str) -> None:
    library = Library(make_books(90), limit=30)
    with serving(library) as url:
        assert dowse("harvest", url, *OWN, "--selector", "complete", "--json").json["complete"] is True
        library.books, before = books, library.requests
        done = dowse("harvest", url, *OWN, "--check", "--json")
        assert done.json["requests"] == library.requests - before
        said = dowse("harvest", url, *OWN, "--check")
    assert (done.code, done.json["holds"], done.json["records"]) == (code, code == 0, 90)
    assert reason in str(done.json["reason"])
    assert said.code == code
    assert said.out.startswith("the proof does not hold: " if code else "the proof still holds: ")
    assert said.out.count("\n") == 1


def test_a_check_keeps_to_its_budget_and_needs_a_proof(dowse: Dowse) -> None:
    with serving(Library(make_books(90), limit=30)) as url:
        dowse("harvest", url, *OWN, "--rounds", "3")
        none = dowse("harvest", url, *OWN, "--check")
        assert (none.code, "has no proof" in none.err) == (2, True)
        assert dowse("harvest", url, *OWN, "--selector", "complete", "--json").json["complete"] is True
        cut = dowse("harvest", url, *OWN, "--check", "--rounds", "2", "--json")
    assert (cut.code, cut.json["holds"]) == (3, False)


MISTAKES = [
    ("no address", ("http://",), 2, "is not a web address"),
    (
        "no such file",
        ("nofile.json",),
        2,
        "'nofile.json' is not a web address, and there is no such file; addresses begin with http",
    ),
    ("no such file in a folder", ("./pages/list",), 2, "there is no such file"),
    ("no such form in the database", ("17",), 2, "there is no database"),
    (
        "nowhere",
        ("http://127.0.0.1:1/", "--allow-private"),
        1,
        "connection refused: is the server up?",
    ),
    ("a private address", ("http://127.0.0.1:1/",), 1, "private address"),
    ("a check of nothing", ("http://127.0.0.1:1/", "--check"), 2, "has no proof in dowse.db"),
    ("a template without a place", ("http://a.example/{page}",), 2, "no place for what is asked"),
    ("a template with an unknown place", ("http://a.example/?q={query}&x={colour}",), 2, "wants {colour}"),
    ("an output of no kind", ("http://a.example/", "-o", "books.txt"), 2, "end the name in .jsonl, .csv or .parquet"),
    ("an output nowhere", ("http://a.example/", "-o", "no/books.csv"), 2, "its folder does not exist"),
    ("no such selector", ("http://a.example/", "--selector", "best"), 2, "'best' is not one of"),
    ("no such coverage", ("http://a.example/", "--until-coverage", "1.5"), 2, "1.5 is not in the range"),
    ("no such table", ("http://a.example/?q={query}", "--selector", "domain", "--domain", "no.table"), 2, "no.table"),
    ("a table for another selector", ("http://a.example/?q={query}", "--domain", "no.table"), 2, "--selector domain"),
    ("domain without a table", ("http://a.example/?q={query}", "--selector", "domain"), 2, "--domain"),
]


@pytest.mark.parametrize(("arguments", "code", "why"), [row[1:] for row in MISTAKES], ids=[row[0] for row in MISTAKES])
def test_a_mistake_is_one_line(dowse: Dowse, arguments: tuple[str, ...], code: int, why: str) -> None:
    done = dowse("harvest", *arguments)
    assert done.code == code
    assert why in done.err
    assert done.err.count("\n") == 1


def test_a_value_for_a_condition_that_is_not_there(dowse: Dowse) -> None:
    with serving(Library(make_books(5))) as url:
        done = dowse("harvest", url, *OWN, "--value", "colour=red")
    assert done.code == 2
    assert done.err == "dowse: --value: the form has no condition 'colour'; it has author, subject, year\n"


def test_a_page_without_a_form_leads_to_one_of_its_site(dowse: Dowse) -> None:
    about = "<p>We lend books since 1912.</p>"
    with serving(Library(make_books(30), breaks={1: about, 2: about})) as url:
        done = dowse("harvest", f"{url}about", *OWN, "--json")
    assert done.code == 0, done.err
    assert "takes" in done.err
    assert json.loads(done.out)["records"] == 30


def test_robots_are_kept(dowse: Dowse) -> None:
    library = Library(make_books(40))
    with serving(library, "User-agent: *\nDisallow: /find\n") as url:
        refused = dowse("harvest", url, *OWN)
        assert refused.code == 1
        assert "robots.txt forbids it" in refused.err
        assert library.requests == 0
        allowed = dowse("harvest", url, *OWN, "--ignore-robots", "--json")
    assert json.loads(allowed.out)["records"] == 40


def test_a_form_that_posts_is_refused_unless_it_may(dowse: Dowse) -> None:
    with serving(Library(make_books(25), method="post", session="sid=1")) as url:
        refused = dowse("harvest", url, *OWN)
        assert (refused.code, "--post allows it" in refused.err) == (1, True)
        allowed = dowse("harvest", url, *OWN, "--post", "--json")
    assert json.loads(allowed.out)["records"] == 25


def test_a_door_without_records(dowse: Dowse) -> None:
    with serving(Library([])) as url:
        done = dowse("harvest", url, *OWN, "--json")
    assert done.code == 1
    assert json.loads(done.out)["records"] == 0
    assert "give values to begin with" in done.err


@pytest.mark.parametrize("kind", ["text/html", "application/json"])
def test_an_error_page_holds_no_records(dowse: Dowse, kind: str) -> None:
    class Gone(Library):
        async def fetch(self, request: Request) -> Response | Failure:
            links = "".join(f"<li><a href=/{word}>{word.title()}, {len(word)} letters</a></li>" for word in WORDS)
            listed = json.dumps({"items": [{"title": word, "letters": len(word)} for word in WORDS]})
            body = listed if kind == "application/json" else f"<h1>Not found</h1><ul>{links}</ul>"
            return Response(request.url, 404, (("content-type", kind),), body.encode())

    with serving(Gone([])) as url:
        done = dowse("harvest", f"{url}api?q={{query}}", *OWN, "--json")
    assert (done.code, done.json["records"]) == (1, 0)
    assert "(HTTP 404)" in done.err


def test_an_error_amid_answers_holds_no_records(dowse: Dowse) -> None:
    others = Library(make_books(60)[40:])

    class Gone(Library):
        async def fetch(self, request: Request) -> Response | Failure:
            answer = await super().fetch(request)
            assert isinstance(answer, Response)
            is_lost = self.requests > 1 and self.requests % 3 == 0
            return replace(others._answer(request.url, {}), status=404) if is_lost else answer

    with serving(Gone(make_books(40), lists_all=False)) as url:
        done = dowse("harvest", url, *OWN, "--json", "-o", "books.csv")
    assert 10 < done.json["records"] <= 40  # type: ignore[operator]
    with open("books.csv") as file:
        titles = {row["Title"] for row in csv.DictReader(file)}
    assert not titles & {book.title for book in others.books}


def test_names_that_a_source_gives_its_attributes_are_no_types(dowse: Dowse) -> None:
    """An attribute may be called id, or _url, and hold words."""
    from pyarrow import parquet

    class Named(Library):
        async def fetch(self, request: Request) -> Response | Failure:
            rows = [{"id": f"x{n}", "_url": f"word {n}", "pages": "many"} for n in range(4)]
            return Response(request.url, 200, (("content-type", "application/json"),), json.dumps(rows).encode())

    with serving(Named([]), "User-agent: *\nAllow: /\n") as url:
        done = dowse("harvest", f"{url}?q={{query}}", *OWN, "--value", "word", "--rounds", "20", "-o", "a.parquet")
    assert done.code in (0, 3), done
    columns = parquet.read_table("a.parquet").to_pydict()
    assert "id" in columns, columns
    assert columns["id"] == ["x0", "x1", "x2", "x3"]
    assert columns["_url"] == [f"word {n}" for n in range(4)]
    assert "__url" in columns
