"""Yields of a strategy: exact where they are counted, and held by their intervals where they are inferred."""

from __future__ import annotations

from collections import Counter
from random import Random
from statistics import mean

import pytest

from dowse.yields import SiteYield, measure, sample_size
from dowse.yields.measure import find_share, pair_coverage, pair_site_coverage
from dowse.yields.ratio import estimate_part, gather
from tests.yields.populations import build_population

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


@pytest.mark.slow
@pytest.mark.usefixtures("resample_less")
@pytest.mark.parametrize(("missed", "found", "size"), POPULATIONS)
def test_intervals_hold_the_harvest(missed: float, found: float, size: int) -> None:
    population = build_population(11, missed=missed, found=found)
    truth = {
        "harvest": sum(site.forms for site in population) / sum(site.pages for site in population),
        "site_harvest": mean(site.harvest for site in population),
    }
    held: Counter[str] = Counter()
    rng, trials = Random(1), 400
    for trial in range(trials):
        measured = measure("x", rng.sample(population, size), population=len(population), seed=trial)
        held.update(name for name, true in truth.items() if _holds(measured, name, true))
    assert {name: 0.93 <= held[name] / trials <= 0.97 for name in truth} == dict.fromkeys(truth, True), held


@pytest.mark.slow
@pytest.mark.parametrize(("missed", "found", "size"), POPULATIONS)
def test_intervals_hold_the_coverage(missed: float, found: float, size: int) -> None:
    """Where sites are missed whole, too few are in a sample for its upper end to be wrong: 97.5 % hold, the most that may."""
    population = build_population(11, missed=missed, found=found)
    rng, trials, share = Random(1), 1_500, find_share(size, len(population))
    held = [0, 0]
    truths = [gather(pair(population)).ratio for pair in (pair_coverage, pair_site_coverage)]
    for _ in range(trials):
        drawn = rng.sample(population, size)
        for place, pair in enumerate((pair_coverage, pair_site_coverage)):
            part = estimate_part(pair(drawn), share=share)
            held[place] += part is not None and part.low <= truths[place] <= part.high
    assert all(0.93 <= each / trials <= 0.98 for each in held), held


def _holds(measured: object, name: str, true: float) -> bool:
    interval = getattr(measured, name)
    return bool(interval.low <= true <= interval.high)
