"""What the queries of a harvest reached, and which value to ask for to learn how large the source is."""

from __future__ import annotations

import math
from array import array
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final, Protocol

from dowse.yields.size import CONFIDENCE, Evidence, Frame, Route

# --- reach
# What the queries of a harvest reached: kept up as it runs, so that how large the source is can be asked at any time.

ANY: Final = 2_654_435_761  # Knuth's multiplier: the number of a query times it is as good as any record
MOST_HITS: Final = 255  # that are counted of a record: one and two are what matters


_Groups = dict[int, list[int]]  # the values of a record by attribute


class Holdings(Protocol):
    """The records that were drawn, as numbers, with the values that they are made of."""

    @property
    def attributes(self) -> Sequence[str]:
        """The names of all attributes."""

    @property
    def attribute_of(self) -> Sequence[int]:
        """Of each value, its attribute."""

    def values_of(self, record: int) -> Sequence[int]:
        """Return the values of a record."""


@dataclass(slots=True)
class Shown:
    """A query under way: what was known before it, and what it has shown."""

    value: int  # -1 when it asks for anything but one value
    attribute: int = -1
    probe: bool = False
    weight: float = 0.0  # held records with the value before
    unknown: float = 0.0  # held records of its frame with unknown values, before
    held: int = 0  # records with the value before
    records: int = 0  # shown
    again: int = 0  # of them, held before
    shares: float = 0.0  # each divided by its values of the attribute
    squares: float = 0.0


