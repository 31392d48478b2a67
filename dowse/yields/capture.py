"""What the queries of a harvest reached, and which value to ask for to learn how large the source is."""

from __future__ import annotations

import math
from array import array
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Final, Protocol

from dowse.yields.size import CONFIDENCE, Overlap, SamplingFrame, SizeEvidence

# -- what the queries of a harvest reached: kept up as it runs, so that how large the source is can be asked at any time

HASH_MULTIPLIER: Final = 2_654_435_761  # Knuth's multiplier: the number of a query times it is as good as any record
MAX_CAPTURES: Final = 255  # that are counted of a record: one and two are what matters
# Records with a mark in a part of an answer, before they say how long the whole is (an error of a third)
MIN_RECAPTURES: Final = 10
# Of what a long answer has left, beside chance: most marks stem from answers that have to do with it. Of 22 looks at long answers (movies,
# vehicles, goodbooks, packages) half had 1.0 to 1.5 times as much left as was inferred.
LONG_ANSWER_ERROR: Final = 0.2

# Known records that a query shows, and new ones, before it is told whether both show what was asked for
MIN_SHOWING: Final = 20
# Times as often as new records that known ones have to show it, and later pages as first ones
MIN_SHOWN_AGAIN: Final = 0.9
MIN_SHOWN: Final = 0.98  # of the records of first pages: where fewer show it, later pages have to be seen as well

_Groups = dict[int, list[int]]  # the values of a record by attribute


class RecordIndex(Protocol):
    """The records that were harvested, as numbers, with the values that they are made of."""

    @property
    def attributes(self) -> Sequence[str]:
        """The names of all attributes."""

    @property
    def attribute_of(self) -> Sequence[int]:
        """Of each value, its attribute."""

    def values_of(self, record: int) -> Sequence[int]:
        """Return the values of a record."""


@dataclass(slots=True, eq=False)
class Capture:
    """A query under way: what was known before it, and what it has shown."""

    value: int  # -1 when it asks for anything but one value
    attribute: int = -1
    probe: bool = False
    began: int = 0  # which query it is
    weight: float = 0.0  # harvested records with the value before
    unknown: float = 0.0  # harvested records of its frame with unknown values, before
    marked: float = 0.0  # of those with the value, such with a mark
    others: float = 0.0  # records with a mark of other attributes, before
    again: int = 0  # shown, with a mark from before it began
    pages: int = 0  # shown
    records: int = 0  # on them
    numbers: list[int] = field(default_factory=list)  # the records shown
    shares: float = 0.0  # each divided by its values of the attribute
    squares: float = 0.0


@dataclass(slots=True)
class Showing:
    """How many records that queries showed have the value that was asked for."""

    records: int = 0
    having: int = 0

    @property
    def share(self) -> float:
        """The part of the records that have it."""
        return self.having / max(1, self.records)

    def is_under(self, other: Showing) -> bool:
        """Return True if they have it clearly less often than others."""
        is_seen = min(self.records, other.records) >= MIN_SHOWING
        return is_seen and self.share < MIN_SHOWN_AGAIN * other.share


@dataclass(slots=True)
class ShownValues:
    """Which records show what the queries of an attribute asked for: only where it is the same for all of an answer, counts add up.

    An extract around the words that were asked for shows them in new records, not in those that another query brought. A search in
    texts that are not shown counts records which do not show the words, and puts those that do first.
    """

    known: Showing = field(default_factory=Showing)  # records that were harvested before
    new: Showing = field(default_factory=Showing)
    first: Showing = field(default_factory=Showing)  # on first pages
    later: Showing = field(default_factory=Showing)

    def add(self, records: Sequence[int], shares: Sequence[float], known: int, page: int) -> None:
        """Count the records of a page; the first so many of all records were known before."""
        for record, share in zip(records, shares, strict=True):
            for group in (self.known if record < known else self.new, self.later if page else self.first):
                group.records += 1
                group.having += share > 0

    @property
    def adds_up(self) -> bool:
        """Return False if what is shown of an answer does not say what the rest of it shows."""
        if self.known.is_under(self.new) or self.later.is_under(self.first):
            return False
        is_hidden = self.first.records >= MIN_SHOWING and self.first.share < MIN_SHOWN
        return not is_hidden or self.later.records >= MIN_SHOWING


