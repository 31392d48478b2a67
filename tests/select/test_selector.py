"""Values that wait: met, taken by the interface, not asked for."""

from __future__ import annotations

import pytest

from dowse.model import Query, Value
from dowse.select.graph import Graph
from dowse.select.selector import Candidates, Interface, QueryProgress, takes_alone


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
