"""How large a source is, judged while it is harvested."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace
from random import Random
from statistics import median

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dowse.model import Value
from dowse.yields.capture import CaptureHistory
from dowse.yields.size import (
    BY_CHAO,
    BY_RECAPTURES,
    BY_STATEMENT,
    DENIED,
    MAX_INFERRED_FACTOR,
    UNBOUNDED,
    CaptureProbability,
    Overlap,
    Recaptures,
    SamplingFrame,
    SizeEstimate,
    SizeEvidence,
    WeightedDraws,
    estimate_capture,
    estimate_chao,
    estimate_size,
    find_floor,
)
from tests.yields.sources import Harvest, build_nested_records, build_records


@pytest.mark.parametrize(
    ("seen", "once", "twice", "queries", "size"),
    [
        pytest.param(100, 0, 10, 0, 100, id="all seen twice or more"),
        pytest.param(100, 20, 9, 0, 119, id="Chao1"),
        pytest.param(100, 20, 9, 10, 117.1, id="Chao2: few queries say less"),
        pytest.param(100, 20, 0, 0, 290, id="none seen twice"),
    ],
)
def test_chao(seen: int, once: int, twice: int, queries: int, size: float) -> None:
    assert estimate_chao(seen, once, twice, queries=queries).value == pytest.approx(size)


def shown(rng: Random, size: int, draws: int) -> dict[int, int]:
    weights = [1 / (1 + place % 7) for place in range(size)]
    return dict(Counter(Counter(rng.choices(range(size), weights, k=draws)).values()))


def test_unequal_records_are_found_out() -> None:
    rng = Random(4)
    frequencies = [shown(rng, 1_000, 2_000) for _ in range(20)]
    for each in frequencies:
        seen = sum(each.values())
        assert seen < estimate_chao(seen, each[1], each[2]).value < 1_100


@given(st.dictionaries(st.integers(1, 30), st.integers(0, 1000), max_size=12))
def test_never_under_what_was_seen(frequencies: dict[int, int]) -> None:
    seen = sum(frequencies.values())
    found = estimate_chao(seen, frequencies.get(1, 0), frequencies.get(2, 0))
    assert seen <= found.low <= found.value <= found.high


USUAL = 0.8  # of any two records have no value in common


def overlap(queries: int, met: float, *, apart: float = USUAL, new: int = 4) -> Overlap:
    """Queries that each showed so many new records; a part of them met, a part unlike their lead."""
    found = Overlap()
    for _ in range(queries):
        found.add(new, new * met, 100)
        found.compare(new, round(new * apart))
    return found


def judge(overlaps: dict[int, Overlap]) -> CaptureProbability:
    return estimate_capture(overlaps, USUAL, 0.9)


def test_queries_that_bring_as_much_count_one_each() -> None:
    assert overlap(12, 0.5).queries == pytest.approx(12)


def test_one_query_that_brings_most_counts_little_more_than_one() -> None:
    found = overlap(10, 0.5, new=1)
    found.add(1_000, 500, 100)
    assert found.queries < 1.1


def test_what_was_seen_when_half_was_held_counts_a_quarter() -> None:
    found = overlap(8, 0.5)
    found.fade(200)
    assert found.queries == pytest.approx(2)
    assert found.share == 0.5


@pytest.mark.parametrize(
    ("apart", "usual", "least", "most"),
    [
        pytest.param(0.75, 0.75, 0.0, 0.05, id="as unlike as any two"),
        pytest.param(0.0, 0.75, 0.95, 1.0, id="within each other"),
        pytest.param(0.5, 0.75, 0.25, 0.4, id="some of both"),
        pytest.param(0.0, 0.01, 0.0, 0.0, id="nearly all records are alike"),
    ],
)
def test_kinship(apart: float, usual: float, least: float, most: float) -> None:
    assert least <= overlap(20, 1.0, apart=apart).find_dependence(usual) <= most


def test_the_lowest_route_is_believed() -> None:
    found = judge({1: overlap(30, 1.0), 2: overlap(30, 0.5)})
    assert found.by == 2
    assert found.share == pytest.approx(0.5, abs=0.03)
    assert found.most == 1.0


def test_one_query_that_is_low_by_chance_is_not() -> None:
    found = judge({1: overlap(30, 0.9), 2: overlap(1, 0.5)})
    assert found.share > 0.65


def test_what_lies_within_the_frame_says_nothing() -> None:
    nested, nothing = judge({1: overlap(50, 1.0, apart=0.0)}), judge({})
    independent = judge({1: overlap(50, 1.0)})
    assert nothing.least < nested.least < independent.least
    assert nested.least < 0.8 < 0.95 < independent.least


def test_kin_make_the_closed_part_less_sure() -> None:
    akin, strange = (judge({1: overlap(400, 0.9, apart=apart)}) for apart in (0.25, USUAL))
    assert akin.share == pytest.approx(strange.share, abs=0.01)
    assert akin.least < 0.9 * strange.least


overlaps = st.dictionaries(
    st.integers(-1, 5),
    st.builds(overlap, st.integers(0, 40), st.floats(0, 1), apart=st.floats(0, 1), new=st.integers(1, 10)),
    max_size=4,
)


@given(overlaps, st.floats(0, 1))
def test_a_share_lies_between_its_bounds(found: dict[int, Overlap], usual: float) -> None:
    judged = estimate_capture(found, usual, 0.9)
    assert 0 < judged.least <= judged.share <= judged.most <= 1


def harvest(
    seed: int, coverage: float, *, greedy: bool = False, lacking: float = 0.0, counts: bool = True
) -> CaptureHistory:
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
    sizes = [estimate_size(captures.evidence()) for captures in walks]
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


def _judge_several(coverage: float) -> list[SizeEstimate]:
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
    size = estimate_size(SizeEvidence(0))
    assert (size.size, size.low, size.high, size.method) == (0, 0, math.inf, BY_CHAO)


def test_without_totals_only_a_lower_bound_is_known() -> None:
    size = estimate_size(SizeEvidence(100, once=60, twice=20))
    assert size.method == BY_CHAO
    assert (size.low, size.size, size.high) == (100, 100, math.inf)
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
    captures = harvest(1, 0.5)
    captures.total = total
    size = estimate_size(captures.evidence())
    assert (size.method == BY_STATEMENT) is believed
    assert believed or any("not believed" in reason for reason in size.reasons)


def test_a_stated_total_that_is_all_harvested_is_believed() -> None:
    """Each record counts 1/d at each of its d values, and such sums end a little over a whole number."""
    frame = SamplingFrame(records=500, known=500.0000000000025)
    size = estimate_size(SizeEvidence(500, (frame,), total=500, counted=True))
    assert (size.method, size.low, size.size) == (BY_STATEMENT, 500, 500)
    assert estimate_size(SizeEvidence(501, (frame,), total=500, counted=True)).method != BY_STATEMENT


def test_count_lines_are_a_floor() -> None:
    frame = SamplingFrame(
        "kind", records=10, known=500.0, known_values=3, unknown=4.0, unknown_squares=6.0, unknown_values=3
    )
    assert find_floor(SizeEvidence(10, (frame,))) == 504


counts = st.floats(0, 1e6)
frames = st.builds(
    SamplingFrame,
    name=st.just("kind"),
    records=st.integers(0, 1000),
    known=counts,
    known_values=st.integers(0, 50),
    noise=counts,
    unknown=counts,
    unknown_squares=counts,
    unknown_values=st.integers(0, 1000),
    random_draws=st.builds(lambda scaled: WeightedDraws(1.0, scaled, 1.0, scaled, scaled * scaled), counts)
    | st.just(WeightedDraws()),
)


@given(st.integers(1, 1000), st.lists(frames, max_size=3), st.none() | st.integers(0, 10**7))
@settings(max_examples=200)
def test_never_under_what_is_held(held: int, found: list[SamplingFrame], total: int | None) -> None:
    size = estimate_size(SizeEvidence(held, tuple(found), total))
    assert held <= size.low <= size.size <= size.high
    assert 0 <= size.coverage_low <= size.coverage <= size.coverage_high <= 1
    assert isinstance(size, SizeEstimate)


def test_no_more_is_inferred_than_what_is_held_can_say() -> None:
    """One value drawn twice had a thousand times what was held of it."""
    draws = WeightedDraws()
    draws.add(2_000_000.0, 20.0)
    draws.add(2_000_000.0, 20.0)
    frame = SamplingFrame(
        "colour", records=20, unknown=20.0, unknown_squares=20.0, unknown_values=20, random_draws=draws
    )
    size = estimate_size(SizeEvidence(20, (frame,)))
    assert math.isinf(size.high)
    assert size.size == size.low < MAX_INFERRED_FACTOR * 20, "at least so many, and no cap"
    assert size.coverage_low == 0.0
    assert UNBOUNDED in size.reasons


def test_what_count_lines_say_is_no_inference() -> None:
    frame = SamplingFrame(
        "colour", records=20, known=50_000.0, known_values=20, random_draws=WeightedDraws(40.0, 2_000_000.0, 800.0)
    )
    size = estimate_size(SizeEvidence(20, (frame,)))
    assert size.low >= 49_000


def test_without_any_count_there_is_no_upper_end() -> None:
    """1,437 of 1,439 were held, and "about 43,110" was 30 times that."""
    size = estimate_size(SizeEvidence(1_437, (), once=300, twice=200, queries=90))
    assert 1_437 <= size.size == size.low < 2_000
    assert math.isinf(size.high)


def test_few_values_differ_even_where_those_seen_do_not() -> None:
    """Values of which half has a mark have more than two records for one with a mark: some have hardly any marks."""
    alike = Recaptures(parts=[(10, 20, 1.0)] * 3).estimate()[0]
    many = Recaptures(parts=[(10, 20, 1.0)] * 100).estimate()[0]
    apart = Recaptures(parts=[(4, 20, 1.0), (16, 20, 1.0)]).estimate()[0]
    assert 2 < many < 2.01 < alike < apart


def test_two_small_values_that_are_all_marked_do_not_say_that_nothing_is_left() -> None:
    few, many = (Recaptures(whole=[1.0] * count).estimate()[0] for count in (2, 100))
    assert few > 1.2 > 1.02 > many


def uncounted(**known: float | int | Recaptures) -> SizeEstimate:
    """Return the size by one frame that leads to all, where nobody counts."""
    frame = SamplingFrame("colour", records=1_000, overlaps={1: overlap(50, 1.0)})
    return estimate_size(SizeEvidence(1_000, (replace(frame, **known),), counted=False))  # type: ignore[arg-type]


def test_without_marks_a_frame_says_nothing() -> None:
    """All but ten records were of values that were read to their end: of the others, nothing was seen."""
    assert uncounted(known=990.0, unknown=10.0, unknown_values=5).method == BY_CHAO
    assert uncounted(known=990.0, unknown=10.0, unknown_values=5, marked=9.0, by_others=1_000).method == BY_RECAPTURES


def test_a_long_answer_hides_what_others_have() -> None:
    """940 of 1,000 records were shown by one answer of about 1,800; of the 60 that other queries brought, a third has other values."""
    size = uncounted(known=1_800.0, known_values=1, unknown=20.0, unknown_values=4, marked=20.0, by_others=60)
    assert size.low < 2_700 < size.high
    assert size.size > 2_400


def test_a_sample_that_says_less_than_is_harvested_is_none() -> None:
    size = uncounted(unknown=1_000.0, unknown_values=50, marked=600.0, recaptures=Recaptures([], [(19, 20, 1.0)] * 8))
    assert math.isinf(size.high)
    assert size.low == 1_000
    assert DENIED in size.reasons


def test_an_error_as_large_as_the_figure_leaves_no_lower_end_but_what_is_held() -> None:
    """Two values sampled say 30,000 and 14,000: a factor would make 'at least 1,200' of it, and there may be 1,000."""
    size = uncounted(
        unknown=1_000.0, unknown_values=50, unknown_squares=400_000.0, marked=900.0,
        recaptures=Recaptures([30.0, 14.0]),
    )  # fmt: skip
    assert (size.low, size.high) == (1_000, math.inf)
