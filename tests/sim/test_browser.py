"""curl and a real browser see the same web as the Fetch in this process."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest

from dowse.model import Request, Response
from dowse.sim import World, serve
from dowse.sim.naming import path_of
from dowse.sim.truth import FormTruth

from .walk import encoding_of

BROWSER = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking", "--disable-sync"]
needs_browser = pytest.mark.skipif(
    BROWSER is None, reason="no browser: `make browser` installs Debian's chromium (as root)"
)


def _addresses(world: World, count: int) -> Iterator[str]:
    """Give pages of all sorts: roots, articles, forms, answers, errors, files, traps; of different sites."""
    for index in range(count):
        truth, plan = world.site(index), world.plan(index)
        if not truth.reachable or truth.trouble in ("slow", "rate-limited"):
            continue
        yield f"{truth.site}/"
        yield plan.origin + path_of(plan, plan.tree.size - 1)
        yield f"{truth.site}/no/such/page"
        for form in truth.forms[:2]:
            yield form.page
            yield form.action


async def _curl(port: int, url: str) -> tuple[int, bytes]:
    words = ["curl", "-s", "-x", f"http://127.0.0.1:{port}", "-w", "\n%{http_code}", url]
    process = await asyncio.create_subprocess_exec(*words, stdout=asyncio.subprocess.PIPE)
    body, _, status = (await process.communicate())[0].rpartition(b"\n")
    return int(status), body


@pytest.mark.skipif(shutil.which("curl") is None, reason="no curl: `make browser` installs it (as root)")
@pytest.mark.parametrize("family", ["A", "B"])
async def test_curl_gets_the_same_bytes(family: str) -> None:
    world = World(seed=1, sites=300, family=family)
    async with serve(world) as port:
        for url in _addresses(world, 20):
            expected = world.answer(Request(url))
            assert isinstance(expected, Response)
            assert await _curl(port, url) == (expected.status, expected.body), url


@pytest.mark.proof
@needs_browser
@pytest.mark.parametrize("family", ["A", "B"])
async def test_a_browser_gets_the_same_bytes(family: str) -> None:
    from playwright.async_api import async_playwright

    world = World(seed=1, sites=300, family=family)
    async with serve(world) as port, async_playwright() as playwright:
        browser = await _launch(playwright, port)
        page = await browser.new_page(java_script_enabled=False)
        for url in _addresses(world, 12):
            expected = world.answer(Request(url))
            await page.context.clear_cookies()  # the request in this process has none either
            seen = await page.goto(url, wait_until="commit")
            assert isinstance(expected, Response)
            assert seen is not None
            if expected.status < 300 or expected.status >= 400:
                assert seen.status == expected.status
                assert await seen.body() in (expected.body, _as_utf8(expected)), url
        await browser.close()


@pytest.mark.proof
@needs_browser
@pytest.mark.parametrize("family", ["A", "B"])
async def test_a_browser_sees_the_forms_and_menus_that_scripts_make(family: str) -> None:
    from playwright.async_api import async_playwright

    world = World(seed=3, sites=600, family=family)
    async with serve(world) as port, async_playwright() as playwright:
        browser = await _launch(playwright, port)
        page = await browser.new_page()
        for form in _scripted(world, "script", 4):
            await page.goto(form.page, wait_until="load")
            assert await page.evaluate(_FIND_FORM, [form.action, list(form.fields)]), form.page
        for form in _scripted(world, "formless", 4):
            await page.goto(form.page, wait_until="load")
            assert not await page.evaluate(_FIND_FORM, [form.action, list(form.fields)]), form.page
            assert await page.evaluate("n => document.getElementsByName(n).length > 0", form.fields[0]), form.page
        await _check_menus(world, page)
        await browser.close()


def _as_utf8(page: Response) -> bytes:
    """Return a page as the browser's tools hand it out: text of any encoding as UTF-8."""
    return page.body.decode(encoding_of(page), "replace").encode()


_FIND_FORM = """([action, fields]) => [...document.forms].some(form => form.action === action
    && fields.join() === [...new Set([...form.elements].filter(each => each.name
        && !["submit", "image", "button", "reset"].includes(each.type)).map(each => each.name))].sort().join())"""


async def _launch(playwright, port: int):  # type: ignore[no-untyped-def]
    return await playwright.chromium.launch(
        executable_path=BROWSER, args=FLAGS, proxy={"server": f"http://127.0.0.1:{port}"}
    )


def _scripted(world: World, made: str, count: int) -> list[FormTruth]:
    forms = [form for truth in world.truth() for form in truth.forms if form.made == made and form.reachable]
    assert len(forms) >= count
    return forms[:count]


async def _check_menus(world: World, page) -> None:  # type: ignore[no-untyped-def]
    """Every page that the menu of a root leads to is linked in the browser, also where a script makes the menu."""
    designs: set[str] = set()
    for index in range(world.sites):
        truth, plan = world.site(index), world.plan(index)
        if truth.reachable and truth.design not in designs and not truth.traps and not plan.forward:
            designs.add(truth.design)
            await page.goto(f"{truth.site}/", wait_until="load")
            linked = set(await page.evaluate("() => [...document.querySelectorAll('a[href], area[href], option[value]')]"
                ".map(each => new URL(each.getAttribute('href') || each.value, document.baseURI).href)"))  # fmt: skip
            wanted = {plan.origin + path_of(plan, number) for number in plan.tree.in_menu(0)} - {
                plan.origin + path_of(plan, number) for number in plan.secluded
            }
            assert {urlsplit(url)._replace(fragment="").geturl() for url in linked} >= wanted, truth.design
    assert len(designs) >= 12
