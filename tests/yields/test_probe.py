"""Which value is asked for only to learn from it."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from dowse.model import Value
from dowse.select.graph import Graph
from dowse.yields.probe import allow_probes, choose_probe
from dowse.yields.reach import Reach
from tests.yields.sources import Harvest, build_nested_records, build_records


def test_nothing_to_draw_from() -> None:
    assert choose_probe(Reach(Graph()), Random(1)) is None


def test_values_are_drawn_in_proportion_to_what_is_held() -> None:
    graph = Graph()
    for colour in ("red", "red", "red", "blue"):
        graph.add([Value("colour", colour)])
    reach = Reach(graph)
    reach.add(reach.begin(-1), [0, 1, 2, 3], total=4)
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


def count_probes(reach: Reach, turns: int) -> Counter[str]:
    """Draw as many probes as there are turns, each third for another attribute, and count them by attribute."""
    found: Counter[str] = Counter()
    for turn in range(turns):
        reach.probes = turn
        value = choose_probe(reach, Random(turn))
        if value is not None:
            found[reach.holdings.attributes[reach.holdings.attribute_of[value]]] += 1
    return found


def test_each_third_probe_asks_another_attribute() -> None:
    found = count_probes(Harvest(build_records(1), 1).run(0.3), 300)
    assert found.most_common(1)[0][1] == pytest.approx(200, abs=5)
    assert len(found) > 1


def test_what_lies_within_the_best_frame_is_hardly_asked() -> None:
    reach = Harvest(build_nested_records(3), 3).run(0.3)
    found = count_probes(reach, 300)
    best = found.most_common(1)[0][0]
    assert best != "name"
    assert found["name"] > 50
    assert sum(found.values()) - found[best] - found["name"] < 40


def test_where_answers_must_be_read_to_their_end_short_ones_are_drawn() -> None:
    reach = Harvest(build_records(2), 2, counts=False).run(0.3, probes=False)
    assert "kind" not in count_probes(reach, 90)


@pytest.mark.parametrize(("requests", "allowed"), [(0, 0), (100, 5), (1_000, 50), (11_000, 250)])
def test_probes_are_a_small_part_of_the_requests(requests: int, allowed: float) -> None:
    assert allow_probes(requests) == pytest.approx(allowed)
