"""How many new records a query will bring, learned from what queries before it brought.

Of a value, some records are known. If those that are known were drawn by chance, the unseen ones would
stand to them as all unseen records to all known ones (the odds). How far a kind of value is from that
is learned from each answer: by attribute, by the number of known records, by the ways they came, and
by whether one came lately. Kinds that were not asked for take after those beside them.
"""

from __future__ import annotations

from typing import Final

from dowse.select.expect_classes import MIDDLES, SIZES, Kind
from dowse.select.expect_routes import SPREADS, Routes
from dowse.select.graph import Graph
from dowse.select.selector import Interface

FADE: Final = 0.97  # what an answer tells counts that much less with each one after it, within an attribute
LIKENESS: Final = 0.5  # what a size class tells of the next one
REACH: Final = 6  # size classes that are looked at on either side
PRIOR: Final = 1.0  # answers that chance counts for
KIN: Final = 3.0  # answers that all kinds of a size count for, beside those of the kind itself
SIZE_FADE: Final = 0.95  # the same for the size of the source
LEAST_UNSEEN: Final = 0.02  # of the source: an estimate that says nothing is left is not believed
GUESS: Final = 20.0  # times what was drawn: the size of the source until an answer tells
SURE: Final = 2.0  # records that came twice, before an estimate is made of them
CUT_KEPT: Final = 0.95  # of what answers told that were cut, after each one
ALL: Final = 2 * SPREADS  # place after those of each spread and staleness
HEAVY: Final = 1e9  # a weight that large is made small again, with all before it


class _Told:
    """What answers have told, by size class: what came over what chance would have brought, and what that weighs."""

    __slots__ = ("got", "seen")

    def __init__(self) -> None:
        self.got = [0.0] * SIZES
        self.seen = [0.0] * SIZES

    def add(self, size: int, weight: float, ratio: float) -> None:
        """Take in an answer for a size class, and less of it for those beside."""
        for other in range(max(0, size - REACH), min(SIZES, size + REACH + 1)):
            like = weight * LIKENESS ** abs(other - size)
            self.got[other] += like * ratio
            self.seen[other] += like

    def scale(self, times: float) -> None:
        """Make all weights smaller."""
        self.got = [each * times for each in self.got]
        self.seen = [each * times for each in self.seen]


class Expectation:
    """Expects what a query brings and what it costs."""

    def __init__(self, graph: Graph, routes: Routes, interface: Interface) -> None:
        self.graph, self.routes = graph, routes
        self.page_size, self.limit = max(1, interface.page_size), interface.limit
        self.answers: list[int] = []  # of each attribute
        self.pairs: list[int] = []  # of each attribute, values in all records
        self.having: list[int] = []  # of each attribute, records that have one
        self.odds: list[float] = []  # of each attribute, unseen records for each that is known
        self._told: list[list[_Told]] = []  # of each attribute: by the way records came, and for all ways together
        self._weight: list[float] = []  # of each attribute, what the next answer counts
        self._cut: list[
            tuple[float, float]
        ] = []  # of each attribute: new records that answers that were cut should have shown, and did
        self._marked, self._again = 0.0, 0.0

    def take_up(self) -> None:
        """Make room for attributes that are new."""
        for _ in range(len(self.graph.attributes) - len(self.pairs)):
            self.answers.append(0)
            self.pairs.append(0)
            self.having.append(0)
            self._told.append([_Told() for _ in range(ALL + 1)])
            self._weight.append(1.0)
            self._cut.append((0.0, 0.0))

    def share(self, attribute: int) -> float:
        """Return the share of records that have an attribute, by those that came through others."""
        own = self.routes.via[attribute] if attribute < len(self.routes.via) else 0
        return (self.having[attribute] - own + 1) / (self.graph.record_count - own + 1)

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
        if self._again < SURE:
            return known * GUESS
        return max(known * (1 + LEAST_UNSEEN), self._marked / self._again)

    def refresh(self) -> None:
        """Work out the odds for what is known now."""
        size = self.size
        self.odds = [self._find_odds(attribute, size) for attribute in range(len(self.pairs))]

    def _find_odds(self, attribute: int, size: float) -> float:
        """Return unseen for known; records through the attribute's own queries tell nothing where each has one value."""
        several = self.pairs[attribute] / max(1, self.having[attribute])
        own = self.routes.via[attribute] if attribute < len(self.routes.via) else 0
        known = max(1.0, self.graph.record_count - own * min(1.0, max(0.0, 2 - several)))
        return max(size - known, LEAST_UNSEEN * size) / known

    def expect(self, kind: Kind) -> float:
        """Return the new records for each request that a value of a kind is expected to bring."""
        new, pages = self.expect_whole(kind)
        return new / pages

    def expect_whole(self, kind: Kind) -> tuple[float, float]:
        """Return the new records that a value of a kind is expected to bring, and the requests."""
        known, odds = MIDDLES[kind.size], self.odds[kind.attribute] * self.ratio(kind)
        new, pages = self.bring(known, odds)
        if not self.limit or known * (1 + odds) <= self.limit:
            return new, pages
        foretold, came = self._cut[kind.attribute]
        return new * (came + self.limit) / (foretold + self.limit), pages

    def bring(self, known: float, odds: float) -> tuple[float, float]:
        """Return the new records and the pages of a value with so many known records."""
        unseen, shown = known * odds, known * (1 + odds)
        if self.limit and shown > self.limit:
            return unseen * self.limit / shown, float(-(-self.limit // self.page_size))
        # a value of about seven records is as likely to need a second page as not to fill the first
        return unseen, max(1.0, shown / self.page_size + 0.45)

    def ratio(self, kind: Kind) -> float:
        """Return how a kind compares with what chance would bring: its own answers, then all of its size, then chance."""
        told, weight = self._told[kind.attribute], self._weight[kind.attribute]
        kin, own = told[ALL], told[kind.spread * 2 + kind.stale]
        prior = PRIOR * weight
        share = KIN * weight * (kin.got[kind.size] + prior) / (kin.seen[kind.size] + prior)
        return (own.got[kind.size] + share) / (own.seen[kind.size] + KIN * weight)

    def learn(self, kind: Kind, by_chance: float, new: float) -> None:
        """Take in what a value of a kind brought, beside what chance would have brought."""
        self.answers[kind.attribute] += 1
        told = self._told[kind.attribute]
        weight = self._weight[kind.attribute] = self._weight[kind.attribute] / FADE
        for place in (ALL, kind.spread * 2 + kind.stale):
            told[place].add(kind.size, weight, max(0.0, new) / max(by_chance, 1e-9))
        if weight > HEAVY:
            for each in told:
                each.scale(1 / weight)
            self._weight[kind.attribute] = 1.0

    def learn_cut(self, kind: Kind, new: float) -> None:
        """Take in how many new records an answer showed that was cut: what is shown first may be shown first by all."""
        expected = self.bring(MIDDLES[kind.size], self.odds[kind.attribute] * self.ratio(kind))[0]
        foretold, came = self._cut[kind.attribute]
        self._cut[kind.attribute] = foretold * CUT_KEPT + expected, came * CUT_KEPT + new

    def learn_size(self, marked: int, again: int, total: int) -> None:
        """Take in how many of the records that came through other attributes came again among so many."""
        self._marked = self._marked * SIZE_FADE + marked * total
        self._again = self._again * SIZE_FADE + again
