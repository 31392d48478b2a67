"""`dowse follow` as a function: a pattern is followed, what it finds is kept, and it is learned again after a redesign."""

from __future__ import annotations

import hashlib
import time
from collections.abc import AsyncIterator, Collection
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from typing import Final

import msgspec

from dowse.errors import BadInput, Stopped
from dowse.example.crawler import FoundTarget, Walk, WalkMemory, judge_map, judge_reading, walk_pattern
from dowse.example.learn import learn_like
from dowse.example.map import MapLimits
from dowse.example.page import ExamplePage, OpenPage, build_opener
from dowse.example.pattern import Pattern
from dowse.fetch.build import Fetches, build_fetch
from dowse.model import Failure, Request, Value, Verdict
from dowse.records.template_pages import PageWrapper, read_page_values
from dowse.settings import FetchSettings
from dowse.step.visit import offload
from dowse.store import Store, open_store
from dowse.store.walks import (
    OpenedPage,
    TargetPage,
    WalkRun,
    add_targets,
    begin_walk,
    count_targets,
    forget_failures,
    known_targets,
    last_targets,
    measure_opened,
    read_opened,
    read_targets,
)
from dowse.tree.node import Node, text_of
from dowse.tree.similarity import Likeness, PageShape, ReferenceSample, fingerprint_of, read_shape

BATCH_PAGES: Final = 20  # stored in one transaction
BATCH_SECONDS: Final = 2.0  # that a page waits at most to be stored
# Characters of the addresses on opened pages that are stored; pages beyond are opened again after an interruption.
MAX_REMEMBERED_CHARS: Final = 200_000_000

# -- learning again after a redesign
MAX_OLD_TARGETS_TRIED: Final = 20  # targets that are opened to see whether they are still there
RELEARN_SAMPLES: Final = 2  # that are learned from
MIN_IDENTICAL_PAGES: Final = 3  # with the same text; two may be duplicates
MAX_COMPARED_CHARS: Final = 100_000  # of a page: menus before its text may be long


@dataclass(slots=True)
class FollowRun:
    """A run of a crawler by example: its walk, and what waits to be stored."""

    begun: WalkRun
    walk: Walk
    reader: PageWrapper | None
    pages: int = 0  # like the sample, those before an interruption too
    new: int = 0  # of them, those that no run before found
    waiting: list[TargetPage] = field(default_factory=list)  # to be stored
    opened: list[OpenedPage] = field(default_factory=list)  # to be stored, too
    remembered_chars: int = 0  # of these, and of those that were stored
    stored_at: float = field(default_factory=time.monotonic)

    @property
    def stopped(self) -> str:
        """Why it stopped early."""
        return self.walk.stopped

    @stopped.setter
    def stopped(self, why: str) -> None:
        self.walk.stopped = why

    @property
    def links(self) -> int:
        """Links that were traversed, before an interruption too."""
        return self.begun.links + self.walk.links

    @property
    def rows(self) -> int:
        """The number of pages that are written."""
        return self.new if self.begun.only_new else self.pages

    @property
    def attributes(self) -> tuple[str, ...]:
        """The names of the attributes that are extracted, each once."""
        return tuple(dict.fromkeys(each.name for each in self.reader.attributes)) if self.reader else ()

    @property
    def is_due(self) -> bool:
        """True if what was found has waited long enough to be stored."""
        most = max(len(self.waiting), len(self.opened))
        return most >= BATCH_PAGES or (most > 0 and time.monotonic() - self.stored_at > BATCH_SECONDS)

    def note(self, page: OpenedPage) -> None:
        """Remember a page that was opened, as far as there is room."""
        self.remembered_chars += len(page.name) + sum(map(len, page.links))
        if self.remembered_chars <= MAX_REMEMBERED_CHARS:
            self.opened.append(page)


async def follow(
    pattern: Pattern, *, db: str = "dowse.db", only_new: bool = False, fetching: FetchSettings | None = None
) -> FollowRun:
    """Open all pages that a pattern leads to and store them in a database; the same call resumes an interrupted run."""
    async with build_fetch(fetching or FetchSettings()) as fetches:
        with open_store(db) as store:
            run = begin(store, pattern, only_new=only_new)
            async for _ in run_pattern(store, run, fetches):
                pass
            return run


def name_pattern(pattern: Pattern) -> str:
    """Return what identifies a pattern: where it starts, and what it was first learned from."""
    return " ".join((pattern.entry, *pattern.samples[:1]))


def name_steps(pattern: Pattern) -> str:
    """Return a hash of what decides which pages are opened: patterns with the same hash can resume each other's runs."""
    steps = msgspec.structs.replace(pattern, samples=(), made="", figures={}, reader={})
    return hashlib.sha256(steps.to_json().encode()).hexdigest()


