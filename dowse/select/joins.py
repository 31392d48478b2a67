"""Several values in one query: what a result cap cut off is asked for in parts."""

from __future__ import annotations

from bisect import insort
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from heapq import heapify, heappop, heappush, nsmallest
from itertools import combinations, islice, product
from typing import Final, NamedTuple

from dowse.model import Query, Value
from dowse.select.expect import Calibration, Expectation, GroupCalibration
from dowse.select.graph import Graph
from dowse.select.selector import Interface, QueryProgress, takes_alone

# -- forms that demand several values with each query: sets of them that records show, then sets that nobody has seen

MAX_SETS_PER_RECORD: Final = 4  # sets that one record shows
MAX_UNSEEN_PARTNERS: Final = 12  # sets that a value is tried in with values that were met before it
MAX_UNSEEN_SETS: Final = 10_000  # sets that nobody has seen
MAX_EMPTY_TRIES: Final = 100  # tries in a row that found nothing: the rest is not tried


@dataclass(slots=True)
class RequiredSets:
    """The sets of values that a form demands."""

    graph: Graph
    interface: Interface
    seen: Counter[tuple[int, ...]] = field(default_factory=Counter)  # harvested records of each set that waits
    empty_tries: int = 0  # tries that found nothing since the last that did
    _values: dict[str, list[int]] = field(default_factory=dict)  # the first that were met of each attribute
    _unseen: deque[tuple[int, ...]] = field(default_factory=deque)
    _met: int = 0  # values that were taken up

    @property
    def several(self) -> bool:
        """Return True if the form demands more than one value."""
        return len(set(self.interface.required)) > 1

    def add(self, records: Iterable[int]) -> Iterator[tuple[tuple[int, ...], int]]:
        """Add records; yield the sets that they show, with the records that have them, each time twice as many do."""
        for record in records:
            for values in islice(self._sets_of(record), MAX_SETS_PER_RECORD):
                self.seen[values] += 1
                if self.seen[values].bit_count() == 1:
                    yield values, self.seen[values]

    def _sets_of(self, record: int) -> Iterator[tuple[int, ...]]:
        found: dict[str, list[int]] = {name: [] for name in self.interface.required}
        for value in self.graph.values_of(record):
            name = self.graph.attributes[self.graph.attribute_of[value]]
            if name in found:
                found[name].append(value)
        return (tuple(sorted(values)) for values in product(*found.values()))

    def try_next(self, given: set[tuple[int, ...]]) -> tuple[int, ...] | None:
        """Return a set that nobody has seen; None when there is none, or too many were tried for nothing."""
        self._add_attributes()
        while self._unseen and self.empty_tries < MAX_EMPTY_TRIES:
            values = self._unseen.popleft()
            if values not in given:
                return values
        return None

    def _add_attributes(self) -> None:
        """Put values that were met since the last time together with those before them."""
        first, self._met = self._met, self.graph.value_count
        for value in range(first, self._met):
            name = self.graph.attributes[self.graph.attribute_of[value]]
            if name not in self.interface.required:
                continue
            others = [self._values.get(other, []) for other in set(self.interface.required) - {name}]
            for values in islice(product(*others), MAX_UNSEEN_PARTNERS):
                if len(self._unseen) < MAX_UNSEEN_SETS:
                    self._unseen.append(tuple(sorted((value, *values))))
            own = self._values.setdefault(name, [])
            if len(own) < MAX_UNSEEN_PARTNERS:
                own.append(value)


# -- queries whose answers were capped, and the values that what they hide is likely to have
#
# The new records that an answer showed are a fair sample of those that it hides: neither were known. Where
# the sample is small, the records that are harvested count as some more. What was never seen beside a value has
# the share of what was seen once (Good and Turing), in parts as large as the values are.

MAX_COUNTED_RECORDS: Final = 200  # harvested records that are looked at to count those with several values
MAX_SAMPLE_RECORDS: Final = 60  # records of an answer that are looked at
HELD_AS_SAMPLE_RECORDS: Final = 5.0  # records of the sample that all harvested ones count for
WORDS_AS_SAMPLE_RECORDS: Final = 20.0  # records of the sample that how often words stand together by chance counts for
MAX_PARTNERS: Final = 40  # of one query
MAX_UNSEEN_VALUES: Final = 12  # values of one attribute that were never seen beside it
CAPPED_FACTOR: Final = 2.0  # times what an answer showed: how long one is that was cut, where nothing else tells
MIN_HIDDEN_RECORDS: Final = 1.0  # records of a part: who hides fewer is not asked for


