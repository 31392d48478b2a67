"""When a browser would see more of a page than its HTML shows."""

from __future__ import annotations

import time

import pytest

from dowse.model import Response
from dowse.page.document import read_page
from dowse.page.needs_browser import SHELL, UNUSABLE, WRITTEN, why_unrendered
from tests.webs import HTML, read_in_turn

WORDS = "<p>" + "Plenty of words that anybody can read. " * 20
LINKS = "".join(f"<a href=/{number}>Page {number}</a>" for number in range(20))
SCRIPT = "<script src=/app.js></script>"
WRITES = """<script>document.write('<form action="/find"><input type="text" name="q"></form>')</script>"""
CREATES = """<script>
var form = document.createElement("form"), box = document.createElement("input");
box.setAttribute("type", "text");
</script>"""


def why(body: str) -> str:
    return read_page(Response("http://e.com/", 200, HTML, body.encode())).unrendered


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        pytest.param(f"<title>App</title><div id=root></div>{SCRIPT}", SHELL, id="react"),
        pytest.param(f'<div id="__next"> </div>{SCRIPT}', SHELL, id="next"),
        pytest.param(f'<div class="x" id="app">Loading...</div>{SCRIPT}', SHELL, id="loading"),
        pytest.param(f"<app-root></app-root>{SCRIPT}", SHELL, id="an element of its own"),
        pytest.param(f"<noscript>Please enable JavaScript.</noscript><div></div>{SCRIPT}", SHELL, id="noscript"),
        pytest.param(f"<header>{LINKS}</header><div id=app></div>{SCRIPT}", SHELL, id="header and an empty root"),
        pytest.param("<div id=root></div>", "", id="no script"),
        pytest.param(f"<div id=app>{WORDS}{LINKS}</div>{SCRIPT}", "", id="rendered by the server"),
        pytest.param(f"<div id=root></div>{WORDS * 5}{SCRIPT}", "", id="an empty root beside many words"),
        pytest.param(f"<noscript>Enable JavaScript</noscript>{WORDS}{LINKS}{SCRIPT}", "", id="a page that only asks"),
        pytest.param(f"<p>It works!{SCRIPT}", "", id="a short page"),
        pytest.param(f"<frameset><frame src=a></frameset><noscript>javascript</noscript>{SCRIPT}", "", id="frames"),
        pytest.param(f"<div id=app></div>{SCRIPT}<form action=/find><input name=q></form>", "", id="a form is there"),
        pytest.param(WORDS + WRITES, WRITTEN, id="document.write"),
        pytest.param(WORDS + WRITES.replace("<form", "\\x3cform"), WRITTEN, id="escaped"),
        pytest.param(WORDS + WRITES.replace("<form", "\\u003Cform"), WRITTEN, id="escaped otherwise"),
        pytest.param(WORDS + WRITES.upper(), WRITTEN, id="capitals"),
        pytest.param(WORDS + CREATES, WRITTEN, id="createElement"),
        pytest.param(WORDS + WRITES.replace('"text"', '"hidden"'), "", id="nothing to type"),
        pytest.param(WORDS + WRITES.replace("<script", "<script type=text/template"), "", id="a template"),
        pytest.param(WORDS + WRITES.replace("<script", "<script type='application/json'"), "", id="data"),
        pytest.param(WORDS + "<!-- <form><input type=text></form> --><script>1</script>", "", id="in a comment"),
        pytest.param(WORDS + "<form action=/find><input name=q></form>" + SCRIPT, "", id="an ordinary form"),
        pytest.param(WORDS + "<form action=javascript:go()><input type=search></form>", UNUSABLE, id="sent by script"),
        pytest.param(WORDS + "<form><input id=search></form>", UNUSABLE, id="no name, no action"),
        pytest.param(WORDS + "<form><input id=nick></form>", "", id="not a search"),
        pytest.param(WORDS + "<form><input id=search name=q></form>", "", id="sends to its own page"),
        pytest.param(WORDS + "<div><input id=search><button>Search</button></div>", UNUSABLE, id="no form"),
    ],
)
def test_why(body: str, reason: str) -> None:
    assert why(f"<html><body>{body}</body></html>") == reason


def test_what_a_script_of_the_site_wrote_before_does_not_count() -> None:
    bodies = (WORDS + WRITES, "<p>another" + WORDS + WRITES, WORDS + WRITES.replace("/find", "/seek"))
    pages = read_in_turn(*(Response("http://e.com/", 200, HTML, body.encode()) for body in bodies))
    assert [page.unrendered for page in pages] == [WRITTEN, "", WRITTEN]


def test_a_page_that_a_browser_opened_needs_none() -> None:
    assert not read_page(Response("http://e.com/", 200, HTML, (WORDS + WRITES).encode(), rendered=True)).unrendered


@pytest.mark.parametrize(
    "part",
    [b"<script>", b"<script", b"<noscript>javascript", b"<div id=", b"<div id=app ", b"<a-a>", b"<a-", b"\\x3cform ",
     b"createelement('form')", b"type=", b"<script></script>", b"<script><form type=text</script>", b"\0", b"<!--<form "],
    ids=repr,
)  # fmt: skip
def test_the_cost_grows_with_the_bytes(part: bytes) -> None:
    """Twenty times the bytes of what a pattern could stumble over take no more than a few times twenty as long."""
    small, large = (b"<p>" + part * (size // len(part)) for size in (50_000, 1_000_000))
    first = _seconds(small)
    assert _seconds(large) < max(0.5, 200 * first)


def _seconds(body: bytes) -> float:
    begun = time.process_time()
    why_unrendered(body, "", 0, (), 0)
    return time.process_time() - begun
