"""Which form a control belongs to, by the rule of browsers.

The HTML standard's parser keeps a *form element pointer*: a control belongs to the form
that was opened before it in the source and not yet closed, wherever the finished tree puts
either of them (a form inside a table is left empty, its fields stand beside it). Where no
form is open, the nearest form above the control owns it; a `form` attribute outranks both.
"""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Iterator, Sequence
from itertools import islice

from dowse.page.parser import HtmlNode, Tree, attribute
from dowse.page.path import MAX_CLIMB

MAX_ENDS = 2_000  # closing tags looked at
MAX_TAGS = 20_000  # of forms and controls

# What stands in comments, scripts and the like is no tag; they are jumped over, since to look for the end of
# one letter by letter would take longer than to parse the page.
_NEXT = re.compile(
    r"<(?:(!--)|(script|style|textarea|title|xmp|iframe|noembed|noframes)(?=[\s/>])"
    r"|(/form)(?=[\s/>])|(form)(?=[\s/>])|(?:input|select|button)(?=[\s/>]))",
    re.IGNORECASE | re.ASCII,
)
_COMMENT_END = re.compile(r"--!?>")
_PLACED = re.compile(r"<(?:form|input|select|textarea|button)(?=[\s/>])", re.IGNORECASE | re.ASCII)
_AT = "data-dowse-at"

FormAndLabel = tuple[
    int, HtmlNode | None
]  # the number of the form above an element, or -1; the label above it, or None


class Above:
    """The form and the label that stand above each control; siblings share one climb."""

    def __init__(self, forms: Sequence[HtmlNode]) -> None:
        self._forms = {form.mem_id: number for number, form in enumerate(forms)}
        self._known: dict[int, FormAndLabel] = {}

    def of(self, control: HtmlNode) -> FormAndLabel:
        """Return the number of the nearest form above a control, or -1, and the nearest label, or None."""
        parent = control.parent
        if parent is None:
            return -1, None
        return self._known.get(parent.mem_id) or self._climb(parent)

    def _climb(self, parent: HtmlNode) -> FormAndLabel:
        climbed: list[HtmlNode] = []
        found: FormAndLabel | None = None
        above: HtmlNode | None = parent
        while found is None and above is not None and len(climbed) < MAX_CLIMB:
            climbed.append(above)
            above = above.parent
            found = self._known.get(above.mem_id) if above is not None else None
        form, label = found or (-1, None)
        for element in reversed(climbed):
            form = self._forms.get(element.mem_id, form)
            if element.tag == "label":
                label = element
            self._known[element.mem_id] = form, label
        return form, label


def find_owners(tree: Tree, above: Sequence[int]) -> list[int]:
    """Return the number of each control's form, or -1, leaving `form` attributes aside.

    Above each control is the number of the nearest form, or -1. Where as many controls follow the
    start of a form in the source as stand in forms of the tree, the tree tells the truth.
    """
    known = set(above)
    full = len(known - {-1}) == len(tree.forms)  # no form is empty
    if not tree.forms or (full and -1 not in known):
        return list(above)
    ends, count = _look_through(tree.source)
    if full and count == sum(nearest >= 0 for nearest in above):
        return list(above)
    return _find_by_position(tree, above, ends, full)


def _find_by_position(tree: Tree, above: Sequence[int], ends: Sequence[int], full: bool) -> list[int]:
    positions = _find_positions(tree)
    starts = ((positions.get(form.mem_id, 0), number) for number, form in enumerate(tree.forms))
    events = sorted([*starts, *((end, -1) for end in ends)])
    places = [place for place, _ in events]
    owners = []
    for control, nearest in zip(tree.controls, above, strict=True):
        if full and nearest >= 0:
            owners.append(nearest)
            continue
        before = bisect(places, positions.get(control.mem_id, 0)) - 1
        opened = events[before][1] if before >= 0 else -1
        owners.append(nearest if opened < 0 else opened)
    return owners


def _find_positions(tree: Tree) -> dict[int, int]:
    """Return how many characters stand before each form and control.

    The parser does not tell. So the source is parsed again, with its place written into each tag
    that matters: the tree is the same but for these attributes.
    """
    marked = Tree(_PLACED.sub(lambda found: f"{found[0]} {_AT}={found.start()}", tree.source))
    if len(marked.asking) != len(tree.asking):
        return {}
    return {part.mem_id: int(attribute(twin, _AT) or 0) for part, twin in zip(tree.asking, marked.asking, strict=True)}


def find_form_ends(source: str) -> list[int]:
    """Return how many characters stand before each closing form tag."""
    return _look_through(source)[0]


def _look_through(source: str) -> tuple[list[int], int]:
    """Return where forms end, and how many controls stand between the start of a form and its end."""
    ends: list[int] = []
    count, opened = 0, False
    for place, tag in islice(_find_asking(source), MAX_TAGS):
        if tag == "/form":
            opened = False
            ends.append(place)
        elif tag == "form":
            opened = True
        else:
            count += opened
    return ends[:MAX_ENDS], count


def _find_asking(source: str) -> Iterator[tuple[int, str]]:
    """Yield where forms begin and end and controls begin; what finds no end takes all the rest, so that the source is read once."""
    place = 0
    while found := _NEXT.search(source, place):
        place = found.end()
        raw = (found[2] or "").lower()
        if not found[1] and (not raw or raw == "textarea"):
            yield found.start(), (found[3] or found[4] or "control").lower()
        if raw:
            end = re.compile(f"</{raw}", re.IGNORECASE | re.ASCII).search(source, place)
            place = end.start() if end else -1
        elif found[1] and source[place : place + 1] != ">" and source[place : place + 2] != "->":
            end = _COMMENT_END.search(source, place)
            place = end.end() if end else -1
        if place < 0:
            return
