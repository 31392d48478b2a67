"""An independent visitor of the simulated web: the standard library, and nothing of how Dowse reads pages."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from urllib.parse import urldefrag, urljoin

from protego import Protego

from dowse.model import Request, Response
from dowse.sim import SiteTruth, World


class _Reader(HTMLParser):
    """Collects what the start tags of a page say."""

    def __init__(self) -> None:
        super().__init__()
        self.base = ""
        self.hrefs: list[str] = []
        self.forms: list[dict[str, str]] = []
        self.controls: list[tuple[int, str, dict[str, str]]] = []  # the form it stands in (-1: none), tag, attributes
        self.inside = -1

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in reversed(attrs)}
        if tag == "a" and "href" in given:
            self.hrefs.append(given["href"])
        elif tag == "base" and not self.base:
            self.base = given.get("href", "")
        elif tag == "form":
            self.forms.append(given)
            self.inside = len(self.forms) - 1
        elif tag in ("input", "select", "textarea", "button") and given.get("name"):
            self.controls.append((self.inside, tag, given))

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self.inside = -1


def read(page: Response) -> _Reader:
    """Read a page by its tags."""
    reader = _Reader()
    reader.feed(page.body.decode(encoding_of(page), "replace"))
    return reader


def encoding_of(page: Response) -> str:
    """Return the encoding that a page says it has."""
    said = page.header("content-type").partition("charset=")[2]
    found = re.search(rb"charset=[\"']?([\w-]+)", page.body[:2000])
    return said or (found.group(1).decode() if found else "utf-8")


def get(world: World, url: str) -> Response:
    """Fetch a page that is there."""
    answer = world.answer(Request(url))
    assert isinstance(answer, Response), answer
    return answer


def find_links(page: Response) -> list[str]:
    """Return the addresses that a page links to."""
    reader = read(page)
    start = urljoin(page.url, reader.base)
    return [urldefrag(urljoin(start, href)).url for href in reader.hrefs]


def read_forms(page: Response) -> set[tuple[str, str, tuple[str, ...]]]:
    """Return method, action and names of each form, buttons aside; by form attribute, or by where a control stands."""
    reader = read(page)
    start = urljoin(page.url, reader.base)
    found = set()
    for place, form in enumerate(reader.forms):
        names = {
            given["name"]
            for inside, tag, given in reader.controls
            if (given["form"] == form.get("id") if given.get("form") else inside == place)
            and tag != "button"
            and given.get("type", "").lower() not in ("submit", "image", "reset", "button")
        }
        action = urljoin(start, form.get("action", ""))
        found.add((form.get("method", "get").upper(), action, tuple(sorted(names))))
    return found


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
            link = _follow(world, outside_traps(link, truth), truth)
            if link and link not in seen and rules.can_fetch(link, "dowse"):
                seen.add(link)
                waiting.append((level + 1, link))


def _follow(world: World, link: str, truth: SiteTruth) -> str:
    """Return where a link leads that only redirects."""
    if not truth.redirects or not link.startswith(truth.site + truth.redirects.partition("{n}")[0]):
        return link
    return urljoin(link, get(world, link).header("location"))


def outside_traps(link: str, truth: SiteTruth) -> str:
    """Return the address without its session; nothing for other sites and for traps."""
    if not link.startswith(f"{truth.site}/"):
        return ""
    for trap in truth.traps:
        if trap.kind == "session":
            link = re.sub(trap.pattern, "", link)
        elif re.search(trap.pattern, link):
            return ""
    return link
