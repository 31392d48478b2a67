"""The Site Finder (paper 1, Section 5): looks through known sites for links to others, alone or beside the search for forms."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field
from enum import StrEnum
from functools import partial

from dowse.crawl.site import search_site
from dowse.engine.job import (
    FindRun,
    Finished,
    Lease,
    cancel_when_interrupted,
    collect,
    crashed_search,
    hand_out_in_turn,
)
from dowse.errors import DowseError
from dowse.fetch import Fetch
from dowse.model import Link, SeenOnSite, SiteSearch, Visit
from dowse.reasons import StopReason
from dowse.settings import FindSettings
from dowse.step.visit import look
from dowse.store import Store
from dowse.strategy import SITE_STRATEGIES, Strategy, build_strategy
from dowse.strategy.adaptive import FULL_DEPTH
from dowse.strategy.exhaustive import Exhaustive
from dowse.strategy.learned import LearnedStrategy

MAX_RECENT_SITES = 100_000  # that are known without a query to the store
ENOUGH_SITES_PER_JOB = 10  # that wait, from which on no more are looked for
JOBS_PER_FINDER = 8  # one in so many looks for sites
POLL_SECONDS = 0.1  # between two checks whether more sites are wanted

log = logging.getLogger("dowse")


class Demand(StrEnum):
    """Whether sites are wanted."""

    MORE = "more"
    LATER = "later"
    NONE = "none"


AskDemand = Callable[[], Awaitable[Demand]]


@dataclass(slots=True)
class RecentSites:
    """Sites that were asked for of late; of all others the store knows."""

    knows: Callable[[str], bool]
    newer: set[str] = field(default_factory=set)
    older: set[str] = field(default_factory=set)

    def is_new(self, url: str) -> bool:
        """Return True if a site is met for the first time."""
        if url in self.newer or url in self.older:
            return False
        if len(self.newer) >= MAX_RECENT_SITES // 2:
            self.newer, self.older = set(), self.newer
        self.newer.add(url)
        return not self.knows(url)


@dataclass(slots=True)
class FinderDemand:
    """Whether the search for forms needs more sites than it has; it is the one that is to be fed."""

    store: Store
    run: FindRun
    forms: Lease
    jobs: int
    active: bool = False

    async def ask(self) -> Demand:
        """Begin when fewer sites wait than there are jobs, pause when plenty do; end when none more may be searched."""
        if self.run.why_stop() or self.forms.is_spent():
            return Demand.NONE
        count = partial(self.store.count_waiting, self.run.id, own=self.run.own, most=ENOUGH_SITES_PER_JOB * self.jobs)
        waiting = await asyncio.to_thread(count)
        enough = ENOUGH_SITES_PER_JOB * self.jobs if self.active else self.jobs
        # where the sites that wait will use up a budget, one more would wait in vain
        tally, forms = self.run.tally, self.forms
        pages_each = max(1.0, (tally.pages - tally.finder_pages) / max(1, forms.begun))
        spends_sites = forms.budget is not None and forms.budget <= forms.begun - forms.held + waiting
        budget = self.run.page_budget
        spends_pages = budget is not None and budget <= self.run.started + waiting * pages_each
        self.active = waiting < enough and not spends_sites and not spends_pages
        return Demand.MORE if self.active else Demand.LATER


async def discover_sites(
    store: Store,
    run: FindRun,
    fetch: Fetch,
    settings: FindSettings,
    *,
    before_commit: Callable[[], None] = lambda: None,
    ask: AskDemand | None = None,
) -> AsyncIterator[SiteSearch]:
    """Explore sites for links to others and yield each exploration once it is committed."""
    finished: asyncio.Queue[Finished] = asyncio.Queue()
    lease = Lease(lambda count, begun: store.take_unexplored(run.id, count), room=finder_jobs(settings))
    work = _Work(run, build_strategy(settings.site_strategy, SITE_STRATEGIES), hand_out_in_turn(fetch), settings)
    is_new = RecentSites(store.knows_site).is_new
    workers = [asyncio.create_task(_explore(lease, finished, work, is_new)) for _ in range(finder_jobs(settings))]
    watcher = asyncio.create_task(cancel_when_interrupted(run, workers))
    want = ask or partial(_ask_alone, run)
    try:
        while await _fill(lease, work, want, store):
            batch = await collect(finished, lease.held, POLL_SECONDS)
            if batch:
                before_commit()
                run.tally.sites_found += await asyncio.to_thread(store.commit_explored, run.id, batch)
                lease.held -= len(batch)
            for search in batch:
                yield search
    finally:
        for task in (*workers, watcher):
            task.cancel()
        await asyncio.gather(*workers, watcher, return_exceptions=True)
        store.release_explored()


def finder_jobs(settings: FindSettings) -> int:
    """Return how many sites are explored at the same time.

    None by default where the search for forms looks for other sites itself (learned), or reads every link anyway, further
    down than an exploration would: no page is fetched twice.
    """
    if settings.finder is not None:
        return settings.finder
    strategy = build_strategy(settings.strategy)
    if isinstance(strategy, LearnedStrategy) or (isinstance(strategy, Exhaustive) and strategy.depth > FULL_DEPTH):
        return 0
    return max(1, settings.jobs // JOBS_PER_FINDER)


@dataclass(slots=True)
class _Work:
    """What all explorations of a run share."""

    run: FindRun
    strategy: Strategy
    fetch: Fetch
    settings: FindSettings
    over: bool = False

    def why_stop(self) -> StopReason | None:
        """Return why an exploration has to end before it is done, or None."""
        return self.run.why_stop() or (StopReason.ENOUGH_SITES if self.over else None)


async def _ask_alone(run: FindRun) -> Demand:
    """Sites are wanted until there are as many as were asked for."""
    enough = run.site_budget is not None and run.site_budget <= run.tally.sites_found
    return Demand.NONE if enough or run.why_stop() else Demand.MORE


async def _fill(lease: Lease, work: _Work, ask: AskDemand, store: Store) -> bool:
    """Take sites to explore as they are wanted; return True if any is being explored or may still be wanted."""
    want = await ask()
    busy = False
    if want is Demand.MORE:
        # a search for forms beside may bring more; it is asked before: what it brings until then is there to be taken
        if work.run.seeks != "sites":
            busy = await asyncio.to_thread(store.count_waiting, work.run.id, own=False, most=1) > 0
        await lease.top_up()
    elif want is Demand.NONE:
        work.over = True
        lease.drop()
    return lease.held > 0 or busy or want is Demand.LATER


async def _explore(lease: Lease, finished: asyncio.Queue[Finished], work: _Work, is_new: Callable[[str], bool]) -> None:
    """Search one site after the other for links to others until the run ends; their forms are not judged."""
    run = work.run

    async def look_counted(link: Link, seen: SeenOnSite) -> Visit:
        run.started += 1
        visited = await look(link, work.fetch, seen)
        if not visited.failure or visited.failure.asked:
            run.tally.pages += 1
            run.tally.finder_pages += 1
        return visited

    while True:
        seed = await lease.waiting.get()
        try:
            search = await search_site(
                seed, work.strategy, look_counted,
                site_pages=work.settings.site_pages, why_stop=work.why_stop, is_new_site=is_new,
            )  # fmt: skip
        except DowseError as error:
            finished.put_nowait(error)
            return
        except Exception as error:  # the outermost loop: one hostile site may not end all others
            log.error("exploring %s failed: %r", seed.site, error)
            log.debug("where it failed", exc_info=True)
            search = crashed_search(seed, error)
        finished.put_nowait(search)
