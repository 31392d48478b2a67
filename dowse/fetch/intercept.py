"""The requests of a page in the browser, intercepted and answered through a Fetch.

Allowed are documents of the same site, scripts, and XHR or fetch calls. Images, styles, fonts, frames, beacons and
sockets are blocked; so is every POST but short JSON to the page's own domain, which is how many applications query.
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
from dowse.model import Call, Failure, Request, Response
from dowse.reasons import FailureReason
from dowse.url import canonical, origin, registrable_domain, same_site, site_of

if TYPE_CHECKING:
    from playwright.async_api import Request as BrowserRequest
    from playwright.async_api import Route

MAX_REQUESTS = 60  # that one page may make
MAX_DOCUMENTS = 5  # that follow each other in one tab, by script or refresh
MAX_CALLS = 50  # kept of a page
MAX_CALLS_PER_PATH = 5  # kept of one address with different queries
MAX_CALL_BODY_CHARS = 2_000  # kept of what a call sent
MAX_POST_BYTES = 16 * 1024  # that a call may send
QUIET_SECONDS = 0.5  # without a request, after which a page counts as loaded
UNPARSED_QUIET_SECONDS = 2.0  # the same for a page whose HTML has not been parsed yet
SCRIPT_CACHE_BYTES = 16 * 1024 * 1024  # of scripts kept for other pages
_MAX_HEADERS = 40

_ALLOWED_RESOURCES = frozenset({"script", "xhr", "fetch"})
_PAGE_TYPES = ("text/html", "application/xhtml+xml")
_OWN_REQUEST_HEADERS = frozenset(  # set by our own HTTP client
    "host user-agent accept-encoding connection content-length cookie origin referer te upgrade-insecure-requests".split()
)
_DROPPED_RESPONSE_HEADERS = frozenset(
    "content-encoding content-length transfer-encoding connection keep-alive set-cookie strict-transport-security refresh"
    " content-disposition report-to nel content-security-policy-report-only alt-svc location".split()
)
# A crawl must not show up in the visitor counts of others: the most common analytics and advertising services.
_ANALYTICS_DOMAINS = frozenset(
    "google-analytics.com googletagmanager.com googlesyndication.com doubleclick.net facebook.net hotjar.com clarity.ms"
    " matomo.cloud newrelic.com nr-data.net segment.com segment.io mixpanel.com scorecardresearch.com quantserve.com"
    " adnxs.com criteo.com taboola.com outbrain.com cloudflareinsights.com sentry.io".split()
)


class ScriptCache:
    """Least recently used cache of scripts: the pages of a site share theirs, and its server is asked once."""

    def __init__(self, max_bytes: int = SCRIPT_CACHE_BYTES) -> None:
        self._bytes_left = max_bytes
        self._scripts: OrderedDict[str, Response] = OrderedDict()

    def get(self, url: str) -> Response | None:
        """Return a cached script, or None."""
        found = self._scripts.get(url)
        if found is not None:
            self._scripts.move_to_end(url)
        return found

    def add(self, url: str, script: Response) -> None:
        """Cache a script, in place of those least recently used."""
        if url in self._scripts:
            return
        self._scripts[url] = script
        self._bytes_left -= len(script.body)
        while self._bytes_left < 0:
            self._bytes_left += len(self._scripts.popitem(last=False)[1].body)


@dataclass(slots=True)
class PageLoad:
    """The state of a page while a tab loads it."""

    response: Response  # the document
    fetch: Fetch
    scripts: ScriptCache
    documents: int = 0
    requests: int = 0
    parsed: bool = False  # DOMContentLoaded: the document has been parsed, the scripts in it have run
    active_at: float = 0.0  # when a request or a response came last
    trail: tuple[str, ...] = ()  # documents that led to this one by script
    calls: list[Call] = field(default_factory=list)
    fetching: set[asyncio.Future[Response | Failure]] = field(default_factory=set)
    blocked: bool = False  # while a search box is submitted every request is aborted
    target: str = ""  # where the first navigation that was aborted so would have gone
    crashed: bool = False
    error: DowseError | None = None  # the run cannot go on

    @property
    def is_over(self) -> bool:
        """Whether nothing more will be loaded."""
        return self.crashed or self.error is not None

    def is_quiet(self) -> bool:
        """Return True if the page is loaded, as far as one can tell from its requests."""
        silence = time.monotonic() - self.active_at if self.documents else 0.0
        return not self.fetching and silence >= (QUIET_SECONDS if self.parsed else UNPARSED_QUIET_SECONDS)

    def note_parsed(self) -> None:
        """Note that the document has been parsed."""
        self.parsed, self.active_at = True, time.monotonic()

    def cancel(self) -> None:
        """Cancel the requests that are under way."""
        for task in self.fetching:
            task.cancel()


def is_page(response: Response) -> bool:
    """Return True if a response is something that a browser shows as a page."""
    kind = response.header("content-type").partition(";")[0].strip().lower()
    return kind in _PAGE_TYPES or (not kind and response.body[:512].lstrip()[:1] == b"<")


async def answer_request(route: Route, load: PageLoad) -> None:
    """Answer or abort one request of a page."""
    from playwright.async_api import Error

    load.active_at = time.monotonic()
    with suppress(Error, asyncio.CancelledError):  # the page has been left meanwhile
        request = route.request
        if load.blocked:
            if request.is_navigation_request() and request.method == "GET" and not load.target:
                load.target = canonical(request.url) or ""
            await route.abort("aborted")
        elif request.is_navigation_request():
            await _answer_document(route, request, load)
        elif request.resource_type == "stylesheet":  # an aborted one would keep script loaders from going on
            await route.fulfill(status=200, headers={"content-type": "text/css"}, body="")
        elif _is_allowed(request, load):
            await _answer_resource(route, request, load)
        else:
            await route.abort("blockedbyclient")
    load.active_at = time.monotonic()


async def _answer_document(route: Route, request: BrowserRequest, load: PageLoad) -> None:
    """Answer the first navigation with the document, later ones with new pages of the same site; abort the others."""
    if request.frame.parent_frame is not None:
        await route.abort("blockedbyclient")
        return
    load.documents += 1
    if load.documents > 1:
        result = await _fetch(Request(_strip_fragment(request.url)), load) if _may_navigate(request, load) else None
        if not isinstance(result, Response) or not _may_show(result, load):
            await route.abort("aborted")
            return
        load.trail += (load.response.url,)
        load.response, load.parsed = result, False
    headers = _response_headers(load.response)
    headers.setdefault("content-type", "text/html")
    await route.fulfill(status=200, headers=headers, body=load.response.body)


def _may_navigate(request: BrowserRequest, load: PageLoad) -> bool:
    """Return True if a page may go on to another by itself: to a new one of its own site."""
    url, here = _strip_fragment(request.url), load.response.url
    new = url != here and url not in load.trail
    return request.method == "GET" and new and load.documents <= MAX_DOCUMENTS and same_site(url, here)


def _may_show(response: Response, load: PageLoad) -> bool:
    return 200 <= response.status < 300 and is_page(response) and same_site(response.url, load.response.url)


def _strip_fragment(url: str) -> str:
    return url.partition("#")[0]


async def _answer_resource(route: Route, request: BrowserRequest, load: PageLoad) -> None:
    """Answer with a script, or with the data of an XHR or fetch call."""
    is_script = request.resource_type == "script"
    result = (load.scripts.get(request.url) if is_script else None) or await _fetch(_to_request(request), load)
    if isinstance(result, Failure) or 300 <= result.status < 400 or (is_script and result.truncated):
        await route.abort("failed")
        return
    if is_script and result.status == 200:
        load.scripts.add(request.url, result)
    elif not is_script:
        _note_call(request, result, load)
    await route.fulfill(status=result.status, headers=_response_headers(result), body=result.body)


async def _fetch(request: Request, load: PageLoad) -> Response | Failure:
    """Fetch for the page; an error that ends the run is kept, so that the load ends first."""
    load.requests += 1
    task = asyncio.ensure_future(load.fetch(request))
    load.fetching.add(task)
    try:
        return await task
    except DowseError as error:
        load.error = error
        return Failure(request.url, FailureReason.BROWSER, str(error))
    finally:
        load.fetching.discard(task)
        load.active_at = time.monotonic()


def _is_allowed(request: BrowserRequest, load: PageLoad) -> bool:
    """Return True if a page may make this request: for a script or data, without changing anything on the server."""
    if request.resource_type not in _ALLOWED_RESOURCES or load.requests >= MAX_REQUESTS:
        return False
    url = canonical(request.url)
    if url is None or "@" in origin(request.url) or registrable_domain(site_of(url).host) in _ANALYTICS_DOMAINS:
        return False
    return request.method == "GET" or (request.method == "POST" and _is_read_only_post(request, url, load))


def _is_read_only_post(request: BrowserRequest, url: str, load: PageLoad) -> bool:
    """Return True if a POST only queries: short JSON to the page's own domain, and no mutation in GraphQL."""
    kind = request.headers.get("content-type", "").lower()
    body = request.post_data_buffer or b""
    own = registrable_domain(site_of(url).host) == registrable_domain(site_of(load.response.url).host)
    is_json = "json" in kind or "graphql" in kind
    return own and is_json and 0 < len(body) <= MAX_POST_BYTES and b"mutation" not in body


