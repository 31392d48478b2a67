"""Harvest and coverage with intervals, forecasts, the choice of a strategy, drift: pure statistics.

`measure` says what a strategy gave on sampled sites, `sample_size` how many are needed, `choose` which strategy to take,
`predict` what it will give on the whole list, `Drift` when a run leaves that forecast, and `estimate_from_expected` and
`estimate_from_unfollowed` how much of what there is a search has found.
"""

from dowse.yields.choose import StrategyChoice, choose
from dowse.yields.forecast import (
    Drift,
    Forecast,
    Level,
    estimate_from_expected,
    estimate_from_unfollowed,
    predict,
    predict_others,
)
from dowse.yields.interval import Interval
from dowse.yields.ratio import SiteYield, Yield, estimate_plain, measure, sample_size

__all__ = [
    "Drift",
    "Forecast",
    "Interval",
    "Level",
    "SiteYield",
    "StrategyChoice",
    "Yield",
    "choose",
    "estimate_from_expected",
    "estimate_from_unfollowed",
    "estimate_plain",
    "measure",
    "predict",
    "predict_others",
    "sample_size",
]
