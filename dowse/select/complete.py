"""Extracts everything and proves it: regions that overflow are divided until each answer was read to its end."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any, Final

import msgspec

from dowse.model import Query, Value, Verdict
from dowse.select.certificate import (
    Certificate,
    CertificateInterface,
    check_certificate,
    walk_regions,
    write_region,
)
from dowse.select.divide import (
    TARGET_FILL,
    AmountScale,
    Division,
    KnownRecords,
    QueryRegion,
    begin_division,
    build_region_query,
    choose_range_end,
    count_remaining,
    find_gaps,
    fold,
    make_choice_part,
    make_range_part,
    pick_attribute,
    write_amount,
)
from dowse.select.selector import QueryProgress, SelectorParts

# -- how many records an answer shows at most, and whether its counts are true: told, or found while asking

ROUND_CAP_RECORDS: Final = 50  # an answer that ends at a multiple of it, with no count, was cut off there


@dataclass(slots=True)
class ResultCap:
    """What was found out about a source's answers."""

    declared: int  # the limit that the form says; 0 for none
    limit: int = 0
    counts: bool = False  # answers say exactly how many there are
    untrue_count: str = ""  # how a count was found to be untrue
    ends: Counter[int] = field(default_factory=Counter)  # where answers ended before their count was reached

    def __post_init__(self) -> None:
        """Begin with what was told."""
        self.limit = self.declared

    def learn(self, asked: QueryProgress) -> None:
        """Learn from an answer that is over."""
        if asked.limit:
            self.limit = max(asked.limit, self.limit) if asked.records > asked.limit else asked.limit
        if not (asked.more or asked.aborted):
            self._learn_end(asked, asked.total if asked.exact else None)
        self.counts = asked.total is not None and asked.exact and not self.untrue_count

    def _learn_end(self, asked: QueryProgress, total: int | None) -> None:
        """Find the limit where an answer ends before its count is reached, and counts that are not true."""
        shown = asked.records
        if total is not None and total < shown:
            self.untrue_count = self.untrue_count or f"{asked.query}: {total} were said to match, {shown} were shown"
        elif total is not None and total > shown and (not self.limit or shown < self.limit):
            # the first such end is a limit; a second one elsewhere shows that counts are not true
            self.ends[shown] += 1
            if len(self.ends) == 1:
                self.limit = shown
            elif not self.untrue_count:
                self.untrue_count = f"{asked.query}: {total} were said to match, the answer ended at {shown}"
                self.limit = self.declared or max(self.ends)
        elif shown > self.limit and (self.limit or (total is None and shown % ROUND_CAP_RECORDS == 0)):
            self.limit = shown

    def overflows(self, asked: QueryProgress) -> bool:
        """Return True if a source has more for a query than it showed."""
        if asked.aborted or asked.more:
            return True
        if self.counts and asked.total is not None:
            return asked.total > asked.records
        return bool(self.limit) and asked.records >= self.limit


# -- harvests everything, and proves it: regions that overflow are divided until each answer was read to its end
#
# Ranges are cut as rank-shrink does, choices are taken one by one, and a choice by itself is asked for
# before it is joined with others (lazy-slice-cover; both: Sheng, Zhang, Tao, Jin, VLDB 2012). A region is
# done with when its answer was read to the end, when as many of its records are harvested as an exact count
# says, when it lies inside a choice that was read, or when the parts that cover it are done with.
# The same answers in the same order give the same questions: a run goes on where it was stopped.

MAX_TRIES: Final = 2  # of a query that failed
MAX_DIVISIONS: Final = 3  # of one region, by other attributes where records lack the first
MAX_ANSWERS_WITHOUT_NEW: Final = (
    200  # answers in a row that overflow and show nothing new: the source does not keep to what is asked
)

MAX_CONTRADICTIONS: Final = 100  # that a certificate keeps

TOO_MANY: Final = "more than can be shown: its parts are asked for"
ALL_HELD: Final = "all of its records are harvested"