def _to_request(request: BrowserRequest) -> Request:
    headers = [(name, value) for name, value in request.headers.items() if _is_sent(name, value)]
    body = (request.post_data_buffer or b"") if request.method == "POST" else b""
    return Request(_strip_fragment(request.url), request.method, body, tuple(headers[:_MAX_HEADERS]))


def _is_sent(name: str, value: str) -> bool:
    """Return True if a header is the page's to set."""
    lower = name.lower()
    ours = lower in _OWN_REQUEST_HEADERS or lower.startswith((":", "sec-", "proxy-"))
    return not ours and len(value) <= 4096 and value.isprintable() and value.isascii()


def _response_headers(response: Response) -> dict[str, str]:
    """Return the headers that the page gets to see, the first of each name."""
    kept: dict[str, str] = {}
    for name, value in response.headers:
        if name not in _DROPPED_RESPONSE_HEADERS and name not in kept:
            kept[name] = value
    return kept


def _note_call(request: BrowserRequest, result: Response, load: PageLoad) -> None:
    """Keep the address of a service that gave JSON or XML."""
    kind = result.header("content-type").partition(";")[0].strip().lower()
    path = request.url.partition("?")[0]
    known = sum(1 for call in load.calls if call.url.partition("?")[0] == path)
    is_data = ("json" in kind or "xml" in kind) and "html" not in kind
    if is_data and len(load.calls) < MAX_CALLS and known < MAX_CALLS_PER_PATH:
        body = (request.post_data_buffer or b"")[: 4 * MAX_CALL_BODY_CHARS].decode("utf-8", "replace")
        url = canonical(request.url) or request.url
        load.calls.append(
            Call(url, request.method, body[:MAX_CALL_BODY_CHARS], kind[:100], result.status, len(result.body))
        )
