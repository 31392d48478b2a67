"""How large a source is, judged while it is harvested."""

from __future__ import annotations

import math
from dataclasses import replace
from statistics import median

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dowse.model import Value
from dowse.yields.frame import Draws, Frame
from dowse.yields.reach import Reach
from dowse.yields.size import MOST_TIMES, NO_END, NOTHING, SAID, Evidence, Size, estimate_size, find_floor
from tests.yields.sources import Harvest, build_nested_records, build_records


def harvest(seed: int, coverage: float, *, greedy: bool = False, lacking: float = 0.0, counts: bool = True) -> Reach:
    return Harvest(build_records(seed, lacking=lacking), seed, greedy=greedy, counts=counts).run(coverage)


@pytest.mark.parametrize(
    ("greedy", "lacking", "counts"),
    [
        pytest.param(False, 0.0, True, id="any value"),
        pytest.param(True, 0.0, True, id="largest value first"),
        pytest.param(True, 0.2, True, id="records that lack an attribute"),
        pytest.param(False, 0.0, False, id="no count line"),
    ],
)
@pytest.mark.parametrize("coverage", [0.3, 0.8])
def test_the_interval_holds_the_truth(greedy: bool, lacking: float, counts: bool, coverage: float) -> None:
    sizes = [
        estimate_size(harvest(seed, coverage, greedy=greedy, lacking=lacking, counts=counts).evidence())
        for seed in range(8)
    ]
    assert sum(size.low <= 2_000 <= size.high for size in sizes) >= 7


@pytest.mark.parametrize("coverage", [0.3, 0.6])
def test_attributes_within_each_other_do_not_make_it_falsely_sure(coverage: float) -> None:
    walks = [Harvest(build_nested_records(seed), seed, greedy=True).run(coverage) for seed in range(10)]
    sizes = [estimate_size(reach.evidence()) for reach in walks]
    assert sum(size.low <= 3_000 <= size.high for size in sizes) >= 8


def test_words_of_one_box_are_a_frame_too() -> None:
    sizes = []
    for seed in range(8):
        records = [
            replace(record, values=tuple(Value("", text) for _, text in record.values))
            for record in build_records(seed)
        ]
        sizes.append(estimate_size(Harvest(records, seed).run(0.5).evidence()))
    assert sum(size.low <= 2_000 <= size.high for size in sizes) >= 7


def test_more_coverage_makes_it_surer() -> None:
    early, late = (median(size.high - size.low for size in _judge_several(coverage)) for coverage in (0.3, 0.9))
    assert late < 0.5 * early
    assert late < 0.25 * 2_000


def _judge_several(coverage: float) -> list[Size]:
    return [estimate_size(harvest(seed, coverage, greedy=True).evidence()) for seed in range(7)]


def test_the_same_evidence_gives_the_same_size() -> None:
    assert estimate_size(harvest(5, 0.5).evidence()) == estimate_size(harvest(5, 0.5).evidence())


def test_evidence_does_not_change_while_the_harvest_goes_on() -> None:
    walk = Harvest(build_records(2), 2)
    evidence = walk.run(0.3).evidence()
    before = estimate_size(evidence)
    walk.run(0.6)
    assert estimate_size(evidence) == before


def test_nothing_held_is_nothing_known() -> None:
    size = estimate_size(Evidence(0))
    assert (size.size, size.low, size.high, size.method) == (0, 0, math.inf, NOTHING)


def test_without_totals_only_a_lower_bound_is_known() -> None:
    size = estimate_size(Evidence(100, once=60, twice=20))
    assert size.method == NOTHING
    assert size.low == 100 < size.size < size.high
    assert "nothing but a lower bound" in size.reasons[0]


@pytest.mark.parametrize(
    ("total", "believed"),
    [
        pytest.param(2_000, True, id="as judged"),
        pytest.param(10, False, id="fewer than are held"),
        pytest.param(5_000_000, False, id="far more than judged"),
    ],
)
def test_what_the_source_says_is_believed_when_nothing_speaks_against_it(total: int, believed: bool) -> None:
    reach = harvest(1, 0.5)
    reach.total = total
    size = estimate_size(reach.evidence())
    assert (size.method == SAID) is believed
    assert believed or any("not believed" in reason for reason in size.reasons)


def test_count_lines_are_a_floor() -> None:
    frame = Frame("kind", records=10, known=500.0, known_values=3, unknown=4.0, unknown_squares=6.0, unknown_values=3)
    assert find_floor(Evidence(10, (frame,))) == 504


counts = st.floats(0, 1e6)
frames = st.builds(
    Frame,
    name=st.just("kind"),
    records=st.integers(0, 1000),
    known=counts,
    known_values=st.integers(0, 50),
    noise=counts,
    unknown=counts,
    unknown_squares=counts,
    unknown_values=st.integers(0, 1000),
    drawn=st.builds(lambda scaled: Draws(1.0, scaled, 1.0, scaled, scaled * scaled), counts) | st.just(Draws()),
)


@given(st.integers(1, 1000), st.lists(frames, max_size=3), st.none() | st.integers(0, 10**7))
@settings(max_examples=200)
def test_never_under_what_is_held(held: int, found: list[Frame], total: int | None) -> None:
    size = estimate_size(Evidence(held, tuple(found), total))
    assert held <= size.low <= size.size <= size.high < math.inf
    assert 0 < size.coverage_low <= size.coverage <= size.coverage_high <= 1
    assert isinstance(size, Size)


def test_no_more_is_inferred_than_what_is_held_can_say() -> None:
    """One value drawn twice had a thousand times what was held of it."""
    draws = Draws()
    draws.add(2_000_000.0, 20.0)
    draws.add(2_000_000.0, 20.0)
    frame = Frame("colour", records=20, unknown=20.0, unknown_squares=20.0, unknown_values=20, drawn=draws)
    size = estimate_size(Evidence(20, (frame,), shown=200))
    assert size.size == MOST_TIMES * 20
    assert math.isinf(size.high)
    assert size.coverage_low == 0.0
    assert NO_END in size.reasons


def test_what_count_lines_say_is_no_inference() -> None:
    frame = Frame("colour", records=20, known=50_000.0, known_values=20, drawn=Draws(40.0, 2_000_000.0, 800.0))
    size = estimate_size(Evidence(20, (frame,), shown=200))
    assert size.size >= 49_000
    assert math.isfinite(size.high)
