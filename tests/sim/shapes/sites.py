"""Sites of every shape, opened once, and a visitor that knows nothing of how they are made."""

from __future__ import annotations

import re
from functools import cache

from dowse.model import Request, Response
from dowse.sim.shapes import SHAPES, ShapeSite, open_shape

from ..walk import find_links

CASES = [(name, family) for name in SHAPES for family in "AB"]
IDS = [f"{name} {family}" for name, family in CASES]


@cache
def site(name: str, family: str, day: int = 0, edition: int = 0, seed: int = 1) -> ShapeSite:
    """Return a site of a shape."""
    return open_shape(name, family, seed, day, edition=edition)


def get(web: ShapeSite, url: str) -> Response:
    """Fetch a page that is there."""
    answer = web.answer(Request(url))
    assert isinstance(answer, Response), answer
    return answer


def links(web: ShapeSite, url: str) -> list[str]:
    """Return the addresses that a page links to, without sessions."""
    return [without_session(web, link) for link in find_links(get(web, url))]


def without_session(web: ShapeSite, url: str) -> str:
    """Return an address without its session."""
    if not web.truth.session:
        return url
    plain = re.sub(web.truth.session, "", url)
    return plain if "?" in plain else plain.replace("&", "?", 1)


def walk(web: ShapeSite) -> dict[str, int]:
    """Follow links from the way in, but for those of targets and what is below them; gives clicks by address."""
    ends = {web.plan.origin + path for path, page in web.plan.pages.items() if page.kind in ("target", "work", "news")}
    clicks, waiting = {web.entry: 0}, [web.entry]
    while waiting:
        url = waiting.pop(0)
        for link in links(web, url) if url not in ends else []:
            if link not in clicks:
                clicks[link] = clicks[url] + 1
                waiting.append(link)
    return clicks