class CaptureHistory:
    """Counts per record, per value and per frame; memory grows by a few bytes with each."""

    def __init__(self, holdings: RecordIndex) -> None:
        self.holdings = holdings
        self.frames: list[SamplingFrame] = []
        self.capture_counts = array("B")  # of each record: queries that showed it
        self.once = self.twice = 0  # records that so many queries showed
        self.harvested = array("I")  # of each value: its records
        self.marks = array(
            "I"
        )  # of each record: queries there were when an answer that was read to its end had shown it
        self.marked_records = 0
        self.marked_by: list[int] = []  # of each attribute: records that its answers marked first
        self.weight = array("d")  # of each value: its records, each divided by its values of that attribute
        self.marked = array("d")  # of each value: the same of its records with a mark
        self.totals = array("i")  # of each value: its records in the source; -1 where that is unknown
        self.records_behind: dict[
            int, tuple[float, float, int]
        ] = {}  # value -> records behind it, variance, judged by so many
        self.parts: list[list[Capture]] = []  # of each attribute: answers that were read in part
        self.asked: set[int] = set()  # values
        self.asked_unknown: list[int] = []  # of each attribute: of them, those whose total is unknown
        self.probed: list[list[Capture]] = []  # of each attribute: values sampled at random that were read to their end
        self.under_way: list[Capture] = []  # queries that are not over
        self.showing: list[ShownValues] = []  # of each attribute: whether records show what was asked for
        self.queries = 0
        self.probes = 0  # of them, those sampled at random
        self.counted = False  # whether answers say how many match
        self.total: int | None = None  # of all records, as a query for everything said

    def begin(self, value: int, *, probe: bool = False) -> Capture:
        """Note that a value is asked for (-1 for any other query), before its answer is taken in.

        A probe is a value that was sampled at random (`choose_probe`), and not for what it brings.
        """
        self._grow()
        self.queries += 1
        self.probes += probe
        shown = Capture(value, began=self.queries)
        if value >= 0:
            attribute = self.holdings.attribute_of[value]
            self.asked_unknown[attribute] += value not in self.asked and self.totals[value] < 0
            self.asked.add(value)
            unknown = self.frames[attribute].unknown
            others = self.count_others(attribute)
            weight, marked = self.weight[value], self.marked[value]
            shown = Capture(value, attribute, probe, self.queries, weight, unknown, marked, others)
        self.under_way.append(shown)
        return shown

    def add(self, shown: Capture, returned: Sequence[int], total: int | None = None) -> None:
        """Add a page: the numbers of all its records, and how many match where the count line says it exactly."""
        self._grow()
        known = len(self.capture_counts)
        fresh = max(returned, default=-1) + 1
        if fresh > known:
            self._add_records(shown, range(known, fresh), returned)
        for record in returned:
            count = self.capture_counts[record]
            self.capture_counts[record] = min(MAX_CAPTURES, count + 1)
            self.once += (count == 0) - (count == 1)
            self.twice += (count == 1) - (count == 2)
        shown.again += sum(1 for record in returned if 0 < self.marks[record] < shown.began)
        shown.pages += 1
        shown.records += len(returned)
        shown.numbers += returned
        self.counted |= total is not None
        if shown.value >= 0:
            self._judge(shown, returned, known)
            if total is not None:
                self._set_total(shown, total)

    def end(self, shown: Capture, *, complete: bool) -> None:
        """Note that a query is over: `complete` when all that match were shown."""
        if shown in self.under_way:
            self.under_way.remove(shown)
        if complete:
            self._mark(shown)
        if shown.value < 0 or self.totals[shown.value] >= 0 or not shown.records:
            return
        if not complete:
            self.parts[shown.attribute].append(shown)
            return
        self._set_total(shown, shown.records)
        if shown.probe:
            self.probed[shown.attribute].append(shown)

    def _mark(self, shown: Capture) -> None:
        """Mark records that an answer read to its end has shown: whichever order a source has, it had no part in that."""
        for record in shown.numbers:
            if not self.marks[record]:
                self.marks[record] = self.queries
                self.marked_records += 1
                if shown.attribute >= 0:
                    self.marked_by[shown.attribute] += 1
                for attribute, values in self.group(record).items():
                    for value in values:
                        self.marked[value] += 1 / len(values)
                        self.frames[attribute].marked += (self.totals[value] < 0) / len(values)

    def has_unasked(self, attribute: int) -> bool:
        """Return True if an attribute has values that nobody asked for."""
        return self.frames[attribute].unknown_values > self.asked_unknown[attribute]

    def count_others(self, attribute: int) -> float:
        """Count the marks that records of a value not asked for can have: those of other attributes, and of its own where records have several."""
        frame = self.frames[attribute]
        return self.marked_records - self.marked_by[attribute] * (1 - frame.several / max(1, frame.records))

    def evidence(self) -> SizeEvidence:
        """Return all that the size can be judged by, as it is now."""
        frames = {place: frame.copy() for place, frame in enumerate(self.frames) if self.showing[place].adds_up}
        if not self.counted:
            for attribute, frame in frames.items():
                self._recapture(frame, attribute)
        return SizeEvidence(
            len(self.capture_counts),
            tuple(frames.values()),
            self.total,
            self.once,
            self.twice,
            self.queries,
            self.counted,
        )

    def _recapture(self, frame: SamplingFrame, attribute: int) -> None:
        """Judge a frame of which nobody counts the values by the records with a mark that their answers show again.

        Of an answer that was read in part only marks count: most sources have one order and show the same records first, so
        parts of two answers have more in common than chance gives them.
        """
        others = self.count_others(attribute)
        under_way = [each for each in self.under_way if each.attribute == attribute and each.records]
        for shown in [*self.parts[attribute], *under_way]:
            value = shown.value
            if self.totals[value] >= 0 or not shown.marked:
                continue
            if shown.pages <= MAX_PROBE_PAGES:
                frame.recaptures.parts.append((shown.again, shown.records, shown.others / others))
            elif shown.again >= MIN_RECAPTURES:
                mean = max(shown.shares / shown.records, 1e-9)
                total = max(float(shown.records), shown.marked / mean * shown.records / shown.again)
                inferred = max(0.0, total - shown.records)
                variance = total * inferred / shown.again + (LONG_ANSWER_ERROR * inferred) ** 2
                records, noise = self._weigh(shown, total, variance)
                _take_from_unknown(frame, self.weight[value], self.marked[value])
                frame.known, frame.noise = frame.known + records, frame.noise + noise
                frame.recaptures.chosen.append(max(1.0, records / shown.marked * shown.others / others))
        for shown in self.probed[attribute]:
            if shown.marked:  # what has no mark comes to have one, and what is read to its end may have nothing else
                frame.recaptures.whole.append(1 + (shown.shares / shown.marked - 1) * shown.others / others)

    def group(self, record: int) -> _Groups:
        """Return the values of a record by attribute."""
        groups: _Groups = defaultdict(list)
        attribute_of = self.holdings.attribute_of
        for value in self.holdings.values_of(record):
            groups[attribute_of[value]].append(value)
        return groups

    def _grow(self) -> None:
        """Make room for the values that were met since."""
        missing = len(self.holdings.attribute_of) - len(self.harvested)
        if not missing:
            return
        self.harvested.extend([0] * missing)
        self.weight.extend([0.0] * missing)
        self.marked.extend([0.0] * missing)
        self.totals.extend([-1] * missing)
        self.parts.extend([] for _ in self.holdings.attributes[len(self.frames) :])
        self.asked_unknown.extend(0 for _ in self.holdings.attributes[len(self.frames) :])
        self.marked_by.extend(0 for _ in self.holdings.attributes[len(self.frames) :])
        self.probed.extend([] for _ in self.holdings.attributes[len(self.frames) :])
        self.showing.extend(ShownValues() for _ in self.holdings.attributes[len(self.frames) :])
        self.frames.extend(SamplingFrame(name) for name in self.holdings.attributes[len(self.frames) :])

    def _add_records(self, shown: Capture, records: range, returned: Sequence[int]) -> None:
        """Count new records, after a look at which of their values were met before."""
        grouped = [self.group(record) for record in records]
        if _is_compared(shown.pages):
            self._compare_frames(shown, grouped, returned)
        for groups in grouped:
            self.capture_counts.append(0)
            self.marks.append(0)
            for attribute, values in groups.items():
                frame = self.frames[attribute]
                frame.records += 1
                frame.by_others += attribute != shown.attribute
                frame.several += len(values) > 1
                self._count_record(frame, values, 1 / len(values))

    def _compare_frames(self, shown: Capture, fresh: list[_Groups], returned: Sequence[int]) -> None:
        """Note of each frame how much of what is new it leads to as well; the one asked tells only where it is alone."""
        known = len(self.capture_counts)
        if not known:
            return
        any_one = self.group(self.queries * HASH_MULTIPLIER % known)
        harvested = next((record for record in returned if record < known), None)
        lead, mates = (fresh[0], fresh[1:]) if harvested is None else (self.group(harvested), fresh)
        for attribute, frame in enumerate(self.frames):
            if attribute == shown.attribute and len(self.frames) > 1:
                continue
            overlap = frame.overlaps.setdefault(shown.attribute, Overlap())
            shares = [self._met_share(groups.get(attribute, ()), shown.value) for groups in fresh]
            told = [share for share in shares if share is not None]
            overlap.add(len(told), sum(told), known)
            differ = [_differ(groups, lead, attribute, shown.value) for groups in mates]
            overlap.compare(len(differ), sum(differ))
            frame.compared += 1
            frame.apart += _differ(any_one, lead, attribute, shown.value)

    def _met_share(self, values: Sequence[int], asked: int) -> float | None:
        """Return which part of a record's values was met before; None when it has the one that was asked for alone."""
        if not values:
            return 0.0
        others = [value for value in values if value != asked]
        return sum(1 for value in others if self.harvested[value]) / len(others) if others else None

    def _count_record(self, frame: SamplingFrame, values: Iterable[int], share: float) -> None:
        """Count one record more for some values."""
        for value in values:
            weight = self.weight[value]
            self.harvested[value] += 1
            self.weight[value] = weight + share
            if self.totals[value] < 0:
                frame.unknown_values += not weight
                frame.unknown += share
                frame.unknown_squares += share * (2 * weight + share)

    def _judge(self, shown: Capture, returned: Sequence[int], known: int) -> None:
        """Look at how many values of the attribute records have that its own query showed; harvested ones would have too many."""
        shares = [self._share(record, shown.attribute, shown.value) for record in returned]
        self.showing[shown.attribute].add(returned, shares, known, shown.pages - 1)
        shown.shares += sum(shares)
        shown.squares += sum(share * share for share in shares)
        if self.totals[shown.value] >= 0 and shown.records > self.records_behind[shown.value][2]:
            self._count_behind(shown)

    def _share(self, record: int, attribute: int, asked: int) -> float:
        """Return 1 over the record's values of an attribute; nothing for a record that was found by text that it does not show."""
        attribute_of, values = self.holdings.attribute_of, self.holdings.values_of(record)
        return 1 / sum(1 for value in values if attribute_of[value] == attribute) if asked in values else 0.0

    def _set_total(self, shown: Capture, total: int) -> None:
        """Note how many records a value has in the source; a value is told once."""
        value, frame = shown.value, self.frames[shown.attribute]
        if self.totals[value] >= 0 or not shown.records:
            return
        _take_from_unknown(frame, self.weight[value], self.marked[value])
        self.totals[value] = total
        self.asked_unknown[shown.attribute] -= 1
        self.records_behind[value] = (0.0, 0.0, 0)
        self._count_behind(shown)
        if shown.weight and shown.unknown > 0:
            # what the value had in the source for each of its records that were harvested before
            scaled = self.records_behind[value][0] / shown.weight * frame.records
            frame.add_draw(scaled, frame.random_draws if shown.probe else frame.chosen_draws)

    def _count_behind(self, shown: Capture) -> None:
        """Count (anew) how many records a value leads to, each divided by its values of that attribute."""
        value, frame = shown.value, self.frames[shown.attribute]
        records, noise = self._weigh(shown, self.totals[value], 0.0)
        before = self.records_behind[value]
        frame.known += records - before[0]
        frame.noise += noise - before[1]
        self.records_behind[value] = (records, noise, shown.records)

    def _weigh(self, shown: Capture, total: float, variance: float) -> tuple[float, float]:
        """Return how many records so large a value leads to, each divided by its values of that attribute, and the variance."""
        count, mean = shown.records, shown.shares / shown.records
        spread = max(0.0, shown.squares / count - mean * mean) if count > 1 else mean * (1 - mean)
        noise = total * max(0, total - count) * spread / count + variance * mean * mean
        return max(self.weight[shown.value], total * mean), noise


