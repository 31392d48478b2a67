"""The lines of a page as a text browser shows them, from one walk over its tree.

What `lynx -dump` does, without a child process: blocks and rows begin lines, words wrap, cells of a
row follow each other. Two things are as a person sees them and lynx does not: the parts that HTML 5
named (nav, section ...) begin lines, and words for browsers without scripts are not shown. What a
style hides is shown, as in lynx: a menu that opens under the mouse is written like that.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

WIDTH = 80  # columns
MAX_PARTS = 50_000  # tags and texts of a page that are walked
MAX_DEPTH = 400  # of tags; what stands deeper is left out
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

    __slots__ = (
        "anchor_words", "column", "in_anchor", "left", "lines", "parts_left", "places", "places_of", "preformatted",
        "room", "space", "waiting", "width", "words",
    )  # fmt: skip

    def __init__(self, places: Mapping[Any, int], width: int) -> None:
        self.lines: list[Line] = []
        self.places_of = places
        self.width = width
        self.left = 0
        self.room = 0
        self.indent(_MARGIN)
        self.column = 0  # columns of the line that are written, without its indent
        self.space = False  # a blank stands before what comes next
        self.parts_left = MAX_PARTS
        self.preformatted = False
        self.in_anchor = False
        self.waiting: int | None = None  # the place of a link of which nothing is written yet
        self.places: list[int] = []
        self.words = 0
        self.anchor_words = 0

    def indent(self, columns: int) -> None:
        """Move the left border; to the left when negative."""
        self.left += columns
        left = max(min(self.left, _MARGIN + 5 * MAX_LEVELS), -_RIGHT)
        self.room = max(self.width - _RIGHT - left, _LEAST_ROOM)

    def end_line(self, _: Any = None) -> None:
        """Go to a new line; one without words and links says nothing, and is left out."""
        self.space = False
        if not self.column:
            return
        self.column = 0
        if self.words or self.places:
            if len(self.lines) < MAX_LINES:
                self.lines.append(Line(tuple(self.places), self.words, self.anchor_words))
            self.places = []
            self.words = self.anchor_words = 0

    def part_words(self, _: Any = None) -> None:
        """Let a blank stand before what comes next."""
        self.space = True

    def write(self, text: str) -> None:
        """Write a text where the last one ended, over as many lines as it takes."""
        if self.preformatted:
            self._write_lines(text)
            return
        line = text.strip()
        if "\xa0" in text:  # blanks that do not break a line stand as many as they are
            self.column += text.count("\xa0")
            line = " ".join(line.split())
        elif "\n" in line or "  " in line or "\t" in line:
            line = " ".join(line.split())
        if not line:
            self.space = True
            return
        gap = 1 if self.column and (self.space or text[0] != line[0]) else 0
        if self.column + gap + len(line) <= self.room:
            self._put(gap + len(line), line)
        else:
            self._wrap(line, gap)
        self.space = text[-1] != line[-1]

    def _write_lines(self, text: str) -> None:
        """Write a text that has its own line breaks."""
        for number, line in enumerate(text.split("\n")):
            if number:
                self.end_line()
            words = " ".join(line.split())
            if words:
                self._put(len(line), words)

    def fill(self, columns: int, word: str = "x") -> None:
        """Put a thing on the line that is no text, a control or an image, and counts as a word."""
        if self.column + columns >= self.room:
            self.end_line()
        self._put(columns + 1, word)
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
                self._put(gap + cut - start, line[start:cut])
                start = cut + 1
            self.end_line()
            gap, room = 0, self.room
        self._put(gap + len(line) - start, line[start:])

    def _put(self, columns: int, text: str) -> None:
        """Note what is written on this line, and the link that begins with it; signs without any letter are no words."""
        self.column += columns
        words = text.count(" ") + 1 if text[:1].isalnum() or _LETTER.search(text) else 0
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
    _walk(root, sheet, text_type, MAX_DEPTH)
    sheet.end_line()
    return sheet.lines


def _walk(element: Any, sheet: _Sheet, text_type: type[Any], depth: int) -> None:
    """Write what stands in an element."""
    most = sheet.parts_left // 2 if depth else 0  # half is kept for what stands in them
    children = element.children[:most]
    sheet.parts_left -= len(children)
    for part in children:
        if type(part) is text_type:
            text = part.text
            if text.isspace() and "\xa0" not in text and not sheet.preformatted:
                sheet.space = True  # seven of ten texts are blanks between tags
            else:
                sheet.write(text)
            continue
        tag = getattr(part, "tag", "")
        acts = _ACTS.get(tag)
        if acts is None:
            if tag:  # a comment has none
                _walk(part, sheet, text_type, depth - 1)
            continue
        begin, end = acts
        begin(sheet, part)
        if end is not None:
            _walk(part, sheet, text_type, depth - 1)
            end(sheet, part)


def _leave_out(sheet: _Sheet, part: Any) -> None:
    """Show nothing."""


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


def _indented(columns: int) -> tuple[Act, Act | None]:
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
        sheet.fill(min(len(name) + 2, MAX_NAME), name if sheet.in_anchor else "")


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


def _show_textarea(sheet: _Sheet, part: Any) -> None:
    sheet.end_line()
    sheet.fill(_FIELD)
    sheet.end_line()


_BLOCK: tuple[Act, Act | None] = (_Sheet.end_line, _Sheet.end_line)
_CELL: tuple[Act, Act | None] = (_Sheet.part_words, _Sheet.part_words)
_BLOCK_TAGS = (
    "address article aside body caption center details dialog dir div dl dt fieldset figcaption figure footer form header"
    " hgroup legend li main nav p search section summary table tr"
)
_UNSEEN_TAGS = "head script style noscript noframes template svg datalist iframe video audio canvas title"
_ACTS: dict[str, tuple[Act, Act | None]] = {  # at its begin and its end; what has no end is not gone into
    **dict.fromkeys(_BLOCK_TAGS.split(), _BLOCK),
    **dict.fromkeys(_UNSEEN_TAGS.split(), (_leave_out, None)),
    **dict.fromkeys(("h1", "h2", "h3", "h4", "h5", "h6"), _indented(-_MARGIN - _RIGHT)),
    **dict.fromkeys(("ul", "ol", "menu"), _indented(5)),
    "br": (_Sheet.end_line, None),
    "hr": (_draw_rule, None),
    **dict.fromkeys(("td", "th"), _CELL),
    **dict.fromkeys(("pre", "xmp", "listing", "plaintext"), (_open_pre, _close_pre)),
    "blockquote": _indented(3),
    "dd": _indented(7),
    "a": (_open_anchor, _close_anchor),
    "img": (_show_image, None),
    "input": (_show_input, None),
    "button": (_show_button, _Sheet.part_words),
    "select": (_show_select, None),
    "textarea": (_show_textarea, None),
}