@dataclass(repr=False)
class CompleteSelector:
    """Covers the database with queries that do not overflow."""

    parts: SelectorParts
    without_new: int = 0  # answers in a row that overflowed and showed nothing new
    given_up: str = ""
    answers: dict[Query, QueryProgress] = field(default_factory=dict)
    foreign: set[Query] = field(default_factory=set)  # asked by somebody else, or not yet known to be needed
    stack: list[QueryRegion] = field(default_factory=list)
    slices: dict[Value, QueryRegion] = field(default_factory=dict)
    contradictions: list[str] = field(default_factory=list)
    ignored: set[str] = field(default_factory=set)  # ranges that the source does not keep to
    loose: set[str] = field(default_factory=set)  # attributes that records show otherwise than they are found by
    made: int = 1

    def __post_init__(self) -> None:
        """Begin with everything."""
        face = self.parts.interface
        self.result_cap = ResultCap(face.limit)
        self.scales = {span.attribute: AmountScale(span) for span in face.spans}
        self.choices = {name: texts for name, texts in face.choices if texts and name not in self.scales}
        self.known = KnownRecords(self.parts.graph, self.scales, self.choices)
        self.root = QueryRegion(0, None, members=[])
        self.stack.append(self.root)

    def seed(self, values: list[Value]) -> None:
        """Nothing is begun from values: the choices and ranges of the form are."""

    def choose(self) -> Query | None:
        """Return the next query; None when all is harvested, or nothing more can be."""
        region = self._go_on()
        return region.query if region else None

    def why_abort(self, asked: QueryProgress) -> str:
        """Leave an answer that overflows, or that has nothing left that is new."""
        region = self.stack[-1] if self.stack else None
        if region is None or region.query != asked.query or self.result_cap.untrue_count:
            return ""
        known, limit = len(region.known()) + len(asked.fresh), asked.limit or self.result_cap.limit
        if asked.total is not None and asked.exact:
            if known == asked.total and not self._is_loose(region):
                return ALL_HELD
            too_many = bool(limit) and asked.total > limit
        else:
            too_many = bool(limit) and known > limit and not self._is_loose(region)
        if not too_many:
            return ""
        # it is left only where its parts are sure: an attribute divides it that all of its known records have
        is_sure = region.number < 0 or any(
            self.known.lacking(name, region.known()) == 0 for name in self._candidates(region)
        )
        return TOO_MANY if is_sure else ""

    def learn(self, asked: QueryProgress) -> None:
        """Learn from an answer, now or when a region comes that it answers."""
        self.answers[asked.query] = asked
        self.known.add(asked.fresh)
        self._go_on()
        if asked.query in self.answers:  # nobody needs it yet
            self.foreign.add(asked.query)
            self._add_up(self.root, asked.fresh)

    def certificate(self, time: str = "") -> dict[str, Any]:
        """Return what was asked and why that is everything, as plain data."""
        plain: dict[str, Any] = msgspec.to_builtins(self._build_certificate(time))
        return plain

    def _build_certificate(self, time: str = "") -> Certificate:
        face, attributes = self.parts.interface, (*self.scales, *self.choices)
        return Certificate(
            CertificateInterface(
                dict(face.choices),
                {span.attribute: span.type for span in face.spans},
                face.blank,
                face.joins,
                face.required,
            ),
            self.result_cap.limit,
            self.known.count,
            {name: write_amount(scale.grain, "number") for name, scale in self.scales.items()},
            tuple(write_region(region) for region in walk_regions(self.root, self.slices.values())),
            time=time,
            untrue_count=self.result_cap.untrue_count,
            contradictions=tuple(self.contradictions[:MAX_CONTRADICTIONS]),
            loose=tuple(sorted(self.loose)),
            lacking=tuple(name for name in attributes if self.known.lacks(name)),
        )

    def verdict(self) -> Verdict:
        """Return whether everything was harvested, or why not."""
        if self.given_up:
            return Verdict(False, self.given_up)
        if self.stack:
            return Verdict(False, "not finished")
        return check_certificate(self._build_certificate())

    def _go_on(self) -> QueryRegion | None:
        """Go on until a region has to be asked for; None when nothing is left."""
        while self.stack and not self.given_up:
            region = self.stack[-1]
            if region.state == "waiting":
                if self._needs_asking(region):
                    return region
            elif region.state == "open":
                child = self._next_part(region)
                self.stack.append(child) if child else self._close(region)
            else:
                self.stack.pop()
            if not self.stack:
                self._fill_gaps(self.root)
        return None

    # What is to be asked

    def _needs_asking(self, region: QueryRegion) -> bool:
        """Return True if a region has to be asked for; if not, it was answered, or divided at once."""
        if region.members is None:
            region.members = self._find_members(region)
            region.query = build_region_query(region, self.scales)
        slices = [self.slices.get(value) for value in region.values]
        if any(each is not None and each.state == "proven" and each.why in ("read", "total") for each in slices):
            self._end(region, "proven", "inside")
            return False
        if not self._can_be_asked(region):
            self._divide(region)
            return False
        asked = self.answers.pop(region.query, None)
        if asked is not None and self._is_of_use(asked):
            self._take_in(region, asked)
            return False
        if (
            not self.result_cap.counts
            and self.result_cap.limit
            and len(region.members) > self.result_cap.limit
            and not self._is_loose(region)
        ):
            region.overflowed = True  # more are known than can be shown
            self._divide(region)
            return region.state == "waiting"
        return not self._ask_choice_first(region)

    def _is_of_use(self, asked: QueryProgress) -> bool:
        """Return True if an answer that somebody else asked for says enough: it may have been left after a page."""
        if asked.query not in self.foreign:
            return True
        limit = asked.limit or self.result_cap.limit
        too_many = bool(limit) and asked.exact and (asked.total or 0) > limit
        return not asked.failed and (too_many or not (asked.aborted or asked.more))

    def _find_members(self, region: QueryRegion) -> list[int]:
        """Return the records that are known to be in a region, by what they show."""
        parent = region.parent
        assert parent is not None
        if region.number < 0:  # a choice by itself
            attribute, text = region.values[0]
            groups: dict[str, list[int]] = {}
            self.known.group(attribute, parent.known(), groups)
            return groups.get(fold(text), [])
        division = parent.divisions[-1]
        name = division.attribute
        if name in self.loose:
            return []
        if division.ranges:
            return self.known.within(name, region.bound(name), parent.known())
        self.known.group(name, parent.known()[division.grouped :], division.groups)
        division.grouped = len(parent.known())
        text = next(each.text for each in region.values if each.attribute == name)
        return list(division.groups.get(fold(text), ()))

    def _can_be_asked(self, region: QueryRegion) -> bool:
        face = self.parts.interface
        return region.given.issuperset(face.required) and bool(region.given or face.blank)

    def _ask_choice_first(self, region: QueryRegion) -> bool:
        """Put a choice by itself before the region that joins it with others, when it should not overflow."""
        division = region.parent.divisions[-1] if region.parent and region.parent.divisions else None
        if region.number < 0 or division is None or division.ranges or len(region.given) < 2:
            return False
        if not {division.attribute}.issuperset(self.parts.interface.required):
            return False
        value = next(each for each in region.values if each.attribute == division.attribute)
        if value in self.slices:
            return False
        alone = QueryRegion(-self.made, self.root, (value,))
        self.made += 1
        self.slices[value] = alone
        alone.members, alone.query = self._find_members(alone), build_region_query(alone, self.scales)
        everything = self.root.about or 2 * self.known.count
        if len(alone.members) * everything > TARGET_FILL * self.result_cap.limit * max(1, self.known.count):
            alone.state, alone.why = "short", "likely to overflow"
            return False
        self.stack.append(alone)
        return True

    # What came back

    def _take_in(self, region: QueryRegion, asked: QueryProgress) -> None:
        """Note what an answer said of a region, and what that means."""
        if asked.failed:
            region.tries += 1
            if region.tries >= MAX_TRIES:
                region.failed = asked.failed
                self._end(region, "short", f"{region.query} was not answered: {asked.failed}")
            return
        fresh = [] if asked.query in self.foreign else asked.fresh
        self._add_up(region, fresh)
        self._note_answer(region, asked)
        self._doubt(region, asked)
        if self._shorten_stack():
            return
        if region.overflowed and region.number >= 0:
            self._divide(region)
        else:
            self._end(region, "short" if region.overflowed else "proven", "read")

    def _note_answer(self, region: QueryRegion, asked: QueryProgress) -> None:
        self.result_cap.learn(asked)
        region.asked, region.shown, region.overflowed = True, asked.records, self.result_cap.overflows(asked)
        if self.result_cap.counts:
            region.said, region.exact = asked.total, True
        elif not self.result_cap.untrue_count:
            region.guess = asked.total
        self.without_new = self.without_new + 1 if region.overflowed and not asked.fresh else 0
        if self.without_new > MAX_ANSWERS_WITHOUT_NEW:
            self.given_up = f"{MAX_ANSWERS_WITHOUT_NEW} answers in a row overflowed and showed nothing new"

    def _doubt(self, region: QueryRegion, asked: QueryProgress) -> None:
        """Compare what was shown with what was asked for."""
        if asked.repeats:
            self.contradictions.append(
                f"{region.query}: {asked.repeats} records were shown twice, so others may have been missed"
            )
        for name, bounds in region.bounds:
            seen = self.known.amounts[name]
            telling = [record for record in asked.fresh if record in seen]
            wrong = len(telling) - len(self.known.within(name, bounds, telling))
            if wrong * 2 > len(telling):
                self.ignored.add(name)
                self.contradictions.append(f"{region.query}: {wrong} of {len(telling)} records lie outside")
            elif wrong:
                self.loose.add(name)
        if not region.overflowed and not asked.aborted and len(region.known()) > asked.records:
            self.loose.update(region.given)

    def _add_up(self, region: QueryRegion, fresh: list[int]) -> None:
        """Add records to a region and to all that it lies in."""
        above: QueryRegion | None = region
        while above is not None and fresh:
            if above.members is not None:
                above.members.extend(fresh)
            else:
                above.harvested += len(fresh)
            above = above.parent

    def _shorten_stack(self) -> bool:
        """Leave everything inside a region of which all is harvested."""
        for place, region in enumerate(self.stack):
            if region.state in ("waiting", "open") and self._is_all_held(region):
                for below in self.stack[place + 1 :]:
                    whole = below.asked and not below.overflowed
                    self._end(below, "proven" if whole else "short", "read" if whole else "not needed")
                del self.stack[place + 1 :]
                self._end(region, "proven", "total" if region.overflowed or not region.asked else "read")
                return True
        return False

    def _is_all_held(self, region: QueryRegion) -> bool:
        if self.result_cap.untrue_count or region.total is None or self._is_loose(region):
            return False
        return len(region.known()) == region.total

    def _is_loose(self, region: QueryRegion) -> bool:
        return bool(self.loose and region.given & self.loose)

    # How a region is divided

    def _candidates(self, region: QueryRegion) -> list[str]:
        """Return the attributes that can divide a region."""
        face = self.parts.interface
        needed = set(face.required) - region.given
        tried = {division.attribute for division in region.divisions}
        names = [name for name, scale in self.scales.items() if scale.cuts(*region.bound(name))]
        names += [name for name in self.choices if name not in region.given]
        joined = face.joins or len(face.required) > 1
        return [
            name
            for name in names
            if name not in tried and name not in self.ignored
            and (not needed or name in needed) and (joined or region.given <= {name})
        ]  # fmt: skip

    def _divide(self, region: QueryRegion) -> None:
        """Divide a region by the attribute that should take the fewest queries."""
        candidates = self._candidates(region)
        if not candidates:
            self._give_up(region)
            return
        name = pick_attribute(
            region, candidates, self.known, self.result_cap.limit or 10 * self.parts.interface.page_size
        )
        region.divisions.append(begin_division(region, name, self.known))
        region.state = "open"

    def _give_up(self, region: QueryRegion) -> None:
        """Return why a region can not be divided."""
        typed = [name or "a word" for name in self.parts.interface.attributes] + [
            "words"
        ] * self.parts.interface.keyword
        if not self._can_be_asked(region):
            why = f"{', '.join(typed)} is free text" if typed else "nothing can be asked for"
        elif region.asked or region.parent is None:
            why = f"{region.query} shows {region.shown} and no query tells the others apart"
        else:
            region.overflowed = False  # it was never asked: at least what fits into an answer is shown
            return
        self._end(region, "short", why)

    def _next_part(self, region: QueryRegion) -> QueryRegion | None:
        """Return the next part of a region; None when there is none, or none is needed."""
        division = region.divisions[-1]
        if division.over or division.spared or self._is_all_held(region):
            return None
        left = count_remaining(region, division)
        if left is not None and left <= 0 and division.attribute not in self.known.several and not division.insisted:
            division.spared = True
            return None
        child = self._next_range(region, division, left) if division.ranges else self._next_choice(region, division)
        if child is not None:
            division.children.append(child)
        return child

    def _next_choice(self, region: QueryRegion, division: Division) -> QueryRegion | None:
        if not division.choices:
            division.over = True
            return None
        value = Value(division.attribute, division.choices.pop())
        child = make_choice_part(region, self._number(), value)
        if region is self.root:
            self.slices[value] = child
        return child

    def _next_range(self, region: QueryRegion, division: Division, left: int | None) -> QueryRegion | None:
        """Cut off the next range; the last one takes all that is left."""
        name, scale = division.attribute, self.scales[division.attribute]
        wish = choose_range_end(region, division, scale, left, self.result_cap.limit)
        cut = scale.cut(division.start, division.end, wish) if wish is not None else None
        if cut is None:
            division.over = True
            whole = not division.children
            return None if whole else make_range_part(region, self._number(), name, (division.start, division.end))
        child = make_range_part(region, self._number(), name, (division.start, cut[0]))
        division.start = cut[1]
        return child

    def _number(self) -> int:
        self.made += 1
        return self.made

    # What became of it

    def _close(self, region: QueryRegion) -> None:
        """End a region whose parts are done with, or divide it again for what they lack."""
        division = region.divisions[-1]
        short = [child for child in division.children if child.state == "short"]
        if self._is_all_held(region):
            self._end(region, "proven", "total")
        elif division.spared and not short:
            division.spared, division.insisted = False, True  # the counts do not add up: ask for the rest after all
        elif not division.children:
            self._end(region, "short", f"{region.query} can not be divided by {division.attribute}")
        elif self._lacks(region, short) and len(region.divisions) < MAX_DIVISIONS and self._candidates(region):
            self._divide(region)
        elif short:
            self._end(region, "short", "parts of it are short")
        elif self._lacks(region, short):
            names = " or ".join(each.attribute for each in region.divisions)
            self._end(region, "short", f"{region.query} has records without {names}")
        else:
            self._end(region, "proven", "cover")

    def _lacks(self, region: QueryRegion, short: list[QueryRegion]) -> bool:
        """Return True if a region has records that its parts do not have."""
        if region.total is not None and not self.result_cap.untrue_count:
            if not short:
                return len(region.known()) != region.total
            left = count_remaining(region, region.divisions[-1])
            return left is not None and left > 0
        without = region.known()
        for division in region.divisions:
            seen = self.known.amounts.get(division.attribute) or self.known.texts.get(division.attribute)
            without = [record for record in without if record not in seen] if seen else []
        return bool(without)

    def _end(self, region: QueryRegion, state: str, why: str) -> None:
        region.state, region.why = state, why
        region.harvested = len(region.known())
        region.members = None if region is not self.root else region.members
        for division in region.divisions:
            division.ranked, division.groups = [], {}

    def _fill_gaps(self, region: QueryRegion) -> None:
        """Ask for what lies between two ranges, when values turned out to be finer than it seemed."""
        waiting = [region]
        while waiting:
            above = waiting.pop()
            if above.why == "total":
                continue
            for division in above.divisions:
                waiting.extend(division.children)
                if not (division.ranges and division.over):
                    continue
                name = division.attribute
                for bounds in find_gaps([each.bound(name) for each in division.children], self.scales[name].grain):
                    child = make_range_part(above, self._number(), name, bounds)
                    division.children.append(child)
                    self.stack.append(child)
