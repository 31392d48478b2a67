"""What stands over a form: a heading in it before the first control, or just before it."""

from __future__ import annotations

from itertools import islice
from typing import Any

from dowse.page.text import read_words

MAX_WORDS = 200  # characters
MAX_INSIDE = 16  # tags and texts in a form before its heading
MAX_BEFORE = 6  # tags and texts between a heading and the form under it
MAX_UP = 3  # elements around a form that may stand under a heading
HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6", "legend", "caption"})
_BOLD = frozenset({"strong", "b"})
_CONTROLS = frozenset({"input", "select", "textarea", "button"})
_HOLDERS = frozenset({"div", "header", "p", "center", "td", "hgroup"})


def find_heading(form: Any, text_type: type[Any]) -> str:
    """Return the heading of a form, or nothing."""
    return _find_inside(form, text_type) or _find_before(form, text_type)


def _find_inside(form: Any, text_type: type[Any]) -> str:
    for part in islice(form.descendants, MAX_INSIDE):
        tag = getattr(part, "tag", "")
        if tag in HEADINGS:
            return read_words(part, text_type, MAX_WORDS)
        if tag in _CONTROLS and part.attr("type") != "hidden":
            return ""
    return ""


def _find_before(form: Any, text_type: type[Any]) -> str:
    place = form
    for _ in range(MAX_UP):
        before = place.previous_sibling
        for _ in range(MAX_BEFORE):
            if before is None:
                break
            if _heads(before):
                return read_words(before, text_type, MAX_WORDS)
            before = before.previous_sibling
        place = place.parent
        if place is None or getattr(place, "tag", "body") in ("body", "html", "form"):
            return ""
    return ""


def _heads(part: Any) -> bool:
    """Say whether an element is a heading, a line of bold words, or holds one and little else."""
    tag = getattr(part, "tag", "")
    if tag in HEADINGS or tag in _BOLD:
        return True
    if tag not in _HOLDERS:
        return False
    inside = [getattr(each, "tag", "") for each in islice(part.descendants, 3)]
    return any(each in HEADINGS or each in _BOLD for each in inside)
