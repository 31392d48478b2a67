"""`dowse harvest` as a function: from an address to records that are kept, counted and estimated."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from random import Random
from urllib.parse import urlsplit

from dowse.errors import BadInput, NoDoor, Stopped
from dowse.fetch import Fetch
from dowse.fetch.build import Fetches, build_fetch
from dowse.harvester.checks import Contradictions
from dowse.harvester.completeness import IN_LIST, CompletenessJudge
from dowse.harvester.door import known_values, map_fields, open_template, read_values
from dowse.harvester.listing import find_unsent
from dowse.harvester.loop import ProbingSelector, ResultPage, run_queries
from dowse.harvester.presets import find_path_filter
from dowse.harvester.reader import GET_OR_POST, DetailPages
from dowse.harvester.resume import HarvestRun, PageWriter, ReplayedAnswers, estimate, start_run
from dowse.harvester.sitemap import MAX_SITEMAP_REQUESTS, NamedRecords, SitemapLook
from dowse.harvester.trials import DoorRefusal, OpenedDoor, judge_door, try_door
from dowse.harvester.ways import choose_listing, find_list, look_at_views
from dowse.model import Door, Failure, Page, Query, Verdict
from dowse.reasons import HarvestNotice, StopReason, say_count
from dowse.records.service import MAX_SERVICE_BYTES
from dowse.select import build_selector
from dowse.select.selector import SelectorParts
from dowse.settings import FetchSettings, HarvestSettings
from dowse.step.probe import choose_door, rank_doors
from dowse.step.visit import inspect
from dowse.store import Store, open_existing, open_store
from dowse.store.harvests import (
    StoredHarvest,
    begin_harvest,
    find_answered,
    find_harvest,
    read_pages,
    read_records,
)
from dowse.url import check_no_file, seed_address

MAX_PAGE_DOORS = 3  # forms of one page that are tried, each with as many trial queries as one alone
ESTIMATE_PAGES = 25  # pages between two estimates, at first; the pause grows with the harvest
MAX_CURVE_POINTS = 400


async def run_harvest(
    store: Store, run: HarvestRun, opened: OpenedDoor, before_commit: Callable[[], None] = lambda: None
) -> AsyncIterator[ResultPage]:
    """Harvest until nothing is left, a budget is spent, or a reason to stop; yield each page once it is counted."""
    source, attributes = opened.source, opened.attributes
    interface, settings = attributes.interface, run.settings
    graph, decompose = run.harvested.graph, attributes.decompose
    parts = SelectorParts(graph, interface, Random(settings.seed))
    inner = build_selector(settings.selector, parts, settings.domain, settings.abort)
    first = [query for query in opened.seeds if query != Query() or interface.blank]  # they brought records as trials
    values = known_values(opened.given, source.field_map)
    selector = ProbingSelector(inner, graph, interface, Random(settings.seed + 1), first, values)
    judge = CompletenessJudge(run, opened, selector, Contradictions(attributes, run.monitor.noticed))
    run.way = source.listing.reason if source.listing else ""
    ready = {query for query in opened.seeds if (query, 0) in source.ready}
    judge.answered_before = frozenset({*ready, *find_answered(store, run.harvest.id, opened.seeds)})
    judge.named = NamedRecords.from_dict(opened.learned.get("sitemap", {}))
    selector.choose_checks, selector.is_bounded = judge.choose_checks, bool(opened.learned.get("bounded"))
    selector.choose_named = judge.choose_named

    kept = list(read_records(store, run.harvest.id))
    if settings.details:
        source.details = DetailPages(source.fetch)
        source.details.restore(kept)
    pages = read_pages(store, run.harvest.id)
    answers = ReplayedAnswers(
        pages, kept, source.ask, source.resume_at, lambda records: run.harvested.add(records, decompose)
    )
    writer = PageWriter(store, run, opened, before_commit)
    try:
        async for result in run_queries(answers, selector, run.harvested, decompose, run.why_stop):
            _note_page(run, selector, judge, result)
            if answers.live:
                writer.add(result)
            else:
                run.replayed = run.harvested.requests
            yield result
        run.stopped = run.stopped or StopReason.NOTHING_TO_ASK
    finally:
        judge.conclude()
        writer.commit()


def _note_page(run: HarvestRun, selector: ProbingSelector, judge: CompletenessJudge, result: ResultPage) -> None:
    """Count a page: the curve, the estimate, what contradicts what, why to stop."""
    judge.note(result)
    selector.note(result)
    requests = run.harvested.requests
    run.curve.append((requests, run.records))
    if len(run.curve) > MAX_CURVE_POINTS:
        del run.curve[1:-1:2]
    why = run.monitor.note(result)
    if why is None and result.over:
        why = StopReason.ALL_HARVESTED if judge.has_all(result.asked) else judge.why_enough(result)
    run.stopped = run.stopped or why
    if requests % max(ESTIMATE_PAGES, requests // 20) == 0:
        estimate(run, selector)


@dataclass(frozen=True, slots=True)
class HarvestOrder:
    """What a user wants harvested: where, and which values to begin with."""

    target: str  # an address, the number of a form in the database, or a template
    values: tuple[str, ...] = ()  # author=Kafka, or words
    form: int | None = None  # the number of the form on its page


async def harvest(
    target: str,
    *,
    db: str = "dowse.db",
    values: Sequence[str] = (),
    form: int | None = None,
    settings: HarvestSettings | None = None,
    fetching: FetchSettings | None = None,
) -> HarvestRun:
    """Harvest the records behind a door into a database; the same call goes on where it stopped."""
    settings, fetching = settings or HarvestSettings(), fetching or FetchSettings()
    order = HarvestOrder(target, tuple(values), form)
    async with (
        build_fetch(replace(fetching, cookies=True, body_limit=MAX_SERVICE_BYTES)) as fetches,
        open_harvest(order, db, settings, fetches) as (store, run, opened),
    ):
        async for _ in run_harvest(store, run, opened, fetches.flush):
            pass
        return run


@asynccontextmanager
async def open_harvest(
    order: HarvestOrder, db: str, settings: HarvestSettings, fetches: Fetches
) -> AsyncIterator[tuple[Store, HarvestRun, OpenedDoor]]:
    """Open the door and the database; raise why nothing can be harvested."""
    doors = await find_doors(order, db, settings, fetches)
    with open_store(db) as store:
        found, kept, opened = await _open_first(order, doors, store, settings, fetches)
        door, page = found.door, found.page
        if not kept.wrapper:
            shown = [record for answer in opened.source.ready.values() for record in answer.records]
            part = IN_LIST if door.form.made == "list" else find_path_filter(door, found.others, shown)
            if part:
                opened.learned["path filter"] = part
                opened.learned["bounded"] = " and ".join(filter(None, [opened.learned.get("bounded", ""), part]))
            opened = await look_at_views(opened, page, settings.rounds)
            opened = await choose_listing(opened, page, found.others, settings.rounds)
            await _look_at_sitemap(opened, fetches.within_site, settings)
        opened.source.reopen = None if door.form.template else partial(reread_door, door, fetches)
        run = start_run(kept, settings)
        unsent = [] if door.form.template or order.target.isdecimal() else find_unsent(order.target, door)
        if unsent:
            run.monitor.noticed[f"{HarvestNotice.NOT_SENT}: {', '.join(unsent)}"] = len(unsent)
        yield store, run, opened


async def _open_first(
    order: HarvestOrder, doors: Sequence[FoundDoor], store: Store, settings: HarvestSettings, fetches: Fetches
) -> tuple[FoundDoor, StoredHarvest, OpenedDoor]:
    """Open the first of the doors that brings records, or the one that was harvested before; raise why none does."""
    names = {found.door.signature: name_harvest(order, settings, found.door) for found in doors}
    known = [
        found for found in doors if (earlier := find_harvest(store, names[found.door.signature])) and earlier.wrapper
    ]
    refusals: list[Verdict] = []
    for found in known or doors:
        door = found.door
        given = read_values(order.values, map_fields(door))
        if isinstance(given, Verdict):
            raise BadInput(f"--value: {given.reason}")
        kept = begin_harvest(store, names[door.signature], door.page or order.target, door.signature)
        opened = await try_door(
            door,
            found.page,
            fetches.within_site,
            given,
            post=settings.post,
            learned=kept.wrapper,
            budget=settings.rounds,
        )
        if isinstance(opened, OpenedDoor):
            if refusals:
                opened.learned["refused forms"] = [
                    f"form {each.door.form.index}: {why.reason}" for each, why in zip(doors, refusals, strict=False)
                ]
            return found, kept, opened
        refusals.append(opened)
    is_home = order.form is None and not order.values and is_home_page(order.target)
    is_open = is_home and not isinstance(refusals[0], DoorRefusal)
    others = f" (nor from {say_count(len(refusals) - 1, 'other forms')} of the page)" if refusals[1:] else ""
    raise (NoDoor if is_open else Stopped)(f"{order.target}: {refusals[0].reason}{others}")


async def _look_at_sitemap(opened: OpenedDoor, fetch: Fetch, settings: HarvestSettings) -> None:
    """Look for the records in the sitemap of their site, where nothing lists and counts everything."""
    source = opened.source
    everything = source.ready.get((Query(), 0))
    spent = sum(answer.requests for answer in source.ready.values())
    is_counted = everything is not None and everything.exact and everything.total is not None
    if is_counted or (settings.rounds and spent + MAX_SITEMAP_REQUESTS >= settings.rounds):
        return
    look = SitemapLook(fetch)
    known = [record for answer in source.ready.values() for record in answer.records]
    named = await look.find_records(known, settings.seed)
    first = source.ready[opened.seeds[0], 0]
    source.ready[opened.seeds[0], 0] = replace(first, requests=first.requests + look.requests)
    if named is not None:
        opened.learned["sitemap"] = named.to_dict()


@dataclass(frozen=True, slots=True)
class FoundDoor:
    """A door, the page it stands on, and the other doors there."""

    door: Door
    page: Page | None = None
    others: tuple[Door, ...] = ()


async def find_doors(order: HarvestOrder, db: str, settings: HarvestSettings, fetches: Fetches) -> Sequence[FoundDoor]:
    """Return the doors that the order may mean, the likeliest first: forms, a template, a service, or a page that lists records.

    Where a form is named, by its number or its signature, that one alone is meant.
    """
    if "{" in order.target:
        made = open_template(order.target)
        if isinstance(made, Verdict):
            raise BadInput(made.reason)
        return (FoundDoor(made),)
    address, signature = read_target(order.target, db)
    seen = await inspect(address, fetches.anywhere, fetches.render)
    if isinstance(seen, Failure):
        raise Stopped(f"{address}: {seen}")
    is_named = order.form is not None or bool(signature)
    door = choose_door(seen, signature, order.form, GET_OR_POST)
    if isinstance(door, Verdict) and not is_named:
        listed = await find_list(address, fetches.within_site)
        # of a home page, what it links to is asked: its own lists are news and links
        if listed is not None and (listed.form.made == "service" or not is_home_page(address)):
            return (FoundDoor(listed),)
    allowed = door if isinstance(door, Verdict) else judge_door(door, settings.post)
    if isinstance(door, Verdict) or not allowed.yes:
        reason = allowed.reason if isinstance(door, Verdict) else f"form {door.form.index} {allowed.reason}"
        raise (Stopped if is_named else NoDoor)(f"{address}: {reason}")  # another page of the site may have one
    is_one = is_named or bool(order.values)  # values are for the likeliest
    others = [] if is_one else [each for each in rank_doors(seen.doors) if each is not door]
    return [
        FoundDoor(each, seen.page, tuple(other for other in seen.doors if other is not each))
        for each in (door, *others[: MAX_PAGE_DOORS - 1])
    ]


async def reread_door(door: Door, fetches: Fetches) -> Door | None:
    """Return a door as its page has it now, with fresh hidden values; None where it is gone."""
    seen = await inspect(door.page, fetches.anywhere)
    if isinstance(seen, Failure):
        return None
    fresh = next((each for each in seen.doors if each.signature == door.signature), None)
    return replace(fresh, judgement=door.judgement) if fresh else None  # it may have been named as one to ask


def read_target(target: str, db: str) -> tuple[str, str]:
    """Return the address of a page, and the signature of the form on it where a number was given."""
    if not (target.isascii() and target.isdigit()):
        check_no_file(target)
        url = seed_address(target)
        if url is None:
            raise BadInput(f"{target[:120]!r} is not a web address; give one such as http://example.com/search")
        return url, ""
    with open_existing(db) as store:
        form = store.form(int(target[:18]))
    if form is None:
        raise BadInput(f"there is no form {target[:18]} in {db}; `dowse export forms` shows their ids")
    return form["page"], form["signature"]


def is_home_page(target: str) -> bool:
    """Return True if an address is that of a whole site, so that a search on it may not be what is meant."""
    parts = urlsplit(target)
    return parts.path in ("", "/") and not parts.query and not target.isdecimal()


def name_harvest(order: HarvestOrder, settings: HarvestSettings, door: Door) -> str:
    """Return what two commands must share to be the same harvest: all but budgets and the output."""
    table = str(Path(settings.domain).absolute()) if settings.domain else ""
    parts = [
        door.page or order.target,
        door.signature,
        settings.selector,
        str(settings.seed),
        table,
        str(settings.details),
        *([] if settings.abort == "auto" else [settings.abort]),
    ]
    return " ".join([*parts, *sorted(order.values)])
