"""The bench of forecasts, on a few sites of family A."""

from __future__ import annotations

import json

import pytest

from bench import forecasts
from bench.options import Options
from dowse.yields import SiteYield


@pytest.mark.proof
def test_forecasts_are_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forecasts, "STRATEGIES", ("exhaustive:0", "exhaustive:10", "navmenu:3"))
    monkeypatch.setattr(forecasts, "SITE_PAGES", 30)
    extent = forecasts.Extent(12, (6,), 4)
    result = json.loads(json.dumps(forecasts.measure_extent(Options(repeats=1), extent, "A", repetitions=5)))
    assert 0 < result["medians"]["cost"]["ratio"] < 5  # of two times: on a busy machine either may be longer
    assert set(result["holding"]["6"]) == {"exhaustive:0", "exhaustive:10", "navmenu:3"}
    assert result["truth"]["exhaustive:10"]["coverage"] in (0.0, 1.0)
    assert "exhaustive:0" in forecasts.table(result)
    assert "family A" in forecasts.notes(result)


def test_holding_is_counted_against_the_population() -> None:
    sites = [SiteYield(10 + number % 7, number % 2, number % 2) for number in range(200)]
    rates = forecasts.count_holding("x", sites, 60, 20)
    assert rates["coverage"] == 1.0
    assert 0.7 <= rates["harvest"] <= 1.0
    assert 0.7 <= rates["predicted forms"] <= 1.0
    assert forecasts.find_truth(sites)["forms"] == 100
