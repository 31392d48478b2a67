"""`dowse find` as a function: seeds in, sites searched, forms kept, a report with coverage out."""

from __future__ import annotations

import hashlib
import time
from collections.abc import AsyncIterator, Iterable, Sequence
from dataclasses import dataclass

from dowse.crawl.site import search_site
from dowse.engine.auto import AUTO, FindEvent, search_auto, target_of
from dowse.engine.job import FindRun
from dowse.engine.topical import check_topical, search_wanted, topic_name
from dowse.engine.workers import search_sites
from dowse.errors import BadInput
from dowse.fetch.build import Fetches, build_fetch
from dowse.form.fill import judge_asking
from dowse.model import Door, Link, Seed, SeenOnSite, Verdict, Visit
from dowse.reasons import SkipKind, StopReason, say_count
from dowse.seeds.lists import read_seed
from dowse.settings import FetchSettings, FindSettings
from dowse.step.visit import visit
from dowse.store import BY_WORTH, ORDERS, Store, open_store
from dowse.store.directory import FormFilter, count_forms
from dowse.store.samples import count_searched_forms, sum_left
from dowse.strategy import SITE_STRATEGIES, build_strategy
from dowse.strategy.learned import LearnedStrategy
from dowse.yields import Interval, estimate_found


def estimate_coverage(store: Store) -> Interval | Verdict:
    """Return which part of the query forms of the searched sites was found, or why that is unknown."""
    found, left = count_searched_forms(store), sum_left(store)
    if not store.count_states().get("searched"):
        return Verdict(False, "no site was searched to its end")
    if left is None:
        return Verdict(False, "not every searched site was audited (--audit 0, --topic or --schedule round-robin)")
    if not found:
        return Verdict(False, "no query form was found on a site that was searched to its end")
    return estimate_found(found, left) or Verdict(
        False,
        f"too little was seen: {say_count(found, 'query forms')} found, about {left.expected:.1f} more expected behind links"
        " that were left, and that may be far off",
    )


# -- the doors of one site, without a database: for who gives a home page and means what is behind it

SMALL_FIND_PAGES = 25  # pages of a site that are read at most
PAGES_AFTER_FIND = 8  # that are read after one with a form that asks a database, as another may do so better


@dataclass(frozen=True, slots=True)
class SiteDoors:
    """The query forms that a few pages of a site showed, the best first."""

    doors: tuple[Door, ...]
    pages: int  # that were read


async def find_site_doors(seed: Seed, fetches: Fetches, pages: int = SMALL_FIND_PAGES) -> SiteDoors:
    """Search a few pages of a site for query forms; those that ask a database first, then the likeliest.

    However little a page promises it is read: there are few, and nothing else to spend requests on.
    """
    read, found_at = 0, pages

    async def visit_link(link: Link, seen: SeenOnSite) -> Visit:
        nonlocal read, found_at
        visited = await visit(link, fetches.within_site, seen, render=fetches.render)
        read += visited.page is not None
        if any(door.judgement.kind == "database" and judge_asking(door).yes for door in visited.doors):
            found_at = min(found_at, read)
        return visited

    def why_stop() -> StopReason | None:
        return StopReason.LOW_YIELD if read >= found_at + PAGES_AFTER_FIND else None

    strategy = LearnedStrategy(worth=0.0)
    found = await search_site(seed, strategy, visit_link, site_pages=pages, why_stop=why_stop, strategy_name=LEARNED)
    able = [door for door in found.doors if judge_asking(door).yes]
    ranked = sorted(able, key=lambda door: (door.judgement.kind != "database", -door.judgement.probability))
    return SiteDoors(tuple(ranked), read)


# -- finding

LEARNED = "learned"
MAX_AUDIT = 0.5  # share of the pages for links drawn at random


