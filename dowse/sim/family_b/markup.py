"""Small pieces of markup that designs are made of; all of it is plain ASCII, for any encoding."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache

from dowse.sim.view import Anchors, View

PIXEL = "data:image/gif;base64,R0lGODlhAQABAIAAALAgIP///ywAAAAAAQABAAACAkQBADs="


@cache
def marked(text: str, mark: str) -> str:
    """Return a style sheet or script with a site's mark put where a tilde stands."""
    return text.replace("~", mark)


def join_links(links: Anchors, before: str, after: str, attributes: str = "") -> str:
    """Write links one after the other, each between the same two pieces of markup."""
    return "".join([f'{before}<a href="{href}"{attributes}>{text}</a>{after}' for href, text in links])


def divide_links(links: Anchors, between: str, attributes: str = "") -> str:
    """Write links with something between them."""
    return between.join([f'<a href="{href}"{attributes}>{text}</a>' for href, text in links])


def head_links(view: View, end: str = ">") -> str:
    """Write what the head says of addresses: base, canonical and the description of a search."""
    if not (view.base or view.canonical or view.search_description):
        return ""
    base = f'<base href="{view.base}"{end}\n' if view.base else ""
    canonical = f'<link rel="canonical" href="{view.canonical}"{end}\n' if view.canonical else ""
    return base + canonical + _description(view, end)


def _description(view: View, end: str) -> str:
    if not view.search_description:
        return ""
    kind = "application/opensearchdescription+xml"
    return f'<link rel="search" type="{kind}" href="{view.search_description}" title="{view.site_name}"{end}\n'


def home_link(view: View, attributes: str = "") -> str:
    """Write the name of the site, as a link where the way home is known."""
    if not view.crumbs:
        return f"<span{attributes}>{view.site_name}</span>"
    return f'<a href="{view.crumbs[0].href}"{attributes}>{view.site_name}</a>'


def date_of(number: int, year: int) -> tuple[int, int, int]:
    """Return year, month and day a page was last changed, for pages of a time."""
    return year + number * 7 % 6, number * 5 % 12 + 1, number * 11 % 28 + 1


def turn(pieces: Sequence[str], number: int) -> str:
    """Join pieces in an order that differs from page to page."""
    first = number % len(pieces)
    return "".join([*pieces[first:], *pieces[:first]])


def script_text(value: object) -> str:
    """Return a value as JSON that may stand inside a script element."""
    return json.dumps(value, separators=(",", ":")).replace("<", "\\u003c")


def plain_text(text: str) -> str:
    """Return the text that escaped text stands for, for scripts that set it as it is."""
    if "&" not in text:
        return text
    for entity, character in (("&lt;", "<"), ("&gt;", ">"), ("&quot;", '"'), ("&#x27;", "'"), ("&#39;", "'")):
        text = text.replace(entity, character)
    return text.replace("&amp;", "&")
