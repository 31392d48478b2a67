"""A tab of the browser: shows one page after the other, says what each has become, and where a search box leads."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from dowse.fetch.asks import Showing, answer
from dowse.model import Failure, Response, Why
from dowse.url import canonical, same_site

if TYPE_CHECKING:
    from playwright.async_api import Browser, BrowserContext, CDPSession, Page, Route

# --- press
# Where a box leads that no form sends: it is filled in and its button pressed, and what the page then asks for is refused.
#
# Nothing leaves the browser: the address is all that is wanted. It is written on what holds the controls
# (`data-action`), and the controls get the names under which the address has what was typed into them.

PANELS = 5  # of one page that are tried
WAIT = 0.3  # seconds until a press must have led somewhere
_TICK = 0.03
_MARK = "dowsex"

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
})()""".replace("LIMIT", str(PANELS))

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

_SETTLE = """((number, address) => {
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

Run = Callable[[str], Awaitable[Any]]  # runs a script in the page, in a world that its own scripts cannot touch


async def press_boxes(run: Run, showing: Showing) -> None:
    """Try the boxes of a page that stand in no form; leave in the page where each leads."""
    for number in range(min(PANELS, int(await run(_FIND) or 0))):
        showing.led = ""
        showing.pressing = True
        try:
            await run(_write(_FILL, number))
            for way in (_CLICK, _ENTER):
                await run(_write(way, number))
                await _wait(showing)
                if showing.led:
                    break
        finally:
            showing.pressing = False
        await run(_write(_SETTLE, number, showing.led))


def _write(script: str, number: int, address: str = "") -> str:
    return script.replace("NUMBER", str(number)).replace("MARK", _MARK).replace("ADDRESS", json.dumps(address))


async def _wait(showing: Showing) -> None:
    for _ in range(round(WAIT / _TICK)):
        if showing.led:
            return
        await asyncio.sleep(_TICK)


# --- tab
# A tab of the browser: shows one page after the other, and says what each has become.
#
# To open a tab costs more than to show a page, so a tab that behaved is kept for the next page.

PAGES = 100  # that one tab shows before another is opened
LOADING = 0.8  # of the time that a page has; the rest is for reading it off
LEAVE_SECONDS = 2.0
CLOSE_SECONDS = 5.0
_TAB_TICK = 0.05
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
            await asyncio.sleep(_TAB_TICK)
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
