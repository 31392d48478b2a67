"""How doors on software that was left out are counted."""

from __future__ import annotations

import pytest

from bench.judge import JudgedForm, count_claims, notes, sum_up, table

JUDGED = [
    JudgedForm("a", "door", "database", "site-search", "database", ("links page through its answers",)),
    JudgedForm("a", "box", "site-search", "database", "database", ()),
    JudgedForm("b", "catalogue", "database", "database", "database", ()),
    JudgedForm("b", "login", "login", "login", "login", ()),
]


@pytest.mark.parametrize(("way", "precision", "recall"), [("first", 1 / 2, 1 / 2), ("best", 2 / 3, 1.0)])
def test_claims_are_counted(way: str, precision: float, recall: float) -> None:
    figures = count_claims(JUDGED, way)
    assert figures == {"precision": precision, "recall": recall, "doors": 2, "claimed": figures["claimed"]}


def test_nothing_claimed_is_no_mistake() -> None:
    assert count_claims(JUDGED[3:], "first") == {"precision": 1.0, "recall": 1.0, "doors": 0, "claimed": 0}


def test_every_mistake_is_told_with_its_reasons() -> None:
    result = {"absent": ["c"], **sum_up(JUDGED)}
    assert [one["form"] for one in result["wrong"]] == ["a/door", "a/box"]
    assert "links page through its answers" in table(result)
    assert "4 forms of 2 programs" in notes(result)
    assert "do not run: c" in notes(result)
