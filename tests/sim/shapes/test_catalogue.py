"""Thirty shapes, all different, made of words that the tables know."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import pytest

from dowse.sim.shapes import SHAPES, Shape
from dowse.sim.shapes.addresses import HUBS, PAGINGS, TARGETS
from dowse.sim.shapes.pieces import DIVISIONS, ROLES
from dowse.sim.shapes.targets import SHARES


def test_there_are_thirty_and_no_two_are_alike() -> None:
    assert len(SHAPES) == 30
    told = {
        str({name: value for name, value in asdict(each).items() if name not in ("name", "summary")})
        for each in SHAPES.values()
    }
    assert len(told) == 30
    assert len({each.summary for each in SHAPES.values()}) == 30


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
def test_every_word_is_known(shape: Shape) -> None:
    assert {division for way in shape.ways for division in way} <= set(DIVISIONS)
    assert {shape.target, shape.older or shape.target} <= set(TARGETS)
    assert shape.hub in HUBS
    assert shape.paging in PAGINGS
    assert shape.entry in ("home", "below", "catalogue")
    assert shape.steps in ("next", "numbers")
    assert set(shape.parts) <= set(SHARES)
    assert set(shape.decoys) <= {"address", "news", "descriptions"}
    assert set(shape.boxes) <= {"newest", "featured", "popular"}
    assert set(shape.ties) <= {"related", "neighbours"}


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
def test_topics_have_what_lists_are_divided_by(shape: Shape) -> None:
    wanted = {"initial": "owner", "owner": "owner", "tag": "tags"}
    for way in shape.ways:
        for division in way:
            role = wanted.get(division)
            assert not role or all(getattr(ROLES[topic], role) for topic in shape.topics)


def test_every_style_of_address_and_list_is_used() -> None:
    assert {each for shape in SHAPES.values() for each in (shape.target, shape.older) if each} == set(TARGETS)
    assert {shape.hub for shape in SHAPES.values()} == set(HUBS)
    assert {division for shape in SHAPES.values() for way in shape.ways for division in way} == set(DIVISIONS)


def test_every_shape_is_told_in_the_docs() -> None:
    told = (Path(__file__).parents[3] / "docs" / "world.md").read_text()
    assert not [each.name for each in SHAPES.values() if f"| `{each.name}` | {each.summary} |" not in told]
