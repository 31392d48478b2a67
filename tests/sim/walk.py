"""An independent visitor of the simulated web: regular expressions and the standard library only."""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import urljoin

from protego import Protego

from dowse.model import Request, Response
from dowse.sim import SiteTruth, World

_ANCHOR = re.compile(r'<a\s[^>]*?href="([^"]*)"', re.IGNORECASE)
_BASE = re.compile(r'<base href="?([^">]*)', re.IGNORECASE)


def get(world: World, url: str) -> Response:
    """Fetch a page that is there."""
    answer = world.answer(Request(url))
    assert isinstance(answer, Response), answer
    return answer


def find_links(page: Response) -> list[str]:
    """Return the addresses that a page links to."""
    text = page.body.decode("utf-8", "replace")
    base = _BASE.search(text)
    start = urljoin(page.url, base.group(1)) if base else page.url
    return [urljoin(start, href.replace("&amp;", "&")) for href in _ANCHOR.findall(text)]


def walk(world: World, truth: SiteTruth, depth: int = 99) -> Iterator[tuple[int, Response]]:
    """Visit a site breadth first, outside of its traps and of what robots.txt hides; gives depth and page."""
    robots = get(world, f"{truth.site}/robots.txt")
    rules = Protego.parse(robots.body.decode() if robots.status == 200 else "")
    waiting, seen = [(0, f"{truth.site}/")], {f"{truth.site}/"}
    while waiting:
        level, url = waiting.pop(0)
        page = get(world, url)
        if page.status != 200 or url in truth.missing:
            continue
        yield level, page
        for link in find_links(page) if level < depth else []:
            link = _outside_traps(link, truth)
            if link and link not in seen and rules.can_fetch(link, "dowse"):
                seen.add(link)
                waiting.append((level + 1, link))


def _outside_traps(link: str, truth: SiteTruth) -> str:
    """Return the address without its session; nothing for other sites and for traps."""
    if not link.startswith(f"{truth.site}/"):
        return ""
    for trap in truth.traps:
        if trap.kind == "session":
            link = re.sub(trap.pattern, "", link)
        elif re.search(trap.pattern, link):
            return ""
    return link
