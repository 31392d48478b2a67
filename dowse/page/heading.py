"""What stands over a form: a heading in it before the first control, or just before it."""

from __future__ import annotations

from itertools import islice

from dowse.page.parser import DOCUMENT, HtmlNode, attribute, descend
from dowse.page.text import read_words

MAX_WORDS = 200  # characters
MAX_INSIDE = 16  # tags and texts in a form before its heading
MAX_BEFORE = 6  # tags and texts between a heading and the form under it
MAX_UP = 3  # elements around a form that may stand under a heading
HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6", "legend", "caption"})
_BOLD = frozenset({"strong", "b"})
_CONTROLS = frozenset({"input", "select", "textarea", "button"})
_HOLDERS = frozenset({"div", "header", "p", "center", "td", "hgroup"})


def find_heading(form: HtmlNode) -> str:
    """Return the heading of a form, or nothing."""
    return _find_inside(form) or _find_before(form)


def _find_inside(form: HtmlNode) -> str:
    for part in islice(descend(form), MAX_INSIDE):
        tag = part.tag
        if tag in HEADINGS:
            return read_words(part, MAX_WORDS)
        if tag in _CONTROLS and attribute(part, "type") != "hidden":
            return ""
    return ""


def _find_before(form: HtmlNode) -> str:
    place = form
    for _ in range(MAX_UP):
        before = place.prev
        for _ in range(MAX_BEFORE):
            if before is None:
                break
            if _heads(before):
                return read_words(before, MAX_WORDS)
            before = before.prev
        if place.parent is None or place.parent.tag in ("body", "html", "form", DOCUMENT):
            return ""
        place = place.parent
    return ""


def _heads(part: HtmlNode) -> bool:
    """Say whether an element is a heading, a line of bold words, or holds one and little else."""
    tag = part.tag
    if tag in HEADINGS or tag in _BOLD:
        return True
    if tag not in _HOLDERS:
        return False
    inside = [each.tag for each in islice(descend(part), 3)]
    return any(each in HEADINGS or each in _BOLD for each in inside)
