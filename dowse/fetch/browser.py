"""Renders pages in a browser: the body of the response is the page after its scripts have run, with the targets of its search boxes.

The browser never touches the network: each request of a page is intercepted and goes through
the Fetch that was given, so robots.txt, politeness, the address guard, the limits and the
archive hold for it as for any other.
"""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from dowse.fetch import Fetch, Render
from dowse.fetch.chromium import NO_BROWSER, Chromium
from dowse.fetch.intercept import PageLoad, ScriptCache, answer_request, is_page
from dowse.model import Failure, Request, Response
from dowse.reasons import FailureReason
from dowse.settings import FetchSettings
from dowse.url import canonical, same_site

if TYPE_CHECKING:
    from playwright.async_api import Browser, BrowserContext, CDPSession, Page, Route

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


# --- a tab: loads one page after the other

# --- search boxes without a form
# Each is filled in and its button clicked while every request is aborted, so that nothing leaves the browser: only the
# address is wanted. It is written on the element that holds the controls (`data-action`), and the controls get the
# names under which the address has their values.

MAX_BOXES = 5  # of one page that are tried
NAVIGATION_SECONDS = 0.3  # until a click must have led somewhere
_NAVIGATION_POLL_SECONDS = 0.03
_MARKER = "dowsex"  # typed into the boxes and looked for in the address

_FIND = """(() => {
  const pressed = "button, input[type=button], input[type=submit], input[type=image], [role=button], a[onclick], a[href='#'], a[href^='javascript:']";
  const loose = each => !each.form && !each.disabled;
  const typed = each => each.tagName === "TEXTAREA" || /^(text|search|)$/i.test(each.getAttribute("type") || "");
  const panels = globalThis.panels = [];
  for (const box of [...document.querySelectorAll("input, textarea")].filter(e => loose(e) && typed(e)).slice(0, 50)) {
    if (panels.length >= LIMIT) break;
    if (panels.some(panel => panel.holder.contains(box))) continue;
    let holder = box, button = null;
    for (let up = 0; up < 6 && holder.parentElement && !button; up++) {
      holder = holder.parentElement;
      button = [...holder.querySelectorAll(pressed)].find(loose) || null;
    }
    if (!button) holder = box.parentElement;
    const controls = [...holder.querySelectorAll("input, select, textarea")].filter(loose).slice(0, 100);
    panels.push({ holder, button, box, controls, typed: controls.map(each => typed(each) && each.tagName !== "SELECT"), was: controls.map(each => each.value) });
  }
  return panels.length;
})()""".replace("LIMIT", str(MAX_BOXES))

_FILL = """(number => {
  const panel = panels[number];
  panel.controls.forEach((control, place) => {
    if (!panel.typed[place]) return;
    control.value = "MARK" + place;
    for (const name of ["input", "change", "keyup"]) control.dispatchEvent(new Event(name, { bubbles: true }));
  });
})(NUMBER)"""

_CLICK = "(number => { const panel = panels[number]; if (panel.button) panel.button.click(); })(NUMBER)"

_ENTER = """(number => {
  const key = { key: "Enter", code: "Enter", keyCode: 13, which: 13, bubbles: true, cancelable: true };
  for (const name of ["keydown", "keypress", "keyup"]) panels[number].box.dispatchEvent(new KeyboardEvent(name, key));
})(NUMBER)"""

