"""The lines of a page as a text browser shows them, from one walk over its tree.

What `lynx -dump` does, without a child process: blocks and rows begin lines, words wrap, cells of a
row follow each other. Two things are as a person sees them and lynx does not: the parts that HTML 5
named (nav, section ...) begin lines, and words for browsers without scripts are not shown. What a
style hides is shown, as in lynx: a menu that opens under the mouse is written like that.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from itertools import islice
from typing import Any, NamedTuple

WIDTH = 80  # columns
MAX_PARTS = 50_000  # tags and texts of a page that are walked
MAX_LINES = 20_000
MAX_LEVELS = 6  # deeper lists stand no further to the right
MAX_NAME = 40  # columns of an image that has no words

_MARGIN = 3  # columns left of plain text
_RIGHT = 6  # and right of it
_LEAST_ROOM = 20  # columns, whatever the width and the indents
_FIELD = 20  # columns of a text field
_TICK = 3  # columns of a box to tick
_BUTTONS = {"submit": "Submit", "reset": "Reset", "button": "Button"}
_LETTER = re.compile(r"[^\W_]")


class Line(NamedTuple):
    """One line of a page: what begins on it, and how many words it has."""

    places: tuple[int, ...] = ()  # of the links that begin on it
    words: int = 0
    anchor_words: int = 0  # of the words, those of anchors


class _Sheet:
    """The lines that are full, the one that is being written, and what is open around it."""

    def __init__(self, places: Mapping[Any, int], width: int) -> None:
        self.lines: list[Line] = []
        self.places_of = places
        self.width = width
        self.left = 0
        self.room = 0
        self.indent(_MARGIN)
        self.column = 0  # columns of the line that are written, without its indent
        self.space = False  # a blank stands before what comes next
        self.unseen = False
        self.preformatted = False
        self.in_anchor = False
        self.waiting: int | None = None  # the place of a link of which nothing is written yet
        self.places: list[int] = []
        self.words = 0
        self.anchor_words = 0

    def indent(self, columns: int) -> None:
        """Move the left border; to the left when negative."""
        self.left += columns
        self.room = max(self.width - _RIGHT - min(self.left, _MARGIN + 5 * MAX_LEVELS), _LEAST_ROOM)

    def end_line(self, _: Any = None) -> None:
        """Go to a new line; one without words and links says nothing, and is left out."""
        if self.words or self.places:
            if len(self.lines) < MAX_LINES:
                self.lines.append(Line(tuple(self.places), self.words, self.anchor_words))
            self.places = []
            self.words = self.anchor_words = 0
        self.column = 0
        self.space = False

    def part_words(self, _: Any = None) -> None:
        """Let a blank stand before what comes next."""
        self.space = True

    def write(self, text: str) -> None:
        """Write a text where the last one ended, over as many lines as it takes."""
        line = " ".join(text.split())
        if not line:
            self.space = True
            return
        gap = 1 if self.column and (self.space or text[0] != line[0]) else 0
        if self.column + gap + len(line) <= self.room:
            self._add(line, gap)
        else:
            self._wrap(line, gap)
        self.space = text[-1] != line[-1]

    def write_lines(self, text: str) -> None:
        """Write a text that has its own line breaks."""
        for number, line in enumerate(text.split("\n")):
            if number:
                self.end_line()
            words = " ".join(line.split())
            if words:
                self._add(words, 1)

    def fill(self, columns: int, words: int = 1) -> None:
        """Put a thing on the line that is no text: a control, an image."""
        if self.column + columns >= self.room:
            self.end_line()
        self._put(columns + 1, words)
        self.space = True

    def _wrap(self, line: str, gap: int) -> None:
        """Write a line that is too long for what is left of this one."""
        start, room = 0, self.room - self.column - gap
        while len(line) - start > room:
            cut = line.rfind(" ", start, start + room + 1) if room > 0 else -1
            if cut < 0 and not self.column:  # a word that is longer than a line
                cut = line.find(" ", start)
                if cut < 0:
                    break
            if cut >= 0:
                self._add(line[start:cut], gap)
                start = cut + 1
            self.end_line()
            gap, room = 0, self.room
        self._add(line[start:], gap)

    def _add(self, words: str, gap: int) -> None:
        """Write words that stand on this line; signs without any letter are none."""
        self._put(gap + len(words), words.count(" ") + 1 if _LETTER.search(words) else 0)

    def _put(self, columns: int, words: int) -> None:
        """Note what is written on this line, and the link that begins with it."""
        self.column += columns
        self.words += words
        if self.in_anchor:
            self.anchor_words += words
            if self.waiting is not None:
                self.places.append(self.waiting)
                self.waiting = None


Act = Callable[[_Sheet, Any], None]


def lay_out(root: Any, places: Mapping[Any, int], text_type: type[Any], width: int = WIDTH) -> list[Line]:
    """Return the lines under an element; `places` says which anchors are links, and how many stand before each."""
    sheet = _Sheet(places, width)
    above, ends = [root], [_leave]
    for part in islice(root.descendants, MAX_PARTS):
        parent = part.parent
        while above[-1] is not parent and len(above) > 1 and above[-1] != parent:
            above.pop()
            ends.pop()(sheet, None)
        if type(part) is not text_type:
            above.append(part)
            ends.append(_begin(sheet, part))
        elif not sheet.unseen:
            (sheet.write_lines if sheet.preformatted else sheet.write)(part.text)
    sheet.end_line()
    return sheet.lines


def _begin(sheet: _Sheet, part: Any) -> Act:
    """Do what the beginning of a tag asks for, and return what its end will."""
    acts = _ACTS.get(getattr(part, "tag", ""))  # a comment has none
    if acts is None or sheet.unseen:
        return _leave
    acts[0](sheet, part)
    return acts[1]


def _leave(sheet: _Sheet, part: Any) -> None:
    """Do nothing: most tags only mark words."""


def _hide(sheet: _Sheet, part: Any) -> None:
    sheet.unseen = True


def _show(sheet: _Sheet, part: Any) -> None:
    sheet.unseen = False


def _open_anchor(sheet: _Sheet, part: Any) -> None:
    """Begin a link; one that leads to no other page is an anchor all the same to who looks at it."""
    sheet.waiting = sheet.places_of.get(part)
    sheet.in_anchor = sheet.waiting is not None or part.attr("href") is not None


def _close_anchor(sheet: _Sheet, part: Any) -> None:
    sheet.in_anchor = False
    sheet.waiting = None


def _open_pre(sheet: _Sheet, part: Any) -> None:
    sheet.end_line()
    sheet.preformatted = True


def _close_pre(sheet: _Sheet, part: Any) -> None:
    sheet.end_line()
    sheet.preformatted = False


def _indented(columns: int) -> tuple[Act, Act]:
    """Return how a block begins and ends that stands further to the right."""

    def begin(sheet: _Sheet, part: Any) -> None:
        sheet.end_line()
        sheet.indent(columns)

    def end(sheet: _Sheet, part: Any) -> None:
        sheet.end_line()
        sheet.indent(-columns)

    return begin, end


def _show_image(sheet: _Sheet, part: Any) -> None:
    """Show an image by its words, or by its name; a name is no word unless it is all that a link has."""
    words = part.attr("alt")
    if words is None:
        words = part.attr("title")
    if words is not None:
        sheet.write(words)
    else:
        name = (part.attr("src") or "").rpartition("/")[2]
        sheet.fill(min(len(name) + 2, MAX_NAME), 1 if sheet.in_anchor else 0)


def _show_input(sheet: _Sheet, part: Any) -> None:
    kind = (part.attr("type") or "text").lower()
    if kind in _BUTTONS:
        sheet.write(f" {part.attr('value') or _BUTTONS[kind]} ")
    elif kind == "image":
        sheet.write(f" {part.attr('alt') or 'Submit'} ")
    elif kind != "hidden":
        sheet.fill(_TICK if kind in ("checkbox", "radio") else _FIELD)


def _draw_rule(sheet: _Sheet, part: Any) -> None:
    """Draw a line across; it parts what stands above it from what stands below, as a word would."""
    sheet.end_line()
    sheet.fill(_FIELD)
    sheet.end_line()


def _show_button(sheet: _Sheet, part: Any) -> None:
    sheet.fill(len("(BUTTON)"))


def _show_select(sheet: _Sheet, part: Any) -> None:
    sheet.fill(_FIELD)
    sheet.unseen = True


def _show_textarea(sheet: _Sheet, part: Any) -> None:
    sheet.end_line()
    sheet.fill(_FIELD)
    sheet.end_line()
    sheet.unseen = True


_BLOCK: tuple[Act, Act] = (_Sheet.end_line, _Sheet.end_line)
_CELL: tuple[Act, Act] = (_Sheet.part_words, _Sheet.part_words)
_BLOCK_TAGS = (
    "address article aside body caption center details dialog dir div dl dt fieldset figcaption figure footer form header"
    " hgroup legend li main nav p search section summary table tr"
)
_UNSEEN_TAGS = "head script style noscript noframes template svg datalist iframe object video audio canvas title"
_ACTS: dict[str, tuple[Act, Act]] = {
    **dict.fromkeys(_BLOCK_TAGS.split(), _BLOCK),
    **dict.fromkeys(_UNSEEN_TAGS.split(), (_hide, _show)),
    **dict.fromkeys(("h1", "h2", "h3", "h4", "h5", "h6"), _indented(-_MARGIN - _RIGHT)),
    **dict.fromkeys(("ul", "ol", "menu"), _indented(5)),
    "br": (_Sheet.end_line, _leave),
    "hr": (_draw_rule, _leave),
    **dict.fromkeys(("td", "th"), _CELL),
    **dict.fromkeys(("pre", "xmp", "listing", "plaintext"), (_open_pre, _close_pre)),
    "blockquote": _indented(3),
    "dd": _indented(7),
    "a": (_open_anchor, _close_anchor),
    "img": (_show_image, _leave),
    "input": (_show_input, _leave),
    "button": (_show_button, _Sheet.part_words),
    "select": (_show_select, _show),
    "textarea": (_show_textarea, _show),
}
