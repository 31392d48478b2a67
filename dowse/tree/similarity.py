"""How alike two pages are built: their shapes, the restricted top-down mapping between them (de Castro Reis et al., WWW 2004), and where likenesses part."""

from __future__ import annotations

import json
import sys
import zlib
from base64 import b64decode, b64encode
from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from itertools import accumulate
from math import floor
from typing import Final, NamedTuple

from dowse.errors import BadInput
from dowse.tree.node import MAX_DEPTH, MAX_NODES, Node, sign_of

# --- shape
# A page as a tree of labels in which equal parts are one part; shapes as text; traits of a template.

# --- shape
# A page as what it is built of: a tree of labels, in which equal parts are one part, on this page and on any other.

MAX_REPEATS: Final = (
    1  # tags of one kind in one tag that count: a list is a list, however long; see bench/sametemplate.py
)
ALL_REPEATS: Final = MAX_NODES  # repeats that leave nothing out
MAX_SHAPE_DEPTH: Final = (
    MAX_DEPTH + 4
)  # levels of a shape: those of a page, the root and texts; recursion stays shallow
TEXT_LABEL: Final = "#text"  # no tag is written like this; that a tag has words of its own is its shape, not how many
TAGS_WITHOUT_CLASS: Final = frozenset(
    {"html", "body"}
)  # their classes name the page, and all in them would differ with them
_INLINE = (
    "a abbr b bdi bdo big br center cite code del em font i img ins kbd mark nobr q s samp small span strike strong"
)
INLINE: Final = frozenset(
    (TEXT_LABEL, *_INLINE.split(), *"sub sup time tt u var wbr".split())
)  # they come and go with the words

WRAPPING: Final = INLINE | frozenset(
    {"table", "tbody", "tr", "td"}
)  # pages were once laid out with these; a row of it is no repetition


class ShapePart(NamedTuple):
    """A tag with all that is in it, however often it occurs."""

    label: int
    size: int  # tags and texts, itself too
    children: tuple[int, ...]  # the names of parts, in their order


@dataclass(frozen=True, slots=True)
class Shape:
    """A labelled ordered tree; parts of the same name are equal, between shapes too."""

    root: int
    parts: Mapping[int, ShapePart]

    @property
    def size(self) -> int:
        """Tags and texts, as often as they count."""
        return self.parts[self.root].size


def shape_of(node: Node, *, repeats: int = MAX_REPEATS) -> Shape:
    """Return the shape of a page; of the tags in one tag that are of one kind, only the first count."""
    growing = _ShapeBuilder(repeats)
    root = growing.add(node, 0)
    return Shape(root, growing.find_parts(root))


@lru_cache(maxsize=16_384)
def label_of(sign: str) -> int:
    """Return the number that stands for a label, the same at all times."""
    return _number(sign.encode("utf-8", "replace"))


def _number(written: bytes) -> int:
    return int.from_bytes(blake2b(written, digest_size=8).digest(), "big")


_INLINE_LABELS = frozenset(map(label_of, INLINE))
_WRAPPING_LABELS = frozenset(map(label_of, WRAPPING))
_RepeatKind = tuple[int, frozenset[int]]


