"""A shape as text: short enough for a file that people read, and the same shape when it is read again."""

from __future__ import annotations

import json
import zlib
from base64 import b64decode, b64encode
from typing import Final

from dowse.errors import BadInput
from dowse.tree.node import MAX_NODES
from dowse.tree.shape import Part, Shape

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
