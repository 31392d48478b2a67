"""`dowse harvest` as a function: from an address to records that are kept, counted and estimated."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from math import isfinite
from pathlib import Path
from random import Random
from typing import Any

from dowse.errors import BadInput, Stopped
from dowse.fetch.build import Fetches, build_fetch
from dowse.harvester.checks import WENT_ON, Doubts, Watch, count_reason
from dowse.harvester.door import GET_OR_POST, Details, open_template
from dowse.harvester.interface import known_values, open_interface, read_values
from dowse.harvester.loop import Ask, Draught, Drawn, Steered, draw
from dowse.harvester.prepare import Prepared, judge_door, prepare
from dowse.model import Answer, Door, Failure, Page, Query, Record, Verdict
from dowse.select import build_selector
from dowse.select.graph import Graph
from dowse.select.selector import Asked, Interface, Parts, Proving
from dowse.settings import FetchSettings, HarvestSettings
from dowse.step.probe import choose_door
from dowse.step.visit import inspect
from dowse.store import Store, open_existing, open_store
from dowse.store.harvests import StoredAnswer, StoredHarvest, add_pages, begin_harvest, read_pages, read_records
from dowse.url import seed_address
from dowse.yields.curve import forecast
from dowse.yields.size import Size

# --- recall
# A harvest that goes on: what came back before is played again to the same selector, which then stands where it stood.


@dataclass(slots=True)
class Recall:
    """Answers from what is kept, in the order it came; from then on the source itself."""

    pages: Iterator[StoredAnswer]
    records: list[Record]  # all that are kept, by their numbers
    ask: Ask
    stand_at: Callable[[Answer], None]  # tells the source where the last answer that was played left it
    take_all: Callable[[list[Record]], object]  # for what is kept, when it no longer fits what is asked
    live: bool = False  # what is kept was played, or no longer fits

    async def __call__(self, query: Query, page: int) -> Answer:
        """Return the page that came back then, or ask for it now."""
        kept = None if self.live else self._take(query, page)
        return kept if kept is not None else await self.ask(query, page)

    def _take(self, query: Query, page: int) -> Answer | None:
        kept = next(self.pages, None)
        if kept is None or kept.answer.query != query or kept.answer.page != page:
            self.live = True
            self.take_all(self.records)
            return None
        answer = replace(kept.answer, records=tuple(self.records[number] for number in kept.numbers))
        self.stand_at(answer)
        return answer


# --- run
# One harvest from its first query to the reason it ended: drawn, kept, watched, estimated.

COMMIT_SECONDS = 1.0  # at most so much is asked for again after a kill -9
COMMIT_PAGES = 200
ESTIMATE_PAGES = 25  # pages between two estimates, at first; the pause grows with the harvest
INTERRUPTED = "interrupted"  # in the words of the engine, which ends in the same way
BUDGET = "request budget"
NOTHING_LEFT = "nothing left to ask"
ALL_LISTED = "everything is drawn"
MOST_POINTS = 400  # of the curve
USUAL_COVERAGE = 0.9  # that a forecast is for, where nobody says


@dataclass(slots=True)
class HarvestRun:
    """How far a harvest is; whoever shows it looks here."""

    harvest: StoredHarvest
    settings: HarvestSettings
    drawn: Drawn
    watch: Watch = field(default_factory=Watch)
    size: Size | None = None
    stopped: str = ""
    complete: bool = False
    proof: str = ""  # why it is complete, or cannot be proven
    certificate: dict[str, Any] = field(default_factory=dict)
    curve: list[tuple[int, int]] = field(default_factory=lambda: [(0, 0)])  # requests and records so far
    recalled: int = 0  # requests of earlier runs of the same command

    @property
    def records(self) -> int:
        """Records drawn so far."""
        return self.drawn.graph.record_count

    def why_stop(self) -> str:
        """Say why no further request is made."""
        if not self.stopped and self.settings.rounds and self.drawn.requests >= self.settings.rounds:
            self.stopped = BUDGET
        return self.stopped

    def forecast(self) -> str:
        """Say how far it is to what is wanted, as far as can be told."""
        wanted = self.settings.until_coverage or USUAL_COVERAGE
        if self.size is None or self.complete or self.size.coverage >= wanted:
            return ""
        left = forecast(self.curve, self.size, wanted)
        if left is None:
            return ""
        return f"about {left.value:,.0f} requests to {wanted:.0%} ({left.low:,.0f} to {left.high:,.0f})"

    def add_point(self) -> None:
        """Add a point to the curve; when there are too many, every second one goes."""
        self.curve.append((self.drawn.requests, self.records))
        if len(self.curve) > MOST_POINTS:
            del self.curve[1:-1:2]


async def run_harvest(
    store: Store, run: HarvestRun, prepared: Prepared, before_commit: Callable[[], None] = lambda: None
) -> AsyncIterator[Draught]:
    """Draw until nothing is left, a budget is spent, or somebody says stop; yield each page once it is taken in."""
    steered, trust = _steer(run, prepared), _Trust(run, prepared, Doubts(prepared.matching))
    kept = list(read_records(store, run.harvest.id))
    decompose, source = prepared.matching.decompose, prepared.source
    if run.settings.details:
        source.details = Details(source.fetch)
        source.details.recall(kept)
    recall = Recall(
        read_pages(store, run.harvest.id), kept, source.ask, source.stand_at, lambda all: run.drawn.add(all, decompose)
    )
    keeper = _Keeper(store, run, prepared, before_commit)
    try:
        async for draught in draw(recall, steered, run.drawn, decompose, run.why_stop):
            _note(run, steered, trust, draught)
            if recall.live:
                keeper.add(draught)
            else:
                run.recalled = run.drawn.requests
            yield draught
        run.stopped = run.stopped or NOTHING_LEFT
    finally:
        _conclude(run, steered, trust)
        keeper.commit()


def _steer(run: HarvestRun, prepared: Prepared) -> Steered:
    graph, interface, settings = run.drawn.graph, prepared.matching.interface, run.settings
    selector = build_selector(settings.selector, Parts(graph, interface, Random(settings.seed)), settings.domain)
    values = known_values(prepared.given, prepared.source.opening)
    return Steered(selector, graph, interface, Random(settings.seed + 1), _first(interface, prepared), values)


def _first(interface: Interface, prepared: Prepared) -> list[Query]:
    """Return what is asked before the selector chooses: what brought records when the door was opened."""
    return [query for query in prepared.seeds if query.values or interface.blank]


def _note(run: HarvestRun, steered: Steered, trust: _Trust, draught: Draught) -> None:
    """Take in a page: the curve, the estimate, what is suspicious."""
    steered.note(draught)
    trust.note(draught)
    run.add_point()
    why = run.watch.note(draught) or _claim(run, trust, draught, steered.reach.total)
    if why and not run.stopped:
        run.stopped = why
    if _is_time(run):
        estimate(run, steered)


@dataclass(slots=True)
class _Trust:
    """Whether answers agree so far: without that nothing is proven."""

    run: HarvestRun
    prepared: Prepared
    doubts: Doubts

    def note(self, draught: Draught) -> None:
        """Count what contradicts what."""
        for kind in self.doubts.note(draught):
            count_reason(self.run.watch.noticed, kind)

    def why_not(self) -> str:
        """Say why nothing is proven, whatever counts and covers say; nothing where answers agree."""
        cases = [case for kind, case, count in self._find_grave() if self._tell(kind, count)]
        if cases:
            return f"answers contradict each other: {cases[0]}"
        return self.doubts.why_not(self.run.records, self.prepared.source.dull.reasons)

    def _find_grave(self) -> Iterator[tuple[str, str, int]]:
        """Yield what was found when the door was opened, and a count that pages went on after."""
        opening, untrue = self.prepared.learned.get("doubt"), self.prepared.source.untrue
        if opening:
            yield opening[0], opening[1], opening[2]
        if untrue:
            yield WENT_ON, untrue, 1

    def _tell(self, kind: str, count: int) -> int:
        return self.run.watch.noticed.setdefault(kind, count)


def _claim(run: HarvestRun, trust: _Trust, draught: Draught, total: int | None) -> str:
    """Say that everything is drawn, where the source says how many there are and no answer contradicts."""
    if not draught.over:
        return ""
    seen_all = not draught.asked.new and bool(draught.asked.records)  # one more answer, and nothing new in it
    proof = _listed_all(run, draught.asked) or (_holds_all(run, total) if seen_all else "")
    return ALL_LISTED if proof and _prove(run, trust, proof) else ""


def _prove(run: HarvestRun, trust: _Trust, proof: str) -> bool:
    """Take a proof, unless answers contradict each other: then say how."""
    doubt = trust.why_not()
    run.complete, run.proof = not doubt, doubt or proof
    return run.complete


def _listed_all(run: HarvestRun, asked: Asked) -> str:
    """Say that a query for everything was read to its end, and showed as many records as it said there are."""
    if asked.query != Query() or not asked.done or asked.total is None or not asked.exact:
        return ""
    if asked.records != asked.total or run.records < asked.total:
        return ""
    return f"a query for everything listed all {asked.total:,} records that it said there are"


def _holds_all(run: HarvestRun, total: int | None) -> str:
    """Say that as many records are held as a query for everything said there are."""
    if total is None or run.records != total:
        return ""
    return f"{total:,} records are held, as many as a query for everything says there are"


def _is_time(run: HarvestRun) -> bool:
    pages = run.drawn.requests
    return pages % max(ESTIMATE_PAGES, pages // 20) == 0


def estimate(run: HarvestRun, steered: Steered) -> None:
    """Estimate how many records there are, and stop where enough of them are drawn."""
    run.size = steered.estimate() if run.records else None
    wanted = run.settings.until_coverage
    if wanted and run.size and run.size.coverage_low >= wanted and not run.stopped:
        run.stopped = f"coverage {wanted:.0%} reached"


def _conclude(run: HarvestRun, steered: Steered, trust: _Trust) -> None:
    """Say how it ended: how much there seems to be, and whether it is proven that this is all."""
    selector = steered.selector
    counted = _holds_all(run, steered.reach.total) if run.stopped == NOTHING_LEFT else ""
    if isinstance(selector, Proving) and not run.complete:
        judged = selector.verdict()
        run.proof = judged.reason
        if judged.yes and _prove(run, trust, judged.reason):
            run.certificate = selector.certificate()
    if counted and not run.complete:
        _prove(run, trust, counted)
    if run.complete:
        held = float(run.records)
        run.size = Size(held, held, held, "proof", 1.0, 1.0, 1.0, (run.proof,))
    else:
        run.proof = trust.why_not() or run.proof
        estimate(run, steered)


@dataclass(slots=True)
class _Keeper:
    """Keeps what is drawn, in batches."""

    store: Store
    run: HarvestRun
    prepared: Prepared
    before_commit: Callable[[], None]
    pages: list[StoredAnswer] = field(default_factory=list)
    last: float = field(default_factory=time.monotonic)

    def add(self, draught: Draught) -> None:
        self.pages.append(StoredAnswer(draught.answer, draught.numbers, draught.new))
        if len(self.pages) >= COMMIT_PAGES or time.monotonic() - self.last >= COMMIT_SECONDS:
            self.commit()

    def commit(self) -> None:
        run, size = self.run, self.run.size
        learned = {**self.prepared.learned, "wrapper": self.prepared.source.reader.to_dict()}
        self.before_commit()
        add_pages(self.store, run.harvest.id, self.pages, {
            "wrapper": learned, "records": run.records, "requests": run.drawn.requests, "queries": run.drawn.queries,
            "size": size.size if size else None, "size_low": size.low if size else None, "size_high": size.high if size and isfinite(size.high) else None,
            "complete": int(run.complete), "certificate": run.certificate, "stopped": run.stopped,
        })  # fmt: skip
        self.pages.clear()
        self.last = time.monotonic()


def begin(harvest: StoredHarvest, settings: HarvestSettings) -> HarvestRun:
    """Return a run that stands at its beginning."""
    return HarvestRun(harvest, settings, Drawn(Graph()))


# --- start
# `dowse harvest` as a function: from an address to records, kept in a database.


@dataclass(frozen=True, slots=True)
class Order:
    """What a user wants drawn: where, and with what to begin."""

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
    """Draw the records behind a door and keep them in a database; the same call goes on where it stopped."""
    settings, fetching = settings or HarvestSettings(), fetching or FetchSettings()
    order = Order(target, tuple(values), form)
    async with (
        build_fetch(replace(fetching, cookies=True)) as fetches,
        opened(order, db, settings, fetches) as (store, run, ready),
    ):
        async for _ in run_harvest(store, run, ready, fetches.flush):
            pass
        return run


@asynccontextmanager
async def opened(
    order: Order, db: str, settings: HarvestSettings, fetches: Fetches
) -> AsyncIterator[tuple[Store, HarvestRun, Prepared]]:
    """Open the door and the database; what cannot be drawn from says why."""
    door, page = await find_door(order, db, settings, fetches)
    given = read_values(order.values, open_interface(door))
    if isinstance(given, Verdict):
        raise BadInput(f"--value: {given.reason}")
    with open_store(db) as store:
        kept = begin_harvest(store, name_harvest(order, settings, door), door.page or order.target, door.signature)
        ready = await prepare(door, page, fetches.within_site, given, post=settings.post, learned=kept.wrapper)
        if isinstance(ready, Verdict):
            raise Stopped(f"{order.target}: {ready.reason}")
        ready.source.reopen = None if door.form.template else partial(read_again, door, fetches)
        yield store, begin(kept, settings), ready


async def find_door(order: Order, db: str, settings: HarvestSettings, fetches: Fetches) -> tuple[Door, Page | None]:
    """Return the door that is meant with the page it stands on."""
    if "{" in order.target:
        made = open_template(order.target)
        if isinstance(made, Verdict):
            raise BadInput(made.reason)
        return made, None
    address, signature = read_target(order.target, db)
    seen = await inspect(address, fetches.anywhere, fetches.render)
    if isinstance(seen, Failure):
        raise Stopped(f"{address}: {seen}")
    door = choose_door(seen, signature, order.form, GET_OR_POST)
    allowed = door if isinstance(door, Verdict) else judge_door(door, settings.post)
    if isinstance(door, Verdict) or not allowed.yes:
        reason = allowed.reason if isinstance(door, Verdict) else f"form {door.form.index} {allowed.reason}"
        raise Stopped(f"{address}: {reason}")
    return door, seen.page


async def read_again(door: Door, fetches: Fetches) -> Door | None:
    """Return a door as it stands on its page now, with what its session wants; None where it is gone."""
    seen = await inspect(door.page, fetches.anywhere)
    if isinstance(seen, Failure):
        return None
    return next((each for each in seen.doors if each.signature == door.signature), None)


def read_target(target: str, db: str) -> tuple[str, str]:
    """Return the address of a page, and the signature of the form on it where a number was given."""
    if not (target.isascii() and target.isdigit()):
        url = seed_address(target)
        if url is None:
            raise BadInput(f"{target[:120]!r} is not a web address; give one such as http://example.com/search")
        return url, ""
    with open_existing(db) as store:
        form = store.form(int(target[:18]))
    if form is None:
        raise BadInput(f"there is no form {target[:18]} in {db}; `dowse export forms` shows their ids")
    return form["page"], form["signature"]


def name_harvest(order: Order, settings: HarvestSettings, door: Door) -> str:
    """Return what makes two commands the same harvest: all but budgets and where records are written."""
    table = str(Path(settings.domain).absolute()) if settings.domain else ""
    parts = [
        door.page or order.target,
        door.signature,
        settings.selector,
        str(settings.seed),
        table,
        str(settings.details),
    ]
    return " ".join([*parts, *sorted(order.values)])
