"""Puts the Fetch of a run together."""

from __future__ import annotations

import platform
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace

from dowse import __version__
from dowse.fetch import Fetch, Render
from dowse.fetch.archive import archive, open_archive
from dowse.fetch.browser import open_browser, render_pages
from dowse.fetch.chromium import require_chromium
from dowse.fetch.cookies import Jar, keep_cookies
from dowse.fetch.headers import send_headers
from dowse.fetch.http import http
from dowse.fetch.polite import CrawlDelays, polite
from dowse.fetch.redirects import follow_anywhere, follow_within_site
from dowse.fetch.replay import open_replay
from dowse.fetch.robots import obey_robots
from dowse.settings import FetchSettings


@dataclass(frozen=True, slots=True)
class Fetches:
    """The Fetches of a run; they share connections, delays, robots.txt and the archive."""

    within_site: Fetch  # a redirect that leaves the site is returned, not followed
    anywhere: Fetch  # every redirect is followed
    flush: Callable[[], None]  # writes the archive; call it before what was fetched is committed to a store
    render: Render | None = None  # opens a page in a browser; None without --render


def wrap_fetch(fetch: Fetch, redirects: int = 5, jar: Jar | None = None) -> Fetches:
    """Wrap a Fetch without a network, such as the simulated web, in the same order; delays are not waited for."""
    crawl_delays = CrawlDelays()
    polite_fetch = polite(fetch, 0.0, crawl_delays=CrawlDelays(), sleep=_skip_wait)
    allowed = obey_robots(keep_cookies(polite_fetch, jar) if jar else polite_fetch, crawl_delays=crawl_delays)
    return Fetches(follow_within_site(allowed, redirects), follow_anywhere(allowed, redirects), _flush_nothing)


async def _skip_wait(seconds: float) -> None:
    """Return at once."""


@asynccontextmanager
async def build_fetch(settings: FetchSettings) -> AsyncIterator[Fetches]:
    """Yield the Fetches for the settings, and close what they hold at the end.

    Outermost first: redirects, robots, cookies, archive, polite, HTTP; so every hop is checked, delayed and archived.
    """
    async with AsyncExitStack() as stack:
        crawl_delays = CrawlDelays()
        fetch, flush = await _open_source(settings, crawl_delays, stack)
        if settings.cookies:
            fetch = keep_cookies(fetch, Jar())
        allowed = obey_robots(fetch, crawl_delays=crawl_delays) if settings.robots else fetch
        fetches = Fetches(
            follow_within_site(allowed, settings.redirects), follow_anywhere(allowed, settings.redirects), flush
        )
        yield await stack.enter_async_context(with_browser(fetches, settings))


@asynccontextmanager
async def with_browser(fetches: Fetches, settings: FetchSettings) -> AsyncIterator[Fetches]:
    """Add a browser: for no page, for those that need one, or for all of them."""
    if settings.render == "never":
        yield fetches
        return
    if settings.render == "always":
        require_chromium()
    async with open_browser(fetches.anywhere, settings) as render:
        if settings.render == "always":
            inside, anywhere = render_pages(fetches.within_site, render), render_pages(fetches.anywhere, render)
            yield replace(fetches, within_site=inside, anywhere=anywhere)
        else:
            yield replace(fetches, render=render)


async def _open_source(
    settings: FetchSettings, crawl_delays: CrawlDelays, stack: AsyncExitStack
) -> tuple[Fetch, Callable[[], None]]:
    """Open a recording, or the network with an archive or without."""
    if settings.replay:
        return stack.enter_context(open_replay(settings.replay, settings.body_limit)), _flush_nothing
    client: Fetch = await stack.enter_async_context(http(settings, user_agent(settings.contact)))
    if settings.headers:  # innermost: an archive must not hold credentials
        client = send_headers(client, settings.headers, settings.header_hosts)
    fetch = polite(
        client, settings.delay, retries=settings.retries, patience=settings.patience, crawl_delays=crawl_delays
    )
    if not settings.warc:
        return fetch, _flush_nothing
    writer = stack.enter_context(open_archive(settings.warc, user_agent(settings.contact)))
    return archive(fetch, writer), writer.flush


def user_agent(contact: str = "") -> str:
    """Return the User-Agent with a contact: abuse@ this machine (RFC 2142) unless one is given."""
    contact = contact or f"abuse@{platform.node() or 'localhost'}"
    return f"Dowse/{__version__} (+{contact})"


def _flush_nothing() -> None:
    """Do nothing: there is no archive to flush."""