@dataclass(frozen=True, slots=True)
class CappedQuery:
    """A query whose answer was cut, at the time it was."""

    values: tuple[int, ...]
    hidden: float  # matches that were not harvested
    harvested: float
    fresh: tuple[int, ...]  # new records that its answer showed


@dataclass(slots=True)
class CappedQueries:
    """All queries for one value whose answers were cut, and how others are made from them."""

    graph: Graph
    interface: Interface
    words: bool = False  # a box finds records that have all of its words
    size: float = 0.0  # records of the source, or about
    values: set[int] = field(default_factory=set)  # values
    matches: dict[int, float] = field(default_factory=dict)  # of them, the records that each has
    listed: dict[int, list[int]] = field(default_factory=dict)  # values by attribute that cannot be asked for alone
    _largest: dict[int, list[tuple[float, int]]] = field(
        default_factory=dict
    )  # by attribute: hidden, less than nothing
    _joined: list[bool] = field(default_factory=list)  # of each attribute, whether it can be joined
    _alone: list[bool] = field(default_factory=list)  # of each attribute, whether it can be asked for by itself

    def add(self, values: tuple[int, ...], asked: QueryProgress, known: float) -> CappedQuery:
        """Add a query whose answer was capped; `known` are its records that were harvested before."""
        harvested = known + asked.new
        capped = CappedQuery(
            values,
            max(0.0, count_matches(asked, known) - harvested),
            harvested,
            tuple(asked.fresh[-MAX_SAMPLE_RECORDS:]),
        )
        if len(values) == 1:
            self.values.add(values[0])
            self.matches[values[0]] = harvested + capped.hidden
            largest = self._largest.setdefault(self.graph.attribute_of[values[0]], [])
            insort(largest, (-capped.hidden, values[0]))
            del largest[2 * MAX_UNSEEN_VALUES :]
        return capped

    def find_partners(self, capped: CappedQuery) -> Iterator[tuple[int, float, float]]:
        """Yield values to be joined with a capped query, each with the matches and the harvested records to be expected."""
        if capped.hidden < MIN_HIDDEN_RECORDS:
            return
        self._add_attributes()
        members, step = sample_members(self.graph, capped.values)
        shown, harvested = self._count_values(capped.fresh, capped), self._count_values(members, capped)
        found = self._find_seen(capped, shown, harvested, step)
        if self.interface.joins or self.interface.required:  # words that nobody has seen together are too many
            found += self._find_unseen(capped, shown | harvested)
        found.sort(key=lambda each: each[1] - each[2], reverse=True)
        yield from found[:MAX_PARTNERS]

    def _count_values(self, records: Sequence[int], capped: CappedQuery) -> Counter[int]:
        attribute_of, able = self.graph.attribute_of, self._find_joined(capped.values)
        return Counter(
            value
            for record in records
            for value in self.graph.values_of(record)
            if able[attribute_of[value]] and value not in capped.values
        )

    def _find_joined(self, values: tuple[int, ...]) -> list[bool]:
        """Return for each attribute whether a value of it can be joined with others: words of one box can, with words."""
        attributes, attribute_of = self.graph.attributes, self.graph.attribute_of
        own = {attributes[attribute_of[value]] for value in values}
        if self.interface.joins or self.interface.required:
            able = [joined and name not in own for joined, name in zip(self._joined, attributes, strict=True)]
        else:
            able = [False] * len(attributes)
        if self.words and own == {""} and all(" " not in self.graph.texts[value] for value in values):
            able[attributes.index("")] = True
        return able

    def _find_seen(
        self, capped: CappedQuery, shown: Counter[int], harvested: Counter[int], step: float
    ) -> list[tuple[int, float, float]]:
        sample, most = len(capped.fresh), max(1.0, capped.harvested)
        found = []
        for value, count in harvested.items():
            if value in self.values or not self._alone[self.graph.attribute_of[value]]:
                known = count * step
                if not self.graph.attributes[self.graph.attribute_of[value]]:
                    # two words: what was harvested came through them, and has both too often
                    by_chance = self.matches.get(value, 0.0) / max(1.0, self.size)
                    share = (shown[value] + WORDS_AS_SAMPLE_RECORDS * by_chance) / (sample + WORDS_AS_SAMPLE_RECORDS)
                    found.append((value, max(known, (capped.hidden + capped.harvested) * share), known))
                    continue
                share = (shown[value] + HELD_AS_SAMPLE_RECORDS * min(1.0, known / most)) / (
                    sample + HELD_AS_SAMPLE_RECORDS
                )
                found.append((value, known + capped.hidden * share, known))
        return found

    def _find_unseen(self, capped: CappedQuery, seen: Counter[int]) -> list[tuple[int, float, float]]:
        """Share out what the sample lets expect of values that it does not have."""
        found = []
        for attribute, able in enumerate(self._find_joined(capped.values)):
            if not able:
                continue
            largest = [(value, 1.0 - hidden) for hidden, value in self._largest.get(attribute, ()) if value not in seen]
            listed = [(value, 1.0) for value in self.listed.get(attribute, ()) if value not in seen]
            others = (largest + listed)[:MAX_UNSEEN_VALUES]
            weight = sum(size for _, size in others)
            once = sum(count == 1 for value, count in seen.items() if self.graph.attribute_of[value] == attribute)
            all_seen = sum(count for value, count in seen.items() if self.graph.attribute_of[value] == attribute)
            share = (once + 0.5) / (all_seen + 1)
            found += [(value, capped.hidden * share * size / weight, 0.0) for value, size in others]
        return [each for each in found if each[1] >= MIN_HIDDEN_RECORDS]

    def _add_attributes(self) -> None:
        # choices of attributes that cannot be asked for alone: nobody has asked for them, and nobody will
        for name, texts in () if self._joined else self.interface.choices:
            if texts and not takes_alone(self.interface, name):
                numbers = [self.graph.number(Value(name, text)) for text in texts[:MAX_UNSEEN_VALUES]]
                self.listed[self.graph.attribute_of[numbers[0]]] = numbers
        for name in self.graph.attributes[len(self._joined) :]:
            self._joined.append(self.interface.takes(name))
            self._alone.append(takes_alone(self.interface, name))


