"""The figures to reach are figures of experiments that exist."""

from __future__ import annotations

import json
from typing import Any

import pytest

pytest.importorskip("scipy")

from bench.__main__ import EXPERIMENTS, SHORT
from bench.places import FLOORS

ALL: dict[str, list[dict[str, Any]]] = json.loads(FLOORS.read_text())


def test_every_experiment_has_what_the_bench_asks_of_it() -> None:
    for name, experiment in EXPERIMENTS.items():
        assert experiment.TITLE, name
        assert all(callable(getattr(experiment, part)) for part in ("run", "table", "notes")), name
    assert set(SHORT) <= set(EXPERIMENTS)


@pytest.mark.parametrize("name", ALL)
def test_a_floor_has_a_figure_and_one_bound(name: str) -> None:
    assert name in EXPERIMENTS
    for floor in ALL[name]:
        assert floor["what"]
        assert floor["at"]
        assert ("least" in floor) != ("most" in floor), floor["what"]
