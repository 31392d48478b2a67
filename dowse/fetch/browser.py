"""Pages as a browser shows them: a Fetch whose body is the page after its scripts have run.

The browser never touches the network: each request of a page comes back here and goes through
the Fetch that was given, so robots.txt, politeness, the address guard, the limits and the
archive hold for it as for any other.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from dowse.fetch import Fetch, Render
from dowse.fetch.asks import Scripts, Showing, is_page
from dowse.fetch.chromium import NO_BROWSER, Chromium
from dowse.fetch.tab import Tab, close_tab, open_tab, show
from dowse.model import Failure, Request, Response, Why
from dowse.settings import FetchSettings

TABS = 4  # pages open at the same time
OPEN_SECONDS = 15.0  # for a new tab
TRIES = 2  # for one page, when the browser ends under it

log = logging.getLogger("dowse")


@asynccontextmanager
async def open_browser(fetch: Fetch, settings: FetchSettings) -> AsyncIterator[Render]:
    """Give what opens pages in a browser; one is started when the first page comes, and ended in the end.

    A page that is here is not fetched again: it goes in as a Response and comes out as one.
    """
    tabs, room = _Tabs(), asyncio.Semaphore(TABS)
    scripts = Scripts()
    told: set[str] = set()

    async def render(response: Response) -> Response | Failure:
        if not is_page(response):
            return response
        async with room:
            result = await _render(lambda: Showing(response, fetch, scripts), tabs, settings)
        if isinstance(result, Failure) and result.detail == NO_BROWSER and not told:
            told.add(NO_BROWSER)
            log.warning("dowse: %s; pages that need one are read as they came", NO_BROWSER)
        return result

    try:
        yield render
    finally:
        await tabs.chromium.close()


async def _render(begin: Callable[[], Showing], tabs: _Tabs, settings: FetchSettings) -> Response | Failure:
    """Show a page, and once more when the browser ended under it, for which another page may be to blame."""
    showing = begin()
    failure = Failure(showing.response.url, Why.BROWSER)
    for _ in range(TRIES):
        tab = await tabs.take()
        if isinstance(tab, str):
            return Failure(showing.response.url, Why.BROWSER, tab, showing.response.status)
        try:
            result = await show(tab, showing, settings.render_seconds, settings.body_limit)
        finally:
            await tabs.give_back(tab)
        if isinstance(result, Response):
            tabs.chromium.note_success()
            return result
        if tab.browser.is_connected():
            return result
        showing, failure = begin(), result
    return failure


class _Tabs:
    """The tabs of a browser that wait for a page."""

    def __init__(self) -> None:
        self.chromium = Chromium()
        self._idle: list[Tab] = []

    async def take(self) -> Tab | str:
        """Return a tab, or why there is none."""
        browser = await self.chromium.get()
        if isinstance(browser, str):
            return browser
        from playwright.async_api import Error  # it is there, or there would be no browser

        self._idle = [tab for tab in self._idle if tab.is_good and tab.browser is browser]
        if self._idle:
            return self._idle.pop()
        try:
            return await asyncio.wait_for(open_tab(browser), OPEN_SECONDS)
        except (Error, TimeoutError):
            self.chromium.kill()
            return "it opens no tab"

    async def give_back(self, tab: Tab) -> None:
        """Keep a tab that can go on, and shut one that cannot; a browser that cannot do that is ended."""
        if tab.is_good:
            self._idle.append(tab)
        elif tab.browser.is_connected() and not await close_tab(tab):
            self.chromium.kill()


def browse(fetch: Fetch, render: Render) -> Fetch:
    """Wrap a Fetch so that every page is opened in the browser."""

    async def fetch_and_render(request: Request) -> Response | Failure:
        result = await fetch(request)
        if isinstance(result, Failure) or not 200 <= result.status < 300:
            return result
        return await render(result)

    return fetch_and_render
