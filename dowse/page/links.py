"""The places a page leads to, with what is said about them and where they stand."""

from __future__ import annotations

from itertools import islice
from typing import Any

from dowse.model import Link
from dowse.page.bounds import Bounds
from dowse.page.html import Element, Tree
from dowse.page.path import TagPaths
from dowse.page.text import collapse, read_words
from dowse.url import MAX_LENGTH, resolve, site_of

MAX_LINKS = 5_000
MAX_TEXT = 200
MAX_SIDE = 60  # characters taken on each side of an anchor
MAX_REL = 100

_TAGS = ("a", "area", "frame", "iframe")
_FRAMES = frozenset({"frame", "iframe"})
_LISTS = frozenset({"li", "nav", "ul", "ol", "body", "html"})  # beyond these the words speak of something else
_LEVELS = 3
_LOOK_INTO = 12  # parts of a neighbour that are searched for words


def find_links(tree: Tree, base: str, paths: TagPaths, text_type: type[Any], bounds: Bounds) -> list[Link]:
    """Return the links of a page in their order."""
    links: list[Link] = []
    for element in _find_elements(tree):
        tag = element.tag
        href = element.attr("src" if tag in _FRAMES else "href")
        if not href or href[0] == "#":  # a place on this same page, or none
            continue
        if len(links) == MAX_LINKS or len(href) > MAX_LENGTH:
            bounds.drop("links")
            continue
        url = resolve(href, base)
        if url is None or (tag in _FRAMES and site_of(url) != site_of(base)):
            continue
        text = read_words(element, text_type, MAX_TEXT) or _spoken_text(element)
        rel = element.attr("rel")
        nearby = _nearby(element, text_type)
        links.append(Link(url, text, nearby, rel.lower()[:MAX_REL] if rel else "", paths.of(element), len(links)))
    return links


def _find_elements(tree: Tree) -> Any:
    """Find what can be a link; most pages have anchors only, which are found much faster alone."""
    if any(tree.find_all(tag) for tag in _TAGS[1:]):
        return tree.iter_elements(_TAGS)
    return tree.find_all("a")


def _spoken_text(element: Element) -> str:
    """Return what a screen reader would say for a link without words."""
    images = [image.attr("alt") for image in islice(element.find_all("img"), 3)]
    said = (*images, *(element.attr(name) for name in ("alt", "title", "aria-label")))
    return next((collapse(words, MAX_TEXT) for words in said if words and words.strip()), "")


def _nearby(element: Any, text_type: type[Any]) -> str:
    """Return the words beside an anchor; in a cell or heading of its own, those beside that."""
    for level in range(_LEVELS):
        before = _words_beside(element.previous_sibling, "previous_sibling", level, text_type)
        after = _words_beside(element.next_sibling, "next_sibling", level, text_type)
        if before or after:
            return f"{before[-MAX_SIDE:]} {after[:MAX_SIDE]}".strip()
        element = element.parent
        if element is None or element.parent is None or element.tag in _LISTS:
            break
    return ""


def _words_beside(sibling: Any, onwards: str, level: int, text_type: type[Any]) -> str:
    if sibling is None:
        return ""
    if type(sibling) is text_type:
        words = _clip(sibling.text, onwards)
        if words:
            return words
        sibling = getattr(sibling, onwards)
        if sibling is None:
            return ""
    return read_words(sibling, text_type, MAX_TEXT, _LOOK_INTO) if level and type(sibling) is not text_type else ""


def _clip(text: str, onwards: str) -> str:
    """Collapse the end of a text that is next to the anchor; the text may be a long one."""
    return " ".join((text[:400] if onwards == "next_sibling" else text[-400:]).split())
