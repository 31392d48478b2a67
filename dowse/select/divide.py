"""Dividing a database into regions: scales of numbers and dates, ranges, choices (Sheng et al., VLDB 2012)."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from decimal import Decimal
from functools import lru_cache
from math import sqrt
from typing import Final

from dowse.model import Query, Range, Value
from dowse.select.graph import Graph
from dowse.select.selector import Span

# -- numbers and dates of one attribute, as whole steps on a line, so that ranges can be cut without a gap

UNIT: Final = 10**9  # of the line to one whole number or day: nine decimals are told apart
MAX_AMOUNT: Final = 10**15  # numbers beyond are codes, not amounts
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
    if amount > MAX_AMOUNT * UNIT:
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


def find_decimal_step(amount: int) -> int:
    """Return the least decimal step that a number is a multiple of, on the line."""
    step = UNIT
    while step > 1 and amount % step:
        step //= 10
    return step


@dataclass(slots=True)
class AmountScale:
    """The line of one attribute: how fine its values are, and where it can be cut."""

    span: Span
    grain: int = UNIT  # the least step between two values, as far as was seen
    least: int | None = None  # the ends of what the form says or records show
    most: int | None = None
    steps: list[int] = field(default_factory=list)
    texts: dict[int, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Learn what the form says."""
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
        """Add a value that was shown."""
        self.grain = min(self.grain, find_decimal_step(amount))
        self.least = amount if self.least is None else min(self.least, amount)
        self.most = amount if self.most is None else max(self.most, amount)

    def cuts(self, low: int | None, high: int | None) -> bool:
        """Return True if a range can be cut in two."""
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


# -- a part of a database that one query asks for, and how it was divided: the tree of a complete harvest

Bounds = tuple[int | None, int | None]


@dataclass(slots=True, repr=False, eq=False)
class Division:
    """A region divided by one attribute: into all its choices, or into ranges one after the other."""

    attribute: str
    choices: list[str] = field(default_factory=list)  # that still wait, the next one last
    ranges: bool = False
    start: int | None = None  # where the next range begins
    end: int | None = None
    ranked: list[int] = field(default_factory=list)  # values of records that were known when it was divided
    groups: dict[str, list[int]] = field(default_factory=dict)  # members by their choice
    grouped: int = 0  # members that are in groups
    children: list[QueryRegion] = field(default_factory=list)
    over: bool = False  # nothing is left to make a child of
    spared: bool = False  # counts say that the rest is empty, so it was not asked for
    insisted: bool = False  # the counts did not add up, so that it was asked for after all


@dataclass(slots=True, repr=False, eq=False)
class QueryRegion:
    """What one query asks for."""

    number: int
    parent: QueryRegion | None
    values: tuple[Value, ...] = ()
    bounds: tuple[tuple[str, Bounds], ...] = ()
    query: Query = field(default_factory=Query)
    guess: int | None = None  # how many it should have, by the counts of others
    asked: bool = False
    shown: int = 0
    said: int | None = None  # the count that the answer gave
    exact: bool = False
    overflowed: bool = False
    failed: str = ""
    tries: int = 0
    state: str = "waiting"  # open, proven, short
    why: str = ""  # read, total, inside, cover; or what it lacks
    members: list[int] | None = None  # records that are known to be in it
    harvested: int = 0  # how many that were in the end
    divisions: list[Division] = field(default_factory=list)

    @property
    def total(self) -> int | None:
        """How many records it has, where an answer said so exactly."""
        return self.said if self.exact else None

    @property
    def about(self) -> int | None:
        """How many records it should have."""
        return self.said if self.said is not None else self.guess

    @property
    def given(self) -> frozenset[str]:
        """Attributes that its query names."""
        return frozenset([each.attribute for each in self.values] + [name for name, _ in self.bounds])

    def bound(self, attribute: str) -> Bounds:
        """Return the ends of its range of an attribute."""
        return dict(self.bounds).get(attribute, (None, None))

    def known(self) -> list[int]:
        """Return its members; none before it was looked at."""
        return self.members if self.members is not None else []


