"""One page looked at."""

from __future__ import annotations

from dataclasses import replace

from dowse.model import Failure, Response, Why
from dowse.page.shell import SHELL
from dowse.step.inspect import Inspection, inspect, look_at
from tests.webs import page, web

URL = "http://e.com/a"
SHELL_PAGE = "<html><body><div id=app></div><script src=/a.js></script></body></html>"
FORM = '<form action="/find"><input name="title"><input name="author"><button>Search books</button></form>'


async def test_a_page_is_opened_in_a_browser_where_that_sees_more() -> None:
    async def render(response: Response) -> Response | Failure:
        return replace(response, body=page(forms=FORM).encode(), rendered=True)

    plain = await inspect(URL, web({URL: SHELL_PAGE}))
    seen = await inspect(URL, web({URL: SHELL_PAGE}), render)
    assert isinstance(plain, Inspection)
    assert isinstance(seen, Inspection)
    assert (len(plain.doors), plain.page.unrendered) == (0, SHELL)
    assert (len(seen.doors), seen.page.unrendered) == (1, "")


async def test_without_a_browser_the_page_says_why_it_is_as_it_came() -> None:
    async def render(response: Response) -> Response | Failure:
        return Failure(response.url, Why.BROWSER, "no browser", response.status)

    seen = await inspect(URL, web({URL: SHELL_PAGE}), render)
    assert isinstance(seen, Inspection)
    assert seen.page.unrendered == f"{SHELL} (no browser)"


async def test_an_error_is_not_looked_at() -> None:
    assert await inspect(URL, web({})) == Failure(URL, Why.STATUS, "HTTP 404", 404)


def test_link_groups_are_those_of_the_layout() -> None:
    body = b"<p><a href=/a>One</a> | <b><a href=/b>Two</a></b> | <i><a href=/c>Three</a></i><p><a href=/d>Alone</a>"
    seen = look_at(Response("http://e.com/", 200, (("content-type", "text/html"),), body))
    assert [[link.text for link in group] for group in seen.link_groups] == [["One", "Two", "Three"]], (
        "one line, three paths"
    )
