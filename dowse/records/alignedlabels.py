"""What pages of one template have in common: texts that stay the same, those of them that name others, and what stands after each."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, NamedTuple

from dowse.records.alignedcolumns import COLUMN
from dowse.records.labels import LONGEST, fold
from dowse.records.pieces import Piece

FIXED: Final = 0.8  # share of pages with the same text at the same place that make it a part of the template
OPTIONAL: Final = 3  # pages that a text of the template must stand on, where others lack its place
STEADY: Final = 0.9  # share of pages with as many texts at a place that make a number of each of them
ALWAYS: Final = 0.95  # share of pages with the same text of one number at a place
MAX_NUMBER: Final = 12  # texts at one place that are told apart by their number
AGAIN: Final = 2  # pages that a name must come back on
NAMING: Final = 0.8  # share of the texts at a place of names that come back, and that stand there once on a page
FOLLOWED: Final = 0.3  # share of the names at a place that something stands after which differs
SEVERAL: Final = 1.5  # names on a page from which a place is one of names whatever its tag
NAMED: Final = 0.5  # share of the texts at a place that stand after names
VARIED: Final = 0.2  # share of these that differ
START: Final = "^"  # stands for a text of the template before the first one
PARTED: Final = "="  # ends the place of what a name stands before in one text
MAX_KEY: Final = 80  # characters of a text that tell it from others
LABEL_STEPS: Final = 2  # steps from a name up to the tag that holds it and what it names
VALUE_STEPS: Final = 3

_INSIDE = re.compile(r"([^\W\d][^:：=\n]{0,38}?)(?:\s?[:：]|\s=)\s(?=\S)")
_COLONS = (":", "：")
_NAMING_TAGS = ("dt", "th[", "label")
_CELL = re.compile(r"t[dh]\[(\d{1,9})\]")
_TAG = re.compile(r"[a-z0-9]*")
_HEADINGS = frozenset({"h1", "h2", "h3"})

Key = tuple[str, str]  # a place and a text


class Seen(NamedTuple):
    """A text that is no part of the template, under the last text before it that is."""

    label: str  # folded
    near: Piece | None  # that text, when nothing stands between
    piece: Piece


@dataclass(frozen=True, slots=True)
class Fixed:
    """The texts that stay the same from page to page."""

    texts: frozenset[Key] = frozenset()
    inside: frozenset[Key] = frozenset()  # names that stand in one text with what they name


def key_of(piece: Piece) -> Key:
    """Return what tells a text at its place from others."""
    return piece.place, fold(piece.text[: 2 * MAX_KEY])[:MAX_KEY]


def learn_fixed(pages: Sequence[Sequence[Piece]]) -> tuple[Fixed, frozenset[str]]:
    """Return what pages have in common, and where names have their values: what stands there is one, though all say it."""
    counts = Counter(key for page in pages for key in set(map(key_of, page)))
    same = _find_same(pages, counts)
    inside = _find_inside(pages, same)
    parted = {place for place, _ in inside}
    columns = {place for place, _ in counts if COLUMN in place}
    naming = _find_naming(pages, counts, same) - parted - columns
    named = _find_named(pages, naming, same) | columns
    names = {key for key, count in counts.items() if key[0] in naming and count >= AGAIN}
    texts = frozenset(names | {key for key in same if key[0] not in named})
    return Fixed(texts, inside), named


def _find_same(pages: Sequence[Sequence[Piece]], counts: Counter[Key]) -> set[Key]:
    """Return the texts that stand on nearly all pages that have their place, without those that others stand for on some."""
    by_place: dict[str, list[list[str]]] = defaultdict(list)
    for page in pages:
        own: dict[str, list[str]] = defaultdict(list)
        for piece in page:
            own[piece.place].append(key_of(piece)[1])
        for place, texts in own.items():
            by_place[place].append(texts)
    least = OPTIONAL if len(pages) > OPTIONAL + 1 else AGAIN
    return {
        (place, text)
        for place, texts in by_place.items()
        for text in _find_steady(texts)
        if counts[place, text] >= max(least, FIXED * len(texts))
    }


def _find_steady(pages: Sequence[Sequence[str]]) -> set[str]:
    """Return the texts at a place; where all pages have as many, only those that are always the one of their number."""
    every = {text for texts in pages for text in texts}
    count, often = Counter(map(len, pages)).most_common(1)[0]
    if often < STEADY * len(pages) or count > MAX_NUMBER:
        return every
    rows = [texts for texts in pages if len(texts) == count]
    for column in zip(*rows, strict=True):
        text, times = Counter(column).most_common(1)[0]
        every -= set(column) - ({text} if times >= ALWAYS * len(column) else set())
    return every


class _Tally:
    """What is counted of the texts at one place."""

    __slots__ = ("again", "colons", "followed", "once", "pages", "total")

    def __init__(self) -> None:
        self.total = self.again = self.once = self.pages = self.colons = self.followed = 0

    def are_names(self, place: str) -> bool:
        """Say whether texts that come back, each once on a page, name what stands after them."""
        least = NAMING * self.total
        if self.pages < AGAIN or self.again < least or self.once < least:
            return False
        if self.colons >= least:
            return True
        has_tag = place.rpartition("/")[2].startswith(_NAMING_TAGS)
        return self.followed >= FOLLOWED * self.total and (has_tag or self.total >= SEVERAL * self.pages)


def _find_naming(pages: Sequence[Sequence[Piece]], counts: Counter[Key], same: Collection[Key]) -> frozenset[str]:
    """Return the places of names."""
    tallies: dict[str, _Tally] = defaultdict(_Tally)
    for page in pages:
        own: dict[str, set[Key]] = defaultdict(set)
        for piece, after in zip(page, [*page[1:], None], strict=False):
            tally, key = tallies[piece.place], key_of(piece)
            tally.total += 1
            tally.again += counts[key] >= AGAIN and _is_name(piece) and (not piece.href or key in same)
            tally.colons += piece.text.endswith(_COLONS)
            tally.followed += after is not None and _differs_after(piece, after, same)
            own[piece.place].add(key)
        for place, keys in own.items():
            tallies[place].pages += 1
            tallies[place].once += len(keys)
    return frozenset(place for place, tally in tallies.items() if tally.are_names(place))


def _differs_after(piece: Piece, after: Piece, same: Collection[Key]) -> bool:
    differs = bool(after.text) and after.place != piece.place and key_of(after) not in same
    return differs and not _stands_apart(piece, after)


def _is_name(piece: Piece) -> bool:
    return len(piece.text) <= LONGEST and piece.text[:1].isalpha()


def _find_named(pages: Sequence[Sequence[Piece]], naming: Collection[str], same: Collection[Key]) -> frozenset[str]:
    """Return the places of what stands right after names, where it differs."""
    total: Counter[str] = Counter()
    after: Counter[str] = Counter()
    varied: Counter[str] = Counter()
    for page in pages:
        for before, piece in pairwise(page):
            total[piece.place] += 1
            varied[piece.place] += key_of(piece) not in same
            after[piece.place] += before.place in naming and can_name(before, piece)
    found = (
        place for place in total if after[place] >= NAMED * total[place] and varied[place] >= VARIED * total[place]
    )
    return frozenset(place for place in found if place not in naming)


def can_name(label: Piece, value: Piece) -> bool:
    """Say whether one tag holds a name and what stands after it, and little else."""
    left, entered = _part_ways(label.place, value.place)
    return len(left) <= LABEL_STEPS and len(entered) <= VALUE_STEPS and not _stands_apart(label, value)


def _stands_apart(label: Piece, value: Piece) -> bool:
    """Say whether a text cannot name the one after it: this is a heading, which only what is in it names, or in the next row."""
    if value.place.endswith(PARTED):
        return False
    left, entered = _part_ways(label.place, value.place)
    own = entered if label.place != value.place else value.place.split("/")
    return _turns_back(left, entered) or not _HEADINGS.isdisjoint(map(_tag_of, own))


def _turns_back(left: Sequence[str], entered: Sequence[str]) -> bool:
    """Say whether the second of two cells stands in a row below the first, which others stand before."""
    cells = [_CELL.match(steps[0]) for steps in (left, entered) if steps]
    numbers = [int(cell[1]) for cell in cells if cell]
    return len(numbers) == len((left, entered)) and numbers[0] > 1 and numbers[0] >= numbers[1]


def _part_ways(label: str, value: str) -> tuple[list[str], list[str]]:
    """Return the steps of two places below those that they share."""
    first, second = label.split("/"), value.split("/")
    shared = 0
    for one, other in zip(first, second, strict=False):
        if one != other:
            break
        shared += 1
    return first[shared:], second[shared:]


def _tag_of(step: str) -> str:
    found = _TAG.match(step)
    return found[0] if found else ""


def _find_inside(pages: Sequence[Sequence[Piece]], texts: Collection[Key]) -> frozenset[Key]:
    """Return the names that begin a text, with a colon after them, on page after page, while the rest of it differs."""
    rests: dict[Key, dict[str, int]] = defaultdict(dict)
    for number, page in enumerate(pages):
        for piece in page:
            found = _INSIDE.match(piece.text)
            if found and COLUMN not in piece.place and key_of(piece) not in texts:
                rests[piece.place, fold(found[1])].setdefault(piece.text, number)
    return frozenset(key for key, rest in rests.items() if len(set(rest.values())) >= AGAIN)


def tell_page(page: Sequence[Piece], fixed: Fixed) -> Iterator[Seen]:
    """Yield what a page says beside its template, each text under the one of the template before it."""
    label, near = START, None
    names = Counter(place for place, _ in fixed.inside)
    for piece in page:
        key = key_of(piece)
        if not piece.text:
            near = None
            continue
        if key in fixed.texts:
            label, near = key[1], piece
            continue
        is_whole = names[piece.place] < AGAIN and near is not None and near.text.endswith(_COLONS)
        found = None if is_whole else _INSIDE.match(piece.text)
        if found and (piece.place, fold(found[1])) in fixed.inside:
            yield _part(piece, found)
        else:
            yield Seen(label, near, piece) if COLUMN not in piece.place else Seen("", None, piece)
        near = None


def _part(piece: Piece, found: re.Match[str]) -> Seen:
    name = piece._replace(place=f"{piece.place}:", text=found[1])
    return Seen(fold(found[1]), name, piece._replace(place=f"{piece.place}{PARTED}", text=piece.text[found.end() :]))