@dataclass(frozen=True, slots=True)
class Report:
    """What a database holds after a search; counts are exact, coverage is an estimate with its interval and method."""

    sites_known: int
    sites_searched: int
    pages: int
    forms: int
    sources: int
    harvest: float
    coverage: float | None
    errors: dict[str, int]
    skipped: dict[str, int]
    seconds: float
    kinds: dict[str, int]
    stopped: str = ""
    finder_pages: int = 0
    sites_found: int = 0
    coverage_ci: tuple[float, float] | None = None
    coverage_method: str = ""
    sites_waiting: int = 0
    sites_failed: int = 0
    coverage_unknown: str = ""  # why coverage is
    forbidden_searches: int = 0  # addresses that look like searches, which robots.txt forbids
    on_topic: int | None = None  # query forms on the topic of the search; None where it has none


@dataclass(frozen=True, slots=True)
class Discovery:
    """What looking for sites gave, in all calls with the same seeds and strategy."""

    found: int
    known: int
    pages: int
    harvest: float
    seconds: float
    stopped: str = ""


async def find(
    seeds: Iterable[str] = (),
    *,
    db: str = "dowse.db",
    settings: FindSettings | None = None,
    fetching: FetchSettings | None = None,
) -> Report:
    """Search sites for query forms and keep them in a database; the same call again goes on."""
    settings = settings or FindSettings()
    begun = time.monotonic()
    with open_store(db) as store:
        run = begin_run(store, [read_seed(seed) for seed in seeds], settings)
        async with build_fetch(fetching or FetchSettings()) as fetches:
            async for _ in search_waiting(store, run, fetches, settings):
                pass
        return build_report(store, time.monotonic() - begun, run.stopped, topic_name(settings))


async def search_waiting(
    store: Store, run: FindRun, fetches: Fetches, settings: FindSettings
) -> AsyncIterator[FindEvent]:
    """Search the waiting sites with the strategy that was named, or one chosen by a sample; yield searches and lines to print."""
    if settings.topic:
        async for event in search_wanted(store, run, fetches, settings):
            yield event
        return
    search = search_auto if settings.strategy == AUTO else search_sites
    async for event in search(
        store, run, fetches.within_site, settings, before_commit=fetches.flush, render=fetches.render
    ):
        yield event


def begin_run(store: Store, seeds: Sequence[Seed], settings: FindSettings) -> FindRun:
    """Add the seeds and return the run, with what is left of its budgets."""
    _check(settings)
    run_id = store.begin_run(command_name(seeds, settings), BY_WORTH if settings.topic else settings.schedule)
    store.add_seeds(seeds, run_id)
    own = bool(seeds) and not settings.discover
    if settings.retry:
        store.retry_failed(run_id, own=own)
    can_ask = settings.searxng and settings.strategy != "smart"  # which, as published, begins at known sources
    if not seeds and not can_ask and not store.count_waiting(run_id, own=False):
        raise BadInput(
            "no site is waiting; give a seed such as http://example.com/, --seeds FILE, or import a list with `dowse sites import`"
        )
    done, pages = store.count_done(run_id)
    begun = store.count_begun(run_id)
    run = FindRun(run_id, own, seeds=tuple(seeds))
    run.site_budget = _left(settings.sites, done + begun)
    run.page_budget = _left(settings.pages, pages + store.count_queries(run_id))
    if store.count_waiting(run_id, own=own):
        if run.site_budget == 0 and not begun:
            run.stopped = StopReason.SITE_BUDGET
        elif run.page_budget == 0:
            run.stopped = StopReason.PAGE_BUDGET
    return run


def _check(settings: FindSettings) -> None:
    """Refuse a mistake before it costs anything."""
    target = target_of(settings)
    if settings.topic:
        check_topical(settings)
    elif settings.strategy != AUTO:
        strategy = build_strategy(settings.strategy)
        if target.harvest is not None:
            raise BadInput(f"--harvest is for --strategy {AUTO}, which chooses by it")
        if target.coverage is not None and settings.strategy != LEARNED:
            name = settings.strategy
            why = "fixes what a page has to promise" if isinstance(strategy, LearnedStrategy) else "knows no target"
            raise BadInput(f"--coverage is for --strategy {LEARNED} and {AUTO}; {name} {why}")
    build_strategy(settings.site_strategy, SITE_STRATEGIES)
    if not 0.0 <= settings.audit <= MAX_AUDIT:
        raise BadInput(f"--audit is a share of the pages from 0 to {MAX_AUDIT:g}, not {settings.audit:g}")
    if settings.schedule not in ORDERS:
        raise BadInput(f"no schedule is called {settings.schedule!r}; there is {', '.join(ORDERS)}")


