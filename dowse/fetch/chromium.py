"""The Chromium process: found, started without access to the network, its memory watched, ended.

The requests of a page are answered by its tab (`tab.py`). What cannot be intercepted, such as a
WebSocket, goes to a proxy whose name cannot be resolved.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from dowse.errors import BadInput

if TYPE_CHECKING:
    from playwright.async_api import Browser, Playwright

PROGRAM_NAMES = ("chromium", "chromium-browser", "google-chrome")
NO_BROWSER = "no browser: pip install 'dowse[browser]' and apt-get install chromium"
MAX_STARTS = 4  # in a row without a page loaded in between: the first and three more
START_SECONDS = 30.0
CLOSE_SECONDS = 5.0
SCRIPT_HEAP_MB = 256  # of JavaScript objects in a tab
MAX_PROCESS_MB = 700  # of one process of the browser; one that takes more is killed
MEMORY_CHECK_SECONDS = 0.25
_MAX_PROCESSES = 200  # of the browser whose memory is looked at

FLAGS = (
    "--proxy-server=http://nowhere.invalid:9",
    "--proxy-bypass-list=<-loopback>",  # loopback goes to the proxy, too
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
    f"--js-flags=--max-old-space-size={SCRIPT_HEAP_MB}",
)
_UNWANTED_DEFAULTS = ("--disable-popup-blocking",)  # of Playwright: popups that nobody clicked for stay blocked

_ENVIRONMENT = ("PATH", "HOME", "LANG", "TMPDIR")  # variables that the browser gets: no proxies, no tokens


def find_chromium() -> str:
    """Return the path of a browser that Playwright can drive, or an empty string."""
    if find_spec("playwright") is None:
        return ""
    return next((path for path in map(shutil.which, PROGRAM_NAMES) if path), "")


def require_chromium() -> None:
    """Raise BadInput with what to install when there is no browser."""
    if not find_chromium():
        raise BadInput(NO_BROWSER)


class Chromium:
    """The one browser of a run: started for the first page, and again when it has ended."""

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
            if self._starts >= MAX_STARTS:
                return f"it ended {MAX_STARTS} times in a row"
            path = find_chromium()
            return await self._start(path) if path else NO_BROWSER

    def note_success(self) -> None:
        """Count starts from 0 again: a page has been loaded."""
        self._starts = 0

    async def close(self) -> None:
        """End the browser and Playwright."""
        await self._end()
        if self._playwright is not None:
            with suppress(Exception):  # it is not needed any more, whatever is wrong with it
                await asyncio.wait_for(self._playwright.stop(), CLOSE_SECONDS)
            self._playwright = None

    def kill(self) -> None:
        """Kill the browser; pages open in it are lost."""
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
                    chromium_sandbox=os.geteuid() != 0,  # the sandbox does not work for root
                    handle_sigint=False,
                    env={name: os.environ[name] for name in _ENVIRONMENT if name in os.environ},
                )
                self._pid = await _find_pid(self._browser)
                self._browser.on("disconnected", self._clear_pid)  # the system may give the pid to another process
        except (Error, TimeoutError, OSError) as problem:
            lines = str(problem).strip().splitlines() or [type(problem).__name__]
            return f"it could not be started: {lines[0][:200]}"
        self._watch = asyncio.create_task(_watch_memory(self._pid))
        return self._browser

    def _clear_pid(self, browser: Browser) -> None:
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


async def _find_pid(browser: Browser) -> int:
    session = await browser.new_browser_cdp_session()
    found = await session.send("SystemInfo.getProcessInfo")
    return next((int(each["id"]) for each in found["processInfo"] if each["type"] == "browser"), 0)


async def _watch_memory(pid: int) -> None:
    """Kill processes of the browser that take too much memory; outside of the script heap nothing else limits it."""
    while pid:
        await asyncio.sleep(MEMORY_CHECK_SECONDS)
        for each in _find_processes(pid):
            if _read_memory(each) > MAX_PROCESS_MB:
                _kill(each)


def _find_processes(pid: int) -> list[int]:
    """Return a process and its descendants, where the system has /proc."""
    found = [pid]
    for each in found:
        for children in Path(f"/proc/{each}/task").glob("*/children"):
            with suppress(OSError):
                found += map(int, children.read_text().split())
        if len(found) > _MAX_PROCESSES:
            break
    return found


def _read_memory(pid: int) -> int:
    """Return the MB of unshared memory of a process, or 0 where the system has no /proc."""
    try:
        resident, shared = Path(f"/proc/{pid}/statm").read_text().split()[1:3]
    except (OSError, ValueError):
        return 0
    return (int(resident) - int(shared)) * os.sysconf("SC_PAGE_SIZE") // (1024 * 1024)


def _kill(pid: int) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.kill(pid, signal.SIGKILL)
