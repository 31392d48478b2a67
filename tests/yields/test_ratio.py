"""Ratios over sites: by hand, at their ends, and repeated."""

from __future__ import annotations

import math
from collections import Counter
from pathlib import Path
from random import Random
from statistics import mean, stdev

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dowse.yields import SiteYield, measure, sample_size
from dowse.yields.ratio import (
    BOOTSTRAP,
    COUNT,
    EQ3,
    EXACT,
    LOGIT,
    MAX_RESAMPLED_SITES,
    MIN_NORMAL_SITES,
    MIN_RESAMPLED_SITES,
    RESAMPLES,
    STUDENT,
    UNKNOWN,
    Pair,
    Sums,
    estimate_part,
    estimate_plain,
    estimate_rate,
    find_share,
    gather,
    make_largest_site,
    pair_coverage,
    pair_site_coverage,
    resample_errors,
)
from tests.yields.populations import build_population

FEW: list[Pair] = [(0, 5), (2, 10), (1, 1), (4, 20), (1, 4)]
sites = st.lists(st.tuples(st.integers(0, 15), st.integers(0, 500)), min_size=0, max_size=60)


def test_sums_are_the_same_one_by_one() -> None:
    one_by_one = Sums()
    for top, bottom in FEW:
        one_by_one = one_by_one.add(top, bottom)
    assert one_by_one == gather(FEW) == gather(FEW[:2]).join(gather(FEW[2:]))


def test_the_error_is_the_linearised_one() -> None:
    ratio = 8 / 40
    stray = [top - ratio * bottom for top, bottom in FEW]
    by_hand = math.sqrt(5 / 4 * sum(each**2 for each in stray)) / 40
    assert gather(FEW).ratio == ratio
    assert gather(FEW).error == pytest.approx(by_hand)


def test_sites_that_all_give_the_same_have_no_error() -> None:
    assert gather([(0.1, 1)] * 7).error == 0


@pytest.mark.parametrize(("count", "captures", "method"), [(40, 1.95996, EQ3), (12, 2.20099, STUDENT)])
def test_a_mean_is_that_of_eq_3(count: int, captures: float, method: str) -> None:
    values = [Random(3).random() ** place for place in range(1, count + 1)]
    found = estimate_plain([(each, 1) for each in values])
    assert found.method == method
    assert found.value == pytest.approx(mean(values))
    assert found.high - found.value == pytest.approx(captures * stdev(values) / math.sqrt(count), rel=1e-4)


@pytest.mark.parametrize(
    ("pairs", "method"),
    [
        pytest.param([(0, 9)] * 50, COUNT, id="no form at all"),
        pytest.param([(0, 9)] * 50 + [(1, 9)] * 2, COUNT, id="two sites with forms"),
        pytest.param([(0, 9)] * 50 + [(1, 9)] * 3, BOOTSTRAP, id="enough to resample"),
        pytest.param([(0, 9), (1, 9)] * 1_001, EQ3, id="so many that all is the same"),
        pytest.param([], COUNT, id="nothing"),
    ],
)
def test_which_interval_a_rate_gets(pairs: list[Pair], method: str) -> None:
    assert estimate_rate(pairs, Random(1)).method == method


def test_no_form_seen_is_not_none_there() -> None:
    found = estimate_rate([(0, 10)] * 100, Random(1))
    assert (found.value, found.low) == (0, 0)
    assert found.high == pytest.approx(3.69 / 1000, rel=0.01)


def test_all_found_on_few_sites_is_not_certainty() -> None:
    few, many = (estimate_part([(3, 3)] * count) for count in (10, 100))
    assert few is not None
    assert many is not None
    assert (few.value, few.high, few.method) == (1, 1, EXACT)
    assert few.low < 0.75
    assert many.low == pytest.approx(0.025**0.01)


def test_nothing_found_is_the_other_end() -> None:
    none, some = estimate_part([(0, 3)] * 50), estimate_part([(0, 3)] * 49 + [(3, 3)])
    assert none is not None
    assert some is not None
    assert (none.value, none.low, none.high) == (0, 0, pytest.approx(1 - 0.025**0.02))
    assert some.method == LOGIT
    assert 0 < some.low < some.value < some.high
    assert some.high > none.high


def test_one_large_site_is_not_many() -> None:
    even, uneven = estimate_part([(3, 3)] * 20), estimate_part([(41, 41)] + [(1, 1)] * 19)
    assert even is not None
    assert uneven is not None
    assert uneven.low < even.low - 0.3


def test_sites_that_happen_to_be_alike_are_not_certainty() -> None:
    one, some, many = (estimate_part([(1, 2)] * count) for count in (1, 5, 50))
    assert one is not None
    assert some is not None
    assert many is not None
    assert one.high - one.low > 0.9
    assert 0.2 < some.high - some.low < 0.8
    assert 0 < many.high - many.low < 0.1


def test_nothing_to_have_a_part_of() -> None:
    assert estimate_part([(0, 0)] * 9) is None
    assert estimate_part([]) is None


