"""Numbers and dates in the texts of a column: what they are is decided by all of them, and those of other columns, together."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final

MIN_TYPED_SHARE: Final = 0.95  # of the texts of a column that must be a number or a date; a few say "unknown" or "n/a"
MAX_NUMBER_CHARS: Final = 40
_SIGNS: Final = r"(?:[$€£¥₽₹]|USD|EUR|GBP|CHF|PLN|zł|руб\.?|円|%|°)?"
_NUMBER: Final = re.compile(rf"{_SIGNS}\s?([+-]?\s?\d[\d.,'\s]*)\s?{_SIGNS}")
_WRITTEN: Final = {  # how digits are grouped and parted: each way is tried on the whole column
    ".": re.compile(r"[+-]?(?:\d+|[1-9]\d{0,2}(?:[,' ]\d{3})+)(?:\.\d+)?"),
    ",": re.compile(r"[+-]?(?:\d+|[1-9]\d{0,2}(?:[.' ]\d{3})+)(?:,\d+)?"),
}
_MONTHS: Final = {
    name: number for number, name in enumerate("jan feb mar apr may jun jul aug sep oct nov dec".split(), 1)
}
_DATES: Final = {  # patterns with the order of what they find
    "ymd": re.compile(r"(\d{4})[-/.](\d\d?)[-/.](\d\d?)(?:[T ].*)?"),
    "dmy": re.compile(r"(\d\d?)[./-](\d\d?)[./-](\d{4})(?:[ ,].*)?"),
    "mdy": re.compile(r"(\d\d?)[./-](\d\d?)[./-](\d{4})(?:[ ,].*)?"),
    "dny": re.compile(r"(?:[A-Za-z]{3,9}, )?(\d\d?)\.? ([A-Za-z]{3,9})\.?,? (\d{4})(?:[ ,].*)?"),
    "ndy": re.compile(r"([A-Za-z]{3,9})\.? (\d\d?),? (\d{4})(?:[ ,].*)?"),
}


@dataclass(frozen=True, slots=True)
class ColumnType:
    """What the texts of a column are beside texts."""

    name: str  # number or date
    way: str  # the sign before decimals, or the order of day, month (n: by its name) and year

    def parse(self, text: str) -> float | date | None:
        """Return the value of a text; None where it is none."""
        return _parse_number(text, self.way) if self.name == "number" else _parse_date(text, self.way)


def find_types(columns: Mapping[str, Sequence[str]]) -> dict[str, ColumnType]:
    """Return what nearly all texts of each column are, where only one way to read them fits best; texts are left out.

    1.234 may be a thousand or one and a bit: columns of the same file that can be read in one way only decide.
    """
    fitting = {name: _find_ways(texts) for name, texts in columns.items()}
    sure = {ways[0].way for ways in fitting.values() if len(ways) == 1 and ways[0].name == "number"}
    decimal = sure.pop() if len(sure) == 1 else ""
    chosen = {name: _choose_way(ways, columns[name], decimal) for name, ways in fitting.items()}
    return {name: each for name, each in chosen.items() if each is not None}


def _find_ways(texts: Sequence[str]) -> list[ColumnType]:
    """Return the ways to read the texts of a column that fit most of them."""
    ways = [ColumnType("number", way) for way in _WRITTEN] + [ColumnType("date", way) for way in _DATES]
    fits = {each: sum(each.parse(text) is not None for text in texts) for each in ways}
    best = max(fits.values(), default=0)
    if not best or best < MIN_TYPED_SHARE * len(texts):
        return []
    fitting = [each for each in ways if fits[each] == best]
    return [] if fitting[0].name == "number" and _has_leading_zero(texts) else fitting  # 00123 is called so


def _choose_way(ways: Sequence[ColumnType], texts: Sequence[str], decimal: str) -> ColumnType | None:
    """Return the way to read a column, given the sign before decimals in other columns; None where that is unknown."""
    read = [[each.parse(text) for text in texts] for each in ways]
    if ways and all(values == read[0] for values in read):
        return ways[0]
    numbers = [text for text in texts if ways and ways[0].parse(text) is not None]
    if 0 < sum(decimal in text for text in numbers) < len(numbers):
        return None  # 353 beside 4.194: not all have three decimals, so they are rather grouped after all
    return next((each for each in ways if each == ColumnType("number", decimal)), None)


def _parse_number(text: str, decimal: str) -> float | None:
    found = _NUMBER.fullmatch(text.strip()) if len(text) <= MAX_NUMBER_CHARS else None
    digits = re.sub(r"(?<=[+-])\s|\u00a0|\u202f", "", found[1].strip()) if found else ""
    if not _WRITTEN[decimal].fullmatch(digits):
        return None
    grouping = str.maketrans("", "", ",' " if decimal == "." else ".' ")
    return float(digits.translate(grouping).replace(",", "."))


def _has_leading_zero(texts: Collection[str]) -> bool:
    return any(re.match(r"0\d", text) for text in texts)


def _parse_date(text: str, order: str) -> date | None:
    found = _DATES[order].fullmatch(text.strip())
    if found is None:
        return None
    parts = dict(zip(order, found.groups(), strict=True))
    month = _MONTHS.get(parts["n"][:3].lower(), 0) if "n" in parts else int(parts["m"])
    try:
        return date(int(parts["y"]), month, int(parts["d"]))
    except ValueError:
        return None
