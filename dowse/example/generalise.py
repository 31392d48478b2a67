"""Addresses as a pattern that matches them and others like them (paper 3, Figure 7), read back, and tightened."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice, pairwise
from typing import Final

from dowse.example.address import Address, AddressPattern, LevelKey, ParameterPattern, read_address
from dowse.example.expression import (
    MAX_EXPRESSION_CHARS,
    MAX_LEFT_OUT,
    MIN_SHARE_MATCHED,
    MIN_VALUES_LEFT_OUT,
    Lexeme,
    judge_expression,
    level_regex,
    read_lexemes,
    tells_held_out,
    tighter_regexes,
    token_kind,
    tokenize,
)
from dowse.model import Verdict
from dowse.url import canonical

FORBIDDEN_IN_PATH: Final = "/?"  # characters that no level of a path holds
FORBIDDEN_IN_QUERY: Final = "&"  # the character that no parameter holds


def generalise(urls: Iterable[str]) -> AddressPattern:
    """Return the pattern of addresses that have as many levels: URLPattern. Levels that are equal stay as they are."""
    found: dict[Address, None] = {}
    for url in urls:
        address = read_address(url)
        if address is None:
            raise ValueError(f"{url[:120]!r} is not the address of a page")
        found[address] = None
    return generalise_addresses(list(found))


def generalise_addresses(addresses: Sequence[Address]) -> AddressPattern:
    """Do as `generalise`, for addresses that were read."""
    if len({address.shape for address in addresses}) != 1:
        raise ValueError("a pattern is made of addresses that have one host and as many levels")
    columns = columns_of(addresses)
    path = [level_regex(values, FORBIDDEN_IN_PATH) for key, values in columns.items() if isinstance(key, int)]
    named = sorted((key, values) for key, values in columns.items() if isinstance(key, tuple))
    found = []
    for (name, _), values in named:
        optional = len(values) < len(addresses)  # not all of them have it
        found.append(ParameterPattern(name, level_regex(values, FORBIDDEN_IN_QUERY), optional))
    parameters = tuple(sorted(found, key=lambda each: each.optional))
    return AddressPattern(addresses[0].origin, tuple(path), parameters)


def columns_of(addresses: Sequence[Address]) -> dict[LevelKey, list[str]]:
    """Return the values of each level, one for each address that has it."""
    columns: dict[LevelKey, list[str]] = {}
    for address in addresses:
        for key, value in address.levels.items():
            columns.setdefault(key, []).append(value)
    return columns


# -- reading a pattern from its text, which a person may have changed

_LITERAL: Final = frozenset({"plain", "escaped"})
_LEVELS_OF_ORIGIN: Final = 3  # "http:", "" and the host


def read_pattern(text: str) -> AddressPattern | Verdict:
    """Return the pattern that a text stands for, or what is wrong with it."""
    if len(text) > MAX_EXPRESSION_CHARS:
        return Verdict(False, f"has more than {MAX_EXPRESSION_CHARS:,} characters")
    if not text.startswith("^") or not text.endswith("$") or text.endswith(r"\$"):
        return Verdict(False, "is not anchored: it begins with ^ and ends with $")
    pieces = read_lexemes(text[1:-1])
    if isinstance(pieces, Verdict):
        return pieces
    # Parameters begin at the question mark, which may stand in the group of an optional one.
    texts = [piece.text for piece in pieces]
    starts = (at for at, text in enumerate(texts) if text == r"\?" or texts[at : at + 2] == ["(?:", "[?&]"])
    place = next(starts, len(pieces))
    levels = _split(pieces[:place], "/")
    start = _read_origin(levels[:_LEVELS_OF_ORIGIN])
    if isinstance(start, Verdict):
        return start
    if len(levels) <= _LEVELS_OF_ORIGIN:
        return Verdict(False, "has no path: write at least a / after the host")
    return _read_levels(start, levels[_LEVELS_OF_ORIGIN:], pieces[place:])


def _split(pieces: Sequence[Lexeme], mark: str) -> list[list[Lexeme]]:
    """Split a row of pieces at a character that stands outside groups."""
    parts: list[list[Lexeme]] = [[]]
    depth = 0
    for piece in pieces:
        depth += (piece.kind == "open") - (piece.kind == "close")
        if piece.text == mark and piece.kind == "plain" and depth <= 0:
            parts.append([])
        else:
            parts[-1].append(piece)
    return parts


def _read_origin(levels: Sequence[Sequence[Lexeme]]) -> str | Verdict:
    pieces = [piece for level in levels for piece in level]
    if any(piece.kind not in _LITERAL for piece in pieces):
        return Verdict(False, r"does not write out its scheme and host, such as ^http://www\.example\.com/")
    start = "/".join(map(_plain, levels))
    if canonical(start + "/") != start + "/":
        return Verdict(False, f"does not begin with a web address: {start[:80]!r}")
    return start


def _plain(pieces: Sequence[Lexeme]) -> str:
    return "".join(piece.text[-1] for piece in pieces)


def _write(pieces: Sequence[Lexeme]) -> str:
    return "".join(piece.text for piece in pieces)


def _read_levels(start: str, path: Sequence[Sequence[Lexeme]], query: Sequence[Lexeme]) -> AddressPattern | Verdict:
    """Return the pattern when each of its levels can be matched."""
    levels = tuple(map(_write, path))
    for level in levels:
        verdict = judge_expression(level, FORBIDDEN_IN_PATH)
        if not verdict.yes:
            return Verdict(False, f"{level[:80]!r} {verdict.reason}" if level else verdict.reason)
    parameters = _read_parameters(query)
    if isinstance(parameters, Verdict):
        return parameters
    return AddressPattern(start, levels, parameters)


def _read_parameters(pieces: Sequence[Lexeme]) -> tuple[ParameterPattern, ...] | Verdict:
    """Return the parameters: those that must be there after the question mark, then each optional one as a group."""
    texts = [piece.text for piece in pieces]
    openings = ["(?:", "[?&]"], ["(?:", "&"]
    ends = [place for place in range(len(texts)) if texts[place : place + 2] in openings] + [len(texts)]
    needed = [(part, False) for part in _split(pieces[1 : ends[0]], "&")] if ends[0] else []
    optional = [(list(pieces[start:end]), True) for start, end in pairwise(ends)]
    found: list[ParameterPattern] = []
    for part, may_miss in needed + optional:
        if may_miss and [piece.text for piece in part[-2:]] != [")", "?"]:
            return Verdict(False, "has something after its optional parameters; each is written (?:&name=value)?")
        read = _read_parameter(part[2:-2] if may_miss else part)
        if isinstance(read, Verdict):
            return read
        found.append(replace(read, optional=may_miss))
    return tuple(sorted(found, key=lambda each: (each.optional, each.name)))


def _read_parameter(pieces: Sequence[Lexeme]) -> ParameterPattern | Verdict:
    texts = [piece.text for piece in pieces]
    end = texts.index("=") + 1 if "=" in texts else 0  # a lone value has no name
    if not pieces or any(piece.kind not in _LITERAL for piece in pieces[:end]):
        return Verdict(False, f"does not write out the name of a parameter: {_write(pieces)[:80]!r}")
    value = _write(pieces[end:])
    verdict = judge_expression(value, FORBIDDEN_IN_QUERY)
    return (
        ParameterPattern(_plain(pieces[:end]), value)
        if verdict.yes
        else Verdict(False, f"{value[:80]!r} {verdict.reason}")
    )


# -- tightening patterns until they leave out the addresses of other pages

MAX_TIGHTENED_LEVELS: Final = 4  # one after the other
MAX_UNWANTED_ADDRESSES: Final = 2_000  # that a pattern is tightened against; more of them tell the same
MAX_SPLIT_PATTERNS: Final = 6  # that one pattern may be split into
MIN_SPLIT_ADDRESSES: Final = 2  # of each: a pattern of one address matches that address alone


@dataclass(frozen=True, slots=True)
class TightenedPattern:
    """What a pattern became, and a verdict whether it leaves out all unwanted addresses."""

    patterns: tuple[AddressPattern, ...]
    verdict: Verdict
    wrong: tuple[str, ...] = ()  # addresses that still match though they must not


@dataclass(frozen=True, slots=True)
class _Tightening:
    """Some patterns for all wanted addresses, and the unwanted ones they match."""

    patterns: tuple[AddressPattern, ...]
    wrong: tuple[Address, ...]


def tighten_pattern(pattern: AddressPattern, must_match: Iterable[str], must_not: Iterable[str]) -> TightenedPattern:
    """Return the loosest patterns found that match the same wanted addresses and none of the others.

    First levels are made tighter (cases, beginnings, the words seen), then the addresses are split into several patterns.
    Lengths and counts are never told: the next page has others. Where some cannot be told apart, the best that was found
    comes with a verdict that says so.
    """
    wanted = _take_matched(pattern, must_match)
    unwanted = _take_matched(pattern, must_not)
    if not unwanted or not wanted:
        return TightenedPattern((pattern,), Verdict(True))
    kept = list(dict.fromkeys(wanted.values()))
    known = set(kept)
    distinct = dict.fromkeys(address for address in unwanted.values() if address not in known)
    others = tuple(islice(distinct, MAX_UNWANTED_ADDRESSES))
    found = _tighten_levels(pattern, kept, others)
    if found.wrong:
        tries = [_tighten_parts(parts, others) for parts in _find_splits(kept) if _generalise_to_unseen(parts)]
        found = min([found, *tries], key=lambda each: (len(each.wrong), len(each.patterns)))
    wrong = [url for url, each in unwanted.items() if any(one.matches_address(each) for one in found.patterns)]
    verdict = Verdict(True)
    if wrong:
        such = f"{len(wrong):,} of {len(unwanted):,} addresses apart, such as {wrong[0][:120]}"
        verdict = Verdict(False, f"no pattern tells {such}")
    return TightenedPattern(found.patterns, verdict, tuple(wrong))


def _take_matched(pattern: AddressPattern, urls: Iterable[str]) -> dict[str, Address]:
    read = {url: read_address(url) for url in dict.fromkeys(urls)}
    return {url: address for url, address in read.items() if address is not None and pattern.matches_address(address)}


def _tighten_levels(pattern: AddressPattern, wanted: Sequence[Address], unwanted: tuple[Address, ...]) -> _Tightening:
    """Tighten one level after the other, each time the one that leaves out most, and no more than needed."""
    for _ in range(MAX_TIGHTENED_LEVELS):
        tries = list(_find_tighter(pattern, wanted, unwanted)) if unwanted else []
        best = min(tries, key=lambda each: len(each.wrong), default=None)
        if best is None or len(best.wrong) == len(unwanted):
            break
        (pattern,), unwanted = best.patterns, best.wrong
    return _Tightening((pattern,), unwanted)


def _find_tighter(
    pattern: AddressPattern, wanted: Sequence[Address], unwanted: tuple[Address, ...]
) -> Iterator[_Tightening]:
    for key, values in columns_of(wanted).items():
        forbidden = FORBIDDEN_IN_PATH if isinstance(key, int) else FORBIDDEN_IN_QUERY
        for text, tighten in tighter_regexes(values, forbidden):
            level = re.compile(text, re.ASCII)
            left = tuple(address for address in unwanted if level.fullmatch(address.levels.get(key, "")))
            if len(left) == len(unwanted):
                continue
            others = [address.levels.get(key, "") for address in unwanted]
            if tells_held_out(values, others, forbidden, tighten):
                yield _Tightening((_replace(pattern, key, text),), left)


def _replace(pattern: AddressPattern, key: LevelKey, text: str) -> AddressPattern:
    if isinstance(key, int):
        return replace(pattern, path=(*pattern.path[:key], text, *pattern.path[key + 1 :]))
    parameters = zip(pattern.keys[len(pattern.path) :], pattern.parameters, strict=True)
    return replace(
        pattern,
        parameters=tuple(replace(each, value=text) if name == key else each for name, each in parameters),
    )


def _tighten_parts(parts: Sequence[Sequence[Address]], unwanted: tuple[Address, ...]) -> _Tightening:
    """Return a pattern for each part, tightened against what it matches wrongly."""
    patterns: list[AddressPattern] = []
    wrong: dict[Address, None] = {}
    for part in parts:
        pattern = generalise_addresses(part)
        found = _tighten_levels(pattern, part, tuple(each for each in unwanted if pattern.matches_address(each)))
        patterns += found.patterns
        wrong |= dict.fromkeys(found.wrong)
    return _Tightening(tuple(patterns), tuple(wrong))


def _find_splits(wanted: Sequence[Address]) -> Iterator[list[list[Address]]]:
    """Yield splits of the addresses: by the names of parameters, by the word of a level, or its kinds of tokens."""
    keys = dict.fromkeys(key for address in wanted for key in address.levels)
    for key_of in _SPLITS:
        for key in keys:
            parts: dict[object, list[Address]] = {}
            for address in wanted:
                parts.setdefault(key_of(address.levels.get(key, "")), []).append(address)
            if 1 < len(parts) <= MAX_SPLIT_PATTERNS and min(map(len, parts.values())) >= MIN_SPLIT_ADDRESSES:
                yield list(parts.values())


def _generalise_to_unseen(parts: Sequence[Sequence[Address]]) -> bool:
    """Return True if patterns of the parts match addresses they were not made from: each is left out in turn."""
    turns = [(part, turn) for part in parts for turn in range(0, len(part), 1 + len(part) // MAX_LEFT_OUT)]
    if len(turns) < MIN_VALUES_LEFT_OUT:
        return True
    right = [generalise_addresses([*part[:at], *part[at + 1 :]]).matches_address(part[at]) for part, at in turns]
    return sum(right) >= MIN_SHARE_MATCHED * len(right)


_SPLITS: Final[tuple[Callable[[str], object], ...]] = (
    bool,
    str,
    lambda level: tuple(token_kind(token) for token in tokenize(level)),
)
