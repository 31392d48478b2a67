"""The strategy for a target, and what is said of it."""

from __future__ import annotations

import pytest

from dowse.errors import BadInput
from dowse.yields import Interval, Yield, choose


def build(name: str, harvest: float, coverage: float, spread: float = 0.05) -> Yield:
    rate = Interval(harvest, harvest * (1 - spread), harvest * (1 + spread), "")
    part = Interval(coverage, coverage - spread, min(1.0, coverage + spread), "")
    return Yield(name, 100, 1000, int(1000 * harvest), rate, part, rate, part)


ALL = build("exhaustive:10", 0.01, 1.0)
DEEP = build("exhaustive:3", 0.03, 0.95)
MENU = build("navmenu:3", 0.08, 0.91)
ROOT = build("exhaustive:0", 0.5, 0.3)


@pytest.mark.parametrize(
    ("yields", "coverage", "harvest", "name", "said"),
    [
        pytest.param([ALL, DEEP, MENU, ROOT], 0.85, None, "navmenu:3", "clearly", id="fastest that surely reaches it"),
        pytest.param([ALL, DEEP, MENU, ROOT], 0.9, None, "navmenu:3", "not certainly", id="only the sample reaches it"),
        pytest.param([ALL, DEEP, MENU], 0.99, None, "exhaustive:10", "not certainly", id="only one reaches it"),
        pytest.param([MENU, DEEP, ROOT], 0.99, None, "exhaustive:3", "none reaches coverage 0.99", id="none does"),
        pytest.param([ALL, DEEP, MENU, ROOT], None, 0.02, "exhaustive:3", "highest coverage", id="a harvest"),
        pytest.param([ALL, DEEP, MENU], None, 0.3, "navmenu:3", "none reaches yield 0.3", id="no such yield"),
        pytest.param([ALL, DEEP, MENU, ROOT], 0.9, 0.05, "navmenu:3", "yield 0.08", id="both"),
        pytest.param([ALL, DEEP, MENU], 0.99, 0.05, "exhaustive:10", "and yield 0.05", id="not both"),
        pytest.param([ALL, DEEP, MENU, ROOT], None, None, "navmenu:3", "0.9", id="unasked: nine in ten"),
        pytest.param(
            [ROOT, build("a", 0.3, 0.6), build("b", 0.02, 0.8)],
            None,
            None,
            "a",
            "compromise",
            id="unasked, none has it",
        ),
        pytest.param([build("nothing", 0.0, 0.0)], None, None, "nothing", "compromise", id="nothing found at all"),
    ],
)
def test_choice(yields: list[Yield], coverage: float | None, harvest: float | None, name: str, said: str) -> None:
    choice = choose(yields, coverage=coverage, harvest=harvest)
    assert choice.name == name
    assert said in choice.reason


def test_equal_harvest_takes_the_better_coverage() -> None:
    assert choose([build("a", 0.1, 0.91), build("b", 0.1, 0.97)], coverage=0.9).name == "b"


def test_nothing_to_choose_from() -> None:
    with pytest.raises(BadInput, match="no strategy"):
        choose([])
