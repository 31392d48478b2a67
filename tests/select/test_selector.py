"""Values that wait: met, taken by the interface, not asked for."""

from __future__ import annotations

from random import Random

import pytest

from dowse.model import Query, Value
from dowse.select import SELECTORS, build_selector
from dowse.select.graph import Graph
from dowse.select.selector import (
    MIN_GUESSED_PAGES,
    AbortingSelector,
    Candidates,
    Interface,
    PatientSelector,
    ProvingSelector,
    QueryProgress,
    SelectorParts,
    takes_alone,
)


@pytest.mark.parametrize(
    ("interface", "attribute", "taken"),
    [
        (Interface(("a",)), "a", True),
        (Interface(("a",)), "b", False),
        (Interface(("a",)), "", False),
        (Interface(keyword=True), "", True),
        (Interface(choices=(("b", ("1",)),)), "b", True),
        (Interface(("a", "b"), required=("b",)), "a", False),
        (Interface(("a", "b"), required=("b",)), "b", True),
        (Interface(("a", "b"), required=("a", "b")), "b", False),
    ],
    ids=["own", "other", "no keywords", "keywords", "listed", "not the required", "the required", "two required"],
)
def test_takes_alone(interface: Interface, attribute: str, taken: bool) -> None:
    assert takes_alone(interface, attribute) is taken


def test_what_the_form_lists_comes_once_and_last() -> None:
    candidates = Candidates(Graph(), Interface(choices=(("b", ("1", "2", "")),)))
    candidates.add([Value("b", "2")])
    assert [candidates.graph.texts[value] for value in candidates.add_new()] == ["2"]
    assert [candidates.graph.texts[value] for value in candidates.add_listed()] == ["1"]
    assert not candidates.add_listed()


@pytest.mark.parametrize("met", ["before", "after"])
def test_what_others_asked_does_not_wait(met: str) -> None:
    candidates = Candidates(Graph(), Interface(("a",)))
    value = Value("a", "x")
    if met == "before":
        number = candidates.graph.number(value)
        candidates.add_new()
        candidates.learn(QueryProgress(Query((value,)), number))
        assert not candidates.waits(number)
    else:
        candidates.learn(QueryProgress(Query((value,))))
        candidates.add([value, Value("a", "y")])
        assert [candidates.graph.texts[each] for each in candidates.add_new()] == ["y"]


ONE = Query((Value("a", "one"),))


def make_aborting(known: int) -> tuple[AbortingSelector, int]:
    """Make a selector over a graph with so many records of a value."""
    parts = SelectorParts(Graph(), Interface(("a",), page_size=10), Random(1))
    for number in range(known):
        parts.graph.add([Value("a", "one"), Value("b", str(number))])
    value = parts.graph.number(Value("a", "one"))
    return AbortingSelector(SELECTORS["breadth"](parts), parts), value


@pytest.mark.parametrize(
    ("total", "known", "pages", "new", "left"),
    [
        pytest.param(100, 10, 1, 10, False, id="all that follow are new"),
        pytest.param(100, 80, 1, 0, True, id="by the total, 20 new records on 9 pages"),
        pytest.param(None, 10, MIN_GUESSED_PAGES, 0, True, id="no total, and nothing new on several pages"),
        pytest.param(None, 10, MIN_GUESSED_PAGES - 1, 0, False, id="no total, and too few pages to tell"),
        pytest.param(None, 30, MIN_GUESSED_PAGES, 30, False, id="no total, and all new so far"),
    ],
)
def test_answers_that_bring_little_beside_others_are_left(
    total: int | None, known: int, pages: int, new: int, left: bool
) -> None:
    selector, value = make_aborting(known)
    selector.pace = 8.0
    asked = QueryProgress(ONE, value, pages=pages, records=10 * pages, new=new, total=total, more=True)
    assert bool(selector.why_abort(asked)) is left


def test_what_was_left_is_asked_again_when_it_promises_more_than_others_bring() -> None:
    selector, value = make_aborting(60)
    selector.seed([Value("a", "two"), Value("a", "three")])
    first = selector.choose()
    assert first == ONE
    selector.pace = 8.0
    selector.learn(QueryProgress(ONE, value, pages=1, records=10, total=100, more=True, aborted="expected too few"))
    assert selector.pace > 4, "40 new records on ten pages are fewer"
    assert selector.choose() == Query((Value("a", "two"),))
    selector.pace = 1.0
    assert selector.choose() == ONE
    assert not selector.why_abort(QueryProgress(ONE, value, pages=1, records=10, total=100, more=True)), (
        "now to its end"
    )
    assert selector.choose() == Query((Value("a", "three"),))


def test_what_was_left_and_came_with_others_is_not_asked_again() -> None:
    selector, value = make_aborting(60)
    assert selector.choose() == ONE
    selector.learn(QueryProgress(ONE, value, pages=1, records=10, total=100, more=True, aborted="expected too few"))
    for number in range(40):
        selector.parts.graph.add([Value("a", "one"), Value("c", str(number))])
    assert selector.choose() is None


def test_a_proof_is_not_wrapped() -> None:
    parts = SelectorParts(Graph(), Interface(("a",)), Random(1))
    assert isinstance(build_selector("complete", parts, abort="always"), ProvingSelector)
    assert isinstance(build_selector("auto", parts, abort="never"), PatientSelector)
    assert isinstance(build_selector("greedy", parts, abort="always"), AbortingSelector)
    assert type(build_selector("greedy", parts)) is SELECTORS["greedy"]
