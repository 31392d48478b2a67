"""What a page in the browser asks for, answered through a Fetch.

It may ask for little: its scripts, and data. Pictures, styles, fonts, frames, beacons and
sockets are refused; so is all that sends something, but for questions in JSON to its own
domain, which is how many applications read.
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from dowse.errors import DowseError
from dowse.fetch import Fetch
from dowse.model import Call, Failure, Request, Response, Why
from dowse.url import canonical, origin, registrable_domain, same_site, site_of

if TYPE_CHECKING:
    from playwright.async_api import Request as Asked
    from playwright.async_api import Route

REQUESTS = 60  # that one page may make
DOCUMENTS = 5  # that follow each other in one tab, by script or refresh
CALLS = 50  # kept of a page
SAME_CALLS = 5  # kept of one address with different questions
CALL_BODY = 2_000  # characters kept of what a call sent
SENT = 16 * 1024  # bytes that a question may have
QUIET = 0.5  # seconds without a request after which a page counts as done
STUCK = 2.0  # the same for a page of which not even the HTML has been read
CACHED = 16 * 1024 * 1024  # bytes of scripts kept for other pages
_HEADERS = 40

_READS = frozenset({"script", "xhr", "fetch"})
_PAGES = ("text/html", "application/xhtml+xml")
_OUR_HEADERS = frozenset(
    "host user-agent accept-encoding connection content-length cookie origin referer te upgrade-insecure-requests".split()
)
_NOT_FOR_PAGES = frozenset(
    "content-encoding content-length transfer-encoding connection keep-alive set-cookie strict-transport-security refresh"
    " content-disposition report-to nel content-security-policy-report-only alt-svc location".split()
)
# Counting visits is not ours to disturb: by far the most common of those who do it.
_COUNTERS = frozenset(
    "google-analytics.com googletagmanager.com googlesyndication.com doubleclick.net facebook.net hotjar.com clarity.ms"
    " matomo.cloud newrelic.com nr-data.net segment.com segment.io mixpanel.com scorecardresearch.com quantserve.com"
    " adnxs.com criteo.com taboola.com outbrain.com cloudflareinsights.com sentry.io".split()
)


class Scripts:
    """Scripts that pages have asked for: a site's pages share theirs, and its server is asked once."""

    def __init__(self, room: int = CACHED) -> None:
        self._room = room
        self._kept: OrderedDict[str, Response] = OrderedDict()

    def get(self, url: str) -> Response | None:
        """Return a script that is kept."""
        found = self._kept.get(url)
        if found is not None:
            self._kept.move_to_end(url)
        return found

    def add(self, url: str, script: Response) -> None:
        """Keep a script, in place of those that nobody asked for lately."""
        if url in self._kept:
            return
        self._kept[url] = script
        self._room -= len(script.body)
        while self._room < 0:
            self._room += len(self._kept.popitem(last=False)[1].body)


@dataclass(slots=True)
class Showing:
    """What is known of a page while a tab shows it."""

    response: Response  # the document
    fetch: Fetch
    scripts: Scripts
    documents: int = 0
    requests: int = 0
    read: bool = False  # the document has been parsed, the scripts in it have run
    touched: float = 0.0  # when something was asked or answered last
    trail: tuple[str, ...] = ()  # documents that led to this one by script
    calls: list[Call] = field(default_factory=list)
    fetching: set[asyncio.Future[Response | Failure]] = field(default_factory=set)
    pressing: bool = False  # a button is tried: all that is asked for is refused
    led: str = ""  # where that would have led
    crashed: bool = False
    error: DowseError | None = None  # the run cannot go on

    @property
    def is_over(self) -> bool:
        """Whether nothing more will come of it."""
        return self.crashed or self.error is not None

    def is_quiet(self) -> bool:
        """Return True if the page is done, as far as one can tell."""
        silence = time.monotonic() - self.touched if self.documents else 0.0
        return not self.fetching and silence >= (QUIET if self.read else STUCK)

    def note_read(self) -> None:
        """Note that the document has been parsed."""
        self.read, self.touched = True, time.monotonic()

    def stop(self) -> None:
        """Fetch no more for it."""
        for task in self.fetching:
            task.cancel()


def is_page(response: Response) -> bool:
    """Return True if a response is something that a browser shows as a page."""
    kind = response.header("content-type").partition(";")[0].strip().lower()
    return kind in _PAGES or (not kind and response.body[:512].lstrip()[:1] == b"<")


async def answer(route: Route, showing: Showing) -> None:
    """Answer one request of a page."""
    from playwright.async_api import Error

    showing.touched = time.monotonic()
    with suppress(Error, asyncio.CancelledError):  # the page has been left meanwhile
        asked = route.request
        if showing.pressing:
            await _refuse(route, asked, showing)
        elif asked.is_navigation_request():
            await _answer_document(route, asked, showing)
        elif asked.resource_type == "stylesheet":  # refused, it would keep loaders from going on
            await route.fulfill(status=200, headers={"content-type": "text/css"}, body="")
        elif _may_ask(asked, showing):
            await _answer_script(route, asked, showing)
        else:
            await route.abort("blockedbyclient")
    showing.touched = time.monotonic()


async def _refuse(route: Route, asked: Asked, showing: Showing) -> None:
    """Refuse what a page asks for because a button was pressed, and note where it would have gone."""
    if asked.is_navigation_request() and asked.method == "GET" and not showing.led:
        showing.led = canonical(asked.url) or ""
    await route.abort("aborted")


