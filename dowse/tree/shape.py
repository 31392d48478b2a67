"""A page as a tree of labels in which equal parts are one part; shapes as text; traits of a template."""

from __future__ import annotations

import json
import zlib
from base64 import b64decode, b64encode
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from typing import Final, NamedTuple

from dowse.errors import BadInput
from dowse.tree.node import MAX_DEPTH, MAX_NODES, Node, sign_of

# --- shape
# A page as what it is built of: a tree of labels, in which equal parts are one part, on this page and on any other.

REPEATS: Final = 1  # tags of one kind in one tag that count: a list is a list, however long; see bench/sametemplate.py
WHOLE: Final = MAX_NODES  # repeats that leave nothing out
DEEPEST: Final = MAX_DEPTH + 4  # levels of a shape: those of a page, the root and texts; recursion stays shallow
TEXT: Final = "#text"  # no tag is written like this; that a tag has words of its own is its shape, not how many
UNMARKED: Final = frozenset({"html", "body"})  # their classes name the page, and all in them would differ with them
_INLINE = (
    "a abbr b bdi bdo big br center cite code del em font i img ins kbd mark nobr q s samp small span strike strong"
)
INLINE: Final = frozenset(
    (TEXT, *_INLINE.split(), *"sub sup time tt u var wbr".split())
)  # they come and go with the words

CARRYING: Final = INLINE | frozenset(
    {"table", "tbody", "tr", "td"}
)  # pages were once laid out with these; a row of it is no repetition


class Part(NamedTuple):
    """A tag with all that is in it, however often it occurs."""

    label: int
    size: int  # tags and texts, itself too
    children: tuple[int, ...]  # the names of parts, in their order


@dataclass(frozen=True, slots=True)
class Shape:
    """A labelled ordered tree; parts of the same name are equal, between shapes too."""

    root: int
    parts: Mapping[int, Part]

    @property
    def size(self) -> int:
        """Tags and texts, as often as they count."""
        return self.parts[self.root].size


def shape_of(node: Node, *, repeats: int = REPEATS) -> Shape:
    """Return the shape of a page; of the tags in one tag that are of one kind, only the first count."""
    growing = _Growing(repeats)
    root = growing.add(node, 0)
    return Shape(root, growing.find_parts(root))


@lru_cache(maxsize=16_384)
def label_of(sign: str) -> int:
    """Return the number that stands for a label, the same at all times."""
    return _number(sign.encode("utf-8", "replace"))


def _number(written: bytes) -> int:
    return int.from_bytes(blake2b(written, digest_size=8).digest(), "big")


_INLINE_LABELS = frozenset(map(label_of, INLINE))
_CARRYING_LABELS = frozenset(map(label_of, CARRYING))
_Kind = tuple[int, frozenset[int]]


class _Growing:
    """The parts of a page that were met so far."""

    def __init__(self, repeats: int) -> None:
        self.repeats, self.left = repeats, MAX_NODES
        self.parts: dict[int, Part] = {}
        self.names: dict[tuple[int, tuple[int, ...]], int] = {}
        self.kinds: dict[
            int, _Kind
        ] = {}  # what tags must share to be each other's repetition: label and labels of blocks
        self.text = self._name(label_of(TEXT), ())

    def add(self, node: Node, depth: int) -> int:
        """Return the name of the part that a tag is."""
        self.left -= 1
        label = label_of(node.tag if node.tag in UNMARKED else sign_of(node))
        return self._name(label, tuple(self._pick(node, depth + 1)) if depth < DEEPEST else ())

    def find_parts(self, root: int) -> dict[int, Part]:
        """Return what a part is made of, and nothing that was left out."""
        found: dict[int, Part] = {}
        waiting = [root]
        while waiting:
            name = waiting.pop()
            if name not in found:
                found[name] = self.parts[name]
                waiting.extend(found[name].children)
        return found

    def _pick(self, node: Node, depth: int) -> Iterator[int]:
        """Yield the parts in a tag, without those that repeat others."""
        met: Counter[_Kind] = Counter()
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
            self.parts[name] = Part(label, 1 + sum(part.size for part in inside), children)
            self.kinds[name] = (label, frozenset(self._find_blocks(children)))
        return name

    def _find_blocks(self, children: tuple[int, ...]) -> Iterator[int]:
        """Yield the labels of the blocks in a tag; of what only carries others, those of what it carries."""
        for child in children:
            label, within = self.kinds[child]
            if label not in _INLINE_LABELS:
                yield label
            if label in _CARRYING_LABELS:
                yield from within


# --- written
# A shape as text: short enough for a file that people read, and the same shape when it is read again.

LARGEST: Final = 8 * 1024 * 1024  # bytes of a shape before it is pressed together


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
        written = unpacking.decompress(b64decode(text, validate=True), LARGEST)
        rows = json.loads(written)
        return _read_rows(rows)
    except (ValueError, TypeError, IndexError, KeyError, RecursionError, zlib.error):
        raise BadInput("this is not the shape of a page; make the pattern again with `dowse like`") from None


def _read_rows(rows: list[list[int]]) -> Shape:
    if not 0 < len(rows) <= MAX_NODES:
        raise ValueError("too many parts, or none")
    parts: dict[int, Part] = {}
    names: list[int] = []
    for name, label, *below in rows:
        children = tuple(names[place] for place in below if place >= 0)
        size = 1 + sum(parts[child].size for child in children)
        if not isinstance(name, int) or not isinstance(label, int) or size > MAX_NODES:
            raise ValueError("a part is none")
        parts[name] = Part(label, size, children)
        names.append(name)
    return Shape(names[-1], parts)
