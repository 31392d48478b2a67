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

SATURATED_PAGE_SHARE: Final = (
    0.2  # of a page: when new records are fewer, four fifths of what popular values show are known
)
HALF_LIFE_REQUESTS: Final = 200.0  # requests after which a harvest counts half: long enough for a few large answers
IDLE_HALF_LIFE_REQUESTS: Final = (
    2000.0  # requests after which a harvest counts half though nothing like it was asked since
)
PRIOR_REQUESTS: Final = 10.0  # requests with the usual harvest that are added to what an attribute gave
LEVEL_BITS: Final = 2  # values whose links are of one order of magnitude (a factor of four) are equally popular
DEPENDENCY_STEPS: Final = 1 << 16  # of a rank, for a factor of e in dependency
LEVEL_STEPS: Final = 64 * DEPENDENCY_STEPS  # of a rank, for an order of magnitude
MAX_DEPENDENCY: Final = 63.0  # a dependency is not told from one that is greater


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
    rather the greatest degree, is decided by what each has brought lately.
    """

    parts: SelectorParts
    greedy: GreedySelector = field(init=False)
    ranked: dict[int, RankedValues] = field(default_factory=dict)  # of each attribute, its values by independence
    shares: array[float] = field(default_factory=lambda: array("d"))  # of each value, its greatest in an answer
    ranks: array[int] = field(default_factory=lambda: array("Q"))  # of each value, by its attribute's order
    changed: set[int] = field(default_factory=set)  # values whose dependency was not ranked since
    links: RecentRate = field(default_factory=RecentRate)  # of the queries that were chosen by degree
    attributes: dict[int, RecentRate] = field(default_factory=dict)  # of the queries for values of each attribute
    whole: RecentRate = field(default_factory=RecentRate)
    by_links: Query | None = None  # the query under way, if it was chosen by degree
    requests: int = 0
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
        self.by_links = self.greedy.choose() if found is None else None
        return self.by_links if found is None else self.greedy.candidates.make_query(found)

    def why_abort(self, asked: QueryProgress) -> str:
        """Read every answer to its end."""
        return ""

    def learn(self, asked: QueryProgress) -> None:
        """Note how much of the answer each value is in, and what its attribute has brought."""
        self.greedy.learn(asked)
        self.requests += asked.pages
        self.whole.add(asked, self.requests)
        if asked.query == self.by_links:
            self.links.add(asked, self.requests)
        if asked.value >= 0 and asked.pages:
            self.attributes.setdefault(self.parts.graph.attribute_of[asked.value], RecentRate()).add(
                asked, self.requests
            )
            self._note_shares(asked)
        if (
            self.requests >= HALF_LIFE_REQUESTS
            and self._rate(self.links) < SATURATED_PAGE_SHARE * self.parts.interface.page_size
        ):
            self.saturated = True

    def _rate(self, harvest: RecentRate) -> float:
        usual = self.whole.new / self.whole.requests if self.whole.requests else self.parts.interface.page_size
        return harvest.rate(self.requests, usual)

    def _pop_independent(self) -> int | None:
        """Take out the least dependent value of the best attribute; None when links do better than any."""
        self._rank_changed()
        least = self._rate(self.links)
        rates = sorted(((self._rate(each), name) for name, each in self.attributes.items()), reverse=True)
        for rate, name in rates:
            if rate <= least:
                return None
            found = self.ranked[name].pop() if name in self.ranked else None
            if found is not None:
                return found
        return None

    def _note_shares(self, asked: QueryProgress) -> None:
        """Note in which share of an answer each value stands.

        Once is enough: when an answer was read to its end, no further record with both values can turn up.
        """
        graph, shares, changed = self.parts.graph, self.shares, self.changed
        shares.frombytes(bytes((graph.value_count - len(shares)) * shares.itemsize))
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

    def _rank_changed(self) -> None:
        """Rank the values whose dependency changed since this was done last: the batches of Section 3.3."""
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
