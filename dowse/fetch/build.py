"""Puts the Fetch of a run together."""

from __future__ import annotations

import platform
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace

from dowse import __version__
from dowse.fetch import Fetch, Render
from dowse.fetch.archive import archive, open_archive
from dowse.fetch.browser import browse, open_browser
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
    """The ways to fetch in a run; they share connections, politeness, robots and archive."""

    within_site: Fetch  # a redirect that leaves the site is returned, not followed
    anywhere: Fetch  # every redirect is followed
    flush: Callable[[], None]  # call it before what was fetched is committed to a store
    render: Render | None = None  # opens in a browser what needs one, if that is wanted


def wrap_fetch(fetch: Fetch, redirects: int = 5, jar: Jar | None = None) -> Fetches:
    """Wrap what answers at once, such as the simulated web, in the same order; nobody is there to be waited for."""
    crawl_delays = CrawlDelays()
    patient = polite(fetch, 0.0, crawl_delays=CrawlDelays(), sleep=_no_wait)
    obedient = obey_robots(keep_cookies(patient, jar) if jar else patient, crawl_delays=crawl_delays)
    return Fetches(follow_within_site(obedient, redirects), follow_anywhere(obedient, redirects), _nothing)


async def _no_wait(seconds: float) -> None:
    """Let time pass in no time."""


@asynccontextmanager
async def build_fetch(settings: FetchSettings) -> AsyncIterator[Fetches]:
    """Give the Fetches that the settings ask for, and close what they hold in the end.

    Outermost first: follow, robots, cookies, archive, politeness, HTTP; so every hop is judged, waited for and archived.
    """
    async with AsyncExitStack() as stack:
        crawl_delays = CrawlDelays()
        fetch, flush = await _open_bottom(settings, crawl_delays, stack)
        if settings.cookies:
            fetch = keep_cookies(fetch, Jar())
        obedient = obey_robots(fetch, crawl_delays=crawl_delays) if settings.robots else fetch
        fetches = Fetches(
            follow_within_site(obedient, settings.redirects), follow_anywhere(obedient, settings.redirects), flush
        )
        yield await stack.enter_async_context(with_browser(fetches, settings))


@asynccontextmanager
async def with_browser(fetches: Fetches, settings: FetchSettings) -> AsyncIterator[Fetches]:
    """Add a browser as the settings want it: for no page, for those that need one, or for all of them."""
    if settings.render == "never":
        yield fetches
        return
    if settings.render == "always":
        require_chromium()
    async with open_browser(fetches.anywhere, settings) as render:
        if settings.render == "always":
            inside, anywhere = browse(fetches.within_site, render), browse(fetches.anywhere, render)
            yield replace(fetches, within_site=inside, anywhere=anywhere)
        else:
            yield replace(fetches, render=render)


async def _open_bottom(
    settings: FetchSettings, crawl_delays: CrawlDelays, stack: AsyncExitStack
) -> tuple[Fetch, Callable[[], None]]:
    """Open what answers: a recording, or the network with an archive or without."""
    if settings.replay:
        return stack.enter_context(open_replay(settings.replay, settings.body_limit)), _nothing
    client: Fetch = await stack.enter_async_context(http(settings, user_agent(settings.contact)))
    if settings.headers:  # innermost: an archive must not hold what lets somebody in
        client = send_headers(client, settings.headers, settings.header_hosts)
    fetch = polite(
        client, settings.delay, retries=settings.retries, patience=settings.patience, crawl_delays=crawl_delays
    )
    if not settings.warc:
        return fetch, _nothing
    writer = stack.enter_context(open_archive(settings.warc, user_agent(settings.contact)))
    return archive(fetch, writer), writer.flush


def user_agent(contact: str = "") -> str:
    """Return our name with somewhere to write to: abuse@ this machine (RFC 2142) unless told better."""
    contact = contact or f"abuse@{platform.node() or 'localhost'}"
    return f"Dowse/{__version__} (+{contact})"


def _nothing() -> None:
    """Flush no archive."""
