"""The query, harvest, decompose loop (paper 4, Section 2), and the selector with its probes that steers it."""

from __future__ import annotations

from array import array
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from math import isinf
from random import Random

from dowse.model import Answer, Query, Record, Value
from dowse.reasons import ProbeEnd
from dowse.select.graph import Graph
from dowse.select.selector import POSTPONED, Ask, Interface, ProvingSelector, QueryProgress, Selector, takes_alone
from dowse.yields.capture import MAX_PROBE_PAGES, Capture, CaptureHistory, allow_probes, choose_probe
from dowse.yields.drill import DrillDown, NodeAnswer
from dowse.yields.size import SizeEstimate, estimate_size

Decompose = Callable[[Record], Iterable[Value]]

MAX_WALK_SHARE = (
    1 / 3
)  # of the requests for probes: values sampled at random say more where records show what can be chosen
MAX_WALK_REQUESTS = 6  # of a drill-down, on average: longer ones say less than probes for as many requests
MIN_TRIED_WALKS = 2  # before that is known
MAX_FORGOTTEN = 3  # postponed answers that a source could not go on with, until they begin again without being tried
MIN_TWIN_VALUES = 2  # values of a record: one alone is easily that of another
MIN_TELLING_VALUES = 3  # of a record without an address, by which it is known whatever they are called
MIN_TWINS = 3  # records that may be copies: fewer are chance
MIN_TWIN_SHARE = 0.01  # of all records
MIN_TWIN_RATIO = 3.0  # times as many as stand together in one answer, where two alike are two: else things are alike in this database
MAX_ADDRESS_IDS = 3  # parts of an address that may be what a record is known by


@dataclass(slots=True)
class HarvestedRecords:
    """The records harvested so far: their values are in the graph, their keys here."""

    graph: Graph
    keys: dict[bytes, int] = field(default_factory=dict)  # what identifies a record -> its number in the graph
    requests: int = 0
    queries: int = 0
    forgotten: int = 0  # postponed answers that the source could not go on with
    twins: list[int] = field(
        default_factory=list
    )  # numbers of records that have all values of one that another query showed, and another key
    same_ids: list[int] = field(
        default_factory=list
    )  # numbers of records with all values and the id of another: /new/7, /sale/7
    alike: int = 0  # records that have all values of another of the same answer, and another address and id
    _looks: dict[int, int] = field(
        default_factory=dict
    )  # hash of the values of a record with a key, and of them with an id -> its number
    _shown_by: array[int] = field(default_factory=lambda: array("L"))  # the query that showed a record first, by number

    def add(self, records: Iterable[Record], decompose: Decompose) -> tuple[tuple[int, ...], tuple[Record, ...]]:
        """Add the records that are new; return the numbers of all, and those that were new."""
        numbers, new = [], []
        for record in records:
            key = key_of(record)
            number = self.keys.get(key)
            if number is None:
                number = self._find_otherwise_keyed(record)
                if number is None:
                    number = self._add_new(record, decompose)
                    new.append(record)
                self.keys[key] = number
            numbers.append(number)
        return tuple(numbers), tuple(new)

    def _find_otherwise_keyed(self, record: Record) -> int | None:
        """Return the number of a record with the same values that had a key where this one has none, or none where it has one."""
        if len(record.values) < MIN_TWIN_VALUES:
            return None
        return self.keys.get(key_of(replace(record, key=""))) if record.key else self._looks.get(hash(record.values))

    def _add_new(self, record: Record, decompose: Decompose) -> int:
        number = self.graph.add(decompose(record))
        self._shown_by.extend([self.queries] * (number + 1 - len(self._shown_by)))
        if record.key and len(record.values) >= MIN_TWIN_VALUES:
            self._note_looks(record, number)
        return number

    def _note_looks(self, record: Record, number: int) -> None:
        """Compare the values of a new record with those of others, and its address with theirs."""
        looks = hash(record.values)
        same = self._looks.get(looks)
        self._looks[looks] = number
        with_ids = [hash((looks, each)) for each in _find_ids(record)]
        if any(each in self._looks for each in with_ids):
            self.same_ids.append(number)
        elif same is not None and self._shown_by[same] != self.queries:
            self.twins.append(number)  # it may be the same under another address
        elif same is not None:
            self.alike += 1  # two alike in one answer are two
        self._looks.update(dict.fromkeys(with_ids, number))

    @property
    def has_twins(self) -> bool:
        """Return True if so many records look like one of another query, and so few like one of the same, that they may be copies."""
        least = max(MIN_TWINS, MIN_TWIN_SHARE * self.graph.record_count, MIN_TWIN_RATIO * self.alike)
        return len(self.twins) >= least

    @property
    def copies(self) -> list[int]:
        """The numbers of records that are not written a second time: too many look like others to be others by chance."""
        return [*(self.same_ids if len(self.same_ids) >= MIN_TWINS else ()), *(self.twins if self.has_twins else ())]