class Reach:
    """Counts per record, per value and per frame; memory grows by a few bytes with each."""

    def __init__(self, holdings: Holdings) -> None:
        self.holdings = holdings
        self.frames: list[Frame] = []
        self.hits = array("B")  # of each record: queries that showed it
        self.once = self.twice = 0  # records that so many queries showed
        self.held = array("I")  # of each value: its records
        self.weight = array("d")  # of each value: the same, each record divided by its values of that attribute
        self.totals = array("i")  # of each value: its records in the source; -1 where that is unknown
        self.behind: dict[int, tuple[float, float, int]] = {}  # value -> records behind it, variance, judged by so many
        self.queries = 0
        self.shown = self.cut = 0  # records on all pages; of them, parts of answers whose rest was not counted
        self.probes = 0  # of them, those drawn at random
        self.counted = False  # whether answers say how many match
        self.total: int | None = None  # of all records, as a query for everything said

    def begin(self, value: int, *, probe: bool = False) -> Shown:
        """Note that a value is asked for (-1 for any other query), before its answer is taken in.

        A probe is a value that was drawn at random (`choose_probe`), and not for what it brings.
        """
        self._grow()
        self.queries += 1
        self.probes += probe
        if value < 0:
            return Shown(value)
        attribute = self.holdings.attribute_of[value]
        unknown = self.frames[attribute].unknown
        return Shown(value, attribute, probe, self.weight[value], unknown, self.held[value])

    def add(self, shown: Shown, returned: Sequence[int], total: int | None = None) -> None:
        """Take in a page: the numbers of all its records, and how many match where the count line says it exactly."""
        self._grow()
        known = len(self.hits)
        fresh = max(returned, default=-1) + 1
        if fresh > known:
            self._meet(shown, range(known, fresh), returned)
        for record in returned:
            self._hit(record)
        shown.again += sum(1 for record in returned if record < known)
        shown.records += len(returned)
        self.shown += len(returned)
        self.counted |= total is not None
        if shown.value >= 0:
            self._judge(shown, returned)
            if total is not None:
                self._tell(shown, total)

    def end(self, shown: Shown, *, complete: bool) -> None:
        """Note that a query is over: `complete` when all that match were shown."""
        if shown.value < 0 or self.totals[shown.value] >= 0 or not shown.records:
            return
        if complete:
            self._tell(shown, shown.records)
            return
        self.cut += shown.records
        if shown.probe:
            self._guess(shown)

    def evidence(self) -> Evidence:
        """Return all that the size can be judged by, as it is now."""
        frames = tuple(frame.copy() for frame in self.frames)
        counts = self.once, self.twice, self.queries, self.shown, self.cut
        return Evidence(len(self.hits), frames, self.total, *counts)

    def group(self, record: int) -> _Groups:
        """Return the values of a record by attribute."""
        groups: _Groups = defaultdict(list)
        attribute_of = self.holdings.attribute_of
        for value in self.holdings.values_of(record):
            groups[attribute_of[value]].append(value)
        return groups

    def _grow(self) -> None:
        """Make room for the values that were met since."""
        missing = len(self.holdings.attribute_of) - len(self.held)
        if not missing:
            return
        self.held.extend([0] * missing)
        self.weight.extend([0.0] * missing)
        self.totals.extend([-1] * missing)
        self.frames.extend(Frame(name) for name in self.holdings.attributes[len(self.frames) :])

    def _meet(self, shown: Shown, records: range, returned: Sequence[int]) -> None:
        """Count new records, after a look at which of their values were met before."""
        grouped = [self.group(record) for record in records]
        if not shown.records:
            self._look_around(shown, grouped, returned)
        for groups in grouped:
            self.hits.append(0)
            for attribute, values in groups.items():
                frame = self.frames[attribute]
                frame.records += 1
                frame.several += len(values) > 1
                self._raise(frame, values, 1 / len(values))

    def _look_around(self, shown: Shown, fresh: list[_Groups], returned: Sequence[int]) -> None:
        """Note of each frame how much of what is new it leads to as well; the one asked tells only where it is alone."""
        known = len(self.hits)
        if not known:
            return
        any_one = self.group(self.queries * ANY % known)
        held = next((record for record in returned if record < known), None)
        lead, mates = (fresh[0], fresh[1:]) if held is None else (self.group(held), fresh)
        for attribute, frame in enumerate(self.frames):
            if attribute == shown.attribute and len(self.frames) > 1:
                continue
            route = frame.routes.setdefault(shown.attribute, Route())
            shares = [self._met_share(groups.get(attribute, ()), shown.value) for groups in fresh]
            told = [share for share in shares if share is not None]
            route.add(len(told), sum(told), known)
            differ = [_differ(groups, lead, attribute, shown.value) for groups in mates]
            route.compare(len(differ), sum(differ))
            frame.compared += 1
            frame.apart += _differ(any_one, lead, attribute, shown.value)

    def _met_share(self, values: Sequence[int], asked: int) -> float | None:
        """Return which part of a record's values was met before; None when it has the one that was asked for alone."""
        if not values:
            return 0.0
        others = [value for value in values if value != asked]
        return sum(1 for value in others if self.held[value]) / len(others) if others else None

    def _raise(self, frame: Frame, values: Iterable[int], share: float) -> None:
        """Count one record more for some values."""
        for value in values:
            weight = self.weight[value]
            self.held[value] += 1
            self.weight[value] = weight + share
            if self.totals[value] < 0:
                frame.unknown_values += not weight
                frame.unknown += share
                frame.unknown_squares += share * (2 * weight + share)

    def _hit(self, record: int) -> None:
        hits = self.hits[record]
        self.hits[record] = min(MOST_HITS, hits + 1)
        self.once += (hits == 0) - (hits == 1)
        self.twice += (hits == 1) - (hits == 2)

    def _judge(self, shown: Shown, returned: Sequence[int]) -> None:
        """Look at how many values of the attribute records have that its own query showed; held ones would have too many."""
        several = self.frames[shown.attribute].several
        shares = [self._share(record, shown.attribute) if several else 1.0 for record in returned]
        shown.shares += sum(shares)
        shown.squares += sum(share * share for share in shares)
        if self.totals[shown.value] >= 0 and shown.records > self.behind[shown.value][2]:
            self._count_behind(shown)

    def _share(self, record: int, attribute: int) -> float:
        attribute_of = self.holdings.attribute_of
        return 1 / max(1, sum(1 for value in self.holdings.values_of(record) if attribute_of[value] == attribute))

    def _tell(self, shown: Shown, total: int) -> None:
        """Note how many records a value has in the source; a value is told once."""
        value, frame = shown.value, self.frames[shown.attribute]
        if self.totals[value] >= 0 or not shown.records:
            return
        weight = self.weight[value]
        frame.unknown_values -= bool(weight)
        frame.unknown -= weight
        frame.unknown_squares -= weight * weight
        self.totals[value] = total
        frame.known_values += 1
        self.behind[value] = (0.0, 0.0, 0)
        self._count_behind(shown)
        if shown.weight and shown.unknown > 0:
            self._draw(frame, shown)

    def _count_behind(self, shown: Shown) -> None:
        """Say (anew) how many records a value leads to, each divided by its values of that attribute."""
        value, frame = shown.value, self.frames[shown.attribute]
        total, count = self.totals[value], shown.records
        mean = shown.shares / count
        spread = max(0.0, shown.squares / count - mean * mean) if count > 1 else mean * (1 - mean)
        records = max(self.weight[value], total * mean)
        noise = total * max(0, total - count) * spread / count
        before = self.behind[value]
        frame.known += records - before[0]
        frame.noise += noise - before[1]
        self.behind[value] = (records, noise, count)

    def _draw(self, frame: Frame, shown: Shown) -> None:
        """Note what the value had in the source for each of its records that were held before."""
        scaled = self.behind[shown.value][0] / shown.weight * frame.records
        frame.draw(scaled, frame.drawn if shown.probe else frame.chosen)

    def _guess(self, shown: Shown) -> None:
        """Take the overlap of what was shown with what was held for a value that the source shows only in part (Chapman 1951)."""
        guess = (shown.held + 1) * (shown.records + 1) / (shown.again + 1) - 1
        self._tell(shown, max(shown.records, self.held[shown.value], round(guess)))
        self.frames[shown.attribute].guessed += self.behind[shown.value][0]


