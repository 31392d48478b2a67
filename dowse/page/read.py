"""Read a page: bytes and headers in, links, forms and words out.

Nothing here waits and nothing here raises: whatever a server sends is a page, if a poor one.
"""

from __future__ import annotations

from collections.abc import Callable, Container
from functools import partial

from dowse.model import Field, Form, Link, Page, Response
from dowse.page.bounds import Bounds
from dowse.page.charset import find_encoding
from dowse.page.forms import KnownForm, find_fields, read_action, read_form, read_form_text, read_method
from dowse.page.html import MAX_BODY, Element, Parser, Position, Tree, open_parser
from dowse.page.links import find_links
from dowse.page.meta import Meta, read_meta
from dowse.page.owner import find_form_ends
from dowse.page.path import TagPath
from dowse.page.text import hide_unseen, read_language, read_text, read_title
from dowse.url import canonical


def read_page(
    response: Response,
    parser: str = "",
    known_links: Container[str] = (),
    is_known_form: KnownForm = lambda form: False,
) -> Page:
    """Return the page that a response holds, read by the parser of that name or the first installed.

    What is known is not described again: such a link is only counted, of such a form its target is
    kept and its fields' names and types. Most links and forms of most pages stood on the page
    before, and to describe them is half of the work of reading a page.
    """
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
    links, count = find_links(tree, meta.base, path_of, reading.text_type, bounds, known_links)
    ends = partial(find_form_ends, body, encoding)
    forms = _read_forms(tree, reading, url, meta, path_of, ends, is_known_form, bounds)
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
        links=(*links, *_refresh_links(meta, count)),
        link_count=count,
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
    is_known_form: KnownForm,
    bounds: Bounds,
) -> tuple[Form, ...]:
    """Read the fields, then take the choices out of the tree, so that only words are left to read."""
    known: set[Element] = set()

    def is_known(element: Element, fields: tuple[Field, ...]) -> bool:
        action = read_action(element, url, meta.base)
        if action == url or not is_known_form(Form(0, read_method(element), action, fields)):
            return False  # a form that sends to its own page is known by its words, which are read last
        known.add(element)
        return True

    found = find_fields(tree, reading.text_type, ends, bounds, is_known)
    hide_unseen(tree)
    return tuple(
        Form(number, read_method(form), read_action(form, url, meta.base), fields)
        if form in known
        else read_form(number, form, fields, read_form_text(form, fields, reading.text_type), url, meta.base, path_of)
        for number, (form, fields) in enumerate(found)
    )


def _refresh_links(meta: Meta, place: int) -> list[Link]:
    """Return where a refresh leads, as a link like any other."""
    return [Link(meta.refresh, rel="refresh", path="html/head/meta", place=place)] if meta.refresh else []
