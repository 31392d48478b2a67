"""What a sample says: how much each strategy yields, which one to take, what it will give on the whole list."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dowse.errors import DowseError
from dowse.yields import Choice, Forecast, SiteYield, Yield, choose, measure, predict, predict_others, sample_size

WIDTH = 0.02  # that an interval may reach to either side, for the sample size that is told


@dataclass(frozen=True, slots=True)
class Target:
    """What a strategy has to reach: a coverage, a harvest, or what is usual when nobody says."""

    coverage: float | None = None
    harvest: float | None = None


@dataclass(frozen=True, slots=True)
class SiteSample:
    """What the strategies gave on one sampled site; or why nothing could be had there."""

    site: str
    pages: int  # of the recording
    given: Mapping[str, SiteYield]  # by strategy
    error: str = ""
    missing: int = 0  # pages that strategies wanted and the recording does not have


@dataclass(frozen=True, slots=True)
class Judged:
    """A sample as it was judged."""

    yields: tuple[Yield, ...]  # of each strategy, over the sites that could be searched
    choice: Choice
    whole: Forecast  # of the strategy chosen, on the whole list, the sample included
    rest: Forecast  # on what is left of the list
    sites: int
    failed: int
    needed: Mapping[str, int]  # sites for an interval of +-0.02, by figure, with the strategy chosen


def judge_sample(samples: Sequence[SiteSample], strategies: Sequence[str], population: int, target: Target) -> Judged:
    """Measure the strategies, choose one for the target, and forecast what it gives on a list of so many sites."""
    fine = [each for each in samples if not each.error]
    if not fine:
        reason = f" ({samples[0].site}: {samples[0].error})" if samples else ""
        raise DowseError(f"none of the {len(samples):,} sampled sites could be searched{reason}")
    given = {name: [each.given[name] for each in fine] for name in strategies}
    yields = tuple(measure(name, some, population=population) for name, some in given.items())
    choice = choose(yields, coverage=target.coverage, harvest=target.harvest)
    chosen = next(each for each in yields if each.name == choice.name)
    with_failed = [*given[choice.name], *(SiteYield(each.pages, 0, 0) for each in samples if each.error)]
    return Judged(
        yields,
        choice,
        predict(chosen, with_failed, population),
        predict_others(chosen, with_failed, max(1, population - len(samples))),
        len(samples),
        len(samples) - len(fine),
        {
            "harvest": sample_size(given[choice.name], WIDTH, "harvest", population=population),
            "coverage": sample_size(given[choice.name], WIDTH, "coverage", population=population),
        },
    )
