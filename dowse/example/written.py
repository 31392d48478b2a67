"""A pattern of addresses read back from its text, which a person may have written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Final

from dowse.example.expression import LONGEST, Piece, cut, judge_expression
from dowse.example.generalise import IN_PATH, IN_QUERY, AddressPattern, Parameter
from dowse.model import Verdict
from dowse.url import canonical

_LITERAL: Final = frozenset({"plain", "escaped"})
_LEVELS_OF_ORIGIN: Final = 3  # "http:", "" and the host


def read_pattern(text: str) -> AddressPattern | Verdict:
    """Return the pattern that a text stands for, or what is wrong with it."""
    if len(text) > LONGEST:
        return Verdict(False, f"has more than {LONGEST:,} characters")
    if not text.startswith("^") or not text.endswith("$") or text.endswith(r"\$"):
        return Verdict(False, "is not anchored: it begins with ^ and ends with $")
    pieces = cut(text[1:-1])
    if isinstance(pieces, Verdict):
        return pieces
    place = _query_place(pieces)
    levels = _split(pieces[:place], "/")
    start = _read_origin(levels[:_LEVELS_OF_ORIGIN])
    if isinstance(start, Verdict):
        return start
    if len(levels) <= _LEVELS_OF_ORIGIN:
        return Verdict(False, "has no path: write at least a / after the host")
    return _read_levels(start, levels[_LEVELS_OF_ORIGIN:], pieces[place:])


def _query_place(pieces: Sequence[Piece]) -> int:
    """Return where the parameters begin, or the end."""
    for place, piece in enumerate(pieces):
        if piece.text == r"\?" or [each.text for each in pieces[place : place + 2]] == ["(?:", "[?&]"]:
            return place
    return len(pieces)


def _opens_parameter(pieces: Sequence[Piece]) -> bool:
    return [piece.text for piece in pieces] in (["(?:", "[?&]"], ["(?:", "&"])


def _split(pieces: Sequence[Piece], mark: str) -> list[list[Piece]]:
    """Split a row of pieces at a character that stands outside groups."""
    parts: list[list[Piece]] = [[]]
    depth = 0
    for piece in pieces:
        depth += (piece.kind == "open") - (piece.kind == "close")
        if piece.text == mark and piece.kind == "plain" and depth <= 0:
            parts.append([])
        else:
            parts[-1].append(piece)
    return parts


def _read_origin(levels: Sequence[Sequence[Piece]]) -> str | Verdict:
    pieces = [piece for level in levels for piece in level]
    if any(piece.kind not in _LITERAL for piece in pieces):
        return Verdict(False, r"does not write out its scheme and host, such as ^http://www\.example\.com/")
    start = "/".join(map(_plain, levels))
    if canonical(start + "/") != start + "/":
        return Verdict(False, f"does not begin with a web address: {start[:80]!r}")
    return start


def _plain(pieces: Sequence[Piece]) -> str:
    return "".join(piece.text[-1] for piece in pieces)


def _write(pieces: Sequence[Piece]) -> str:
    return "".join(piece.text for piece in pieces)


def _read_levels(start: str, path: Sequence[Sequence[Piece]], query: Sequence[Piece]) -> AddressPattern | Verdict:
    """Return the pattern when each of its levels can be matched."""
    levels = tuple(map(_write, path))
    for level in levels:
        verdict = judge_expression(level, IN_PATH)
        if not verdict.yes:
            return Verdict(False, f"{level[:80]!r} {verdict.reason}" if level else verdict.reason)
    parameters = _read_parameters(query)
    if isinstance(parameters, Verdict):
        return parameters
    return AddressPattern(start, levels, parameters)


def _read_parameters(pieces: Sequence[Piece]) -> tuple[Parameter, ...] | Verdict:
    """Return the parameters: those that must be there after the question mark, then each optional one as a group."""
    ends = [place for place in range(len(pieces)) if _opens_parameter(pieces[place : place + 2])] + [len(pieces)]
    needed = [(part, False) for part in _split(pieces[1 : ends[0]], "&")] if ends[0] else []
    optional = [(list(pieces[start:end]), True) for start, end in pairwise(ends)]
    found: list[Parameter] = []
    for part, may_miss in needed + optional:
        read = _read_optional(part) if may_miss else _read_parameter(part)
        if isinstance(read, Verdict):
            return read
        found.append(read)
    return tuple(sorted(found, key=lambda each: (each.optional, each.name)))


def _read_optional(pieces: Sequence[Piece]) -> Parameter | Verdict:
    if [piece.text for piece in pieces[-2:]] != [")", "?"]:
        return Verdict(False, "has something after its optional parameters; each is written (?:&name=value)?")
    read = _read_parameter(pieces[2:-2])
    return read if isinstance(read, Verdict) else replace(read, optional=True)


def _read_parameter(pieces: Sequence[Piece]) -> Parameter | Verdict:
    texts = [piece.text for piece in pieces]
    end = texts.index("=") + 1 if "=" in texts else len(pieces)
    if not pieces or any(piece.kind not in _LITERAL for piece in pieces[:end]):
        return Verdict(False, f"does not write out the name of a parameter: {_write(pieces)[:80]!r}")
    value = _write(pieces[end:])
    verdict = judge_expression(value, IN_QUERY)
    return Parameter(_plain(pieces[:end]), value) if verdict.yes else Verdict(False, f"{value[:80]!r} {verdict.reason}")
