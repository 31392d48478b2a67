"""The words of a text and the ways in which a value can meet what was asked for.

Everything here compares texts that are casefolded already.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date

_WORD = re.compile(r"[^\W_]+")
_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)")
_DATE = re.compile(r"([0-9]{4})(?:-([0-9]{1,2})(?:-([0-9]{1,2}))?)?")

TextTest = Callable[[str], bool]


def split_words(text: str) -> list[str]:
    """Return the words of a text, casefolded; text without spaces, as in Japanese, is one word."""
    return _WORD.findall(text.casefold())


def read_number(text: str) -> float | None:
    """Read a number as people type it; None when it is none."""
    plain = text.replace(",", "").replace(" ", "")
    return float(plain) if _NUMBER.fullmatch(plain) else None


def read_days(text: str) -> tuple[int, int] | None:
    """Read a year, a month or a day, and return its first and last day as ordinals; None when it is no date."""
    found = _DATE.fullmatch(text.strip())
    if not found:
        return None
    year, month, day = found.groups()
    try:
        first = date(int(year), int(month or 1), int(day or 1))
    except ValueError:
        return None
    last = first.toordinal() if day else _last_day(first.year, first.month if month else 12)
    return first.toordinal(), last


def _last_day(year: int, month: int) -> int:
    if month == 12:
        return date(year, 12, 31).toordinal()
    return date(year, month + 1, 1).toordinal() - 1


def text_test(way: str, wanted: str) -> TextTest:
    """Return the test that a casefolded value passes when it meets what is wanted in this way."""
    return _TESTS[way](wanted)


def _has_word(wanted: str) -> TextTest:
    return lambda text: wanted in text and wanted in split_words(text)


def _has_phrase(wanted: str) -> TextTest:
    padded = f" {wanted} "
    return lambda text: padded in f" {' '.join(split_words(text))} "


_TESTS: dict[str, Callable[[str], TextTest]] = {
    "word": _has_word,
    "phrase": _has_phrase,  # words separated by single spaces
    "contains": lambda wanted: lambda text: wanted in text,
    "starts": lambda wanted: lambda text: text.startswith(wanted),
    "equals": lambda wanted: lambda text: text == wanted,
}
