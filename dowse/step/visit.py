"""Follow one link or inspect one page: fetch, read, open in a browser what needs one, find the doors."""

from __future__ import annotations

import asyncio
import gc
import hashlib
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from typing import ParamSpec, TypeVar

from dowse.fetch import Fetch, Render
from dowse.form.doors import find_doors, open_door
from dowse.model import Door, Failure, Familiar, Link, Page, Request, Response, Visit, Why
from dowse.page.document import Document, read_page
from dowse.url import canonical, same_site

# --- offload
# Work on a large page in a thread beside the event loop, so that the other sites of a crawl do not wait for it.
#
# The interpreter takes turns between threads every few milliseconds: a page that takes a second to read holds the event
# loop no longer than the longest single call of a library does. Most pages are read at once, where they came.

LARGE_BYTES = 256 * 1024
LARGE_TAGS = 5_000  # tags that begin or end; reading, its tree and its records take up to 40 µs for each
LARGE_FIELDS = 300  # of all forms of a page; to judge them and read what they ask takes up to 0.2 ms for each

Given = ParamSpec("Given")
Made = TypeVar("Made")


def is_large(body: bytes) -> bool:
    """Return True if to read a body may take longer than the event loop can wait."""
    return len(body) > LARGE_BYTES or (len(body) > 3 * LARGE_TAGS and body.count(b"<") > LARGE_TAGS)


async def offload(large: bool, work: Callable[Given, Made], *args: Given.args, **named: Given.kwargs) -> Made:
    """Return what work makes: at once, or where a page is large, from the thread for large pages."""
    if not large:
        return work(*args, **named)
    return await asyncio.get_running_loop().run_in_executor(
        _open_thread(), partial(_work, partial(work, *args, **named))
    )


def _work(work: Callable[[], Made]) -> Made:
    """Do it without collecting garbage: to look through the parts of large trees again and again took a third of the time."""
    gc.disable()
    try:
        return work()
    finally:
        gc.enable()


@lru_cache(maxsize=1)
def _open_thread() -> ThreadPoolExecutor:
    """Return the one thread for large pages: with several, each turn of the event loop would wait for all of them."""
    return ThreadPoolExecutor(1, "large-page")


# --- inspect
# What Dowse sees in one page: its forms judged, its doors, its groups of links.


@dataclass(frozen=True, slots=True)
class Inspection:
    """A page and what is in it."""

    page: Page
    doors: tuple[Door, ...] = ()
    link_groups: tuple[tuple[Link, ...], ...] = ()  # as a text browser shows them, and navmenu sees them


async def inspect(url: str, fetch: Fetch, render: Render | None = None) -> Inspection | Failure:
    """Fetch a page and look at it, in a browser where that sees more."""
    response = await fetch(Request(url))
    if isinstance(response, Failure):
        return response
    if response.status >= 400:
        return Failure(response.url, Why.STATUS, f"HTTP {response.status}", response.status)
    seen = await offload(is_large(response.body), look_at, response)
    if not seen.page.unrendered or render is None:
        return seen
    shown = await render(response)
    if isinstance(shown, Response):
        return await offload(is_large(shown.body), look_at, shown)
    return replace(seen, page=replace(seen.page, unrendered=f"{seen.page.unrendered} ({shown.detail or shown.why})"))


def look_at(response: Response) -> Inspection:
    """Look at a page that is here already."""
    document = Document(response)
    page = document.page
    links = {link.place: link for link in page.links}
    groups = (tuple(links[place] for place in group.places if place in links) for group in document.groups)
    return Inspection(page, tuple(open_door(form, page) for form in page.forms), tuple(filter(None, groups)))


# --- visit
# Follow one link: fetch, read, open in a browser what needs one, find the doors.


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
    large = sum(len(form.fields) for form in looked.page.forms) > LARGE_FIELDS
    names = (
        familiar.names.copy() if large else familiar.names
    )  # nothing is known of doors that a visit cut off had found
    doors = await offload(large, lambda page: tuple(find_doors(page, link.depth, familiar.doors, names)), looked.page)
    familiar.names |= names
    return replace(looked, doors=doors)


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
