"""The value that depends least on what was asked, once popularity brings little (paper 4, Section 3.3)."""

from __future__ import annotations

import math
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final

from dowse.model import Query, Value
from dowse.select.greedy import GreedySelector, RankedValues
from dowse.select.selector import QueryProgress, SelectorParts

# of a page: when popular values bring less, most of what they show are duplicates, which is what the paper calls
# saturated. On movies, vehicles and goodbooks 0.4 and 0.5 take as many requests, with 0.2 nothing is saturated at 95 %.
SATURATED_PAGE_SHARE: Final = 0.5
# requests after which a harvest counts half: long enough for a few large answers; with 200 the end of what hubs bring
# is seen too late to save anything (same databases)
HALF_LIFE_REQUESTS: Final = 100.0
IDLE_HALF_LIFE_REQUESTS: Final = (
    2000.0  # requests after which a harvest counts half though nothing like it was asked since
)
PRIOR_REQUESTS: Final = 10.0  # requests with the usual harvest that are added to what an attribute gave
LEVEL_BITS: Final = 2  # values whose links are of one order of magnitude (a factor of four) are equally popular
DEPENDENCY_STEPS: Final = 1 << 16  # of a rank, for a factor of e in dependency
LEVEL_STEPS: Final = 64 * DEPENDENCY_STEPS  # of a rank, for an order of magnitude
MAX_DEPENDENCY: Final = 63.0  # a dependency is not told from one that is greater
BATCH_QUERIES: Final = 50  # queries between two counts of what limited answers share (the batches of Section 3.3)


@dataclass(slots=True)
class RecentRate:
    """New records and requests of some queries (Definition 2.5), the older the less."""

    new: float = 0.0
    requests: float = 0.0
    since: int = 0  # requests of the whole harvest when something was added last

    def rate(self, now: int, usual: float) -> float:
        """Return new records per request; little evidence, or old one, leaves it near the usual."""
        kept = math.pow(0.5, (now - self.since) / IDLE_HALF_LIFE_REQUESTS)
        return (self.new * kept + PRIOR_REQUESTS * usual) / (self.requests * kept + PRIOR_REQUESTS)

    def add(self, asked: QueryProgress, now: int) -> None:
        """Learn from a query that is over."""
        kept = math.pow(0.5, asked.pages / HALF_LIFE_REQUESTS + (now - self.since) / IDLE_HALF_LIFE_REQUESTS)
        self.new = self.new * kept + asked.new
        self.requests = self.requests * kept + asked.pages
        self.since = now


