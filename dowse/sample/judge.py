"""Which sites are sampled, and what a sample says of each strategy."""

from __future__ import annotations

import hashlib
import heapq
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from dowse.errors import DowseError
from dowse.model import Seed
from dowse.yields import (
    Forecast,
    SiteYield,
    StrategyChoice,
    Yield,
    choose,
    measure,
    predict,
    predict_others,
    sample_size,
)

INTERVAL_HALF_WIDTH = 0.02  # for which the needed sample size is given


def draw_sites(seeds: Iterable[Seed], count: int, seed: int) -> list[Seed]:
    """Return so many random sites of a list that has each once, the same for the same seed; a larger sample holds every smaller one.

    A site's place in the draw depends on its name alone, so the list may come in any order and in any length.
    """

    def place(each: Seed) -> bytes:
        return hashlib.blake2b(f"{seed} {each.site}".encode(), digest_size=8).digest()

    return heapq.nsmallest(count, seeds, key=place)


@dataclass(frozen=True, slots=True)
class YieldTarget:
    """What a strategy has to reach: a coverage, a harvest, or what is usual when nobody says."""

    coverage: float | None = None
    harvest: float | None = None


@dataclass(frozen=True, slots=True)
class SiteSample:
    """What the strategies gave on one sampled site; or why it could not be searched."""

    site: str
    pages: int  # of the recording
    given: Mapping[str, SiteYield]  # by strategy
    error: str = ""
    missing: int = 0  # pages that strategies wanted and the recording does not have


@dataclass(frozen=True, slots=True)
class JudgedSample:
    """A sample as it was judged."""

    yields: tuple[Yield, ...]  # of each strategy, over the sites that could be searched
    choice: StrategyChoice
    whole: Forecast  # of the strategy chosen, on the whole list, the sample included
    rest: Forecast  # on what is left of the list
    sites: int
    failed: int
    needed: Mapping[str, int]  # sites for an interval of +-0.02, by figure, with the strategy chosen


def judge_sample(
    samples: Sequence[SiteSample], strategies: Sequence[str], population: int, target: YieldTarget
) -> JudgedSample:
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
    return JudgedSample(
        yields,
        choice,
        predict(chosen, with_failed, population),
        predict_others(chosen, with_failed, max(1, population - len(samples))),
        len(samples),
        len(samples) - len(fine),
        {
            "harvest": sample_size(given[choice.name], INTERVAL_HALF_WIDTH, "harvest", population=population),
            "coverage": sample_size(given[choice.name], INTERVAL_HALF_WIDTH, "coverage", population=population),
        },
    )
