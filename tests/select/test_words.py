"""Which word of a box promises most."""

from __future__ import annotations

from random import Random

import pytest

from dowse.harvester.loop import HarvestedRecords, run_queries
from dowse.model import Query, Value
from dowse.select.auto import AutoSelector
from dowse.select.expect import Expectation, Provenance
from dowse.select.graph import Graph
from dowse.select.selector import Interface, SelectorParts
from dowse.select.words import FIRST_WEIGHTS, LeftAnswer, WordOffer, WordQueue, WordRates
from tests.select.tabled import Row, Table

BOX = Interface(keyword=True, page_size=5)


def make_queue(graph: Graph) -> WordQueue:
    expectation = Expectation(graph, Provenance(graph), BOX)
    expectation.make_room()
    return WordQueue(graph, expectation, bytearray(1000))


def add(queue: WordQueue, *texts: str) -> None:
    """Let a query show records, each a text of words."""
    records = [queue.graph.add([Value("", word) for word in text.split()]) for text in texts]
    queue.expectation.make_room()
    queue.add(records)
    queue.end(-1, 0, 0, LeftAnswer())


def test_weights_move_toward_what_came_and_are_known_better_then() -> None:
    rates, facts = WordRates(), (1.0,) + (0.0,) * (len(FIRST_WEIGHTS) - 1)
    before, variance = rates.factor(facts), rates.covariance[0][0]
    for _ in range(2_000):
        rates.learn(facts, expected=2.0 * rates.factor(facts) / before, unseen=6)
    assert rates.factor(facts) == pytest.approx(3 * before, rel=0.2)
    assert rates.covariance[0][0] < variance


def test_one_answer_that_is_far_off_does_not_turn_everything() -> None:
    rates, facts = WordRates(), (1.0,) * len(FIRST_WEIGHTS)
    before = rates.factor(facts)
    rates.learn(facts, expected=1.0, unseen=10_000)
    assert rates.factor(facts) < 3 * before


def test_a_word_that_several_queries_showed_promises_more_than_one_of_a_single_answer() -> None:
    queue = make_queue(Graph())
    add(queue, "within one", "within two", "within three")
    for text in ("spread four", "spread five", "spread six"):
        add(queue, text)
    best = queue.best()
    assert best is not None
    assert queue.graph.texts[best.value] == "spread"


def test_a_word_whose_answer_was_left_waits_with_what_its_next_page_brings() -> None:
    queue = make_queue(Graph())
    add(queue, "rare one", "rare two", "other three")
    rare = queue.graph.find(Value("", "rare"))
    assert rare is not None
    queue.asked[:] = bytes([1]) * len(queue.asked)
    left = LeftAnswer(total=32, records=2, fresh=2)
    queue.postpone(rare, left)
    assert queue.best() == WordOffer(rare, 5.0, 30), "a page of five, all of them new"
    assert queue.take_up(rare) == left
    assert queue.best() is None


def test_a_word_that_may_have_many_records_promises_more_than_its_mean() -> None:
    queue = make_queue(Graph())
    add(queue, *(f"some {number}" for number in range(20)))
    some = queue.graph.find(Value("", "some"))
    assert some is not None
    (offer,) = [queue._make_offer(some)]
    new, pages = queue.expectation.predict_shown(0, 20, offer.unseen)
    assert offer.rate > new / pages, "it is read on only where it has more than was expected"


def test_records_that_only_answers_in_part_have_shown_tell_of_others_like_them() -> None:
    queue = make_queue(Graph())
    add(queue, "broad near", "broad close")
    broad, near = (queue.graph.find(Value("", text)) for text in ("broad", "near"))
    assert broad is not None
    assert near is not None
    queue.end(broad, 0, 0, LeftAnswer(total=2, records=2))
    few = queue.describe_word(near)
    queue.end(broad, 0, 0, LeftAnswer(total=20, records=2))
    assert queue.describe_word(near)[-1] > few[-1]


async def test_words_of_a_box_are_asked_until_everything_is_there_and_none_twice_but_those_left() -> None:
    rng = Random(1)
    rows: list[Row] = [
        {"": "|".join({f"w{int(rng.paretovariate(0.7)) % 300}" for _ in range(5)} | {f"own{number}"})}
        for number in range(400)
    ]
    table, graph = Table(rows, BOX, page_size=5), Graph()
    selector = AutoSelector(SelectorParts(graph, BOX, Random(1)))
    selector.seed([table.record(0).values[0]])
    asked: list[Query] = []
    left: set[Query] = set()
    async for result in run_queries(table.ask, selector, HarvestedRecords(graph), lambda record: record.values):
        asked += [result.asked.query] if result.answer.page == 0 else []
        if result.asked.aborted:
            left.add(result.asked.query)
    assert graph.record_count == len(rows)
    assert left, "some were left"
    assert len(table.asked) == len(set(table.asked)), "and no page of them was asked for twice"
    assert all(asked.count(query) == 1 for query in set(asked))
