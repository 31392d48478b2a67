"""Strategies are tried on a sample of sites: `dowse sample`, and `find --strategy auto` (paper 1, Section 3.2).

Sites are recorded, many at a time, and every strategy is replayed over each. `dowse sample` records all of a site. `auto` records
what its usual strategy reads anyway, and a larger random part of what that leaves; it searches the rest with another strategy
where that is clearly better. Sampled sites are searched by being recorded, and no page is fetched twice.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from dowse.crawl.site import search_site
from dowse.engine.job import FindRun, cancel_when_interrupted, crashed_search, hand_out_in_turn
from dowse.engine.workers import ask_counted, count_requests, count_visit, search_sites
from dowse.errors import BadInput, DowseError
from dowse.fetch import Fetch, Render
from dowse.model import Seed, SiteSearch
from dowse.reasons import say_count
from dowse.sample.judge import JudgedSwitch, Sampling, SiteSample, YieldTarget, draw_sites, judge_switch
from dowse.sample.record import Recording, record_site
from dowse.sample.replay import GOALS, replay_site
from dowse.seeds.lists import merge_seeds
from dowse.settings import FindSettings, SampleSettings
from dowse.store import Store
from dowse.store.samples import (
    SampleRow,
    SearchCounts,
    add_samples,
    count_searched,
    lease_sites,
    read_samples,
    searched_with,
    sum_left,
    waiting_sites,
)
from dowse.strategy.learned import read_model
from dowse.yields import Drift, Forecast, Interval, SiteYield, estimate_found

MIN_SITES = 2  # that can be sampled: one has no variance

log = logging.getLogger("dowse")

# -- a sample of sites, and what strategies give on it


@dataclass(frozen=True, slots=True)
class SampledSite:
    """A site that was sampled, and the search that it was recorded by."""

    sample: SiteSample
    search: SiteSearch


async def sample_sites(
    seeds: Sequence[Seed],
    run: FindRun,
    fetch: Fetch,
    settings: SampleSettings,
    *,
    render: Render | None = None,
    **options: Any,
) -> AsyncIterator[SampledSite]:
    """Record sites and replay the strategies; yield each site when it is done. One that was stopped half way has no yields."""
    waiting, finished = deque(seeds), asyncio.Queue[SampledSite | DowseError | None]()
    record = partial(
        record_site, search=search_site, fetch=count_requests(hand_out_in_turn(fetch), run), render=render,
        site_pages=settings.site_pages, count=partial(count_visit, run.tally), why_stop=run.why_stop, **options,
    )  # fmt: skip
    workers = [asyncio.create_task(_work(waiting, finished, run, record, settings)) for _ in range(settings.jobs)]
    watcher = asyncio.create_task(cancel_when_interrupted(run, workers))
    try:
        working = len(workers)
        while working:
            result = await finished.get()
            if isinstance(result, DowseError):
                raise result
            if result is None:
                working -= 1
            else:
                yield result
    finally:
        for task in (*workers, watcher):
            task.cancel()
        await asyncio.gather(*workers, watcher, return_exceptions=True)


async def _work(
    waiting: deque[Seed],
    finished: asyncio.Queue[SampledSite | DowseError | None],
    run: FindRun,
    record: Callable[..., Any],
    settings: SampleSettings,
) -> None:
    """Sample one site after the other until none is left, or the run ends."""
    try:
        while waiting and not run.why_stop():
            seed = waiting.popleft()
            try:
                recording = await record(seed)
                finished.put_nowait(await _replay(recording, settings))
                run.tally.sites += 1
                run.tally.failed += bool(recording.search.error)
            except DowseError as error:
                finished.put_nowait(error)
            except Exception as error:  # the outermost loop: one hostile site may not end the sample
                log.error("sampling %s failed: %r", seed.site, error)
                log.debug("where it failed", exc_info=True)
                search = crashed_search(seed, error)
                finished.put_nowait(SampledSite(SiteSample(str(seed.site), 0, {}, search.error), search))
    finally:
        finished.put_nowait(None)


async def _replay(recording: Recording, settings: SampleSettings) -> SampledSite:
    """Return what each strategy gives on a recorded site; other sites get their turn between two of them."""
    search = recording.search
    given: dict[str, SiteYield] = {}
    missing = 0
    for strategy in settings.strategies if search.finished and not search.error else ():
        replayed = replay_site(
            recording, search_site, strategy, site_pages=settings.site_pages, goal=GOALS[settings.goal]
        )
        given[strategy], missing = replayed.given, missing + replayed.missing
        await asyncio.sleep(0)
    return SampledSite(SiteSample(str(search.site), len(search.visits), given, search.error, missing), search)


def keep_samples(store: Store, name: str, samples: Iterable[SiteSample], strategies: Sequence[str]) -> None:
    """Keep sampled sites in the store, a row for each strategy."""
    rows: list[SampleRow] = []
    for sample in samples:
        for strategy in strategies:
            given = sample.given.get(strategy, SiteYield(sample.pages, 0, 0))
            figures = given.pages, given.forms, given.total
            rows.append(SampleRow(sample.site, strategy, *figures, sample.error, given.unjudged))
    add_samples(store, name, rows)


def read_kept(store: Store, name: str, strategies: Sequence[str], *, only_searched: bool = False) -> list[SiteSample]:
    """Return the sampled sites of the store on which all of these strategies were tried; or of those the searched ones."""
    by_site: dict[str, dict[str, SampleRow]] = {}
    for row in read_samples(store, name, only_searched=only_searched):
        by_site.setdefault(row.site, {})[row.strategy] = row
    samples: list[SiteSample] = []
    for site, rows in by_site.items():
        if all(strategy in rows for strategy in strategies):
            given = {
                each: SiteYield(rows[each].pages, rows[each].forms, rows[each].total, rows[each].unjudged)
                for each in strategies
            }
            first = rows[strategies[0]]
            samples.append(SiteSample(site, int(first.pages), given, first.error))
    return samples


@dataclass(frozen=True, slots=True)
class SampleDraw:
    """A sample of sites, and what of it is still to be done."""

    name: str  # the same for the same list, whatever the size of the sample
    population: int
    sites: list[Seed]
    left: list[Seed]
    run: FindRun


def begin_sample(store: Store, seeds: Sequence[Seed], settings: SampleSettings) -> SampleDraw:
    """Draw sites from a list, or from those that wait in the database; what an earlier call did is done."""
    listed = {seed.site: seed for seed in merge_seeds(seeds)}
    population = len(listed) if listed else store.count_waiting(0, own=False)
    if population < MIN_SITES:
        raise BadInput(
            f"a sample needs at least {MIN_SITES} sites, not {population}; give seeds, --seeds FILE, or import a list"
            " with `dowse sites import`"
        )
    sites = draw_sites(listed.values() or waiting_sites(store), settings.sample, settings.seed)
    # the same for the same list, whatever the size of the sample
    digest = hashlib.blake2b(digest_size=8)
    for seed in sorted(listed.values(), key=lambda each: str(each.site)):
        for named in (str(seed.site), *sorted(seed.entrances[1:])):  # the root is the site
            digest.update(named.encode() + b"\n")
    what = digest.hexdigest() if listed else "of waiting sites"
    name = f"sample {what} site-pages={settings.site_pages} seed={settings.seed}"
    name += "" if settings.goal == "forms" else f" goal={settings.goal}"
    done = {each.site for each in read_kept(store, name, settings.strategies)}
    left = [seed for seed in sites if str(seed.site) not in done]
    return SampleDraw(name, population, sites, left, FindRun(0, own=True, site_budget=len(left)))


# -- `find --strategy auto`

AUTO = "auto"
# beside the usual one: more sparing, more thorough, and what the papers have
CANDIDATES = ("learned:0.05", "learned:0.03", "learned:0.005", "navmenu:3", "exhaustive:3", "exhaustive:0")

FindEvent = SiteSearch | str  # a search that is committed, or a line to print


DEFAULT_SAMPLING = Sampling()


def read_target(coverage: float | None, harvest: float | None, goal: str = "forms") -> YieldTarget:
    """Return what is wanted of a strategy, if it can be."""
    if coverage is not None and harvest is not None:
        raise BadInput("give --coverage or --harvest, not both: the other is what is made as high as it can be")
    if coverage is not None and not 0 < coverage <= 1:
        raise BadInput(f"--coverage is a share of all {goal}, over 0 and at most 1, not {coverage:g}")
    if harvest is not None and not 0 < harvest <= 1000:
        raise BadInput(f"--harvest is {goal} per page, over 0, not {harvest:g}")
    return YieldTarget(coverage, harvest)


def target_of(settings: FindSettings) -> YieldTarget:
    """Return what the settings want of a strategy."""
    return read_target(settings.coverage, settings.harvest)


def own_strategy(coverage: float | None = None) -> str:
    """Return the strategy that is used when nothing is tried first, as thorough as a coverage needs."""
    return "learned" if coverage is None else f"learned:{read_model().worth_for(coverage):g}"


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
    judged, wanted, why = phase.plan()
    while wanted and not run.stopped:
        yield f"trying strategies on {wanted:,} of {phase.count_others():,} sites {'first' if not judged else 'more'}"
        async for event in _try_strategies(phase, wanted, fetch, before_commit, render):
            yield event
        judged, wanted, why = phase.plan()
    if run.stopped:
        return
    strategy = judged.choice.name if judged else phase.strategies[0]
    if judged is None:
        yield f"{why}; searched with {strategy}"
    else:
        yield f"chose {strategy}: {judged.choice.reason}"
        yield f"forecast for the other {say_count(judged.rest.sites, 'sites')}: {write_forecast(judged.rest)}"
    drift = phase.open_drift(judged)
    async for search in search_sites(
        store, run, fetch, replace(settings, strategy=strategy), before_commit=before_commit, render=render
    ):
        yield search
        if drift and (words := _watch(drift, search)):
            yield words
    if judged:
        fact = count_searched(store, run.id, strategy, sample_name(run.id))
        yield f"forecast and fact: {compare(judged.rest, fact)}"


@dataclass(frozen=True, slots=True)
class _Phase:
    """The sampling phase of one run, as the store remembers it."""

    store: Store
    run: FindRun
    settings: FindSettings
    sampling: Sampling

    @property
    def strategies(self) -> tuple[str, ...]:
        """The usual strategy, with which sites are recorded, and those that are tried beside it."""
        return tuple(dict.fromkeys((own_strategy(self.settings.coverage), *CANDIDATES)))

    def count_others(self) -> int:
        """Return how many sites wait to be searched, as far as the budget goes."""
        waiting = self.store.count_waiting(self.run.id, own=self.run.own)
        return waiting if self.run.site_budget is None else min(waiting, self.run.site_budget)

    def plan(self) -> tuple[JudgedSwitch | None, int, str]:
        """Return what the sample says so far, how many sites to sample now, and why there is no sample where there is none."""
        name, usual = sample_name(self.run.id), self.strategies[0]
        kept, others = read_kept(self.store, name, self.strategies, only_searched=True), self.count_others()
        done, _ = self.store.count_done(self.run.id)
        left = sum_left(self.store, name) if kept else None
        found = sum(each.given[usual].forms for each in kept)
        judged = judge_switch(
            kept, self.strategies, others + done - len(kept), target_of(self.settings),
            estimate_found(round(found), left) if left else None, page_share=1 - self.settings.audit,
        )  # fmt: skip
        if done > len(kept):  # searched with what was chosen
            return judged, 0, "not sampled when the search began"
        wanted = self.sampling.plan(len(kept), others, judged, self.settings.audit)
        why = f"not sampled: {self.sampling.weigh(others, self.settings.audit)}"
        return judged, wanted, "none of the sampled sites could be searched" if kept else why

    def open_drift(self, judged: JudgedSwitch | None) -> Drift | None:
        """Return a watcher that knows the sites which earlier calls searched."""
        if judged is None or self.settings.schedule == "round-robin":  # a round is less than a site
            return None
        drift = Drift(judged.rest)
        for pages, forms in searched_with(self.store, self.run.id, judged.choice.name, sample_name(self.run.id)):
            drift.add(pages, forms)
        return drift


async def _try_strategies(
    phase: _Phase, wanted: int, fetch: Fetch, before_commit: Callable[[], None], render: Render | None
) -> AsyncIterator[FindEvent]:
    """Record sites drawn from those that wait, keep what strategies give on them, and commit them as searched."""
    store, run, settings = phase.store, phase.run, phase.settings
    drawn = draw_sites(waiting_sites(store, run.id, own=run.own), wanted, phase.sampling.seed)
    lease_sites(store, run.id, drawn)
    options = SampleSettings(phase.strategies, wanted, phase.sampling.seed, settings.site_pages, settings.jobs)
    searching: dict[str, Any] = {"strategy": phase.strategies[0], "audit": max(settings.audit, phase.sampling.audit)}
    if settings.probe:
        searching["ask"] = ask_counted(fetch, run)
    try:
        async for sampled in sample_sites(drawn, run, fetch, options, render=render, **searching):
            before_commit()
            search = sampled.search
            if search.finished:
                await asyncio.to_thread(keep_samples, store, sample_name(run.id), [sampled.sample], options.strategies)
            else:  # a recording cannot go on, and without those that take long the sample would be biased
                search = replace(search, left=(), memory=b"", round=0)
            await asyncio.to_thread(store.commit, run.id, [search], discover=settings.discover)
            yield search
    finally:
        store.release_sites()
    if run.site_budget is not None:
        run.site_budget -= len(drawn)


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
