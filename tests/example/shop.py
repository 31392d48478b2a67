"""A small shop to browse: lists of things on pages, and a page of its own for each thing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

from dowse.example.pattern import Path, Pattern, Step
from dowse.fetch import Fetch
from dowse.fetch.build import Fetches, wrap_fetch
from dowse.model import Failure, Request, Response
from dowse.sim.manners import Manners
from dowse.sim.server import Web
from dowse.tree.similarity import Likeness

SITE = "http://shop.example"
HTML = (("content-type", "text/html; charset=utf-8"),)
ITEM = r"^http://shop\.example/item/[0-9]+$"
LIST = r"^http://shop\.example/list/[0-9]+$"
Answer = str | Response | Failure


def item(number: int, *links: str, note: str = "") -> str:
    """Write the page of a thing."""
    facts = "".join(f"<tr><th>{name}</th><td>{name} {number * 7}</td></tr>" for name in ("Maker", "Colour", "Weight"))
    return _frame(
        f"Thing number {number}",
        f"<h1>Thing {number}</h1><table>{facts}</table><div class=text><p>It is thing {number}.</p><p>{note or 'New'}</p></div>",
        links,
    )


def listing(*links: str, following: str = "") -> str:
    """Write a list, with a link to its next page."""
    rows = "".join(f'<li class="row"><a href="{link}">{link}</a></li>' for link in links)
    more = f'<div class="pager"><a href="{following}">Next</a></div>' if following else ""
    return _frame("A list", f"<h2>List</h2><ul>{rows}</ul>{more}", ())


def other(*links: str) -> str:
    """Write a page that is neither."""
    return _frame("About", "<blockquote>We sell things.</blockquote><hr><form><input name=mail></form>", links)


def _frame(title: str, body: str, links: Iterable[str]) -> str:
    anchors = "".join(f'<a href="{link}">{link}</a> ' for link in links)
    return (
        f"<html><head><title>{title}</title></head><body><div id=head><a href='/about'>About</a></div>"
        f"{body}<div id=foot>{anchors}</div></body></html>"
    )


def address(place: str) -> str:
    """Return a whole address."""
    return SITE + place


@dataclass
class Shop:
    """A web of pages by their place, which may be made when they are asked for."""

    pages: dict[str, Answer] = field(default_factory=dict)
    make: Callable[[str], Answer | None] = lambda _: None
    asked: list[str] = field(default_factory=list)
    asking: Callable[[str], object] = lambda _: None  # is told of each page that is asked for

    def answer(self, request: Request) -> Response | Failure:
        """Answer as a server does; what is not there is a 404."""
        place = "/" + request.url.removeprefix(SITE).lstrip("/")
        if place == "/robots.txt":
            return Response(request.url, 404)
        self.asked.append(place)
        self.asking(place)
        found = self.pages.get(place) or self.make(place)
        if found is None:
            return Response(request.url, 404, HTML, b"<html><p>not found</p></html>")
        return Response(request.url, 200, HTML, found.encode()) if isinstance(found, str) else found

    def manners(self, host: str) -> Manners:
        """Answer at once."""
        return Manners()

    async def _fetch(self, request: Request) -> Response | Failure:
        return self.answer(request)

    @property
    def fetch(self) -> Fetch:
        """The shop as a Fetch."""
        return self._fetch

    @property
    def fetches(self) -> Fetches:
        """The ways to fetch from it."""
        return wrap_fetch(self._fetch)

    def items(self) -> list[str]:
        """Return the things that were asked for, in their order."""
        return [place for place in self.asked if place.startswith("/item/")]


def open_shop(count: int = 40, size: int = 10) -> Shop:
    """Return a shop whose home page leads to lists, and those to things."""
    lists = [range(start, min(start + size, count)) for start in range(0, count, size)]
    pages: dict[str, Answer] = {"/about": other("/", "/jobs"), "/jobs": other("/")}
    pages["/"] = _frame("Shop", "<h1>Welcome</h1><p>See our lists.</p>", [f"/list/{n}" for n in range(len(lists))])
    for number, things in enumerate(lists):
        pages[f"/list/{number}"] = listing(*(f"/item/{each}" for each in things))
    pages |= {f"/item/{each}": item(each, "/") for each in range(count)}
    return Shop(pages)


def pattern_of(*paths: tuple[Step, ...], entry: str = "/", **more: object) -> Pattern:
    """Return a pattern with paths; without samples every page that is reached is wanted."""
    chosen = paths or ((Step(LIST), Step(ITEM)),)
    return Pattern(entry=address(entry), paths=tuple(map(Path, chosen)), samples=(address("/item/0"),), **more)  # type: ignore[arg-type]


ANY = Likeness(())


@contextmanager
def serving(web: Web) -> Iterator[int]:
    """Serve a web on loopback, by host and as a proxy; gives the port. Each request is answered anew: a web may change."""

    class Answering(BaseHTTPRequestHandler):
        protocol_version, wbufsize, disable_nagle_algorithm = "HTTP/1.1", -1, True

        def do_GET(self) -> None:
            is_proxy = self.path.startswith("http://")
            found = web.answer(Request(self.path if is_proxy else f"http://{self.headers['host']}{self.path}"))
            assert isinstance(found, Response)
            self.send_response(found.status)
            for name, value in (*found.headers, ("content-length", str(len(found.body)))):
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(found.body)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Answering)
    server.daemon_threads = True
    thread = Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield server.server_address[1]
    finally:
        server.shutdown()
        server.server_close()
        thread.join(20)


def reaching(port: int) -> tuple[str, ...]:
    """Return the options that send every request to a port of this machine."""
    return ("--connect-to", f"*=127.0.0.1:{port}", "--allow-private", "--delay", "0")
