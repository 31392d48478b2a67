"""Tokens of an address, and the tree of regular expressions that generalises them (paper 3, Figures 6 and 7).

any
├── text            what is read as one word
│   ├── word
│   │   ├── letters
│   │   ├── digits
│   │   └── mixed   letters and digits both, such as the 48640644X of an ISBN
│   └── encoded     with percent-encoded characters: other scripts, spaces
└── mark            any other character: each is a leaf of its own

The leaves are disjoint, so a token has one kind. Canonical addresses hold ASCII only.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import Final

LEAST_HEX: Final = 8  # digits of a hexadecimal number; shorter ones are words and numbers by chance
MOST_HEX: Final = 128  # digits of the longest usual digest
LEAST_SEEN: Final = 3  # tokens of one length until the length of hexadecimal numbers counts as fixed


class Kind(StrEnum):
    """The nodes of the tree, with what each is written as."""

    LETTERS = "[a-zA-Z]"
    DIGITS = "[0-9]"
    MIXED = "[a-zA-Z0-9]"
    ENCODED = "[a-zA-Z0-9%]"
    MARK = ""  # written as the characters that were seen
    ANY = "[^/?&]"


_TOKEN: Final = re.compile(r"(?:[a-zA-Z0-9]|%[0-9a-fA-F]{2})+|.", re.DOTALL)
_LETTERS: Final = re.compile(r"[a-zA-Z]+")
_DIGITS: Final = re.compile(r"[0-9]+")
_WORD: Final = re.compile(r"[a-zA-Z0-9]+")
_NAMED_NUMBER: Final = re.compile(r"\A([a-zA-Z]+)([0-9]+)")
_NUMBERED_NAME: Final = re.compile(r"\A([0-9]+)([a-zA-Z]+)")
_HEX: Final = {"[0-9a-f]": re.compile(r"[0-9a-f]+"), "[0-9A-F]": re.compile(r"[0-9A-F]+")}
_ESCAPED: Final = r"\\\g<0>"
_SPECIAL: Final = re.compile(r"[\\.^$*+?{}\[\]|()]")
_SPECIAL_IN_CLASS: Final = re.compile(r"[\\\]^\[-]")


def tokenize(text: str) -> tuple[str, ...]:
    """Cut a level into the longest pieces that are each one leaf of the tree."""
    return tuple(_TOKEN.findall(text))


def kind_of(token: str) -> Kind:
    """Return the leaf that a token belongs to."""
    if _LETTERS.fullmatch(token):
        return Kind.LETTERS
    if _DIGITS.fullmatch(token):
        return Kind.DIGITS
    if _WORD.fullmatch(token):
        return Kind.MIXED
    return Kind.ENCODED if len(token) > 1 else Kind.MARK


def common_kind(tokens: Iterable[str]) -> Kind:
    """Return the deepest node above the leaves of all tokens."""
    kinds = {kind_of(token) for token in tokens if token}
    if len(kinds) == 1:
        return kinds.pop()
    if Kind.MARK in kinds:
        return Kind.ANY
    return Kind.ENCODED if Kind.ENCODED in kinds else Kind.MIXED


def token_regex(tokens: Sequence[str]) -> str:
    """Return the expression for the tokens of one place: TokenRegex. A token that is missing is an empty one."""
    there = [token for token in tokens if token]
    maybe = len(there) < len(tokens)
    if len(set(there)) == 1:
        return f"{_unit(there[0])}*" if maybe else escape(there[0])
    written = "" if maybe else _write_fixed(there)
    return written or _write_class(there) + ("*" if maybe else "+")


def _unit(token: str) -> str:
    return escape(token) if len(token) == 1 else f"(?:{escape(token)})"


def _write_class(tokens: Sequence[str]) -> str:
    kind = common_kind(tokens)
    return write_class("".join(tokens)) if kind is Kind.MARK else kind.value


def _write_fixed(tokens: Sequence[str]) -> str:
    """Return the expression where tokens have more in common than a kind: `tt[0-9]+`, `[0-9a-f]{32}`, one of two marks."""
    if common_kind(tokens) is Kind.MARK:
        return write_class("".join(tokens))
    for shape, place in ((_NAMED_NUMBER, 1), (_NUMBERED_NAME, 2)):
        parts = [shape.fullmatch(token) for token in tokens]
        names = {part[place] for part in parts if part}
        if all(parts) and len(names) == 1:
            name, number = names.pop(), f"{Kind.DIGITS}+"
            return name + number if place == 1 else number + name
    return _write_hex(tokens)


def _write_hex(tokens: Sequence[str]) -> str:
    size = len(tokens[0])
    if not LEAST_HEX <= size <= MOST_HEX or len(tokens) < LEAST_SEEN or {len(token) for token in tokens} != {size}:
        return ""
    if common_kind(tokens) is not Kind.MIXED:
        return ""
    return next((f"{name}{{{size}}}" for name, hexes in _HEX.items() if all(map(hexes.fullmatch, tokens))), "")


def escape(text: str) -> str:
    """Return a text as an expression that matches it alone; unlike `re.escape`, only what needs it is escaped."""
    return _SPECIAL.sub(_ESCAPED, text)


def write_class(characters: Iterable[str]) -> str:
    """Return the class of some characters: letters and digits as ranges, then marks."""
    found = set(characters)
    ranges = [limits for limits in ("a-z", "A-Z", "0-9") if any(limits[0] <= each <= limits[2] for each in found)]
    marks = sorted(each for each in found if not _WORD.fullmatch(each))
    return f"[{''.join(ranges)}{''.join(_SPECIAL_IN_CLASS.sub(_ESCAPED, each) for each in marks)}]"
