"""What stands between two breaks of a page, as the lines that a text browser makes of it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

REMEMBERED = 4_096  # short texts whose words were counted
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
        room -= len(text) + text.count("\xa0") if columns == FLOWING else columns + 2
        if room <= 0 or columns == WRITTEN:
            return None
        count = _count_words(text) if columns == FLOWING else _count(text)
        words += count
        if in_anchor:
            anchor_words += count
            if place is not None:
                places.append(place)
    return Line(tuple(places), words, anchor_words) if room > 0 else None


@lru_cache(REMEMBERED)
def _count_words(text: str) -> int:
    """Count the words of a text; those of a menu stand on every page of a site."""
    return _count(_in_one_line(text))


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
