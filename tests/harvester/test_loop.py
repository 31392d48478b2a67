"""Query, harvest, decompose: everything is harvested once, every page counted, a stop is a stop."""

from __future__ import annotations

import asyncio
from math import isfinite
from random import Random
from typing import ClassVar

import pytest

from dowse.harvester.loop import (
    MAX_FORGOTTEN,
    HarvestedRecords,
    ProbingSelector,
    ResultPage,
    key_of,
    run_queries,
)
from dowse.model import Answer, Failure, Query, Record, Value
from dowse.reasons import FailureReason, ProbeEnd
from dowse.select import SELECTORS, build_selector
from dowse.select.graph import Graph
from dowse.select.selector import POSTPONED, Ask, Interface, QueryProgress, SelectorParts
from dowse.yields.capture import MAX_PROBE_PAGES
from tests.harvester.small import COLOURS, Small, make_records, values_of

INTERFACE = Interface(("colour", "maker", "model"))


def run(source: Small, most: int = 0, name: str = "breadth") -> tuple[HarvestedRecords, list[ResultPage]]:
    harvested = HarvestedRecords(Graph())
    selector = SELECTORS[name](SelectorParts(harvested.graph, INTERFACE, Random(1)))
    selector.seed([Value("colour", "red")])
    seen: list[ResultPage] = []

    async def go() -> None:
        async for result in run_queries(
            source.ask, selector, harvested, values_of, lambda: "enough" if most and harvested.requests >= most else ""
        ):
            seen.append(result)

    asyncio.run(go())
    return harvested, seen


def test_everything_that_is_connected_is_harvested_once() -> None:
    source = Small(make_records(95))
    harvested, seen = run(source)
    assert harvested.graph.record_count == 95
    assert sum(len(result.new) for result in seen) == 95
    assert harvested.requests == len(source.asked) == len(set(source.asked))
    assert harvested.queries == len({query for query, _ in source.asked})


def test_an_answer_is_read_page_by_page() -> None:
    source = Small(make_records(95))
    _, seen = run(source, most=4)
    assert [(str(each.answer.query), each.answer.page, each.over) for each in seen] == [
        ("colour=red", 0, False), ("colour=red", 1, False), ("colour=red", 2, False), ("colour=red", 3, True),
    ]  # fmt: skip
    assert seen[-1].asked.records == 32
    assert seen[-1].asked.total == 32
    assert not seen[-1].asked.overflowed


def test_a_limit_shows_as_overflow() -> None:
    _, seen = run(Small(make_records(95), limit=20), most=2)
    assert seen[-1].over
    assert seen[-1].asked.overflowed
    assert seen[-1].asked.records == 20


def test_numbers_tell_known_records_from_new_ones() -> None:
    _, seen = run(Small(make_records(95)), most=5)
    first, last = seen[0], seen[-1]
    assert first.numbers == tuple(range(10))
    assert len(first.new) == 10
    assert len(last.new) < len(last.numbers)
    assert last.asked.fresh == sorted(set(last.numbers) - set(range(32)))


def test_a_failure_ends_the_query_and_not_the_harvest() -> None:
    source = Small(make_records(30))
    asked = source.ask

    async def ask(query: Query, page: int) -> Answer:
        if query.values[0].text == "maker 3":
            return Answer(query, page, failure=Failure("http://a.example/", FailureReason.TIMEOUT))
        return await asked(query, page)

    source.ask = ask  # type: ignore[method-assign]
    harvested, seen = run(source)
    failed = [result for result in seen if result.asked.failed]
    assert [str(each.answer.query) for each in failed] == ["maker=maker 3"]
    assert failed[0].asked.failed == "timed out"
    assert harvested.graph.record_count == 30


def test_a_page_without_records_is_the_last() -> None:
    class Endless(Small):
        async def ask(self, query: Query, page: int) -> Answer:
            answer = await super().ask(query, page)
            return Answer(query, page, answer.records, more=True)

    harvested, _ = run(Endless(make_records(30)))
    assert harvested.graph.record_count == 30


def test_a_record_is_told_by_its_key_or_by_all_its_values() -> None:
    one = Record((Value("a", "1"), Value("b", "2")))
    turned = Record((Value("b", "2"), Value("a", "1")))
    assert key_of(one) == key_of(turned)
    assert key_of(Record(one.values, "k")) != key_of(one)
    assert key_of(Record((), "k")) == key_of(Record(one.values, "k"))


def test_a_selector_may_leave_an_answer() -> None:
    harvested = HarvestedRecords(Graph())

    class Impatient:
        left: ClassVar = [Query((Value("colour", "red"),))]

        def seed(self, values: list[Value]) -> None: ...

        def choose(self) -> Query | None:
            return self.left.pop() if self.left else None

        def why_abort(self, asked: QueryProgress) -> str:
            return "enough of it" if asked.pages == 2 else ""

        def learn(self, asked: QueryProgress) -> None:
            self.learned = asked

    selector = Impatient()

    async def go() -> list[ResultPage]:
        return [result async for result in run_queries(Small(make_records(95)).ask, selector, harvested, values_of)]

    seen = asyncio.run(go())
    assert [result.over for result in seen] == [False, True]
    assert selector.learned.aborted == "enough of it"
    assert not selector.learned.done
    assert harvested.requests == 2