def begin_discovery(store: Store, seeds: Sequence[Seed], settings: FindSettings) -> FindRun:
    """Add the seeds and return a run that looks for sites, with what is left of its budgets."""
    build_strategy(settings.site_strategy, SITE_STRATEGIES)
    name = f"discover {_digest(seeds)} ({len(seeds)} seeds) {settings.site_strategy} site-pages={settings.site_pages}"
    run = FindRun(store.begin_run(name), own=False, seeks="sites")
    store.add_seeds(seeds, run.id)
    if not store.count_sites():
        raise BadInput(
            "no site is known; give a seed such as http://example.com/, or import a list with `dowse sites import`"
        )
    run.tally.sites_found, pages = store.count_explored(run.id)
    run.site_budget, run.page_budget = settings.sites or None, _left(settings.pages, pages)
    if run.page_budget == 0:
        run.stopped = StopReason.PAGE_BUDGET
    return run


def build_discovery(store: Store, run: FindRun, seconds: float) -> Discovery:
    """Read off the database what a run has discovered."""
    found, pages = store.count_explored(run.id)
    harvest = round(found / pages, 6) if pages else 0.0
    return Discovery(found, store.count_sites(), pages, harvest, round(seconds, 3), str(run.stopped or ""))


def command_name(seeds: Sequence[Seed], settings: FindSettings) -> str:
    """Name what was asked for, without budgets: raising a budget goes on with the same run."""
    discover = "discover" if settings.discover else "no-discover"
    usual = FindSettings()
    unusual = "".join(
        f" {name}={getattr(settings, name)}"
        for name in ("schedule", "site_strategy", "coverage", "harvest", "topic")
        if getattr(settings, name) != getattr(usual, name)
    )
    return (
        f"find {_digest(seeds)} ({len(seeds)} seeds) {settings.strategy} {discover}"
        f" site-pages={settings.site_pages}{unusual}"
    )


def _digest(seeds: Sequence[Seed]) -> str:
    digest = hashlib.blake2b(digest_size=8)
    for entrance in sorted(seed.entrance for seed in seeds):
        digest.update(entrance.encode() + b"\n")
    return digest.hexdigest()


def _left(budget: int, used: int) -> int | None:
    """Return what is left of a budget; None where there is no limit."""
    return max(0, budget - used) if budget else None


def build_report(
    store: Store,
    seconds: float,
    stopped: StopReason | None = None,
    topic: str = "",
) -> Report:
    """Read off the database what there is."""
    tally = store.tally()
    estimated = estimate_coverage(store)
    coverage = estimated if isinstance(estimated, Interval) else None
    known = store.count_sites()
    return Report(
        sites_known=known,
        sites_searched=tally.sites,
        pages=tally.pages,
        forms=tally.forms,
        sources=store.count_sources(),
        harvest=round(tally.harvest, 6),
        coverage=round(coverage.value, 4) if coverage else None,
        errors=tally.errors,
        skipped=tally.skipped,
        seconds=round(seconds, 3),
        kinds=tally.kinds,
        stopped=str(stopped or ""),
        finder_pages=tally.finder_pages,
        sites_found=tally.sites_found,
        coverage_ci=(round(coverage.low, 4), round(coverage.high, 4)) if coverage else None,
        coverage_method=coverage.method if coverage else "",
        sites_waiting=known - tally.sites,
        sites_failed=store.count_states().get("failed", 0),
        coverage_unknown=estimated.reason if isinstance(estimated, Verdict) else "",
        forbidden_searches=tally.skipped.get(str(SkipKind.FORBIDDEN_SEARCH), 0),
        on_topic=count_forms(store, FormFilter(kinds=("database",), topic=topic)) if topic else None,
    )
