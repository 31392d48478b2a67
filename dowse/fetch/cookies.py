"""Keeps the cookies of a conversation: what a server gives is brought back to it, and to nobody else."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from email.utils import parsedate_to_datetime
from time import time
from urllib.parse import urlsplit

from dowse.fetch import Fetch
from dowse.model import Failure, Request, Response
from dowse.url import registrable_domain

MOST_COOKIES = 50  # of one site (RFC 6265, 6.1)
LONGEST = 4_096  # characters of a name and its value


@dataclass(frozen=True, slots=True)
class Cookie:
    """A name and a value, and to whom they are brought."""

    name: str
    value: str
    host: str  # where it comes from, or the domain that it names
    whole_domain: bool = False  # hosts under it, too
    path: str = "/"
    secure: bool = False

    def is_for(self, scheme: str, host: str, path: str) -> bool:
        """Return True if it is brought along to an address."""
        near = host == self.host or (self.whole_domain and host.endswith(f".{self.host}"))
        below = path == self.path or path.startswith(self.path if self.path.endswith("/") else f"{self.path}/")
        return near and below and (scheme == "https" or not self.secure)


@dataclass(slots=True)
class Jar:
    """The cookies of one conversation, bounded."""

    cookies: dict[tuple[str, str, str], Cookie] = field(default_factory=dict)

    def take(self, response: Response) -> None:
        """Keep what a server gives; an empty or outdated one is thrown away."""
        for name, value in response.headers:
            cookie = _read_cookie(value, response.url) if name == "set-cookie" else None
            if cookie is None:
                continue
            key = (cookie.host, cookie.path, cookie.name)
            self.cookies.pop(key, None)
            if not _is_over(value):
                self.cookies[key] = cookie
            while len(self.cookies) > MOST_COOKIES:
                self.cookies.pop(next(iter(self.cookies)))

    def header(self, url: str) -> str:
        """Return what is brought along to an address; longer paths first (RFC 6265, 5.4)."""
        parts = urlsplit(url)
        own = [
            each for each in self.cookies.values() if each.is_for(parts.scheme, parts.hostname or "", parts.path or "/")
        ]
        return "; ".join(f"{each.name}={each.value}" for each in sorted(own, key=lambda each: -len(each.path)))


def keep_cookies(fetch: Fetch, jar: Jar) -> Fetch:
    """Wrap a Fetch to bring cookies back; redirects are followed outside, so that each hop has its own."""

    async def fetch_with_cookies(request: Request) -> Response | Failure:
        brought = jar.header(request.url)
        if brought:
            others = tuple(pair for pair in request.headers if pair[0].lower() != "cookie")
            request = replace(request, headers=(*others, ("cookie", brought)))
        result = await fetch(request)
        if isinstance(result, Response):
            jar.take(result)
        return result

    return fetch_with_cookies


def _read_cookie(text: str, url: str) -> Cookie | None:
    """Read a Set-Cookie header as its standard has it (RFC 6265, 5.2); None for one that is not to be kept."""
    pair, *rest = text[: 2 * LONGEST].split(";")
    name, equals, value = (part.strip() for part in pair.partition("="))
    parts = urlsplit(url)
    host = parts.hostname or ""
    if not equals or not name or len(name) + len(value) > LONGEST or any(ord(c) < 32 for c in name + value):
        return None
    said = dict(_read_attributes(rest))
    domain = said.get("domain", "").lstrip(".").lower()
    if domain and not (_is_own(host, domain)):
        return None
    path = said.get("path", "")
    path = path if path.startswith("/") else (parts.path or "/").rpartition("/")[0] or "/"
    return Cookie(name, value, domain or host, bool(domain), path, "secure" in said)


def _read_attributes(parts: list[str]) -> Iterator[tuple[str, str]]:
    for part in parts[:20]:
        name, _, value = part.partition("=")
        yield name.strip().lower(), value.strip()


def _is_own(host: str, domain: str) -> bool:
    """Return True if a server may speak for a domain: its own, or one above it that is not everybody's."""
    return host == domain or (host.endswith(f".{domain}") and registrable_domain(domain) == registrable_domain(host))


def _is_over(text: str) -> bool:
    said = dict(_read_attributes(text[: 2 * LONGEST].split(";")[1:]))
    age = said.get("max-age", "")
    if age:
        return not age.lstrip("-").isdigit() or int(age[:15]) <= 0
    try:
        return bool(said.get("expires")) and parsedate_to_datetime(said["expires"]).timestamp() < time()
    except (ValueError, TypeError, OverflowError):
        return False
