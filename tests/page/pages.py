"""Short ways to a page in the tests of reading."""

from __future__ import annotations

from dowse.model import Form, Link, Page, Response
from dowse.page import read_page

URL = "http://example.com/dir/page"


def read(html: str | bytes, url: str = URL, **headers: str) -> Page:
    """Read a page; headers are given with underscores."""
    body = html.encode() if isinstance(html, str) else html
    sent = tuple((name.replace("_", "-"), value) for name, value in headers.items())
    return read_page(Response(url, 200, sent, body))


def only_link(html: str) -> Link:
    """Return the one link of a page."""
    (link,) = read(html).links
    return link


def only_form(html: str) -> Form:
    """Return the one form of a page."""
    (form,) = read(html).forms
    return form
