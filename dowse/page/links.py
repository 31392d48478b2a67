"""The places a page leads to, with what is said about them and where they stand."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from typing import Any

from dowse.model import Familiar, Link
from dowse.page.bounds import Bounds
from dowse.page.html import Element, Tree
from dowse.page.path import TagPath
from dowse.page.text import collapse, first_part, read_words
from dowse.url import MAX_LENGTH, Base, same_site

MAX_LINKS = 5_000
MAX_TEXT = 200
MAX_SIDE = 60  # characters taken on each side of an anchor
MAX_REL = 100

_TAGS = ("a", "area", "frame", "iframe")
_FRAMES = frozenset({"frame", "iframe"})
_WITHIN_PAGE = "?# \t\n\f\r"  # what begins with these leads elsewhere from each page of a folder
_LISTS = frozenset({"li", "nav", "ul", "ol", "body", "html"})  # beyond these the words speak of something else
_LEVELS = 3  # down into a neighbour
_SILENT = frozenset({"script", "style", "select", "textarea", "noscript"})
_WINDOW = 100  # characters of a neighbouring text that are looked at
_LOOK_INTO = 8  # parts of a link that are searched for an image


def find_links(
    tree: Tree, base: Base, path_of: TagPath, text_type: type[Any], bounds: Bounds, familiar: Familiar
) -> tuple[list[Link], list[str], list[int], list[Element]]:
    """Return the links of a page in their order, without the familiar ones; where all lead; which may be services; all elements.

    The plain cases are written out in the loop: a page has some fifty links, and every call
    made for each of them is seen in how many pages a second can be read.
    """
    links: list[Link] = []
    urls: list[str] = []
    elements: list[Element] = []
    services: list[int] = []
    anywhere, here = (familiar.hrefs.setdefault(folder, {}) for folder in ("/", base.folder))
    for element, href in _find_targets(tree, base):
        if not href or href[0] == "#":  # a place on this same page, or none
            continue
        if len(urls) >= MAX_LINKS or len(href) > MAX_LENGTH:
            bounds.drop("links")
            continue
        url = anywhere.get(href) or here.get(href)
        if url:
            urls.append(url)
            elements.append(element)
            continue
        url = base.resolve(href)
        if url is None:
            continue
        urls.append(url)
        elements.append(element)
        if url in familiar.links:
            _remember(href, url, anywhere, here)
            continue
        text = read_words(element, text_type, MAX_TEXT) or _spoken_text(element)
        rel = element.attr("rel")
        nearby = _nearby(element, element.parent, text_type)
        if (
            "api" in href
            or "oai" in href
            or "swagger" in href
            or ("=" in href and ("verb=" in href or "operation=" in href))
        ):
            services.append(len(links))
        links.append(Link(url, text, nearby, rel.lower()[:MAX_REL] if rel else "", path_of(element), len(urls) - 1))
    return links, urls, services, elements


def _remember(href: str, url: str, anywhere: dict[str, str], here: dict[str, str]) -> None:
    """Note a reference to a familiar address: from all pages of a site, or from those of one folder."""
    hrefs = anywhere if href[0] == "/" or href.startswith("http") else here
    if href[0] not in _WITHIN_PAGE and len(hrefs) < MAX_LINKS:
        hrefs[href] = url


def _find_targets(tree: Tree, base: Base) -> Iterable[tuple[Element, str | None]]:
    """Find what can be a link, and where it points; anchors alone are found ten times faster than several tags in order."""
    if any(tree.find_all(tag) for tag in _TAGS[1:]):
        return [(element, _read_target(element, base)) for element in tree.iter_elements(_TAGS)]
    return [(element, element.attr("href")) for element in tree.find_all("a")]


def _read_target(element: Element, base: Base) -> str | None:
    """Return where an element points; frames are places to go only within their site."""
    if element.tag not in _FRAMES:
        return element.attr("href")
    source = element.attr("src")
    if not source or len(source) > MAX_LENGTH:
        return None
    url = base.resolve(source)
    return url if url and same_site(url, base.url) else None


def _spoken_text(element: Element) -> str:
    """Return what a screen reader would say for a link without words."""
    images = (part.attr("alt") for part in islice(element.descendants, _LOOK_INTO) if getattr(part, "tag", "") == "img")
    said = (*images, *(element.attr(name) for name in ("alt", "title", "aria-label")))
    return next((collapse(words, MAX_TEXT) for words in said if words and words.strip()), "")


def _nearby(element: Any, parent: Any, text_type: type[Any]) -> str:
    """Return the words beside an anchor; in a cell or heading of its own, those beside that."""
    left, right = element.previous_sibling, element.next_sibling
    if left is not None or right is not None:
        before = left.text[-MAX_SIDE:] if type(left) is text_type else ""
        after = right.text[:MAX_SIDE] if type(right) is text_type else ""
        words = f"{before} {after}".split()
        if words:
            return " ".join(words)
    return "" if parent.tag in _LISTS or parent.parent is None else _beside(parent, text_type)


def _beside(element: Any, text_type: type[Any]) -> str:
    """Return the words on both sides of what holds an anchor."""
    before = _side(element.previous_sibling, text_type, "previous_sibling")
    after = _side(element.next_sibling, text_type, "next_sibling")
    return f"{before[-MAX_SIDE:]} {after[:MAX_SIDE]}".strip() if before or after else ""


def _side(sibling: Any, text_type: type[Any], onward: str) -> str:
    """Return the words of a neighbour, over the blanks between tags."""
    if type(sibling) is text_type:
        text = sibling.text
        words = (text[-_WINDOW:] if onward == "previous_sibling" else text[:_WINDOW]).split()
        if words:
            return " ".join(words)
        sibling = getattr(sibling, onward)
    return _first_words(sibling, text_type) if sibling is not None else ""


def _first_words(element: Any, text_type: type[Any]) -> str:
    """Return the words an element begins with; beside an anchor itself it most often is another anchor."""
    part = element
    for _ in range(_LEVELS):
        if getattr(part, "tag", "script") in _SILENT:  # a comment has no tag
            return ""
        part = first_part(part)
        if type(part) is text_type:
            words = part.text[:_WINDOW].split()
            if words:
                return " ".join(words)
            part = part.next_sibling
        if part is None:
            return ""
    return ""
