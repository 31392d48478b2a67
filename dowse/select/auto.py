"""Dowse's own selector: the query with the most new records for a request, by all that is known."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from dowse.model import Query, Value
from dowse.select.expect import Expectation, Provenance, ValueClasses, ValueKind, expect_fill, find_partition
from dowse.select.joins import Join, Joins
from dowse.select.selector import (
    POSTPONED,
    QueryProgress,
    SelectorParts,
    count_new_per_page,
    estimate_new_per_page,
    takes_alone,
)
from dowse.select.words import LeftAnswer, WordOffer, WordQueue

# -- when an answer is not worth its next page (paper 4, Section 3.4)
#
# The threshold is no constant: it is what the next best query promises now.

MIN_RATE_SHARE: Final = 0.3  # of what others promise: others can wait, but who is left is not asked again
MIN_UNCOVERED_SHARE: Final = 0.8  # the same where all that is left by comes with others
LAST_PAGE_WEIGHT: Final = 0.5  # what the last page counts for, beside those before it
FULL_PAGE_SHARE: Final = 0.8  # of a page


@dataclass(slots=True)
class AnswerPace:
    """What the pages of an answer bring."""

    rate: float = 0.0  # new records on each page to come
    uncovered: int = 0  # new records of the last page that will not come with values that wait already
    recent: float = -1.0  # such records on a page, the last pages counted most
    full: bool = False  # whether pages to come are nearly all new

    def count(self, asked: QueryProgress, known: float, page_size: int, expected: float) -> None:
        """Add a page; `known` are the records with the value in the graph, `expected` what was promised."""
        self.rate = (
            count_new_per_page(asked, known, page_size)
            if asked.total is not None
            else estimate_new_per_page(asked, expected)
        )
        self.recent = (
            self.uncovered
            if self.recent < 0
            else (1 - LAST_PAGE_WEIGHT) * self.recent + LAST_PAGE_WEIGHT * self.uncovered
        )
        self.full = self.rate >= FULL_PAGE_SHARE * page_size

    def why_known(self, others: float) -> str:
        """Return a reason where what comes will come with values that wait anyway, and others show more that will not."""
        if self.recent >= MIN_UNCOVERED_SHARE * others:
            return ""
        return "its other records are expected with other queries"


def why_below_others(rate: float, best: float) -> str:
    """Return a reason where the pages to come are worth too little beside the best other query."""
    return "expected too few new records" if rate < MIN_RATE_SHARE * best else ""


# -- the query with the most new records for a request, by all that is known: our own selector
#
# What a value brings is expected by its kind (`expect.py`). Where one attribute partitions the source (each record
# has one value of it, and values are pages long), its values are asked for before all others: they bring
# nothing twice, and whatever else is asked for comes again with them. Other queries are then asked
# to find more of its values, and are left when they show no others.

MIN_TRIALS_PER_ATTRIBUTE: Final = 2  # values of each attribute that are tried before it is known what it brings
OTHER_ATTRIBUTE_WEIGHT: Final = (
    0.5  # what a new record is worth that will come again with the values of the attribute that partitions the source
)
RIVAL_FACTOR: Final = (
    1.15  # times what an attribute promises: who promises no more is no reason to leave one of its values
)
MIN_SINGLE_VALUE_SHARE: Final = 0.8  # of all records have one value of an attribute that might partition the source
PACE_PAGES: Final = 50.0  # pages that are lately
MAX_OFFER_LOOKS: Final = 20  # looks until the best is taken as it is
LOOKS_BETWEEN_PARTITIONS: Final = 8  # looks until it is asked again which attribute partitions the source


@dataclass(frozen=True, slots=True)
class Offer:
    """A value that can be asked for, and the new records for a request that it promises."""

    rate: float
    value: int
    kind: ValueKind | None = None  # nothing for a seed or a word
    word: WordOffer | None = None


@dataclass(slots=True)
class _CurrentQuery:
    """The query that is under way."""

    value: int = -1
    attribute: int = -1
    join: Join | None = None  # where it asks for several values
    offer: Offer = Offer(0.0, -1)
    known: float = 0  # records before it was asked
    by_chance: float = 0.0  # new records that chance would bring
    marked: int = 0  # records that came through other attributes
    again: int = 0  # of them, those that have the value
    taken: int = 0  # new records that were sorted in
    read: int = 0  # records of the answer that were read before, where it goes on
    met: int = 0  # values that were met before the last page
    records: int = 0  # that were harvested before it was asked
    page: AnswerPace = field(default_factory=AnswerPace)


class AutoSelector:
    """Asks for the value that promises the most new records for a request."""

    def __init__(self, parts: SelectorParts) -> None:
        graph, interface = parts.graph, parts.interface
        self.graph, self.interface = graph, interface
        self.provenance = Provenance(graph)
        self.classes = ValueClasses(graph, self.provenance, lambda name: takes_alone(interface, name))
        self.expectation = Expectation(graph, self.provenance, interface)
        self.joins = Joins(graph, interface, self.expectation)
        self.words = WordQueue(graph, self.expectation, self.classes.asked)
        self.partition = -1  # the attribute that partitions the source; -1 for none
        self._seeds: list[int] = []
        self._looks = 0
        self._pace = 0.0  # new records for a request, lately
        self._promises: list[float] = []  # of each attribute, how well it would partition the source
        self._joined = 0.0  # what the best join promised when it was last looked for
        self._tried = False  # whether it is known of each attribute what it brings
        self._current = _CurrentQuery()
        self._chosen: Query | None = None  # what was chosen last

    def seed(self, values: list[Value]) -> None:
        """Add values to begin with; they are asked for first."""
        self._seeds.extend(self.graph.number(value) for value in values)
        self._add_new_values()

    def _add_new_values(self) -> None:
        self.classes.make_room()
        self.expectation.make_room()

    def choose(self) -> Query | None:
        """Return the query that promises most."""
        self._add_new_values()
        while self._seeds:
            value = self._seeds.pop(0)
            if not self.classes.asked[value] and self.classes.allowed[self.graph.attribute_of[value]]:
                return self._begin_query(Offer(0.0, value))
        offers = self._make_offers()
        # the least known value of an attribute that was hardly tried: one that is no great loss if it is left
        answers = self.expectation.answers
        untried = [o for o in offers if o.kind and answers[o.kind.attribute] < MIN_TRIALS_PER_ATTRIBUTE]
        trial = min(untried, key=lambda offer: offer.kind.size if offer.kind else 0, default=None)
        self._tried = trial is None
        if trial:
            return self._begin_query(trial)
        best = self._find_best(offers)
        promised = self._weight_of(best) if best else 0.0
        if best is None and self._add_listed():
            return self.choose()
        return self._choose_join(promised) or (self._begin_query(best) if best else None)

    def _choose_join(self, promised: float) -> Query | None:
        """Begin the query for several values that promises most, if that is more than a value alone does."""
        join = self.joins.best()
        self._joined = join.rate if join else 0.0
        if not join and not promised:
            join = self.joins.try_next()
        if not join or join.rate < promised:
            return None
        known, met = join.known, self.graph.value_count
        records = self.graph.record_count
        self._current = _CurrentQuery(join=join, offer=Offer(join.rate, -1), known=known, met=met, records=records)
        self.provenance.begin(-1)
        self._chosen = self.joins.make_query(join)
        return self._chosen

    def _add_listed(self) -> bool:
        """Add the values that the form lists and no record has shown; return True if there were any."""
        before = self.graph.value_count
        listed = [Value(name, text) for name, texts in self.interface.choices for text in texts if text]
        numbers = [self.graph.number(value) for value in listed]
        self._add_new_values()
        self._seeds.extend(value for value in numbers if value >= before)
        return bool(self._seeds)

    def _find_best(self, offers: list[Offer]) -> Offer | None:
        """Return the best offer whose value still is of its kind."""
        for _ in range(MAX_OFFER_LOOKS):
            best = max(offers, key=self._weight_of, default=None)
            if best is None or best.kind is None or self.classes.settle(best.value):
                return best
            self.classes.settle_all(best.kind)
            offers = self._make_offers()
        return max(offers, key=self._weight_of, default=None)

    def _weight_of(self, offer: Offer) -> float:
        own = self.partition in (self.graph.attribute_of[offer.value], -1)
        return offer.rate if own else offer.rate * OTHER_ATTRIBUTE_WEIGHT

    def _make_offers(self) -> list[Offer]:
        """Return the next value of every kind, and what it promises."""
        self.expectation.refresh()
        if (
            self._looks % LOOKS_BETWEEN_PARTITIONS == 0
            or self.partition < 0
            or not any(self.classes.counts[self.partition])
        ):
            attributes = range(len(self.graph.attributes))
            self._promises = [expect_fill(self.expectation, self.classes, attribute) for attribute in attributes]
            self.partition = find_partition(self._promises, self.partition if self._tried else -1)
        self._looks += 1
        words = self.graph.attributes.index("") if self._asks_words() else -1
        kinds = [(kind, value) for kind, value in self.classes.kinds() if kind.attribute != words]
        offers = [Offer(self.expectation.expect(kind), value, kind) for kind, value in kinds]
        word = self.words.best() if words >= 0 else None
        return [*offers, Offer(word.rate, word.value, word=word)] if word else offers

    def _asks_words(self) -> bool:
        """Return True if a box is asked for words of records, of which each has several."""
        if not self.interface.keyword or "" not in self.graph.attributes or self.interface.required:
            return False
        return self.expectation.has_several(self.graph.attributes.index(""))

    def _begin_query(self, offer: Offer) -> Query:
        """Make the query of an offer the one that is under way."""
        value = offer.value
        attribute, known = self.graph.attribute_of[value], self.graph.count(value)
        self.classes.remove(value)
        by_chance = self.expectation.predict_new(known, self.expectation.odds[attribute])[0] if offer.kind else 0.0
        if self.expectation.has_several(attribute):  # a record comes through any of its values
            marked, again = self.graph.record_count, known
        else:
            own = self.provenance.via[attribute] if attribute < len(self.provenance.via) else 0
            marked, again = self.graph.record_count - own, self.provenance.through_others(value)
        met = self.graph.value_count
        records = self.graph.record_count
        left = self.words.take_up(value) if offer.word else LeftAnswer()
        self._current = _CurrentQuery(
            value,
            attribute,
            None,
            offer,
            known,
            by_chance,
            marked,
            again,
            met=met,
            records=records,
            taken=left.fresh,
            read=left.records,
        )
        self.provenance.begin(attribute)
        self._chosen = Query((self.graph.value(value),))
        return self._chosen

    def why_abort(self, asked: QueryProgress) -> str:
        """Return a reason where the rest of an answer is worth less than what others promise."""
        self._add_page(asked)
        page, now = self._current.page, self._current
        known = self.graph.count(now.value) if now.value >= 0 else now.known + asked.new
        page.count(asked, known, self.expectation.page_size, now.offer.rate)
        if page.full and (now.join or self.partition == now.attribute):
            return ""
        offers, partition = self._make_offers(), self.partition
        best = max((self._weight_of(offer) for offer in offers), default=0.0)
        best = max(best, self._joined)
        if now.offer.word and asked.total is not None and asked.exact:
            rate = self.expectation.predict_next_page(now.attribute, asked.total, asked.records, known)
            return POSTPONED if rate < best else ""
        best = min(best, self._pace)  # what is best may be soon over
        if now.join or partition in (-1, now.attribute) or self._is_rival(now.attribute):
            return why_below_others(page.rate, best)
        others = max((o.rate for o in offers if o.kind and o.kind.attribute != partition), default=0.0)
        return why_below_others(page.rate, best) or page.why_known(others)

    def _is_rival(self, attribute: int) -> bool:
        """Return True if an attribute might partition the source as well: its values are not left, for they come once."""
        if self._tried:
            return self._promises[attribute] * RIVAL_FACTOR > self._promises[self.partition]
        expectation = self.expectation
        once = expectation.having[attribute] / max(1, expectation.pairs[attribute])
        return once * expectation.share(attribute) >= MIN_SINGLE_VALUE_SHARE

    def learn(self, asked: QueryProgress) -> None:
        """Learn what a query brought, its own or another that was asked beside it."""
        if asked.query != self._chosen:
            self._begin_foreign(asked)
        self._add_page(asked)
        self._end(asked)
        now = self._current
        if self.joins.possible:
            if now.join:
                self.joins.learn(now.join, asked)
            self.joins.note(now.join.values if now.join else self.joins.find(asked.query), asked, now.known)
        if self.interface.keyword:
            left = LeftAnswer(asked.total or 0, asked.records, len(asked.fresh))
            self.words.end(now.value, now.records, int(asked.done and not asked.overflowed), left)
            if asked.aborted == POSTPONED:
                self.words.postpone(now.value, left)
        total = asked.total if asked.total is not None else asked.records if asked.done else None
        if not asked.failed and total is not None and (now.offer.kind or now.offer.word):
            self._learn_total(asked, total)

    def _learn_total(self, asked: QueryProgress, total: int) -> None:
        """Learn from how many records a value has."""
        now, limit = self._current, asked.limit or self.interface.limit
        kind, word = now.offer.kind, now.offer.word
        new = asked.new / max(1, asked.records) * limit if limit and total > limit else total - now.known
        if limit and total > limit:
            expected = self.expectation.expect_by_chance(kind) if kind else 0.0
            if word:  # of what was read this time
                expected = (asked.records - now.read) * (total - now.known) / max(1, total - now.read)
                new = self.graph.record_count - now.records
            self.expectation.learn_capped(now.attribute, expected, new)
        if kind:
            self.expectation.learn(kind, now.by_chance, new)
        self.expectation.learn_size(now.marked, now.again, total)
        if word:
            self.words.learn(word, now.known, total)

    def _begin_foreign(self, asked: QueryProgress) -> None:
        """Make a query that was not chosen here the one that is under way."""
        self._add_new_values()
        value = asked.value
        if value >= 0:
            self.classes.remove(value)
        attribute = self.graph.attribute_of[value] if value >= 0 else -1
        self._current = _CurrentQuery(value, attribute, known=asked.known, records=self.graph.record_count - asked.new)
        self.provenance.begin(attribute)

    def _end(self, asked: QueryProgress) -> None:
        """Note whether the answer was read to its end; what it brought counts for more to come where it was not."""
        if asked.done and not asked.overflowed:
            self.provenance.end(self.graph.records_of(self._current.value) if self._current.value >= 0 else asked.fresh)
            return
        self.provenance.leave()
        for record in asked.fresh:
            for value in self.graph.values_of(record):
                self.classes.settle(value)

    def _add_page(self, asked: QueryProgress) -> None:
        """Sort in the values of records that came since the last page."""
        self._add_new_values()
        now, fresh = self._current, asked.fresh[self._current.taken :]
        self._pace += (len(fresh) - self._pace) / PACE_PAGES
        now.taken = len(asked.fresh)
        self.provenance.add(fresh)
        self.joins.add_records(fresh)
        if self.interface.keyword:
            self.words.add(fresh)
        touched: set[int] = set()
        for record in fresh:
            self.expectation.count_in(record)
            touched.update(self.graph.values_of(record))
        for value in touched:
            self.classes.sort_in(value)
        # records that will not come with values of the partitioning attribute that were met before
        attribute_of, partition = self.graph.attribute_of, self.partition
        now.page.uncovered = sum(
            all(value >= now.met for value in self.graph.values_of(record) if attribute_of[value] == partition)
            for record in fresh
        )
        now.met = self.graph.value_count
