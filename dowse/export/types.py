"""Numbers and dates in the texts of a column: what they are is decided by all of them together."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final

MIN_TYPED_SHARE: Final = 0.95  # of the texts of a column that must be a number or a date; a few say "unknown" or "n/a"
MAX_NUMBER_CHARS: Final = 40
_SIGNS: Final = r"(?:[$€£¥₽₹]|USD|EUR|GBP|CHF|PLN|zł|руб\.?|円|%|°)?"
_NUMBER: Final = re.compile(rf"{_SIGNS}\s?([+-]?\s?\d[\d.,'\s]*)\s?{_SIGNS}")
_WRITTEN: Final = {  # how digits are grouped and parted: each way is tried on the whole column
    ".": re.compile(r"[+-]?(?:\d+|\d{1,3}(?:[,' ]\d{3})+)(?:\.\d+)?"),
    ",": re.compile(r"[+-]?(?:\d+|\d{1,3}(?:[.' ]\d{3})+)(?:,\d+)?"),
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


def find_type(texts: Sequence[str]) -> ColumnType | None:
    """Return what nearly all texts of a column are, where only one way to read them fits best; None for texts."""
    ways = [ColumnType("number", way) for way in _WRITTEN] + [ColumnType("date", way) for way in _DATES]
    read = {each: [each.parse(text) for text in texts] for each in ways}
    fits = {each: sum(value is not None for value in values) for each, values in read.items()}
    best = max(fits.values(), default=0)
    if not best or best < MIN_TYPED_SHARE * len(texts):
        return None
    fitting = [each for each in ways if fits[each] == best]
    same = all(read[each] == read[fitting[0]] for each in fitting)
    if fitting[0].name == "number" and _has_leading_zero(texts):
        return None  # 00123 is called so
    return fitting[0] if same or (fitting[0].name == "number" and _is_grouped(texts)) else None


def _parse_number(text: str, decimal: str) -> float | None:
    found = _NUMBER.fullmatch(text.strip()) if len(text) <= MAX_NUMBER_CHARS else None
    digits = re.sub(r"(?<=[+-])\s|\u00a0|\u202f", "", found[1].strip()) if found else ""
    if not _WRITTEN[decimal].fullmatch(digits):
        return None
    grouping = str.maketrans("", "", ",' " if decimal == "." else ".' ")
    return float(digits.translate(grouping).replace(",", "."))


def _is_grouped(texts: Collection[str]) -> bool:
    """Return True if every comma stands before three digits: 1,234 is rather a thousand than one and a bit."""
    return all(re.search(r",(?!\d{3}(?!\d))", text) is None for text in texts)


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
