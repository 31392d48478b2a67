r"""The regular expressions that a level may be written as, so that a hostile address cannot make matching slow.

An expression is a row of characters, classes (`[a-z-]`, `\d`, `\w`) with or without a count (`+ * ? {2} {2,5} {2,}`), and
groups of alternatives (`(?:one|two)`, `(?:-[0-9]+)?`). A group is not repeated and holds no other group. `re` matches such a
row in a time that grows with the length of the text, unless two neighbours of varying length can share characters;
one such place is let through (its time grows with the square at most), a second one is not.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Final

from dowse.model import Verdict

LONGEST: Final = 8_192  # characters of an expression: the longest address, with all its marks escaped, and then some
MOST_COUNT: Final = 512  # in braces
MOST_SHARED: Final = 1  # places in one level where two neighbours can share characters

_ASCII: Final = frozenset(map(chr, range(128))) | {"\u00e9"}  # one letter stands for all that are not ASCII
_PART: Final = re.compile(
    r"(?P<class>\[\^?(?:\\.|[^\]\\]){1,200}+\]|\\[dw])|(?P<escaped>\\[^a-zA-Z0-9])|(?P<open>\((?:\?:|(?!\?)))|(?P<close>\))|(?P<bar>\|)"
    r"|(?P<count>[+*?]|\{\d{1,4}(?:,\d{0,4})?\})|(?P<plain>[^\\.^$*+?{}\[\]|()])"
)


@dataclass(frozen=True, slots=True)
class Part:
    """A character, a class or a group, and how often it stands."""

    characters: frozenset[str]  # it is made of
    starts: frozenset[str]  # it can begin with
    least: int = 1
    most: int | None = 1  # None has no end
    shared: int = 0  # places inside a group where neighbours can share characters
    ends: frozenset[str] = frozenset()  # a group can end with, and go on with instead

    @property
    def varies(self) -> bool:
        """Whether it can be longer or shorter."""
        return self.least != self.most


@dataclass(frozen=True, slots=True)
class Piece:
    """A part as it is written."""

    kind: str
    text: str


def cut(text: str) -> list[Piece] | Verdict:
    """Cut an expression into its characters, classes, groups and counts, or say which part is none."""
    pieces, place = [], 0
    while place < len(text):
        found = _PART.match(text, place)
        if found is None:
            return Verdict(False, _why_no_part(text[place:]))
        pieces.append(Piece(found.lastgroup or "", found[0]))
        place = found.end()
    return pieces


def _why_no_part(rest: str) -> str:
    if rest[0] == ".":
        return r"a bare dot takes any character: write \. for a dot, or a class such as [a-z0-9-]"
    if rest.startswith("(?"):
        return f"{rest[:3]} is not understood: groups are written (?:one|two)"
    return f"{rest[:12]!r} is not understood"


@lru_cache(maxsize=4096)
def judge_expression(text: str, forbidden: str = "") -> Verdict:
    """Say whether an expression for one level is understood, takes none of the forbidden characters and is quick to match."""
    if len(text) > LONGEST:
        return Verdict(False, f"has more than {LONGEST:,} characters")
    pieces = cut(text)
    if isinstance(pieces, Verdict):
        return pieces
    parts = _read_parts(pieces)
    if isinstance(parts, Verdict):
        return parts
    return _judge_parts(parts, forbidden)


def _judge_parts(parts: Sequence[Part], forbidden: str) -> Verdict:
    taken = set(forbidden) & frozenset[str]().union(*(part.characters for part in parts))
    if taken:
        return Verdict(
            False, f"takes {' and '.join(sorted(taken))}, which stand between levels: leave them out of the class"
        )
    if _count_shared(parts) > MOST_SHARED:
        return Verdict(False, "is slow to match: several neighbours of varying length can share characters")
    return Verdict(True)


def _read_parts(pieces: Sequence[Piece]) -> list[Part] | Verdict:
    parts: list[Part] = []
    place = 0
    while place < len(pieces):
        end = place + 1
        if pieces[place].kind == "open":
            end = next((at for at in range(place, len(pieces)) if pieces[at].kind == "close"), len(pieces)) + 1
        counted = end < len(pieces) and pieces[end].kind == "count"
        part = _read_part(pieces[place:end], pieces[end].text if counted else "")
        if isinstance(part, Verdict):
            return part
        parts.append(part)
        place = end + counted
    return parts


def _read_part(pieces: Sequence[Piece], count: str) -> Part | Verdict:
    first = pieces[0]
    if first.kind == "open":
        return _read_group(pieces, count)
    if first.kind in ("close", "bar", "count"):
        return Verdict(False, f"{first.text!r} stands where it means nothing")
    limits = _read_count(count)
    if isinstance(limits, Verdict):
        return limits
    characters = _characters(first)
    if not characters:
        return Verdict(False, f"{first.text} is no class of characters")
    return Part(characters, characters, *limits)


def _read_group(pieces: Sequence[Piece], count: str) -> Part | Verdict:
    if pieces[-1].kind != "close":
        return Verdict(False, "a group is not closed")
    if count not in ("", "?"):
        return Verdict(False, "a group may not be repeated")
    rows: list[list[Piece]] = [[]]
    for piece in pieces[1:-1]:
        if piece.kind == "open":
            return Verdict(False, "a group may not stand in a group")
        if piece.kind == "bar":
            rows.append([])
        else:
            rows[-1].append(piece)
    read = [_read_parts(row) for row in rows]
    wrong = next((row for row in read if isinstance(row, Verdict)), None)
    return wrong or _join_group(rows, [row for row in read if not isinstance(row, Verdict)], count)


def _join_group(written: list[list[Piece]], rows: list[list[Part]], count: str) -> Part:
    empty = any(all(part.least == 0 for part in row) for row in rows)
    shared = max(map(_count_shared, rows)) + _can_mix(written, rows)
    characters = frozenset[str]().union(*(part.characters for row in rows for part in row))
    starts = frozenset[str]().union(*map(_starts, rows))
    ends = frozenset[str]().union(*map(_open_ends, rows))
    return Part(characters, starts, 0 if count or empty else 1, 1, shared, ends)


def _can_mix(written: list[list[Piece]], rows: list[list[Part]]) -> bool:
    """Say whether a text can be taken by two alternatives of a group, or by one and the beginning of another."""
    if all(piece.kind in ("plain", "escaped") for row in written for piece in row):
        texts = sorted("".join(piece.text for piece in row) for row in written)
        return any(after.startswith(before) for before, after in pairwise(texts))
    starts = [_starts(row) for row in rows]
    return len(frozenset[str]().union(*starts)) < sum(map(len, starts))


def _read_count(count: str) -> tuple[int, int | None] | Verdict:
    if not count:
        return 1, 1
    if count in "+*?":
        return int(count == "+"), 1 if count == "?" else None
    low, comma, high = count.strip("{}").partition(",")
    limits = int(low), int(high or low) if high or not comma else None
    if limits[0] > MOST_COUNT or (limits[1] is not None and not limits[0] <= limits[1] <= MOST_COUNT):
        return Verdict(False, f"{count} is no count that can be used: at most {MOST_COUNT}, the lower one first")
    return limits


@lru_cache(maxsize=1024)
def _characters(piece: Piece) -> frozenset[str]:
    if piece.kind != "class":
        return frozenset(piece.text[-1])
    try:
        one = re.compile(piece.text, re.ASCII)
    except re.error:
        return frozenset()
    return frozenset(each for each in _ASCII if one.fullmatch(each))


def _starts(parts: Sequence[Part]) -> frozenset[str]:
    """Return what a row of parts can begin with; those that may be missing are looked past."""
    found: frozenset[str] = frozenset()
    for part in parts:
        found |= part.starts
        if part.least:
            break
    return found


def _open_ends(parts: Sequence[Part]) -> frozenset[str]:
    """Return what a row of parts could have gone on with at its end."""
    found: frozenset[str] = frozenset()
    for part in reversed(parts):
        found |= _goes_on(part)
        if part.least:
            break
    return found


def _goes_on(part: Part) -> frozenset[str]:
    return part.ends | (part.starts if part.varies else frozenset())


def _count_shared(parts: Sequence[Part]) -> int:
    """Count the places where it is open which of two neighbours takes a character."""
    count, after = 0, frozenset[str]()
    for part in reversed(parts):
        count += part.shared + bool(_goes_on(part) & after)
        after = part.starts if part.least else part.starts | after
    return count