async def _answer_document(route: Route, asked: Asked, showing: Showing) -> None:
    """Show the page that is here; go on to others of its site that it leads to by itself; stay where it is else."""
    if asked.frame.parent_frame is not None:
        await route.abort("blockedbyclient")
        return
    showing.documents += 1
    if showing.documents == 1:
        await _show(route, showing)
        return
    result = await _ask(Request(_whole(asked.url)), showing) if _may_go(asked, showing) else None
    if isinstance(result, Response) and _may_show(result, showing):
        showing.trail += (showing.response.url,)
        showing.response, showing.read = result, False
        await _show(route, showing)
    else:
        await route.abort("aborted")


def _may_go(asked: Asked, showing: Showing) -> bool:
    """Return True if a page may lead to another by itself: to a new one of its own site."""
    url, here = _whole(asked.url), showing.response.url
    new = url != here and url not in showing.trail
    return asked.method == "GET" and new and showing.documents <= DOCUMENTS and same_site(url, here)


def _may_show(response: Response, showing: Showing) -> bool:
    return 200 <= response.status < 300 and is_page(response) and same_site(response.url, showing.response.url)


def _whole(url: str) -> str:
    """Return the address of the whole, not of a part of it."""
    return url.partition("#")[0]


async def _show(route: Route, showing: Showing) -> None:
    headers = _headers_for_page(showing.response)
    headers.setdefault("content-type", "text/html")
    await route.fulfill(status=200, headers=headers, body=showing.response.body)


async def _answer_script(route: Route, asked: Asked, showing: Showing) -> None:
    """Answer with a script or with data."""
    is_script = asked.resource_type == "script"
    result = (showing.scripts.get(asked.url) if is_script else None) or await _ask(_request(asked), showing)
    if isinstance(result, Failure) or 300 <= result.status < 400 or (is_script and result.truncated):
        await route.abort("failed")
        return
    if is_script and result.status == 200:
        showing.scripts.add(asked.url, result)
    elif not is_script:
        _note_call(asked, result, showing)
    await route.fulfill(status=result.status, headers=_headers_for_page(result), body=result.body)


async def _ask(request: Request, showing: Showing) -> Response | Failure:
    """Fetch for the page; what ends the run ends the showing first."""
    showing.requests += 1
    task = asyncio.ensure_future(showing.fetch(request))
    showing.fetching.add(task)
    try:
        return await task
    except DowseError as error:
        showing.error = error
        return Failure(request.url, Why.BROWSER, str(error))
    finally:
        showing.fetching.discard(task)
        showing.touched = time.monotonic()


def _may_ask(asked: Asked, showing: Showing) -> bool:
    """Return True if a page may ask for this: a script or data, and nothing is changed by it."""
    if asked.resource_type not in _READS or showing.requests >= REQUESTS:
        return False
    url = canonical(asked.url)
    if url is None or "@" in origin(asked.url) or registrable_domain(site_of(url).host) in _COUNTERS:
        return False
    return asked.method == "GET" or (asked.method == "POST" and _is_question(asked, url, showing))


def _is_question(asked: Asked, url: str, showing: Showing) -> bool:
    """Return True if what is sent only asks: JSON, short, to the page's own domain, and no change in GraphQL."""
    kind = asked.headers.get("content-type", "").lower()
    body = asked.post_data_buffer or b""
    own = registrable_domain(site_of(url).host) == registrable_domain(site_of(showing.response.url).host)
    return own and ("json" in kind or "graphql" in kind) and 0 < len(body) <= SENT and b"mutation" not in body


def _request(asked: Asked) -> Request:
    headers = [(name, value) for name, value in asked.headers.items() if _is_sent(name, value)]
    body = (asked.post_data_buffer or b"") if asked.method == "POST" else b""
    return Request(_whole(asked.url), asked.method, body, tuple(headers[:_HEADERS]))


def _is_sent(name: str, value: str) -> bool:
    """Return True if a header is the page's to set."""
    lower = name.lower()
    ours = lower in _OUR_HEADERS or lower.startswith((":", "sec-", "proxy-"))
    return not ours and len(value) <= 4096 and value.isprintable() and value.isascii()


def _headers_for_page(response: Response) -> dict[str, str]:
    kept: dict[str, str] = {}
    for name, value in response.headers:
        if name not in _NOT_FOR_PAGES and name not in kept:
            kept[name] = value
    return kept


def _note_call(asked: Asked, result: Response, showing: Showing) -> None:
    """Keep the address of a service that gave data."""
    kind = result.header("content-type").partition(";")[0].strip().lower()
    if ("json" in kind or "xml" in kind) and "html" not in kind and _is_worth_keeping(asked, showing):
        sent = (asked.post_data_buffer or b"")[: 4 * CALL_BODY].decode("utf-8", "replace")[:CALL_BODY]
        url = canonical(asked.url) or asked.url
        showing.calls.append(Call(url, asked.method, sent, kind[:100], result.status, len(result.body)))


def _is_worth_keeping(asked: Asked, showing: Showing) -> bool:
    start = asked.url.partition("?")[0]
    same = sum(1 for call in showing.calls if call.url.partition("?")[0] == start)
    return len(showing.calls) < CALLS and same < SAME_CALLS
