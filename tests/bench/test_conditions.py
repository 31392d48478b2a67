"""What forms ask is compared fairly: by sets of fields, and by labels as people read them."""

from __future__ import annotations

import pytest

from bench.conditions import Count, compare, normal
from dowse.form.conditions import Structure
from dowse.model import Condition, Control

TRUTH = {
    "conditions": [
        {"label": "Title", "fields": ["t"], "operator": "contains", "type": "text"},
        {"label": "Price", "fields": ["lo", "hi"], "operator": "range", "type": "number"},
    ],
    "not_conditions": [{"fields": ["s", "o"], "role": "sort"}],
}


def condition(label: str, *fields: str, operator: str = "contains", type: str = "text") -> Condition:
    return Condition(label, label.lower(), operator, type, fields)


def figures(*conditions: Condition, controls: tuple[Control, ...] = ()) -> dict[str, float]:
    count = Count()
    compare(TRUTH, Structure(conditions, controls), count)
    return count.figures()


@pytest.mark.parametrize(
    ("label", "same"),
    [("Title:", "title"), ("  Price\nrange ", "price range"), ("[ choose ]", "choose"), ("Year...", "year"), ("", "")],
)
def test_labels_are_compared_without_case_and_signs_at_the_ends(label: str, same: str) -> None:
    assert normal(label) == same


def test_all_right() -> None:
    right = figures(
        condition("TITLE:", "t"),
        condition("Price", "hi", "lo", operator="range", type="number"),
        controls=(Control(("s", "o"), "sort"),),
    )
    assert [right[name] for name in ("label_f1", "whole", "grouped", "operator", "type", "role")] == [1.0] * 6


def test_a_wrong_grouping_is_missed_and_said() -> None:
    wrong = figures(condition("Title", "t"), condition("Price", "lo"), condition("Price", "hi"))
    assert wrong["label_f1"] == pytest.approx(2 * 1 / (2 + 3))
    assert (wrong["whole"], wrong["grouped"]) == (0, 0.5)


def test_a_condition_too_many_spoils_the_form_alone() -> None:
    more = figures(
        condition("Title", "t"), condition("Price", "lo", "hi", operator="range", type="number"), condition("Sort", "s")
    )
    assert (more["whole"], more["grouped"], more["role"]) == (0, 1, 0)


def test_nameless_conditions_are_not_charged() -> None:
    assert figures(condition("Title", "t"), condition("x", ""))["label_f1"] == pytest.approx(2 / 3)
