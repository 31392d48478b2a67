"""What is wrong with sites, as tables: dead servers, odd roots, robots.txt of many shapes. All stateless."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from dowse.model import Failure, Response, Why
from dowse.sim.chance import Shares

DEAD: Shares = (
    ("refused", 0.012),
    ("hanging", 0.008),
    ("error-500", 0.012),
    ("garbage", 0.010),
    ("redirect-loop", 0.010),
    ("busy", 0.010),
    ("wrong-length", 0.010),
)
ODD: Shares = (("redirecting-root", 0.06), ("soft-404", 0.06), ("dead-links", 0.10))
TROUBLES: Shares = DEAD + ODD
DEAD_NAMES = frozenset(name for name, _ in DEAD)

ROBOTS: Shares = (
    ("missing", 0.34),
    ("allow", 0.22),
    ("other-agent", 0.10),
    ("crawl-delay", 0.06),
    ("hidden-search", 0.12),
    ("page-instead", 0.05),
    ("huge", 0.03),
    ("all", 0.03),
    ("error-500", 0.02),
    ("empty", 0.03),
)
CLOSED_ROBOTS = frozenset({"all", "error-500"})  # RFC 9309: an unreachable robots.txt forbids everything
HIDDEN_FOLDERS = ("cgi-bin", "query", "lookup", "private", "dyn")
HTML = ("content-type", "text/html; charset=utf-8")
TEXT = ("content-type", "text/plain; charset=utf-8")


@dataclass(frozen=True, slots=True)
class Call:
    """What a dead server is asked, and the key of its chance."""

    url: str
    path: str
    key: str


def _fails(why: Why) -> Callable[[Call], Response | Failure]:
    return lambda call: Failure(call.url, why, "simulated")


def _error(call: Call) -> Response:
    body = b"<html><head><title>500</title></head><body><h1>Internal Server Error</h1></body></html>"
    return Response(call.url, 500, (HTML,), body)


def _busy(call: Call) -> Response:
    seconds = "1" if sum(call.key.encode()) % 3 else "86400"  # some ask for more than anyone will wait
    return Response(call.url, 503, (HTML, ("retry-after", seconds)), b"<h1>Service unavailable</h1>")


def _loop(call: Call) -> Response:
    """Go round: any address to /start, /start to /enter, /enter to /start."""
    target = "/enter" if call.path == "/start" else "/start"
    return Response(call.url, 302, (HTML, ("location", target)), b"")


DEAD_ANSWERS: dict[str, Callable[[Call], Response | Failure]] = {
    "refused": _fails(Why.REFUSED),
    "hanging": _fails(Why.TIMEOUT),
    "error-500": _error,
    "garbage": _fails(Why.GARBAGE),
    "redirect-loop": _loop,
    "busy": _busy,
    "wrong-length": _fails(Why.BROKEN),
}


def answer_robots(url: str, shape: str, folder: str, rng: Random) -> Response:
    """Answer the request for robots.txt in the site's shape."""
    if shape == "missing":
        return Response(url, 404, (HTML,), b"<html><body><h1>Not Found</h1></body></html>")
    if shape == "error-500":
        return Response(url, 500, (HTML,), b"<h1>Internal Server Error</h1>")
    if shape == "page-instead":
        return Response(url, 200, (HTML,), b"<!DOCTYPE html><html><body><p>Welcome to our site</p></body></html>")
    return Response(url, 200, (TEXT,), _robots_text(shape, folder, rng).encode())


def _robots_text(shape: str, folder: str, rng: Random) -> str:
    texts = {
        "empty": "",
        "allow": "User-agent: *\nDisallow:\n",
        "other-agent": "# be nice\nUser-agent: BadBot\nDisallow: /\n\nUser-agent: *\nAllow: /\n",
        "crawl-delay": f"user-agent: *\r\ncrawl-delay: 0.{rng.choice('125')}\r\nDisallow: /tmp/\r\n",
        "hidden-search": f"User-agent: *\nDisallow: /{folder}/\nDisallow: /tmp/\n",
        "all": "User-agent: *\nDisallow: /\n",
    }
    if shape != "huge":
        return texts[shape]
    lines = "".join(f"Disallow: /old/{number}-{rng.randrange(10**6)}/\n" for number in range(4000))
    return f"User-agent: *\n{lines}"