_WRITE_TARGET = """((number, address) => {
  const panel = panels[number], used = new Set();
  panel.controls.forEach((control, place) => { if (panel.typed[place]) control.value = panel.was[place]; });
  if (!address) return;
  const url = new URL(address);
  if (url.pathname.includes("MARK")) return;
  const rest = [];
  for (const [name, value] of [...url.searchParams].slice(0, 100)) {
    const marked = /MARK(\\d+)/.exec(value);
    const found = marked ? panel.controls[+marked[1]]
      : panel.controls.find(each => !used.has(each) && (each.name === name || each.id === name))
        || panel.controls.find(each => !used.has(each) && each.tagName === "SELECT" && each.value === value);
    if (found && !used.has(found)) { found.setAttribute("name", name); used.add(found); } else rest.push([name, value]);
  }
  for (const each of panel.controls) if (!used.has(each) && !/^(radio|checkbox)$/i.test(each.type)) each.removeAttribute("name");
  for (const [name, value] of rest) {
    const state = document.createElement("input");
    state.type = "hidden"; state.name = name; state.setAttribute("value", value);
    panel.holder.append(state);
  }
  panel.holder.setAttribute("data-action", url.origin + url.pathname);
})(NUMBER, ADDRESS)"""

RunScript = Callable[[str], Awaitable[Any]]  # runs a script in an isolated world, which the page's scripts cannot touch


async def find_box_targets(run: RunScript, load: PageLoad) -> None:
    """Find the address that each search box outside of a form leads to, and write it into the page."""
    for number in range(min(MAX_BOXES, int(await run(_FIND) or 0))):
        load.target = ""
        load.blocked = True
        try:
            await run(_with_arguments(_FILL, number))
            for submit in (_CLICK, _ENTER):
                await run(_with_arguments(submit, number))
                for _ in range(round(NAVIGATION_SECONDS / _NAVIGATION_POLL_SECONDS)):
                    if load.target:
                        break
                    await asyncio.sleep(_NAVIGATION_POLL_SECONDS)
                if load.target:
                    break
        finally:
            load.blocked = False
        await run(_with_arguments(_WRITE_TARGET, number, load.target))


def _with_arguments(script: str, number: int, address: str = "") -> str:
    return script.replace("NUMBER", str(number)).replace("MARK", _MARKER).replace("ADDRESS", json.dumps(address))


# --- the tab
# To open a tab costs more than to load a page, so a tab that behaved is kept for the next page.

MAX_PAGES_PER_TAB = 100
LOADING_SHARE = 0.8  # of the time that a page has; the rest is for reading it
LEAVE_SECONDS = 2.0
CLOSE_SECONDS = 5.0
_LOAD_POLL_SECONDS = 0.05
_MAX_ELEMENTS = 50_000  # looked at for shadow trees and for controls that stand outside of their form

# Shadow trees are put where they are shown; a control whose form does not contain it gets a form attribute.
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
        self.pages = 0  # loaded so far
        self.load: PageLoad | None = None

    @property
    def is_usable(self) -> bool:
        """Whether it can load another page."""
        return self.load is None and self.pages < MAX_PAGES_PER_TAB and self.browser.is_connected()

    async def answer(self, route: Route) -> None:
        """Answer a request of the page that is being loaded; abort it when there is none."""
        if self.load is None:
            await route.abort("aborted")
        else:
            await answer_request(route, self.load)

    def note_parsed(self) -> None:
        """Note that the document has been parsed."""
        if self.load is not None:
            self.load.note_parsed()

    def note_crash(self) -> None:
        """Note that the page has crashed, or its process was killed."""
        self.pages = MAX_PAGES_PER_TAB
        if self.load is not None:
            self.load.crashed = True


async def open_tab(browser: Browser) -> Tab:
    """Open a tab whose requests are all answered by us."""
    context = await browser.new_context(accept_downloads=False, service_workers="block")
    await context.route_web_socket("**/*", lambda socket: socket.close())
    page = await context.new_page()
    tab = Tab(browser, context, page, await context.new_cdp_session(page))
    await context.route("**/*", tab.answer)
    context.on("page", lambda popup: asyncio.ensure_future(_close_popup(popup)))
    page.on("crash", lambda _: tab.note_crash())
    page.on("domcontentloaded", lambda _: tab.note_parsed())
    return tab


async def _close_popup(page: Page) -> None:
    from playwright.async_api import Error

    with suppress(Error):
        await page.close()


