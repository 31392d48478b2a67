"""What can be reached with a limit, what a limit loses, and pieces that are kept."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("scipy")

from bench.harvest.compare import judge_limit
from bench.harvest.cover import reach, reach_alone
from bench.harvest.databases import Database, Source
from bench.harvest.runs import pick_seed
from bench.kept import Kept
from dowse.model import Query, Record, Value


def make_source(*, limit: int, attributes: tuple[str, ...] = ("make", "year")) -> Source:
    """Make 6 x 6 pairs of a make and a year, three records of each."""
    rows = [(f"m{make}", f"y{year}") for make in range(6) for year in range(6) for _ in range(3)]
    records = [
        Record(tuple(Value(name, text) for name, text in zip(("make", "year"), row, strict=True)), key=str(number))
        for number, row in enumerate(rows)
    ]
    return Source(Database("cars", attributes, tuple(records)), limit=limit)


def test_boxes_can_be_filled_together_where_there_are_several() -> None:
    assert make_source(limit=5).interface.joins
    assert not make_source(limit=5, attributes=("make",)).interface.joins


def test_a_join_finds_what_has_all_of_its_values() -> None:
    source = make_source(limit=0)
    wanted = (Value("make", "m2"), Value("year", "y4"))
    found = source.match(Query(wanted))
    assert sorted(found) == [
        number for number, record in enumerate(source.database.records) if set(wanted) <= set(record.values)
    ]
    assert list(found) == sorted(found, key=source.order.__getitem__)
    assert not source.match(Query((Value("make", "m2"), Value("year", "never"))))


@pytest.mark.parametrize(
    ("limit", "whole"), [(0, True), (5, True), (2, False)], ids=["no limit", "more than a pair", "less than a pair"]
)
def test_joins_reach_what_they_tell_apart(limit: int, whole: bool) -> None:
    source = make_source(limit=limit)
    seed = Value("make", "m0")
    alone, joined = reach_alone(source, seed), reach(source, seed)
    assert alone <= joined
    assert (joined == len(source.database.records)) is whole
    assert (alone == joined) is (limit == 0)


def make_cell(drawn: dict[str, int], reachable: int) -> dict[str, Any]:
    """Make a source of 100 records of which so many percent were drawn with ten requests each."""
    curves = {name: [{"steps": [10] * some}] for name, some in drawn.items()}
    return {"records": 100, "reachable": [reachable], "curves": curves, "requests": {"greedy": {"90": 10.0}}}


def test_what_a_limit_loses_is_told_of_all_and_of_what_can_be_reached() -> None:
    lost = judge_limit(make_cell({"greedy": 30, "auto": 60}, reachable=60), make_cell({}, 100))
    assert lost["lost by greedy of 90 %"] == pytest.approx(2 / 3, abs=0.001)
    assert lost["ours over greedy of 90 %"] == pytest.approx(0.5, abs=0.001)
    assert lost["lost by greedy of what can be reached"] == pytest.approx(0.5)
    assert lost["ours over greedy of what can be reached"] == 0


def test_pieces_of_another_source_are_measured_again(tmp_path: Path) -> None:
    kept = Kept(tmp_path, "now")
    assert kept.find("movies/all") is None
    assert kept.add("movies/all", {"drawn": 1}) == {"drawn": 1}
    assert kept.find("movies/all") == {"drawn": 1}
    assert Kept(tmp_path, "later").find("movies/all") is None


def test_seeds_are_different_values_until_all_are_taken() -> None:
    source = make_source(limit=0, attributes=("make",))
    picked = [pick_seed(source, seed) for seed in range(1, 9)]
    assert len(set(picked)) == 8
    assert pick_seed(source, 20) in source.database.index


def test_a_source_shows_what_matches_in_an_order_of_its_seed() -> None:
    database = make_source(limit=5).database
    orders = [Source(database, seed=seed).match(Query((Value("make", "m1"),))) for seed in range(4)]
    assert len({tuple(order) for order in orders}) == 4
    assert len({tuple(sorted(order)) for order in orders}) == 1
