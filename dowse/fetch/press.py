"""Where a box leads that no form sends: it is filled in and its button pressed, and what the page then asks for is refused.

Nothing leaves the browser: the address is all that is wanted. It is written on what holds the controls
(`data-action`), and the controls get the names under which the address has what was typed into them.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any

from dowse.fetch.asks import Showing

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
