"""A tab of the browser: shows one page after the other, and says what each has become.

To open a tab costs more than to show a page, so a tab that behaved is kept for the next page.
"""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from dowse.fetch.asks import Showing, answer
from dowse.fetch.press import Run, press_boxes
from dowse.model import Failure, Response, Why
from dowse.url import canonical, same_site

if TYPE_CHECKING:
    from playwright.async_api import Browser, BrowserContext, CDPSession, Page, Route

PAGES = 100  # that one tab shows before another is opened
LOADING = 0.8  # of the time that a page has; the rest is for reading it off
LEAVE_SECONDS = 2.0
CLOSE_SECONDS = 5.0
_TICK = 0.05
_ELEMENTS = 50_000  # looked at for shadow trees and for controls that stand outside of their form

# Words in shadow trees stand where they are seen; a control that the parser gave to a form it does not stand in says so.
_SERIALISE = """(() => {
  let left = ELEMENTS;
  const open = root => {
    for (const each of root.querySelectorAll("*")) {
      if (left-- <= 0) return;
      if (!each.shadowRoot) continue;
      open(each.shadowRoot);
      const inside = document.createDocumentFragment();
      while (each.shadowRoot.firstChild) inside.append(each.shadowRoot.firstChild);
      each.prepend(inside);
    }
  };
  open(document);
  const read = Element.prototype.getAttribute, write = Element.prototype.setAttribute;
  for (const each of document.querySelectorAll("input, select, textarea, button")) {
    if (left-- <= 0) break;
    const form = each.form;
    if (!form || each.closest("form") === form || each.hasAttribute("form")) continue;
    let id = read.call(form, "id");
    if (!id || document.getElementById(id) !== form) write.call(form, "id", id = "form-" + left);
    each.setAttribute("form", id);
  }
  const html = document.documentElement ? document.documentElement.outerHTML : "";
  return [(document.doctype ? "<!DOCTYPE html>" : "") + html.slice(0, LIMIT), html.length];
})()"""


class Tab:
    """A page of the browser with a profile of its own."""

    def __init__(self, browser: Browser, context: BrowserContext, page: Page, session: CDPSession) -> None:
        self.browser = browser
        self.context = context
        self.page = page
        self.session = session
        self.shown = 0
        self.showing: Showing | None = None

    @property
    def is_good(self) -> bool:
        """Whether it can show another page."""
        return self.showing is None and self.shown < PAGES and self.browser.is_connected()

    async def answer(self, route: Route) -> None:
        """Answer what the page asks for, while there is one."""
        if self.showing is None:
            await route.abort("aborted")
        else:
            await answer(route, self.showing)

    def note_read(self) -> None:
        """Note that the document has been parsed."""
        if self.showing is not None:
            self.showing.note_read()

    def note_crash(self) -> None:
        """Note that the page has ended itself, or was ended."""
        self.shown = PAGES
        if self.showing is not None:
            self.showing.crashed = True


async def open_tab(browser: Browser) -> Tab:
    """Open a tab that asks nobody but us."""
    context = await browser.new_context(accept_downloads=False, service_workers="block")
    await context.route_web_socket("**/*", lambda socket: socket.close())
    page = await context.new_page()
    tab = Tab(browser, context, page, await context.new_cdp_session(page))
    await context.route("**/*", tab.answer)
    context.on("page", lambda other: asyncio.ensure_future(_shut(other)))
    page.on("crash", lambda _: tab.note_crash())
    page.on("domcontentloaded", lambda _: tab.note_read())
    return tab


async def _shut(page: Page) -> None:
    """Shut a window that a page opened."""
    from playwright.async_api import Error

    with suppress(Error):
        await page.close()


async def close_tab(tab: Tab) -> bool:
    """Shut a tab and say whether the browser could."""
    try:
        await asyncio.wait_for(tab.context.close(), CLOSE_SECONDS)
    except Exception:  # hung, or gone already; whoever asked knows what to do
        return False
    return True