class _ShapeBuilder:
    """The parts of a page that were met so far."""

    def __init__(self, repeats: int) -> None:
        self.repeats, self.left = repeats, MAX_NODES
        self.parts: dict[int, ShapePart] = {}
        self.names: dict[tuple[int, tuple[int, ...]], int] = {}
        self.kinds: dict[
            int, _RepeatKind
        ] = {}  # what tags must share to be each other's repetition: label and labels of blocks
        self.text = self._name(label_of(TEXT_LABEL), ())

    def add(self, node: Node, depth: int) -> int:
        """Return the name of the part that a tag is."""
        self.left -= 1
        label = label_of(node.tag if node.tag in TAGS_WITHOUT_CLASS else sign_of(node))
        return self._name(label, tuple(self._pick(node, depth + 1)) if depth < MAX_SHAPE_DEPTH else ())

    def find_parts(self, root: int) -> dict[int, ShapePart]:
        """Return what a part is made of, and nothing that was left out."""
        found: dict[int, ShapePart] = {}
        waiting = [root]
        while waiting:
            name = waiting.pop()
            if name not in found:
                found[name] = self.parts[name]
                waiting.extend(found[name].children)
        return found

    def _pick(self, node: Node, depth: int) -> Iterator[int]:
        """Yield the parts in a tag, without those that repeat others."""
        met: Counter[_RepeatKind] = Counter()
        for each in node.content:
            if self.left <= 0 or (isinstance(each, str) and each.isspace()):
                continue
            name = self.text if isinstance(each, str) else self.add(each, depth)
            kind = self.kinds[name]
            met[kind] += 1
            if met[kind] <= self.repeats:
                yield name

    def _name(self, label: int, children: tuple[int, ...]) -> int:
        key = (label, children)
        name = self.names.get(key)
        if name is None:
            name = self.names[key] = _number(b"".join(each.to_bytes(8, "big") for each in (label, *children)))
            inside = [self.parts[child] for child in children]
            self.parts[name] = ShapePart(label, 1 + sum(part.size for part in inside), children)
            self.kinds[name] = (label, frozenset(self._find_blocks(children)))
        return name

    def _find_blocks(self, children: tuple[int, ...]) -> Iterator[int]:
        """Yield the labels of the blocks in a tag; of what only carries others, those of what it carries."""
        for child in children:
            label, within = self.kinds[child]
            if label not in _INLINE_LABELS:
                yield label
            if label in _WRAPPING_LABELS:
                yield from within


# --- written
# A shape as text: short enough for a file that people read, and the same shape when it is read again.

MAX_SHAPE_BYTES: Final = 8 * 1024 * 1024  # bytes of a shape before it is pressed together


def write_shape(shape: Shape) -> str:
    """Return a shape as text: its parts, each after those in it, pressed together."""
    places: dict[int, int] = {}
    rows: list[list[int]] = []
    waiting = [(shape.root, False)]
    while waiting:
        name, ready = waiting.pop()
        if name in places:
            continue
        part = shape.parts[name]
        if ready:
            places[name] = len(rows)
            rows.append([name, part.label, *(places[child] for child in part.children)])
        else:
            waiting.append((name, True))
            waiting.extend((child, False) for child in part.children if child not in places)
    return b64encode(zlib.compress(json.dumps(rows, separators=(",", ":")).encode(), 9)).decode()


def read_shape(text: str) -> Shape:
    """Return the shape that was written; what is none is refused."""
    try:
        unpacking = zlib.decompressobj()
        written = unpacking.decompress(b64decode(text, validate=True), MAX_SHAPE_BYTES)
        rows = json.loads(written)
        return _read_rows(rows)
    except (ValueError, TypeError, IndexError, KeyError, RecursionError, zlib.error):
        raise BadInput("this is not the shape of a page; make the pattern again with `dowse like`") from None


def _read_rows(rows: list[list[int]]) -> Shape:
    if not 0 < len(rows) <= MAX_NODES:
        raise ValueError("too many parts, or none")
    parts: dict[int, ShapePart] = {}
    names: list[int] = []
    for name, label, *below in rows:
        children = tuple(names[place] for place in below if place >= 0)
        size = 1 + sum(parts[child].size for child in children)
        if not isinstance(name, int) or not isinstance(label, int) or size > MAX_NODES:
            raise ValueError("a part is none")
        parts[name] = ShapePart(label, size, children)
        names.append(name)
    return Shape(names[-1], parts)


# --- rtdm
# How far two shapes are apart: the restricted top-down mapping (de Castro Reis et al., WWW 2004), and a quick upper bound.

# --- fingerprint
# What of two shapes can be mapped at most, told without mapping them: ways from the root, counted.


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """A shape as counts; a way is the labels from the root, without its own, down to a tag."""

    label: int  # of the root
    size: int
    ways: Mapping[int, int]  # tags at the end of a way
    crowds: Mapping[int, int]  # tags in all tags at the end of a way


