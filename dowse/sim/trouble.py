"""What is wrong with sites, as tables: dead servers, odd ones, robots.txt of many shapes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from dowse.model import Failure, Response, Why
from dowse.sim.chance import Shares, between, mix, number_of, pick

DEAD: Shares = (
    ("refused", 0.012),
    ("hanging", 0.008),
    ("error-500", 0.012),
    ("garbage", 0.010),
    ("redirect-loop", 0.010),
    ("busy", 0.010),
    ("wrong-length", 0.010),
)
ODD: Shares = (
    ("redirecting-root", 0.05),
    ("soft-404", 0.06),
    ("dead-links", 0.10),
    ("slow", 0.02),
    ("rate-limited", 0.03),
    ("no-content-type", 0.02),
    ("mislabelled-files", 0.03),
    ("forwarding", 0.06),
)
TROUBLES: Shares = DEAD + ODD
DEAD_NAMES = frozenset(name for name, _ in DEAD) | {"gone", "closed"}  # the last two: since some day

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
    seconds = "1" if number_of(call.key) % 3 else "86400"  # some ask for more than anyone will wait
    return Response(call.url, 503, (HTML, ("retry-after", seconds)), b"<h1>Service unavailable</h1>")


def _loop(call: Call) -> Response:
    """Go round: any address to /start, /start to /enter, /enter to /start."""
    target = "/enter" if call.path == "/start" else "/start"
    return Response(call.url, 302, (HTML, ("location", target)), b"")


def _closed(call: Call) -> Response:
    body = f"<html><head><title>{call.key}</title></head><body><h1>{call.key}</h1><p>410</p></body></html>"
    return Response(call.url, 410, (HTML,), body.encode())


DEAD_ANSWERS: dict[str, Callable[[Call], Response | Failure]] = {
    "refused": _fails(Why.REFUSED),
    "hanging": _fails(Why.TIMEOUT),
    "error-500": _error,
    "garbage": _fails(Why.GARBAGE),
    "redirect-loop": _loop,
    "busy": _busy,
    "wrong-length": _fails(Why.BROKEN),
    "gone": _fails(Why.NO_HOST),
    "closed": _closed,
}


def answer_missing(url: str, path: str) -> Response | None:
    """Answer for a page that is linked and cannot be had; nothing when it is simply not there."""
    status = (404, 404, 404, 410, 500, 503)[mix(number_of(path), 1) % 6]
    if status == 404:
        return None
    extra = (("retry-after", "2"),) if status == 503 else ()
    return Response(url, status, (HTML, *extra), f"<html><body><h1>{status}</h1></body></html>".encode())


def answer_file(url: str, path: str) -> Response:
    """Answer with a picture, an archive or a document that calls itself a page."""
    heads = {
        "jpg": b"\xff\xd8\xff\xe0\x00\x10JFIF\x00",
        "zip": b"PK\x03\x04\x14\x00",
        "pdf": b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n",
    }
    bits = number_of(path)
    noise = b"".join(mix(bits, number).to_bytes(8, "big") for number in range(64))
    return Response(url, 200, (("content-type", "text/html"),), heads[path.rpartition(".")[2]] + noise)


def answer_robots(url: str, shape: str, forbidden: tuple[str, ...], rng: Random) -> Response:
    """Answer the request for robots.txt in the site's shape."""
    if shape == "missing" and not forbidden:
        return Response(url, 404, (HTML,), b"<html><body><h1>404</h1></body></html>")
    if shape == "error-500":
        return Response(url, 500, (HTML,), b"<h1>Internal Server Error</h1>")
    if shape == "page-instead" and not forbidden:
        return Response(url, 200, (HTML,), b"<!DOCTYPE html><html><body><p>:-)</p></body></html>")
    return Response(url, 200, (TEXT,), _robots_text(shape, forbidden, rng).encode())


def _robots_text(shape: str, forbidden: tuple[str, ...], rng: Random) -> str:
    lines = "".join(f"Disallow: {path}\n" for path in forbidden)
    texts = {
        "empty": "",
        "other-agent": "# be nice\nUser-agent: BadBot\nDisallow: /\n\nUser-agent: *\nAllow: /\n",
        "crawl-delay": f"user-agent: *\r\ncrawl-delay: 0.{pick(rng, '125')}\r\nDisallow: /tmp/\r\n",
        "hidden-search": "User-agent: *\nDisallow: /tmp/\n",
        "all": "User-agent: *\nDisallow: /\n",
    }
    if shape == "huge":
        rows = (f"Disallow: /old/{number}-{between(rng, 0, 10**6)}/\n" for number in range(4000))
        return f"User-agent: *\n{lines}{''.join(rows)}"
    text = texts.get(shape, "User-agent: *\nDisallow:\n")
    if not lines:
        return text
    return f"{text}{lines}" if "ser-agent: *" in text and text.endswith("\n") and text else f"User-agent: *\n{lines}"
