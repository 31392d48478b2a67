"""`find --strategy auto`: try strategies on a sample first, then search the rest with the one that suits (paper 1, Section 3.2).

The sampled sites are searched by being recorded: they are committed like any other, and no page is fetched twice.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, replace

from dowse.engine.sampling import ask_counted, keep_samples, read_kept, sample_sites
from dowse.engine.workers import FindRun, search_sites
from dowse.errors import BadInput
from dowse.fetch import Fetch, Render
from dowse.model import SiteSearch
from dowse.sample.judge import JudgedSample, SiteSample, YieldTarget, draw_sites, judge_sample
from dowse.settings import FindSettings, SampleSettings
from dowse.store import Store
from dowse.store.samples import SearchCounts, count_searched, lease_sites, searched_with, waiting_sites
from dowse.strategy import STRATEGIES
from dowse.yields import Drift, Forecast, Interval

AUTO = "auto"
SITES_PER_SAMPLED = 10  # one in so many is sampled: recording one costs several times the pages of searching it
MIN_SAMPLED_SITES = 30  # from which a mean is normal enough (paper 1: "usually more than 30")
MAX_SAMPLED_SITES = 200  # intervals get hardly narrower beyond
CANDIDATES = ("learned", "learned:0.01", "learned:0.05", "navmenu:3", "exhaustive:3", "exhaustive:0")

FindEvent = SiteSearch | str  # a search that is committed, or a line to print


@dataclass(frozen=True, slots=True)
class Sampling:
    """How auto samples."""

    share: int = SITES_PER_SAMPLED
    least: int = MIN_SAMPLED_SITES
    most: int = MAX_SAMPLED_SITES
    seed: int = 1

    def count(self, population: int) -> int:
        """Return how many of so many sites to sample; 0 when there are too few for it to pay."""
        wanted = min(self.most, population // self.share)
        return wanted if wanted >= self.least else 0


DEFAULT_SAMPLING = Sampling()


def read_target(coverage: float | None, harvest: float | None) -> YieldTarget:
    """Return what is wanted of a strategy, if it can be."""
    if coverage is not None and harvest is not None:
        raise BadInput("give --coverage or --harvest, not both: the other is what is made as high as it can be")
    if coverage is not None and not 0 < coverage <= 1:
        raise BadInput(f"--coverage is a part of all forms, over 0 and at most 1, not {coverage:g}")
    if harvest is not None and not 0 < harvest <= 1000:
        raise BadInput(f"--harvest is forms per page, over 0, not {harvest:g}")
    return YieldTarget(coverage, harvest)


def target_of(settings: FindSettings) -> YieldTarget:
    """Return what the settings want of a strategy."""
    return read_target(settings.coverage, settings.harvest)


def own_strategy() -> str:
    """Return the strategy that is used when nothing can be tried first."""
    return "learned" if "learned" in STRATEGIES else "navmenu:3"


def list_candidates() -> tuple[str, ...]:
    """Return the strategies that are tried."""
    return tuple(name for name in CANDIDATES if name.partition(":")[0] in STRATEGIES)


def sample_name(run: int) -> str:
    """Return what the sample of a run is called in the store."""
    return f"find run {run}"


async def search_auto(
    store: Store,
    run: FindRun,
    fetch: Fetch,
    settings: FindSettings,
    *,
    sampling: Sampling = DEFAULT_SAMPLING,
    before_commit: Callable[[], None] = lambda: None,
    render: Render | None = None,
) -> AsyncIterator[FindEvent]:
    """Search the waiting sites with the strategy that is best on a sample of them; yield what is committed, and lines to print."""
    phase = _Phase(store, run, settings, sampling)
    wanted = phase.count_wanted()
    if wanted:
        async for event in _sample(phase, wanted, fetch, before_commit, render):
            yield event
    judged = phase.judge() if not run.stopped else None
    strategy = judged.choice.name if judged else own_strategy()
    for line in _tell_choice(judged, strategy):
        yield line
    if run.stopped:
        return
    drift = phase.open_drift(judged)
    async for search in search_sites(
        store, run, fetch, replace(settings, strategy=strategy), before_commit=before_commit, render=render
    ):
        yield search
        if drift and (words := _watch(drift, search)):
            yield words
    if judged:
        yield f"forecast and fact: {compare(judged.rest, count_searched(store, run.id, strategy))}"


def _tell_choice(judged: JudgedSample | None, strategy: str) -> tuple[str, ...]:
    """Return lines about the strategy that is taken."""
    if judged is None:
        return (
            f"not enough sites were tried to choose by; the others are searched with {strategy}, whatever the target",
        )
    return (
        f"chose {strategy}: {judged.choice.reason}",
        f"forecast for the other {judged.rest.sites:,} sites: {write_forecast(judged.rest)}",
    )


@dataclass(frozen=True, slots=True)
class _Phase:
    """The sampling phase of one run, as the store remembers it."""

    store: Store
    run: FindRun
    settings: FindSettings
    sampling: Sampling

    def kept(self) -> list[SiteSample]:
        """Return the sites that were sampled."""
        return read_kept(self.store, sample_name(self.run.id), list_candidates())

    def population(self) -> int:
        """Return how many sites the run is about: those sampled and those that wait, as far as its budget goes."""
        waiting = self.store.count_waiting(self.run.id, own=self.run.own)
        return len(self.kept()) + (min(waiting, self.run.site_budget) if self.run.site_budget else waiting)

    def count_wanted(self) -> int:
        """Return how many sites are still to be sampled; none once the search with a strategy has begun."""
        done, _ = self.store.count_done(self.run.id)
        kept = len(self.kept())
        if done > kept:
            return 0
        return max(0, self.sampling.count(self.population()) - kept)

    def judge(self) -> JudgedSample | None:
        """Return what the sample says, if there is one."""
        kept = self.kept()
        if not any(not each.error for each in kept):
            return None
        done, _ = self.store.count_done(self.run.id)
        population = max(self.population() + done - len(kept), len(kept))
        return judge_sample(kept, list_candidates(), population, target_of(self.settings))

    def open_drift(self, judged: JudgedSample | None) -> Drift | None:
        """Return a watcher that knows the sites which earlier calls searched."""
        if judged is None or self.settings.schedule == "round-robin":  # a round is less than a site
            return None
        drift = Drift(judged.rest)
        for pages, forms in searched_with(self.store, self.run.id, judged.choice.name):
            drift.add(pages, forms)
        return drift


async def _sample(
    phase: _Phase, wanted: int, fetch: Fetch, before_commit: Callable[[], None], render: Render | None
) -> AsyncIterator[FindEvent]:
    """Record sites drawn from those that wait, keep what strategies give on them, and commit them as searched."""
    store, run, settings = phase.store, phase.run, phase.settings
    yield f"trying strategies on {wanted:,} of {phase.population():,} sites first"
    drawn = draw_sites(waiting_sites(store, run.id, own=run.own), wanted, phase.sampling.seed)
    lease_sites(store, run.id, drawn)
    options = SampleSettings(list_candidates(), wanted, phase.sampling.seed, settings.site_pages, settings.jobs)
    asking = {"ask": ask_counted(fetch, run)} if settings.probe else {}
    try:
        async for sampled in sample_sites(drawn, run, fetch, options, render=render, **asking):
            before_commit()
            if sampled.search.finished:
                await asyncio.to_thread(keep_samples, store, sample_name(run.id), [sampled.sample], options.strategies)
            await asyncio.to_thread(store.commit, run.id, [sampled.search], discover=settings.discover)
            yield sampled.search
    finally:
        store.release_sites()
    if run.site_budget:
        run.site_budget -= wanted


def _watch(drift: Drift, search: SiteSearch) -> str:
    """Count a site; return a line when the yield has just left the forecast."""
    before = drift.verdict()
    if search.finished and not search.left:
        drift.add(len(search.visits), sum(1 for door in search.doors if door.judgement.kind == "database"))
    return "" if before else drift.verdict()


def write_forecast(forecast: Forecast) -> str:
    """Write a forecast in one line."""
    return ", ".join(
        (
            f"{_write(forecast.pages, ',.0f')} pages",
            f"{_write(forecast.forms, ',.0f')} query forms",
            f"yield {_write(forecast.harvest, '.4f')}",
            f"coverage {_write(forecast.coverage, '.3f')}",
        )
    )


def compare(forecast: Forecast, fact: SearchCounts) -> str:
    """Write in one line how a forecast and its outcome agree; totals only when as many sites were searched as forecast."""
    harvest = fact.forms / fact.pages if fact.pages else 0.0
    pairs = [("yield", forecast.harvest, harvest, ".4f")]
    if fact.sites == forecast.sites:
        pairs += [("pages", forecast.pages, fact.pages, ",.0f"), ("query forms", forecast.forms, fact.forms, ",.0f")]
    parts = [
        f"{name} {_write(expected, form)}, found {found:{form}}: {_judge(expected, found)}"
        for name, expected, found, form in pairs
    ]
    return "; ".join(parts) + f" ({fact.sites:,} sites)"


def _judge(expected: Interval, found: float) -> str:
    if expected.low <= found <= expected.high:
        return "as forecast"
    return "less than forecast" if found < expected.low else "more than forecast"


def _write(each: Interval, form: str) -> str:
    return f"{each.value:{form}} ({each.low:{form}} to {each.high:{form}})"
