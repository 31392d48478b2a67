"""Training of the link model on a few sites: what pages are worth, the same model again, a model that learned something."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest

from dowse.sample.record import Recording
from dowse.sim import World
from dowse.strategy.learned import LearnedStrategy, LinkModel
from dowse.train.links import (
    FEW_WAIT_COVERAGE,
    GRID,
    MANY_WAIT_COVERAGE,
    TrainingSites,
    measure,
    measure_named,
    record_world,
    set_worths,
    train_links,
    value_pages,
    walk,
    write_model,
)

pytest.importorskip("scipy")
pytestmark = pytest.mark.xdist_group("recordings")
SITES = 24
FEW = 6


@pytest.fixture(scope="module")
def few() -> list[Recording]:
    return record_world(World(7, SITES), range(FEW))


@pytest.fixture(scope="module")
def recordings(few: list[Recording]) -> list[Recording]:
    return few + record_world(World(7, SITES), range(FEW, SITES))


def test_a_page_is_worth_its_forms_and_half_of_what_lies_below(few: list[Recording]) -> None:
    rich = max(few, key=lambda each: each.total)
    values = value_pages(rich)
    assert set(values) == set(rich.visits)
    assert max(values, key=lambda url: values[url]) == rich.seed.site.root
    assert sum(values.values()) > rich.total
    assert not any(value_pages(each) and sum(value_pages(each).values()) for each in few if not each.total)


def test_a_walk_notes_what_it_follows(few: list[Recording]) -> None:
    rich = max(few, key=lambda each: each.total)
    examples = walk(rich, LinkModel(-3000, {}), Random(1), random_share=1.0, pages=30)
    assert 10 < len(examples) < 40
    assert any(each.forms for each in examples)
    assert all(any(fact.startswith("depth ") for fact in each.facts) for each in examples)
    assert examples == walk(rich, LinkModel(-3000, {}), Random(1), random_share=1.0, pages=30)
    assert examples != walk(rich, LinkModel(-3000, {}), Random(2), random_share=1.0, pages=30)


def test_the_same_few_sites_give_the_same_model_and_it_saves_pages(few: list[Recording]) -> None:
    model = train_links([TrainingSites(few)])
    assert model == train_links([TrainingSites(few)])
    usual = measure_named("exhaustive:3", few)
    assert measure("own", LearnedStrategy(0.05, model), few).harvest > 1.5 * usual.harvest, (
        "on the sites that it learned from"
    )


@pytest.mark.proof
def test_the_same_sites_give_the_same_model_and_it_saves_pages(recordings: list[Recording], tmp_path: Path) -> None:
    model = train_links([TrainingSites(recordings)])
    assert model == train_links([TrainingSites(recordings)])
    usual = measure_named("exhaustive:3", recordings)
    own = measure("own", LearnedStrategy(0.05, model), recordings)
    assert own.harvest > 3 * usual.harvest, "on the sites that it learned from"
    assert write_model(model, tmp_path / "links.json") > 1_000
    data = json.loads((tmp_path / "links.json").read_text())
    assert data["page_worth"] == model.page_worth
    assert data["weights"] == dict(model.weights)


def test_what_a_page_must_promise_follows_from_the_coverage_that_settings_reached() -> None:
    reached = {worth: min(1.0, 0.8 + 0.02 * place) for place, worth in enumerate(GRID)}
    model = set_worths(LinkModel(0, {}), reached)
    assert model.page_worth == max(worth for worth, part in reached.items() if part >= MANY_WAIT_COVERAGE)
    assert model.thorough_worth == max(worth for worth, part in reached.items() if part >= FEW_WAIT_COVERAGE)
    assert set_worths(LinkModel(0, {}), {0.1: 0.5}).page_worth == GRID[-1], "never reached: as thorough as there is"
