"""One page of a site as crawling by example sees it: how like the sample it is, and where it leads."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import dataclass, replace

from dowse.example.address import Address, read_address
from dowse.example.blocks import Block, find_blocks
from dowse.fetch import Fetch, Render
from dowse.model import Failure, Page, Request, Why
from dowse.page.read import read_page
from dowse.page.tree import read_tree
from dowse.step.ask import Heard, ask
from dowse.tree.node import Node
from dowse.url import Base, same_site

MOST = 0.5  # of the links of a page
_RANDOM = re.compile(r"\A(?=[^=]*\d)[0-9a-zA-Z_.!-]{12,}")
_IN_PATH = re.compile(r";[^=;/]+=[^;/]*")  # a parameter of a folder
MOST_LINKS = 5_000  # of one page that are kept, as many as are read of it


@dataclass(frozen=True, slots=True)
class Seen:
    """A page that came: its tree, its words, its links to the same site."""

    url: str  # the address that was asked for
    page: Page
    tree: Node
    links: tuple[str, ...]
    moved: bool = False  # the address led on to another
    without: Collection[str] = ()  # parameters that were left out of the links

    def find_blocks(self) -> tuple[Block, ...]:
        """Return which links stand together."""
        base = Base.of(self.page.base)
        return find_blocks(self.tree, lambda href: leave_out(base.resolve(href) or "", self.without), self.links)


Look = Callable[[Request], Awaitable[Seen | Failure]]


def look_with(
    fetch: Fetch, render: Render | None = None, without: Collection[str] = (), avoid: Collection[str] = ()
) -> Look:
    """Return a way to look at pages, in a browser where that shows more; what is no page says why.

    Parameters that only number a visit are left out of addresses, and links to what is avoided are none.
    """
    avoided = frozenset(filter(None, map(read_address, avoid)))

    async def look(request: Request) -> Seen | Failure:
        heard = await ask(request, fetch)
        if isinstance(heard, Failure):
            return heard
        if heard.page is not None and heard.page.unrendered and render is not None:
            heard = await _render(heard, render)
        return _see(heard, without, avoided)

    return look


async def _render(heard: Heard, render: Render) -> Heard:
    """Return a page as a browser shows it, or as it came."""
    shown = await render(heard.response)
    if isinstance(shown, Failure):
        return heard
    return replace(heard, response=shown, page=read_page(shown), tree=read_tree(shown))


def _see(heard: Heard, without: Collection[str], avoided: frozenset[Address]) -> Seen | Failure:
    url, status = heard.request.url, heard.response.status
    if 300 <= status < 400:
        return Failure(url, Why.REDIRECT_BAD, heard.response.header("location")[:200], status)
    if status >= 400:
        return Failure(url, Why.STATUS, f"HTTP {status}", status)
    if heard.page is None or heard.tree is None:
        return Failure(url, Why.NOT_A_PAGE, heard.response.header("content-type")[:80], status)
    links = _find_links(heard.page, without)
    if avoided:
        links = tuple(url for url in links if read_address(url) not in avoided)
    return Seen(url, heard.page, heard.tree, links, bool(heard.response.redirects), without)


def name_failure(failure: Failure) -> str:
    """Return why a page did not come, in few words."""
    return f"HTTP {failure.status}" if failure.why is Why.STATUS else str(failure.why)


def _find_links(page: Page, without: Collection[str]) -> tuple[str, ...]:
    """Return where a page leads on its own site, each address once, in their order."""
    nofollow = {link.url for link in page.links if "nofollow" in link.rel.split()}
    there = [url for url in page.urls if url not in nofollow and same_site(url, page.url)]
    return tuple(dict.fromkeys(leave_out(url, without) for url in there))[:MOST_LINKS]


def leave_out(url: str, names: Collection[str]) -> str:
    """Return an address without some of its parameters; those of its path are written with their semicolon."""
    if not names:
        return url
    head, _, query = url.partition("?")
    path = _IN_PATH.sub(lambda found: "" if name_of(found[0]) in names else found[0], head)
    kept = "&".join(pair for pair in query.split("&") if name_of(pair) not in names)
    return f"{path}?{kept}" if kept else path


def find_session(links: Sequence[str], others: Sequence[str] = ()) -> frozenset[str]:
    """Return the parameters that number a visit: one value in most links of a page, and it is random or another on another page."""
    here, there = _find_shared(links), _find_shared(others)
    return frozenset(
        name for name, value in here.items() if _RANDOM.fullmatch(value) or there.get(name, value) != value
    )


def _find_shared(links: Sequence[str]) -> dict[str, str]:
    """Return the parameters that most links of a page have with the same value."""
    pairs = Counter(pair for url in links for pair in _find_pairs(url))
    often = (pair for pair, count in pairs.items() if count >= max(3, MOST * len(links)))
    return {name_of(pair): pair.partition("=")[2] for pair in often}


def _find_pairs(url: str) -> set[str]:
    """Return the parameters of an address: of its query, and those that stand in its path with a semicolon."""
    head, _, query = url.partition("?")
    return {pair for pair in (*_IN_PATH.findall(head), *query.split("&")) if "=" in pair}


def name_of(pair: str) -> str:
    """Return the name of a parameter."""
    return pair.partition("=")[0]
