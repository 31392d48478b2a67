"""Query, harvest, decompose: everything is drawn once, every page counted, a stop is a stop."""

from __future__ import annotations

import asyncio
from random import Random
from typing import ClassVar

import pytest

from dowse.harvester.loop import ONLY_COUNTED, TOO_LONG, Draught, Drawn, Steered, draw, key_of
from dowse.model import Answer, Failure, Query, Record, Value, Why
from dowse.select import SELECTORS, build_selector
from dowse.select.graph import Graph
from dowse.select.selector import Asked, Interface, Parts
from dowse.yields.reach import MOST_PAGES
from tests.harvester.small import Small, make_records, values_of

INTERFACE = Interface(("colour", "maker", "model"))


def run(source: Small, most: int = 0, name: str = "breadth") -> tuple[Drawn, list[Draught]]:
    drawn = Drawn(Graph())
    selector = SELECTORS[name](Parts(drawn.graph, INTERFACE, Random(1)))
    selector.seed([Value("colour", "red")])
    seen: list[Draught] = []

    async def go() -> None:
        async for draught in draw(
            source.ask, selector, drawn, values_of, lambda: "enough" if most and drawn.requests >= most else ""
        ):
            seen.append(draught)

    asyncio.run(go())
    return drawn, seen


def test_everything_that_is_connected_is_drawn_once() -> None:
    source = Small(make_records(95))
    drawn, seen = run(source)
    assert drawn.graph.record_count == 95
    assert sum(len(draught.new) for draught in seen) == 95
    assert drawn.requests == len(source.asked) == len(set(source.asked))
    assert drawn.queries == len({query for query, _ in source.asked})


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
            return Answer(query, page, failure=Failure("http://a.example/", Why.TIMEOUT))
        return await asked(query, page)

    source.ask = ask  # type: ignore[method-assign]
    drawn, seen = run(source)
    failed = [draught for draught in seen if draught.asked.failed]
    assert [str(each.answer.query) for each in failed] == ["maker=maker 3"]
    assert failed[0].asked.failed == "timed out"
    assert drawn.graph.record_count == 30


def test_a_page_without_records_is_the_last() -> None:
    class Endless(Small):
        async def ask(self, query: Query, page: int) -> Answer:
            answer = await super().ask(query, page)
            return Answer(query, page, answer.records, more=True)

    drawn, _ = run(Endless(make_records(30)))
    assert drawn.graph.record_count == 30


def test_a_record_is_told_by_its_key_or_by_all_its_values() -> None:
    one = Record((Value("a", "1"), Value("b", "2")))
    turned = Record((Value("b", "2"), Value("a", "1")))
    assert key_of(one) == key_of(turned)
    assert key_of(Record(one.values, "k")) != key_of(one)
    assert key_of(Record((), "k")) == key_of(Record(one.values, "k"))


def test_a_selector_may_leave_an_answer() -> None:
    drawn = Drawn(Graph())

    class Impatient:
        left: ClassVar = [Query((Value("colour", "red"),))]

        def seed(self, values: list[Value]) -> None: ...

        def choose(self) -> Query | None:
            return self.left.pop() if self.left else None

        def why_abort(self, asked: Asked) -> str:
            return "enough of it" if asked.pages == 2 else ""

        def learn(self, asked: Asked) -> None:
            self.learned = asked

    selector = Impatient()

    async def go() -> list[Draught]:
        return [draught async for draught in draw(Small(make_records(95)).ask, selector, drawn, values_of)]

    seen = asyncio.run(go())
    assert [draught.over for draught in seen] == [False, True]
    assert selector.learned.aborted == "enough of it"
    assert not selector.learned.done
    assert drawn.requests == 2


def test_records_that_one_answer_shows_twice_are_counted() -> None:
    class Shifting(Small):
        async def ask(self, query: Query, page: int) -> Answer:
            self.records = (
                self.records[:1] + self.records if page else self.records
            )  # a record came in before the others
            return await super().ask(query, page)

    _, seen = run(Shifting(make_records(95)), most=3)
    assert [draught.asked.repeats for draught in seen][-1] > 0
    _, still = run(Small(make_records(95)), most=3)
    assert still[-1].asked.repeats == 0


FORM = Interface(attributes=("shape", "colour"))


def make_long(count: int) -> tuple[Record, ...]:
    """Return records whose values all have very many of them."""
    return tuple(
        Record((Value("shape", f"shape {n % 13}"), Value("colour", f"colour {n % 12}")), str(n)) for n in range(count)
    )


def run_steer(small: Small, selector: str = "depth") -> tuple[Drawn, dict[Query, tuple[int, str]]]:
    """Draw everything; return it with the pages of each query, and why it was left."""
    graph = Graph()
    rng = Random(3)
    inner = build_selector(selector, Parts(graph, FORM, rng), "")
    steered = Steered(inner, graph, FORM, Random(4), values=[Value("shape", "shape 0")])
    drawn, asked = Drawn(graph), dict[Query, tuple[int, str]]()

    async def go() -> None:
        async for draught in draw(small.ask, steered, drawn, values_of):
            steered.note(draught)
            if draught.over and draught.asked.aborted:
                asked[draught.asked.query] = draught.asked.pages, draught.asked.aborted

    asyncio.run(go())
    return drawn, asked


@pytest.mark.parametrize("counts", [False, True], ids=["no counts", "counts"])
def test_probes_are_short_and_nothing_is_lost_by_that(counts: bool) -> None:
    small = Small(make_long(3_000), counts=counts)
    drawn, left = run_steer(small)
    assert left, "there was a probe that was left"
    assert {why for _, why in left.values()} <= {ONLY_COUNTED, TOO_LONG}
    assert max(pages for pages, _ in left.values()) <= MOST_PAGES
    assert drawn.graph.record_count == 3_000
