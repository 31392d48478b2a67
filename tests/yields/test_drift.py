"""A run that gives what was forecast is left alone; one that gives half of it is not."""

from __future__ import annotations

import math
from random import Random

import pytest

from dowse.yields import Drift, SiteYield, measure, predict
from dowse.yields.drift import find_boundary, measure_drift
from dowse.yields.ratio import Sums, gather
from tests.yields.populations import build_population, halve


def start(sampled: list[SiteYield], population: int = 10_000) -> Drift:
    return Drift(predict(measure("x", sampled), sampled, population))


def follow(drift: Drift, run: list[SiteYield]) -> int:
    """Return after how many sites the run was said to have left the forecast; 0 when never."""
    for count, site in enumerate(run, 1):
        drift.add(site.pages, site.forms)
        if drift.verdict():
            return count
    return 0


@pytest.mark.parametrize(
    ("forms", "side"), [pytest.param(0, "below", id="nothing more"), pytest.param(9, "above", id="a flood")]
)
def test_a_clear_change_is_said_in_words(forms: int, side: str) -> None:
    sampled = build_population(1, 400)
    drift = start(sampled)
    assert drift.verdict() == ""
    count = follow(drift, [SiteYield(20, forms, forms)] * 2_000)
    assert 30 <= count < 500
    assert f"after {count} sites the harvest is" in drift.verdict()
    assert f"{side} the forecast of {measure('x', sampled).harvest.value:.3g}" in drift.verdict()


def test_it_stays_said() -> None:
    drift = start(build_population(1, 400))
    follow(drift, [SiteYield(20, 9, 9)] * 500)
    said = drift.verdict()
    for site in build_population(2, 2_000):
        drift.add(site.pages, site.forms)
    assert drift.verdict() == said != ""


@pytest.mark.parametrize("sampled", [[], [SiteYield(9, 0, 0)] * 50], ids=["no sample", "no form"])
def test_without_a_forecast_nothing_is_left(sampled: list[SiteYield]) -> None:
    assert follow(start(sampled), [SiteYield(9, 0, 0)] * 300) == 0


def test_a_dead_site_changes_nothing() -> None:
    sample = gather([(1, 9), (0, 4), (2, 7)])
    assert measure_drift(sample, Sums().add(0, 0)) == 0
    assert measure_drift(sample, sample) == pytest.approx(0)


def test_the_boundary_is_wide_when_little_is_known() -> None:
    assert find_boundary(0) == math.inf
    assert find_boundary(2) > find_boundary(20) > find_boundary(150) > 2.5
    assert find_boundary(10_000) > find_boundary(150)  # it may be looked at for ever


@pytest.mark.slow
@pytest.mark.usefixtures("resample_less")
def test_it_does_not_cry_wolf() -> None:
    population, rng, runs = build_population(31, 20_000), Random(5), 120
    alarms = 0
    for _ in range(runs):
        drift = start(rng.sample(population, 300))
        alarms += follow(drift, rng.sample(population, 10_000)) > 0
    assert alarms <= 0.05 * runs


@pytest.mark.slow
@pytest.mark.usefixtures("resample_less")
def test_half_the_harvest_is_noticed_within_a_few_hundred_sites() -> None:
    population, rng = build_population(31, 20_000), Random(6)
    after = []
    for _ in range(60):
        drift = start(rng.sample(population, 1_000))
        after.append(follow(drift, [halve(site, rng) for site in rng.sample(population, 5_000)]) or 5_000)
    after.sort()
    assert after[30] < 400
    assert after[54] < 1_000