def test_records_that_one_answer_shows_twice_are_counted() -> None:
    class Shifting(Small):
        async def ask(self, query: Query, page: int) -> Answer:
            self.records = (
                self.records[:1] + self.records if page else self.records
            )  # a record came in before the others
            return await super().ask(query, page)

    _, seen = run(Shifting(make_records(95)), most=3)
    assert [result.asked.repeats for result in seen][-1] > 0
    _, still = run(Small(make_records(95)), most=3)
    assert still[-1].asked.repeats == 0


FORM = Interface(attributes=("shape", "colour"))


def make_long(count: int) -> tuple[Record, ...]:
    """Return records whose values all have very many of them."""
    return tuple(
        Record((Value("shape", f"shape {n % 13}"), Value("colour", f"colour {n % 12}")), str(n)) for n in range(count)
    )


def run_steer(small: Small, selector: str = "depth") -> tuple[HarvestedRecords, dict[Query, tuple[int, str]]]:
    """Draw everything; return it with the pages of each query, and why it was left."""
    graph = Graph()
    rng = Random(3)
    inner = build_selector(selector, SelectorParts(graph, FORM, rng), "")
    probing = ProbingSelector(inner, graph, FORM, Random(4), values=[Value("shape", "shape 0")])
    harvested, asked = HarvestedRecords(graph), dict[Query, tuple[int, str]]()

    async def go() -> None:
        async for result in run_queries(small.ask, probing, harvested, values_of):
            probing.note(result)
            if result.over and result.asked.aborted:
                asked[result.asked.query] = result.asked.pages, result.asked.aborted

    asyncio.run(go())
    return harvested, asked


@pytest.mark.parametrize("counts", [False, True], ids=["no counts", "counts"])
def test_probes_are_short_and_nothing_is_lost_by_that(counts: bool) -> None:
    small = Small(make_long(3_000), counts=counts)
    harvested, left = run_steer(small)
    assert left, "there was a probe that was left"
    assert {why for _, why in left.values()} <= set(ProbeEnd)
    assert max(pages for pages, _ in left.values()) <= MAX_PROBE_PAGES
    assert harvested.graph.record_count == 3_000


@pytest.mark.parametrize("counts", [False, True], ids=["nobody counts", "answers say how many match"])
def test_no_drill_downs_where_counts_or_other_probes_say_enough(*, counts: bool) -> None:
    records = make_records(1200)
    choices = (("colour", COLOURS), ("maker", tuple(f"maker {number}" for number in range(7))))
    interface = Interface(("model",), choices=choices, joins=True, page_size=30)
    source, harvested = Small(records, page_size=30, counts=counts), HarvestedRecords(Graph())
    inner = SELECTORS["random"](SelectorParts(harvested.graph, interface, Random(1)))
    selector = ProbingSelector(inner, harvested.graph, interface, Random(2), values=[Value("model", "model 1")])

    had_upper_end, joined = False, list[bool]()  # when a query that joins choices was begun

    async def go() -> None:
        nonlocal had_upper_end
        async for result in run_queries(
            source.ask, selector, harvested, values_of, lambda: harvested.requests >= 300 or ""
        ):
            joined.extend([had_upper_end] * (len(result.asked.query.values) > 1))
            selector.note(result)
            had_upper_end = had_upper_end or isfinite(selector.estimate().high)

    asyncio.run(go())
    assert not any(joined)
    assert len(joined) <= (0 if counts else 5), "one walk, before values sampled at random say anything"
    size = selector.estimate()
    assert size.low <= 1200 <= size.high


def test_drill_downs_are_all_there_is_where_records_do_not_show_what_can_be_chosen() -> None:
    """A form of two selects; what records show are names, which cannot be asked for."""
    kinds, years = tuple(f"kind {number}" for number in range(9)), tuple(f"{1990 + number}" for number in range(12))
    rng = Random(5)
    rows = [(f"name {number}", rng.choice(kinds), rng.choice(years)) for number in range(900)]

    async def ask(query: Query, page: int) -> Answer:
        wanted = {value.text for value in query.values}
        found = [Record((Value("name", name),), name) for name, kind, year in rows if wanted <= {kind, year}]
        return Answer(query, page, tuple(found[10 * page : 10 * page + 10]), more=10 * page + 10 < len(found))

    interface = Interface(choices=(("kind", kinds), ("year", years)), joins=True)
    harvested = HarvestedRecords(Graph())
    inner = SELECTORS["auto"](SelectorParts(harvested.graph, interface, Random(1)))
    first = [Query((Value("kind", "kind 0"),))]
    selector = ProbingSelector(inner, harvested.graph, interface, Random(2), first=first)

    async def go() -> None:
        async for result in run_queries(ask, selector, harvested, values_of, lambda: harvested.requests >= 90 or ""):
            selector.note(result)

    asyncio.run(go())
    assert selector.drill.walks
    size = selector.estimate()
    assert size.low <= 900 <= size.high
    assert size.low >= harvested.graph.record_count