def _take_from_unknown(frame: SamplingFrame, weight: float, marked: float) -> None:
    """Count a value among those whose total is known."""
    frame.known_values += 1
    frame.unknown_values -= bool(weight)
    frame.unknown -= weight
    frame.unknown_squares -= weight * weight
    frame.marked -= marked


def _is_compared(page: int) -> bool:
    """Return True if a page of an answer says something that those before it did not: the first ones, then four for each doubling."""
    return (page + 1) % max(1, 1 << max(0, (page + 1).bit_length() - 3)) == 0


def _differ(one: _Groups, other: _Groups, attribute: int, asked: int) -> bool:
    """Return True if two records have no value of an attribute in common beside the one that was asked for."""
    return not set(one.get(attribute, ())).intersection(other.get(attribute, ())) - {asked}


# -- which value is asked for only to learn how large the source is

# Records that are looked at for one with an unknown value: fewer than one in 200 is as good as none
MAX_PROBE_TRIES: Final = 200
# Each third probe asks another attribute: it shows records that the best frame may not lead to
OTHER_FRAME_TURN: Final = 3
MIN_FRAME_WEIGHT: Final = 0.05  # of an attribute that lies within the best frame: it is asked now and then all the same
MISSED_SHARE_PROBES: Final = 4000.0  # values that a frame may have more, if it led to all that another does not
SEVERAL_VALUES_PROBES: Final = 300.0  # the same, if each of its records had one value and not several
USUAL_PAGE_RECORDS: Final = 10.0  # records on a page, or about
# What a frame errs by if all of its records have several values, beside what it misses
SEVERAL_VALUES_ERROR: Final = 0.3

