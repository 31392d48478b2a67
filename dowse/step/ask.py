"""Ask: one request to a door, and the page that came back, read."""

from __future__ import annotations

from dataclasses import dataclass

from dowse.fetch import Fetch
from dowse.model import Failure, Page, Request, Response
from dowse.page.document import Document
from dowse.records.service import is_service
from dowse.step.visit import is_large, offload
from dowse.tree.node import Node


@dataclass(frozen=True, slots=True)
class Heard:
    """What came back for a request: a page with its tree, or an answer of a service as it is."""

    request: Request
    response: Response
    page: Page | None = None  # None for a service
    tree: Node | None = None
    requests: int = 1  # what it cost: each redirect is one of its own
    large: bool = False  # so much that it is worked on beside the event loop


async def ask(request: Request, fetch: Fetch) -> Heard | Failure:
    """Send a request and read what comes back; an error page is a page, too."""
    response = await fetch(request)
    if isinstance(response, Failure):
        return response
    cost = 1 + len(response.redirects)
    large = is_large(response.body)
    if is_service(response):
        return Heard(request, response, requests=cost, large=large)
    page, tree = await offload(large, read_page_and_tree, response)
    return Heard(request, response, page, tree, cost, large)


def read_page_and_tree(response: Response) -> tuple[Page, Node]:
    """Return a page and its tree, of one parse."""
    document = Document(response)
    return document.page, document.nodes