async def show(tab: Tab, showing: Showing, seconds: float, limit: int) -> Response | Failure:
    """Let the scripts of a page run and return what it has become; within the seconds, whatever it does."""
    from playwright.async_api import Error

    first = showing.response
    tab.showing = showing
    tab.shown += 1
    try:
        async with asyncio.timeout(seconds):
            await _load(tab.page, showing, seconds * LOADING)
            response = await _read_off(tab, showing, limit)
        await _leave(tab)
        return response
    except (Error, TimeoutError, ValueError) as problem:
        return Failure(first.url, Why.BROWSER, _say_why(showing, problem, seconds), first.status)
    finally:
        showing.stop()
        if showing.error is not None:
            raise showing.error


async def _leave(tab: Tab) -> None:
    """Go to an empty page; a tab that cannot is not used again."""
    from playwright.async_api import Error

    with suppress(Error, TimeoutError):
        await asyncio.wait_for(tab.page.goto("about:blank"), LEAVE_SECONDS)
        tab.showing = None


async def _load(page: Page, showing: Showing, seconds: float) -> None:
    """Go to the page and wait until it is quiet, or time is up: then it is taken as it is."""
    deadline = time.monotonic() + seconds
    going = asyncio.ensure_future(page.goto(showing.response.url, wait_until="commit", timeout=seconds * 1000))
    try:
        while not showing.is_over and not showing.is_quiet() and time.monotonic() < deadline:  # noqa: ASYNC110 (silence is no event)
            await asyncio.sleep(_TICK)
    finally:
        going.add_done_callback(_forget)
        going.cancel()
    if showing.is_over:
        raise TimeoutError


def _forget(task: asyncio.Future[Any]) -> None:
    """Take note of how something ended that nobody waits for."""
    if not task.cancelled():
        task.exception()


async def _read_off(tab: Tab, showing: Showing, limit: int) -> Response:
    """Return the page as it stands, read in a world of its own, where the page's scripts have changed nothing."""
    run = await _open_world(tab)
    await press_boxes(run, showing)
    html, length = await run(_SERIALISE.replace("ELEMENTS", str(_ELEMENTS)).replace("LIMIT", str(limit))) or ("", 0)
    if not html:
        raise ValueError("it shows nothing that can be read")
    body = html.encode("utf-8", "replace")
    response = showing.response
    return replace(
        response,
        url=_address(tab.page.url, response.url),
        headers=_as_utf8(response.headers),
        body=body[:limit],
        truncated=response.truncated or length > limit or len(body) > limit,
        redirects=response.redirects + showing.trail,
        calls=tuple(showing.calls),
        rendered=True,
    )


async def _open_world(tab: Tab) -> Run:
    """Return what runs scripts of ours in the page, beside its own."""
    tree = await tab.session.send("Page.getFrameTree")
    frame = {"frameId": tree["frameTree"]["frame"]["id"], "worldName": "dowse"}
    world = await tab.session.send("Page.createIsolatedWorld", frame)

    async def run(script: str) -> Any:
        asked = {"expression": script, "contextId": world["executionContextId"], "returnByValue": True}
        return (await tab.session.send("Runtime.evaluate", asked))["result"].get("value")

    return run


def _address(shown: str, loaded: str) -> str:
    """Return where the page says it is, which scripts can change, if that is still at its site."""
    url = canonical(shown)
    return url if url and same_site(url, loaded) else loaded


def _as_utf8(headers: tuple[tuple[str, str], ...]) -> tuple[tuple[str, str], ...]:
    kept = tuple(pair for pair in headers if pair[0] not in ("content-type", "content-length", "content-encoding"))
    return (("content-type", "text/html; charset=utf-8"), *kept)


def _say_why(showing: Showing, problem: Exception, seconds: float) -> str:
    if showing.crashed:
        return "the page crashed, or took more memory than it may"
    if isinstance(problem, TimeoutError):
        return f"it was not done in {seconds:g} s"
    words = (str(problem).strip().splitlines() or ["no reason"])[0]
    return words.partition(" at http")[0][:200]
