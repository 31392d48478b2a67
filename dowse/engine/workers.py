"""The worker loop in this process: lease sites, search many at a time, commit in batches; find new sites beside it."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from dowse.crawl.site import VisitLink, search_site
from dowse.engine.discover import FinderDemand, RecentSites, discover_sites, finder_jobs
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
from dowse.fetch import Fetch, Render
from dowse.model import Door, Failure, Link, Page, Request, Response, SeenOnSite, Site, SiteSearch, Tally, Visit
from dowse.reasons import StopReason
from dowse.settings import FindSettings
from dowse.step.probe import probe_doors
from dowse.step.visit import judge_topics, shipped_topics, visit
from dowse.store import BY_WORTH, Store
from dowse.strategy import Outlook, Strategy, build_strategy
from dowse.strategy.learned import LearnedStrategy

COUNT_SECONDS = 2.0  # between two counts of the sites that wait

log = logging.getLogger("dowse")


@dataclass(frozen=True, slots=True)
class OnTopic:
    """What the search of sites has to know of a topic."""

    name: str
    strategy: Strategy
    visit: VisitLink  # follows a link, and says how likely its page and forms are on topics
    likely: Callable[[Site], float]  # how likely a site is on the topic, before any page of it is read
    alternative: Callable[[], float]  # what the best site that waits is worth


async def search_sites(
    store: Store,
    run: FindRun,
    fetch: Fetch,
    settings: FindSettings,
    *,
    before_commit: Callable[[], None] = lambda: None,
    render: Render | None = None,
    on: OnTopic | None = None,
) -> AsyncIterator[SiteSearch]:
    """Search the waiting sites and yield each search, or part of one, once it is committed; on a topic, the worthiest first."""
    finished: asyncio.Queue[Finished] = asyncio.Queue()
    fetch = hand_out_in_turn(fetch)
    take = partial(store.take_sites, run.id, own=run.own, schedule=BY_WORTH if on else settings.schedule)
    room = settings.jobs if on else 2 * settings.jobs  # what was taken is not ranked again
    lease = Lease(lambda count, begun: take(count, begun=begun), room=room, budget=run.site_budget)
    run.waiting = await asyncio.to_thread(store.count_waiting, run.id, own=run.own)
    strategy = on.strategy if on else open_strategy(settings)
    work = partial(_work, store, lease, finished, run, strategy, fetch, settings, render, on)
    workers = [asyncio.create_task(work()) for _ in range(settings.jobs)]
    watcher = asyncio.create_task(cancel_when_interrupted(run, workers))
    beside = FinderDemand(store, run, lease, settings.jobs)
    finder = asyncio.create_task(_find_sites(beside, finished, fetch, settings, before_commit, alone=on is not None))
    counted = 0.0
    try:
        while await _top_up(lease, run) or not finder.done():
            batch = await collect(finished, lease.held)
            if batch:
                before_commit()
                await asyncio.to_thread(store.commit, run.id, batch, discover=settings.discover)
                lease.held -= sum(1 for search in batch if not search.under_way)
                run.waiting -= sum(1 for search in batch if search.finished and not search.left)
            for search in batch:
                yield search
            if time.monotonic() - counted >= COUNT_SECONDS:
                run.waiting = await asyncio.to_thread(store.count_waiting, run.id, own=run.own)
                counted = time.monotonic()
        await finder
        if lease.is_spent() and store.count_waiting(run.id, own=run.own):
            run.stopped = run.stopped or StopReason.SITE_BUDGET
    finally:
        for task in (*workers, watcher, finder):
            task.cancel()
        await asyncio.gather(*workers, watcher, finder, return_exceptions=True)
        store.release_sites()


def open_strategy(settings: FindSettings) -> Strategy:
    """Return the strategy that is wanted, as thorough as the coverage that is wanted needs."""
    strategy = build_strategy(settings.strategy)
    if isinstance(strategy, LearnedStrategy) and settings.coverage is not None and strategy.worth is None:
        return replace(strategy, worth=strategy.model.worth_for(settings.coverage))
    return strategy


def open_outlook(run: FindRun, lease: Lease, settings: FindSettings) -> Outlook:
    """Return what the search of a site may know of the run: how many sites really wait, and whether more are wanted."""

    def count_waiting() -> int:
        waiting = max(0, run.waiting - lease.held) + lease.waiting.qsize()
        return waiting if lease.budget is None else min(waiting, max(0, lease.budget - lease.begun))

    def wants_sites() -> bool:
        return settings.discover and not lease.is_spent() and count_waiting() < settings.jobs

    return Outlook(count_waiting, wants_sites)


async def _top_up(lease: Lease, run: FindRun) -> bool:
    """Take as many sites as there is room for; return True if any are held."""
    if not run.why_stop():
        await lease.top_up()
    if run.stopped:
        lease.drop()
    return lease.held > 0


async def _find_sites(
    beside: FinderDemand,
    finished: asyncio.Queue[Finished],
    fetch: Fetch,
    settings: FindSettings,
    before_commit: Callable[[], None],
    *,
    alone: bool,
) -> None:
    """Run the Site Finder, unless the search is to be alone; wake the main loop each time it has found something, and when it is done."""
    try:
        if settings.discover and not alone and finder_jobs(settings):
            explored = discover_sites(
                beside.store, beside.run, fetch, settings, before_commit=before_commit, ask=beside.ask
            )
            async for _ in explored:
                finished.put_nowait(None)
    except DowseError as error:
        finished.put_nowait(error)
    finally:
        finished.put_nowait(None)


async def _work(
    store: Store,
    lease: Lease,
    finished: asyncio.Queue[Finished],
    run: FindRun,
    strategy: Strategy,
    fetch: Fetch,
    settings: FindSettings,
    render: Render | None,
    on: OnTopic | None,
) -> None:
    """Search one site after the other until the run ends."""
    tally = run.tally
    outlook = open_outlook(run, lease, settings)
    if on:
        outlook = replace(outlook, likely=on.likely, alternative=on.alternative)
    is_new_site = RecentSites(store.knows_site).is_new if settings.discover else lambda url: False

    async def visit_counted(link: Link, seen: SeenOnSite) -> Visit:
        run.started += 1
        visited = await (on.visit(link, seen) if on else visit(link, fetch, seen, render=render))
        run.started -= bool(visited.failure and not visited.failure.asked)
        if visited.doors and not on:
            visited = judge_topics(visited, shipped_topics())
        count_visit(tally, visited, on.name if on else "")
        return visited

    while True:
        seed = await lease.waiting.get()
        try:
            earlier = await asyncio.to_thread(store.read_earlier, seed) if seed.round else None
            search = await search_site(
                seed, strategy, visit_counted,
                site_pages=settings.site_pages, why_stop=run.why_stop, strategy_name=settings.strategy,
                ask=ask_counted(fetch, run) if settings.probe else None, earlier=earlier,
                deepest=max(0, seed.round) if settings.schedule == "round-robin" else None,
                outlook=outlook, audit=settings.audit, is_new_site=is_new_site, save=finished.put_nowait,
                topic=on.name if on else "",
            )  # fmt: skip
        except DowseError as error:  # a full disk, a lost archive: nothing can go on
            finished.put_nowait(error)
            return
        except Exception as error:  # the outermost loop: one hostile site may not end the search of all others
            log.error("searching %s failed: %r", seed.site, error)
            log.debug("where it failed", exc_info=True)
            search = crashed_search(seed, error, settings.strategy)
        tally.sites += search.finished and not search.left
        tally.failed += bool(search.error)
        finished.put_nowait(search)


def count_visit(tally: Tally, visited: Visit, topic: str = "") -> None:
    """Count a page that was asked for, and the wanted forms that it brought."""
    if visited.failure and not visited.failure.asked:
        return
    tally.pages += 1
    tally.forms += sum(1 for door in visited.doors if door.is_wanted(topic))
    if visited.failure:
        reason = str(visited.failure.why)
        tally.errors[reason] = tally.errors.get(reason, 0) + 1


def count_requests(fetch: Fetch, run: FindRun) -> Fetch:
    """Wrap a Fetch to count pages as they are asked for."""

    async def fetch_counted(request: Request) -> Response | Failure:
        run.started += 1
        return await fetch(request)

    return fetch_counted


def ask_counted(fetch: Fetch, run: FindRun) -> Callable[..., Awaitable[tuple[Door, ...]]]:
    """Return what asks doors what they answer; also those of the last page of a budget: a form is met once, and asked then."""
    counted = count_requests(fetch, run)

    async def ask(doors: Sequence[Door], page: Page | None, most: int) -> tuple[Door, ...]:
        return await probe_doors(doors, counted, page, most)

    return ask
