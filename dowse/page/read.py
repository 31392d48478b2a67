"""Read a page: bytes and headers in, links, forms and words out.

Nothing here waits and nothing here raises: whatever a server sends is a page, if a poor one.
"""

from __future__ import annotations

from collections.abc import Sequence

from dowse.model import Familiar, Link, LinkGroup, Page, Response
from dowse.page.bounds import Bounds
from dowse.page.calls import find_call_forms
from dowse.page.charset import MAX_BODY, decode, find_encoding, read_source
from dowse.page.forms import MAX_FORMS, find_fields, read_form, read_form_text
from dowse.page.groups import LEAST_LINKS, find_groups
from dowse.page.lines import lay_out
from dowse.page.links import find_links
from dowse.page.meta import Meta, read_meta
from dowse.page.parser import HtmlNode, Tree, parse
from dowse.page.path import TagPaths
from dowse.page.services import add_services, find_services, read_service_page
from dowse.page.shell import why_unrendered, writes_form
from dowse.page.text import read_language, read_text, read_title
from dowse.url import Base, canonical


def read_page(response: Response, familiar: Familiar | None = None) -> Page:
    """Return the page that a response holds, without links and forms that are familiar, if any are."""
    bounds = Bounds()
    body = _cut_body(response, bounds)
    encoding = find_encoding(body, response.header("content-type"))
    if (described := read_service_page(response, body, encoding)) is not None:
        return described
    tree = parse(decode(body, encoding))
    url = canonical(response.url) or ""
    meta = read_meta(tree, response, url)
    base, path_of = Base.of(meta.base), TagPaths()
    links, urls, likely, elements = find_links(tree, base, path_of, bounds, familiar or Familiar())
    groups = _find_groups(tree, elements) if familiar and familiar.layout else ()
    services, links = find_services(tree, links, likely, base, path_of, familiar)
    known = familiar.forms if familiar else None
    found, form_count = find_fields(tree, bounds, known, base)
    writes = writes_form(tree, known)
    forms = [read_form(form, read_form_text(form.element, form.fields), url, base, path_of, encoding) for form in found]
    text = read_text(tree)
    return Page(
        url=response.url,
        title=read_title(tree),
        text=text,
        language=read_language(tree, meta.language, text),
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
    tree = parse(read_source(response))
    base = Base.of(read_meta(tree, response, canonical(response.url) or "").base)
    elements = find_links(tree, base, TagPaths(), Bounds(), familiar)[3]
    return _find_groups(tree, elements)


def _find_groups(tree: Tree, elements: Sequence[HtmlNode]) -> tuple[LinkGroup, ...]:
    """Return the links that stand together when the page is laid out as text."""
    root = tree.root
    if root is None or len(elements) < LEAST_LINKS:
        return ()
    places = {element: place for place, element in enumerate(elements)}
    return find_groups(lay_out(root, places))


def _refresh_links(meta: Meta, place: int) -> list[Link]:
    """Return where a refresh leads, as a link like any other."""
    return [Link(meta.refresh, rel="refresh", path="html/head/meta", place=place)] if meta.refresh else []