def make_choice_part(region: QueryRegion, number: int, value: Value) -> QueryRegion:
    """Return the part of a region that has a value."""
    return QueryRegion(number, region, tuple(sorted((*region.values, value))), region.bounds)


def make_range_part(region: QueryRegion, number: int, attribute: str, bounds: Bounds) -> QueryRegion:
    """Return the part of a region that lies in a range."""
    others = tuple(each for each in region.bounds if each[0] != attribute)
    kept = others if bounds == (None, None) else (*others, (attribute, bounds))
    return QueryRegion(number, region, region.values, tuple(sorted(kept, key=lambda each: each[0])))


def build_region_query(region: QueryRegion, scales: dict[str, AmountScale]) -> Query:
    """Return what asks for a region."""
    ranges = tuple(
        Range(name, scales[name].write(low), scales[name].write(high)) for name, (low, high) in region.bounds
    )
    return Query(region.values, ranges)


# -- what the records that were harvested show of the attributes that can be asked for


def fold(text: str) -> str:
    """Write a choice as it is compared: pages write it in capitals here and there."""
    return " ".join(text.split()).casefold()


@dataclass(slots=True)
class KnownRecords:
    """Amounts and choices by record, for the records that a selector was told of."""

    graph: Graph
    scales: Mapping[str, AmountScale]
    choices: Mapping[str, tuple[str, ...]]
    count: int = 0
    amounts: dict[str, dict[int, tuple[int, ...]]] = field(default_factory=dict)
    texts: dict[str, dict[int, tuple[str, ...]]] = field(default_factory=dict)
    several: set[str] = field(default_factory=set)  # attributes of which a record showed two values

    def __post_init__(self) -> None:
        """Make room for each attribute that can be asked for."""
        self.amounts = {name: {} for name in self.scales}
        self.texts = {name: {} for name in self.choices}

    def add(self, records: Iterable[int]) -> None:
        """Add records that are new."""
        for record in records:
            self.count += 1
            for number in self.graph.values_of(record):
                attribute, text = self.graph.value(number)
                amount = self.scales[attribute].read(text) if attribute in self.amounts else None
                if amount is not None:
                    self.scales[attribute].note(amount)
                    before = self.amounts[attribute].get(record, ())
                    self.amounts[attribute][record] = (*before, amount)
                    self.several.update([attribute] if before else ())
                if attribute in self.texts:
                    others = self.texts[attribute].get(record, ())
                    self.texts[attribute][record] = (*others, fold(text))
                    self.several.update([attribute] if others else ())

    def shows(self, attribute: str) -> bool:
        """Return True if records show an attribute at all."""
        return bool(self.amounts.get(attribute) or self.texts.get(attribute))

    def lacking(self, attribute: str, records: Iterable[int]) -> int:
        """Count the records without a value of an attribute that records show."""
        if not self.shows(attribute):
            return 0
        seen = self.amounts.get(attribute) or self.texts.get(attribute) or {}
        return sum(record not in seen for record in records)

    def lacks(self, attribute: str) -> bool:
        """Return True if any record lacks an attribute that records show."""
        return 0 < len(self.amounts.get(attribute) or self.texts.get(attribute) or ()) < self.count

    def within(self, attribute: str, bounds: Bounds, records: Iterable[int]) -> list[int]:
        """Return the records that show a value inside a range."""
        low, high = bounds
        seen = self.amounts[attribute]
        return [
            record
            for record in records
            if any(
                (low is None or low <= each) and (high is None or each <= high) for each in seen.get(record, ())
            )
        ]  # fmt: skip

    def group(self, attribute: str, records: Iterable[int], groups: dict[str, list[int]]) -> None:
        """Add records to the groups of their choices."""
        seen = self.texts[attribute]
        for record in records:
            for text in set(seen.get(record, ())):
                groups.setdefault(text, []).append(record)


# -- where to cut a range, and by which attribute to divide (Sheng, Zhang, Tao, Jin: rank-shrink, VLDB 2012)
#
# The paper cuts at the median of the k records that an overflowing answer showed, so that each part
# keeps at least a quarter of them: no part is asked for in vain. Here all records that are known to lie
# in the range take the place of the k, and where an answer says how many there are, a part is cut off
# that should just fill an answer: most of the queries that only overflow are spared.

