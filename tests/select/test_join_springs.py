"""What answers that were cut tell of what they hide."""

from __future__ import annotations

import pytest

from dowse.model import Query, Value
from dowse.select.graph import Graph
from dowse.select.join_springs import MOST_PARTNERS, Springs, count_matches, count_members, sample_members
from dowse.select.selector import Asked, Interface

FACE = Interface(("town", "street"), joins=True, page_size=10, limit=20)


@pytest.mark.parametrize(
    ("total", "records", "new", "known", "matches"),
    [
        pytest.param(95, 20, 20, 0, 95, id="as the answer says"),
        pytest.param(None, 20, 20, 0, 40, id="nothing was known: twice as many as are shown"),
        pytest.param(None, 19, 10, 49, 99, id="half of what it shows was known"),
        pytest.param(None, 20, 0, 20, 40, id="all that it shows was known"),
    ],
)
def test_counts_matches(total: int | None, records: int, new: int, known: float, matches: float) -> None:
    assert count_matches(Asked(Query(), records=records, new=new, total=total), known) == pytest.approx(matches)


def build(streets: list[str]) -> Graph:
    graph = Graph()
    for street in streets:
        graph.add([Value("town", "Linz"), Value("street", street)])
    return graph


def test_counts_records_that_have_all_values() -> None:
    graph = build(["a"] * 30 + ["b"] * 10)
    town, street = graph.number(Value("town", "Linz")), graph.number(Value("street", "a"))
    assert count_members(graph, (town, street)) == 30
    assert count_members(graph, (street, graph.number(Value("street", "b")))) == 0


def test_counts_many_records_by_a_sample() -> None:
    graph = build(["a", "b"] * 2000)
    town, street = graph.number(Value("town", "Linz")), graph.number(Value("street", "a"))
    looked, each = sample_members(graph, (town, street))
    assert len(looked) <= 200
    assert len(looked) * each == pytest.approx(2000, rel=0.05)


def spring_partners(streets: list[str], cut: list[str], hidden: int) -> dict[str, tuple[float, float]]:
    graph, face = build(streets), FACE
    springs = Springs(graph, face)
    for text in cut:
        number = graph.number(Value("street", text))
        springs.add((number,), Asked(Query(), number, records=20, total=40), 20)
    town = graph.number(Value("town", "Linz"))
    fresh = list(graph.records_of(town)[-20:])
    spring = springs.add(
        (town,), Asked(Query(), town, records=20, new=20, total=len(streets) + hidden, fresh=fresh), len(streets) - 20
    )
    return {graph.texts[value]: (matches, known) for value, matches, known in springs.find_partners(spring)}


def test_shares_out_what_is_hidden_as_what_was_shown() -> None:
    found = spring_partners(["a"] * 20 + ["b", "b", "b", "a"] * 5, ["a", "b"], hidden=100)
    assert found["b"][0] - found["b"][1] > 2 * (found["a"][0] - found["a"][1]), "by what is new, not by what is held"
    assert sum(matches - known for matches, known in found.values()) == pytest.approx(100, rel=0.01)


def test_leaves_out_values_that_were_not_cut() -> None:
    assert set(spring_partners(["a", "b"] * 20, ["a"], hidden=100)) == {"a"}


def test_expects_something_of_values_that_were_never_seen_beside_it() -> None:
    often = spring_partners(["a"] * 40, ["a", "c"], hidden=1000)
    rarely = spring_partners(["a"] * 30 + [f"s{number}" for number in range(10)], ["a", "c"], hidden=1000)
    assert 0 < often["c"][0] < rarely["c"][0], "where many values stand once, more are to come"


def test_has_a_bounded_number_of_partners() -> None:
    streets = [f"s{number % 150}" for number in range(300)]
    assert len(spring_partners(streets, [f"s{number}" for number in range(150)], hidden=10_000)) <= MOST_PARTNERS