def test_a_skewed_rate_reaches_further_up() -> None:
    found = estimate_rate([(0, 1)] * 40 + [(1, 1)] * 8 + [(9, 1)] * 2, Random(1))
    assert found.high - found.value > 1.3 * (found.value - found.low)


def test_the_same_seed_gives_the_same_interval() -> None:
    assert estimate_rate(FEW, Random(4)) == estimate_rate(FEW, Random(4)) != estimate_rate(FEW, Random(5))
    assert len(resample_errors(FEW, Random(1), 50)) <= 50


def test_the_site_that_may_have_been_missed() -> None:
    assert make_largest_site(FEW) == (8 / 5, 40)
    assert make_largest_site([(0, 1), (3, 1)]) == (6, 1)


def test_all_seen_is_certain() -> None:
    rate, part = estimate_rate(FEW, Random(1), share=0), estimate_part([(1, 2), (3, 3)], share=0)
    assert part is not None
    assert (rate.low, rate.high) == (rate.value, rate.value)
    assert part.half == pytest.approx(0, abs=1e-9)


@settings(max_examples=40, deadline=None)
@given(sites)
def test_an_interval_holds_its_value(pairs: list[Pair]) -> None:
    rate = estimate_rate(pairs, Random(1))
    assert 0 <= rate.low <= rate.value <= rate.high < math.inf
    part = estimate_part([(min(pair), pair[1]) for pair in pairs])
    if part is not None:
        assert 0 <= part.low <= part.value <= part.high <= 1


@settings(max_examples=40, deadline=None)
@given(sites.filter(lambda pairs: sum(1 for top, _ in pairs if top) >= 3))
def test_four_times_the_sites_narrow_it(pairs: list[Pair]) -> None:
    parts = [(min(pair), max(pair)) for pair in pairs]
    once, more = estimate_part(parts), estimate_part(parts * 4)
    assert once is not None
    assert more is not None
    assert more.half <= once.half + 1e-9
    assert estimate_plain(pairs * 4).half <= estimate_plain(pairs).half + 1e-9


SMALL = [SiteYield(10, 2, 4), SiteYield(30, 0, 0), SiteYield(5, 1, 1), SiteYield(0, 0, 0), SiteYield(5, 2, 5)]


@pytest.mark.parametrize(
    ("site", "harvest", "coverage"),
    [
        pytest.param(SiteYield(10, 2, 4), 0.2, 0.5, id="half of them"),
        pytest.param(SiteYield(0, 0, 2), 0.0, 0.0, id="no page"),
        pytest.param(SiteYield(8, 0, 0), 0.0, None, id="no form"),
    ],
)
def test_one_site(site: SiteYield, harvest: float, coverage: float | None) -> None:
    assert (site.harvest, site.coverage) == (harvest, coverage)


def test_pooled_and_mean_stand_side_by_side() -> None:
    found = measure("navmenu:3", SMALL)
    assert (found.name, found.sites, found.pages, found.forms) == ("navmenu:3", 5, 50, 5)
    assert found.harvest.value == pytest.approx(5 / 50)
    assert found.coverage.value == pytest.approx(5 / 10)
    assert found.site_harvest.value == pytest.approx((0.2 + 0.2 + 0.4) / 5)
    assert found.site_coverage.value == pytest.approx((0.5 + 1 + 0.4) / 3)


NONE, SOME, ALL = SiteYield(10, 0, 2), SiteYield(8, 1, 2), SiteYield(6, 2, 2)


@pytest.mark.parametrize(
    ("yields", "harvest", "coverage"),
    [
        pytest.param([NONE, SOME, ALL] * 10, BOOTSTRAP, LOGIT, id="30 sites: not Eq. 3"),
        pytest.param([NONE, SOME, ALL] * 30, BOOTSTRAP, LOGIT, id="90 sites: nor here"),
        pytest.param([NONE, SOME, ALL] * 667, EQ3, LOGIT, id="more than 2,000"),
        pytest.param([NONE, SOME, ALL], COUNT, LOGIT, id="two sites gave anything"),
        pytest.param([NONE] * 9, COUNT, EXACT, id="nothing found"),
        pytest.param([SOME, SOME, SOME], BOOTSTRAP, LOGIT, id="alike, but for the one that may be missed"),
        pytest.param([ALL] * 25, BOOTSTRAP, EXACT, id="nothing missed"),
        pytest.param([SiteYield(3, 0, 0)] * 9, COUNT, UNKNOWN.method, id="no form anywhere"),
    ],
)
def test_which_interval_there_is_for_what(yields: list[SiteYield], harvest: str, coverage: str) -> None:
    found = measure("x", yields)
    assert (found.harvest.method, found.coverage.method) == (harvest, coverage)
    assert (found.site_harvest.method, found.site_coverage.method) == (harvest, coverage)


