"""What is said of a list before it is searched, and what it then gives."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from dowse.yields import Forecast, SiteYield, measure, predict, predict_others
from tests.yields.populations import build_population


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


@pytest.mark.slow
@pytest.mark.usefixtures("resample_less")
def test_the_list_gives_what_was_forecast() -> None:
    """Each trial draws a new list: the forecast is for what that list gives, not for the mean of all lists."""
    world, rng, trials, sample = build_population(21, 20_000), Random(2), 400, 200
    held: Counter[str] = Counter()
    for trial in range(trials):
        listed = rng.sample(world, 1_000)
        sampled, rest = listed[:sample], listed[sample:]
        measured = measure("x", sampled)
        held.update(f"whole {name}" for name in _count_held(predict(measured, sampled, 1_000, seed=trial), listed))
        held.update(f"rest {name}" for name in _count_held(predict_others(measured, sampled, 800, seed=trial), rest))
    rates = {name: count / trials for name, count in held.items()}
    assert len(rates) == 8
    assert all(0.93 <= rate <= 0.97 for rate in rates.values()), rates
