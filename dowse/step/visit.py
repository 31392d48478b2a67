"""Follow one link: fetch, read, open in a browser what needs one, find the doors."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable
from dataclasses import replace

from dowse.fetch import Fetch, Render
from dowse.form.doors import find_doors
from dowse.model import Failure, Familiar, Link, Page, Request, Response, Visit, Why
from dowse.page.read import read_page
from dowse.step.offload import is_large, offload
from dowse.url import canonical, same_site


async def visit(
    link: Link,
    fetch: Fetch,
    familiar: Familiar,
    now: Callable[[], float] = time.time,
    render: Render | None = None,
) -> Visit:
    """Return what a link leads to; links that are familiar are not described, doors not judged again."""
    looked = await look(link, fetch, familiar, now, render)
    if looked.page is None:
        return looked
    return replace(looked, doors=tuple(find_doors(looked.page, link.depth, familiar.doors, familiar.names)))


async def look(
    link: Link,
    fetch: Fetch,
    familiar: Familiar,
    now: Callable[[], float] = time.time,
    render: Render | None = None,
) -> Visit:
    """Return what a link leads to without judging its forms: enough for who looks for other pages."""
    response = await fetch(Request(link.url))
    if isinstance(response, Failure):
        return Visit(link, failure=response, status=response.status, seconds=now())
    if 300 <= response.status < 400:
        return _moved(link, response, now())
    if response.status >= 400:
        failure = Failure(link.url, Why.STATUS, f"HTTP {response.status}", response.status)
        return Visit(link, failure=failure, status=response.status, seconds=now())
    page = await offload(is_large(response.body), read_page, response, familiar=familiar)
    unrendered, name = "", digest(response.body)
    if page.unrendered and render is not None:
        page, response, unrendered = await _render(page, response, render, familiar)
    moved = page.url if response.redirects else ""
    return Visit(link, page, None, (), response.status, name, moved, now(), unrendered)


async def _render(page: Page, response: Response, render: Render, familiar: Familiar) -> tuple[Page, Response, str]:
    """Return a page as the browser shows it; or as it came, and why."""
    shown = await render(response)
    if isinstance(shown, Failure):
        return page, response, shown.detail or str(shown.why)
    # What stood in the page as it came is familiar by now, and would be left out.
    anew = Familiar(familiar.links, familiar.doors, layout=familiar.layout)
    return await offload(is_large(shown.body), read_page, shown, familiar=anew), shown, ""


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