TARGET_FILL: Final = 0.95  # of an answer that a part should fill: more overflow in vain, less are half empty
MIN_CUT_RECORDS: Final = 2  # known records that a part is cut around: with fewer, its size is unknown
MAX_SAMPLED_MEMBERS: Final = 400  # members that are looked at to choose an attribute
UNCOUNTED_LACK_FACTOR: Final = (
    100  # times worse is an attribute that a record lacks, where no count tells what lies outside
)
COUNTED_LACK_FACTOR: Final = 3  # times worse, where a count tells
ASKED_UNSEEN_SHARE: Final = (
    0.05  # of the choices that no known record has, those that are asked for where counts tell when to end
)


def place_cut(ranked: Sequence[int], first: int, about: int | None, limit: int) -> int | None:
    """Return a place to cut after, so that the part from `first` fills an answer; None when all is to stay whole."""
    size = len(ranked) - first
    # how many of the known records the next part should have: as many as fill an answer, or the paper's median
    parts = max(2, -(-(len(ranked) if about is None else about) // max(1, int(limit * TARGET_FILL))))
    want = max(1, len(ranked) // parts) if about is None else max(MIN_CUT_RECORDS, round(size / parts))
    if size < 2 or (about is not None and about <= limit) or (about is None and first and size < 1.5 * want):
        return None
    return _cut_between(ranked, first, want, (about or 2 * size) / size, limit)


def _cut_between(ranked: Sequence[int], first: int, want: int, per: float, limit: int) -> int | None:
    """Cut after so many, beside a value that many share, not inside of it; None when they all share one."""
    last = ranked[min(first + want, len(ranked)) - 1]
    begin, end = bisect_left(ranked, last, first), bisect_right(ranked, last, first)
    before, upto = begin - first, end - first
    if before and (before * 2 >= want or upto * per > limit) and upto > want:
        return last - 1
    if end == len(ranked):
        return last - 1 if before else None
    following = ranked[end]
    heavy = (bisect_right(ranked, following, end) - end) * per > limit / 2
    return following - 1 if heavy else (last + following) // 2


def pick_attribute(region: QueryRegion, candidates: Sequence[str], known: KnownRecords, limit: int) -> str:
    """Return the attribute that should divide a region into the fewest answers."""
    members = region.known()
    sample = members[:: max(1, len(members) // MAX_SAMPLED_MEMBERS)]
    about = region.about or 2 * max(len(members), limit)
    return min(candidates, key=lambda name: (_cost(name, sample, about, known, limit, region), candidates.index(name)))


def _cost(name: str, sample: Sequence[int], about: int, known: KnownRecords, limit: int, region: QueryRegion) -> float:
    """Guess how many queries it takes to harvest a region divided by an attribute."""
    answers = max(2.0, about / (limit * TARGET_FILL))
    lacking = known.lacking(name, sample) / max(1, len(sample))
    if name in known.scales:
        seen = known.amounts[name]
        amounts = Counter(seen[record][0] for record in sample if record in seen)
        top = max(amounts.values()) / amounts.total() if amounts else 1.0
        cost = answers * (1 + top) if len(amounts) != 1 else 4 * answers
    else:
        texts = known.texts[name]
        counts = Counter(text for record in sample for text in texts.get(record, ()))
        each = answers / max(1, len(sample))
        unseen = max(0, len(known.choices[name]) - len(counts))
        cost = 1.2 * sum(max(1.0, count * each) for count in counts.values())
        cost += unseen * (ASKED_UNSEEN_SHARE if region.total is not None and counts else 1.0)
    if known.lacks(name):  # what lacks it has to be found by another attribute, all over again
        return cost * (COUNTED_LACK_FACTOR + 8 * lacking) if region.total is not None else cost * UNCOUNTED_LACK_FACTOR
    return cost


# -- how one region is divided: the order of its choices, the ends of its ranges, and what lies between them

MIN_EVEN_RECORDS: Final = 5  # known records that tell nothing of how the others lie
EVEN_TARGET_FILL: Final = 0.85  # of an answer, where values lie evenly: a part strays by the root of its size
MAX_SAMPLE_BIAS: Final = 8  # times fewer than the known records make one expect: they do not stand for the others


def begin_division(region: QueryRegion, name: str, known: KnownRecords) -> Division:
    """Return a division of a region by an attribute, with no parts yet."""
    if name in known.scales:
        seen = known.amounts[name]
        ranked = sorted(seen[record][0] for record in region.known() if record in seen)
        start, end = region.bound(name)
        return Division(name, ranges=True, ranked=ranked, start=start, end=end)
    groups: dict[str, list[int]] = {}
    known.group(name, region.known(), groups)
    choices = sorted(reversed(known.choices[name]), key=lambda text: len(groups.get(fold(text), ())))
    return Division(name, choices=choices)


def choose_range_end(
    region: QueryRegion, division: Division, scale: AmountScale, left: int | None, limit: int
) -> int | None:
    """Return where the next range should end; None for at the end."""
    start, ranked = division.start, division.ranked
    first = 0 if start is None else bisect_left(ranked, start)
    if division.children and left is not None and left <= limit:
        return None
    if _is_sample_biased(region, division, first, left, limit):
        return scale.middle(start, division.end)
    if left is None:
        left = _left_by_sample(division, first)
    even = _end_if_even(division, first, left, limit, scale.grain)
    if even is not None:
        return even
    place = place_cut(ranked, first, left, limit or len(ranked) + 1)
    if place is not None or division.children:
        return place
    if not ranked:
        return scale.middle(start, division.end)
    return ranked[0] - 1 if start is None or start < ranked[0] else ranked[0]  # they all share one value


def _left_by_sample(division: Division, first: int) -> int | None:
    """Guess what is left from the parts that were harvested: how many they had for each record that was known of them."""
    if not first or any(child.state != "proven" for child in division.children):
        return None
    harvested = sum(child.harvested for child in division.children)
    return max(1, harvested * (len(division.ranked) - first) // first)


def _end_if_even(division: Division, first: int, left: int | None, limit: int, grain: int) -> int | None:
    """Return an end by length where known records lie evenly, and hardly share values; None where they do not."""
    start, end, ranked = division.start, division.end, division.ranked
    count = len(ranked) - first
    if left is None or start is None or end is None or count < MIN_EVEN_RECORDS or left <= limit:
        return None
    length = end - start
    if length // grain * limit < 5 * left:  # a value has a fifth of an answer, or more
        return None
    strays = max(abs((ranked[first + place] - start) / length - place / count) for place in range(count))
    if strays > 1 / sqrt(count):
        return None
    parts = -(-left // max(1, int(EVEN_TARGET_FILL * limit)))
    return start + length // max(2, parts)


def count_remaining(region: QueryRegion, division: Division) -> int | None:
    """Return how many records of a region are in none of the parts made so far; None when that is unknown."""
    remaining = region.about
    for child in division.children:
        amount = child.total if child.total is not None or child.state != "proven" else child.harvested
        remaining = None if remaining is None or amount is None else remaining - amount
    return remaining


def _is_sample_biased(region: QueryRegion, division: Division, first: int, left: int | None, limit: int) -> bool:
    """Return True if the known records lie where the others do not: a source that sorts shows its first ones."""
    total = region.about
    if not total or left is None or not first or left <= 2 * limit:
        return False
    return (total - left) * MAX_SAMPLE_BIAS * len(division.ranked) < first * total


def find_gaps(parts: Sequence[Bounds], grain: int) -> list[Bounds]:
    """Return what lies between ranges that were cut when values seemed to be coarser."""
    ends = sorted(high for _, high in parts if high is not None)
    gaps: list[Bounds] = []
    for low, _ in parts:
        place = bisect_left(ends, low + 1) - 1 if low is not None else -1
        if low is not None and place >= 0 and low - ends[place] > grain:
            gaps.append((ends[place] + grain, low - grain))
    return gaps
