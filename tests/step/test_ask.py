"""What a request to a door brings."""

from __future__ import annotations

import pytest

from dowse.fetch.http import ACCEPT
from dowse.model import Failure, Link, Request, Response, SeenOnSite
from dowse.step.ask import FetchedPage, ask, is_service
from dowse.step.visit import visit

HERE = "http://e.com/"


@pytest.mark.parametrize(
    ("kind", "body", "wanted"),
    [
        ("application/json", b"[]", True),
        ("application/atom+xml", b"<feed/>", True),
        ("text/javascript", b'{"a": 1}', True),
        ("text/html", b"<html></html>", False),
        ("", b"<title>Soups</title><p>one", False),
        ("application/xhtml+xml", b"<html></html>", False),
        ("", b"<!DOCTYPE html><p>", False),
    ],
)
def test_what_is_a_service(kind: str, body: bytes, wanted: bool) -> None:
    assert is_service(Response(HERE, 200, (("content-type", kind),), body)) is wanted


async def negotiate(request: Request) -> Response | Failure:
    """Answer as Django REST framework does: the first of its types that the most precise of the accepted ones name, whatever their q."""
    accepted = dict((name.lower(), value) for name, value in request.headers).get("accept", ACCEPT)
    if "application/json" in accepted:
        return Response(request.url, 200, (("content-type", "application/json"),), b'{"results": [{"title": "Emma"}]}')
    page = b"<html><title>Works</title><form><input name=search><button>Search</button></form>"
    return Response(request.url, 200, (("content-type", "text/html"),), page)


async def test_a_visit_gets_the_page_with_its_form_and_a_question_the_answer_for_programs() -> None:
    visited = await visit(Link(HERE), negotiate, SeenOnSite())
    assert visited.page is not None
    assert [form.fields[0].name for form in visited.page.forms] == ["search"]
    asked = await ask(Request(HERE), negotiate)
    assert isinstance(asked, FetchedPage)
    assert asked.page is None
    assert asked.request == Request(HERE)
    named = await ask(Request(HERE, headers=(("accept", "text/html"),)), negotiate)
    assert isinstance(named, FetchedPage)
    assert named.page is not None
