"""One battery that every strategy passes, by its written form."""

from __future__ import annotations

import pytest

from dowse.errors import BadInput
from dowse.model import Link, Page
from dowse.strategy import STRATEGIES, build_strategy
from dowse.strategy.exhaustive import Exhaustive

PAGE = Page("http://e.com/", links=tuple(Link(f"http://e.com/{name}", place=place) for place, name in enumerate("abc")))


@pytest.mark.parametrize("name", STRATEGIES)
def test_battery(name: str) -> None:
    strategy = build_strategy(name)
    chosen = list(strategy.choose(PAGE, 0))
    assert chosen == list(strategy.choose(PAGE, 0)), "the same page gives the same choice"
    assert set(chosen) <= set(PAGE.links), "a strategy makes up no links"
    assert not list(strategy.choose(Page("http://e.com/"), 0))
    assert strategy.why_not(PAGE, 50)


def test_exhaustive_goes_down_to_its_depth() -> None:
    strategy = build_strategy("exhaustive:2")
    assert list(strategy.choose(PAGE, 1)) == list(PAGE.links)
    assert not list(strategy.choose(PAGE, 2))
    assert strategy.why_not(PAGE, 2) == "deeper than 2"
    assert build_strategy("exhaustive") == Exhaustive(3)


@pytest.mark.parametrize("text", ["", "best", "exhaustive:-1", "exhaustive:1000", "exhaustive:3.5", "exhaustive:³"])
def test_mistakes(text: str) -> None:
    with pytest.raises(BadInput):
        build_strategy(text)
