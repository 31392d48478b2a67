"""Harvest and coverage with intervals, forecasts, the choice of a strategy, drift: pure statistics.

`measure` says what a strategy gave on sampled sites, `sample_size` how many are needed, `choose` which strategy to take,
`predict` what it will give on the whole list, `Drift` when a run leaves that forecast, and `estimate_found` how much of what
there is a search has found, by the links it left and a random part of them.
"""

from dowse.yields.choose import StrategyChoice, choose
from dowse.yields.forecast import (
    Drift,
    Forecast,
    predict,
    predict_others,
)
from dowse.yields.interval import Interval
from dowse.yields.missed import estimate_found
from dowse.yields.ratio import SiteYield, Yield, compare_prices, estimate_plain, measure, sample_size

__all__ = [
    "Drift",
    "Forecast",
    "Interval",
    "SiteYield",
    "StrategyChoice",
    "Yield",
    "choose",
    "compare_prices",
    "estimate_found",
    "estimate_plain",
    "measure",
    "predict",
    "predict_others",
    "sample_size",
]
