"""Keeps the cookies of a session: each is sent back to the server that set it, and to no other (RFC 6265)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from email.utils import parsedate_to_datetime
from time import time
from urllib.parse import urlsplit

from dowse.fetch import Fetch
from dowse.model import Failure, Request, Response
from dowse.url import registrable_domain

MAX_COOKIES = 50  # of one session (RFC 6265, 6.1)
MAX_COOKIE_CHARS = 4_096  # of a name and its value


@dataclass(frozen=True, slots=True)
class Cookie:
    """A name and a value, and which requests they are sent with."""

    name: str
    value: str
    host: str  # that set it, or the domain that it names
    whole_domain: bool = False  # sent to the hosts below it, too
    path: str = "/"
    secure: bool = False

    def is_for(self, scheme: str, host: str, path: str) -> bool:
        """Return True if it is sent with a request to this address."""
        near = host == self.host or (self.whole_domain and host.endswith(f".{self.host}"))
        below = path == self.path or path.startswith(self.path if self.path.endswith("/") else f"{self.path}/")
        return near and below and (scheme == "https" or not self.secure)


@dataclass(slots=True)
class Jar:
    """The cookies of one session, bounded."""

    cookies: dict[tuple[str, str, str], Cookie] = field(default_factory=dict)

    def take(self, response: Response) -> None:
        """Keep the cookies that a response sets; an expired one is removed."""
        for name, value in response.headers:
            cookie = _parse_cookie(value, response.url) if name == "set-cookie" else None
            if cookie is None:
                continue
            key = (cookie.host, cookie.path, cookie.name)
            self.cookies.pop(key, None)
            if not _is_expired(value):
                self.cookies[key] = cookie
            while len(self.cookies) > MAX_COOKIES:
                self.cookies.pop(next(iter(self.cookies)))

    def header(self, url: str) -> str:
        """Return the Cookie header for an address; longer paths first (RFC 6265, 5.4)."""
        parts = urlsplit(url)
        own = [
            each for each in self.cookies.values() if each.is_for(parts.scheme, parts.hostname or "", parts.path or "/")
        ]
        return "; ".join(f"{each.name}={each.value}" for each in sorted(own, key=lambda each: -len(each.path)))


WITHOUT_COOKIES = (
    "cookie",
    "",
)  # a header for a request that is to know nothing of the session, and to leave it as it is


def keep_cookies(fetch: Fetch, jar: Jar) -> Fetch:
    """Wrap a Fetch to keep and send cookies; redirects are followed outside of it, so that each hop has its own."""

    async def fetch_with_cookies(request: Request) -> Response | Failure:
        if WITHOUT_COOKIES in request.headers:
            return await fetch(
                replace(request, headers=tuple([each for each in request.headers if each != WITHOUT_COOKIES]))
            )
        cookies = jar.header(request.url)
        if cookies:
            others = tuple(pair for pair in request.headers if pair[0].lower() != "cookie")
            request = replace(request, headers=(*others, ("cookie", cookies)))
        result = await fetch(request)
        if isinstance(result, Response):
            jar.take(result)
        return result

    return fetch_with_cookies


def _parse_cookie(text: str, url: str) -> Cookie | None:
    """Parse a Set-Cookie header (RFC 6265, 5.2); None for one that must be ignored."""
    pair, *rest = text[: 2 * MAX_COOKIE_CHARS].split(";")
    name, equals, value = (part.strip() for part in pair.partition("="))
    parts = urlsplit(url)
    host = parts.hostname or ""
    if not equals or not name or len(name) + len(value) > MAX_COOKIE_CHARS or any(ord(c) < 32 for c in name + value):
        return None
    attributes = dict(_parse_attributes(rest))
    domain = attributes.get("domain", "").lstrip(".").lower()
    if domain and not (_may_set_for(host, domain)):
        return None
    path = attributes.get("path", "")
    path = path if path.startswith("/") else (parts.path or "/").rpartition("/")[0] or "/"
    return Cookie(name, value, domain or host, bool(domain), path, "secure" in attributes)


def _parse_attributes(parts: list[str]) -> Iterator[tuple[str, str]]:
    for part in parts[:20]:
        name, _, value = part.partition("=")
        yield name.strip().lower(), value.strip()


def _may_set_for(host: str, domain: str) -> bool:
    """Return True if a host may set cookies for a domain: its own, or one above it that is no public suffix."""
    return host == domain or (host.endswith(f".{domain}") and registrable_domain(domain) == registrable_domain(host))


def _is_expired(text: str) -> bool:
    attributes = dict(_parse_attributes(text[: 2 * MAX_COOKIE_CHARS].split(";")[1:]))
    age = attributes.get("max-age", "")
    if age:
        return not age.lstrip("-").isdigit() or int(age[:15]) <= 0
    try:
        return bool(attributes.get("expires")) and parsedate_to_datetime(attributes["expires"]).timestamp() < time()
    except (ValueError, TypeError, OverflowError):
        return False