def test_the_page_about_yields_names_every_method() -> None:
    page = (Path(__file__).parents[2] / "docs" / "yields.md").read_text()
    for method in (EQ3, STUDENT, BOOTSTRAP, LOGIT, EXACT, COUNT, UNKNOWN.method):
        assert f"`{method}`" in page
    for number in (RESAMPLES, MAX_RESAMPLED_SITES, MIN_RESAMPLED_SITES, MIN_NORMAL_SITES):
        assert f"{number:,}" in page


def test_more_found_than_exhaustive_search_did_is_all() -> None:
    found = measure("x", [SiteYield(5, 3, 2), SiteYield(5, 1, 0)])
    assert found.coverage.value == found.site_coverage.value == 1
    assert found.forms == 4


@pytest.mark.parametrize("yields", [[], [SiteYield(1, 0, 0)], [SiteYield(0, 0, 0)] * 40], ids=["none", "one", "dead"])
def test_without_forms_coverage_is_anything(yields: list[SiteYield]) -> None:
    found = measure("x", yields)
    assert (found.coverage.low, found.coverage.high) == (0, 1)
    assert found.harvest.high > found.harvest.low == 0


def test_the_part_that_was_sampled_is_known() -> None:
    yields = build_population(2, 200)
    free, half = measure("x", yields), measure("x", yields, population=400)
    whole = measure("x", yields, population=200)
    assert half.harvest.half == pytest.approx(free.harvest.half * 0.5**0.5, rel=0.01)
    assert half.coverage.half < free.coverage.half
    assert whole.harvest.half == whole.site_harvest.half == 0
    assert whole.coverage.half == pytest.approx(0, abs=1e-9)


def test_the_same_seed_gives_the_same_yield() -> None:
    yields = build_population(2, 60)
    assert measure("x", yields, seed=3) == measure("x", yields, seed=3) != measure("x", yields, seed=4)
    assert measure("x", yields, confidence=0.99).harvest.half > measure("x", yields).harvest.half


@pytest.mark.parametrize("figure", ["harvest", "coverage", "site_harvest", "site_coverage"])
def test_sample_size_gives_the_width(figure: str) -> None:
    yields = build_population(3, 6_000)
    first = yields[:300]
    width = getattr(measure("x", first), figure).half / 2
    needed = sample_size(first, width, figure)  # type: ignore[arg-type]
    assert needed == pytest.approx(1_200, rel=0.01)
    assert getattr(measure("x", yields[:needed]), figure).half == pytest.approx(width, rel=0.35)


def test_a_list_with_an_end_needs_fewer() -> None:
    yields = build_population(3, 200)
    width = measure("x", yields).harvest.half / 3
    assert sample_size(yields, width) > 1_500
    assert sample_size(yields, width, population=500) < 500
    assert sample_size(yields, 0, population=500) == 500
    assert sample_size(yields, 100) == 2


POPULATIONS = [
    pytest.param(0.15, 0.3, 200, id="coverage 0.9"),
    pytest.param(0.06, 0.0, 300, id="sites missed whole"),
]


@pytest.mark.usefixtures("resample_less")
@pytest.mark.parametrize(
    ("trials", "low", "high"), [(20, 0.75, 1.0), pytest.param(400, 0.93, 0.97, marks=pytest.mark.proof)]
)
@pytest.mark.parametrize(("missed", "found", "size"), POPULATIONS)
def test_intervals_hold_the_harvest(
    missed: float, found: float, size: int, trials: int, low: float, high: float
) -> None:
    population = build_population(11, missed=missed, found=found)
    truth = {
        "harvest": sum(site.forms for site in population) / sum(site.pages for site in population),
        "site_harvest": mean(site.harvest for site in population),
    }
    held: Counter[str] = Counter()
    rng = Random(1)
    for trial in range(trials):
        measured = measure("x", rng.sample(population, size), population=len(population), seed=trial)
        held.update(name for name, true in truth.items() if _holds(measured, name, true))
    assert {name: low <= held[name] / trials <= high for name in truth} == dict.fromkeys(truth, True), held


@pytest.mark.parametrize(
    ("trials", "low", "high"), [(100, 0.85, 1.0), pytest.param(1_500, 0.93, 0.98, marks=pytest.mark.proof)]
)
@pytest.mark.parametrize(("missed", "found", "size"), POPULATIONS)
def test_intervals_hold_the_coverage(
    missed: float, found: float, size: int, trials: int, low: float, high: float
) -> None:
    """Where sites are missed whole, too few are in a sample for its upper end to be wrong: 97.5 % hold, the most that may."""
    population = build_population(11, missed=missed, found=found)
    rng, share = Random(1), find_share(size, len(population))
    held = [0, 0]
    truths = [gather(pair(population)).ratio for pair in (pair_coverage, pair_site_coverage)]
    for _ in range(trials):
        drawn = rng.sample(population, size)
        for place, pair in enumerate((pair_coverage, pair_site_coverage)):
            part = estimate_part(pair(drawn), share=share)
            held[place] += part is not None and part.low <= truths[place] <= part.high
    assert all(low <= each / trials <= high for each in held), held


def _holds(measured: object, name: str, true: float) -> bool:
    interval = getattr(measured, name)
    return bool(interval.low <= true <= interval.high)
