"""Addresses out of large XML, by scanning: nothing is expanded, nothing is kept, nothing has to be well formed.

Real dumps of DMOZ are not well formed, and real sitemaps often are not; a parser would stop at the first fault.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from dowse.errors import BadInput
from dowse.find.unpack import Listing

MAX_TAG = 1 << 16
_OUTERMOST = ("urlset", "sitemapindex", "rdf")  # parts of a directory that have no such element have no end, either
_ROOT = re.compile(rb"<(?:[\w.-]{1,60}:)?([A-Za-z][\w.-]{0,60})")


def find_matches(blocks: Iterable[bytes], pattern: re.Pattern[bytes], end: bytes) -> Iterator[re.Match[bytes]]:
    """Yield where the pattern matches; whatever stands before `end` is taken to be whole."""
    rest = b""
    for block in uncommented(blocks):
        rest += block
        whole = _whole_part(rest, end)
        yield from pattern.finditer(rest, 0, whole + 1)  # with the first byte of what ends it
        rest = rest[whole:]
    yield from pattern.finditer(rest)


def find_in_document(listing: Listing, pattern: re.Pattern[bytes], end: bytes) -> Iterator[re.Match[bytes]]:
    """Do as `find_matches` with a document; one whose outermost element is not closed breaks off, which is said last."""
    root, last = find_root(listing.head), [b""]

    def noted() -> Iterator[bytes]:
        for block in listing.blocks:
            last[0] = (last[0] + block)[-MAX_TAG:]
            yield block

    yield from find_matches(noted(), pattern, end)
    if root in _OUTERMOST and not _closes(root, last[0]):
        raise BadInput(f"{listing.name} breaks off: its </{root}> is missing")


def _closes(root: str, text: bytes) -> bool:
    """Say whether the end of a document closes its outermost element, or that element holds nothing."""
    name = rb"(?:[\w.-]{1,60}:)?" + re.escape(root.encode())
    return re.search(rb"</%b\s*+>|<%b\b[^<>]{0,9000}/>" % (name, name), text, re.IGNORECASE) is not None


def uncommented(blocks: Iterable[bytes]) -> Iterator[bytes]:
    """Yield markup without its comments; one that has no end takes the rest with it."""
    rest, inside = b"", False
    for block in blocks:
        rest += block
        at, kept = 0, []
        while (found := rest.find(b"-->" if inside else b"<!--", at)) >= 0:
            if not inside:
                kept.append(rest[at:found])
            at, inside = found + (3 if inside else 4), not inside
        edge = max(at, len(rest) - 3)  # a mark may go on in the next block
        if not inside:
            kept.append(rest[at:edge])
        rest = rest[edge:]
        yield b"".join(kept)
    if not inside:
        yield rest


def find_root(head: bytes) -> str:
    """Return the name of the outermost element, lower case and without its prefix."""
    found = _ROOT.search(b"".join(uncommented([head])))
    return found[1].decode().lower() if found else ""


def _whole_part(text: bytes, end: bytes) -> int:
    """Return how much of the text can be scanned without the rest; what goes over the bound is not waited for."""
    for mark in (end, b"<"):
        found = max(0, text.rfind(mark))
        if len(text) - found <= MAX_TAG:
            return found
    return len(text)