MAX_PROBE_PAGES: Final = 2  # of one probe: where its answer goes on, what was harvested of it says about how far

FIRST_PROBES: Final = 50.0  # probes at a share of the requests that soon says something
FIRST_PROBE_SHARE: Final = 0.05
LATER_PROBE_SHARE: Final = 0.02


def allow_probes(requests: int) -> float:
    """Return how many requests may have been spent on probes among so many; one that found no value counts as spent."""
    return min(
        FIRST_PROBE_SHARE * requests,
        FIRST_PROBES + LATER_PROBE_SHARE * max(0.0, requests - FIRST_PROBES / FIRST_PROBE_SHARE),
    )


def choose_probe(captures: CaptureHistory, rng: Random, takes: Callable[[str], bool] = lambda name: True) -> int | None:
    """Sample a value whose total is unknown: of any harvested record, any value in the best frame; None when there is none.

    So a value is sampled in proportion to its harvested records, and what it has in the source for each of them
    is the same, on average, as for all values that were met. Give it to `Reach.begin` as a probe, before it is asked.
    """
    if not captures.capture_counts:
        return None
    best = _best_frame(captures, takes)
    is_others_turn = captures.probes % OTHER_FRAME_TURN == OTHER_FRAME_TURN - 1
    asked = None if best is None else _find_others(captures, best, takes) if is_others_turn else {best: 1.0}
    asked = asked or ({} if best is None else {best: 1.0})
    for _ in range(MAX_PROBE_TRIES):
        groups = captures.group(rng.randrange(len(captures.capture_counts)))
        places = [place for place in groups if place in asked]
        if not places:
            continue
        value = rng.choice(groups[rng.choices(places, [asked[place] for place in places])[0]])
        if captures.totals[value] < 0 and value not in captures.asked:
            return value
    return None


