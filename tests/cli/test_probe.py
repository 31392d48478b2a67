"""`dowse probe` against a server of our own."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

import orjson
import pytest

from tests.cli.conftest import Dowse
from tests.served import serving

FORMS = """<html lang="en"><title>Books</title><body>
<form method="post" action="/login"><input name="u"><input type="password" name="p"></form>
<form action="/find"><label>Title <input name="title"></label><label>Author <input name="author"></label>
<button>Search the catalogue of books</button></form></body></html>"""
TITLES = [
    f"The {one} {two}"
    for one in ("River", "Stone", "Garden", "Night")
    for two in ("Road", "Lamp", "House", "Sea", "Wood")
]
OWN = ("--allow-private", "--delay", "0")


class Books(BaseHTTPRequestHandler):
    """A catalogue that finds words in titles, eight on a page."""

    def do_GET(self) -> None:
        address = urlsplit(self.path)
        title = parse_qs(address.query).get("title", [""])[0].lower()
        found = [each for each in TITLES if not title or title in each.lower().split()]
        rows = "".join(f"<tr><td>{each}<td>{1950 + n}<td>Author {n}" for n, each in enumerate(found[:8]))
        lines = (
            f"<p>Results 1-{min(8, len(found))} of {len(found)}</p><table>{rows}</table>"
            if found
            else "<p>Nothing was found.</p>"
        )
        pages = {
            "/": FORMS,
            "/find": f"<html><body>{lines}</body></html>",
            "/robots.txt": "User-agent: *\nDisallow: /secret\n",
        }
        pages["/closed"] = FORMS.replace("/find", "/secret")
        pages["/members"] = FORMS.replace("/find", "/members/find")
        if address.path == "/members/find" and "visit=1" in self.headers.get("cookie", ""):
            pages["/members/find"] = pages["/find"]
        self.send_response(200 if address.path in pages else 404)
        if address.path == "/members":
            self.send_header("set-cookie", "visit=1; Path=/")
        self.send_header("content-type", "text/plain" if address.path == "/robots.txt" else "text/html")
        self.end_headers()
        self.wfile.write(pages.get(address.path, "").encode())

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def books() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Books) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}/"
        server.shutdown()


def test_for_scripts(dowse: Dowse, books: str) -> None:
    done = dowse("probe", books, *OWN, "--json")
    assert done.code == 0
    said = done.json
    assert set(said) == {
        "answers",
        "kind",
        "page_size",
        "total",
        "limit",
        "match",
        "count_line",
        "requests",
        "reasons",
        "failed",
        "door",
    }
    assert (said["answers"], said["kind"], said["page_size"], said["total"]) == (True, "database", 8, 20)
    assert said["door"] == {"page": books, "form": 1, "method": "GET", "action": f"{books}find", "kind": "database"}


def test_for_people(dowse: Dowse, books: str) -> None:
    done = dowse("probe", books, *OWN)
    assert done.code == 0
    assert "form 1: GET" in done.out
    assert "8 of 20 records for an empty query" in done.out


def test_a_door_that_answers_only_who_brings_its_cookie(dowse: Dowse, books: str) -> None:
    said = dowse("probe", f"{books}members", *OWN, "--json").json
    assert (said["answers"], said["total"]) == (True, 20)


def test_a_form_of_the_database_by_its_number(dowse: Dowse, books: str) -> None:
    assert dowse("find", books, "--no-discover", *OWN).code == 0
    (source,) = dowse("sources", "--json").json["sources"]  # type: ignore[misc]
    assert (source["id"], source["probed"], source["answers"]) == (2, False, None)
    said = dowse("probe", "2", *OWN, "--json").json
    assert said["total"] == 20
    (source,) = dowse("sources", "--json").json["sources"]  # type: ignore[misc]
    assert (source["probed"], source["answers"], source["size"]) == (True, True, 20), "it is kept"
    assert "answered a probe" in dowse("forms", "--kind", "database").out
    assert dowse("probe", "77", *OWN).code == 2


def test_while_finding_answers_are_kept(dowse: Dowse, books: str) -> None:
    assert dowse("find", books, "--no-discover", "--probe", *OWN).code == 0
    exported = dowse("export", "forms").out
    assert '"total":20' in exported
    assert '"probe":null' in exported  # the login form


def test_while_finding_cookies_are_kept(dowse: Dowse, books: str) -> None:
    assert dowse("find", f"{books}members", "--no-discover", "--probe", *OWN).code == 0
    forms = [orjson.loads(line) for line in dowse("export", "forms", "--kind", "database").out.splitlines()]
    assert [form["probe"]["answers"] for form in forms if form["page"].endswith("members")] == [True]


def test_queries_are_in_the_budget_of_pages_in_every_run(dowse: Dowse) -> None:
    with serving(
        {"/": b"<form action='/find'><input name='title'><button>Search books</button></form><a href='/p'>p</a>"}
    ) as root:
        arguments = ("find", f"{root}/", "--no-discover", "--probe", "--strategy", "exhaustive", "--json", *OWN)
        first = dowse(*arguments, "--pages", "1")
        assert (first.code, first.json["pages"]) == (3, 1)
        assert orjson.loads(dowse("export", "forms").out)["probe"]["requests"] >= 1, "forms of the last page are asked"
        again = dowse(*arguments, "--pages", "2")
        assert (again.code, again.json["pages"]) == (3, 1), "a query counts as a page"
        assert dowse(*arguments).json["pages"] == 2


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (("{}", "--form", "0"), 1, "form 0 asks for a password"),
        (("{}", "--form", "5"), 2, "the page has 2 forms"),
        (("{}nothing",), 1, "HTTP 404"),
        (("{}closed",), 1, "robots.txt forbids it"),
        (("no address",), 2, "not a web address"),
        (("12",), 2, "there is no database"),
    ],
    ids=["refused", "no such form", "no page", "robots", "no address", "no database"],
)
def test_refusals_are_one_line(dowse: Dowse, books: str, arguments: tuple[str, ...], code: int, words: str) -> None:
    done = dowse("probe", *(each.format(books) for each in arguments), *OWN)
    assert (done.code, len(done.err.splitlines())) == (code, 1)
    assert words in done.err