async def close_tab(tab: Tab) -> bool:
    """Close a tab; return False if the browser did not."""
    try:
        await asyncio.wait_for(tab.context.close(), CLOSE_SECONDS)
    except Exception:  # it hangs, or has ended already; the caller knows what to do
        return False
    return True


async def load_page(tab: Tab, load: PageLoad, seconds: float, limit: int) -> Response | Failure:
    """Load a page, let its scripts run and return what it has become; within the seconds, whatever it does."""
    from playwright.async_api import Error

    first = load.response
    tab.load = load
    tab.pages += 1
    try:
        async with asyncio.timeout(seconds):
            await _wait_until_quiet(tab.page, load, seconds * LOADING_SHARE)
            response = await _read_dom(tab, load, limit)
        with suppress(Error, TimeoutError):  # a tab that cannot leave the page is not used again
            await asyncio.wait_for(tab.page.goto("about:blank"), LEAVE_SECONDS)
            tab.load = None
        return response
    except (Error, TimeoutError, ValueError) as problem:
        return Failure(first.url, FailureReason.BROWSER, _describe_failure(load, problem, seconds), first.status)
    finally:
        load.cancel()
        if load.error is not None:
            raise load.error


async def _wait_until_quiet(page: Page, load: PageLoad, seconds: float) -> None:
    """Go to the page and wait until it makes no more requests, or time is up: then it is taken as it is."""
    deadline = time.monotonic() + seconds
    going = asyncio.ensure_future(page.goto(load.response.url, wait_until="commit", timeout=seconds * 1000))
    try:
        while not load.is_over and not load.is_quiet() and time.monotonic() < deadline:  # noqa: ASYNC110 (silence is no event)
            await asyncio.sleep(_LOAD_POLL_SECONDS)
    finally:
        going.add_done_callback(_retrieve_exception)
        going.cancel()
    if load.is_over:
        raise TimeoutError


def _retrieve_exception(task: asyncio.Future[Any]) -> None:
    """Keep asyncio from logging the exception of a task that nobody waits for."""
    if not task.cancelled():
        task.exception()


async def _read_dom(tab: Tab, load: PageLoad, limit: int) -> Response:
    """Return the page as its scripts have left it."""
    run = await _open_isolated_world(tab)
    await find_box_targets(run, load)
    script = _SERIALISE.replace("ELEMENTS", str(_MAX_ELEMENTS)).replace("LIMIT", str(limit))
    html, length = await run(script) or ("", 0)
    if not html:
        raise ValueError("it shows nothing that can be read")
    body = html.encode("utf-8", "replace")
    response = load.response
    url = canonical(tab.page.url)  # which scripts can change
    headers = [
        each for each in response.headers if each[0] not in ("content-type", "content-length", "content-encoding")
    ]
    return replace(
        response,
        url=url if url and same_site(url, response.url) else response.url,
        headers=(("content-type", "text/html; charset=utf-8"), *headers),
        body=body[:limit],
        truncated=response.truncated or length > limit or len(body) > limit,
        redirects=response.redirects + load.trail,
        calls=tuple(load.calls),
        rendered=True,
    )


async def _open_isolated_world(tab: Tab) -> RunScript:
    """Return what runs scripts of ours in the page, where the page's own scripts have changed nothing."""
    tree = await tab.session.send("Page.getFrameTree")
    frame = {"frameId": tree["frameTree"]["frame"]["id"], "worldName": "dowse"}
    world = await tab.session.send("Page.createIsolatedWorld", frame)

    async def run(script: str) -> Any:
        command = {"expression": script, "contextId": world["executionContextId"], "returnByValue": True}
        return (await tab.session.send("Runtime.evaluate", command))["result"].get("value")

    return run


def _describe_failure(load: PageLoad, problem: Exception, seconds: float) -> str:
    if load.crashed:
        return "the page crashed, or took more memory than it may"
    if isinstance(problem, TimeoutError):
        return f"it was not done in {seconds:g} s"
    words = (str(problem).strip().splitlines() or ["no reason"])[0]
    return words.partition(" at http")[0][:200]
