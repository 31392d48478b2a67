"""Headers, cookies and proxies given on the command line: parsed; headers are sent to the sites that were named, and to no other."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from urllib.parse import urlsplit

from dowse.errors import BadInput
from dowse.fetch import Fetch
from dowse.model import Failure, Request, Response
from dowse.url import site_of

_TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")  # RFC 9110, 5.6.2
_RESERVED_HEADERS = frozenset(
    {"host", "content-length", "transfer-encoding", "connection", "user-agent"}
)  # set by Dowse itself
PROXY_SCHEMES = ("http", "https", "socks4", "socks4a", "socks5", "socks5h")

Header = tuple[str, str]


def send_headers(fetch: Fetch, headers: Sequence[Header], hosts: Sequence[str]) -> Fetch:
    """Wrap a Fetch to send headers to some hosts and the hosts below them; redirects to others go without."""

    async def fetch_with_headers(request: Request) -> Response | Failure:
        host = site_of(request.url).host
        if any(host == own or host.endswith(f".{own}") for own in hosts):
            request = replace(request, headers=_merge(request.headers, headers))
        return await fetch(request)

    return fetch_with_headers


def _merge(own: Sequence[Header], given: Sequence[Header]) -> tuple[Header, ...]:
    """Return both; given headers override, but cookies are sent beside those that the site has set."""
    cookies = [value for name, value in (*own, *given) if name.lower() == "cookie"]
    names = {name.lower() for name, _ in given} | {"cookie"}
    kept = [pair for pair in own if pair[0].lower() not in names]
    others = [pair for pair in given if pair[0].lower() != "cookie"]
    return (*kept, *others, *((("cookie", "; ".join(cookies)),) if cookies else ()))


def parse_header(text: str) -> Header:
    """Parse the value of --header."""
    name, colon, value = text.partition(":")
    if not colon or not _TOKEN.fullmatch(name):
        raise BadInput(f"--header {text[:80]!r}: write it as 'Name: value'")
    if name.lower() in _RESERVED_HEADERS:
        raise BadInput(
            f"--header {name}: Dowse sets that itself"
            + ("; --contact names you" if name.lower() == "user-agent" else "")
        )
    if any(ord(letter) < 32 and letter != "\t" for letter in value):
        raise BadInput(f"--header {name}: the value may not hold line breaks or control characters")
    return name, _as_bytes(value.strip())


def parse_cookie(text: str) -> Header:
    """Parse the value of --cookie: one or several, as a browser shows them."""
    for pair in text.split(";"):
        name, equals, value = pair.strip().partition("=")
        if not equals or not _TOKEN.fullmatch(name) or any(ord(letter) < 32 for letter in value):
            raise BadInput(f"--cookie {text[:80]!r}: write it as NAME=VALUE, several with ; between them")
    return "cookie", _as_bytes(text.strip())


def _as_bytes(text: str) -> str:
    """Return the text as its bytes in UTF-8, each a letter of Latin-1: so headers are kept, and sent."""
    return text.encode("utf-8", "surrogateescape").decode("latin-1")


def parse_proxy(text: str) -> str:
    """Parse the value of --proxy."""
    try:
        parts = urlsplit(text)
        is_good = parts.scheme in PROXY_SCHEMES and bool(parts.hostname) and (parts.port or 1) > 0
    except ValueError:
        is_good = False
    if not is_good:
        raise BadInput(f"--proxy {text[:120]!r}: write it as http://HOST:PORT or socks5h://HOST:PORT")
    return text
