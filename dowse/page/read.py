"""Read a page: bytes and headers in, links, forms and words out.

Nothing here waits and nothing here raises: whatever a server sends is a page, if a poor one.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from dowse.model import Form, Link, Page, Response
from dowse.page.bounds import Bounds
from dowse.page.charset import find_encoding
from dowse.page.forms import find_fields, read_form, read_form_text
from dowse.page.html import MAX_BODY, Parser, Position, Tree, open_parser
from dowse.page.links import find_links
from dowse.page.meta import Meta, read_meta
from dowse.page.owner import find_form_ends
from dowse.page.path import TagPath
from dowse.page.text import hide_unseen, read_language, read_text, read_title
from dowse.url import canonical


def read_page(response: Response, parser: str = "") -> Page:
    """Return the page that a response holds, read by the parser of that name or the first installed."""
    reading = open_parser(parser)
    bounds = Bounds()
    body = response.body
    if len(body) > MAX_BODY:
        bounds.drop("bytes", len(body) - MAX_BODY)
        body = body[:MAX_BODY]
    encoding = find_encoding(body, response.header("content-type")) or reading.detect_encoding(body)
    tree: Tree = reading.parse(body, encoding)
    if tree.find_all("template"):
        tree.remove("template")  # inert: neither its links nor its forms are on the page
    url = canonical(response.url) or ""
    meta = read_meta(tree, response, url)
    path_of = reading.open_paths(len(body))
    title = read_title(tree)
    links = find_links(tree, meta.base, path_of, reading.text_type, bounds)
    forms = _read_forms(tree, reading, url, meta, path_of, partial(find_form_ends, body, encoding), bounds)
    text = read_text(tree)
    return Page(
        url=response.url,
        title=title,
        text=text,
        language=read_language(tree, meta.language, text, reading.detect_language),
        encoding=encoding,
        canonical=meta.canonical,
        base=meta.base,
        robots=meta.robots,
        links=(*links, *_refresh_links(meta, len(links))),
        forms=forms,
        refresh=meta.refresh,
        dropped=bounds.dropped(),
    )


def _read_forms(
    tree: Tree,
    reading: Parser,
    url: str,
    meta: Meta,
    path_of: TagPath,
    ends: Callable[[], list[Position]],
    bounds: Bounds,
) -> tuple[Form, ...]:
    """Read the fields, then take the choices out of the tree, so that only words are left to read."""
    found = find_fields(tree, reading.text_type, ends, bounds)
    hide_unseen(tree)
    return tuple(
        read_form(number, form, fields, read_form_text(form, fields, reading.text_type), url, meta.base, path_of)
        for number, (form, fields) in enumerate(found)
    )


def _refresh_links(meta: Meta, place: int) -> list[Link]:
    """Return where a refresh leads, as a link like any other."""
    return [Link(meta.refresh, rel="refresh", path="html/head/meta", place=place)] if meta.refresh else []
