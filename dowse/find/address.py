"""From the text of an address to the place to start from, a million times.

Most entries of a list are a plain host name or an address that begins with one. For those,
what `seed_address` and `site_of` would find is known without parsing.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Iterator

from dowse.find.refused import Refused
from dowse.model import Seed, Site
from dowse.url import DEFAULT_PORTS, seed_address, site_of

# A last label of letters is never part of an IP address; xn-- has rules of its own and takes the long way.
_HOST = r"(?:[a-z0-9_][a-z0-9_-]{0,62}\.)++[a-z]{2,63}"
_PLAIN_HOST = re.compile(rf"\A{_HOST}\Z")
_PLAIN_ADDRESS = re.compile(rf"(https?)://({_HOST})((?:/[\w~-][\w~.-]*+)*+/?)\Z", re.ASCII)
_PLAIN_START = re.compile(rf"(https?)://({_HOST})(?=[/?#]|\Z)")
_NUMBER = re.compile(r"[+-]?\d{1,40}(?:[.,]\d{0,40}){0,2}%?\Z")  # three dots and more are an IP address
_MAX_HOST = 253  # longer names do not exist; they take the long way
_SHORT = 160  # an address of so many letters stays within url.MAX_LENGTH, however it is escaped
_RECENT = 20_000  # sites that are remembered, so that the pages of one site give one seed


def seed_of(text: str, rank: int = 0) -> Seed | None:
    """Return the place that an address or a bare host name means, or None."""
    if len(text) <= _MAX_HOST and "xn--" not in text:
        if _PLAIN_HOST.match(text):
            return Seed(Site("http", text, 80), f"http://{text}/", rank)
        if found := _PLAIN_ADDRESS.match(text):
            scheme, host, path = found.groups()
            return Seed(Site(scheme, host, DEFAULT_PORTS[scheme]), text if path else f"{text}/", rank)
    url = None if is_number(text) else seed_address(text)
    return Seed(site_of(url), url, rank) if url else None


def why_none(text: str) -> str:
    """Say why the text of an address means no place, in words that follow it."""
    return "is a number, not a web address" if is_number(text) else "is not a web address"


def is_number(text: str) -> bool:
    """Say whether a text is a rank or a count; a browser would take it for an IP address in short (1.5 for 1.0.0.5)."""
    return bool(_NUMBER.match(text))


def origin_of(text: str) -> str | None:
    """Return the site of an address as it is written in markup, or None."""
    found = _PLAIN_START.match(text) if len(text) <= _SHORT else None
    if found and "xn--" not in found[2]:
        return found[0]
    url = seed_address(html.unescape(text))
    return str(site_of(url)) if url else None


def front_pages(addresses: Iterable[str], name: str, refused: Refused) -> Iterator[Seed]:
    """Yield the sites of many addresses, each entered at its root; the same site is not given twice in a row."""
    recent: set[str] = set()
    for number, text in enumerate(addresses, 1):
        origin = origin_of(text)
        if origin is None:
            refused.add(f"{name}, address {number:,}", text)
            continue
        refused.accepted += 1
        if origin in recent:
            continue
        if len(recent) >= _RECENT:
            recent.clear()
        recent.add(origin)
        yield Seed(_site(origin), f"{origin}/")


def _site(origin: str) -> Site:
    """Do as `site_of`, which remembers what it is asked for: here nothing is asked for twice."""
    scheme, _, host = origin.partition("://")
    return site_of(origin) if ":" in host else Site(scheme, host, DEFAULT_PORTS[scheme])