def fingerprint_of(shape: Shape) -> Fingerprint:
    """Return the fingerprint of a shape."""
    parts, ways, crowds = shape.parts, dict[int, int](), dict[int, int]()
    waiting = [(0, shape.root)]
    for way, name in waiting:  # grows while it is walked
        children = parts[name].children
        if children:
            crowds[way] = crowds.get(way, 0) + len(children)
        for child in children:
            below = hash((way, parts[child].label))
            ways[below] = ways.get(below, 0) + 1
            waiting.append((below, child))
    return Fingerprint(parts[shape.root].label, shape.size, ways, crowds)


def similarity_bound(a: Fingerprint, b: Fingerprint) -> float:
    """Return what the similarity of two shapes is at most.

    Tags are only mapped under tags that are mapped, of the same labels up to the root: so no more of them than both
    have at the end of a way are mapped at no cost, and no more than both have under it at all are mapped or replaced.
    """
    same = _count_both(a.ways, b.ways)
    mapped = _count_both(a.crowds, b.crowds)
    roots = 2 if a.label == b.label else 1
    return min(1.0, (roots + same + mapped) / (a.size + b.size))


def _count_both(some: Mapping[int, int], others: Mapping[int, int]) -> int:
    if len(others) < len(some):
        some, others = others, some
    both = 0
    for way, count in some.items():
        other = others.get(way, 0)
        both += count if count < other else other
    return both


# --- rtdm
# How far two shapes are apart: the restricted top-down mapping of de Castro Reis et al. (WWW 2004).
#
# Roots are mapped to each other, tags in the order of the page, and what is mapped stands in what is mapped. Only tags of
# one label go on to their children; one that is replaced by another label loses all that is in it, as one that is
# deleted or inserted does. Every tag or text that is deleted, inserted or replaced costs one.

MAX_CELLS: Final = 1_000_000  # cells filled for one pair, a second; pages of one site need 1,000, and seldom 20,000
BELOW_LIMIT: Final = "less alike than was asked for"
WORK_LIMIT: Final = "too much work: at least as alike as this"


@dataclass(frozen=True, slots=True)
class Comparison:
    """What a mapping costs; `why` says why it is only a bound, and nothing where it is the least."""

    distance: int
    similarity: float
    why: str = ""


def compare(a: Shape, b: Shape, *, at_least: float = 0.0, most_work: int = MAX_CELLS) -> Comparison:
    """Map one shape to another; a pair that cannot be as alike as `at_least` is given up as soon as that is known."""
    whole = a.size + b.size
    first, second = a.parts[a.root], b.parts[b.root]
    replaced = int(first.label != second.label)
    most = floor((1.0 - at_least) * whole + 1e-9)
    mapping = _TreeMapping(a, b, most_work)
    found = replaced + mapping.measure(a.root, b.root, most - replaced)
    if mapping.is_tired:
        return _compare_to_whole(found if found <= most else whole - 2 + replaced, whole, WORK_LIMIT)
    return _compare_to_whole(min(found, most + 1), whole, BELOW_LIMIT if found > most else "")


def _compare_to_whole(found: int, whole: int, why: str) -> Comparison:
    return Comparison(found, 1.0 - found / whole, why)


def distance(a: Shape, b: Shape) -> int:
    """Return how many tags and texts must be deleted, inserted or replaced, without a limit to the work."""
    return compare(a, b, most_work=sys.maxsize).distance


def similarity(a: Shape, b: Shape, *, at_least: float = 0.0) -> float:
    """Return the part of both shapes that is the same, 0 to 1; anything less than `at_least` when it cannot reach that."""
    return compare(a, b, at_least=at_least).similarity


