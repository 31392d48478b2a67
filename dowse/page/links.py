"""The places a page leads to, with what is said about them and where they stand."""

from __future__ import annotations

from collections.abc import Container
from itertools import islice

from dowse.model import Link
from dowse.page.parser import COMMENT, DOCUMENT, Bounds, HtmlNode, TagPaths, Tree, attribute, descend
from dowse.page.text import collapse, read_words
from dowse.url import MAX_LENGTH, Base, same_site

MAX_LINKS = 5_000
MAX_TEXT = 200
MAX_SIDE = 60  # characters taken on each side of an anchor
MAX_REL = 100

_FRAMES = frozenset({"frame", "iframe"})
_LISTS = frozenset(
    {"li", "nav", "ul", "ol", "body", "html", DOCUMENT}
)  # beyond these the words speak of something else
_LEVELS = 3  # down into a neighbour
_SILENT = frozenset({"script", "style", "select", "textarea", "noscript", COMMENT})
_WINDOW = 100  # characters of a neighbouring text that are looked at
_LOOK_INTO = 8  # parts of a link that are searched for an image


def find_links(
    tree: Tree, base: Base, path_of: TagPaths, bounds: Bounds, known: Container[str]
) -> tuple[list[Link], list[str], list[int], list[HtmlNode]]:
    """Return the links of a page in their order, without those to known addresses; where all lead; which may be services; all elements.

    The plain cases are written out in the loop: a page has some fifty links, and every call
    made for each of them is seen in how many pages a second can be read.
    """
    links: list[Link] = []
    urls: list[str] = []
    elements: list[HtmlNode] = []
    services: list[int] = []
    anywhere, here = base.anywhere, base.here
    for element in tree.targets:
        href = element.attributes.get("href") or (_read_frame(element, base) if element.tag in _FRAMES else "")
        url = anywhere.get(href) or here.get(href)
        if url is None or len(urls) >= MAX_LINKS:
            if not href or href[0] == "#":  # a place on this same page, or none
                continue
            if len(urls) >= MAX_LINKS or len(href) > MAX_LENGTH:
                bounds.drop("links")
                continue
            url = base.resolve(href)
            if url is None:
                continue
        urls.append(url)
        elements.append(element)
        if url in known:
            continue
        text = read_words(element, MAX_TEXT) or _spoken_text(element)
        rel = attribute(element, "rel")
        nearby = _nearby(element)
        if (
            "api" in href
            or "oai" in href
            or "swagger" in href
            or ("=" in href and ("verb=" in href or "operation=" in href))
        ):
            services.append(len(links))
        links.append(Link(url, text, nearby, rel.lower()[:MAX_REL] if rel else "", path_of(element), len(urls) - 1))
    return links, urls, services, elements


def _read_frame(element: HtmlNode, base: Base) -> str:
    """Return where a frame leads; frames are places to go only within their site."""
    source = attribute(element, "src")
    if not source or len(source) > MAX_LENGTH:
        return ""
    url = base.resolve(source)
    return url if url and same_site(url, base.url) else ""


def _spoken_text(element: HtmlNode) -> str:
    """Return what a screen reader would say for a link without words."""
    images = (attribute(part, "alt") for part in islice(descend(element), _LOOK_INTO) if part.tag == "img")
    said = (*images, *(attribute(element, name) for name in ("alt", "title", "aria-label")))
    return next((collapse(words, MAX_TEXT) for words in said if words and words.strip()), "")


def _nearby(element: HtmlNode) -> str:
    """Return the words beside an anchor; in a cell or heading of its own, those beside that."""
    left, right = element.prev, element.next
    if left is not None or right is not None:
        before = (left.text_content or "")[-MAX_SIDE:] if left is not None else ""
        after = (right.text_content or "")[:MAX_SIDE] if right is not None else ""
        words = f"{before} {after}".split()
        if words:
            return " ".join(words)
    parent = element.parent
    return "" if parent is None or parent.tag in _LISTS else _beside(parent)


def _beside(element: HtmlNode) -> str:
    """Return the words on both sides of what holds an anchor."""
    left, right = element.prev, element.next
    if left is not None and left.is_text_node:
        before = collapse((left.text_content or "")[-_WINDOW:], _WINDOW) or _first_words(left.prev)
    else:
        before = _first_words(left)
    if right is not None and right.is_text_node:
        after = collapse((right.text_content or "")[:_WINDOW], _WINDOW) or _first_words(right.next)
    else:
        after = _first_words(right)
    return f"{before[-MAX_SIDE:]} {after[:MAX_SIDE]}".strip() if before or after else ""


def _first_words(part: HtmlNode | None) -> str:
    """Return the words an element begins with; beside an anchor itself it most often is another anchor."""
    for _ in range(_LEVELS):
        if part is None or part.tag in _SILENT:
            return ""
        part = part.first_child
        if part is not None and part.is_text_node:
            words = collapse((part.text_content or "")[:_WINDOW], _WINDOW)
            if words:
                return words
            part = part.next
    return ""