def _find_others(captures: CaptureHistory, best: int, takes: Callable[[str], bool]) -> dict[int, float]:
    """Return attributes that can say what the best frame misses, each with its weight: those dependent on it cannot."""
    frame, found = captures.frames[best], {}
    for place, other in enumerate(captures.frames):
        if place != best and takes(other.name) and captures.has_unasked(place):
            overlap = frame.overlaps.get(place)
            found[place] = MIN_FRAME_WEIGHT + 1 - (overlap.find_dependence(frame.usual) if overlap else 0.0)
    return found


def _best_frame(captures: CaptureHistory, takes: Callable[[str], bool]) -> int | None:
    """Return the frame that needs the fewest probes."""
    places = [place for place, frame in enumerate(captures.frames) if captures.has_unasked(place) and takes(frame.name)]
    cost = _cost_counted if captures.counted else _cost_uncounted
    return min(places, key=lambda place: cost(captures, place), default=None)


def _cost_counted(captures: CaptureHistory, place: int) -> float:
    """Return about how many probes a frame needs, and what it misses as probes that would be worth it."""
    frame = captures.frames[place]
    records = max(1, frame.records)
    closed, several = 1 - frame.capture_probability(CONFIDENCE).share, frame.several / records
    return frame.unknown / records * frame.spread + MISSED_SHARE_PROBES * closed + SEVERAL_VALUES_PROBES * several


def _cost_uncounted(captures: CaptureHistory, place: int) -> float:
    """Return about how far a frame errs where nobody counts: by what it misses, by its few values, by the few marks that come again."""
    frame = captures.frames[place]
    records = max(1, frame.records)
    closed, several = 1 - frame.capture_probability(CONFIDENCE).share, frame.several / records
    again = MAX_PROBE_PAGES * USUAL_PAGE_RECORDS * captures.count_others(place) / len(captures.capture_counts)
    return closed + SEVERAL_VALUES_ERROR * several + 1 / math.sqrt(max(1.0, frame.spread)) + 1 / math.sqrt(1 + again)
