"""What Dowse sees in one page: its forms judged, its doors, its groups of links."""

from __future__ import annotations

from dataclasses import dataclass, replace

from dowse.fetch import Fetch, Render
from dowse.form.doors import open_door
from dowse.model import Door, Failure, Familiar, Link, Page, Request, Response, Why
from dowse.page.read import read_groups, read_page
from dowse.step.offload import is_large, offload


@dataclass(frozen=True, slots=True)
class Inspection:
    """A page and what is in it."""

    page: Page
    doors: tuple[Door, ...] = ()
    link_groups: tuple[tuple[Link, ...], ...] = ()  # as a text browser shows them, and navmenu sees them


async def inspect(url: str, fetch: Fetch, render: Render | None = None) -> Inspection | Failure:
    """Fetch a page and look at it, in a browser where that sees more."""
    response = await fetch(Request(url))
    if isinstance(response, Failure):
        return response
    if response.status >= 400:
        return Failure(response.url, Why.STATUS, f"HTTP {response.status}", response.status)
    seen = await offload(is_large(response.body), look_at, response)
    if not seen.page.unrendered or render is None:
        return seen
    shown = await render(response)
    if isinstance(shown, Response):
        return await offload(is_large(shown.body), look_at, shown)
    return replace(seen, page=replace(seen.page, unrendered=f"{seen.page.unrendered} ({shown.detail or shown.why})"))


def look_at(response: Response) -> Inspection:
    """Look at a page that is here already."""
    page = read_page(response)
    links = {link.place: link for link in page.links}
    groups = (
        tuple(links[place] for place in group.places if place in links) for group in read_groups(response, Familiar())
    )
    return Inspection(page, tuple(open_door(form, page) for form in page.forms), tuple(filter(None, groups)))
