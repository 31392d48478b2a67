"""Follow one link: fetch, read, find the doors."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable

from dowse.fetch import Fetch
from dowse.form.doors import find_doors
from dowse.model import Failure, Familiar, Link, Request, Response, Visit, Why
from dowse.page.read import read_page
from dowse.url import canonical, same_site


async def visit(link: Link, fetch: Fetch, familiar: Familiar, now: Callable[[], float] = time.time) -> Visit:
    """Return what a link leads to; links that are familiar are not described, doors not judged again."""
    response = await fetch(Request(link.url))
    if isinstance(response, Failure):
        return Visit(link, failure=response, status=response.status, seconds=now())
    if 300 <= response.status < 400:
        return _moved(link, response, now())
    if response.status >= 400:
        failure = Failure(link.url, Why.STATUS, f"HTTP {response.status}", response.status)
        return Visit(link, failure=failure, status=response.status, seconds=now())
    page = read_page(response, familiar=familiar)
    doors = tuple(find_doors(page, link.depth, familiar.doors))
    moved = page.url if response.redirects else ""
    return Visit(link, page, None, doors, response.status, digest(response.body), moved, now())


def _moved(link: Link, response: Response, seconds: float) -> Visit:
    """Return a visit that ended at another site's door."""
    target = canonical(response.header("location"), response.url)
    if target is None or same_site(target, link.url):
        failure = Failure(link.url, Why.REDIRECT_BAD, response.header("location")[:200], response.status)
        return Visit(link, failure=failure, status=response.status, seconds=seconds)
    return Visit(link, status=response.status, moved=target, seconds=seconds)


def digest(body: bytes) -> str:
    """Return a short name for exactly these bytes: the payload digest that web archives use."""
    return hashlib.sha1(body, usedforsecurity=False).hexdigest()
