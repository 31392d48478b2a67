"""Read a page: bytes and headers in, links, forms and words out.

Nothing here waits and nothing here raises: whatever a server sends is a page, if a poor one.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from dowse.model import Familiar, Link, LinkGroup, Page, Response
from dowse.page.bounds import Bounds
from dowse.page.calls import find_call_forms
from dowse.page.charset import find_encoding
from dowse.page.forms import MAX_FORMS, find_fields, read_form, read_form_text
from dowse.page.groups import LEAST_LINKS, find_groups
from dowse.page.html import MAX_BODY, Element, Tree, open_parser
from dowse.page.lines import lay_out
from dowse.page.links import find_links
from dowse.page.meta import Meta, read_meta
from dowse.page.owner import find_form_ends
from dowse.page.services import add_services, find_services, read_service_page
from dowse.page.shell import why_unrendered, writes_form
from dowse.page.text import hide_unseen, read_language, read_text, read_title
from dowse.url import Base, canonical


def read_page(response: Response, parser: str = "", familiar: Familiar | None = None) -> Page:
    """Return the page that a response holds, without links and forms that are familiar, if any are.

    It is read by the parser of that name, or the first that is installed.
    """
    reading = open_parser(parser)
    bounds = Bounds()
    body = _cut_body(response, bounds)
    encoding = find_encoding(body, response.header("content-type")) or reading.detect_encoding(body)
    if (described := read_service_page(response, body, encoding)) is not None:
        return described
    tree: Tree = reading.parse(body, encoding)
    if tree.find_all("template"):
        tree.remove("template")  # inert: neither its links nor its forms are on the page
    url = canonical(response.url) or ""
    meta = read_meta(tree, response, url)
    base, path_of = Base.of(meta.base), reading.open_paths(len(body))
    title = read_title(tree)
    links, urls, likely, elements = find_links(tree, base, path_of, reading.text_type, bounds, familiar or Familiar())
    groups = _find_groups(tree, elements, reading.text_type) if familiar and familiar.layout else ()
    services, links = find_services(tree, links, likely, base, path_of, familiar)
    ends = partial(find_form_ends, body, encoding)
    found, form_count = find_fields(tree, reading.text_type, ends, bounds, familiar.forms if familiar else None, base)
    writes = writes_form(tree, familiar.forms if familiar else None)
    hide_unseen(tree)  # with the choices out of the tree, only words are left to read
    forms = [
        read_form(form, read_form_text(form.element, form.fields, reading.text_type), url, base, path_of, encoding)
        for form in found
    ]
    text = read_text(tree)
    return Page(
        url=response.url,
        title=title,
        text=text,
        language=read_language(tree, meta.language, text, reading.detect_language),
        encoding=encoding,
        canonical=meta.canonical,
        next=meta.next,
        base=meta.base,
        robots=meta.robots,
        links=(*links, *_refresh_links(meta, len(urls))),
        link_count=len(urls),
        urls=tuple(urls),
        groups=groups,
        forms=add_services(forms, [*services, *find_call_forms(response.calls)], form_count, MAX_FORMS),
        form_count=form_count,
        refresh=meta.refresh,
        dropped=bounds.dropped(),
        calls=response.calls,
        unrendered="" if response.rendered else why_unrendered(body, text, len(urls), forms, form_count, writes),
    )


def _cut_body(response: Response, bounds: Bounds) -> bytes:
    """Return as much of a body as is read, and count the rest."""
    body = response.body
    if len(body) > MAX_BODY:
        bounds.drop("bytes", len(body) - MAX_BODY)
        return body[:MAX_BODY]
    if response.truncated:
        bounds.drop("body")
    return body


def read_groups(response: Response, familiar: Familiar) -> tuple[LinkGroup, ...]:
    """Return the links of a page that stand together, and read no more of it than that takes."""
    reading = open_parser("")
    body = _cut_body(response, Bounds())
    tree = reading.parse(body, find_encoding(body, response.header("content-type")) or reading.detect_encoding(body))
    if tree.find_all("template"):
        tree.remove("template")
    base = Base.of(read_meta(tree, response, canonical(response.url) or "").base)
    path_of = reading.open_paths(len(body))
    elements = find_links(tree, base, path_of, reading.text_type, Bounds(), familiar)[3]
    return _find_groups(tree, elements, reading.text_type)


def _find_groups(tree: Tree, elements: Sequence[Element], text_type: type[Any]) -> tuple[LinkGroup, ...]:
    """Return the links that stand together when the page is laid out as text."""
    root = tree.root
    if root is None or len(elements) < LEAST_LINKS:
        return ()
    places = {element: place for place, element in enumerate(elements)}
    return find_groups(lay_out(root, places, text_type))


def _refresh_links(meta: Meta, place: int) -> list[Link]:
    """Return where a refresh leads, as a link like any other."""
    return [Link(meta.refresh, rel="refresh", path="html/head/meta", place=place)] if meta.refresh else []
