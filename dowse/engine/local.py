"""The worker loop in this process: lease sites, search many at a time, commit in batches."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field

from dowse.crawl.search import search_site
from dowse.errors import DowseError
from dowse.fetch import Fetch, Render
from dowse.model import Door, Failure, Familiar, Link, Page, Request, Response, Seed, SiteSearch, Tally, Visit
from dowse.settings import FindSettings
from dowse.step.probe import probe_doors
from dowse.step.visit import visit
from dowse.store import Store
from dowse.strategy import Strategy, build_strategy

COUNT_SECONDS = 2.0  # between two counts of the sites that wait
BATCH_SITES = 256  # finished sites that are committed at once at most
BATCH_SECONDS = 0.5  # longest that a finished site waits for its commit
GRACE = 2.0  # seconds that requests under way get when a person stops the run
INTERRUPTED = "interrupted"
LARGE = 128 * 1024  # bytes of a body that takes long to read

Finished = SiteSearch | DowseError  # what a worker hands over: a site, or why none can be searched any more

log = logging.getLogger("dowse")


@dataclass(slots=True)
class Run:
    """What one call of `find` knows while it runs: counts to show, and whether to stop."""

    id: int
    own: bool  # only the run's own sites, or any that wait
    tally: Tally = field(default_factory=Tally)
    started: int = 0  # pages asked for
    page_budget: int = 0  # pages that may be asked for in this call; 0 for no limit
    site_budget: int = 0
    waiting: int = 0  # sites still to be searched, as of a moment ago
    stopped: str = ""  # why no further page is asked for

    def why_stop(self) -> str:
        """Say why the run has to end now, or nothing."""
        if not self.stopped and self.page_budget and self.started >= self.page_budget:
            self.stopped = "page budget"
        return self.stopped


async def search_sites(
    store: Store,
    run: Run,
    fetch: Fetch,
    settings: FindSettings,
    *,
    before_commit: Callable[[], None] = lambda: None,
    render: Render | None = None,
) -> AsyncIterator[SiteSearch]:
    """Search the waiting sites and yield each search once it is committed."""
    waiting: asyncio.Queue[Seed] = asyncio.Queue()
    finished: asyncio.Queue[Finished] = asyncio.Queue()
    strategy = build_strategy(settings.strategy)
    fetch = _large_in_turn(fetch)
    workers = [
        asyncio.create_task(_work(waiting, finished, run, strategy, fetch, settings, render))
        for _ in range(settings.jobs)
    ]
    watcher = asyncio.create_task(_cancel_when_interrupted(run, workers))
    lease = _Lease(store, run, room=2 * settings.jobs)
    try:
        while await lease.top_up(waiting):
            batch = await _collect(finished, lease.held)
            before_commit()
            await asyncio.to_thread(store.commit, run.id, batch, discover=settings.discover)
            lease.held -= len(batch)
            for search in batch:
                yield search
        if lease.is_spent() and store.count_waiting(run.id, own=run.own):
            run.stopped = run.stopped or "site budget"
    finally:
        for task in (*workers, watcher):
            task.cancel()
        await asyncio.gather(*workers, watcher, return_exceptions=True)
        store.release_sites()


@dataclass(slots=True)
class _Lease:
    """The sites that this process has taken from the store and not yet committed."""

    store: Store
    run: Run
    room: int  # sites that may be held at once
    held: int = 0
    taken: int = 0
    counted: float = 0.0  # when the waiting sites were counted last

    def is_spent(self) -> bool:
        """Say whether the run's budget of sites has been handed out."""
        return 0 < self.run.site_budget <= self.taken

    async def top_up(self, waiting: asyncio.Queue[Seed]) -> bool:
        """Take as many sites as there is room for; say whether any are held."""
        run = self.run
        room = self.room - self.held
        if run.site_budget:
            room = min(room, run.site_budget - self.taken)
        if room > 0 and not run.why_stop():
            seeds = await asyncio.to_thread(self.store.take_sites, run.id, room, own=run.own)
            self.held, self.taken = self.held + len(seeds), self.taken + len(seeds)
            for seed in seeds:
                waiting.put_nowait(seed)
        if run.stopped:
            self.held -= _empty(waiting)
        await self._count_waiting()
        return self.held > 0

    async def _count_waiting(self) -> None:
        if time.monotonic() - self.counted > COUNT_SECONDS:
            self.run.waiting = await asyncio.to_thread(self.store.count_waiting, self.run.id, own=self.run.own)
            self.counted = time.monotonic()


