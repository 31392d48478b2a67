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
from heapq import heappop, heappush, heapreplace
from typing import Final

from dowse.select.expect import Expectation
from dowse.select.graph import Graph

# Weights of what is known of a word, by Poisson regression on the words of the titles of goodbooks and movies that
# waited at ten points of a harvest each (77,426 words): the logarithm of what unseen records it has over what chance
# would leave it. Facts are in the order of `describe_word`.
FIRST_WEIGHTS: Final = (0.050, 0.013, 0.116, 0.394, -0.866, -0.137, 0.804, 0.599, -0.259, -0.311)
FIRST_VARIANCE: Final = 0.05  # of each weight; between 0.01 and 0.3 goodbooks takes about as many requests (1 %)
WEIGHT_DRIFT: Final = 0.0003  # of variance that each answer adds; 0.002 costs 5 % on goodbooks, 0.0001 nothing
OVERDISPERSION: Final = 1.0  # variance of a count over its square; 0.3 costs 4 % on goodbooks
MAX_SURPRISE: Final = 2.0  # times what was expected: an answer that is further off counts as this
MAX_LOG_FACTOR: Final = 5.0  # of what chance would bring, up or down: no weights are believed beyond
MAX_LOOKED_RECORDS: Final = 40  # of a word: its latest records; more tell no more
STEADY_SHARE: Final = 0.97  # of what a word promised when it was looked at last: one that still does is taken
MAX_LOOKS: Final = 3000  # looks until the best word is taken as it is


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
        noise = 1 / expected + OVERDISPERSION
        whole = noise + sum([each * fact for each, fact in zip(known, facts, strict=True)])
        off = max(-MAX_SURPRISE, min(MAX_SURPRISE, unseen / expected - 1))
        for place, each in enumerate(known):
            self.weights[place] += each / whole * off
            row = self.covariance[place]
            row[:] = [old - each * other / whole for old, other in zip(row, known, strict=True)]
            row[place] += WEIGHT_DRIFT


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
        self._whole_words = array("H")  # of them, those whose answers were read to their ends
        self._totals: dict[int, int] = {}  # of words whose answers were left: records that they have
        self._again: set[int] = set()  # of them, those that wait again
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
            self._whole_words.append(0)  # it would be known if one of them was
            touched.update(values)
        for value in touched:
            if not done[value] and not graph.attributes[graph.attribute_of[value]]:
                self._push(value)

    def end(self, value: int, before: int, whole: int) -> None:
        """Note the end of a query for a word, before which there were so many records; `whole` is 1 if all were shown, else 0."""
        self._queries += 1
        self._again.discard(value)
        for record in self.graph.records_of(value) if value >= 0 else ():
            self._asked_words[record] += record < before and value not in self._totals
            self._whole_words[record] += whole

    def learn(self, offer: WordOffer, known: float, total: int) -> None:
        """Learn how many records a word has, of which so many were known."""
        if offer.facts:
            self.rates.learn(offer.facts, offer.unseen, max(0, total - known))

    def leave(self, value: int, total: int) -> None:
        """Let a word wait again whose answer was left: how many records it has is known now."""
        if value not in self._totals:
            self._totals[value] = total
            self._again.add(value)
            self._push(value)

    def was_left(self, value: int) -> bool:
        """Return True if the answer of a word was left before: it is not left again."""
        return value in self._totals

    def best(self) -> WordOffer | None:
        """Return the word that promises most, as it stands now."""
        heap, offer = self._heap, None
        for _ in range(MAX_LOOKS):
            while heap and self.asked[heap[0][1]] and heap[0][1] not in self._again:
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
        if value in self._totals:
            total = self._totals[value]
            full_pages = -(-total // self.expectation.page_size)
            return WordOffer(value, max(0, total - known) / max(1, full_pages), total - known)
        facts = self.describe_word(value)
        chance = self.expectation.size / max(1, self.graph.record_count) - 1
        unseen = known * chance * self.rates.factor(facts)
        new, pages = self.expectation.predict_shown(self.graph.attribute_of[value], known, unseen)
        return WordOffer(value, new / pages, unseen, facts)

    def describe_word(self, value: int) -> tuple[float, ...]:
        """Return what is known of a word, as numbers: how many records, by how many queries, how easily they were found."""
        records = self.graph.records_of(value)
        looked = records[-MAX_LOOKED_RECORDS:]
        count, never, once, rarity, length = len(looked), 0, 0, 0.0, 0.0
        for record in looked:
            whole = self._whole_words[record]
            never += not whole
            once += whole == 1
            rarity += 1 / self._asked_words[record]
            length += len(self.graph.values_of(record))
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
        )
