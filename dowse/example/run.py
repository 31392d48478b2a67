"""`dowse follow` as a function: a pattern is followed, and what it finds is kept."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Final

from dowse.example.follow import Found, Walk
from dowse.example.follow import follow as follow_links
from dowse.example.likeness import Framed, Likeness
from dowse.example.look import look_with
from dowse.example.pattern import Kept, Pattern
from dowse.fetch.build import Fetches, build_fetch
from dowse.model import Value
from dowse.records.aligned import PageWrapper, read_values
from dowse.settings import FetchSettings
from dowse.store import Store, open_store
from dowse.store.walks import Begun, Target, add_targets, begin_walk, count_targets, known_targets
from dowse.tree.alike import Sample
from dowse.tree.fingerprint import print_of
from dowse.tree.written import read_shape

BATCH: Final = 20  # pages that are kept in one transaction
BATCH_SECONDS: Final = 2.0  # that a page waits at most to be kept


@dataclass(slots=True)
class Run:
    """A run of a crawler by example."""

    begun: Begun
    walk: Walk
    reader: PageWrapper | None
    pages: int = 0  # like the sample, those before it was cut off too
    new: int = 0  # of them, those that no run before found
    waiting: list[Target] = field(default_factory=list)  # to be kept
    kept_at: float = field(default_factory=time.monotonic)

    @property
    def stopped(self) -> str:
        """Why it ends before its end."""
        return self.walk.stopped

    @stopped.setter
    def stopped(self, why: str) -> None:
        self.walk.stopped = why

    @property
    def links(self) -> int:
        """Links that were traversed, before it was cut off too."""
        return self.begun.links + self.walk.links


async def follow(
    pattern: Pattern, *, db: str = "dowse.db", only_new: bool = False, fetching: FetchSettings | None = None
) -> Run:
    """Open all pages that a pattern leads to and keep them in a database; the same call goes on where it was cut off."""
    async with build_fetch(fetching or FetchSettings()) as fetches:
        with open_store(db) as store:
            run = begin(store, pattern, only_new=only_new)
            async for _ in run_pattern(store, run, fetches):
                pass
            return run


def name_pattern(pattern: Pattern) -> str:
    """Return what makes two patterns the same one: where it starts, and what it was first learned from."""
    return " ".join((pattern.entry, *pattern.samples[:1]))


def begin(store: Store, pattern: Pattern, *, only_new: bool) -> Run:
    """Begin to follow a pattern, or go on where the last run was cut off."""
    begun = begin_walk(store, name_pattern(pattern), only_new=only_new)
    likeness = Likeness([_read_sample(each) for each in pattern.shapes], pattern.scale)
    reader = PageWrapper.from_dict(pattern.reader) if pattern.reader else None
    run = Run(begun, Walk(pattern, likeness), reader)
    run.pages, run.new = count_targets(store, begun)
    return run


def _read_sample(kept: Kept) -> Framed:
    shape = read_shape(kept.shape)
    return Framed(Sample(shape, print_of(shape)), kept.common)


async def run_pattern(store: Store, run: Run, fetches: Fetches, *, limit: int = 0) -> AsyncIterator[Found]:
    """Follow a pattern and keep what is found as it comes."""
    look = look_with(fetches.within_site, fetches.render, run.walk.pattern.without)
    async for found in follow_links(run.walk, look, known=known_targets(store, run.begun), limit=limit):
        run.waiting.append(_read(run, found))
        if len(run.waiting) >= BATCH or time.monotonic() - run.kept_at > BATCH_SECONDS:
            _keep(store, run, fetches)
        yield found
    _keep(store, run, fetches, finished=not run.stopped)


def _read(run: Run, found: Found) -> Target:
    values: tuple[Value, ...] = read_values(run.reader, found.seen.tree) if run.reader else ()
    return Target(found.seen.url, found.seen.page.title, round(found.likeness, 4), values)


def _keep(store: Store, run: Run, fetches: Fetches, *, finished: bool = False) -> None:
    fetches.flush()
    add_targets(store, run.begun, run.waiting, run.links, finished=finished)
    run.waiting.clear()
    run.pages, run.new = count_targets(store, run.begun)
    run.kept_at = time.monotonic()