class _TreeMapping:
    """What is known about the parts of one pair of shapes."""

    def __init__(self, a: Shape, b: Shape, most_work: int) -> None:
        self.left, self.right = a.parts, b.parts
        self.work, self.is_tired = most_work, False
        self.exact: dict[tuple[int, int], int] = {}
        self.over: dict[tuple[int, int], int] = {}  # pairs that cost more than this

    def measure(self, x: int, y: int, most: int) -> int:
        """Return what the children of two parts cost; only that it is more than `most`, where it is."""
        pair = (x, y)
        known = self.exact.get(pair)
        if known is not None:
            return known
        if self.over.get(pair, -1) >= most:
            return most + 1
        if self.is_tired:
            return self.left[x].size + self.right[y].size - 2
        found = 0 if x == y else self._align(self.left[x].children, self.right[y].children, most)
        if found <= most:
            self.exact[pair] = found
        else:
            self.over[pair] = most
        return found

    def _align(self, names: Sequence[int], others: Sequence[int], most: int) -> int:
        self.work -= min(len(names), len(others)) // 8  # to trim one is that much quicker than to fill a cell
        names, others = trim(names, others)
        rows = [(name, self.left[name]) for name in names]
        columns = [(name, self.right[name]) for name in others]
        self.work -= (len(rows) + 1) * (len(columns) + 1)
        if rows and columns and self.work >= 0:
            return self._fill(rows, columns, most)
        self.is_tired |= self.work < 0
        return sum(part.size for _, part in rows) + sum(part.size for _, part in columns)

    def _fill(self, rows: list[tuple[int, ShapePart]], columns: list[tuple[int, ShapePart]], most: int) -> int:
        """Fill the table of what the first parts of both sides cost, a row for each part of one side."""
        line = [0]
        for _, part in columns:
            line.append(line[-1] + part.size)
        for x, (label, size, _) in rows:
            slant = line[0]
            beside = slant + size
            filled = [beside]
            for (y, (other, extent, _)), above in zip(columns, line[1:], strict=True):
                best = min(above + size, beside + extent)
                if x == y:
                    best = slant  # equal parts are mapped in some cheapest mapping: |size - extent| is the least any pair costs
                elif label != other:
                    best = min(best, slant + size + extent - 1)
                else:
                    room = min(best - 1, most) - slant
                    if abs(size - extent) <= room:
                        best = min(best, slant + self.measure(x, y, room))
                filled.append(best)
                slant, beside = above, best
            if min(filled) > most:
                return most + 1
            line = filled
        return line[-1]


def trim(names: Sequence[int], others: Sequence[int]) -> tuple[Sequence[int], Sequence[int]]:
    """Leave out the equal parts that both begin and end with: some cheapest mapping maps them to each other."""
    start, shorter = 0, min(len(names), len(others))
    while start < shorter and names[start] == others[start]:
        start += 1
    end = 0
    while end < shorter - start and names[-1 - end] == others[-1 - end]:
        end += 1
    return names[start : len(names) - end], others[start : len(others) - end]


# --- likeness
# Pages that are like some samples: how alike each is, and from where on they count as alike.


@dataclass(frozen=True, slots=True)
class Threshold:
    """From which similarity on pages count as like the samples, why, and how sure that is: 0 is a guess, 1 plain to see."""

    value: float
    why: str
    sure: float


@dataclass(frozen=True, slots=True)
class PageShape:
    """A page that others are compared with."""

    shape: Shape
    print: Fingerprint


def explain_cuts(ranked: Sequence[float]) -> list[float]:
    """Return for each cut the part of the variance that lies between the two groups (Otsu 1979)."""
    count, sums = len(ranked), list(accumulate(ranked))
    mean = sums[-1] / count
    whole = sum((each - mean) ** 2 for each in ranked)
    between = (
        (low / cut - (sums[-1] - low) / (count - cut)) ** 2 * cut * (count - cut) / count
        for cut, low in enumerate(sums[:-1], 1)
    )
    return [each / whole if whole else 0.0 for each in between]


def count_mixed(kinds: Sequence[Hashable]) -> list[int]:
    """Return for each cut of a row how many of it are of a kind that is on both sides: of each kind, those on the side with fewer."""
    below, above = Counter[Hashable](), Counter(kinds)
    mixed, counts = 0, []
    for kind in kinds[:-1]:
        mixed -= min(below[kind], above[kind])
        below[kind] += 1
        above[kind] -= 1
        mixed += min(below[kind], above[kind])
        counts.append(mixed)
    return counts
