"""What is said of a list before it is searched, and what it then gives."""

from __future__ import annotations

import math
from collections import Counter
from random import Random

import pytest

from dowse.yields import (
    Drift,
    Forecast,
    SiteYield,
    measure,
    predict,
    predict_others,
)
from dowse.yields.forecast import find_boundary, measure_drift
from dowse.yields.ratio import Sums, gather
from tests.yields.populations import build_population, halve


def facts(sites: list[SiteYield]) -> dict[str, float]:
    pages, forms, total = (sum(getattr(site, name) for site in sites) for name in ("pages", "forms", "total"))
    return {"pages": pages, "forms": forms, "harvest": forms / pages, "coverage": forms / total}


def test_totals_are_means_times_sites() -> None:
    sampled = build_population(1, 100)
    forecast = predict(measure("x", sampled), sampled, 1_000)
    assert (forecast.name, forecast.sites) == ("x", 1_000)
    assert forecast.pages.value == pytest.approx(10 * sum(site.pages for site in sampled))
    assert forecast.forms.value == pytest.approx(10 * sum(site.forms for site in sampled))
    assert forecast.harvest.value == measure("x", sampled).harvest.value


def test_a_list_that_was_sampled_whole_is_known() -> None:
    sampled = build_population(1, 100)
    forecast = predict(measure("x", sampled), sampled, 100)
    for name, fact in facts(sampled).items():
        interval = getattr(forecast, name)
        assert (interval.low, interval.high) == (pytest.approx(fact), pytest.approx(fact))


def test_what_was_counted_will_not_be_less() -> None:
    sampled = [SiteYield(10, 0, 0)] * 30 + [SiteYield(10, 1, 1)]
    forecast = predict(measure("x", sampled), sampled, 40)
    assert forecast.forms.low >= 1
    assert forecast.pages.low >= 310


def test_other_sites_are_less_sure_the_fewer_they_are() -> None:
    sampled = build_population(1, 100)
    measured = measure("x", sampled)
    few, many = (predict_others(measured, sampled, sites) for sites in (50, 5_000))
    assert few.harvest.half > many.harvest.half > predict(measured, sampled, 5_000).harvest.half


@pytest.mark.parametrize("sampled", [[], [SiteYield(0, 0, 0)] * 3], ids=["nothing", "dead sites"])
def test_a_sample_that_says_nothing(sampled: list[SiteYield]) -> None:
    forecast = predict(measure("x", sampled), sampled, 100)
    assert forecast.forms.value == 0 < forecast.forms.high
    assert (forecast.coverage.low, forecast.coverage.high) == (0, 1)


def _count_held(forecast: Forecast, sites: list[SiteYield]) -> list[str]:
    return [
        name
        for name, fact in facts(sites).items()
        if getattr(forecast, name).low <= fact <= getattr(forecast, name).high
    ]


@pytest.mark.usefixtures("resample_less")
@pytest.mark.parametrize(
    ("trials", "low", "high"), [(20, 0.75, 1.0), pytest.param(400, 0.93, 0.97, marks=pytest.mark.proof)]
)
def test_the_list_gives_what_was_forecast(trials: int, low: float, high: float) -> None:
    """Each trial draws a new list: the forecast is for what that list gives, not for the mean of all lists."""
    world, rng, sample = build_population(21, 20_000), Random(2), 200
    held: Counter[str] = Counter()
    for trial in range(trials):
        listed = rng.sample(world, 1_000)
        sampled, rest = listed[:sample], listed[sample:]
        measured = measure("x", sampled)
        held.update(f"whole {name}" for name in _count_held(predict(measured, sampled, 1_000, seed=trial), listed))
        held.update(f"rest {name}" for name in _count_held(predict_others(measured, sampled, 800, seed=trial), rest))
    rates = {name: count / trials for name, count in held.items()}
    assert len(rates) == 8
    assert all(low <= rate <= high for rate in rates.values()), rates


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
    assert f"after {count} sites the yield is" in drift.verdict()
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


@pytest.mark.usefixtures("resample_less")
@pytest.mark.parametrize(("runs", "sites"), [(4, 2_000), pytest.param(120, 10_000, marks=pytest.mark.proof)])
def test_it_does_not_cry_wolf(runs: int, sites: int) -> None:
    population, rng = build_population(31, 20_000), Random(5)
    alarms = 0
    for _ in range(runs):
        drift = start(rng.sample(population, 300))
        alarms += follow(drift, rng.sample(population, sites)) > 0
    assert alarms <= 0.05 * runs


@pytest.mark.usefixtures("resample_less")
@pytest.mark.parametrize("runs", [4, pytest.param(60, marks=pytest.mark.proof)])
def test_half_the_harvest_is_noticed_within_a_few_hundred_sites(runs: int) -> None:
    population, rng = build_population(31, 20_000), Random(6)
    after = []
    for _ in range(runs):
        drift = start(rng.sample(population, 1_000))
        after.append(follow(drift, [halve(site, rng) for site in rng.sample(population, 5_000)]) or 5_000)
    after.sort()
    assert after[runs // 2] < 400
    assert after[runs * 9 // 10] < 1_000
