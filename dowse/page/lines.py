"""The lines of a page that have links, as a text browser shows them, from one walk over its tree.

What `lynx -dump` does, without a child process: blocks and rows begin lines, words wrap, cells of a
row follow each other. Two things are as a person sees them and lynx does not: the parts that HTML 5
named (nav, section ...) begin lines, and words for browsers without scripts are not shown. What a
style hides is shown, as in lynx: a menu that opens under the mouse is written like that.

Of blocks without links, which most of a page is, only this is of interest: whether words part the links above from
those below.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from dowse.page.sheet import BLANK, FLOWING, LETTER, WRITTEN, Line, Piece, set_lines

WIDTH = 80  # columns
MAX_PARTS = 50_000  # tags and texts of a page that are walked
MAX_DEPTH = (
    250  # of tags; what stands deeper is left out; each takes up to three of the thousand calls that may be open
)
MAX_LINES = 20_000
MAX_LEVELS = 6  # deeper lists stand no further to the right
MAX_NAME = 40  # columns of an image that has no words

_MARGIN = 3  # columns left of plain text
_RIGHT = 6  # and right of it
_LEAST_ROOM = 20  # columns, whatever the width and the indents
_FIELD = 20  # columns of a text field
_TICK = 3  # columns of a box to tick
_BUTTONS = {"submit": "Submit", "reset": "Reset", "button": "Button"}
_WORDS = Line((), 1, 0)


class _Walk:
    """What stands since the last break, and what is open around it."""

    __slots__ = (
        "alone", "flow", "holding", "in_anchor", "left", "lines", "links", "parts_left", "pieces", "places", "text_type",
        "waiting", "width",
    )  # fmt: skip

    def __init__(self, places: Mapping[Any, int], text_type: type[Any], width: int) -> None:
        self.lines: list[Line] = []
        self.alone = False  # whether the last line is one link, so that words below it end a column
        self.pieces: list[Piece] = []
        self.links = 0  # that begin in the pieces
        self.places = places
        self.holding = _find_holding(places)
        self.text_type = text_type
        self.width = width
        self.left = _MARGIN
        self.parts_left = MAX_PARTS
        self.flow = FLOWING  # or as it is written, where that is so
        self.in_anchor = False
        self.waiting: int | None = None  # the place of a link of which nothing stands yet

    def walk(self, element: Any, depth: int) -> None:
        """Take in what stands in an element; the plain cases are written out, for a page has some thousand parts."""
        most = self.parts_left // 2 if depth else 0  # half is kept for what stands in them
        parts = element.children[:most]
        self.parts_left -= len(parts)
        text_type, pieces, depth = self.text_type, self.pieces, depth - 1
        for part in parts:
            if type(part) is text_type:
                text = part.text
                if not text.isspace():
                    self.add(text, self.flow)
                elif self.flow == FLOWING and "\xa0" not in text:
                    pieces.append(BLANK)
                else:
                    pieces.append((text, self.flow, False, None))
                continue
            tag = getattr(part, "tag", "")
            take = _TAKES.get(tag)
            if take is not None:
                take(self, part, depth)
            elif tag:  # a comment has none
                self.walk(part, depth)

    def take_block(self, part: Any, depth: int) -> None:
        """Take in what has lines of its own."""
        if self.links or self.alone:
            self.end_line()
        else:
            self.pieces.clear()
        if part in self.holding or self.in_anchor or (self.alone and not self._is_clear(part)):
            self.walk(part, depth)
            if self.pieces:
                self.end_line()

    def take_anchor(self, part: Any, depth: int) -> None:
        """Take in a link; one that leads to no other page is an anchor all the same to who looks at it."""
        self.waiting = self.places.get(part)
        self.in_anchor = self.waiting is not None or part.attr("href") is not None
        self.walk(part, depth)
        self.in_anchor = False
        self.waiting = None

    def take_cell(self, part: Any, depth: int) -> None:
        """Take in what stands in a line with others, with blanks between them."""
        self.pieces.append(BLANK)
        self.walk(part, depth)
        self.pieces.append(BLANK)

    def take_preformatted(self, part: Any, depth: int) -> None:
        """Take in what has its own line breaks."""
        self.end_line()
        self.flow = WRITTEN
        self.take_block(part, depth)
        self.flow = FLOWING

    def _is_clear(self, part: Any) -> bool:
        """Say whether it is clear without a walk if a block without links has words; where it has, they end a column."""
        for below in part.descendants:
            if type(below) is self.text_type:
                if LETTER.search(below.text):
                    self._end_column()
                    return True
            elif getattr(below, "tag", "") in _TELLING:
                return False
        return True

    def add(self, text: str, columns: int) -> None:
        """Add what has something to show, with the link that begins with it."""
        self.pieces.append((text, columns, self.in_anchor, self.waiting))
        if self.waiting is not None:
            self.links += 1
            self.waiting = None

    def add_text(self, text: str) -> None:
        """Add a text, whatever it has."""
        if text.strip():
            self.add(text, self.flow)
        else:
            self.pieces.append((text, self.flow, False, None))

    def end_line(self) -> None:
        """Make lines of the pieces; without a link they only may end a column."""
        pieces = self.pieces
        if self.links:
            for line in set_lines(pieces, self._room()):
                places, words, anchor_words = line
                if places or words != anchor_words:  # else it is the rest of an anchor
                    self.alone = words == anchor_words and len(places) == 1
                if len(self.lines) < MAX_LINES:
                    self.lines.append(line)
            self.links = 0
        elif self.alone and any(LETTER.search(piece[0]) for piece in pieces if not piece[2]):
            self._end_column()
        pieces.clear()

    def _end_column(self) -> None:
        if len(self.lines) < MAX_LINES:
            self.lines.append(_WORDS)
        self.alone = False

    def _room(self) -> int:
        """Return how many columns a line has."""
        left = max(min(self.left, _MARGIN + 5 * MAX_LEVELS), -_RIGHT)
        return max(self.width - _RIGHT - left, _LEAST_ROOM)


def lay_out(root: Any, places: Mapping[Any, int], text_type: type[Any], width: int = WIDTH) -> list[Line]:
    """Return the lines under an element that have links, and one wherever words without any end a column of links.

    `places` says which anchors are links, and how many stand before each.
    """
    walk = _Walk(places, text_type, width)
    walk.walk(root, MAX_DEPTH)
    walk.end_line()
    return walk.lines


def _find_holding(links: Iterable[Any]) -> set[Any]:
    """Return the links and all that they stand in."""
    holding: set[Any] = set()
    for above in links:
        while above is not None and above not in holding:
            holding.add(above)
            above = above.parent
    return holding


Take = Callable[[_Walk, Any, int], None]


def _leave_out(walk: _Walk, part: Any, depth: int) -> None:
    """Show nothing."""


def _end_line(walk: _Walk, part: Any, depth: int) -> None:
    walk.end_line()


def _indented(columns: int) -> Take:
    """Return how a block is taken in that stands further to the right."""

    def take(walk: _Walk, part: Any, depth: int) -> None:
        if walk.pieces:
            walk.end_line()
        walk.left += columns
        walk.take_block(part, depth)
        walk.left -= columns

    return take


def _show_image(walk: _Walk, part: Any, depth: int) -> None:
    """Show an image by its words, or by its name; a name is no word unless it is all that a link has."""
    words = part.attr("alt")
    if words is None:
        words = part.attr("title")
    if words is not None:
        walk.add_text(words)
    else:
        name = (part.attr("src") or "").rpartition("/")[2]
        walk.add(name if walk.in_anchor else "", min(len(name) + 2, MAX_NAME))


def _show_input(walk: _Walk, part: Any, depth: int) -> None:
    kind = (part.attr("type") or "text").lower()
    if kind in _BUTTONS:
        walk.add_text(f" {part.attr('value') or _BUTTONS[kind]} ")
    elif kind == "image":
        walk.add_text(f" {part.attr('alt') or 'Submit'} ")
    elif kind != "hidden":
        walk.add("x", _TICK if kind in ("checkbox", "radio") else _FIELD)


def _show_field(walk: _Walk, part: Any, depth: int) -> None:
    walk.add("x", _FIELD)


def _show_across(walk: _Walk, part: Any, depth: int) -> None:
    """Show a thing in a line of its own; a rule parts what stands above it from what stands below, as a word would."""
    walk.end_line()
    walk.add("x", _FIELD)
    walk.end_line()


def _show_button(walk: _Walk, part: Any, depth: int) -> None:
    walk.add("x", len("(BUTTON)"))
    walk.walk(part, depth)
    walk.pieces.append(BLANK)


_BLOCK_TAGS = (
    "address article aside body caption center details dialog dir div dl dt fieldset figcaption figure footer form header"
    " hgroup legend li main nav p search section summary table tr"
)
_UNSEEN_TAGS = "head script style noscript noframes template svg datalist iframe video audio canvas title"
_TAKES: dict[str, Take] = {  # all others only hold what stands in them
    **dict.fromkeys(_BLOCK_TAGS.split(), _Walk.take_block),
    **dict.fromkeys(_UNSEEN_TAGS.split(), _leave_out),
    **dict.fromkeys(("h1", "h2", "h3", "h4", "h5", "h6"), _indented(-_MARGIN - _RIGHT)),
    **dict.fromkeys(("ul", "ol", "menu"), _indented(5)),
    "br": _end_line,
    **dict.fromkeys(("hr", "textarea"), _show_across),
    **dict.fromkeys(("td", "th"), _Walk.take_cell),
    **dict.fromkeys(("pre", "xmp", "listing", "plaintext"), _Walk.take_preformatted),
    "blockquote": _indented(3),
    "dd": _indented(7),
    "a": _Walk.take_anchor,
    "img": _show_image,
    "input": _show_input,
    "button": _show_button,
    "select": _show_field,
}
_SHOWN = frozenset(("a", "img", "input", "button", "select", "hr", "textarea"))
_TELLING = _SHOWN | frozenset(_UNSEEN_TAGS.split())  # tags whose texts alone do not tell whether there are words
