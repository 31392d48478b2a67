"""Ways to mend probabilities of topics do what their names say."""

from __future__ import annotations

from random import Random

import pytest

from bench.calibrations import WAYS, OddsRow, fit_length, fit_prior, fit_temperature, write_ways
from dowse.learn.calibrate import logistic


def drawn(slope: float, offset: float, short: float = 0.0, count: int = 4_000) -> list[OddsRow]:
    """Return rows whose true odds are a slope and an offset away from what is said."""
    rng = Random(1)
    said = [rng.uniform(-4, 4) for _ in range(count)]
    return [OddsRow(odds, rng.random() < logistic(slope * odds + offset), 1.0, short) for odds in said]


@pytest.mark.parametrize(
    "way", [name for name in WAYS if name != "as shipped" and "temperature" not in name and "length" not in name]
)
def test_a_way_finds_what_is_rarer_than_said(way: str) -> None:
    mend = WAYS[way][0](drawn(1.0, -2.0))
    assert logistic(mend(OddsRow(2.0, True, 1.0, 0.0))) == pytest.approx(0.5, abs=0.1)


def test_a_temperature_leaves_even_odds_as_they_are() -> None:
    mend = fit_temperature(drawn(0.5, 0.0))
    assert mend(OddsRow(4.0, True, 1.0, 0.0)) == pytest.approx(2.0, abs=0.2)
    assert mend(OddsRow(0.0, True, 1.0, 0.0)) == pytest.approx(0.0, abs=1e-6)


def test_a_shift_of_the_prior_leaves_the_slope() -> None:
    mend = fit_prior(drawn(1.0, 1.5))
    first, second = (mend(OddsRow(odds, True, 1.0, 0.0)) for odds in (-1.0, 1.0))
    assert second - first == pytest.approx(2.0, abs=1e-3)


def test_by_length_long_texts_stay_as_they_are() -> None:
    mend = fit_length([*drawn(1.0, 0.0), *drawn(0.4, -1.0, short=1.0)])
    assert mend(OddsRow(3.0, True, 1.0, 0.0)) == pytest.approx(3.0, abs=1e-3)
    assert mend(OddsRow(3.0, True, 1.0, 1.0)) == pytest.approx(0.2, abs=0.3)


def test_ways_are_written_with_their_worst_topics() -> None:
    row = {f"{what} {figure}": 0.1 for what in ("page", "site", "described") for figure in ("error", "f1")}
    assert "as shipped" in write_ways({"as shipped": row})
