"""What is wrong with sites, as tables: dead servers, odd ones, robots.txt of many shapes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from dowse.model import Failure, Response
from dowse.reasons import FailureReason
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
LOOPS = {"A": ("/start", "/enter"), "B": ("/gate", "/welcome")}
HTML = ("content-type", "text/html; charset=utf-8")
TEXT = ("content-type", "text/plain; charset=utf-8")


@dataclass(frozen=True, slots=True)
class Call:
    """What a dead server is asked, and the key of its chance."""

    url: str
    path: str
    key: str
    family: str


def _fails(why: FailureReason) -> Callable[[Call], Response | Failure]:
    return lambda call: Failure(call.url, why, "simulated")


# As servers send them unasked: each family's servers have others.
ERRORS = {
    "A": (
        "<html><head><title>{status}</title></head><body><h1>{words}</h1></body></html>",
        '<!DOCTYPE HTML PUBLIC "-//IETF//DTD HTML 2.0//EN">\n<TITLE>{status} {words}</TITLE>\n<H1>{words}</H1>\n<HR>',
        "<h1>{words}</h1>",
    ),
    "B": (
        "<!doctype html><html lang=en><title>{words}</title><main><p>{status}</p><p>{words}</p></main>",
        "<html>\r\n<body bgcolor=white>\r\n<center><b>{status}: {words}</b></center>\r\n</body>\r\n</html>\r\n",
        "{status} - {words}\n",
    ),
}
WORDS = {404: "Not Found", 410: "Gone", 500: "Internal Server Error", 503: "Service Unavailable"}


def _error_body(status: int, family: str, key: str) -> bytes:
    pages = ERRORS[family]
    return pages[number_of(key) % len(pages)].format(status=status, words=WORDS[status]).encode()


def _error(call: Call) -> Response:
    return Response(call.url, 500, (HTML,), _error_body(500, call.family, call.key))


def _busy(call: Call) -> Response:
    seconds = ("1", "2", "5", "86400")[number_of(call.key, "wait") % 4]  # some ask for more than anyone will wait
    body = _error_body(503, call.family, call.key)
    return Response(call.url, 503, (HTML, ("retry-after", seconds)), body)


def _loop(call: Call) -> Response:
    """Go round: any address to the first of two, that to the second, that to the first."""
    first, second = LOOPS[call.family]
    target = second if call.path == first else first
    return Response(call.url, 302, (HTML, ("location", target)), b"")


def _closed(call: Call) -> Response:
    return Response(call.url, 410, (HTML,), _error_body(410, call.family, call.key))


DEAD_ANSWERS: dict[str, Callable[[Call], Response | Failure]] = {
    "refused": _fails(FailureReason.REFUSED),
    "hanging": _fails(FailureReason.TIMEOUT),
    "error-500": _error,
    "garbage": _fails(FailureReason.GARBAGE),
    "redirect-loop": _loop,
    "busy": _busy,
    "wrong-length": _fails(FailureReason.BROKEN),
    "gone": _fails(FailureReason.NO_HOST),
    "closed": _closed,
}


def answer_missing(url: str, path: str, family: str) -> Response | None:
    """Answer for a page that is linked and cannot be had; nothing when it is simply not there."""
    status = (404, 404, 404, 410, 500, 503)[mix(number_of(path), 1) % 6]
    if status == 404:
        return None
    extra = (("retry-after", "2"),) if status == 503 else ()
    return Response(url, status, (HTML, *extra), _error_body(status, family, url))


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


def answer_robots(url: str, shape: str, forbidden: tuple[str, ...], rng: Random, family: str) -> Response:
    """Answer the request for robots.txt in the site's shape."""
    if shape == "missing" and not forbidden:
        return Response(url, 404, (HTML,), _error_body(404, family, url))
    if shape == "error-500":
        return Response(url, 500, (HTML,), _error_body(500, family, url))
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