class Postponing:
    """Asks for two colours, and leaves the first after a page until the second was read."""

    def __init__(self) -> None:
        self.waiting = [Query((Value("colour", colour),)) for colour in ("red", "green", "red")]
        self.learned: list[tuple[str, int, int]] = []

    def seed(self, values: list[Value]) -> None:
        """Take nothing else."""

    def choose(self) -> Query | None:
        return self.waiting.pop(0) if self.waiting else None

    def why_abort(self, asked: QueryProgress) -> str:
        return POSTPONED if len(self.waiting) == 2 else ""

    def learn(self, asked: QueryProgress) -> None:
        self.learned.append((str(asked.query), asked.pages, asked.new))


async def harvest_postponing(ask: Ask) -> tuple[Postponing, HarvestedRecords]:
    harvested = HarvestedRecords(Graph())
    selector = Postponing()
    async for _ in run_queries(ask, selector, harvested, values_of):
        pass
    return selector, harvested


async def test_a_postponed_answer_goes_on_at_its_next_page() -> None:
    source = Small(make_records(95))
    selector, harvested = await harvest_postponing(source.ask)
    assert [(str(query), page) for query, page in source.asked] == [
        ("colour=red", 0), *(("colour=green", page) for page in range(4)), *(("colour=red", page) for page in range(1, 4)),
    ]  # fmt: skip
    assert selector.learned == [("colour=red", 1, 10), ("colour=green", 4, 32), ("colour=red", 4, 32)]
    assert (harvested.queries, harvested.requests) == (2, 8)


@pytest.mark.parametrize(
    "instead",
    [
        pytest.param(Answer(Query(), 1, trouble="the session is over"), id="nothing"),
        pytest.param(Answer(Query(), 1, make_records(10), total=31, more=True), id="a page of another answer"),
    ],
)
async def test_a_postponed_answer_that_is_forgotten_begins_again(instead: Answer) -> None:
    source = Small(make_records(95))

    async def ask(query: Query, page: int) -> Answer:
        went_elsewhere = source.asked and source.asked[-1][0] != query
        if page and went_elsewhere:
            source.asked.append((query, page))
            return instead
        return await source.ask(query, page)

    selector, harvested = await harvest_postponing(ask)
    assert harvested.graph.record_count == 64
    assert selector.learned[-1] == ("colour=red", 4, 32)
    assert harvested.requests == len(source.asked) == 10, "the page that failed and the first one are paid for"


async def test_a_source_that_forgets_is_asked_from_the_first_page() -> None:
    source, harvested = Small(make_records(95)), HarvestedRecords(Graph(), forgotten=MAX_FORGOTTEN)
    async for _ in run_queries(source.ask, Postponing(), harvested, values_of):
        pass
    assert [page for query, page in source.asked if str(query) == "colour=red"] == [0, 0, 1, 2, 3]


@pytest.mark.parametrize("keyed_first", [True, False])
def test_a_record_is_known_where_only_some_answers_give_it_a_key(keyed_first: bool) -> None:
    """A number is a key on pages where it stands once, and none on those where two records share it."""
    values = (Value("number", "4613"), Value("title", "At Large"))
    keyed, plain = Record(values, "4613"), Record(values)
    harvested = HarvestedRecords(Graph())
    for record in (keyed, plain) if keyed_first else (plain, keyed):
        harvested.add([record], values_of)
        harvested.queries += 1
    assert harvested.graph.record_count == 1
    assert harvested.add([Record((values[0], Value("title", "Another")))], values_of)[1], "another is new"


def _add_books(addresses: list[list[str]]) -> HarvestedRecords:
    """Return what was harvested of books that look alike, by the addresses that each query shows."""
    harvested = HarvestedRecords(Graph())
    for shown in addresses:
        values = (Value("title", "Emma"), Value("year", "1815"))
        harvested.add([Record(values, f"http://a.test{address}") for address in shown], values_of)
        harvested.queries += 1
    return harvested


@pytest.mark.parametrize(
    ("addresses", "copies"),
    [
        pytest.param([["/new/7", "/sale/7", "/kids/7", "/gifts/7"]], 3, id="one id on several shelves"),
        pytest.param(
            [["/view?id=7&s=a"], ["/view?id=7&s=b"], ["/view?id=7&s=c"], ["/view?id=7&s=d"]],
            3,
            id="an id in a parameter",
        ),
        pytest.param(
            [["/b/1815/7", "/b/1815/8"], ["/b/1815/9", "/b/1815/10"], ["/b/1815/11", "/b/1815/12"]],
            0,
            id="alike in each answer",
        ),
        pytest.param([["/b/7"], ["/b/17"], ["/b/27"], ["/b/37"]], 3, id="another id for each query"),
    ],
)
def test_copies_are_told_from_records_that_look_alike(addresses: list[list[str]], copies: int) -> None:
    assert len(_add_books(addresses).copies) == copies
