"""How many new records a query will bring, learned from what queries before it brought."""

from __future__ import annotations

import math
from array import array
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from dowse.select.graph import Graph
from dowse.select.selector import Interface

# -- through which queries records came, and what that tells of the records that did not come
#
# All records of a value may have come through one query that was read to its end: then the value probably
# lies within what was asked for (a model of a make), and has no others. Where they came through many
# queries it has its share in what was not asked for.

SINGLE: Final = 0  # one record, through a query that was read to its end
UNFINISHED: Final = 1  # some came through queries that were not: more of the same is known to be there
WITHIN: Final = 2  # all came through one query that was read to its end
SPREAD: Final = 3  # they came through several
SPREAD_COUNT: Final = 4
MAX_SPREAD_RECORDS: Final = 24  # records of a value that are looked at: more tell no more


class Provenance:
    """Of each record, the query that brought it first."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.via: list[int] = []  # records that came through queries of each attribute
        self._found_by = array("I")  # of each record
        self._whole = bytearray()  # of each query, whether all its records were seen
        self._attributes = array("h")  # of each query; -1 for one of several values

    def begin(self, attribute: int) -> None:
        """Add a query of an attribute, which is under way from now on."""
        self._attributes.append(attribute)
        self._whole.append(1)  # until something else is known

    def end(self, known: Sequence[int] = ()) -> None:
        """Note that the last query was read to its end; of the records that it has, none is partly seen any more."""
        query = len(self._whole) - 1
        for record in known:
            if not self._whole[self._found_by[record]]:
                self._found_by[record] = query

    def leave(self) -> None:
        """Note that the last query was not read to its end."""
        self._whole[-1] = 0

    def add(self, records: Sequence[int]) -> None:
        """Note that the query under way brought records."""
        query, attribute = len(self._whole) - 1, self._attributes[-1]
        missing = len(self.graph.attributes) - len(self.via)
        self.via.extend([0] * missing)
        self._found_by.extend([query] * len(records))
        if attribute >= 0:
            self.via[attribute] += len(records)

    def through_others(self, value: int) -> int:
        """Count the records of a value that came through queries of other attributes than its own."""
        own, found_by, attributes = self.graph.attribute_of[value], self._found_by, self._attributes
        return sum(attributes[found_by[record]] != own for record in self.graph.records_of(value))

    def spread(self, value: int) -> int:
        """Return how the records of a value came."""
        records = self.graph.records_of(value)
        queries = {self._found_by[record] for record in records[-MAX_SPREAD_RECORDS:]}
        if not all(self._whole[query] for query in queries):
            return UNFINISHED
        if len(queries) > 1:
            return SPREAD
        return SINGLE if len(records) == 1 else WITHIN


# -- values that wait, sorted into classes in which all are expected to bring about the same

SIZE_CLASS_FACTOR: Final = 1.35  # a size class reaches that much further than the one before
MAX_EXACT_SIZE: Final = 6  # sizes up to this have a class of their own
SIZE_CLASSES: Final = 48  # classes: the last begins at 1.8 million records
FRESH_SHARE: Final = 0.1  # a value whose count grew within the last tenth of all records is fresh
MAX_SETTLED_VALUES: Final = 500  # values that are looked at again in one go
UNSORTED: Final = -1


def size_class(count: int) -> int:
    """Return the class of a value with so many known records."""
    if count <= MAX_EXACT_SIZE:
        return count
    return min(
        SIZE_CLASSES - 1,
        MAX_EXACT_SIZE + math.ceil(math.log(count / MAX_EXACT_SIZE) / math.log(SIZE_CLASS_FACTOR) - 1e-9),
    )


_CLASS_OF_COUNT: Final = tuple(size_class(count) for count in range(4096))
CLASS_MIDDLES: Final = tuple(
    float(c) if c <= MAX_EXACT_SIZE else MAX_EXACT_SIZE * SIZE_CLASS_FACTOR ** (c - MAX_EXACT_SIZE - 0.5)
    for c in range(SIZE_CLASSES)
)


class ValueKind(NamedTuple):
    """What is known of a value before it is asked for, as far as it matters."""

    attribute: int
    size: int  # class of its known records
    spread: int  # how they came
    stale: int  # 0 when one came lately


class ValueClasses:
    """The values that can be asked for and were not, each under its kind; the one that grew last comes first."""

    def __init__(self, graph: Graph, provenance: Provenance, takes: Callable[[str], bool]) -> None:
        self.graph, self.provenance, self.takes = graph, provenance, takes
        self.asked = bytearray()  # of each value, whether it waits no longer
        self.allowed: list[bool] = []  # of each attribute, whether its values can be asked for
        self.counts: list[list[int]] = []  # of each attribute, values that wait in each size class
        self._key = array("i")  # of each value, the stack it stands in
        self._stacks: list[dict[int, tuple[list[int], list[int]]]] = []  # of each attribute: values, and when they came

    def make_room(self) -> None:
        """Make room for values and attributes that are new in the graph."""
        missing = self.graph.value_count - len(self.asked)
        self.asked.extend(bytes(missing))
        self._key.extend([UNSORTED] * missing)
        for name in self.graph.attributes[len(self.allowed) :]:
            self.allowed.append(self.takes(name))
            self.counts.append([0] * SIZE_CLASSES)
            self._stacks.append({})

    def sort_in(self, value: int) -> None:
        """Put a value under its kind, where that is another than before."""
        attribute = self.graph.attribute_of[value]
        if self.asked[value] or not self.allowed[attribute]:
            return
        count = self.graph.count(value)
        size = _CLASS_OF_COUNT[count] if count < 4096 else size_class(count)
        before = self._key[value]
        if before >= 0 and before // SPREAD_COUNT == size:
            return
        self._place(value, attribute, before, size * SPREAD_COUNT + self.provenance.spread(value))

    def _place(self, value: int, attribute: int, before: int, key: int) -> None:
        counts = self.counts[attribute]
        if before >= 0:
            counts[before // SPREAD_COUNT] -= 1
        counts[key // SPREAD_COUNT] += 1
        self._key[value] = key
        stack = self._stacks[attribute].get(key)
        if stack is None:
            stack = self._stacks[attribute][key] = ([], [])
        stack[0].append(value)
        stack[1].append(self.graph.record_count)

    def remove(self, value: int) -> None:
        """Let a value wait no longer."""
        if not self.asked[value] and self._key[value] >= 0:
            self.counts[self.graph.attribute_of[value]][self._key[value] // SPREAD_COUNT] -= 1
        self.asked[value] = 1

    def kinds(self) -> Iterator[tuple[ValueKind, int]]:
        """Yield every kind that has a value waiting, with the value that is next."""
        recent = self.graph.record_count * (1 - FRESH_SHARE)
        for attribute, stacks in enumerate(self._stacks):
            for key in list(stacks):
                value = self._top(stacks, key)
                if value >= 0:
                    stale = int(stacks[key][1][-1] < recent)
                    yield ValueKind(attribute, key // SPREAD_COUNT, key % SPREAD_COUNT, stale), value

    def _top(self, stacks: dict[int, tuple[list[int], list[int]]], key: int) -> int:
        """Return the value on a stack that is still there; those that went elsewhere are dropped."""
        values, since = stacks[key]
        while values:
            if self._key[values[-1]] == key and not self.asked[values[-1]]:
                return values[-1]
            values.pop()
            since.pop()
        del stacks[key]
        return -1

    def settle(self, value: int) -> bool:
        """Look again how the records of a value came; return True if it stands where it belongs."""
        before = self._key[value]
        if before < 0 or self.asked[value]:
            return True
        key = before // SPREAD_COUNT * SPREAD_COUNT + self.provenance.spread(value)
        if key == before:
            return True
        self._place(value, self.graph.attribute_of[value], before, key)
        return False

    def settle_all(self, kind: ValueKind) -> None:
        """Do so with all that come before one that stands where it belongs, a bounded number at a time."""
        stacks, key = self._stacks[kind.attribute], kind.size * SPREAD_COUNT + kind.spread
        for _ in range(MAX_SETTLED_VALUES):
            if key not in stacks:
                return
            value = self._top(stacks, key)
            if value < 0 or self.settle(value):
                return


# -- how many new records a query will bring, learned from what queries before it brought
#
# Of a value, some records are known. If those that are known were sampled by chance, the unseen ones would
# stand to them as all unseen records to all known ones (the odds). How far a kind of value is from that
# is learned from each answer: by attribute, by the number of known records, by the ways they came, and
# by whether one came recently. Kinds that were not asked for take after those beside them.

ANSWER_FADE: Final = 0.97  # what an answer tells counts that much less with each one after it, within an attribute
NEIGHBOUR_WEIGHT: Final = 0.5  # what a size class tells of the next one
NEIGHBOUR_CLASSES: Final = 6  # size classes that are looked at on either side
PRIOR_ANSWERS: Final = 1.0  # answers that chance counts for
SAME_SIZE_ANSWERS: Final = 3.0  # answers that all kinds of a size count for, beside those of the kind itself
SIZE_FADE: Final = 0.95  # the same for the size of the source
MIN_UNSEEN_SHARE: Final = 0.02  # of the source: an estimate that says nothing is left is not believed
FIRST_SIZE_FACTOR: Final = 20.0  # times what was harvested: the size of the source until an answer tells
MIN_RECAPTURES: Final = 2.0  # records that came twice, before an estimate is made of them
CALIBRATION_KEPT: Final = 0.97  # of what was predicted and came, after each query: the last thirty or so count
CAPPED_KEPT: Final = 0.95  # of what capped answers have shown, after each one
ALL_SPREADS: Final = 2 * SPREAD_COUNT  # place after those of each spread and staleness
MAX_WEIGHT: Final = 1e9  # a weight that large is made small again, with all before it


@dataclass(slots=True)
class Calibration:
    """Records that were predicted for queries beside those that came; the last thirty or so queries count."""

    kept: float = CALIBRATION_KEPT
    predicted: float = 0.0
    actual: float = 0.0

    def factor(self, prior: float, prior_records: float) -> float:
        """Return by what a prediction is multiplied; the prior counts like so many predicted records."""
        return max(0.0, (self.actual + prior_records * prior) / (self.predicted + prior_records))

    def add(self, predicted: float, actual: float) -> None:
        """Add a query that is over."""
        self.predicted = self.predicted * self.kept + predicted
        self.actual = self.actual * self.kept + actual


@dataclass(slots=True)
class GroupCalibration:
    """Calibrations of similar queries; a group with few of them takes after all groups that share its first fields."""

    prior_records: float
    groups: dict[tuple[Any, ...], Calibration] = field(default_factory=dict)

    def factor(self, group: tuple[Any, ...], prior: float = 1.0) -> float:
        """Return by what a prediction for a group is multiplied."""
        for key in (group[:-1], tuple(group)):
            if key in self.groups:
                prior = self.groups[key].factor(prior, self.prior_records)
        return prior

    def add(self, group: tuple[Any, ...], predicted: float, actual: float) -> None:
        """Add a query of a group, and of all that share its first fields."""
        for key in (group[:-1], tuple(group)):
            self.groups.setdefault(key, Calibration()).add(predicted, actual)


class _RatioBySize:
    """What answers have told, by size class: what came over what chance would have brought, and what that weighs."""

    __slots__ = ("got", "seen")

    def __init__(self) -> None:
        self.got = [0.0] * SIZE_CLASSES
        self.seen = [0.0] * SIZE_CLASSES

    def add(self, size: int, weight: float, ratio: float) -> None:
        """Learn from an answer for a size class, and less of it for those beside."""
        for other in range(max(0, size - NEIGHBOUR_CLASSES), min(SIZE_CLASSES, size + NEIGHBOUR_CLASSES + 1)):
            like = weight * NEIGHBOUR_WEIGHT ** abs(other - size)
            self.got[other] += like * ratio
            self.seen[other] += like

    def scale(self, times: float) -> None:
        """Make all weights smaller."""
        self.got = [each * times for each in self.got]
        self.seen = [each * times for each in self.seen]


class Expectation:
    """Expects what a query brings and what it costs."""

    def __init__(self, graph: Graph, provenance: Provenance, interface: Interface) -> None:
        self.graph, self.provenance = graph, provenance
        self.page_size, self.limit = max(1, interface.page_size), interface.limit
        self.answers: list[int] = []  # of each attribute
        self.pairs: list[int] = []  # of each attribute, values in all records
        self.having: list[int] = []  # of each attribute, records that have one
        self.odds: list[float] = []  # of each attribute, unseen records for each that is known
        self._ratios: list[
            list[_RatioBySize]
        ] = []  # of each attribute: by the way records came, and for all ways together
        self._weight: list[float] = []  # of each attribute, what the next answer counts
        self._capped: list[
            Calibration
        ] = []  # of each attribute: new records that capped answers should have shown, and did
        self._marked, self._again = 0.0, 0.0

    def make_room(self) -> None:
        """Make room for attributes that are new."""
        for _ in range(len(self.graph.attributes) - len(self.pairs)):
            self.answers.append(0)
            self.pairs.append(0)
            self.having.append(0)
            self._ratios.append([_RatioBySize() for _ in range(ALL_SPREADS + 1)])
            self._weight.append(1.0)
            self._capped.append(Calibration(CAPPED_KEPT))

    def share(self, attribute: int) -> float:
        """Return the share of records that have an attribute, by those that came through others."""
        own = self.provenance.via[attribute] if attribute < len(self.provenance.via) else 0
        return (self.having[attribute] - own + 1) / (self.graph.record_count - own + 1)

    def has_several(self, attribute: int) -> bool:
        """Return True if records have two values of an attribute or more, on average: words have."""
        return self.pairs[attribute] >= 2 * max(1, self.having[attribute])

    def count_in(self, record: int) -> None:
        """Count the values of a record that is new."""
        attribute_of, before = self.graph.attribute_of, set()
        for value in self.graph.values_of(record):
            attribute = attribute_of[value]
            self.pairs[attribute] += 1
            before.add(attribute)
        for attribute in before:
            self.having[attribute] += 1

    @property
    def size(self) -> float:
        """How many records the source has, by those that came again (Lincoln and Petersen)."""
        known = max(1, self.graph.record_count)
        if self._again < MIN_RECAPTURES:
            return known * FIRST_SIZE_FACTOR
        return max(known * (1 + MIN_UNSEEN_SHARE), self._marked / self._again)

    def refresh(self) -> None:
        """Work out the odds for what is known now."""
        size = self.size
        self.odds = [self._find_odds(attribute, size) for attribute in range(len(self.pairs))]

    def _find_odds(self, attribute: int, size: float) -> float:
        """Return unseen for known; records through the attribute's own queries tell nothing where each has one value."""
        several = self.pairs[attribute] / max(1, self.having[attribute])
        own = self.provenance.via[attribute] if attribute < len(self.provenance.via) else 0
        known = max(1.0, self.graph.record_count - own * min(1.0, max(0.0, 2 - several)))
        return max(size - known, MIN_UNSEEN_SHARE * size) / known

    def expect(self, kind: ValueKind) -> float:
        """Return the new records for each request that a value of a kind is expected to bring."""
        new, pages = self.expect_whole(kind)
        return new / pages

    def expect_whole(self, kind: ValueKind) -> tuple[float, float]:
        """Return the new records that a value of a kind is expected to bring, and the requests."""
        known = CLASS_MIDDLES[kind.size]
        return self.predict_shown(kind.attribute, known, known * self.odds[kind.attribute] * self.ratio(kind))

    def predict_shown(self, attribute: int, known: float, unseen: float) -> tuple[float, float]:
        """Return the new records and the pages of a value with so many known and unseen records, as capped answers were."""
        new, pages = self.predict_new(known, unseen / max(known, 1e-9))
        if not self.limit or known + unseen <= self.limit:
            return new, pages
        return new * self._capped[attribute].factor(1.0, self.limit), pages

    def predict_share(self, attribute: int, known: float, unseen: float) -> tuple[float, float]:
        """Return which share of what an answer shows is new, and how many records it shows."""
        total = known + unseen
        if not self.limit or total <= self.limit:
            return unseen / total, total
        return unseen / total * self._capped[attribute].factor(1.0, self.limit), float(self.limit)

    def predict_next_page(self, attribute: int, total: int, records: int, known: float) -> float:
        """Return the new records on the next page of an answer of which so many records were read and so many of all are known."""
        hidden = max(1, total - records)
        share, shown = min(1.0, max(0.0, total - known) / hidden), total
        if self.limit and total > self.limit:
            shown, share = self.limit, min(share, share * self._capped[attribute].factor(1.0, self.limit))
        return share * max(0, min(self.page_size, shown - records))

    def predict_new(self, known: float, odds: float) -> tuple[float, float]:
        """Return the new records and the pages of a value with so many known records."""
        unseen, shown = known * odds, known * (1 + odds)
        if self.limit and shown > self.limit:
            return unseen * self.limit / shown, float(-(-self.limit // self.page_size))
        # a value of about seven records is as likely to need a second page as not to fill the first
        return unseen, max(1.0, shown / self.page_size + 0.45)

    def ratio(self, kind: ValueKind) -> float:
        """Return how a kind compares with what chance would bring: its own answers, then all of its size, then chance."""
        ratios, weight = self._ratios[kind.attribute], self._weight[kind.attribute]
        same_size, own = ratios[ALL_SPREADS], ratios[kind.spread * 2 + kind.stale]
        prior = PRIOR_ANSWERS * weight
        share = SAME_SIZE_ANSWERS * weight * (same_size.got[kind.size] + prior) / (same_size.seen[kind.size] + prior)
        return (own.got[kind.size] + share) / (own.seen[kind.size] + SAME_SIZE_ANSWERS * weight)

    def learn(self, kind: ValueKind, by_chance: float, new: float) -> None:
        """Learn what a value of a kind brought, beside what chance would have brought."""
        self.answers[kind.attribute] += 1
        ratios = self._ratios[kind.attribute]
        weight = self._weight[kind.attribute] = self._weight[kind.attribute] / ANSWER_FADE
        for place in (ALL_SPREADS, kind.spread * 2 + kind.stale):
            ratios[place].add(kind.size, weight, max(0.0, new) / max(by_chance, 1e-9))
        if weight > MAX_WEIGHT:
            for each in ratios:
                each.scale(1 / weight)
            self._weight[kind.attribute] = 1.0

    def expect_by_chance(self, kind: ValueKind) -> float:
        """Return the new records of a value of a kind, if a capped answer showed its records in an order by chance."""
        return self.predict_new(CLASS_MIDDLES[kind.size], self.odds[kind.attribute] * self.ratio(kind))[0]

    def learn_capped(self, attribute: int, expected: float, new: float) -> None:
        """Learn from how many new records a capped answer showed: what is shown first may be shown first by all."""
        self._capped[attribute].add(expected, new)

    def learn_size(self, marked: int, again: int, total: int) -> None:
        """Learn how many of the records that came through other attributes came again among so many."""
        self._marked = self._marked * SIZE_FADE + marked * total
        self._again = self._again * SIZE_FADE + again


# -- which attribute partitions the source: asked for all its values, it brings full pages and nothing twice
#
# A query that brings ten new records on a page is no better than another that does. What differs is what
# they leave: after all films of a year, those of other years are as new as before; after all
# dramas, half of each year is known. So one such attribute is kept to.

MIN_PARTITION_FILL: Final = (
    0.5  # of full pages of new records: an attribute that promises as much partitions the source
)
STRAY_FILL: Final = 0.2  # of full pages: how records come that have no value of that attribute
LOST_PAGE_SHARE: Final = 0.5  # of a page: what is lost with each value
KEEP_PARTITION_FACTOR: Final = 1.3  # an attribute that was begun with is kept until another promises so much more


def find_partition(promises: list[float], before: int) -> int:
    """Return the attribute that partitions the source, by its number; -1 where none does."""
    weighed = [each * KEEP_PARTITION_FACTOR if attribute == before else each for attribute, each in enumerate(promises)]
    best = max(range(len(weighed)), key=weighed.__getitem__, default=-1)
    return best if best >= 0 and weighed[best] >= MIN_PARTITION_FILL else -1


def expect_fill(expectation: Expectation, classes: ValueClasses, attribute: int) -> float:
    """Return how full of new records all pages would be if an attribute were asked for all its values, and then the rest."""
    full = weight = 0.0
    for size, count in enumerate(classes.counts[attribute]):
        if count and size:
            new, pages = expectation.expect_whole(ValueKind(attribute, size, SPREAD, 0))
            full += count * new * new / pages
            weight += count * new
    if not weight:
        return 0.0
    once = expectation.having[attribute] / max(1, expectation.pairs[attribute])
    once *= estimate_page_fill(expectation, classes.counts[attribute])
    share = expectation.share(attribute)
    return 1 / (share / max(1e-9, full / weight / expectation.page_size * once) + (1 - share) / STRAY_FILL)


def estimate_page_fill(expectation: Expectation, counts: list[int]) -> float:
    """Return what part of the pages is not lost to last pages, half empty, by how many values there must be (Chao 1984)."""
    unmet = counts[1] * (counts[1] - 1) / (2 * (counts[2] + 1))
    return expectation.size / (expectation.size + LOST_PAGE_SHARE * expectation.page_size * (sum(counts) + unmet))
