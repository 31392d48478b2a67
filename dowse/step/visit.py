"""Follow one link or inspect one page: fetch, read, open in a browser what needs one, find the doors."""

from __future__ import annotations

import asyncio
import gc
import hashlib
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from enum import Enum
from functools import lru_cache, partial
from typing import ParamSpec, TypeVar

from dowse.fetch import Fetch, Render
from dowse.form.doors import find_doors, open_door
from dowse.model import Door, Failure, Form, Link, Page, Request, Response, SeenOnSite, TopicMatch, Visit
from dowse.page.document import Document
from dowse.reasons import FailureReason
from dowse.topic import Topic, form_text, list_shipped, load_topic
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


# --- read
# A response becomes a document: what every command that opens a page does with it.


class View(Enum):
    """What is read of a document beside its links, forms and words."""

    PAGE = "nothing"
    NODES = "the tree that records are found in"
    GROUPS = "its links that stand together"


async def read_document(
    response: Response, *, seen: SeenOnSite | None = None, render: Render | None = None, view: View = View.PAGE
) -> Document:
    """Read a response, opened in a browser where that shows more; a large one is read beside the event loop.

    Views that are wanted are made there, too.
    """
    document = await offload(is_large(response.body), _read, response, seen, view)
    if not document.page.unrendered or render is None:
        return document
    shown = await render(response)
    if isinstance(shown, Failure):
        document.not_rendered = shown.detail or str(shown.why)
        return document
    return await offload(is_large(shown.body), _read, shown, seen, view)


def _read(response: Response, seen: SeenOnSite | None, view: View) -> Document:
    document = Document(response, seen)
    _ = document.page
    if view is not View.PAGE:
        getattr(document, view.name.lower())
    document.release()  # here: to free the tree of a large page would hold the event loop
    return document


def why_no_page(response: Response, url: str) -> Failure:
    """Return why a response to a request for an address holds no page: it redirects in vain, or says that it is none."""
    if response.status < 400:
        return Failure(url, FailureReason.REDIRECT_BAD, response.header("location")[:200], response.status)
    return Failure(url, FailureReason.STATUS, f"HTTP {response.status}", response.status)


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
        return why_no_page(response, response.url)
    document = await read_document(response, render=render, view=View.GROUPS)
    return await offload(is_large(document.response.body), look_at, document)


def look_at(document: Document) -> Inspection:
    """Look at a page that is here already."""
    page = document.page
    links = {link.place: link for link in page.links}
    groups = (tuple(links[place] for place in group.places if place in links) for group in document.groups)
    doors = tuple(open_door(form, page) for form in page.forms)
    if document.not_rendered:
        page = replace(page, unrendered=f"{page.unrendered} ({document.not_rendered})")
    return Inspection(page, doors, tuple(filter(None, groups)))


# --- visit
# Follow one link: fetch, read, open in a browser what needs one, find the doors.


async def visit(
    link: Link,
    fetch: Fetch,
    seen: SeenOnSite,
    now: Callable[[], float] = time.time,
    render: Render | None = None,
) -> Visit:
    """Return what a link leads to; links that the site has shown before are not described, doors not judged again."""
    looked = await look(link, fetch, seen, now, render)
    if looked.page is None or not looked.page.forms:
        return looked
    large = sum(len(form.fields) for form in looked.page.forms) > LARGE_FIELDS
    doors, signatures = await offload(large, find_doors, looked.page, link.depth, seen.signatures)
    titled = tuple(replace(door, title=looked.page.title) for door in doors)
    return replace(looked, doors=titled, signatures=signatures)


@lru_cache(maxsize=1)
def shipped_topics() -> tuple[Topic, ...]:
    """Return the topics that come with Dowse, read once."""
    return tuple(load_topic(name) for name in list_shipped())


def judge_topics(visited: Visit, topics: Sequence[Topic], wanted: Topic | None = None) -> Visit:
    """Add how likely a page is on the topic that is wanted, and which topics its search forms are on."""
    page = visited.page
    if page is None:
        return visited
    on_page = wanted.judge_page(page) if wanted else None
    doors = tuple(
        replace(door, topics=match_topics(topics, door.form, page)) if door.judgement.searchable else door
        for door in visited.doors
    )
    return replace(visited, doors=doors, topic=on_page)


def match_topics(topics: Sequence[Topic], form: Form, page: Page) -> tuple[TopicMatch, ...]:
    """Return how likely a form is on each topic, the likeliest first."""
    words = form_text(form)
    matches = [TopicMatch(topic.name, round(topic.form_probability(words, page), 4)) for topic in topics]
    return tuple(sorted(matches, key=lambda match: -match.probability))


async def look(
    link: Link,
    fetch: Fetch,
    seen: SeenOnSite,
    now: Callable[[], float] = time.time,
    render: Render | None = None,
) -> Visit:
    """Return what a link leads to without judging its forms: enough for who looks for other pages."""
    response = await fetch(Request(link.url))
    if isinstance(response, Failure):
        return Visit(link, failure=response, status=response.status, seconds=now())
    if response.status >= 300:
        target = canonical(response.header("location"), response.url) if response.status < 400 else None
        if target is not None and not same_site(target, link.url):
            return Visit(link, status=response.status, moved=target, seconds=now())
        return Visit(link, failure=why_no_page(response, link.url), status=response.status, seconds=now())
    document = await read_document(response, seen=seen, render=render)
    page, shown = document.page, document.response
    moved = page.url if shown.redirects else ""
    return Visit(
        link, page, None, (), shown.status, digest(response.body), moved, now(), document.not_rendered
    )  # fmt: skip


def digest(body: bytes) -> str:
    """Return a short name for exactly these bytes: the payload digest that web archives use."""
    return hashlib.sha1(body, usedforsecurity=False).hexdigest()
