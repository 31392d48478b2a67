"""Several values in one text: by what they are parted, if they are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from typing import Final

SEPARATORS: Final = ("; ", ", ", " | ", " / ", " · ", " • ", " – ")
FIELDS: Final = (" – ", " — ", " | ", " · ", " • ", " - ", " / ")  # what parts texts into different things
LONGEST: Final = 60  # characters of one value of a list, on average; sentences have commas too
AGAIN: Final = 0.25  # share of values that some other record has as well
FEW_WORDS: Final = 4  # of one value of a list; a name has no more
SAME: Final = 0.8  # share of texts with the same number of parts that make these parts columns
LEAST: Final = 4  # texts from which columns are believed


def split_values(text: str, separator: str) -> list[str]:
    """Return the values of a text."""
    if not separator:
        return [text]
    return [
        part
        for part in (each.strip() for each in text.split(separator.strip() if separator == "; " else separator))
        if part
    ]


def find_separator(texts: Sequence[str], asked: Collection[str] = ()) -> str:
    """Return what stands between the values in these texts, or nothing when each is one value."""
    wanted = {each.casefold() for each in asked}
    for separator in SEPARATORS:
        parted = [[part.casefold() for part in split_values(text, separator)] for text in texts]
        if _is_list(parted, wanted):
            return separator
    return ""


def _is_list(parted: Sequence[Sequence[str]], asked: Collection[str]) -> bool:
    """Say whether parts come and go by themselves: as many as they like, and in other records again."""
    several = [parts for parts in parted if len(parts) > 1]
    if not several:
        return False
    parts = [part for own in several for part in own]
    if sum(map(len, parts)) > LONGEST * len(parts):
        return False
    if any(part in asked for part in parts):
        return True
    if len({len(own) for own in parted}) < 2:  # Smith, John; Paris, France
        return False
    counts = Counter(part for own in parted for part in set(own))
    again = sum(counts[part] > 1 for part in parts) >= AGAIN * len(parts)
    return again or _are_like_whole(parts, [own[0] for own in parted if len(own) == 1])


def _are_like_whole(parts: Sequence[str], wholes: Sequence[str]) -> bool:
    """Say whether parts look like the texts that are one value: as short as them."""
    words = [len(part.split()) for part in parts]
    if not wholes or max(words) > FEW_WORDS:
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
