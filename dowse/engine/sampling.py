"""The sampling phase (paper 1, Section 3.2): record sites, many at a time, and replay every strategy over each."""

from __future__ import annotations

import asyncio
import hashlib
import logging
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from dowse.crawl.site import search_site
from dowse.engine.lease import FindRun, cancel_when_interrupted, crashed_search, hand_out_in_turn
from dowse.engine.workers import count_visit
from dowse.errors import BadInput, DowseError
from dowse.fetch import Fetch, Render
from dowse.model import Door, Failure, Page, Request, Response, Seed, Site, SiteSearch
from dowse.sample.judge import SiteSample, draw_sites
from dowse.sample.record import WHOLE, Recording, record_site
from dowse.sample.replay import replay_site
from dowse.settings import SampleSettings
from dowse.step.probe import probe_doors
from dowse.store import Store
from dowse.store.samples import SampleRow, add_samples, read_samples, waiting_sites
from dowse.yields import SiteYield

MIN_SITES = 2  # that can be sampled: one has no variance

log = logging.getLogger("dowse")


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
        record_site, search=search_site, fetch=_count_requests(hand_out_in_turn(fetch), run), render=render,
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


def _count_requests(fetch: Fetch, run: FindRun) -> Fetch:
    """Wrap a Fetch to count pages as they are asked for."""

    async def fetch_counted(request: Request) -> Response | Failure:
        run.started += 1
        return await fetch(request)

    return fetch_counted


def ask_counted(fetch: Fetch, run: FindRun) -> Callable[..., Any]:
    """Return what asks doors what they answer, as long as the run goes on."""
    counted = _count_requests(fetch, run)

    async def ask(doors: Sequence[Door], page: Page | None, most: int) -> tuple[Door, ...]:
        return await probe_doors(doors, counted, page, 0 if run.why_stop() else most)

    return ask


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
                search = crashed_search(seed, error, WHOLE)
                finished.put_nowait(SampledSite(SiteSample(str(seed.site), 0, {}, search.error), search))
    finally:
        finished.put_nowait(None)


async def _replay(recording: Recording, settings: SampleSettings) -> SampledSite:
    """Return what each strategy gives on a recorded site; other sites get their turn between two of them."""
    search = recording.search
    given: dict[str, SiteYield] = {}
    missing = 0
    for strategy in settings.strategies if search.finished and not search.error else ():
        replayed = replay_site(recording, search_site, strategy, site_pages=settings.site_pages)
        given[strategy], missing = replayed.given, missing + replayed.missing
        await asyncio.sleep(0)
    return SampledSite(SiteSample(str(search.site), len(search.visits), given, search.error, missing), search)


def keep_samples(store: Store, name: str, samples: Iterable[SiteSample], strategies: Sequence[str]) -> None:
    """Keep sampled sites in the store, a row for each strategy."""
    add_samples(store, name, [row for sample in samples for row in _rows(sample, strategies)])


def _rows(sample: SiteSample, strategies: Sequence[str]) -> list[SampleRow]:
    nothing = SiteYield(sample.pages, 0, 0)
    given = [(name, sample.given.get(name, nothing)) for name in strategies]
    return [SampleRow(sample.site, name, each.pages, each.forms, each.total, sample.error) for name, each in given]


def read_kept(store: Store, name: str, strategies: Sequence[str]) -> list[SiteSample]:
    """Return the sampled sites of the store on which all of these strategies were tried."""
    by_site: dict[str, dict[str, SampleRow]] = {}
    for row in read_samples(store, name):
        by_site.setdefault(row.site, {})[row.strategy] = row
    return [
        _sample(site, [rows[name] for name in strategies])
        for site, rows in by_site.items()
        if all(name in rows for name in strategies)
    ]


def _sample(site: str, rows: Sequence[SampleRow]) -> SiteSample:
    given = {row.strategy: SiteYield(row.pages, row.forms, row.total) for row in rows}
    return SiteSample(site, rows[0].pages, given, rows[0].error)


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
    listed = {seed.site: seed for seed in seeds}
    population = len(listed) if listed else store.count_waiting(0, own=False)
    if population < MIN_SITES:
        raise BadInput(
            f"a sample needs at least {MIN_SITES} sites, not {population}; give seeds, --seeds FILE, or import a list"
            " with `dowse sites import`"
        )
    sites = draw_sites(listed.values() or waiting_sites(store), settings.sample, settings.seed)
    name = _name(listed, settings) if listed else f"sample of waiting sites {_ending(settings)}"
    done = {each.site for each in read_kept(store, name, settings.strategies)}
    left = [seed for seed in sites if str(seed.site) not in done]
    return SampleDraw(name, population, sites, left, FindRun(0, own=True, site_budget=len(left)))


def _name(sites: Iterable[Site], settings: SampleSettings) -> str:
    digest = hashlib.blake2b(digest_size=8)
    for site in sorted(map(str, sites)):
        digest.update(site.encode() + b"\n")
    return f"sample {digest.hexdigest()} {_ending(settings)}"


def _ending(settings: SampleSettings) -> str:
    return f"site-pages={settings.site_pages} seed={settings.seed}"
