"""The lines of a page that have links, as a text browser shows them, and the groups of links in them (paper 1, Fig. 11)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

from dowse.model import LinkGroup
from dowse.page.parser import COMMENT, TEXT, HtmlNode, attribute, descend

# --- sheet
# What stands between two breaks of a page, as the lines that a text browser makes of it.

REMEMBERED = 4_096  # short texts whose columns and words were counted
LETTER = re.compile(r"[^\W_]")
FLOWING, WRITTEN = -1, -2  # in place of columns: a text that wraps, one that has its own line breaks


class Line(NamedTuple):
    """One line of a page: what begins on it, and how many words it has."""

    places: tuple[int, ...] = ()  # of the links that begin on it
    words: int = 0
    anchor_words: int = 0  # of the words, those of anchors


# A text, or the word that a thing counts as that is no text; its columns; whether it stands in an anchor; the place
# of the link that begins with it. A plain tuple, for a page has some thousand of them.
Piece = tuple[str, int, bool, int | None]
BLANK: Piece = (" ", FLOWING, False, None)


def set_lines(pieces: Sequence[Piece], room: int) -> Sequence[Line]:
    """Return the lines that pieces make in so many columns."""
    line = _fit(pieces, room)
    return _Sheet(room).write(pieces) if line is None else (line,)


def _fit(pieces: Iterable[Piece], room: int) -> Line | None:
    """Return the one line that pieces make; None when they may take more."""
    words = anchor_words = 0
    places = []
    for piece in pieces:
        if piece is BLANK:
            room -= 1
            continue
        text, columns, in_anchor, place = piece
        if columns == WRITTEN or len(text) >= room:
            return None
        width, count = _measure(text) if columns == FLOWING else (columns + 2, _count(text))
        room -= width
        words += count
        if in_anchor:
            anchor_words += count
            if place is not None:
                places.append(place)
    return Line(tuple(places), words, anchor_words) if room > 0 else None


@lru_cache(REMEMBERED)
def _measure(text: str) -> tuple[int, int]:
    """Return the columns and the words of a text; those of a menu stand on every page of a site."""
    return len(text) + text.count("\xa0"), _count(_in_one_line(text))


def _in_one_line(text: str) -> str:
    line = text.strip()
    if "\n" in line or "  " in line or "\t" in line or "\xa0" in text:
        line = " ".join(line.split())
    return line


def _count(line: str) -> int:
    """Count words; signs without any letter are none."""
    return line.count(" ") + 1 if line[:1].isalnum() or LETTER.search(line) else 0


class _Sheet:
    """The lines that are full, and the one that is being written."""

    __slots__ = ("anchor_words", "column", "in_anchor", "lines", "places", "room", "space", "waiting", "words")

    def __init__(self, room: int) -> None:
        self.lines: list[Line] = []
        self.room = room
        self.column = 0  # columns of the line that are written, without its indent
        self.space = False  # a blank stands before what comes next
        self.in_anchor = False
        self.waiting: int | None = None  # the place of a link of which nothing is written yet
        self.places: list[int] = []
        self.words = 0
        self.anchor_words = 0

    def write(self, pieces: Iterable[Piece]) -> list[Line]:
        """Write pieces one after the other, over as many lines as they take."""
        for text, columns, self.in_anchor, self.waiting in pieces:
            if columns == FLOWING:
                self._flow(text)
            elif columns == WRITTEN:
                self._write_lines(text)
            else:
                self._fill(columns, text)
        self._end_line()
        return self.lines

    def _end_line(self) -> None:
        """Go to a new line; one without words and links says nothing, and is left out."""
        self.space = False
        if not self.column:
            return
        self.column = 0
        if self.words or self.places:
            self.lines.append(Line(tuple(self.places), self.words, self.anchor_words))
            self.places = []
            self.words = self.anchor_words = 0

    def _flow(self, text: str) -> None:
        """Write a text where the last one ended, over as many lines as it takes."""
        self.column += text.count("\xa0")  # blanks that do not break a line stand as many as they are
        line = _in_one_line(text)
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
                self._end_line()
            words = " ".join(line.split())
            if words:
                self._put(len(line), words)

    def _fill(self, columns: int, word: str) -> None:
        """Put a thing on the line that is no text, a control or an image."""
        if self.column + columns >= self.room:
            self._end_line()
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
            self._end_line()
            gap, room = 0, self.room
        self._put(gap + len(line) - start, line[start:])

    def _put(self, columns: int, text: str) -> None:
        """Note what is written on this line, and the link that begins with it."""
        self.column += columns
        words = _count(text)
        self.words += words
        if self.in_anchor:
            self.anchor_words += words
            if self.waiting is not None:
                self.places.append(self.waiting)
                self.waiting = None


# --- lines
# The lines of a page that have links, as a text browser shows them, from one walk over its tree.
#
# What `lynx -dump` does, without a child process: blocks and rows begin lines, words wrap, cells of a
# row follow each other. Two things are as a person sees them and lynx does not: the parts that HTML 5
# named (nav, section ...) begin lines, and words for browsers without scripts are not shown. What a
# style hides is shown, as in lynx: a menu that opens under the mouse is written like that.
#
# Of blocks without links, which most of a page is, only this is of interest: whether words part the links above from
# those below.

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


class _LineWalk:
    """What stands since the last break, and what is open around it."""

    __slots__ = (
        "alone", "flow", "holding", "in_anchor", "left", "lines", "links", "parts_left", "pieces", "places",
        "waiting", "width",
    )  # fmt: skip

    def __init__(self, places: Mapping[HtmlNode, int], width: int) -> None:
        self.lines: list[Line] = []
        self.alone = False  # whether the last line is one link, so that words below it end a column
        self.pieces: list[Piece] = []
        self.links = 0  # that begin in the pieces
        self.places = places
        self.holding = _find_holding(places)
        self.width = width
        self.left = _MARGIN
        self.parts_left = MAX_PARTS
        self.flow = FLOWING  # or as it is written, where that is so
        self.in_anchor = False
        self.waiting: int | None = None  # the place of a link of which nothing stands yet

    def walk(self, element: HtmlNode, depth: int) -> None:
        """Take in what stands in an element; the plain cases are written out, for a page has some thousand parts."""
        most = self.parts_left // 2 if depth else 0  # half is kept for what stands in them
        parts = list(islice(element.iter(include_text=True), most))
        self.parts_left -= len(parts)
        pieces, depth = self.pieces, depth - 1
        for part in parts:
            tag = part.tag or ""
            if tag == TEXT:
                text = part.text_content or ""
                if text.isspace():
                    self.add_blank(text)
                elif self.waiting is None:
                    pieces.append((text, self.flow, self.in_anchor, None))
                else:
                    self.add(text, self.flow)
                continue
            take = _TAKES.get(tag)
            if take is not None:
                take(self, part, depth)
            elif tag != COMMENT:
                self.walk(part, depth)

    def take_block(self, part: HtmlNode, depth: int) -> None:
        """Take in what has lines of its own."""
        if self.links or self.alone:
            self.end_line()
        else:
            self.pieces.clear()
        if part.mem_id in self.holding or self.in_anchor or (self.alone and not self._is_clear(part)):
            self.walk(part, depth)
            if self.pieces:
                self.end_line()

    def take_anchor(self, part: HtmlNode, depth: int) -> None:
        """Take in a link; one that leads to no other page is an anchor all the same to who looks at it."""
        self.waiting = self.places.get(part)
        self.in_anchor = self.waiting is not None or attribute(part, "href") is not None
        text = part.first_child
        if text is not None and text.is_text_node and text.next is None:
            self.add_text(text.text_content or "")
        else:
            self.walk(part, depth)
        self.in_anchor = False
        self.waiting = None

    def take_cell(self, part: HtmlNode, depth: int) -> None:
        """Take in what stands in a line with others, with blanks between them."""
        self.add_blank()
        self.walk(part, depth)
        self.add_blank()

    def take_preformatted(self, part: HtmlNode, depth: int) -> None:
        """Take in what has its own line breaks."""
        self.end_line()
        self.flow = WRITTEN
        self.take_block(part, depth)
        self.flow = FLOWING

    def _is_clear(self, part: HtmlNode) -> bool:
        """Return True if it is clear without a walk if a block without links has words; where it has, they end a column."""
        for below in descend(part):
            tag = below.tag
            if tag == TEXT:
                if LETTER.search(below.text_content or ""):
                    self._end_column()
                    return True
            elif tag in _TELLING:
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
            self.add_blank(text)

    def add_blank(self, text: str = " ") -> None:
        """Add blanks; before all else on a line they are none."""
        if self.flow != FLOWING or "\xa0" in text:
            self.pieces.append((text, self.flow, False, None))
        elif self.pieces:
            self.pieces.append(BLANK)

    def end_line(self) -> None:
        """Make lines of the pieces; without a link they only may end a column."""
        pieces = self.pieces
        if self.links:
            is_prose = self.links < LEAST_LINKS and _is_prose(pieces)
            for line in (_WORDS,) if is_prose else set_lines(pieces, self._room()):
                places, words, anchor_words = line
                if places or words != anchor_words:  # else it is the rest of an anchor
                    self.alone = words == anchor_words and len(places) == 1
                if len(self.lines) < MAX_LINES:
                    self.lines.append(line)
            self.links = 0
        elif self.alone and any([not piece[2] and LETTER.search(piece[0]) for piece in pieces]):
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


def _is_prose(pieces: Sequence[Piece]) -> bool:
    """Return True if words stand before all links and after them: however they wrap, too few links make no group."""
    first, last = pieces[0], pieces[-2 if pieces[-1] is BLANK else -1]
    return not (first[2] or last[2]) and bool(LETTER.search(first[0]) and LETTER.search(last[0]))


def lay_out(root: HtmlNode, places: Mapping[HtmlNode, int], width: int = WIDTH) -> list[Line]:
    """Return the lines under an element that links of a group may stand on, and one wherever words end a column of links.

    `places` says which anchors are links, and how many stand before each.
    """
    walk = _LineWalk(places, width)
    walk.walk(root, MAX_DEPTH)
    walk.end_line()
    return walk.lines


def _find_holding(links: Iterable[HtmlNode]) -> set[int]:
    """Return the links and all that they stand in."""
    holding: set[int] = set()
    for link in links:
        above: HtmlNode | None = link
        while above is not None and above.mem_id not in holding:
            holding.add(above.mem_id)
            above = above.parent
    return holding


Take = Callable[[_LineWalk, HtmlNode, int], None]


def _leave_out(walk: _LineWalk, part: HtmlNode, depth: int) -> None:
    """Show nothing."""


def _end_line(walk: _LineWalk, part: HtmlNode, depth: int) -> None:
    walk.end_line()


def _indented(columns: int) -> Take:
    """Return how a block is taken in that stands further to the right."""

    def take(walk: _LineWalk, part: HtmlNode, depth: int) -> None:
        if walk.pieces:
            walk.end_line()
        walk.left += columns
        walk.take_block(part, depth)
        walk.left -= columns

    return take


def _show_image(walk: _LineWalk, part: HtmlNode, depth: int) -> None:
    """Show an image by its words, or by its name; a name is no word unless it is all that a link has."""
    words = attribute(part, "alt")
    if words is None:
        words = attribute(part, "title")
    if words is not None:
        walk.add_text(words)
    else:
        name = (attribute(part, "src") or "").rpartition("/")[2]
        walk.add(name if walk.in_anchor else "", min(len(name) + 2, MAX_NAME))


def _show_input(walk: _LineWalk, part: HtmlNode, depth: int) -> None:
    kind = (attribute(part, "type") or "text").lower()
    if kind in _BUTTONS:
        walk.add_text(f" {attribute(part, 'value') or _BUTTONS[kind]} ")
    elif kind == "image":
        walk.add_text(f" {attribute(part, 'alt') or 'Submit'} ")
    elif kind != "hidden":
        walk.add("x", _TICK if kind in ("checkbox", "radio") else _FIELD)


def _show_field(walk: _LineWalk, part: HtmlNode, depth: int) -> None:
    walk.add("x", _FIELD)


def _show_across(walk: _LineWalk, part: HtmlNode, depth: int) -> None:
    """Show a thing in a line of its own; a rule parts what stands above it from what stands below, as a word would."""
    walk.end_line()
    walk.add("x", _FIELD)
    walk.end_line()


def _show_button(walk: _LineWalk, part: HtmlNode, depth: int) -> None:
    walk.add("x", len("(BUTTON)"))
    walk.walk(part, depth)
    walk.pieces.append(BLANK)


_BLOCK_TAGS = (
    "address article aside body caption center details dialog dir div dl dt fieldset figcaption figure footer form header"
    " hgroup legend li main nav p search section summary table tr"
)
_UNSEEN_TAGS = "head script style noscript noframes template svg datalist iframe video audio canvas title"
_TAKES: dict[str, Take] = {  # all others only hold what stands in them
    **dict.fromkeys(_BLOCK_TAGS.split(), _LineWalk.take_block),
    **dict.fromkeys(_UNSEEN_TAGS.split(), _leave_out),
    **dict.fromkeys(("h1", "h2", "h3", "h4", "h5", "h6"), _indented(-_MARGIN - _RIGHT)),
    **dict.fromkeys(("ul", "ol", "menu"), _indented(5)),
    "br": _end_line,
    **dict.fromkeys(("hr", "textarea"), _show_across),
    **dict.fromkeys(("td", "th"), _LineWalk.take_cell),
    **dict.fromkeys(("pre", "xmp", "listing", "plaintext"), _LineWalk.take_preformatted),
    "blockquote": _indented(3),
    "dd": _indented(7),
    "a": _LineWalk.take_anchor,
    "img": _show_image,
    "input": _show_input,
    "button": _show_button,
    "select": _show_field,
}
_SHOWN = frozenset(("a", "img", "input", "button", "select", "hr", "textarea"))
_TELLING = _SHOWN | frozenset(_UNSEEN_TAGS.split())  # tags whose texts alone do not tell whether there are words

# --- groups
# Links that stand together as a menu does, found and ranked as in NAVMENU (paper 1, Fig. 11).

LEAST_LINKS = 3

# Fig. 11 divides a group's words, with those beside its anchors, by the words of all groups, so a line of
# prose with three links gains by its prose; Section 4 speaks of the anchors' share in the words of the group's
# own lines, which such a line loses by. The second fits menus better, the first is what the paper ran.
WordShare = Callable[[LinkGroup, int], float]  # a group and the words of all groups


def find_groups(lines: Iterable[Line]) -> tuple[LinkGroup, ...]:
    """Return the groups of links in their order (Fig. 11, lines 3 to 18).

    A line without links and without words other than those of anchors, such as the second line of a
    long anchor, neither ends nor makes a group: Fig. 11 asks only whether the line before has
    several links or other words.
    """
    groups: list[LinkGroup] = []
    column: list[Line] = []
    for line in lines:
        count = len(line.places)
        if count == 1 and line.words == line.anchor_words:
            column.append(line)
            continue
        if column and (count or line.words != line.anchor_words):
            _keep(groups, column)
            column = []
        if count > 1:
            _keep(groups, [line])
    _keep(groups, column)
    return tuple(groups)


def _keep(groups: list[LinkGroup], lines: Sequence[Line]) -> None:
    """Add the group that some lines make, if it is large enough for one."""
    places = tuple([place for line in lines for place in line.places])
    if len(places) >= LEAST_LINKS:
        words, anchor_words = sum([line.words for line in lines]), sum([line.anchor_words for line in lines])
        groups.append(LinkGroup(places, words, anchor_words, len(lines) > 1))


def share_of_page(group: LinkGroup, total: int) -> float:
    """Return which part of the words of all groups a group has: wc[g] / total_words in Fig. 11."""
    return group.words / total if total else 0.0


def share_of_anchors(group: LinkGroup, total: int) -> float:
    """Return which part of a group's words is its anchors': wordcount as Section 4 describes it."""
    return group.anchor_words / group.words if group.words else 1.0


def rank_groups(
    groups: Sequence[LinkGroup],
    link_count: int,
    *,
    size: float = 1.0,
    words: float = 1.0,
    distance: float = 1.0,
    share: WordShare = share_of_page,
) -> list[tuple[float, LinkGroup]]:
    """Return groups with their rank, best first (Fig. 11, lines 19 to 25); the weights are ws, ww and wd."""
    total_size = sum(len(group.places) for group in groups)
    total_words = sum(group.words for group in groups)
    total_height = sum(_height(group, link_count) for group in groups)
    ranked = [
        (
            size * len(group.places) / total_size
            + words * share(group, total_words)
            + (distance * _height(group, link_count) / total_height if total_height else 0.0),
            group,
        )
        for group in groups
    ]
    return sorted(ranked, key=lambda one: -one[0])


def _height(group: LinkGroup, link_count: int) -> float:
    """Return how many links stand between the middle of a group and the bottom of the page."""
    return link_count - 1 - (group.places[0] + group.places[-1]) / 2  # Fig. 11 counts links from 1
