"""Which word of a box brings the most new records: how often each word stands in what was not seen yet.

Of a word, some records are known. How many it has beside them is predicted from how these came: a record that many
asked words have in common would have been found anyway, and tells little of others; one that only a single query
showed tells that the word stands where nobody looked. The model is log-linear, its weights were fitted on real
databases, and every answer that says how many records match moves them (an extended Kalman filter).
"""

from __future__ import annotations

import math
from array import array
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from heapq import heappop, heappush, heapreplace
from typing import Final

from dowse.select.expect import Expectation
from dowse.select.graph import Graph

# Weights of what is known of a word: the logarithm of what unseen records it has over what chance would leave it. By
# regression (negative binomial, `DISPERSION`) on the words of artsmia, packages and tate that waited at five points of a
# harvest each (113,000 words). Facts are in the order of `describe_word`.
FIRST_WEIGHTS: Final = (-1.268, 0.02, -0.118, 0.906, -0.244, -0.466, 0.539, 0.474, 0.434, 0.049, 0.364)
FIRST_VARIANCE: Final = 0.02  # of each weight; 0.15 costs 3 % on artsmia and goodbooks
WEIGHT_DRIFT: Final = 0.0001  # of variance that each answer adds; 0.001 costs 6 % on artsmia
# Variance of a word's unseen records over the square of what is expected, beyond chance: of a word with one known
# record, and by which power of its known records it falls (waiting words of artsmia, packages, goodbooks and movies).
DISPERSION: Final = 3.3
DISPERSION_POWER: Final = 0.8
MAX_SURPRISE: Final = 2.0  # times what was expected: an answer that is further off counts as this
MAX_LOG_FACTOR: Final = 5.0  # of what chance would bring, up or down: no weights are believed beyond
MAX_LOOKED_RECORDS: Final = 40  # of a word: its latest records; more tell no more
STEADY_SHARE: Final = 0.97  # of what a word promised when it was looked at last: one that still does is taken
NORMAL_POINTS: Final = (-1.4, -0.53, 0.0, 0.53, 1.4)  # means of five equal parts of a normal distribution
SPREAD_STEPS: Final = 50  # that a spread of 1 has
LAST_PAGE_COST: Final = 0.45  # of a page, that records on further pages cost beside full ones
MIN_GAP: Final = (
    0.02  # of a word's records: so many at least are taken to be unseen where its answer was not read to its end
)
NO_ODDS: Final = 0.05  # added to odds before their logarithm is taken
KNOWN_FACT: Final = 1  # the place of the logarithm of the known records among the facts
MAX_LOOKS: Final = 3000  # looks until the best word is taken as it is


def find_dispersion(known: float) -> float:
    """Return the variance of the unseen records of a word with so many known ones, over the square of what is expected."""
    return DISPERSION * math.exp(-DISPERSION_POWER * math.log(known))


@cache
def spread_evenly(steps: int) -> tuple[float, ...]:
    """Return equally likely factors of a mean of 1, log-normal with so many steps of spread."""
    factors = [math.exp(steps / SPREAD_STEPS * point) for point in NORMAL_POINTS]
    return tuple([factor * len(factors) / sum(factors) for factor in factors])


