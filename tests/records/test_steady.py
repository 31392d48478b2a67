"""What several answers say about one door."""

from __future__ import annotations

import pytest

from dowse.records.steady import judge_ignored, judge_shuffled, judge_totals

TEN = [f"record {number}" for number in range(10)]


@pytest.mark.parametrize(
    ("second", "ignored"),
    [
        pytest.param(TEN, True, id="the same"),
        pytest.param(TEN[::-1], True, id="the same in another order"),
        pytest.param([*TEN[:9], "another"], False, id="one of them another"),
        pytest.param([], False, id="none"),
    ],
)
def test_queries_that_do_not_matter(second: list[str], ignored: bool) -> None:
    assert judge_ignored(TEN, second).yes is ignored


def test_one_record_tells_nothing() -> None:
    assert judge_ignored(["a"], ["a"]).reason == "too few records to tell"


@pytest.mark.parametrize(
    ("second", "shuffled"),
    [
        pytest.param(TEN, False, id="the same"),
        pytest.param(TEN[::-1], True, id="another order"),
        pytest.param([f"other {number}" for number in range(10)], True, id="others"),
        pytest.param(["a"], False, id="too few"),
    ],
)
def test_the_same_query_twice(second: list[str], shuffled: bool) -> None:
    assert judge_shuffled(TEN, second).yes is shuffled


def test_totals() -> None:
    assert judge_totals([57, None, 57]).yes
    assert judge_totals([57, 1058]).reason == "the total changes between pages: 57 to 1,058"
