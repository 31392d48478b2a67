"""What Dowse took a form for is told by the rule of the score."""

from __future__ import annotations

import pytest

from bench.find import FOUND, UNSEEN, find_judged, list_strategies
from dowse.sim import World
from dowse.strategy import build_strategy


@pytest.mark.parametrize(
    ("kinds", "wanted"), [([], UNSEEN), (["other"], "other"), (["site-search", "database"], FOUND)]
)
def test_a_form_counts_as_found_when_any_sight_of_it_was_right(kinds: list[str], wanted: str) -> None:
    world = World(seed=1, sites=20, family="A")
    form = next(form for truth in world.truth() for form in truth.forms if form.kind == "database")
    found = [("http://site", kind, form.action, (*form.fields, *form.buttons)) for kind in kinds]
    elsewhere = [("http://site", FOUND, f"{form.action}/other", form.fields)]
    assert find_judged(form, found + elsewhere) == wanted


def test_every_strategy_of_the_table_can_be_built() -> None:
    assert [build_strategy(text) for text in list_strategies()]
