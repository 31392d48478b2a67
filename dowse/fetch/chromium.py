"""Chromium as a process: found, started with no way to the network, watched, ended.

Whatever a page asks for is answered by the tab it stands in (`tab.py`). What gets past
that, such as a WebSocket, meets a proxy whose name no resolver may look up.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
from collections.abc import Iterator
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from dowse.errors import BadInput

if TYPE_CHECKING:
    from playwright.async_api import Browser, Playwright

NAMES = ("chromium", "chromium-browser", "google-chrome")
NO_BROWSER = "no browser: pip install 'dowse[browser]' and apt-get install chromium"
STARTS = 4  # in a row without a page in between: the first and three more
START_SECONDS = 30.0
CLOSE_SECONDS = 5.0
HEAP = 256  # MB of script objects in a tab
MEMORY = 700  # MB of one process of the browser; one that takes more is ended
WATCH_SECONDS = 0.25
_CHILDREN = 200  # processes that are looked at

FLAGS = (
    "--proxy-server=http://nowhere.invalid:9",
    "--proxy-bypass-list=<-loopback>",  # loopback goes nowhere too
    "--host-resolver-rules=MAP * ~NOTFOUND",
    "--disable-quic",
    "--dns-prefetch-disable",
    "--no-pings",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--force-webrtc-ip-handling-policy",
    "--disable-background-networking",
    "--disable-domain-reliability",
    "--disable-component-update",
    "--disable-sync",
    "--disable-gpu",
    "--disable-webgl",
    "--disable-speech-api",
    "--disable-notifications",
    "--deny-permission-prompts",
    "--mute-audio",
    "--blink-settings=imagesEnabled=false",
    f"--js-flags=--max-old-space-size={HEAP}",
)
_UNWANTED_DEFAULTS = ("--disable-popup-blocking",)  # Playwright's: a window that nobody clicked for stays shut


def find_chromium() -> str:
    """Return the path of a browser that can be driven, or nothing."""
    if find_spec("playwright") is None:
        return ""
    return next((path for path in map(shutil.which, NAMES) if path), "")


def require_chromium() -> None:
    """Say what to install when there is no browser."""
    if not find_chromium():
        raise BadInput(NO_BROWSER)


class Chromium:
    """The one browser of a run: started when a page needs it first, and again when it ended."""

    def __init__(self) -> None:
        self._starting = asyncio.Lock()
        self._playwright: Playwright | None = None
        self._browser: Browser | None = None
        self._watch: asyncio.Task[None] | None = None
        self._pid = 0
        self._starts = 0

    async def get(self) -> Browser | str:
        """Return the browser, or why there is none."""
        async with self._starting:
            if self._browser is not None and self._browser.is_connected():
                return self._browser
            if self._starts >= STARTS:
                return f"it ended {STARTS} times in a row"
            path = find_chromium()
            return await self._start(path) if path else NO_BROWSER

    def note_success(self) -> None:
        """Count from the start again: a page has been shown."""
        self._starts = 0

    async def close(self) -> None:
        """End the browser and what drives it."""
        await self._end()
        if self._playwright is not None:
            with suppress(Exception):  # whatever is wrong with the driver, it is over
                await asyncio.wait_for(self._playwright.stop(), CLOSE_SECONDS)
            self._playwright = None

    def kill(self) -> None:
        """End the browser at once; what is open in it is lost."""
        if self._pid:
            _kill(self._pid)
            self._pid = 0

    async def _start(self, path: str) -> Browser | str:
        from playwright.async_api import Error, async_playwright

        await self._end()
        self._starts += 1
        try:
            async with asyncio.timeout(START_SECONDS):
                if self._playwright is None:
                    self._playwright = await async_playwright().start()
                self._browser = await self._playwright.chromium.launch(
                    executable_path=path,
                    args=list(FLAGS),
                    ignore_default_args=list(_UNWANTED_DEFAULTS),
                    chromium_sandbox=os.geteuid() != 0,  # root has no user namespace to give away
                    handle_sigint=False,
                    env=_environment(),
                )
                self._pid = await _find_pid(self._browser)
                self._browser.on("disconnected", self._forget_pid)  # the number may soon be another's
        except (Error, TimeoutError, OSError) as problem:
            return f"it could not be started: {_first_line(problem)}"
        self._watch = asyncio.create_task(_watch_memory(self._pid))
        return self._browser

    def _forget_pid(self, browser: Browser) -> None:
        if browser is self._browser:
            self._pid = 0

    async def _end(self) -> None:
        if self._watch is not None:
            self._watch.cancel()
            self._watch = None
        browser, self._browser = self._browser, None
        if browser is not None and browser.is_connected():
            with suppress(Exception):  # one that does not answer is killed
                await asyncio.wait_for(browser.close(), CLOSE_SECONDS)
                self._pid = 0
        self.kill()


def _environment() -> dict[str, str | float | bool]:
    """Return what the browser may know of ours: no proxies, no tokens, no names."""
    return {name: os.environ[name] for name in ("PATH", "HOME", "LANG", "TMPDIR") if name in os.environ}


def _first_line(problem: BaseException) -> str:
    lines = str(problem).strip().splitlines() or [type(problem).__name__]
    return lines[0][:200]


async def _find_pid(browser: Browser) -> int:
    session = await browser.new_browser_cdp_session()
    found = await session.send("SystemInfo.getProcessInfo")
    return next((int(each["id"]) for each in found["processInfo"] if each["type"] == "browser"), 0)


async def _watch_memory(pid: int) -> None:
    """End processes of the browser that take too much; what lies outside of the script heap has no limit else."""
    while pid:
        await asyncio.sleep(WATCH_SECONDS)
        for each in _find_family(pid):
            if _read_memory(each) > MEMORY:
                _kill(each)


def _find_family(pid: int) -> list[int]:
    """Return a process and those it has started, where the system tells."""
    found = [pid]
    for each in found:
        found += _find_children(each)
        if len(found) > _CHILDREN:
            break
    return found


def _find_children(pid: int) -> Iterator[int]:
    with suppress(OSError):
        for thread in Path(f"/proc/{pid}/task").iterdir():
            with suppress(OSError):
                yield from map(int, (thread / "children").read_text().split())


def _read_memory(pid: int) -> int:
    """Return the MB that a process has of its own, or 0 where the system does not tell."""
    try:
        resident, shared = Path(f"/proc/{pid}/statm").read_text().split()[1:3]
    except (OSError, ValueError):
        return 0
    return (int(resident) - int(shared)) * os.sysconf("SC_PAGE_SIZE") // (1024 * 1024)


def _kill(pid: int) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.kill(pid, signal.SIGKILL)
