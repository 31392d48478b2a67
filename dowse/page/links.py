"""The places a page leads to, with what is said about them and where they stand."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from typing import Any

from dowse.model import Link
from dowse.page.bounds import Bounds
from dowse.page.html import Element, Tree
from dowse.page.path import TagPaths
from dowse.page.text import collapse, first_part, read_words
from dowse.url import MAX_LENGTH, resolve, site_of

MAX_LINKS = 5_000
MAX_TEXT = 200
MAX_SIDE = 60  # characters taken on each side of an anchor
MAX_REL = 100

_TAGS = ("a", "area", "frame", "iframe")
_FRAMES = frozenset({"frame", "iframe"})
_LISTS = frozenset({"li", "nav", "ul", "ol", "body", "html"})  # beyond these the words speak of something else
_LEVELS = 3  # up from the anchor, and down into a neighbour
_SILENT = frozenset({"script", "style", "select", "textarea", "noscript"})
_WINDOW = 100  # characters of a neighbouring text that are looked at
_LOOK_INTO = 8  # parts of a link that are searched for an image


def find_links(tree: Tree, base: str, paths: TagPaths, text_type: type[Any], bounds: Bounds) -> list[Link]:
    """Return the links of a page in their order."""
    links: list[Link] = []
    for element in _find_elements(tree):
        href = _read_target(element, base)
        if not href or href[0] == "#":  # a place on this same page, or none
            continue
        if len(links) == MAX_LINKS or len(href) > MAX_LENGTH:
            bounds.drop("links")
            continue
        url = resolve(href, base)
        if url is None:
            continue
        text = read_words(element, text_type, MAX_TEXT) or _spoken_text(element)
        rel = element.attr("rel")
        parent = element.parent
        path = f"{paths.of(parent)}/{element.tag}"
        nearby = _nearby(element, parent, text_type)
        links.append(Link(url, text, nearby, rel.lower()[:MAX_REL] if rel else "", path, len(links)))
    return links


def _find_elements(tree: Tree) -> Iterable[Element]:
    """Find what can be a link; anchors alone are found ten times faster than several tags in their order."""
    if any(tree.find_all(tag) for tag in _TAGS[1:]):
        return tree.iter_elements(_TAGS)
    return tree.find_all("a")


def _read_target(element: Element, base: str) -> str | None:
    """Return where an element points; frames are places to go only within their site."""
    if element.tag not in _FRAMES:
        return element.attr("href")
    source = element.attr("src")
    if not source or len(source) > MAX_LENGTH:
        return None
    url = resolve(source, base)
    return url if url and site_of(url) == site_of(base) else None


def _spoken_text(element: Element) -> str:
    """Return what a screen reader would say for a link without words."""
    images = (part.attr("alt") for part in islice(element.descendants, _LOOK_INTO) if getattr(part, "tag", "") == "img")
    said = (*images, *(element.attr(name) for name in ("alt", "title", "aria-label")))
    return next((collapse(words, MAX_TEXT) for words in said if words and words.strip()), "")


def _nearby(element: Any, parent: Any, text_type: type[Any]) -> str:
    """Return the words beside an anchor; in a cell or heading of its own, those beside that."""
    for level in range(_LEVELS):
        left, right = element.previous_sibling, element.next_sibling
        before = _words_before(left, level, text_type) if left is not None else ""
        after = _words_after(right, level, text_type) if right is not None else ""
        if before or after:
            return f"{before} {after}".strip()
        if parent.tag in _LISTS or parent.parent is None:
            break
        element, parent = parent, parent.parent
    return ""


def _words_before(sibling: Any, level: int, text_type: type[Any]) -> str:
    if type(sibling) is text_type:
        words = sibling.text[-_WINDOW:].split()
        if words:
            return " ".join(words)[-MAX_SIDE:]
        sibling = sibling.previous_sibling
    return _first_words(sibling, text_type)[-MAX_SIDE:] if level and sibling is not None else ""


def _words_after(sibling: Any, level: int, text_type: type[Any]) -> str:
    if type(sibling) is text_type:
        words = sibling.text[:_WINDOW].split()
        if words:
            return " ".join(words)[:MAX_SIDE]
        sibling = sibling.next_sibling
    return _first_words(sibling, text_type)[:MAX_SIDE] if level and sibling is not None else ""


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