@dataclass(frozen=True, slots=True)
class ResultPage:
    """One page of an answer: what it held, and what of it is new."""

    asked: QueryProgress
    answer: Answer
    numbers: tuple[int, ...] = ()  # of its records
    new: tuple[Record, ...] = ()
    over: bool = False  # no further page of the query is requested


def _find_ids(record: Record) -> list[str]:
    """Return the parts of a record's address that may be its id: the last folder with a digit, or else the last; parameters with one."""
    path, _, query = record.key.partition("?")
    folders = [each for each in path.partition("://")[2].split("/")[1:] if each]
    numbered = [each for each in folders if any(map(str.isdigit, each))]
    parts = [
        *(numbered or folders if not query else numbered)[-1:],
        *(each for each in query.split("&") if any(map(str.isdigit, each))),
    ]
    shown = {value.text for value in record.values}
    return [each for each in parts[:MAX_ADDRESS_IDS] if each.partition("=")[2] not in shown and each not in shown]


def key_of(record: Record) -> bytes:
    """Return what identifies a record: its own key, else all of its values."""
    if (
        not record.key and len(record.values) >= MIN_TELLING_VALUES
    ):  # two tables of a page may call one column by two names
        text = "\n".join([text for _, text in record.values])
    else:
        text = record.key or "\n".join([f"{attribute}\t{text}" for attribute, text in sorted(record.values)])
    return blake2b(text.encode("utf-8", "replace"), digest_size=12).digest()


async def run_queries(
    ask: Ask,
    selector: Selector,
    harvested: HarvestedRecords,
    decompose: Decompose,
    why_stop: Callable[[], object] = lambda: None,
) -> AsyncIterator[ResultPage]:
    """Ask what the selector chooses, page by page, until nothing is left to ask or there is a reason to stop."""
    graph = harvested.graph
    postponed: dict[Query, tuple[QueryProgress, set[int]]] = {}  # with the records that they have shown
    while not why_stop():
        query = selector.choose()
        if query is None:
            return
        if query in postponed:
            asked, shown = postponed.pop(query)
            answer = await _take_up(ask, asked, shown, harvested)
        else:
            harvested.queries += 1
            value = graph.find_only_value(query)
            asked = QueryProgress(query) if value is None else QueryProgress(query, value, graph.count(value))
            shown, answer = set(), await ask(query, 0)
        while True:
            result = _add_page(answer, asked, harvested, decompose, selector, shown)
            if result.over:
                selector.learn(asked)
            if asked.aborted == POSTPONED:
                postponed[query] = asked, shown
            yield result
            if result.over or why_stop():
                break
            answer = await ask(query, asked.pages)


async def _take_up(ask: Ask, asked: QueryProgress, shown: set[int], harvested: HarvestedRecords) -> Answer:
    """Return the next page of an answer that was postponed; where another one or none comes instead, the first one again."""
    asked.aborted = ""
    if harvested.forgotten < MAX_FORGOTTEN:
        answer = await ask(asked.query, asked.pages)
        if not answer.failure and not answer.trouble and answer.total in (None, asked.total):
            return answer
        harvested.requests += answer.requests
        harvested.forgotten += 1
    asked.pages = asked.records = 0
    shown.clear()
    return await ask(asked.query, 0)


def _add_page(
    answer: Answer,
    asked: QueryProgress,
    harvested: HarvestedRecords,
    decompose: Decompose,
    selector: Selector,
    shown: set[int],
) -> ResultPage:
    """Add what is new on a page, and decide whether the next is wanted."""
    harvested.requests += answer.requests
    numbers, new = harvested.add(answer.records, decompose)
    record_count = harvested.graph.record_count
    asked.fresh += range(record_count - len(new), record_count)
    asked.repeats += len(numbers) - len(set(numbers) - shown)
    shown.update(numbers)
    asked.pages += 1
    asked.records += len(answer.records)
    asked.new += len(new)
    asked.more = answer.more and bool(answer.records)

    if asked.total is None and answer.total is not None:  # an empty last page states none
        asked.total, asked.exact = answer.total, answer.exact
    asked.limit = answer.limit or asked.limit
    asked.failed = str(answer.failure) if answer.failure else answer.trouble
    if asked.more and not asked.failed:
        asked.aborted = selector.why_abort(asked)
    return ResultPage(asked, answer, numbers, new, over=bool(asked.failed or asked.aborted) or not asked.more)


