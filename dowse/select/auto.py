"""Dowse's own selector: the query with the most new records for a request, by all that is known."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from dowse.model import Query, Value
from dowse.select.expect import Classes, Expectation, Kind, Routes, find_order, promise
from dowse.select.joins import Join, Joins
from dowse.select.selector import Asked, Parts, takes_alone

# --- abort
# When an answer is not worth its next page (paper 4, Section 3.4).
#
# Where the answer says how many records match, those to come are counted; where it does not, they are guessed by
# the pages before. The threshold is no constant: it is what the next best query promises now.

ALONE: Final = 1.0  # pages that what was expected counts for, where the answer says no total
LEAST: Final = 0.3  # of what others promise: others can wait, but who is left is not asked again
HASTE: Final = 0.8  # the same where all that is left by comes with others
LATELY: Final = 0.5  # what the last page counts for, beside those before it
FULL: Final = 0.8  # of a page


@dataclass(slots=True)
class Page:
    """What the pages of an answer bring."""

    rate: float = 0.0  # new records on each page to come
    strange: int = 0  # new records of the last page that will not come with values that wait already
    lately: float = -1.0  # such records on a page, the last pages counted most
    full: bool = False  # whether pages to come are nearly all new

    def count(self, asked: Asked, known: float, page_size: int, expected: float) -> None:
        """Take in a page; `known` are the records with the value in the graph, `expected` what was promised."""
        self.rate = count_rest(asked, known, page_size) if asked.total is not None else guess_rest(asked, expected)
        self.lately = self.strange if self.lately < 0 else (1 - LATELY) * self.lately + LATELY * self.strange
        self.full = self.rate >= FULL * page_size

    def why_known(self, others: float) -> str:
        """Say that what comes will come with values that wait, and that others show more that will not."""
        if self.lately >= HASTE * others:
            return ""
        return f"what it brings comes with other values, all but {self.lately:.1f} records a page"


def why_leave(rate: float, best: float) -> str:
    """Say that the pages to come are worth too little beside the best other query."""
    return f"only {rate:.1f} new records a page; {best:.1f} elsewhere" if rate < LEAST * best else ""


def count_rest(asked: Asked, known: float, page_size: int) -> float:
    """Count the new records on each page to come: all matches that are not known, as far as they are shown."""
    total = asked.total or 0
    shown = min(total, asked.limit) if asked.limit else total
    left = shown - asked.records
    if left <= 0:
        return 0.0
    hidden = total - asked.records  # some of them are not shown: they have their share of what is new
    return max(0, total - known) * left / hidden / -(-left // page_size)


def guess_rest(asked: Asked, expected: float) -> float:
    """Guess the new records on the next page by those on the pages before; what was expected counts as one page more."""
    return (asked.new + ALONE * expected) / (asked.pages + ALONE)


# --- auto
# The query with the most new records for a request, by all that is known: our own selector.
#
# What a value brings is expected by its kind (`expect.py`). Where one attribute parts the source (each record
# has one value of it, and values are pages long), its values are asked for before all others: they bring
# nothing twice, and whatever else is asked for comes again with them. Other queries are then asked
# to find more of its values, and are left when they show no others (`abort.py`).

TRIALS: Final = 2  # values of each attribute that are tried before it is known what it brings
OTHERS: Final = (
    0.5  # what a new record is worth that will come again with the values of the attribute that parts the source
)
RIVAL: Final = 1.15  # times what an attribute promises: who promises no more is no reason to leave one of its values
AUTO_ALONE: Final = 0.8  # of all records have one value of an attribute that might part the source
PACE: Final = 50.0  # pages that are lately
PATIENCE: Final = 20  # looks until the best is taken as it is
SELDOM: Final = 8  # looks until it is asked again which attribute parts the source


@dataclass(frozen=True, slots=True)
class Offer:
    """A value that can be asked for, and the new records for a request that it promises."""

    rate: float
    value: int
    kind: Kind | None = None  # nothing for a seed


@dataclass(slots=True)
class _Now:
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
    met: int = 0  # values that were met before the last page
    page: Page = field(default_factory=Page)


class Auto:
    """Asks for the value that promises the most new records for a request."""

    def __init__(self, parts: Parts) -> None:
        graph, interface = parts.graph, parts.interface
        self.graph, self.interface = graph, interface
        self.routes = Routes(graph)
        self.classes = Classes(graph, self.routes, lambda name: takes_alone(interface, name))
        self.expectation = Expectation(graph, self.routes, interface)
        self.joins = Joins(graph, interface, self.expectation)
        self.order = -1  # the attribute that parts the source; -1 for none
        self._seeds: list[int] = []
        self._looks = 0
        self._pace = 0.0  # new records for a request, lately
        self._promises: list[float] = []  # of each attribute, how well it would part the source
        self._joined = 0.0  # what the best join promised when it was last looked for
        self._tried = False  # whether it is known of each attribute what it brings
        self._now = _Now()
        self._given: Query | None = None  # what was chosen last

    def seed(self, values: list[Value]) -> None:
        """Take values to begin with; they are asked for first."""
        self._seeds.extend(self.graph.number(value) for value in values)
        self._take_up()

    def _take_up(self) -> None:
        self.classes.take_up()
        self.expectation.take_up()

    def choose(self) -> Query | None:
        """Return the query that promises most."""
        self._take_up()
        while self._seeds:
            value = self._seeds.pop(0)
            if not self.classes.gone[value] and self.classes.allowed[self.graph.attribute_of[value]]:
                return self._give(Offer(0.0, value))
        offers = self._look()
        trial = self._find_trial(offers)
        self._tried = trial is None
        if trial:
            return self._give(trial)
        best = self._find_best(offers)
        promised = self._weigh(best) if best else 0.0
        if best is None and self._take_listed():
            return self.choose()
        return self._choose_join(promised) or (self._give(best) if best else None)

    def _choose_join(self, promised: float) -> Query | None:
        """Return the query for several values that promises most, if that is more than a value alone does."""
        join = self.joins.best()
        self._joined = join.rate if join else 0.0
        if not join and not promised:
            join = self.joins.try_next()
        return self._give_join(join) if join and join.rate >= promised else None

    def _take_listed(self) -> bool:
        """Take up the values that the form lists and no record has shown; say whether there were any."""
        before = self.graph.value_count
        listed = [Value(name, text) for name, texts in self.interface.choices for text in texts if text]
        numbers = [self.graph.number(value) for value in listed]
        self._take_up()
        self._seeds.extend(value for value in numbers if value >= before)
        return bool(self._seeds)

    def _find_trial(self, offers: list[Offer]) -> Offer | None:
        """Return the least known value of an attribute that was hardly tried: one that is no great loss if it is left."""
        untried = [o for o in offers if o.kind and self.expectation.answers[o.kind.attribute] < TRIALS]
        return min(untried, key=lambda offer: offer.kind.size if offer.kind else 0, default=None)

    def _find_best(self, offers: list[Offer]) -> Offer | None:
        """Return the best offer whose value still is of its kind."""
        for _ in range(PATIENCE):
            best = max(offers, key=self._weigh, default=None)
            if best is None or best.kind is None or self.classes.settle(best.value):
                return best
            self.classes.settle_all(best.kind)
            offers = self._look()
        return max(offers, key=self._weigh, default=None)

    def _weigh(self, offer: Offer) -> float:
        own = offer.kind is None or self.order in (offer.kind.attribute, -1)
        return offer.rate if own else offer.rate * OTHERS

    def _look(self) -> list[Offer]:
        """Return the next value of every kind, and what it promises."""
        self.expectation.refresh()
        if self._looks % SELDOM == 0 or self.order < 0 or not any(self.classes.counts[self.order]):
            attributes = range(len(self.graph.attributes))
            self._promises = [promise(self.expectation, self.classes, attribute) for attribute in attributes]
            self.order = find_order(self._promises, self.order if self._tried else -1)
        self._looks += 1
        return [Offer(self.expectation.expect(kind), value, kind) for kind, value in self.classes.kinds()]

    def _give(self, offer: Offer) -> Query:
        """Make the query of an offer the one that is under way."""
        value = offer.value
        attribute, known = self.graph.attribute_of[value], self.graph.count(value)
        self.classes.remove(value)
        by_chance = self.expectation.bring(known, self.expectation.odds[attribute])[0] if offer.kind else 0.0
        marked = self.graph.record_count - (self.routes.via[attribute] if attribute < len(self.routes.via) else 0)
        again, met = self.routes.through_others(value), self.graph.value_count
        self._now = _Now(value, attribute, None, offer, known, by_chance, marked, again, met=met)
        self.routes.begin(attribute)
        self._given = Query((self.graph.value(value),))
        return self._given

    def _give_join(self, join: Join) -> Query:
        """Make the query of a join the one that is under way."""
        self._now = _Now(join=join, offer=Offer(join.rate, -1), known=join.known, met=self.graph.value_count)
        self.routes.begin(-1)
        self._given = self.joins.give(join)
        return self._given

    def why_abort(self, asked: Asked) -> str:
        """Say that the rest of an answer is worth less than what others promise."""
        self._take_in(asked)
        page, now = self._now.page, self._now
        known = self.graph.count(now.value) if now.value >= 0 else now.known + asked.new
        page.count(asked, known, self.expectation.page_size, now.offer.rate)
        if page.full and (now.join or self.order == now.attribute):
            return ""
        offers, order = self._look(), self.order
        best = max((self._weigh(offer) for offer in offers), default=0.0)
        best = max(best, self._joined)
        best = min(best, self._pace)  # what is best may be soon over
        if now.join or order in (-1, now.attribute) or self._is_rival(now.attribute):
            return why_leave(page.rate, best)
        others = max((o.rate for o in offers if o.kind and o.kind.attribute != order), default=0.0)
        return why_leave(page.rate, best) or page.why_known(others)

    def _is_rival(self, attribute: int) -> bool:
        """Say whether an attribute might part the source as well: its values are not left, for they come once."""
        if self._tried:
            return self._promises[attribute] * RIVAL > self._promises[self.order]
        expectation = self.expectation
        once = expectation.having[attribute] / max(1, expectation.pairs[attribute])
        return once * expectation.share(attribute) >= AUTO_ALONE

    def learn(self, asked: Asked) -> None:
        """Take in what a query brought, its own or another that was asked beside it."""
        if asked.query != self._given:
            self._take_foreign(asked)
        self._take_in(asked)
        self._end(asked)
        self._learn_joins(asked)
        now, total = self._now, asked.total if asked.total is not None else asked.records if asked.done else None
        if asked.failed or total is None or now.offer.kind is None:
            return
        limit = asked.limit or self.interface.limit
        new = asked.new / max(1, asked.records) * limit if limit and total > limit else total - now.known
        if limit and total > limit:
            self.expectation.learn_cut(now.offer.kind, new)
        self.expectation.learn(now.offer.kind, now.by_chance, new)
        self.expectation.learn_size(now.marked, now.again, total)

    def _learn_joins(self, asked: Asked) -> None:
        """Note what can be joined from now on, and what came of a join."""
        if not self.joins.possible:
            return
        now = self._now
        if now.join:
            self.joins.learn(now.join, asked)
        self.joins.note(now.join.values if now.join else self.joins.find(asked.query), asked, now.known)

    def _take_foreign(self, asked: Asked) -> None:
        """Make a query that was not chosen here the one that is under way."""
        self._take_up()
        value = asked.value
        if value >= 0:
            self.classes.remove(value)
        attribute = self.graph.attribute_of[value] if value >= 0 else -1
        self._now = _Now(value, attribute, known=asked.known)
        self.routes.begin(attribute)

    def _end(self, asked: Asked) -> None:
        """Note whether the answer was read to its end; what it brought counts for more to come where it was not."""
        if asked.done and not asked.overflowed:
            self.routes.end(self.graph.records_of(self._now.value) if self._now.value >= 0 else asked.fresh)
            return
        self.routes.leave()
        for record in asked.fresh:
            for value in self.graph.values_of(record):
                self.classes.settle(value)

    def _take_in(self, asked: Asked) -> None:
        """Sort in the values of records that came since the last page."""
        self._take_up()
        now, fresh = self._now, asked.fresh[self._now.taken :]
        self._pace += (len(fresh) - self._pace) / PACE
        now.taken = len(asked.fresh)
        self.routes.add(fresh)
        self.joins.take_in(fresh)
        touched: set[int] = set()
        for record in fresh:
            self.expectation.count_in(record)
            touched.update(self.graph.values_of(record))
        for value in touched:
            self.classes.sort_in(value)
        now.page.strange = sum(self._is_strange(record, now.met) for record in fresh)
        now.met = self.graph.value_count

    def _is_strange(self, record: int, met: int) -> bool:
        """Say whether a record will not come with values of the ordering attribute that were met before."""
        attribute_of, order = self.graph.attribute_of, self.order
        return all(value >= met for value in self.graph.values_of(record) if attribute_of[value] == order)