def _large_in_turn(fetch: Fetch) -> Fetch:
    """Wrap a Fetch to hand out large bodies one per turn of the loop.

    Of many that came at once, the last would be read only after other requests, though answered, ran out of time.
    """
    reading = asyncio.Lock()

    async def fetch_in_turn(request: Request) -> Response | Failure:
        result = await fetch(request)
        if isinstance(result, Response) and len(result.body) > LARGE:
            async with reading:
                await asyncio.sleep(0)
        return result

    return fetch_in_turn


def _empty(waiting: asyncio.Queue[Seed]) -> int:
    count = 0
    while not waiting.empty():
        waiting.get_nowait()
        count += 1
    return count


async def _collect(finished: asyncio.Queue[Finished], leased: int) -> list[SiteSearch]:
    """Wait for finished sites, and a little longer for more of them: a commit is paid once per batch."""
    batch = [_searched(await finished.get())]
    deadline = time.monotonic() + BATCH_SECONDS
    while len(batch) < min(BATCH_SITES, leased):
        try:
            batch.append(_searched(await asyncio.wait_for(finished.get(), max(0.0, deadline - time.monotonic()))))
        except TimeoutError:
            break
    return batch


def _searched(result: Finished) -> SiteSearch:
    if isinstance(result, DowseError):
        raise result
    return result


async def _work(
    waiting: asyncio.Queue[Seed],
    finished: asyncio.Queue[Finished],
    run: Run,
    strategy: Strategy,
    fetch: Fetch,
    settings: FindSettings,
    render: Render | None = None,
) -> None:
    """Search one site after the other until the run ends."""
    tally = run.tally

    async def visit_counted(link: Link, familiar: Familiar) -> Visit:
        run.started += 1
        visited = await visit(link, fetch, familiar, render=render)
        _count(tally, visited)
        return visited

    async def fetch_counted(request: Request) -> Response | Failure:
        run.started += 1
        return await fetch(request)

    async def ask(doors: Sequence[Door], page: Page | None, most: int) -> tuple[Door, ...]:
        return await probe_doors(doors, fetch_counted, page, 0 if run.why_stop() else most)

    while True:
        seed = await waiting.get()
        try:
            search = await search_site(
                seed, strategy, visit_counted,
                site_pages=settings.site_pages, why_stop=run.why_stop, strategy_name=settings.strategy,
                ask=ask if settings.probe else None,
            )  # fmt: skip
        except DowseError as error:  # a full disk, a lost archive: nothing can go on
            finished.put_nowait(error)
            return
        except Exception as error:  # the outermost loop: one hostile site may not end the search of all others
            log.error("searching %s failed: %r", seed.site, error)
            log.debug("where it failed", exc_info=True)
            search = SiteSearch(seed.site, settings.strategy, error=f"Dowse failed here: {error!r}"[:300])
        tally.sites += 1
        tally.failed += bool(search.error)
        finished.put_nowait(search)


def _count(tally: Tally, visited: Visit) -> None:
    if visited.failure and not visited.failure.asked:
        return
    tally.pages += 1
    tally.forms += sum(1 for door in visited.doors if door.judgement.kind == "database")
    if visited.failure:
        reason = str(visited.failure.why)
        tally.errors[reason] = tally.errors.get(reason, 0) + 1


async def _cancel_when_interrupted(run: Run, workers: list[asyncio.Task[None]]) -> None:
    """End waits for slow servers once a person wants to stop; a search that is cancelled gives what it has."""
    while run.stopped != INTERRUPTED:  # noqa: ASYNC110 (set by a signal handler that knows no loop)
        await asyncio.sleep(0.1)
    await asyncio.sleep(GRACE)
    for worker in workers:
        worker.cancel()
