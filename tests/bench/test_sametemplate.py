"""The tasks of telling templates apart: what is a sample, what is counted, and that both ways tell plain kinds apart."""

from __future__ import annotations

from typing import Any

import pytest

from bench.sametemplate import (
    FIGURES,
    SCARCE,
    TURNS,
    Scored,
    map_turns,
    notes,
    part_turns,
    shape_all,
    sum_up,
    table,
    trace_all,
)
from bench.templatesets import Task
from dowse.tree.node import Node
from dowse.tree.similarity import MAX_REPEATS


def page(kind: str, number: int) -> Node:
    """A page of a kind in the frame of a site; every third has something more."""
    more = (Node("aside", {}, ("more",)),) if number % 3 == 0 else ()
    body = Node("div", {"class": kind}, (Node("h1", {}, ("title",)), Node(f"{kind}-part", {}, ("text",)), *more))
    return Node("html", {}, (Node("nav", {}, (Node("a", {}, ("home",)),)), body))


TASK = Task(
    "plain", "note", tuple(page("note", number) for number in range(12)), tuple(page("list", n) for n in range(12))
)


@pytest.mark.parametrize("count", [1, 3])
def test_plain_kinds_are_told_apart_by_traits(count: int) -> None:
    (traced,) = trace_all([TASK])
    scored = part_turns(traced, count)
    assert [(len(one.same), len(one.others)) for one in scored] == [(12 - count, 12)] * TURNS
    assert sum_up(scored)["plain"]["f1"] == 1


def test_plain_kinds_are_told_apart_by_mapping() -> None:
    (shaped,) = shape_all([TASK], MAX_REPEATS)
    scored = map_turns(*shaped)
    assert [(len(one.same), len(one.others)) for one in scored] == [(11, 12)] * TURNS
    assert sum_up(scored)["plain"]["f1"] == 1


def test_figures_are_means_of_tasks_and_the_best_threshold_is_told_beside_them() -> None:
    right = Scored("set", "a", (0.9, 0.8), (0.1, 0.2), 0.5, "")
    wrong = Scored("set", "b", (0.9, 0.4), (0.1, 0.6), 0.5, "")
    figures = sum_up([right, wrong])["set"]
    assert figures["tasks"] == 2
    assert figures["precision"] == figures["recall"] == figures["f1"] == pytest.approx(0.75)
    assert figures["least"] == pytest.approx(0.5)
    assert figures["best"] == pytest.approx((1 + 0.8) / 2)


def test_every_set_has_its_row_and_the_weak_spots_are_told() -> None:
    figures = dict.fromkeys((*FIGURES, "least", "best"), 0.5) | {"tasks": 3}
    kinds = ("1", "3", "scarce", "alone", "mapping", "mapping, scarce", "whole")
    clear = {"pairs": 10, "alike": 4, "unlike": 5, "wrong": 0}
    result: dict[str, Any] = {"sets": {kind: {"first": figures, "second": figures} for kind in kinds}, "clear": clear}
    assert [line.count("0.500") for line in table(result).splitlines()] == [0, 0, 10, 10]
    assert f"{SCARCE} of the template: first: 0.500; second: 0.500" in notes(result)
