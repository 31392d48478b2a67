"""Patterns made tighter until they leave out the addresses of other pages, and a word where that cannot be."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final

from dowse.example.address import Address, Key, read_address
from dowse.example.generalise import AddressPattern, columns_of, forbidden_in, generalise_addresses
from dowse.example.level import LEAST_KNOWN, LEAST_LEFT_OUT, MOST_LEFT_OUT, knows_more, tighter_regexes
from dowse.example.tokens import kind_of, tokenize
from dowse.model import Verdict

ROUNDS: Final = 4  # levels that are made tighter, one after the other
MOST_WRONG: Final = 2_000  # addresses that are looked at; more of them tell the same
MOST_PARTS: Final = 6  # patterns that one may be split into
LEAST_PART: Final = 2  # addresses of a part: a pattern of one address only knows itself


@dataclass(frozen=True, slots=True)
class Narrowed:
    """What a pattern became, and whether it leaves out all that it must."""

    patterns: tuple[AddressPattern, ...]
    verdict: Verdict
    wrong: tuple[str, ...] = ()  # addresses that still match though they must not


@dataclass(frozen=True, slots=True)
class _Try:
    """Some patterns for all that must match, and what they match wrongly."""

    patterns: tuple[AddressPattern, ...]
    wrong: tuple[Address, ...]


def narrow(pattern: AddressPattern, must_match: Iterable[str], must_not: Iterable[str]) -> Narrowed:
    """Return the loosest patterns found that match the same wanted addresses and none of the others.

    First levels are made tighter (lengths, cases, beginnings, the words seen), then the addresses are split into several
    patterns. Where a few cannot be told apart, the best that was found comes with a verdict that says so.
    """
    wanted = _take_matched(pattern, must_match)
    unwanted = _take_matched(pattern, must_not)
    if not unwanted or not wanted:
        return Narrowed((pattern,), Verdict(True))
    kept = dict.fromkeys(wanted.values())
    apart = dict.fromkeys(address for address in unwanted.values() if address not in kept)
    found = _find_best(pattern, list(kept), tuple(islice(apart, MOST_WRONG)))
    wrong = [url for url, each in unwanted.items() if any(one.matches_address(each) for one in found.patterns)]
    return Narrowed(found.patterns, _judge(wrong, len(unwanted)), tuple(wrong))


def _take_matched(pattern: AddressPattern, urls: Iterable[str]) -> dict[str, Address]:
    read = {url: read_address(url) for url in dict.fromkeys(urls)}
    return {url: address for url, address in read.items() if address is not None and pattern.matches_address(address)}


def _judge(wrong: Sequence[str], count: int) -> Verdict:
    if not wrong:
        return Verdict(True)
    return Verdict(False, f"no pattern tells {len(wrong):,} of {count:,} addresses apart, such as {wrong[0][:120]}")


def _find_best(pattern: AddressPattern, wanted: Sequence[Address], unwanted: tuple[Address, ...]) -> _Try:
    whole = _tighten(pattern, wanted, unwanted)
    if not whole.wrong:
        return whole
    tries = [_tighten_parts(parts, unwanted) for parts in _find_splits(wanted) if _know_more(parts)]
    return min([whole, *tries], key=lambda each: (len(each.wrong), len(each.patterns)))


def _tighten(pattern: AddressPattern, wanted: Sequence[Address], unwanted: tuple[Address, ...]) -> _Try:
    """Make one level after the other tighter, each time the one that leaves out most; the loosest way that does."""
    for _ in range(ROUNDS):
        tries = list(_find_tighter(pattern, wanted, unwanted)) if unwanted else []
        best = min(tries, key=lambda each: len(each.wrong), default=None)
        if best is None or len(best.wrong) == len(unwanted):
            break
        (pattern,), unwanted = best.patterns, best.wrong
    return _Try((pattern,), unwanted)


def _find_tighter(pattern: AddressPattern, wanted: Sequence[Address], unwanted: tuple[Address, ...]) -> Iterator[_Try]:
    for key, values in columns_of(wanted).items():
        forbidden = forbidden_in(key)
        for text, tighten in tighter_regexes(values, forbidden):
            level = re.compile(text, re.ASCII)
            left = tuple(address for address in unwanted if level.fullmatch(address.levels.get(key, "")))
            if len(left) < len(unwanted) and knows_more(values, forbidden, tighten):
                yield _Try((_replace(pattern, key, text),), left)


def _replace(pattern: AddressPattern, key: Key, text: str) -> AddressPattern:
    if isinstance(key, int):
        return replace(pattern, path=(*pattern.path[:key], text, *pattern.path[key + 1 :]))
    parameters = zip(pattern.keys[len(pattern.path) :], pattern.parameters, strict=True)
    return replace(
        pattern,
        parameters=tuple(replace(each, value=text) if name == key else each for name, each in parameters),
    )


def _tighten_parts(parts: Sequence[Sequence[Address]], unwanted: tuple[Address, ...]) -> _Try:
    """Return a pattern for each part, tightened against what it matches wrongly."""
    patterns: list[AddressPattern] = []
    wrong: dict[Address, None] = {}
    for part in parts:
        pattern = generalise_addresses(part)
        found = _tighten(pattern, part, tuple(each for each in unwanted if pattern.matches_address(each)))
        patterns += found.patterns
        wrong |= dict.fromkeys(found.wrong)
    return _Try(tuple(patterns), tuple(wrong))


def _find_splits(wanted: Sequence[Address]) -> Iterator[list[list[Address]]]:
    """Yield ways to part the addresses: by the names of parameters, by a level's word, kinds of tokens, or length."""
    keys = dict.fromkeys(key for address in wanted for key in address.levels)
    for tell in _SPLITS:
        for key in keys:
            parts: dict[object, list[Address]] = {}
            for address in wanted:
                parts.setdefault(tell(address.levels.get(key, "")), []).append(address)
            if 1 < len(parts) <= MOST_PARTS and min(map(len, parts.values())) >= LEAST_PART:
                yield list(parts.values())


def _know_more(parts: Sequence[Sequence[Address]]) -> bool:
    """Say whether parts have room for an address they were not made from: each is left out in turn."""
    turns = [(part, turn) for part in parts for turn in range(0, len(part), 1 + len(part) // MOST_LEFT_OUT)]
    if len(turns) < LEAST_LEFT_OUT:
        return True
    right = [generalise_addresses([*part[:at], *part[at + 1 :]]).matches_address(part[at]) for part, at in turns]
    return sum(right) >= LEAST_KNOWN * len(right)


def _kinds_of(level: str) -> object:
    return tuple(kind_of(token) for token in tokenize(level))


_SPLITS: Final[tuple[Callable[[str], object], ...]] = (bool, str, _kinds_of, len)
