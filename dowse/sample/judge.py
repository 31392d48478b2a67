"""Which sites are sampled, and what a sample says of each strategy."""

from __future__ import annotations

import hashlib
import heapq
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random

from dowse.errors import DowseError
from dowse.model import Seed
from dowse.reasons import say_count
from dowse.yields import (
    Forecast,
    Interval,
    SiteYield,
    StrategyChoice,
    Yield,
    choose,
    compare_prices,
    measure,
    predict,
    predict_others,
    sample_size,
)
from dowse.yields.choose import DEFAULT_COVERAGE
from dowse.yields.ratio import UNKNOWN, estimate_part, estimate_rate

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


# -- whether another strategy is better than the one that a sample was recorded with

SWITCH_CONFIDENCE = 0.99  # of the interval that a saving must keep: it is looked at after every few sites
MAX_UNJUDGED = 0.05  # of the pages of a strategy, of which nothing says what they show, for it to be chosen


@dataclass(frozen=True, slots=True)
class Switch:
    """Another strategy beside the usual one, tried on the same sites."""

    measured: Yield
    saving: Interval  # part of the pages, for the same forms
    found: Interval  # forms through those of the usual strategy; over 1 where it finds more

    def count_needed(self, enough: float) -> float:
        """Return on how many sites it is clear that it finds more, or saves pages and finds this part; fewer than it has if it is."""
        more = _reach(self.found, 1.0)
        return self.measured.sites * min(more, max(_reach(self.saving, 0.0), _reach(self.found, enough)))

    def __str__(self) -> str:
        """Return what it saves."""
        saving = self.saving
        return f"{saving.value:.0%} ({saving.low:.0%} to {saving.high:.0%}) fewer pages for the same forms"


def _reach(figure: Interval, bar: float) -> float:
    """Return how many times as many sites lift the lower end to a bar: errors fall with their root, or where all agree with them."""
    if figure.low >= bar:
        return 1.0 if figure.value > bar or bar else math.inf
    if figure.value <= bar:
        return math.inf
    return ((figure.value - figure.low) / (figure.value - bar)) ** (1 if figure.value == 1 else 2)


@dataclass(frozen=True, slots=True)
class JudgedSwitch:
    """What a sample says of switching to another strategy."""

    choice: StrategyChoice
    rest: Forecast  # of the strategy chosen, on the sites that are not in the sample
    hoped: float  # part of the pages that the best other strategy seems to save
    needed: float  # sites until that is clear; no more than were sampled when it is


def judge_switch(
    samples: Sequence[SiteSample],
    strategies: Sequence[str],
    others: int,
    target: YieldTarget,
    covered: Interval | None,
    *,
    page_share: float = 1.0,
) -> JudgedSwitch | None:
    """Judge by a sample recorded with the first strategy whether another one is to search the others; None without a site.

    `covered` is the part of all forms that the first one finds. Of the pages of a search, `page_share` are chosen by its strategy.
    """
    fine = [each for each in samples if not each.error]
    if not fine:
        return None
    usual = strategies[0]
    given = {name: [each.given[name] for each in fine] for name in strategies}
    switches = {
        name: compare_with(name, given[usual], some, covered)
        for name, some in given.items()
        if sum(each.unjudged for each in some) <= MAX_UNJUDGED * sum(each.pages for each in some)
    }
    coverage = DEFAULT_COVERAGE if target.coverage is None and target.harvest is None else target.coverage
    picked = choose([each.measured for each in switches.values()], coverage=coverage, harvest=target.harvest)
    best = switches[picked.name]
    # what it has to find: as much as the coverage needs; or all, where nobody knows how much that is, or where the usual one
    # yields enough and coverage is what is wanted
    enough = (min(1.0, coverage / covered.value) if covered else 1.0) if coverage else 0.0
    if target.harvest is not None and switches[usual].measured.harvest.value >= target.harvest:
        enough = 1.0
    needed = best.count_needed(enough)
    is_clear = picked.name != usual and needed <= len(fine)
    reason = f"of {len(strategies)} strategies none is clearly better"
    if is_clear:
        reason = f"{picked.reason}; {best} than {usual}"
    elif picked.name != usual:
        reason += f": {picked.name} has {best}, and finds {best.found.value:.0%} ({best.found.low:.0%} to {best.found.high:.0%}) of them"
    choice = StrategyChoice(picked.name if is_clear else usual, reason)

    failed = [SiteYield(each.pages, 0, 0) for each in samples if each.error]
    searched = [SiteYield(each.pages / page_share, each.forms, each.total) for each in given[choice.name]]
    measured = switches[choice.name].measured
    rest = replace(predict_others(measured, [*searched, *failed], max(1, others)), coverage=measured.coverage)
    hoped = 0.0 if picked.name == usual else max(best.saving.value, best.found.value - 1)
    return JudgedSwitch(choice, rest, hoped, needed * len(samples) / len(fine))


