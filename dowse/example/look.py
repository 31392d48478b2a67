"""One page of a site as crawling by example sees it: how like the sample it is, and where it leads."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import dataclass, replace

from dowse.fetch import Fetch, Render
from dowse.model import Failure, Page, Request, Why
from dowse.page.read import read_page
from dowse.page.tree import read_tree
from dowse.step.ask import Heard, ask
from dowse.tree.node import Node
from dowse.url import same_site

MOST = 0.5  # of the links of a page
_RANDOM = re.compile(r"[^=]+=(?=[^=]*\d)[0-9a-zA-Z_-]{12,}")
MOST_LINKS = 5_000  # of one page that are kept, as many as are read of it


@dataclass(frozen=True, slots=True)
class Seen:
    """A page that came: its tree, its words, its links to the same site."""

    url: str  # the address that was asked for
    page: Page
    tree: Node
    links: tuple[str, ...]
    moved: bool = False  # the address led on to another


Look = Callable[[Request], Awaitable[Seen | Failure]]


def look_with(fetch: Fetch, render: Render | None = None, without: Collection[str] = ()) -> Look:
    """Return a way to look at pages, in a browser where that shows more; what is no page says why.

    Parameters that only number a visit are left out of addresses.
    """

    async def look(request: Request) -> Seen | Failure:
        heard = await ask(request, fetch)
        if isinstance(heard, Failure):
            return heard
        if heard.page is not None and heard.page.unrendered and render is not None:
            heard = await _render(heard, render)
        return _see(heard, without)

    return look


async def _render(heard: Heard, render: Render) -> Heard:
    """Return a page as a browser shows it, or as it came."""
    shown = await render(heard.response)
    if isinstance(shown, Failure):
        return heard
    return replace(heard, response=shown, page=read_page(shown), tree=read_tree(shown))


def _see(heard: Heard, without: Collection[str]) -> Seen | Failure:
    url, status = heard.request.url, heard.response.status
    if 300 <= status < 400:
        return Failure(url, Why.REDIRECT_BAD, heard.response.header("location")[:200], status)
    if status >= 400:
        return Failure(url, Why.STATUS, f"HTTP {status}", status)
    if heard.page is None or heard.tree is None:
        return Failure(url, Why.NOT_A_PAGE, heard.response.header("content-type")[:80], status)
    return Seen(url, heard.page, heard.tree, _find_links(heard.page, without), bool(heard.response.redirects))


def name_failure(failure: Failure) -> str:
    """Return why a page did not come, in few words."""
    return f"HTTP {failure.status}" if failure.why is Why.STATUS else str(failure.why)


def _find_links(page: Page, without: Collection[str]) -> tuple[str, ...]:
    """Return where a page leads on its own site, each address once, in their order."""
    nofollow = {link.url for link in page.links if "nofollow" in link.rel.split()}
    there = [url for url in page.urls if url not in nofollow and same_site(url, page.url)]
    return tuple(dict.fromkeys(leave_out(url, without) for url in there))[:MOST_LINKS]


def leave_out(url: str, names: Collection[str]) -> str:
    """Return an address without some of its parameters."""
    head, mark, query = url.partition("?")
    if not mark or not names:
        return url
    kept = "&".join(pair for pair in query.split("&") if pair.partition("=")[0] not in names)
    return f"{head}?{kept}" if kept else head


def find_session(links: Sequence[str], others: Sequence[str] = ()) -> frozenset[str]:
    """Return the parameters that number a visit: one value in most links of a page, and it is random or another on another page."""
    here, there = _find_shared(links), _find_shared(others)
    return frozenset(
        name for name, value in here.items() if _RANDOM.fullmatch(f"{name}={value}") or there.get(name, value) != value
    )


def _find_shared(links: Sequence[str]) -> dict[str, str]:
    """Return the parameters that most links of a page have with the same value."""
    pairs = Counter(pair for url in links for pair in set(url.partition("?")[2].split("&")) if "=" in pair)
    often = (pair for pair, count in pairs.items() if count >= max(3, MOST * len(links)))
    return {name: value for name, _, value in (pair.partition("=") for pair in often)}
