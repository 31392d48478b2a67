"""Numbers and dates of one attribute, as whole steps on a line, so that ranges can be cut without a gap."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from dataclasses import dataclass, field
from datetime import date, timedelta
from decimal import Decimal
from functools import lru_cache
from typing import Final

from dowse.select.selector import Span

UNIT: Final = 10**9  # of the line to one whole number or day: nine decimals are told apart
MAX_WHOLE: Final = 10**15  # numbers beyond are codes, not amounts
FIRST_DAY: Final = 1
LAST_DAY: Final = 3_652_059  # 9999-12-31, the last that can be written

# At most a sign of money before and a unit behind: "$ 1,250.00", "3.5 l". More than that is a sentence.
_NUMBER: Final = re.compile(
    r"[^\d\s+.-]{0,4}\s{0,2}([+-]?)(\d{1,16}(?:[., ']\d{1,12}){0,5}|\.\d{1,12})\s{0,2}[^\d\s]{0,12}"
)
_GROUPED: Final = re.compile(r"\d{1,3}(?:([., '])\d{3})(?:\1\d{3})*")
_DATE: Final = re.compile(r"(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[T ].{0,20})?")
_DATE_DAY_FIRST: Final = re.compile(r"(\d{1,2})\.(\d{1,2})\.(\d{4})")


@lru_cache(maxsize=100_000)
def read_amount(text: str, kind: str) -> int | None:
    """Return where a number or a date lies on the line, or None when the text is none."""
    return _read_date(text.strip()) if kind == "date" else _read_number(text.strip())


def _read_number(text: str) -> int | None:
    match = _NUMBER.fullmatch(text[:60])
    if match is None:
        return None
    sign, digits = match.groups()
    amount = int(Decimal(_plain(digits)) * UNIT)
    if amount > MAX_WHOLE * UNIT:
        return None
    return -amount if sign == "-" else amount


def _plain(digits: str) -> str:
    """Write a number with a point for its decimals and nothing between thousands."""
    whole, point, rest = digits, "", ""
    last = max(digits.rfind("."), digits.rfind(","))
    if last >= 0 and not (_GROUPED.fullmatch(digits) and (digits.count(digits[last]) > 1 or digits[last] == ",")):
        whole, point, rest = digits[:last], ".", digits[last + 1 :]
    return (re.sub(r"\D", "", whole) or "0") + point + re.sub(r"\D", "", rest)


def _read_date(text: str) -> int | None:
    match = _DATE.fullmatch(text)
    parts = match.groups() if match else ()
    if not match:
        match = _DATE_DAY_FIRST.fullmatch(text)
        parts = match.groups()[::-1] if match else ()
    if not parts:
        return None
    try:
        return date(*map(int, parts)).toordinal() * UNIT
    except ValueError:  # the 31st of February
        return None


def write_amount(amount: int, kind: str) -> str:
    """Write a place on the line as a form takes it."""
    if kind == "date":
        day = min(max(amount // UNIT, FIRST_DAY), LAST_DAY)
        return (date.min + timedelta(days=day - 1)).isoformat()
    whole, rest = divmod(abs(amount), UNIT)
    text = f"{whole}.{rest:09d}".rstrip("0").rstrip(".")
    return f"-{text}" if amount < 0 else text


def fineness(amount: int) -> int:
    """Return the least decimal step that a number is a multiple of, on the line."""
    step = UNIT
    while step > 1 and amount % step:
        step //= 10
    return step


@dataclass(slots=True)
class Scale:
    """The line of one attribute: how fine its values are, and where it can be cut."""

    span: Span
    grain: int = UNIT  # the least step between two values, as far as was seen
    least: int | None = None  # the ends of what the form says or records show
    most: int | None = None
    steps: list[int] = field(default_factory=list)
    texts: dict[int, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Take in what the form says."""
        for text in (self.span.low, self.span.high, *self.span.steps):
            amount = self.read(text)
            if amount is not None:
                self.note(amount)
        for text in self.span.steps:
            amount = self.read(text)
            if amount is not None:
                self.texts.setdefault(amount, text)
        self.steps = sorted(self.texts)

    def read(self, text: str) -> int | None:
        """Return where a text lies on the line, or None."""
        return read_amount(text, self.span.type)

    def write(self, amount: int | None) -> str:
        """Write an end of a range; nothing for no end."""
        if amount is None:
            return ""
        return self.texts.get(amount) or write_amount(amount, self.span.type)

    def note(self, amount: int) -> None:
        """Take in a value that was shown."""
        self.grain = min(self.grain, fineness(amount))
        self.least = amount if self.least is None else min(self.least, amount)
        self.most = amount if self.most is None else max(self.most, amount)

    def cuts(self, low: int | None, high: int | None) -> bool:
        """Say whether a range can be cut in two."""
        if not self.steps:
            return low is None or high is None or low < high
        return self.cut(low, high, self.middle(low, high)) is not None

    def cut(self, low: int | None, high: int | None, wish: int) -> tuple[int, int] | None:
        """Cut near a place: the end of the lower part and the beginning of the upper; None when it cannot be."""
        if self.steps:
            return self._cut_at_step(low, high, wish)
        end = wish - wish % self.grain
        if high is not None:
            end = min(end, high - self.grain)
        if low is not None:
            end = max(end, low)
        return (end, end + self.grain) if high is None or end < high else None

    def _cut_at_step(self, low: int | None, high: int | None, wish: int) -> tuple[int, int] | None:
        """Cut at an end that can be chosen: two neighbours a grain apart leave no gap, others share the end."""
        first = 0 if low is None else bisect_left(self.steps, low)
        last = len(self.steps) - 1 if high is None else bisect_right(self.steps, high) - 1
        near = min(max(bisect_right(self.steps, wish) - 1, first), last)
        for place in sorted(range(max(first, near - 2), min(last, near + 2) + 1), key=lambda each: abs(each - near)):
            end = self.steps[place]
            following = self.steps[place + 1] if place < len(self.steps) - 1 else None
            start = following if following is not None and following - end <= self.grain else end
            grows_low = low is None or end > low or start > end
            grows_high = (high is None or start < high) if start == end else (high is None or start <= high)
            if grows_low and grows_high and not (low is None and high is None and len(self.steps) < 1):
                return end, start
        return None

    def middle(self, low: int | None, high: int | None) -> int:
        """Return the middle of a range; an open end lies as far out as was seen, or twice as far."""
        reach = max((self.most or 0) - (self.least or 0), 16 * self.grain)
        if low is None and high is None:
            return ((self.least or 0) + (self.most or 0)) // 2
        if low is None:
            assert high is not None
            return (self.least + high) // 2 if self.least is not None and self.least < high else high - reach
        if high is None:
            return (low + self.most) // 2 if self.most is not None and self.most > low else low + reach
        return (low + high) // 2