@dataclass(slots=True)
class ProbingSelector:
    """Asks some queries first, then what a selector chooses; random probes in between estimate the size of the source."""

    selector: Selector
    graph: Graph
    interface: Interface
    rng: Random
    first: list[Query] = field(default_factory=list)
    values: Sequence[Value] = ()  # handed to the selector after what is asked first
    choose_checks: Callable[[], list[Query]] = list  # queries that must bring nothing new before all is harvested
    choose_named: Callable[[], Query | None] = lambda: (
        None
    )  # for records that are known by name alone, when nothing else is left
    is_bounded: bool = False  # a query for everything brings only a part: a filter of the form cannot be emptied
    checks: set[Query] = field(default_factory=set)  # of them, those not answered yet
    check_pages: int = 1  # of each of them that are read at least
    checked: bool = False  # they were chosen
    asked: set[Query] = field(default_factory=set)  # beside the selector
    captures: CaptureHistory = field(init=False)
    drill: DrillDown = field(init=False)
    probed: int = 0  # requests spent on probes; a probe for which no value was found counts as one
    requests: int = 0
    _capture: Capture = field(default_factory=lambda: Capture(-1))  # of the query under way
    _seeded: bool = False
    _total_varies: bool = False  # a query for everything stated another total on another page, or none
    _chosen: Query | None = None  # by the selector, the last time
    _everything: tuple[tuple[int, ...], int | None] = ((), None)  # the first page of a query for everything, its total
    _is_ignored: bool = False  # the query under way is answered with that page
    _shown: tuple[int, ...] = ()  # records that the query under way has shown, where the form has choices
    _is_open: bool = False  # the last estimate had no upper end
    _postponed: dict[Query, Capture] = field(default_factory=dict)  # what answers have shown that go on later
    _drill_requests: int = 0  # of those spent on probes, for drill-downs
    _aborted_probes: list[tuple[Query, int | None]] = field(default_factory=list)  # with their exact totals

    def __post_init__(self) -> None:
        """Begin the capture history."""
        self.captures = CaptureHistory(self.graph)
        choices = self.interface.choices if self.interface.joins and not self.interface.required else ()
        self.drill = DrillDown(self.graph, choices, self.interface.page_size, Random(self.rng.random()), self._is_whole)

    def seed(self, values: list[Value]) -> None:
        """Hand values on."""
        self.selector.seed(values)

    def choose(self) -> Query | None:
        """Return the next query: a first one, a probe when one is due, what the selector chooses, or an aborted probe."""
        if self.first:
            query = self.first.pop(0)
            self.asked.add(query)
            return self._begin(query)
        if not self._seeded:
            self._seeded = True
            self.selector.seed(list(self.values))
        probe = self._choose_probe()
        if probe is not None:
            return probe
        chosen = self.selector.choose()
        while chosen is not None and chosen in self.asked:  # asked before the selector could choose
            self.asked.discard(chosen)
            chosen = self.selector.choose()
        self._chosen = chosen
        if chosen is not None:
            return self._begin(chosen)
        left = self._finish_probe()
        if left is None and self.begin_checks():
            return self.choose()
        named = self.choose_named() if left is None else None
        if named is not None:
            self.asked.add(named)
            return self._begin(named)
        return left

    def begin_checks(self) -> bool:
        """Ask a few other queries before it is said that all was harvested, once; return True while one is not answered."""
        if not self.checked:
            chosen = self.choose_checks()
            if not chosen:
                return False
            self.checked = True
            self.checks.update(chosen)
            self.first[:] = [*chosen, *(query for query in self.first if query not in self.checks)]
        return bool(self.checks)

    def drop_checks(self) -> None:
        """Leave out the checks that were not asked yet."""
        self.first[:] = [query for query in self.first if query not in self.checks]
        self.checks.clear()

    def _choose_probe(self) -> Query | None:
        """Return a probe when one is due, and a value is left whose total is unknown."""
        if self.drill.is_walking:
            return self._drill_down()
        if self.probed + 1 > allow_probes(self.requests):
            return None
        if self._is_drill_due():
            walk = self._drill_down()
            if walk is not None:
                return walk
        value = choose_probe(self.captures, self.rng, lambda name: takes_alone(self.interface, name))
        if value is None:
            walk = self._drill_down() if self._can_drill() else None
            self.probed += walk is None
            return walk
        query = Query((self.graph.value(value),))
        if query in self.asked:
            return None
        self.asked.add(query)
        self._capture = self.captures.begin(value, probe=True)
        return query

    def _is_whole(self, value: int) -> bool:
        """Return True if the answer to a value was read to its end, where nobody counts."""
        return value < len(self.captures.totals) and self.captures.totals[value] >= 0

    def _can_drill(self) -> bool:
        """Return True if drill-downs say something: the form has choices, and nobody counts."""
        return bool(self.drill.choices) and not self.captures.counted and not isinstance(self.selector, ProvingSelector)

    def _is_drill_due(self) -> bool:
        """Return True if a drill-down comes before other probes: where those gave no upper end, and walks are short."""
        if not self._is_open or not self._can_drill() or self._drill_requests > MAX_WALK_SHARE * self.probed:
            return False
        return self._drill_requests <= MAX_WALK_REQUESTS * max(MIN_TRIED_WALKS, len(self.drill.walks))

    def _drill_down(self) -> Query | None:
        query = self.drill.choose()
        return None if query is None else self._begin(query)

    def _finish_probe(self) -> Query | None:
        """Return an aborted probe, when nothing else is left to ask and not all of its records were harvested."""
        while self._aborted_probes:
            query, total = self._aborted_probes.pop(0)
            value = self.graph.find(query.values[0])
            if value is None or total is None or self.graph.count(value) < total:
                return self._begin(query)
        return None

    def _begin(self, query: Query) -> Query:
        capture = self._postponed.pop(query, None)
        if capture is None:
            value = self.graph.find_only_value(query)
            capture = self.captures.begin(-1 if value is None else value)
        self._capture = capture
        return query

    def why_abort(self, asked: QueryProgress) -> str:
        """Leave a probe once it states its total, or grows long; the selector decides on what it chose itself."""
        if self.drill.is_asking(asked.query):
            return ProbeEnd.TOO_LONG if self.drill.is_enough(asked.pages) else ""
        if self._capture.probe:
            if asked.total is not None and asked.exact and asked.new < asked.records / 2:
                return ProbeEnd.COUNTED
            return ProbeEnd.TOO_LONG if asked.pages >= MAX_PROBE_PAGES else ""
        if asked.query in self.checks and not asked.new and asked.pages >= self.check_pages:
            return ProbeEnd.CHECKED
        return self.selector.why_abort(asked) if asked.query == self._chosen else ""

    def learn(self, asked: QueryProgress) -> None:
        """Hand on what an answer brought; a probe that was left early is asked again: where its count is known, in the end."""
        if self.drill.is_asking(asked.query) and asked.aborted:
            asked = replace(asked, query=Query(), value=-1)  # it is still for the selector to choose
        if self._capture.probe and asked.aborted:
            if asked.total is None and not isinstance(self.selector, ProvingSelector):
                self.asked.discard(asked.query)
                asked = replace(asked, query=Query(), value=-1)  # it is still for the selector to choose
            else:
                self._aborted_probes.append((asked.query, asked.total if asked.exact else None))
        if asked.aborted == POSTPONED:
            self._postponed[asked.query] = self._capture
        self.selector.learn(asked)

    def note(self, result: ResultPage) -> None:
        """Record which records a page showed, and what it cost."""
        asked, answer, captures = result.asked, result.answer, self.captures
        self.requests += answer.requests
        is_walk = self.drill.is_asking(asked.query)
        self.probed += answer.requests if self._capture.probe or is_walk else 0
        self._drill_requests += answer.requests if is_walk else 0
        if result.over:
            self.checks.discard(asked.query)
        if asked.query == Query() and answer.exact and answer.records and not self.is_bounded:
            varies = self._total_varies or (answer.page and answer.total != captures.total)
            captures.total = None if varies else answer.total
            self._total_varies = self._total_varies or captures.total is None
        if asked.query == Query() and answer.page == 0:
            self._everything = result.numbers, answer.total
        is_ignored = asked.query.values and answer.page == 0 and (result.numbers, answer.total) == self._everything
        self._is_ignored = bool(is_ignored or (self._is_ignored and answer.page)) and len(self._everything[0]) > 1
        if not self._is_ignored:  # a list of everything for a value tells nothing of how many have it
            captures.add(self._capture, result.numbers, answer.total if answer.exact and answer.page == 0 else None)
        if result.over and not self._is_ignored:
            captures.end(self._capture, complete=asked.done and not asked.overflowed)
        if self.drill.choices:
            self._note_choices(result, is_walk=is_walk)

    def _note_choices(self, result: ResultPage, *, is_walk: bool) -> None:
        """Let the walk under way go on once its query is over."""
        asked = result.asked
        self.drill.note(asked.query, result.numbers)
        self._shown = (*(self._shown if asked.pages > 1 else ()), *result.numbers)
        if is_walk and result.over:
            ended = asked.done and not asked.overflowed
            self.drill.learn(NodeAnswer(self._shown, ended, bool(asked.failed)))

    def estimate(self) -> SizeEstimate:
        """Estimate how many records the source has."""
        size = estimate_size(replace(self.captures.evidence(), drilled=self.drill.evidence()))
        self._is_open = isinf(size.high)
        return size