def _differ(one: _Groups, other: _Groups, attribute: int, asked: int) -> bool:
    """Say whether two records have no value of an attribute in common beside the one that was asked for."""
    return not set(one.get(attribute, ())).intersection(other.get(attribute, ())) - {asked}


# --- probe
# Which value is asked for only to learn how large the source is.

TRIES: Final = 200  # records that are looked at for one with an unknown value: fewer than one in 200 is as good as none
OTHERS: Final = 3  # each third probe asks another attribute: it shows records that the best frame may not lead to
LEAST_WEIGHT: Final = 0.05  # of an attribute that lies within the best frame: it is asked now and then all the same
CLOSED: Final = 4000.0  # values that a frame may have more, if it led to all that another does not
SEVERAL: Final = 300.0  # the same, if each of its records had one value and not several
PAGE: Final = 10.0  # records on a page, or about
MORE: Final = 3.0  # times what is held that a value may have
LONGER: Final = 2.0  # times the pages of the best frame that a probe of another may have, where it is read to its end
LEAST_SPREAD: Final = (
    10.0  # values that a frame must have to be asked where probes are read to their end: one may be half of the source
)
PATIENCE: Final = 500  # records that are held before a frame of fewer values is asked all the same
UNEVEN: Final = 0.3  # what a frame errs by if all of its records have several values, beside what it misses

MOST_PAGES: Final = 10  # of one probe: where its answer goes on, what was held of it says about how far

FIRST: Final = 50.0  # probes at a share of the requests that soon says something
FIRST_SHARE: Final = 0.05
LATER_SHARE: Final = 0.02


def allow_probes(requests: int) -> float:
    """Return how many requests may have been spent on probes among so many; one that found no value counts as spent."""
    return min(FIRST_SHARE * requests, FIRST + LATER_SHARE * max(0.0, requests - FIRST / FIRST_SHARE))


def choose_probe(reach: Reach, rng: Random, takes: Callable[[str], bool] = lambda name: True) -> int | None:
    """Draw a value whose total is unknown: of any held record, any value in the best frame; None when there is none.

    So a value is drawn in proportion to its held records, and what it has in the source for each of them
    is the same, on average, as for all values that were met. Give it to `Reach.begin` as a probe, before it is asked.
    """
    if not reach.hits:
        return None
    best = _best_frame(reach, takes)
    asked = None if best is None else _find_others(reach, best, takes) if _is_turn(reach) else {best: 1.0}
    asked = asked or ({} if best is None else {best: 1.0})
    for _ in range(TRIES):
        groups = reach.group(rng.randrange(len(reach.hits)))
        places = [place for place in groups if place in asked]
        if not places:
            continue
        value = rng.choice(groups[rng.choices(places, [asked[place] for place in places])[0]])
        if reach.totals[value] < 0:
            return value
    return None


def _is_turn(reach: Reach) -> bool:
    return reach.probes % OTHERS == OTHERS - 1


def _find_others(reach: Reach, best: int, takes: Callable[[str], bool]) -> dict[int, float]:
    """Return attributes that can say what the best frame misses, each with its weight: those akin to it cannot."""
    frame, found = reach.frames[best], {}
    for place, other in enumerate(reach.frames):
        long = not reach.counted and _guess_pages(other) > LONGER * _guess_pages(frame)
        if place != best and takes(other.name) and not long:
            route = frame.routes.get(place)
            found[place] = LEAST_WEIGHT + 1 - (route.find_kinship(frame.usual) if route else 0.0)
    return found


def _best_frame(reach: Reach, takes: Callable[[str], bool]) -> int | None:
    """Return the frame that needs the fewest probes."""
    places = [place for place, frame in enumerate(reach.frames) if frame.unknown_values and takes(frame.name)]
    short = [place for place in places if reach.counted or reach.frames[place].spread >= LEAST_SPREAD]
    if not short and len(reach.hits) < PATIENCE:
        return None
    return min(short or places, key=lambda place: _cost(reach.frames[place], counted=reach.counted), default=None)


def _cost(frame: Frame, *, counted: bool) -> float:
    """Return about how many probes a frame needs, and what it misses as probes that would be worth it."""
    records = max(1, frame.records)
    closed, several = 1 - frame.open(CONFIDENCE).share, frame.several / records
    if counted:
        return frame.unknown / records * frame.spread + CLOSED * closed + SEVERAL * several
    return math.sqrt(_guess_pages(frame) / FIRST) + closed + UNEVEN * several


def _guess_pages(frame: Frame) -> float:
    """Return how many pages a probe has where it must be read to its end: most records are behind large values."""
    return max(1.0, frame.unknown / max(1.0, frame.spread) * MORE / PAGE)