@dataclass(slots=True)
class MmmiSelector:
    """Asks greedily until that is saturated, then by the least mutual information with what was asked (Definition 3.1).

    Dependencies are compared among values of one attribute: the years that a film may have are less
    dependent on anything than its actors, and that says nothing of what they bring. Which attribute, and whether not
    rather the greatest degree, is decided by what each has brought lately. The paper's own order and switch, without
    attributes and with a size that no crawl knows, are in `bench/paper4/published.py`.
    """

    parts: SelectorParts
    greedy: GreedySelector = field(init=False)
    ranked: dict[int, RankedValues] = field(default_factory=dict)  # of each attribute, its values by independence
    shares: array[float] = field(default_factory=lambda: array("d"))  # of each value, its greatest in an answer
    ranks: array[int] = field(default_factory=lambda: array("Q"))  # of each value, by its attribute's order
    changed: set[int] = field(default_factory=set)  # values whose dependency was not ranked since
    links: RecentRate = field(default_factory=RecentRate)  # of the queries that were chosen by degree
    attributes: dict[int, RecentRate] = field(default_factory=dict)  # of the queries for values of each attribute
    independent: dict[int, RecentRate] = field(default_factory=dict)  # of them, those that were chosen by dependency
    whole: RecentRate = field(default_factory=RecentRate)
    by_links: Query | None = None  # the query under way, if it was chosen by degree
    by_dependency: Query | None = None  # the same, if it was chosen by dependency
    cut: set[int] = field(default_factory=set)  # values that were asked for whose answers were not shown whole
    grown: set[int] = field(default_factory=set)  # of them, those that other queries have shown more records of
    requests: int = 0
    queries: int = 0
    next_batch: int = 0  # queries after which limited answers are looked at again
    saturated: bool = False

    def __post_init__(self) -> None:
        """Begin with what the graph has."""
        self.greedy = GreedySelector(self.parts)

    def seed(self, values: list[Value]) -> None:
        """Add values to begin with."""
        self.greedy.seed(values)

    def choose(self) -> Query | None:
        """Return the least dependent value of the attribute that brings most, or the most popular if that brings more."""
        self.greedy.refresh()
        found = self._pop_independent() if self.saturated else None
        self.by_dependency = None if found is None else self.greedy.candidates.make_query(found)
        self.by_links = self.greedy.choose() if found is None else None
        return self.by_dependency or self.by_links

    def why_abort(self, asked: QueryProgress) -> str:
        """Read every answer to its end."""
        return ""

    def learn(self, asked: QueryProgress) -> None:
        """Note how much of the answer each value is in, and what its attribute has brought."""
        self.greedy.learn(asked)
        self.requests += asked.pages
        self.queries += 1
        self.whole.add(asked, self.requests)
        if asked.query == self.by_links:
            self.links.add(asked, self.requests)
        if asked.value >= 0 and asked.pages:
            attribute = self.parts.graph.attribute_of[asked.value]
            booked = [self.attributes, self.independent] if asked.query == self.by_dependency else [self.attributes]
            for rates in booked:
                rates.setdefault(attribute, RecentRate()).add(asked, self.requests)
            self._note_cut(asked)
            self._note_shares(asked)
        if (
            self.requests >= HALF_LIFE_REQUESTS
            and self._rate(self.links) < SATURATED_PAGE_SHARE * self.parts.interface.page_size
        ):
            self.saturated = True

    def _rate(self, harvest: RecentRate) -> float:
        usual = self.whole.new / self.whole.requests if self.whole.requests else self.parts.interface.page_size
        return harvest.rate(self.requests, usual)

    def _expect_independent(self, attribute: int) -> float:
        """Return what the next query by dependency brings: as those before it, at first as any for that attribute."""
        usual = self._rate(self.attributes[attribute])
        return self.independent.get(attribute, RecentRate()).rate(self.requests, usual)

    def _pop_independent(self) -> int | None:
        """Take out the least dependent value of the best attribute; None when links do better than any."""
        self._rank_changed()
        least = self._rate(self.links)
        for rate, name in sorted(((self._expect_independent(name), name) for name in self.attributes), reverse=True):
            if rate < least:  # with one attribute both begin equal: dependency is tried
                return None
            found = self.ranked[name].pop() if name in self.ranked else None
            if found is not None:
                return found
        return None

    def _note_shares(self, asked: QueryProgress) -> None:
        """Note in which share of an answer each value stands.

        Once is enough where an answer was read to its end: no further record with both values can turn up.
        """
        graph, shares, changed = self.parts.graph, self.shares, self.changed
        self._make_room()
        records = graph.records_of(asked.value)
        beside: Counter[int] = Counter()
        for record in records:
            beside.update(graph.values_of(record))
        for value, together in beside.items():
            share = together / len(records)
            if share > shares[value]:
                shares[value] = share
                changed.add(value)
        for record in asked.fresh:  # the others have the share and the records that they had
            changed.update(value for value in graph.values_of(record) if shares[value])

    def _note_cut(self, asked: QueryProgress) -> None:
        """Note which answers were not shown whole, and which of those before this query has shown more of."""
        whole = asked.done and not asked.overflowed
        if whole and asked.value in self.cut:
            self.cut.remove(asked.value)
            self.grown.add(asked.value)
        if self.cut:
            for record in asked.fresh:
                self.grown.update(self.cut.intersection(self.parts.graph.values_of(record)))
        if not whole:
            self.cut.add(asked.value)

    def _make_room(self) -> None:
        self.shares.frombytes(bytes((self.parts.graph.value_count - len(self.shares)) * self.shares.itemsize))

    def _count_shares(self) -> None:
        """Count the shares again that values have in answers which grew since they were noted."""
        graph, asked = self.parts.graph, self.greedy.candidates.asked
        self._make_room()
        beside = {other for value in self.grown for other in graph.neighbours(value) if not asked[other]}
        for value in beside:
            together = Counter(other for other in graph.neighbours(value) if asked[other])
            self.shares[value] = max(count / graph.count(other) for other, count in together.items())
        self.changed |= beside
        self.grown.clear()

    def _rank_changed(self) -> None:
        """Rank the values whose dependency changed since this was done last: the batches of Section 3.3."""
        if self.grown and self.queries >= self.next_batch:
            self.next_batch = self.queries + BATCH_QUERIES
            self._count_shares()
        candidates, attribute_of = self.greedy.candidates, self.parts.graph.attribute_of
        given, taken = candidates.asked, candidates.askable
        batches: dict[int, list[int]] = {}
        for value in self.changed:
            if not given[value]:
                batches.setdefault(attribute_of[value], []).append(value)
        for attribute, batch in batches.items():
            if taken[attribute]:
                if attribute not in self.ranked:
                    self.ranked[attribute] = RankedValues(candidates.waits, self.ranks)
                self.ranked[attribute].push(self._rank(batch))
        self.changed.clear()

    def _rank(self, values: Iterable[int]) -> Iterator[tuple[int, int]]:
        """Yield values with their ranks: by their popularity roughly, then by their independence."""
        links, count, shares, log = self.parts.graph.links, self.parts.graph.count, self.shares, math.log
        for value in values:
            level = links[value].bit_length() // LEVEL_BITS
            # s = ln(share / P(value)); the number of all records, the same for every value, is left out
            independence = log(count(value) / shares[value])  # never below 0: a share is at most 1
            yield (
                value,
                level * LEVEL_STEPS
                + int(DEPENDENCY_STEPS * (independence if independence < MAX_DEPENDENCY else MAX_DEPENDENCY)),
            )
