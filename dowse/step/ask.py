"""Ask: one request to a door, and the page that came back, read."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Final

from dowse.fetch import Fetch, Render
from dowse.fetch.http import ACCEPT_ANSWER
from dowse.model import Failure, Page, Request, Response
from dowse.step.visit import View, is_large, read_document
from dowse.tree.node import Node

# what a page begins with that has no <html>: the tags by which browsers know HTML (MIME Sniffing Standard, 7.1), and others of its head
_HTML_START: Final = re.compile(
    rb"<(?:head|script|iframe|h1|div|font|table|a|style|title|b|body|br|p|meta|link|base|form|center)[\s>/]"
)


@dataclass(frozen=True, slots=True)
class FetchedPage:
    """What came back for a request: a page with its tree, or an answer of a service as it is."""

    request: Request
    response: Response
    page: Page | None = None  # None for a service
    tree: Node | None = None
    requests: int = 1  # what it cost: each redirect is one of its own
    partial: bool = False  # there is more of it than was read
    large: bool = False  # so much that it is worked on beside the event loop

    @property
    def is_error(self) -> bool:
        """Return True if its status is an error: what stands on it are no records."""
        return self.response.status >= 400


async def ask(request: Request, fetch: Fetch, render: Render | None = None) -> FetchedPage | Failure:
    """Send a request and read what comes back, in a browser where that shows more; an error page is a page, too.

    Where a server has its answers as pages and for programs, either will do, unless the request says which.
    """
    says = any(name.lower() == "accept" for name, _ in request.headers)
    sent = request if says else replace(request, headers=(*request.headers, ("Accept", ACCEPT_ANSWER)))
    response = await fetch(sent)
    if isinstance(response, Failure):
        return response
    cost = 1 + len(response.redirects)
    if is_service(response):
        return FetchedPage(request, response, requests=cost, large=is_large(response.body))
    document = await read_document(response, render=render, view=View.NODES)
    shown = document.response
    nodes = document.nodes
    return FetchedPage(request, shown, document.page, nodes, cost, document.is_partial, is_large(shown.body))


def is_service(response: Response) -> bool:
    """Return True if a response is JSON, XML or a table rather than a page."""
    kind = response.header("content-type").partition(";")[0].strip().lower()
    if kind.endswith(("json", "+xml", "/xml", "/csv", "/tab-separated-values")) and "xhtml" not in kind:
        return True
    start = response.body[:300].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    is_page = _HTML_START.match(start) or b"<html" in start or b"<!doctype html" in start
    return "html" not in kind and (start[:1] in (b"{", b"[") or (start[:1] == b"<" and not is_page))
