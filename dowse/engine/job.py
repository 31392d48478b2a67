"""One run as it goes: its budgets and counts, the sites it has taken from the store, and what its workers hand over."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from dowse.errors import DowseError
from dowse.fetch import Fetch
from dowse.model import Failure, Request, Response, Seed, SiteSearch, Tally
from dowse.reasons import StopReason

MAX_BATCH_SITES = 256  # finished sites that are committed at once
BATCH_SECONDS = 0.5  # longest that a finished site waits for its commit
GRACE_SECONDS = 2.0  # that requests under way get when a person stops the run
LARGE_BODY_BYTES = 128 * 1024  # a body of that size takes long to read

# What is handed over: a site, why none can be searched any more, or None to look for new sites again.
Finished = SiteSearch | DowseError | None


@dataclass(slots=True)
class FindRun:
    """What one call of `find` knows while it runs: counts to show, and whether to stop."""

    id: int
    own: bool  # only the run's own sites, or any that wait
    tally: Tally = field(default_factory=Tally)
    started: int = 0  # pages asked for
    page_budget: int | None = None  # pages that may be asked for in this call; None for no limit
    site_budget: int | None = None  # sites that may be begun in it
    waiting: int = 0  # sites still to be searched, as of a moment ago
    stopped: StopReason | None = None  # why no further page is asked for
    seeks: str = "forms"  # or sites
    seeds: tuple[Seed, ...] = ()  # that it was given

    def why_stop(self) -> StopReason | None:
        """Return why the run has to end now, or None."""
        if not self.stopped and self.page_budget is not None and self.started >= self.page_budget:
            self.stopped = StopReason.PAGE_BUDGET
        return self.stopped


@dataclass(slots=True)
class Lease:
    """The sites that were taken and not yet committed."""

    take: Callable[[int, bool], list[Seed]]  # so many; once the budget is spent, only those that have begun
    room: int  # sites that may be held at once
    budget: int | None = None  # sites that may be begun; None for no limit
    held: int = 0
    begun: int = 0
    waiting: asyncio.Queue[Seed] = field(default_factory=asyncio.Queue)  # for a worker

    def is_spent(self) -> bool:
        """Return True if the budget of sites has been handed out."""
        return self.budget is not None and self.budget <= self.begun

    def fits(self) -> int:
        """Return how many more sites can be taken."""
        is_bounded = self.budget is not None and not self.is_spent()
        left = (self.budget or 0) - self.begun if is_bounded else self.room
        return min(self.room - self.held, left)

    async def top_up(self) -> None:
        """Take as many sites as there is room for."""
        count = self.fits()
        if count <= 0:
            return
        seeds = await asyncio.to_thread(self.take, count, self.is_spent())
        self.held += len(seeds)
        self.begun += sum(1 for seed in seeds if not seed.round)
        for seed in seeds:
            self.waiting.put_nowait(seed)

    def drop(self) -> None:
        """Leave the sites that no worker has begun."""
        while not self.waiting.empty():
            self.waiting.get_nowait()
            self.held -= 1


async def collect(finished: asyncio.Queue[Finished], held: int, patience: float | None = None) -> list[SiteSearch]:
    """Wait for finished sites, and a little longer for more of them: a commit is paid once per batch.

    Returns with none when somebody said to look for new sites, or after so many seconds.
    """
    batch: list[SiteSearch] = []
    deadline = 0.0
    while len(batch) < min(MAX_BATCH_SITES, max(1, held)):
        wait = max(0.0, deadline - time.monotonic()) if batch else patience
        try:
            result = await asyncio.wait_for(finished.get(), wait)
        except TimeoutError:
            break
        if isinstance(result, DowseError):
            raise result
        if result is None:
            break
        batch.append(result)
        deadline = deadline or time.monotonic() + BATCH_SECONDS
    return batch


def hand_out_in_turn(fetch: Fetch) -> Fetch:
    """Wrap a Fetch to hand out large bodies one per turn of the loop.

    Of many that came at once, the last would be read only after other requests, though answered, ran out of time.
    """
    reading = asyncio.Lock()

    async def fetch_in_turn(request: Request) -> Response | Failure:
        result = await fetch(request)
        if isinstance(result, Response) and len(result.body) > LARGE_BODY_BYTES:
            async with reading:
                await asyncio.sleep(0)
        return result

    return fetch_in_turn


def crashed_search(seed: Seed, error: Exception, strategy: str = "") -> SiteSearch:
    """Return the search of a site on which Dowse itself failed: one hostile site may not end all others."""
    what = "internal error while searching this site"
    return SiteSearch(seed.site, strategy, error=f"{what}: {error!r}"[:300], error_kind=what)


async def cancel_when_interrupted(run: FindRun, workers: list[asyncio.Task[None]]) -> None:
    """End waits for slow servers once a person wants to stop; a search that is cancelled gives what it has."""
    while run.stopped is not StopReason.INTERRUPTED:  # noqa: ASYNC110 (set by a signal handler that knows no loop)
        await asyncio.sleep(0.1)
    await asyncio.sleep(GRACE_SECONDS)
    for worker in workers:
        worker.cancel()