def judge_reader(pattern: Pattern) -> Verdict:
    """Judge whether the data of pages can be extracted as the pattern says; another version may have written it."""
    try:
        PageWrapper.from_dict(pattern.reader) if pattern.reader else None
    except BadInput as error:
        return Verdict(False, str(error))
    return Verdict(True)


def begin(store: Store, pattern: Pattern, *, only_new: bool) -> FollowRun:
    """Begin to follow a pattern, or resume the last run if it was interrupted."""
    shapes = [(read_shape(each.shape), each.common) for each in pattern.shapes]
    samples = [ReferenceSample(PageShape(shape, fingerprint_of(shape)), common) for shape, common in shapes]
    likeness = Likeness(samples, pattern.scale)
    reader = PageWrapper.from_dict(pattern.reader) if pattern.reader else None
    begun = begin_walk(store, name_pattern(pattern), only_new=only_new, steps=name_steps(pattern))
    pages, new = count_targets(store, begun)
    walk = Walk(pattern, likeness, only_new, pages)
    return FollowRun(begun, walk, reader, pages, new, remembered_chars=measure_opened(store, begun))


async def run_pattern(store: Store, run: FollowRun, fetches: Fetches, *, limit: int = 0) -> AsyncIterator[FoundTarget]:
    """Follow a pattern and store what is found as it comes."""
    pattern = run.walk.pattern
    open_page = build_opener(fetches.within_site, fetches.render, pattern.without, pattern.avoid)

    async def save_and_open(request: Request) -> ExamplePage | Failure:
        if run.is_due:
            _save(store, run, fetches)
        return await open_page(request)

    words = pattern.first is not None and pattern.first.words
    titles = (each.title for each in read_targets(store, run.begun)) if words else ()
    recall = partial(read_opened, store, run.begun)
    memory = WalkMemory(known_targets(store, run.begun), titles, recall, run.note)
    async for found in walk_pattern(run.walk, save_and_open, memory, limit=limit):
        run.waiting.append(await offload(found.seen.large, _extract_target, run, found))
        yield found
    could_read = judge_reading(run.walk).yes or not run.walk.opened
    _save(store, run, fetches, finished=could_read and not run.stopped)
    if not could_read:
        forget_failures(store, run.begun)


def _extract_target(run: FollowRun, found: FoundTarget) -> TargetPage:
    values: tuple[Value, ...] = read_page_values(run.reader, found.seen.tree) if run.reader else ()
    return TargetPage(found.seen.url, found.seen.page.title, round(found.likeness, 4), values)


def _save(store: Store, run: FollowRun, fetches: Fetches, *, finished: bool = False) -> None:
    fetches.flush()
    add_targets(store, run.begun, run.waiting, run.links, opened=run.opened, finished=finished)
    run.waiting.clear()
    run.opened.clear()
    run.pages, run.new = count_targets(store, run.begun)
    run.stored_at = time.monotonic()


async def learn_again(store: Store, pattern: Pattern, fetches: Fetches, limits: MapLimits | None = None) -> Pattern:
    """Learn how to reach the same pages as the site is now; to the store it stays the same pattern."""
    known = islice(last_targets(store, name_pattern(pattern)), MAX_OLD_TARGETS_TRIED)
    samples = await _find_alive((*pattern.samples, *known), build_opener(fetches.within_site, fetches.render))
    if not samples:
        raise Stopped("none of the pages that were found before is still there; make a new pattern with `dowse like`")
    learned = await learn_like(samples, pattern.entry, fetches, limits or MapLimits())
    for verdict in (
        judge_map(learned.site.failures, len(learned.site.pages)),
        judge_distinct_texts(learned.site.trees.values()),
    ):
        if not verdict.yes:
            raise Stopped(verdict.reason)
    named = tuple(dict.fromkeys((*pattern.samples[:1], *learned.pattern.samples)))
    return msgspec.structs.replace(learned.pattern, samples=named)


def judge_distinct_texts(trees: Collection[Node]) -> Verdict:
    """Judge whether pages have texts of their own; those behind a login all say the same."""
    texts = {text_of(tree, MAX_COMPARED_CHARS) for tree in trees}
    if len(trees) >= MIN_IDENTICAL_PAGES and len(texts) == 1:
        return Verdict(
            False,
            f"all {len(trees):,} pages that were compared say the same, as where a login is asked for; the pattern was not changed",
        )
    return Verdict(True)


async def _find_alive(urls: tuple[str, ...], open_page: OpenPage) -> list[str]:
    """Return a few of the addresses that still lead to a page without a redirect."""
    alive: list[str] = []
    for url in dict.fromkeys(urls):
        seen = await open_page(Request(url))
        if not isinstance(seen, Failure) and not seen.moved:
            alive.append(url)
        if len(alive) >= RELEARN_SAMPLES:
            break
    return alive