@dataclass(slots=True)
class WordRates:
    """The weights of the facts about a word, and how well each is known."""

    weights: list[float] = field(default_factory=lambda: list(FIRST_WEIGHTS))
    covariance: list[list[float]] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Begin with weights that are known apart from each other."""
        count = len(self.weights)
        self.covariance = [[FIRST_VARIANCE * (row == column) for column in range(count)] for row in range(count)]

    def factor(self, facts: Sequence[float]) -> float:
        """Return by what the unseen records that chance would leave a word are multiplied."""
        score = sum([weight * fact for weight, fact in zip(self.weights, facts, strict=True)])
        return math.exp(max(-MAX_LOG_FACTOR, min(MAX_LOG_FACTOR, score)))

    def learn(self, facts: Sequence[float], expected: float, unseen: float) -> None:
        """Move the weights by an answer: so many unseen records were expected, so many there were."""
        if expected <= 0:
            return
        known = [sum([each * fact for each, fact in zip(row, facts, strict=True)]) for row in self.covariance]
        noise = 1 / expected + find_dispersion(math.exp(facts[KNOWN_FACT]))
        whole = noise + sum([each * fact for each, fact in zip(known, facts, strict=True)])
        off = max(-MAX_SURPRISE, min(MAX_SURPRISE, unseen / expected - 1))
        for place, each in enumerate(known):
            self.weights[place] += each / whole * off
            row = self.covariance[place]
            row[:] = [old - each * other / whole for old, other in zip(row, known, strict=True)]
            row[place] += WEIGHT_DRIFT


@dataclass(frozen=True, slots=True)
class LeftAnswer:
    """How far an answer was read before it was left."""

    total: int = 0  # records that match
    records: int = 0  # on the pages that were read
    fresh: int = 0  # of them, those that were new


@dataclass(frozen=True, slots=True)
class WordOffer:
    """A word that can be asked for, and what is expected of it."""

    value: int
    rate: float  # new records for a request
    unseen: float  # records that it has and that are not known
    facts: tuple[float, ...] = ()  # nothing where its answer has said how many there are


class WordQueue:
    """The words that wait, the one that promises most first; promises are worked out again when they come first."""

    def __init__(self, graph: Graph, expectation: Expectation, asked: bytearray) -> None:
        self.graph, self.expectation = graph, expectation
        self.asked = asked  # of each value, whether it waits no longer
        self.rates = WordRates()
        self._found_by = array("I")  # of each record, the query that showed it first
        self._asked_words = array("H")  # of each record, words of it that were asked for
        self._lengths = array("H")  # of each record, its words
        self._whole_words = array("H")  # of them, those whose answers were read to their ends
        self._postponed: dict[int, LeftAnswer] = {}  # words whose answers wait to be read on
        self._gap: dict[
            int, float
        ] = {}  # of words whose answers were not read to their ends: the share that was not seen
        self._miss = array("d")  # of each record: the chance that none of these showed it
        self._heap: list[tuple[float, int]] = []
        self._queries = 0

    def add(self, records: Sequence[int]) -> None:
        """Take in records that the query under way has shown."""
        graph, done = self.graph, self.asked
        touched: set[int] = set()
        for record in records:
            values = graph.values_of(record)
            self._found_by.append(self._queries)
            self._asked_words.append(max(1, sum([done[value] for value in values])))
            self._lengths.append(len(values))
            self._whole_words.append(0)  # it would be known if one of them was
            self._miss.append(math.prod([self._gap.get(value, 1.0) for value in values]))
            touched.update(values)
        for value in touched:
            if not done[value] and not graph.attributes[graph.attribute_of[value]]:
                self._push(value)

    def end(self, value: int, before: int, whole: int, left: LeftAnswer) -> None:
        """Note the end of a query for a word, before which there were so many records; `whole` is 1 if all were shown, else 0."""
        self._queries += 1
        if value < 0:
            return
        is_first = value not in self._gap
        change = self._find_gap(value, left.total) if left.total and not whole else 1.0
        for record in self.graph.records_of(value):
            self._asked_words[record] += record < before and is_first
            self._whole_words[record] += whole
            self._miss[record] *= change

    def _find_gap(self, value: int, total: int) -> float:
        """Note the share of a word's records that were not seen; return it over what it was before."""
        before = self._gap.get(value, 1.0)
        self._gap[value] = max(MIN_GAP, 1 - self.graph.count(value) / total)
        return self._gap[value] / before

    def learn(self, offer: WordOffer, known: float, total: int) -> None:
        """Learn how many records a word has, of which so many were known."""
        if offer.facts:
            self.rates.learn(offer.facts, offer.unseen, max(0, total - known))

    def postpone(self, value: int, answer: LeftAnswer) -> None:
        """Let a word wait again whose answer was left: how many records it has is known now."""
        self._postponed[value] = answer
        self._push(value)

    def take_up(self, value: int) -> LeftAnswer:
        """Return what was read of a word's answer, which is not waiting any more."""
        return self._postponed.pop(value, LeftAnswer())

    def best(self) -> WordOffer | None:
        """Return the word that promises most, as it stands now."""
        heap, offer = self._heap, None
        for _ in range(MAX_LOOKS):
            while heap and self.asked[heap[0][1]] and heap[0][1] not in self._postponed:
                heappop(heap)
            if not heap:
                return None
            promised, value = heap[0]
            offer = self._make_offer(value)
            if offer.rate >= STEADY_SHARE * -promised:
                return offer
            heapreplace(heap, (-offer.rate, value))
        return offer

    def _push(self, value: int) -> None:
        heappush(self._heap, (-self._make_offer(value).rate, value))

    def _make_offer(self, value: int) -> WordOffer:
        known = self.graph.count(value)
        attribute = self.graph.attribute_of[value]
        if value in self._postponed:
            left = self._postponed[value]
            rate = self.expectation.predict_next_page(attribute, left.total, left.records, known)
            return WordOffer(value, rate, max(0, left.total - known))
        facts = self.describe_word(value)
        chance = self.expectation.size / max(1, self.graph.record_count) - 1
        unseen = known * chance * self.rates.factor(facts)
        return WordOffer(value, self._predict_rate(attribute, known, unseen), unseen, facts)

    def _predict_rate(self, attribute: int, known: float, unseen: float) -> float:
        """Return the new records for a request of a word whose answer is read on only where its first page says that it pays.

        How many unseen records it has is known roughly; five equally likely numbers stand for that (log-normal). Of
        them those are read on that raise the rate, the best first (an index as Gittins 1979 gives it).
        """
        if unseen <= 0:
            return 0.0
        page_size = self.expectation.page_size
        factors = spread_evenly(round(SPREAD_STEPS * math.sqrt(math.log(1 + find_dispersion(known) + 1 / unseen))))
        new, pages, rests = 0.0, float(len(factors)), []
        for factor in factors:
            share, shown = self.expectation.predict_share(attribute, known, unseen * factor)
            new += min(shown, page_size) * share
            further = (shown - page_size) / page_size
            if further > 0:
                rests.append((share, further * page_size * share, max(1.0, further + LAST_PAGE_COST)))
        for _, more, cost in sorted(rests, reverse=True):
            if more / cost > new / pages:
                new, pages = new + more, pages + cost
        return new / pages

    def describe_word(self, value: int) -> tuple[float, ...]:
        """Return what is known of a word, as numbers: how many records, by how many queries, how easily they were found."""
        records = self.graph.records_of(value)
        looked = records[-MAX_LOOKED_RECORDS:]
        count, never, once, rarity, length, partly = len(looked), 0, 0, 0.0, 0.0, 0.0
        for record in looked:
            whole = self._whole_words[record]
            never += not whole
            miss = self._miss[record]
            if not whole:  # for each record that answers in part have shown, so many were not
                partly += miss / (1 - miss) if miss < 1 else 1.0
            once += whole == 1
            rarity += 1 / self._asked_words[record]
            length += self._lengths[record]
        queries = Counter([self._found_by[record] for record in looked])
        unseen = max(self.expectation.size - self.graph.record_count, 1.0)
        return (
            1.0,
            math.log(len(records)),
            math.log(len(queries) / count),  # queries for each record
            rarity / count,  # the mean of 1 / asked words of a record
            max(queries.values()) / count,  # the share of the query that showed most
            math.log(unseen / self.graph.record_count),
            never / count,  # records that no answer showed which was read to its end
            once / count,  # that one such answer showed
            math.log(length / count),  # words of a record
            len(self.graph.texts[value]) / 10,
            math.log(partly / count + NO_ODDS),  # unseen for each that is known, by answers that were read in part
        )
