"""Short ways to a page in the tests of reading."""

from __future__ import annotations

import pytest

from dowse.model import Form, Link, Page, Response
from dowse.page import read_page

URL = "http://example.com/dir/page"
BOTH = pytest.mark.parametrize("parser", ["turbohtml", "selectolax"])


def read(html: str | bytes, parser: str = "turbohtml", url: str = URL, **headers: str) -> Page:
    """Read a page; headers are given with underscores."""
    body = html.encode() if isinstance(html, str) else html
    sent = tuple((name.replace("_", "-"), value) for name, value in headers.items())
    return read_page(Response(url, 200, sent, body), parser)


def only_link(html: str, parser: str = "turbohtml") -> Link:
    """Return the one link of a page."""
    (link,) = read(html, parser).links
    return link


def only_form(html: str, parser: str = "turbohtml") -> Form:
    """Return the one form of a page."""
    (form,) = read(html, parser).forms
    return form