def count_matches(asked: QueryProgress, known: float) -> float:
    """Return how many records match, as the answer says; else by those on it that were known before."""
    if asked.total is not None:
        return float(asked.total)
    again = max(0, asked.records - asked.new)
    return max(CAPPED_FACTOR * asked.records, (known + 1) * (asked.records + 1) / (again + 1) - 1)  # Chapman 1951


def sample_members(graph: Graph, values: tuple[int, ...]) -> tuple[list[int], float]:
    """Return some of the harvested records that have all values, and how many each of them stands for."""
    rarest = min(values, key=graph.count)
    records = graph.records_of(rarest)
    step = max(1, -(-len(records) // MAX_COUNTED_RECORDS))
    looked = records[::step]
    wanted = set(values)
    found = [record for record in looked if wanted.issubset(graph.values_of(record))]
    return found, len(records) / max(1, len(looked))


def count_members(graph: Graph, values: tuple[int, ...]) -> float:
    """Count the harvested records that have all values; where there are many, by a sample."""
    found, step = sample_members(graph, values)
    return len(found) * step


# -- several values in one query: what of an answer the limit cut off is asked for in parts
#
# A query whose answer was capped states how many records it hides, and what it showed
# says which values they are likely to have. Joins wait in heaps, one for each set of attributes and order of
# magnitude; for each heap it is learned how far what came was from what was predicted.

MAX_JOINED_VALUES: Final = 4  # values in one query
PRIOR_QUERIES: Final = 4.0  # queries whose new records are taken to have been predicted rightly, before any were
MAX_ACTUAL_FACTOR: Final = 3.0  # times what was predicted: more is luck
MIN_JOIN_RATE: Final = 0.1  # new records for a request: a join that promises fewer is not asked for
PRIOR_FIRST_SHARE: Final = (
    0.7  # of known records are shown first, before it is known in which order a source shows them
)
PRIOR_FIRST_RECORDS: Final = 20.0  # known records that this counts for
MIN_STEADY_SHARE: Final = 0.9  # of what it promised when it was last looked at: a join that does still is taken
MAX_JOIN_LOOKS: Final = 20  # looks until the best is taken as it is
MAX_NOT_BOTH: Final = (
    5  # records without one of the words that were asked for, before a box is believed not to want all of them
)
MAX_WAITING_JOINS: Final = 20_000  # joins in one heap; half of them go when there are more


class JoinGroup(NamedTuple):
    """Joins of the same attributes that promise about as many new records."""

    attributes: tuple[int, ...]
    level: int


class Join(NamedTuple):
    """Values that can be asked for together, the best first in a heap."""

    loss: float  # the new records for a request that it promises, less than nothing for the order of the heap
    values: tuple[int, ...]
    matches: float  # predicted
    known: float  # of them
    new: float = 0.0  # records to come, as it was looked at last
    rate: float = 0.0  # new records for a request, as experience corrects it


@dataclass(slots=True)
class Joins:
    """The queries for several values that wait, and what they promise."""

    graph: Graph
    interface: Interface
    expectation: Expectation
    capped: CappedQueries = field(init=False)
    required: RequiredSets = field(init=False)
    asked_sets: set[tuple[int, ...]] = field(default_factory=set)
    whole: set[tuple[int, ...]] = field(default_factory=set)  # values whose records are all known
    _heaps: dict[JoinGroup, list[Join]] = field(default_factory=dict)
    _promises: dict[JoinGroup, float] = field(
        default_factory=dict
    )  # new records for a request of the first of each heap
    _stale: set[JoinGroup] = field(default_factory=set)  # groups whose promise has to be worked out again
    _calibration: GroupCalibration = field(default_factory=lambda: GroupCalibration(PRIOR_QUERIES))
    _both: int = 0  # records that queries for several words brought, with all of them
    _not_both: int = 0  # without, and such queries that missed what is known
    _limit: int = 0  # records that are shown at most
    _first_known: Calibration = field(default_factory=Calibration)  # of known ones, shown beyond what chance would show

    def __post_init__(self) -> None:
        """Begin with nothing cut off."""
        self.capped = CappedQueries(self.graph, self.interface, words=self.interface.keyword)
        self.required = RequiredSets(self.graph, self.interface)
        self._limit = self.interface.limit

    @property
    def possible(self) -> bool:
        """Return True if the form takes several values at once, or a box several words."""
        return self.interface.joins or bool(self.interface.required) or self.capped.words

    def note(self, values: tuple[int, ...], asked: QueryProgress, known: float) -> None:
        """Learn from the end of a query: its values are done with, or its answer was cut and its parts are wanted."""
        if not values or asked.failed:
            return
        self.asked_sets.add(values)
        if asked.done and not asked.overflowed:
            self.whole.add(values)
            return
        limit = asked.limit or self.interface.limit
        if asked.overflowed or (limit and asked.total and asked.total > limit):
            self._limit = asked.limit or self._limit or asked.records
            self.capped.size = self.expectation.size
            capped = self.capped.add(values, asked, known)
            partners = self.capped.find_partners(capped) if len(values) < MAX_JOINED_VALUES else ()
            for partner, matches, harvested in partners:
                joined = tuple(sorted((*values, partner)))
                if joined not in self.asked_sets and not any(part in self.whole for part in _parts(joined)):
                    self.add(joined, matches, harvested)

    def add_records(self, records: Sequence[int]) -> None:
        """Let the sets of values wait that new records show, where the form demands several."""
        if not self.required.several:
            return
        unseen = self.expectation.size / max(1, self.graph.record_count) - 1
        for values, known in self.required.add(records):
            if values not in self.asked_sets:
                self.add(values, known * (1 + unseen), known)

    def try_next(self) -> Join | None:
        """Return values that nobody has seen together, where the form demands several: the last resort."""
        values = self.required.try_next(self.asked_sets) if self.required.several else None
        return None if values is None else Join(0.0, values, 1.0, 0.0, new=1.0)

    def add(self, values: tuple[int, ...], matches: float, known: float) -> None:
        """Let a join wait."""
        new, pages = self._predict(matches, known)
        group = self._group(values, new)
        heap = self._heaps.setdefault(group, [])
        heappush(heap, Join(-new / pages, values, matches, known))
        self._stale.add(group)
        if len(heap) > MAX_WAITING_JOINS:
            heap[:] = nsmallest(MAX_WAITING_JOINS // 2, heap)
            heapify(heap)

    def _group(self, values: tuple[int, ...], new: float) -> JoinGroup:
        attributes = sorted(self.graph.attribute_of[value] for value in values)
        return JoinGroup(tuple(attributes), int(max(0.0, new) + 1).bit_length())

    def _predict(self, matches: float, known: float) -> tuple[float, float]:
        """Return the new records and the requests of a join, before experience corrects it."""
        matches = max(matches, known)
        if self._limit and matches > self._limit:
            by_chance, at_most = self._known_among_shown(matches, known)
            first = min(1.0, self._first_known.factor(PRIOR_FIRST_SHARE, PRIOR_FIRST_RECORDS))
            shown = self._limit - by_chance - first * (at_most - by_chance)
            return max(0.0, shown), float(-(-self._limit // self.expectation.page_size))
        known = max(known, 0.01)
        return self.expectation.predict_new(known, max(0.0, matches - known) / known)

    def _known_among_shown(self, matches: float, known: float) -> tuple[float, float]:
        """Return how many of the records that an answer shows before it is cut are known: by chance, and at most."""
        return self._limit * known / matches, min(known, self._limit)

    def best(self) -> Join | None:
        """Return the join that promises most, as it stands now."""
        for _ in range(MAX_JOIN_LOOKS):
            group = self._find_group()
            if group is None:
                return None
            join = self._heaps[group][0]
            known = count_members(self.graph, join.values)
            new, pages = self._predict(join.matches, known)
            self._stale.add(group)
            if new / pages >= MIN_STEADY_SHARE * -join.loss:
                return join._replace(known=known, new=new, rate=new / pages * self._calibration.factor(group))
            heappop(self._heaps[group])
            self.add(join.values, join.matches, known)
        return None

    def _find_group(self) -> JoinGroup | None:
        """Return the group whose first join promises most, if that is enough."""
        for group in self._stale:
            join = self._top(group)
            if join is None:
                self._heaps.pop(group, None)
                self._promises.pop(group, None)
            else:
                self._promises[group] = -join.loss * self._calibration.factor(group)
        self._stale.clear()
        best = max(self._promises, key=self._promises.__getitem__, default=None)
        return best if best is not None and self._promises[best] >= MIN_JOIN_RATE else None

    def _top(self, group: JoinGroup) -> Join | None:
        """Return the first join of a group; what was asked for meanwhile, or is known whole, is dropped."""
        heap = self._heaps.get(group, [])
        while heap:
            if heap[0].values not in self.asked_sets and not any(part in self.whole for part in _parts(heap[0].values)):
                return heap[0]
            heappop(heap)
        return None

    def make_query(self, join: Join) -> Query:
        """Return the query of a join, which is not asked for again."""
        self.asked_sets.add(join.values)
        return self.query(join.values)

    def query(self, values: tuple[int, ...]) -> Query:
        """Return the query for values, always in the same order; words go into one box."""
        found = sorted(map(self.graph.value, values))
        words = [value.text for value in found if not value.attribute]
        others = [value for value in found if value.attribute]
        return Query((*([Value("", " ".join(words))] if words else []), *others))

    def learn(self, join: Join, asked: QueryProgress) -> None:
        """Compare what came of a join with what was predicted."""
        if asked.failed:
            return
        self.required.empty_tries = 0 if asked.records else self.required.empty_tries + 1
        self._learn_words(join, asked)
        # whether a source shows first what it showed before: most have one order for all answers
        if self._limit and asked.total and asked.total > self._limit and asked.records >= self._limit:
            by_chance, at_most = self._known_among_shown(asked.total, join.known)
            again = asked.records - asked.new
            self._first_known.add(max(0.0, at_most - by_chance), again - by_chance)
        pages = self._predict(join.matches, join.known)[1]
        came = asked.new if asked.done else asked.new / asked.pages * pages
        group = self._group(join.values, join.new)
        self._calibration.add(group, 1.0, min(MAX_ACTUAL_FACTOR, came / max(join.new, 0.01)))
        self._stale.update(each for each in self._heaps if each.attributes == group.attributes)

    def _learn_words(self, join: Join, asked: QueryProgress) -> None:
        """Learn whether a box finds records that have all of its words, and not those with any, or with the words side by side."""
        if len(join.values) < 2 or any(self.graph.attributes[self.graph.attribute_of[each]] for each in join.values):
            return
        wanted = set(join.values)
        having = sum(wanted.issubset(self.graph.values_of(record)) for record in asked.fresh)
        self._both += having
        self._not_both += len(asked.fresh) - having
        self._not_both += bool(not asked.records and join.known >= 1)  # records have both, and none was found
        least = min(self.capped.matches.get(value, float(asked.total or 0)) for value in wanted)
        self._not_both += (asked.total or 0) > least  # more than have the rarer word
        if self._not_both > max(MAX_NOT_BOTH, self._both):
            self.capped.words = False
            for group in [
                each for each in self._heaps if not any(self.graph.attributes[one] for one in each.attributes)
            ]:
                del self._heaps[group]
                self._stale.add(group)

    def find(self, query: Query) -> tuple[int, ...]:
        """Return the values of a query by their numbers; nothing where one was never met or a range is asked for."""
        numbers = [self.graph.find(Value(*value)) for value in query.values]
        if query.ranges or None in numbers:
            return ()
        return tuple(sorted(number for number in numbers if number is not None))


def _parts(values: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Yield all that a join is made of: who knows all records of one of these knows those of the join."""
    for size in range(1, len(values)):
        yield from combinations(values, size)
