"""A small web site with a database behind a form: pages of our own, for tests that need to know every byte."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from html import escape
from urllib.parse import parse_qs, urlencode, urlsplit

from dowse.model import Failure, Request, Response

SITE = "http://library.example"
SUBJECTS = ("Botany", "Chess", "Geology", "Music", "Ships")
WORDS = ("amber", "birch", "copper", "dune", "ember", "fjord", "grove", "harbour", "island", "jade", "kelp", "lagoon")
NAMES = (
    "Adler",
    "Brandt",
    "Cooper",
    "Dorn",
    "Ebert",
    "Fuchs",
    "Gruber",
    "Hahn",
    "Isler",
    "Jung",
    "Kern",
    "Lenz",
    "Moser",
)
SHELVES = ("A1", "B2", "C3")


@dataclass(frozen=True)
class Book:
    """A record."""

    number: int
    title: str
    author: str
    subject: str
    year: int


def make_books(count: int) -> list[Book]:
    """Return books that are all different and all connected."""
    return [
        Book(
            n, f"The {WORDS[n % 12].title()} and the {WORDS[(n // 12 + n) % 12].title()} {n}",
            f"{NAMES[n % 13]}, {chr(65 + n % 26)}.", SUBJECTS[n * n % 5], 1950 + n * 7 % 60,
        )
        for n in range(count)
    ]  # fmt: skip


@dataclass
class Library:
    """Answers requests for the site; what goes wrong is set by the test."""

    books: list[Book]
    page_size: int = 10
    limit: int = 0
    counts: bool = True
    lists_all: bool = True  # a query without values finds everything
    method: str = "get"
    years: str = "from, to"  # boxes for years that the form has
    session: str = ""  # a cookie that must be brought back
    breaks: dict[int, str] = field(default_factory=dict)  # number of the request -> body that comes instead
    template: int = 1  # how answers look
    asked: Counter[str] = field(default_factory=Counter)
    requests: int = 0

    async def fetch(self, request: Request) -> Response | Failure:
        """Answer one request."""
        parts = urlsplit(request.url)
        if parts.path == "/robots.txt":
            return Response(request.url, 404)
        if parts.path.startswith("/book/"):
            self.asked[f"{request.method} {request.url} "] += 1
            number = parts.path.rpartition("/")[2]
            if not number.isdecimal():
                return Response(request.url, 404)
            return self._page(request.url, self._book(self.books[int(number)]))
        if parts.path == "/":
            return self._page(
                request.url, self._form(), (("set-cookie", f"{self.session}; Path=/"),) if self.session else ()
            )
        self.requests += 1
        self.asked[f"{request.method} {request.url} {request.body.decode()}"] += 1
        if self.requests in self.breaks:
            return self._page(request.url, self.breaks[self.requests])
        if self.session and not any(name == "cookie" and self.session in value for name, value in request.headers):
            return self._page(request.url, "<p>Your session has expired. Please start again.</p>")
        return self._answer(request.url, parse_qs(parts.query or request.body.decode()))

    def _page(self, url: str, body: str, headers: tuple[tuple[str, str], ...] = ()) -> Response:
        menu = "".join(
            f"<li><a href='/{name}'>{name.title()}</a></li>" for name in ("about", "contact", "opening-hours")
        )
        html = f"<!doctype html><html lang=en><title>Town library</title><ul id=menu>{menu}</ul><h1>Catalogue</h1>{body}<p id=foot>Town library, Main Street 1</p></html>"
        return Response(url, 200, (("content-type", "text/html; charset=utf-8"), *headers), html.encode())

    def _form(self) -> str:
        subjects = "".join(f"<option value={n + 1}>{name}</option>" for n, name in enumerate(SUBJECTS))
        years = "".join(
            f"<label>Year {end} <input type=number name=year_{end}></label>" for end in self.years.split(", ") if end
        )
        return (
            f"<form action=/find method={self.method}><label>Words <input name=q></label> <label>Author <input name=author></label>"
            f"<label>Subject <select name=subject><option value=''>all subjects</option>{subjects}</select></label>"
            f"{years}<input type=hidden name=view value=list><button>Search the catalogue</button></form>"
        )

    def _book(self, book: Book) -> str:
        return (
            f"<h2>{escape(book.title)}</h2><table><tr><th>Author</th><td>{book.author}</td></tr>"
            f"<tr><th>Shelf</th><td>{SHELVES[book.number % 3]}</td></tr></table><p>Pages: {100 + book.number}</p>"
        )

    def _answer(self, url: str, sent: dict[str, list[str]]) -> Response:
        asked = {name: values[0] for name, values in sent.items() if values[0] and name not in ("page", "view")}
        found = [book for book in self.books if self._matches(book, asked)] if asked or self.lists_all else []
        if not found:
            return self._page(url, "<p class=none>No books were found.</p>")
        shown = found[: self.limit] if self.limit else found
        page = int(sent.get("page", ["1"])[0])
        first = (page - 1) * self.page_size
        count = f"<p class=count>{len(found)} books found</p>" if self.counts else ""
        rows = "".join(map(self._row, shown[first : first + self.page_size]))
        further = urlencode({name: values[0] for name, values in sent.items()} | {"page": str(page + 1)})
        following = f"<p><a href='/find?{further}'>Next page</a></p>" if first + self.page_size < len(shown) else ""
        return self._page(url, f"{count}{self._table(rows)}{following}")

    def _matches(self, book: Book, asked: dict[str, str]) -> bool:
        words = f"{book.title} {book.author} {book.subject}".lower()
        return (
            asked.get("q", "").lower() in words
            and asked.get("author", "").lower() in book.author.lower()
            and asked.get("subject", str(SUBJECTS.index(book.subject) + 1)) == str(SUBJECTS.index(book.subject) + 1)
            and int(asked.get("year_from", "0")) <= book.year <= int(asked.get("year_to", "9999"))
        )

    def _table(self, rows: str) -> str:
        if self.template == 1:
            return (
                f"<table class=hits><tr><th>Title</th><th>Author</th><th>Subject</th><th>Year</th></tr>{rows}</table>"
            )
        return f"<div class=results>{rows}</div>"

    def _row(self, book: Book) -> str:
        title = f"<a href='/book/{book.number}'>{escape(book.title)}</a>"
        if self.template == 1:
            return f"<tr><td>{title}</td><td>{book.author}</td><td>{book.subject}</td><td>{book.year}</td></tr>"
        return (
            f"<div class=card><h3>{title}</h3><dl><dt>Author</dt><dd>{book.author}</dd><dt>Subject</dt><dd>{book.subject}</dd>"
            f"<dt>Year</dt><dd>{book.year}</dd></dl></div>"
        )
