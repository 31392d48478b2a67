"""Random drill-downs through the choices of a form: how many records there are where no answer counts them.

HD-UNBIASED (Dasgupta, Jin, Jewell, Zhang and Das, SIGMOD 2010): a walk chooses a value of one field, and of one more
field for as long as the answer is too long to be read to its end. What a walk found that was not harvested, divided by the chance
of its way, is on average all that is not harvested, whatever was asked before and however unequal the choices are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator, Iterable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Final, Protocol

from dowse.model import Query, Value
from dowse.yields.capture import RecordIndex
from dowse.yields.size import DrillEvidence

MAX_LEAF_PAGES: Final = 3  # of an answer that are read before one more field is chosen: a choice costs a request, too
MAX_LAST_LEAF_PAGES: Final = 8  # the same where there is no further field: a longer answer is cut, and a lower bound
USUAL_AS_RECORDS: Final = 5.0  # records of a path that count for how often each value stands in all harvested ones
MAX_BACKTRACKS: Final = 3  # choices after an empty one that are tried before a walk ends with nothing
MIN_HAVING_SHARE: Final = 0.9  # of the harvested records have a value of a field: others are not in its choices
MIN_UNMET_CHANCE: Final = 0.05  # that a choice is taken that no harvested record has: or what lies there is never found
MAX_UNMET_CHANCE: Final = 0.5
MAX_WRONG_SHARE: Final = 0.5  # of the records of an answer that show another value than was chosen
MAX_FOUND_TWICE: Final = (
    2  # records under two choices of one field: more, and its choices overlap (a category within another)
)
MAX_LOOKED_RECORDS: Final = (
    300  # harvested records that are looked at for one with a value of a field: an error of 0.02
)
MAX_FREE_WALKS: Final = 20  # walks in a row that needed no request: what they could find is known

Path = tuple[Value, ...]


class ChoiceIndex(RecordIndex, Protocol):
    """Harvested records, found by the values that they have."""

    @property
    def record_count(self) -> int:
        """How many there are."""

    @property
    def texts(self) -> Sequence[str]:
        """Of each value, how it is written."""

    def find(self, value: Value) -> int | None:
        """Return the number of a value that was met, or None."""

    def records_of(self, value: int) -> Sequence[int]:
        """Return the records that have a value."""


@dataclass(frozen=True, slots=True)
class NodeAnswer:
    """What a query of a walk brought, once it is over."""

    numbers: tuple[int, ...] = ()  # of the records that it showed, in the order they were harvested in
    ended: bool = False  # they are all that match
    failed: bool = False


@dataclass(frozen=True, slots=True)
class DrillWalk:
    """A walk that is over."""

    path: Path
    chance: float
    unseen: float  # records that were not harvested, by what it found
    harvested: int  # records, before it
    is_cut: bool = False  # its last answer goes on
    is_blind: bool = False  # it began with one of many choices that nobody has met: they may be of any size


@dataclass(slots=True)
class DrillDown:
    """Walks through the choices of a form, one query at a time."""

    holdings: ChoiceIndex
    choices: tuple[tuple[str, tuple[str, ...]], ...]
    page_size: int
    rng: Random
    is_whole: Callable[[int], bool]  # all records with a value are harvested
    walks: list[DrillWalk] = field(default_factory=list)
    refused: dict[str, str] = field(default_factory=dict)  # fields that are not used, and why
    is_last: bool = False  # the answer under way is read to its end, for no field is left
    _empty: set[Path] = field(default_factory=set)
    _known_full: set[Path] = field(default_factory=set)  # paths that have records, though none is harvested
    _under: dict[str, dict[int, str]] = field(default_factory=dict)  # of each field: the choice that a record came with
    _twice: Counter[str] = field(default_factory=Counter)  # of each field: records that came with two
    _steps: Generator[Query, NodeAnswer, None] | None = None
    _query: Query | None = None
    _is_blind: bool = (
        False  # the last step took a choice that nobody has met, of a field whose choices are read one by one
    )

    def choose(self) -> Query | None:
        """Return the next query of the walk under way, or the first of a new one; None where no walk says anything."""
        for _ in range(MAX_FREE_WALKS):
            if self._query is not None:
                return self._query
            if not self._list_fields(()):
                return None
            self._steps = self._walk()
            self._query = next(self._steps, None)
        return self._query

    def is_asking(self, query: Query) -> bool:
        """Return True if a query is the one that a walk waits for."""
        return self._query == query

    @property
    def is_walking(self) -> bool:
        """Return True if a walk was begun that is not over."""
        return self._query is not None

    def is_enough(self, pages: int) -> bool:
        """Return True if no further page of the answer under way is read."""
        return pages >= (MAX_LAST_LEAF_PAGES if self.is_last else MAX_LEAF_PAGES)

    def learn(self, answer: NodeAnswer) -> None:
        """Go on with what the query under way brought."""
        assert self._steps is not None
        try:
            self._query = self._steps.send(answer)
        except StopIteration:
            self._query = None

    def note(self, query: Query, numbers: Iterable[int]) -> None:
        """Note which records came with which choices, whoever asked for them: choices that share records are no parts."""
        for name, text in query.values:
            if name not in dict(self.choices):
                continue
            under = self._under.setdefault(name, {})
            for number in numbers:
                before = under.setdefault(number, text)
                self._twice[name] += before != text and len(self._values(number, name)) < 2
            if self._twice[name] > MAX_FOUND_TWICE:
                self.refused.setdefault(name, "its choices share records")

    def evidence(self) -> DrillEvidence | None:
        """Return what the walks say whose fields are still believed; None where there are none."""
        used = [walk for walk in self.walks if not any(name in self.refused for name, _ in walk.path)]
        if not used:
            return None
        draws = tuple((walk.harvested + walk.unseen, float(walk.harvested)) for walk in used)
        lacking = 1 - min(self._having(walk.path) for walk in used)
        blind = sum(walk.is_blind for walk in used) / len(used)
        return DrillEvidence(draws, sum(walk.is_cut for walk in used), lacking, blind)

    # -- one walk

    def _walk(self) -> Generator[Query, NodeAnswer, None]:
        """Choose a value of one field more until an answer ends, or its records are known; yield what has to be asked."""
        path: Path = ()
        is_blind, chance, harvested = (
            False,
            1.0,
            self.holdings.record_count,
        )  # what the walk itself brings was not harvested
        while fields := self._list_fields(path):
            name, texts = fields[0]
            self.is_last = len(fields) == 1
            step = yield from self._take_step(path, [Value(name, text) for text in texts])
            is_blind = is_blind or (not path and self._is_blind)
            if step is None:  # nothing that is not harvested lies there
                self.walks.append(DrillWalk(path, chance, 0.0, harvested, is_blind=is_blind))
                return
            value, share, answer = step
            path, chance = (*path, value), chance * share
            if answer.failed:
                return
            if answer.ended or (self.is_last and answer.numbers):
                fresh = {number for number in answer.numbers if number >= harvested}
                unseen = sum(self._weigh(number, path) for number in fresh) / chance / self._having(path)
                self.walks.append(DrillWalk(path, chance, unseen, harvested, not answer.ended, is_blind))
                return

    def _take_step(
        self, path: Path, values: list[Value]
    ) -> Generator[Query, NodeAnswer, tuple[Value, float, NodeAnswer] | None]:
        """Choose one of the values that may lead to records which are not harvested; return it with its chance and its answer.

        A value is chosen by how many records of the path have it, as far as they are harvested: then what a walk finds, divided by
        its chance, hardly depends on its way.
        """
        name = values[0].attribute
        met, usual = self._count_met(path, name), self._count_met((), name)
        able = [value for value in values if (*path, value) not in self._empty and not self._is_whole(value)]
        whole = max(1, sum(usual[value.text] for value in able))
        known = [value for value in able if met[value.text]]
        unmet = [value for value in able if not met[value.text]]
        weights = [met[value.text] + USUAL_AS_RECORDS * usual[value.text] / whole for value in known]
        is_asked = not path and self._share_whole((name, tuple(value.text for value in values))) > 0
        self._is_blind = False
        other = self._unmet_chance([met[value.text] for value in known], len(unmet), is_asked=is_asked)
        if known and self.rng.random() >= other:
            place = self.rng.choices(range(len(known)), weights)[0]
            answer = yield from self._ask((*path, known[place]), met[known[place].text])
            return known[place], (1 - other) * weights[place] / sum(weights), answer
        if not unmet:
            return None
        self._is_blind = is_asked
        return (yield from self._take_unmet(path, [(value, usual[value.text] + 1.0) for value in unmet], other))

    def _take_unmet(
        self, path: Path, unmet: list[tuple[Value, float]], chance: float
    ) -> Generator[Query, NodeAnswer, tuple[Value, float, NodeAnswer] | None]:
        """Choose a value that no harvested record has; after an empty one the next is taken, and its chance is the greater.

        So a value is reached from each of the empty ones before it, as far back as a walk goes on: they are asked for, too.
        """
        count, weights = len(unmet), [weight for _, weight in unmet]
        first = self.rng.choices(range(count), weights)[0]
        for passed in range(min(MAX_BACKTRACKS + 1, count)):
            value, _ = unmet[(first + passed) % count]
            answer = yield from self._ask((*path, value), 0)
            if answer.failed or answer.numbers:
                break
        else:
            return None
        ways = range(passed, passed - min(MAX_BACKTRACKS + 1, count), -1)
        weight = 0.0
        for back in ways:  # the value itself, and the empty ones before it
            before = (*path, unmet[(first + back) % count][0])
            if back != passed and not (yield from self._is_empty(before)):
                break
            weight += weights[(first + back) % count]
        return value, chance * weight / sum(weights), answer

    def _is_empty(self, path: Path) -> Generator[Query, NodeAnswer, bool]:
        """Return True if a path has no records; ask where that is not known."""
        if path not in self._empty and path not in self._known_full:
            is_last, self.is_last = self.is_last, False
            self._note_node(path, (yield Query(path)))
            self.is_last = is_last
        return path in self._empty

    def _ask(self, path: Path, met: int) -> Generator[Query, NodeAnswer, NodeAnswer]:
        """Return what a path leads to; one of which too much is harvested is too long without being asked."""
        if not self.is_last and met > MAX_LEAF_PAGES * self.page_size:
            return NodeAnswer()
        answer = yield Query(path)
        self._note_node(path, answer)
        return answer

    def _note_node(self, path: Path, answer: NodeAnswer) -> None:
        """Remember whether a path has records, and check that those that came have what was chosen."""
        if answer.failed:
            return
        if not answer.numbers:
            self._empty.add(path)
            return
        self._known_full.add(path)
        for name, text in path:
            shown = [self._values(number, name) for number in answer.numbers]
            wrong = sum(bool(texts) and text not in texts for texts in shown)
            if wrong > MAX_WRONG_SHARE * len(shown):
                self.refused.setdefault(name, "records show other values than were chosen")

    # -- what is harvested of a path

    def _list_fields(self, path: Path) -> list[tuple[str, tuple[str, ...]]]:
        """Return the fields that can be chosen from after a path, those first that were hardly asked for, then those with few choices."""
        taken = {name for name, _ in path}
        able = [
            each for each in self.choices if each[0] not in taken and each[0] not in self.refused and len(each[1]) > 1
        ]
        able = [each for each in able if self._share_having(each[0]) >= MIN_HAVING_SHARE]
        return sorted(able, key=lambda each: (self._share_whole(each), len(each[1]), each[0]))

    def _share_whole(self, choices: tuple[str, tuple[str, ...]]) -> float:
        """Return the share of the harvested records whose value of a field was asked for: what is left of it is not like them."""
        name, texts = choices
        met = self._count_met((), name)
        whole = sum(met[text] for text in texts if met[text] and self._is_whole(Value(name, text)))
        return round(whole / max(1, sum(met.values())), 1)

    def _share_having(self, name: str) -> float:
        """Return the share of the harvested records that show a value of a field; all, where none of them does."""
        attributes = self.holdings.attributes
        if name not in attributes or not self.holdings.record_count:
            return 1.0
        place, attribute_of = list(attributes).index(name), self.holdings.attribute_of
        count = self.holdings.record_count
        shares = []
        for first in (0, count * 3 // 4):  # what is left to be harvested is like what came lately
            looked = range(first, count, max(1, (count - first) // MAX_LOOKED_RECORDS))
            having = sum(
                any(attribute_of[value] == place for value in self.holdings.values_of(each)) for each in looked
            )
            shares.append(having / len(looked))
        return min(shares) if any(shares) else 1.0

    def _having(self, path: Path) -> float:
        return min((self._share_having(name) for name, _ in path), default=1.0)

    def _values(self, record: int, name: str) -> list[str]:
        """Return the texts that a record has of an attribute."""
        holdings = self.holdings
        return [
            holdings.texts[value]
            for value in holdings.values_of(record)
            if holdings.attributes[holdings.attribute_of[value]] == name
        ]

    def _weigh(self, record: int, path: Path) -> float:
        """Return what a record counts for: one with several values of a field is found by each of them."""
        weight = 1.0
        for name, _ in path:
            weight /= max(1, len(self._values(record, name)))
        return weight

    def _is_whole(self, value: Value) -> bool:
        number = self.holdings.find(value)
        return number is not None and self.is_whole(number)

    def _count_met(self, path: Path, name: str) -> Counter[str]:
        """Count the harvested records of a path by their values of a field."""
        holdings = self.holdings
        if name not in holdings.attributes:
            return Counter()
        if not path:
            found = ((text, holdings.find(Value(name, text))) for text in dict(self.choices)[name])
            return Counter({text: len(holdings.records_of(number)) for text, number in found if number is not None})
        numbers = [holdings.find(value) for value in path]
        lists = [holdings.records_of(number) for number in numbers if number is not None]
        if len(lists) < len(path):
            return Counter()
        rarest = min(lists, key=len)
        others = [set(each) for each in lists if each is not rarest]
        held = [record for record in rarest if all(record in each for each in others)]
        return Counter(text for record in held for text in self._values(record, name))

    def _unmet_chance(self, weights: Sequence[float], unmet: int, *, is_asked: bool) -> float:
        """Return the chance with which a value is chosen that no harvested record has: as often as values were met once (Good and Turing)."""
        if not unmet:
            return 0.0
        if not weights:
            return 1.0
        once = sum(weight == 1 for weight in weights)
        share = (once + 0.5) / (sum(weights) + 1)
        if is_asked:  # what was harvested is no sample of the whole: its choices were read one after the other
            share = max(share, MAX_UNMET_CHANCE * unmet / (unmet + len(weights)))
        return min(MAX_UNMET_CHANCE, max(MIN_UNMET_CHANCE, share))
