"""Before the first query: a door is opened, and a few trial queries show how its answers are to be read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any

from dowse.fetch import Fetch
from dowse.form.fill import judge_asking
from dowse.harvester.checks import doubt_opening
from dowse.harvester.door import GET_OR_POST, Source
from dowse.harvester.interface import first_queries, nothing_query, open_interface
from dowse.harvester.matching import Matching
from dowse.harvester.reader import Reader, counted, why_no_answer
from dowse.model import Door, Failure, Page, Query, Record, Value, Verdict
from dowse.records.compare import find_common
from dowse.records.wrapper import Wrapper
from dowse.step.ask import Heard
from dowse.step.visit import offload
from dowse.store.harvests import read_query, write_query

MOST_TRIES = 14  # queries to find out how a door answers
MOST_TRIED_BYTES = 6 * 1024 * 1024  # of all answers together: each is read again with every further one
REFUSALS = 3  # of them without an answer, and none with records, after which a door is left alone
ENOUGH = 2  # of them that brought several records, and not the same
LONG_ENOUGH = 8  # requests after which one such answer must do
SEVERAL = 3  # records of one answer: fewer may be something else that stands there
MOST_ON_PAGE = 100_000  # records, where a page does not say how many there are
LEAST_WORD = 4  # letters of a word that is asked for
MOST_LEARNED = 3  # answers that the wrapper is made from, beside the empty one
MOST_TRIALS = 6  # queries to find out which box asks for which attribute
TRIALS_BESIDE_WORDS = 2  # the same where a box for any words can be asked for everything
GET = frozenset({"GET"})


@dataclass(frozen=True, slots=True)
class Prepared:
    """A door that is ready to be drawn from."""

    source: Source
    matching: Matching
    given: tuple[Value, ...] = ()
    seeds: tuple[Query, ...] = ()  # queries that brought records
    learned: dict[str, Any] = field(
        default_factory=dict
    )  # plain data: how answers are read, which attribute asks for which


def judge_door(door: Door, post: bool) -> Verdict:
    """Say whether a door may be drawn from."""
    allowed = judge_asking(door, GET_OR_POST if post else GET)
    if not allowed.yes and "POST" in allowed.reason:
        return Verdict(False, f"{allowed.reason}; --post allows it")
    return allowed


async def prepare(
    door: Door, page: Page | None, fetch: Fetch, given: Sequence[Value], *, post: bool = False, learned: dict[str, Any] | None = None
) -> Prepared | Verdict:  # fmt: skip
    """Ask a door a few questions, and learn from the answers how they are read; what was learned before is not asked for again."""
    opening = open_interface(door)
    source = Source(door, opening, fetch, Reader(), GET_OR_POST if post else GET)
    if learned:
        return _recall(source, given, learned)
    ear = _Ear(source)
    await ear.listen(first_queries(given, opening, door, page), nothing_query(opening, door))
    if not ear.hits():
        source.reader.why_not = ear.refused or source.reader.why_not
        return Verdict(False, _why_nothing(source, ear.cost))
    prepared = await offload(ear.large, _learn, source, given, ear)
    if not prepared.seeds:
        return Verdict(False, _why_nothing(source, ear.cost))
    return await _try_boxes(prepared, ear)


def _recall(source: Source, given: Sequence[Value], learned: dict[str, Any]) -> Prepared:
    """Open a door that was drawn from before."""
    if learned.get("wrapper"):
        source.reader.wrapper = Wrapper.from_dict(learned["wrapper"])
    interface = replace(
        source.opening.interface, **{name: learned[name] for name in ("page_size", "limit", "blank") if name in learned}
    )
    source.opening = replace(source.opening, interface=interface)
    first = tuple(read_query(text) for text in learned.get("first", ()))
    return Prepared(source, Matching(interface, dict(learned.get("asks", {}))), tuple(given), first, learned)


@dataclass(slots=True)
class _Tried:
    """A query that was tried, and what was heard."""

    query: Query
    heard: Heard
    records: int = 0
    shown: tuple[tuple[Value, ...], ...] = ()  # the values of its records, to tell an answer from another

    def take(self, records: Sequence[Record], most: int = MOST_ON_PAGE) -> None:
        """Take records as those of this answer; where it counts fewer, they are rather parts of them."""
        self.records = min(len(records), most)
        self.shown = tuple(record.values for record in records)


@dataclass(slots=True)
class _Ear:
    """What was heard from a door so far; records count only as long as the wrapper that all answers make finds them."""

    source: Source
    tried: list[_Tried] = field(default_factory=list)
    frame: Heard | None = None  # the answer to a query that finds nothing
    cost: int = 0
    failures: int = 0
    refused: str = ""  # why the door does not answer

    async def listen(self, queries: Iterable[Query], nothing: Query | None) -> None:
        """Ask until enough queries brought different records; one for nothing shows the frame of an answer."""
        empty = await self.source.listen(nothing, 0) if nothing else None
        if isinstance(empty, Heard):
            self.cost += empty.requests
            self.frame = empty
            self.source.reader.add_frame(empty)
        for query in islice(self._with_words_of_records(queries), MOST_TRIES):
            await self.hear(query)
            if await offload(self.large, self._is_done):
                return

    @property
    def large(self) -> bool:
        """Whether an answer is so large that they are read beside the event loop."""
        return any(each.heard.large for each in self.tried)

    def _is_done(self) -> bool:
        """Read what came back so far; say whether that is enough, or nothing more will come."""
        self._weigh()
        read = sum(len(each.heard.response.body) for each in self.tried)
        return self._hears_enough() or self._hears_something_late() or self._is_shut() or read > MOST_TRIED_BYTES

    def _is_shut(self) -> bool:
        """Whether the door has refused to answer often enough, in earnest."""
        heard = [why_no_answer(each.heard) for each in self.tried if not each.records]
        self.refused = next(filter(None, heard), self.refused)
        return not self.hits() and (len([why for why in heard if why]) >= REFUSALS or self.failures >= REFUSALS)

    def _with_words_of_records(self, queries: Iterable[Query]) -> Iterator[Query]:
        """Yield queries, and once there are records, a few words that several of them have: these bring others."""
        for query in queries:
            yield query
            said = self._say_common()
            if said is not None and sum(each.records >= SEVERAL for each in self.tried) <= ENOUGH:
                yield said

    def _say_common(self) -> Query | None:
        """Return a word that many records of the last good answer have, for the box that is for any words, or brought it."""
        good = next((each for each in reversed(self.tried) if each.records >= SEVERAL), None)
        if good is None:
            return None
        boxes = ["", *(value.attribute for value in good.query.values)]
        box = next((name for name in boxes if name in self.source.opening.boxes), None)
        asked = [value.text for each in self.tried for value in each.query.values]
        common = find_common([" ".join(value.text for value in values) for values in good.shown], asked)
        word = next((word for word in common if len(word) >= LEAST_WORD), "")
        return Query((Value(box, word),)) if word and box is not None else None

    def _hears_something_late(self) -> bool:
        """Whether one answer must do: asking went on for long enough."""
        return self.cost >= LONG_ENOUGH and any(each.records >= SEVERAL for each in self.tried)

    def is_dull(self, query: Query) -> bool:
        """Say whether values of the same attribute have brought what a query for everything brings: they are not looked at."""
        everything = next((each.shown for each in self.tried if each.query == Query()), ())
        names = {value.attribute for value in query.values}
        same = (each for each in self.tried if each.query.values and each.shown == everything)
        return bool(everything) and any(names & {value.attribute for value in each.query.values} for each in same)

    async def hear(self, query: Query) -> _Tried | None:
        """Put a query to the door, and take in what comes back."""
        reader = self.source.reader
        heard = await self.source.listen(query, 0)
        if not isinstance(heard, Heard):
            reader.why_not = getattr(heard, "reason", "") or str(heard)
            self.refused = reader.why_not if isinstance(heard, Failure) else self.refused
            self.failures += isinstance(heard, Failure)
            self.cost += isinstance(heard, Failure) and heard.asked
            return None
        self.cost += heard.requests
        self.tried.append(_Tried(query, heard))
        if heard.tree is None:
            answer = await offload(heard.large, reader.read, heard, query, 0)
            reader.why_not = answer.trouble or reader.why_not
            self.tried[-1].take(answer.records)
        return self.tried[-1]

    def hits(self) -> list[_Tried]:
        """Return what brought records."""
        return [each for each in self.tried if each.records]

    def _hears_enough(self) -> bool:
        """Whether enough answers have several records, and not the same ones."""
        return len({each.shown for each in self.tried if each.records >= SEVERAL}) >= ENOUGH

    def _weigh(self) -> None:
        """Make a wrapper from the longest pages and the empty one, and read all of them with it."""
        reader = self.source.reader
        pages = [each for each in self.tried if each.heard.page is not None]
        longest = sorted(pages, key=lambda each: -len(each.heard.response.body))[:MOST_LEARNED]
        empty = [(self.frame, Query())] if self.frame else []
        if not longest or not reader.learn_from([*empty, *((each.heard, each.query) for each in longest)]):
            return
        for each in pages:
            each.take(reader.look(each.heard), counted(each.heard) or MOST_ON_PAGE)
            why = why_no_answer(each.heard) if not each.records else ""
            reader.why_not = why or reader.why_not
        self._mistrust_frame()

    def _mistrust_frame(self) -> None:
        """Take no answer for one with records that has no more of them than the answer to a query for nothing: messages."""
        empty = len(self.source.reader.look(self.frame)) if self.frame else 0
        if 0 < empty < SEVERAL and all(each.records <= empty for each in self.tried):
            for each in self.tried:
                each.take(())


def _why_nothing(source: Source, cost: int) -> str:
    reason = f" ({source.reader.why_not})" if source.reader.why_not else ""
    return f"no records came back in {cost} requests{reason}; give values to begin with, as in --value author=Kafka"


def _learn(source: Source, given: Sequence[Value], ear: _Ear) -> Prepared:
    """Read all that was heard once more, now that the wrapper knows several answers."""
    matching = Matching(source.opening.interface)
    hits: list[Query] = []
    size = limit = 0
    for each in ear.hits():
        answer = source.reader.read(each.heard, each.query, 0)
        if not answer.records:
            continue
        hits.append(each.query)
        matching.learn(each.query, answer.records)
        source.ready[each.query, 0] = replace(answer, requests=0)  # paid already
        size = max(size, len(answer.records) if answer.more else 0)
        limit = max(limit, answer.limit)
    page_size = size or source.opening.interface.page_size
    interface = replace(source.opening.interface, page_size=page_size, limit=limit, blank=Query() in hits)
    source.opening = replace(source.opening, interface=interface)
    matching.interface = interface
    return Prepared(source, matching, tuple(given), tuple(hits))


async def _try_boxes(prepared: Prepared, ear: _Ear) -> Prepared:
    """Type values of records into boxes that nobody knows what they ask for, a few times; what comes back tells."""
    source, matching = prepared.source, prepared.matching
    seen = [record for answer in source.ready.values() for record in answer.records]
    hits = list(prepared.seeds)
    for query in islice(matching.trials(seen), TRIALS_BESIDE_WORDS if matching.interface.keyword else MOST_TRIALS):
        tried = None if ear.is_dull(query) else await ear.hear(query)
        answer = await offload(tried.heard.large, source.reader.read, tried.heard, query, 0) if tried else None
        if tried is None or answer is None or not answer.records:
            continue
        tried.take(answer.records)
        matching.learn(query, answer.records)
        source.ready[query, 0] = replace(answer, requests=0)
        hits.append(query)
    first = source.ready[hits[0], 0]
    source.ready[hits[0], 0] = replace(first, requests=ear.cost)  # all of it was paid to come so far
    beside = await offload(ear.large, list, _heard_beside(source.reader, ear))
    doubt = doubt_opening({query: source.ready[query, 0] for query in hits}, beside)
    told = {"doubt": [doubt.kind, doubt.case, doubt.count]} if doubt else {}
    return replace(prepared, seeds=tuple(hits), learned=_write(prepared, hits) | told)


def _heard_beside(reader: Reader, ear: _Ear) -> Iterator[Sequence[Record]]:
    """Yield what queries brought that were to find nothing, or found none."""
    if ear.frame is not None:
        yield reader.look(ear.frame) if ear.frame.tree is not None else reader.read(ear.frame, Query(), 0).records
    yield from (() for each in ear.tried if not each.records)


def _write(prepared: Prepared, hits: Sequence[Query]) -> dict[str, Any]:
    """Return what was learned as plain data."""
    interface = prepared.matching.interface
    return {
        "wrapper": prepared.source.reader.to_dict(), "asks": prepared.matching.asks,
        "page_size": interface.page_size, "limit": interface.limit, "blank": interface.blank,
        "first": [write_query(query) for query in hits],
    }  # fmt: skip
