"""How far a harvest is: what a run has brought and may still ask, kept in the store, and gone on with by the next run."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from math import isfinite
from typing import Any

from dowse.harvester.checks import AnswerMonitor
from dowse.harvester.loop import HarvestedRecords, ProbingSelector, ResultPage
from dowse.harvester.trials import OpenedDoor
from dowse.model import Answer, Query, Record, Verdict
from dowse.reasons import StopReason, say_count
from dowse.select.graph import Graph
from dowse.select.selector import Ask
from dowse.settings import HarvestSettings
from dowse.store import Store
from dowse.store.harvests import StoredAnswer, StoredHarvest, add_pages, write_query
from dowse.yields.curve import forecast_requests, round_requests
from dowse.yields.interval import Interval
from dowse.yields.size import SizeEstimate

COMMIT_SECONDS = 1.0  # at most so much is asked for again after a kill -9
COMMIT_PAGES = 200
DEFAULT_FORECAST_COVERAGE = 0.9  # that a forecast is for, unless a coverage is asked for


@dataclass(slots=True)
class ReplayedAnswers:
    """Answers with the kept pages of earlier runs in their order, then asks the source: so a selector stands where it stood."""

    pages: Iterator[StoredAnswer]
    records: list[Record]  # all that are kept, by their numbers
    ask: Ask
    resume_at: Callable[[Answer], None]  # tells the source where the last replayed answer left it
    add_all: Callable[[list[Record]], object]  # for kept records, when they no longer fit what is asked
    live: bool = False  # all kept pages were replayed, or no longer fit

    async def __call__(self, query: Query, page: int) -> Answer:
        """Return the kept page, or ask for it now."""
        if self.live:
            return await self.ask(query, page)
        kept = next(self.pages, None)
        if kept is None or kept.answer.query != query or kept.answer.page != page:
            self.live = True
            self.add_all(self.records)
            return await self.ask(query, page)
        answer = replace(kept.answer, records=tuple([self.records[number] for number in kept.numbers]))
        self.resume_at(answer)
        return answer


@dataclass(slots=True)
class HarvestRun:
    """The progress of a harvest; whoever shows it looks here."""

    harvest: StoredHarvest
    settings: HarvestSettings
    harvested: HarvestedRecords
    monitor: AnswerMonitor = field(default_factory=AnswerMonitor)
    size: SizeEstimate | None = None
    stopped: StopReason | None = None
    complete: bool = False
    complete_for: str = ""  # what it is complete for, where that is only a part: all 1,182 with status open
    proof: str = ""  # why it is complete, or cannot be proven
    way: str = ""  # how everything is listed, where that is not the form as it comes
    certificate: dict[str, Any] = field(default_factory=dict)
    curve: list[tuple[int, int]] = field(default_factory=lambda: [(0, 0)])  # requests and records so far
    replayed: int = 0  # requests of earlier runs of the same command

    @property
    def records(self) -> int:
        """How many records were harvested so far."""
        return self.harvested.graph.record_count

    @property
    def stop_sentence(self) -> str:
        """Why it stopped, as people read it; nothing while it goes on."""
        if self.stopped is StopReason.COVERAGE_REACHED:
            return f"coverage {self.settings.until_coverage:.0%} reached"
        if self.stopped is StopReason.NO_ANSWERS:
            return f"{self.stopped}: {self.monitor.last_trouble}"
        return str(self.stopped or "")

    def why_stop(self) -> StopReason | None:
        """Return why no further request is made; None to go on."""
        if not self.stopped and self.settings.rounds and self.harvested.requests >= self.settings.rounds:
            self.stopped = StopReason.REQUEST_BUDGET
        return self.stopped

    @property
    def wanted_coverage(self) -> float:
        """The coverage that a forecast is for."""
        return self.settings.until_coverage or DEFAULT_FORECAST_COVERAGE

    def requests_left(self) -> Interval | Verdict | None:
        """Return how many requests are left to the coverage that is wanted, or why that is unknown; None where it is reached."""
        if self.size is None or self.complete or self.size.coverage_low >= self.wanted_coverage:
            return None
        return forecast_requests(self.curve, self.size, self.wanted_coverage)

    def forecast(self) -> str:
        """Return in words how many requests are left to the coverage that is wanted; nothing where it is reached."""
        left = self.requests_left()
        if left is None:
            return ""
        if isinstance(left, Verdict):
            return f"cannot be said yet: {left.reason}"
        about, low, high = map(round_requests, (left.value, left.low, left.high))
        return f"about {say_count(about, 'requests')} to {self.wanted_coverage:.0%}, {low:,} to {high:,}"


def start_run(harvest: StoredHarvest, settings: HarvestSettings) -> HarvestRun:
    """Return a run that stands at its beginning."""
    return HarvestRun(harvest, settings, HarvestedRecords(Graph()))


def estimate(run: HarvestRun, selector: ProbingSelector) -> None:
    """Estimate how many records there are, and stop where the coverage that is wanted is reached."""
    run.size = selector.estimate() if run.records else None
    wanted = run.settings.until_coverage
    if wanted and run.size and run.size.coverage_low >= wanted and not run.stopped:
        run.stopped = StopReason.COVERAGE_REACHED


@dataclass(slots=True)
class PageWriter:
    """Writes harvested pages to the store, in batches."""

    store: Store
    run: HarvestRun
    opened: OpenedDoor
    before_commit: Callable[[], None]
    pages: list[StoredAnswer] = field(default_factory=list)
    last: float = field(default_factory=time.monotonic)

    def add(self, result: ResultPage) -> None:
        self.pages.append(StoredAnswer(result.answer, result.numbers, result.new))
        if len(self.pages) >= COMMIT_PAGES or time.monotonic() - self.last >= COMMIT_SECONDS:
            self.commit()

    def commit(self) -> None:
        run, size = self.run, self.run.size
        source = self.opened.source
        first = [write_query(query) for query in self.opened.seeds]
        learned = {
            **self.opened.learned,
            "wrapper": source.reader.to_dict(),
            "first": first,
            "copies": run.harvested.copies,
        }
        if source.listing is not None and source.listing.own_layout:
            learned["list_wrapper"] = source.list_reader.to_dict()
        self.before_commit()
        add_pages(self.store, run.harvest.id, self.pages, {
            "wrapper": learned, "records": run.records, "requests": run.harvested.requests, "queries": run.harvested.queries,
            "size": size.size if size else None, "size_low": size.low if size else None, "size_high": size.high if size and isfinite(size.high) else None,
            "complete": int(run.complete), "certificate": run.certificate, "stopped": run.stop_sentence,
        })  # fmt: skip
        self.pages.clear()
        self.last = time.monotonic()
