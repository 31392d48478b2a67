"""Renders pages in a browser: the body of the response is the page after its scripts have run.

The browser never touches the network: each request of a page is intercepted and goes through
the Fetch that was given, so robots.txt, politeness, the address guard, the limits and the
archive hold for it as for any other.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from dowse.fetch import Fetch, Render
from dowse.fetch.chromium import NO_BROWSER, Chromium
from dowse.fetch.intercept import PageLoad, ScriptCache, is_page
from dowse.fetch.tab import Tab, close_tab, load_page, open_tab
from dowse.model import Failure, Request, Response
from dowse.reasons import FailureReason
from dowse.settings import FetchSettings

MAX_TABS = 4  # pages open at the same time
OPEN_TAB_SECONDS = 15.0
MAX_TRIES = 2  # for one page, when the browser ends while it is loaded

log = logging.getLogger("dowse")


@asynccontextmanager
async def open_browser(fetch: Fetch, settings: FetchSettings) -> AsyncIterator[Render]:
    """Yield a Render; the browser is started for the first page and ended at the end.

    A page that is here is not fetched again: it goes in as a Response and comes out as one.
    """
    tabs, free_tabs = _TabPool(), asyncio.Semaphore(MAX_TABS)
    scripts = ScriptCache()
    has_warned = False

    async def render(response: Response) -> Response | Failure:
        nonlocal has_warned
        if not is_page(response):
            return response
        async with free_tabs:
            result = await _render(lambda: PageLoad(response, fetch, scripts), tabs, settings)
        if isinstance(result, Failure) and result.detail == NO_BROWSER and not has_warned:
            has_warned = True
            log.warning("dowse: %s; pages that need one are read as they came", NO_BROWSER)
        return result

    try:
        yield render
    finally:
        await tabs.chromium.close()


async def _render(start: Callable[[], PageLoad], tabs: _TabPool, settings: FetchSettings) -> Response | Failure:
    """Load a page, and once more when the browser ended meanwhile: another page may have been the cause."""
    load = start()
    failure = Failure(load.response.url, FailureReason.BROWSER)
    for _ in range(MAX_TRIES):
        tab = await tabs.take()
        if isinstance(tab, str):
            return Failure(load.response.url, FailureReason.BROWSER, tab, load.response.status)
        try:
            result = await load_page(tab, load, settings.render_seconds, settings.body_limit)
        finally:
            await tabs.give_back(tab)
        if isinstance(result, Response):
            tabs.chromium.note_success()
            return result
        if tab.browser.is_connected():
            return result
        load, failure = start(), result
    return failure


class _TabPool:
    """The idle tabs of the browser."""

    def __init__(self) -> None:
        self.chromium = Chromium()
        self._idle: list[Tab] = []

    async def take(self) -> Tab | str:
        """Return a tab, or why there is none."""
        browser = await self.chromium.get()
        if isinstance(browser, str):
            return browser
        from playwright.async_api import Error  # installed, or there would be no browser

        self._idle = [tab for tab in self._idle if tab.is_usable and tab.browser is browser]
        if self._idle:
            return self._idle.pop()
        try:
            return await asyncio.wait_for(open_tab(browser), OPEN_TAB_SECONDS)
        except (Error, TimeoutError):
            self.chromium.kill()
            return "it opens no tab"

    async def give_back(self, tab: Tab) -> None:
        """Keep a usable tab, close any other; a browser that cannot close one is killed."""
        if tab.is_usable:
            self._idle.append(tab)
        elif tab.browser.is_connected() and not await close_tab(tab):
            self.chromium.kill()


def render_pages(fetch: Fetch, render: Render) -> Fetch:
    """Wrap a Fetch so that every page is rendered by the browser."""

    async def fetch_and_render(request: Request) -> Response | Failure:
        result = await fetch(request)
        if isinstance(result, Failure) or not 200 <= result.status < 300:
            return result
        return await render(result)

    return fetch_and_render