def compare_with(name: str, usual: Sequence[SiteYield], other: Sequence[SiteYield], covered: Interval | None) -> Switch:
    """Compare a strategy with the usual one on the same sites."""
    pairs = list(zip(usual, other, strict=True))
    kept = estimate_part([(min(old.forms, new.forms), old.forms) for old, new in pairs]) or UNKNOWN
    more = estimate_rate([(max(0.0, new.forms - old.forms), old.forms) for old, new in pairs], Random(1))
    found = Interval(kept.value + more.value, kept.low + more.low, kept.high + more.high, kept.method)
    if usual is other:
        found = Interval(1.0, 1.0, 1.0, kept.method)
    coverage = covered and Interval(
        min(1.0, found.value * covered.value),
        min(1.0, found.low * covered.low),
        min(1.0, found.high * covered.high),
        covered.method,
    )
    measured = replace(measure(name, other), coverage=coverage or UNKNOWN)
    return Switch(measured, compare_prices(usual, other, confidence=SWITCH_CONFIDENCE), found)


@dataclass(frozen=True, slots=True)
class Sampling:
    """How `find --strategy auto` samples. A page is a page whatever the site, so cost and saving are told in sites' worth of pages."""

    least: int = 30  # sites before anything is judged (paper 1: "usually more than 30")
    step: int = 15  # further sites, after which it is judged again
    audit: float = 0.1  # share of the pages drawn at random: more than elsewhere, for they stand for all others
    hoped: float = 0.25  # part of the pages saved at best, before a site was seen: `learned:0.03` on family A
    seed: int = 1

    def plan(self, kept: int, others: int, judged: JudgedSwitch | None, usual: float) -> int:
        """Return how many sites more to sample, of so many others: none where what is saved at best is less than what it costs.

        The cost is that of all sites until a switch is clear; `usual` is the share of the pages drawn at random elsewhere.
        """
        more = self.least - kept if kept < self.least else self.step - (kept - self.least) % self.step
        hoped, needed = (judged.hoped, judged.needed) if judged and kept >= self.least else (self.hoped, 0.0)
        if judged and kept >= self.least and needed <= kept:
            return 0
        until = max(more, needed - kept)
        return more if hoped * (others - until) > self.cost(until, usual) else 0

    def cost(self, sites: float, usual: float) -> float:
        """Return what sampling so many sites costs beyond searching them, where a usual share of the pages is drawn at random."""
        return sites * max(0.0, (1 - usual) / (1 - self.audit) - 1)

    def weigh(self, others: int, usual: float) -> str:
        """Return what a sample of so many sites costs, and what it might save, in words."""
        first = min(self.least, others)
        return (
            f"of {say_count(others, 'sites')} a sample takes {first:,} and costs the pages of {self.cost(first, usual):.1f} sites"
            f" more; a better strategy would save {self.hoped:.0%} on the others, the pages of {self.hoped * (others - first):.1f} sites"
        )
