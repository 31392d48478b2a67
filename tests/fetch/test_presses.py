"""Boxes that no form sends, pressed in a real browser: where they lead is learned, and nobody is asked."""

from __future__ import annotations

import pytest

from dowse.model import Response
from dowse.page.document import read_page
from tests.fetch.test_browser import ROOT, html, kept_chromium, needs_browser, one_browser, opened, shown
from tests.webs import web

__all__ = ["kept_chromium", "one_browser"]  # fixtures
pytestmark = needs_browser

PANEL = "<div>Name <input id=n> <select id=p><option value=any>Any<option>Coast</select> <button id=b>Find birds</button></div>"
ROWS = [
    (
        "a click that goes to an address",
        PANEL
        + "<script>b.onclick = () => location.href = '/find?bird=' + n.value + '&place=' + p.value + '&v=1'</script>",
        [("bird", "text"), ("place", "select"), ("v", "hidden")],
    ),
    (
        "the key that ends a line",
        "<p><input id=n type=search placeholder=Search></p><script>n.onkeydown = e => e.key === 'Enter' && location.assign('/find?q=' + n.value)</script>",
        [("q", "search")],
    ),
    (
        "a form that a script makes and sends",
        PANEL
        + """<script>b.onclick = () => { const f = document.createElement('form'); f.action = '/find';
        const i = document.createElement('input'); i.name = 'bird'; i.value = n.value; f.append(i); document.body.append(f); f.submit(); f.remove() }</script>""",
        [("bird", "text")],
    ),
]


@pytest.mark.parametrize(("body", "fields"), [row[1:] for row in ROWS], ids=[row[0] for row in ROWS])
async def test_where_a_box_leads(body: str, fields: list[tuple[str, str]]) -> None:
    asked: list[str] = []
    async with opened(web({}, asked)) as render:
        page = read_page(await shown(render, html(body)))
    (form,) = page.forms
    assert asked == []
    assert form.action == "http://e.com/find"
    assert [(field.name, field.type) for field in form.fields if field.name] == fields
    assert not any("dowse" in field.value for field in form.fields)


@pytest.mark.parametrize(
    "script",
    [
        "b.onclick = () => fetch('/delete', {method: 'POST', body: 'all'})",
        "b.onclick = () => { for (;;) fetch('/x' + Math.random()) }",
        "b.onclick = () => location.href = 'file:///etc/passwd'",
        "b.onclick = () => location.href = 'javascript:alert(1)'",
        "b.onclick = () => { throw 1 }",
        "b.onclick = () => window.open('/other')",
    ],
)
async def test_nothing_is_sent_whatever_a_button_does(script: str) -> None:
    asked: list[str] = []
    async with opened(web({}, asked), seconds=5) as render:
        result = await render(html(f"{PANEL}<script>{script}</script>"))
    assert asked == []
    assert not isinstance(result, Response) or result.url == ROOT
