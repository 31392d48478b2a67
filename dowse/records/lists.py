"""Several values in one text: by what they are parted, if they are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import Final

SEPARATORS: Final = ("; ", ", ", " | ", " / ", " · ", " • ", " – ")
FIELDS: Final = (" – ", " — ", " | ", " · ", " • ", " - ", " / ")  # what parts texts into different things
LONGEST: Final = 60  # characters of one value of a list, on average; sentences have commas too
AGAIN: Final = 0.25  # share of values that some other record has as well
BOTH: Final = 0.1  # share of the values that come back later in a text that some other text begins with
ASKED: Final = 0.5  # share of texts with parts that have what was asked for as one of them
OTHERWISE: Final = (
    0.6  # difference between first and last parts, of the share with digits, that makes them different things
)
OFTEN: Final = 0.15  # share of texts with parts, where these do not come back
MOST: Final = 0.95  # share of parts that are as short as a name
FEW_WORDS: Final = 4  # of one value of a list; a name has no more
SAME: Final = 0.8  # share of texts with the same number of parts that make these parts columns
LEAST: Final = 4  # texts from which columns are believed
_OPENING: Final = "([{"
_CLOSING: Final = ")]}"


def split_values(text: str, separator: str) -> list[str]:
    """Return the values of a text; what stands in brackets is not parted: Twilight (Twilight, #1)."""
    if not separator:
        return [text]
    parts = text.split(separator.strip() if separator == "; " else separator)
    if any(bracket in text for bracket in _OPENING):
        parts = _join_brackets(parts, separator)
    return [part for part in (each.strip() for each in parts) if part]


def _join_brackets(parts: Sequence[str], separator: str) -> list[str]:
    """Return the parts with those joined again that only together close the brackets they open."""
    joined: list[str] = []
    depth = 0
    for part in parts:
        if depth > 0:
            joined[-1] = f"{joined[-1]}{separator}{part}"
        else:
            joined.append(part)
            depth = 0
        depth += sum((letter in _OPENING) - (letter in _CLOSING) for letter in part)
    return joined if depth <= 0 else list(parts)  # a bracket that is never closed opens nothing


def find_separator(texts: Sequence[str], asked: Collection[str] = ()) -> str:
    """Return what stands between the values in these texts, or nothing when each is one value."""
    wanted = {each.casefold() for each in asked}
    for separator in SEPARATORS:
        if _is_list([split_values(text, separator) for text in texts], wanted):
            return separator
    return ""


def _is_list(written: Sequence[Sequence[str]], asked: Collection[str]) -> bool:
    """Say whether parts come and go by themselves: as many as they like, and in other records again."""
    parted = [[part.casefold() for part in own] for own in written]
    several = [parts for parts in parted if len(parts) > 1]
    if not several:
        return False
    parts = [part for own in several for part in own]
    if sum(map(len, parts)) > LONGEST * len(parts) or _are_of_different_kinds(several):
        return False
    if sum(any(part in asked for part in own) for own in several) >= ASKED * len(several):
        return True
    if len({len(own) for own in parted}) < 2:  # Smith, John; Paris, France
        return False
    counts = Counter(part for own in parted for part in set(own))
    if sum(counts[part] > 1 for part in parts) >= AGAIN * len(parts):
        return _change_places(parted, counts)
    return _are_like_whole(written)


def _are_of_different_kinds(several: Sequence[Sequence[str]]) -> bool:
    """Say whether what comes first is written otherwise than what comes last, by its digits: dates, addresses, sizes."""
    first = sum(any(map(str.isdigit, own[0])) for own in several) / len(several)
    last = sum(any(map(str.isdigit, own[-1])) for own in several) / len(several)
    return abs(first - last) > OTHERWISE


def _change_places(parted: Sequence[Sequence[str]], counts: Mapping[str, int]) -> bool:
    """Say whether parts that come back stand once first and once later: Paris, France is no list, though France comes back."""
    first = {own[0] for own in parted if own}
    later = {part for own in parted for part in own[1:]}
    known = [part for part in later if counts[part] > 1]
    return sum(part in first for part in known) >= BOTH * len(known)


def _are_like_whole(written: Sequence[Sequence[str]]) -> bool:
    """Say whether parts look like the texts that are one value: as short as them, and begun like them."""
    parts = [part for own in written if len(own) > 1 for part in own]
    wholes = [own[0] for own in written if len(own) == 1]
    if not wholes or len(written) - len(wholes) < OFTEN * len(written):
        return False
    words = [len(part.split()) for part in parts]
    like = [
        count <= FEW_WORDS and part[0].islower() == wholes[0][0].islower()
        for part, count in zip(parts, words, strict=True)
    ]
    if sum(like) < MOST * len(parts):
        return False
    usual = sum(len(whole.split()) for whole in wholes) / len(wholes)
    return usual <= FEW_WORDS and 0.6 <= sum(words) / len(words) / usual <= 1.6


def find_columns(texts: Sequence[str]) -> tuple[str, int]:
    """Return what parts these texts into different things and how many, or nothing and 0."""
    if len(texts) < LEAST:
        return "", 0
    for separator in FIELDS:
        counts = Counter(text.count(separator) + 1 for text in texts)
        number, share = counts.most_common(1)[0]
        if 1 < number <= 12 and share >= SAME * len(texts):
            return separator, number
    counts = Counter(text.count(", ") + 1 for text in texts)
    number, share = counts.most_common(1)[0]
    if 2 < number <= 12 and share >= SAME * len(texts):  # with two, it may be a name turned round
        return ", ", number
    return "", 0
