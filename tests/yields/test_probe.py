"""Which value is asked for only to learn from it."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from dowse.model import Value
from dowse.select.graph import Graph
from dowse.yields.probe import allow_probes, choose_probe
from dowse.yields.reach import Reach
from tests.yields.sources import Harvest, build_records


def test_nothing_to_draw_from() -> None:
    assert choose_probe(Reach(Graph()), Random(1)) is None


def test_values_are_drawn_in_proportion_to_what_is_held() -> None:
    graph = Graph()
    for colour in ("red", "red", "red", "blue"):
        graph.add([Value("colour", colour)])
    reach = Reach(graph)
    reach.add(reach.begin(-1), [0, 1, 2, 3])
    rng = Random(1)
    drawn = Counter(choose_probe(reach, rng) for _ in range(4_000))
    assert drawn[0] / 4_000 == pytest.approx(0.75, abs=0.03)


def test_a_told_value_is_not_drawn_again() -> None:
    reach = Harvest(build_records(1), 1).run(0.3)
    for seed in range(50):
        value = choose_probe(reach, Random(seed))
        assert value is not None
        assert reach.totals[value] < 0


def test_only_what_can_be_asked_for_is_drawn() -> None:
    reach = Harvest(build_records(1), 1).run(0.3, probes=False)
    values = {choose_probe(reach, Random(seed), lambda name: name == "place") for seed in range(20)} - {None}
    places = {reach.holdings.attributes[reach.holdings.attribute_of[value]] for value in values if value is not None}
    assert places == {"place"}


@pytest.mark.parametrize(("requests", "allowed"), [(0, 0), (100, 5), (1_000, 50), (11_000, 250)])
def test_probes_are_a_small_part_of_the_requests(requests: int, allowed: float) -> None:
    assert allow_probes(requests) == pytest.approx(allowed)
