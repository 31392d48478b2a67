"""Which form a control belongs to, by the rule of browsers.

The HTML standard's parser keeps a *form element pointer*: a control belongs to the form
that was opened before it in the source and not yet closed, wherever the finished tree puts
either of them (a form inside a table is left empty, its fields stand beside it). Where no
form is open, the nearest form above the control owns it; a `form` attribute outranks both.
"""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Any

from dowse.page.charset import decode
from dowse.page.html import Element, Position
from dowse.page.path import MAX_CLIMB

MAX_ENDS = 2_000  # closing tags looked at

# Closing tags in comments, scripts and the like close nothing; they are jumped over, since to look
# for the end of one letter by letter would take longer than to parse the page.
_NEXT = re.compile(rb"<(?:(!--)|(script|style|textarea|title|xmp|iframe|noembed|noframes)[\s/>]|(/form)[\s/>])")
_COMMENT_END = re.compile(rb"--!?>")

Found = tuple[int, Any]  # the number of the form above an element, or -1; the label above it, or None


class Above:
    """The form and the label that stand above each control; siblings share one climb."""

    def __init__(self, forms: Sequence[Element]) -> None:
        self._forms: dict[Any, int] = {form: number for number, form in enumerate(forms)}
        self._known: dict[Any, Found] = {}

    def of(self, control: Element) -> Found:
        """Return the nearest form and the nearest label above a control."""
        parent = control.parent
        found = self._known.get(parent)
        return self._climb(parent) if found is None else found

    def number(self, element: Element | None) -> int:
        """Return the number of a form, or -1 for what is none."""
        return self._forms.get(element, -1)

    def _climb(self, parent: Any) -> Found:
        climbed: list[Any] = []
        found: Found | None = None
        while found is None and len(climbed) < MAX_CLIMB:
            climbed.append(parent)
            parent = parent.parent
            found = (-1, None) if parent is None else self._known.get(parent)
        form, label = found or (-1, None)
        for element in reversed(climbed):
            form = self._forms.get(element, form)
            if element.parent is not None and element.tag == "label":
                label = element
            self._known[element] = form, label
        return form, label


def find_owners(
    controls: Sequence[Element], forms: Sequence[Element], above: Sequence[int], ends: Callable[[], list[Position]]
) -> list[int]:
    """Return the number of each control's form, or -1, leaving `form` attributes aside."""
    known = set(above)
    full = len(known - {-1}) == len(forms)  # no form is empty: of what stands inside one, the tree tells the truth
    if full and -1 not in known:
        return list(above)
    starts = [(form.position or (0, 0), number) for number, form in enumerate(forms)]
    if full and not _any_after(controls, above, starts):
        return list(above)
    events = sorted([*starts, *((end, -1) for end in ends())])
    places = [place for place, _ in events]
    owners = []
    for control, nearest in zip(controls, above, strict=True):
        if full and nearest >= 0:
            owners.append(nearest)
            continue
        before = bisect(places, control.position or (0, 0)) - 1
        opened = events[before][1] if before >= 0 else -1
        owners.append(nearest if opened < 0 else opened)
    return owners


def _any_after(controls: Sequence[Element], above: Sequence[int], starts: Sequence[tuple[Position, int]]) -> bool:
    """Say whether a control outside of all forms stands after the start of one, which may own it."""
    if not starts:
        return False
    first = min(starts)[0]
    outside = (control for control, nearest in zip(controls, above, strict=True) if nearest < 0)
    return any((control.position or (0, 0)) > first for control in outside)


def find_form_ends(body: bytes, encoding: str) -> list[Position]:
    """Return line and column of the closing form tags in a source."""
    if encoding.startswith("utf-16"):
        body, encoding = decode(body, encoding).encode(), "utf-8"
    source = body.lower()
    if b"\r" in source:
        source = source.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    ends = []
    line, column, seen = 1, 0, 0
    for place in islice(_find_closings(source), MAX_ENDS):
        line += source.count(b"\n", seen, place)
        start = source.rfind(b"\n", seen, place) + 1
        column = len(decode(source[start or seen : place], encoding)) + (0 if start else column)
        seen = place
        ends.append((line, column))
    return ends


def _find_closings(source: bytes) -> Iterator[int]:
    """Yield where closing form tags stand; what finds no end takes all the rest, so that the source is read once."""
    place = 0
    while found := _NEXT.search(source, place):
        place = found.end()
        if found[3]:
            yield found.start()
        elif found[2]:
            place = source.find(b"</" + found[2], place)
        elif source[place : place + 1] != b">" and source[place : place + 2] != b"->":
            end = _COMMENT_END.search(source, place)
            place = end.end() if end else -1
        if place < 0:
            return
