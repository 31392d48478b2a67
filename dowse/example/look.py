"""One page of a site as crawling by example sees it: how like the sample it is, and where it leads."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace

from dowse.fetch import Fetch, Render
from dowse.model import Failure, Page, Request, Why
from dowse.page.read import read_page
from dowse.page.tree import read_tree
from dowse.step.ask import Heard, ask
from dowse.tree.node import Node
from dowse.url import same_site

MOST_LINKS = 2_000  # of one page that are kept; a hub with more is a map of its site, and those are cut


@dataclass(frozen=True, slots=True)
class Seen:
    """A page that came: its tree, its words, its links to the same site."""

    url: str  # the address that was asked for
    page: Page
    tree: Node
    links: tuple[str, ...]
    moved: bool = False  # the address led on to another


Look = Callable[[Request], Awaitable[Seen | Failure]]


def look_with(fetch: Fetch, render: Render | None = None) -> Look:
    """Return a way to look at pages, in a browser where that shows more; what is no page says why."""

    async def look(request: Request) -> Seen | Failure:
        heard = await ask(request, fetch)
        if isinstance(heard, Failure):
            return heard
        if heard.page is not None and heard.page.unrendered and render is not None:
            heard = await _render(heard, render)
        return _see(heard)

    return look


async def _render(heard: Heard, render: Render) -> Heard:
    """Return a page as a browser shows it, or as it came."""
    shown = await render(heard.response)
    if isinstance(shown, Failure):
        return heard
    return replace(heard, response=shown, page=read_page(shown), tree=read_tree(shown))


def _see(heard: Heard) -> Seen | Failure:
    url, status = heard.request.url, heard.response.status
    if 300 <= status < 400:
        return Failure(url, Why.REDIRECT_BAD, heard.response.header("location")[:200], status)
    if status >= 400:
        return Failure(url, Why.STATUS, f"HTTP {status}", status)
    if heard.page is None or heard.tree is None:
        return Failure(url, Why.NOT_A_PAGE, heard.response.header("content-type")[:80], status)
    return Seen(url, heard.page, heard.tree, _find_links(heard.page), bool(heard.response.redirects))


def _find_links(page: Page) -> tuple[str, ...]:
    """Return where a page leads on its own site, each address once, in their order."""
    nofollow = {link.url for link in page.links if "nofollow" in link.rel.split()}
    there = dict.fromkeys(url for url in page.urls if url not in nofollow and same_site(url, page.url))
    return tuple(there)[:MOST_LINKS]
