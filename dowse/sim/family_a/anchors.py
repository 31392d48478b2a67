"""Links written one way or another: lists, lines, cells, and those that nobody shall see."""

from __future__ import annotations

from functools import cache

from dowse.sim.view import Anchor, Anchors, Group, View

PIXEL = "data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"


@cache
def fill_marks(text: str, mark: str) -> str:
    """Put a site's mark where a piece of skeleton has a tilde, or a backquote in scripts, whose names have no hyphens.

    It is done once for each site, not for each page.
    """
    return text.replace("~", mark).replace("`", mark.replace("-", "_"))


def write_date(number: int) -> str:
    """Write a day that changes from page to page, as any language writes one."""
    return f"{1 + number % 28:02}.{1 + number % 12:02}.{1998 + number % 25}"


def write_list(links: Anchors, attributes: str = "") -> str:
    """Write links as a plain list."""
    if not links:
        return ""
    rows = "\n".join([f'<li><a href="{href}">{text}</a></li>' for href, text in links])
    return f"<ul{attributes}>\n{rows}\n</ul>"


def write_line(links: Anchors, between: str = " | ") -> str:
    """Write links one after another."""
    return between.join([f'<a href="{href}">{text}</a>' for href, text in links])


def write_each(links: Anchors, before: str, after: str, attributes: str = "") -> str:
    """Write each link between two pieces of HTML."""
    return "\n".join([f'{before}<a{attributes} href="{href}">{text}</a>{after}' for href, text in links])


def write_bare(links: Anchors, between: str) -> str:
    """Write links without quotes around their addresses, where that is safe."""
    return between.join([f"<a href={_bare_value(href)}>{text}</a>" for href, text in links])


def _bare_value(href: str) -> str:
    return href if href and " " not in href else f'"{href}"'


def write_old(links: Anchors, between: str = "<BR>\n") -> str:
    """Write links the way of the nineties."""
    return between.join([f'<A HREF="{href}"><FONT SIZE=2>{text}</FONT></A>' for href, text in links])


def write_groups(groups: tuple[Group, ...], heading: str, attributes: str = "") -> str:
    """Write the parts of a menu as lists, each under its heading; the pattern of a heading has one slot."""
    return "\n".join(
        [f"{heading.format(g.heading) if g.heading else ''}{write_list(g.links, attributes)}" for g in groups]
    )


def write_head_links(view: View, end: str = ">") -> str:
    """Write base, canonical address and description of the site's search, as far as a page has them."""
    base = f'<base href="{view.base}"{end}\n' if view.base else ""
    canonical = f'<link rel="canonical" href="{view.canonical}"{end}\n' if view.canonical else ""
    return base + canonical + _describe_search(view, end)


def _describe_search(view: View, end: str) -> str:
    if not view.search_description:
        return ""
    kind = "application/opensearchdescription+xml"
    return f'<link rel="search" type="{kind}" href="{view.search_description}" title="{view.site_name}"{end}\n'


def write_old_head_links(view: View) -> str:
    """Write the same as authors of the nineties do, other attributes first."""
    base = f'<BASE HREF="{view.base}">\n' if view.base else ""
    canonical = f'<LINK HREF="{view.canonical}" REL=canonical>\n' if view.canonical else ""
    if not view.search_description:
        return base + canonical
    kind = '"application/opensearchdescription+xml"'
    search = f'<LINK TITLE="{view.site_name}" HREF="{view.search_description}" REL=search TYPE={kind}>\n'
    return base + canonical + search


def hide_in_block(links: Anchors, attributes: str) -> str:
    """Hide links in a block that is not shown or stands off the screen; every other says nofollow."""
    if not links:
        return ""
    return f"<div {attributes}>{' '.join([_hidden(n, link) for n, link in enumerate(links)])}</div>"


def _hidden(number: int, link: Anchor) -> str:
    rel = "" if number % 2 else ' rel="nofollow"'
    return f'<a href="{link.href}"{rel}>{link.text}</a>'


def hide_each(links: Anchors, attributes: str) -> str:
    """Hide links one by one: of no size, or without a way to reach them."""
    return "".join([f'<a {attributes} href="{href}">{text}</a>' for href, text in links])


def hide_behind_pixels(links: Anchors) -> str:
    """Hide links behind images of one pixel."""
    return "".join(
        [f'<A HREF="{href}"><IMG SRC="{PIXEL}" WIDTH=1 HEIGHT=1 BORDER=0 ALT="{text}"></A>' for href, text in links]
    )
