"""`dowse harvest`: extracts the records behind a search form, and estimates how many are left."""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite
from typing import TYPE_CHECKING, Any

import click

from dowse.cli import options
from dowse.cli.printing import note, print_json, printable, table
from dowse.reasons import StopReason, say_count

if TYPE_CHECKING:
    from dowse.errors import DowseError
    from dowse.fetch.build import Fetches
    from dowse.harvester.harvest import HarvestOrder
    from dowse.harvester.resume import HarvestRun
    from dowse.settings import FetchSettings, HarvestSettings
    from dowse.store import Store
    from dowse.yields.size import SizeEstimate

MAX_DOORS_TRIED = 3  # of those that a search of the site found, until one brings records
MAX_COVERAGE_RATIO = 20.0  # of the ends of its interval, above which a coverage says nothing
MAX_DOORS_SHOWN = 5  # of a site whose home page was given
MAX_UNPROVEN_COVERAGE = 0.999  # that is written of an estimate: 100 % is for proofs
ABORTS = ("auto", "always", "never")
SELECTORS = ("auto", "breadth", "depth", "random", "greedy", "mmmi", "domain", "complete")


@click.command("harvest")
@click.argument("target", metavar="SOURCE_OR_URL")
@click.option(
    "--selector", type=click.Choice(SELECTORS), default="auto", show_default=True, help="Which query is sent next."
)
@click.option(
    "--value",
    "values",
    multiple=True,
    metavar="ATTR=V",
    help="A value to begin with, as in author=Kafka; words without ATTR= go into a keyword box.",
)
@click.option(
    "--rounds",
    type=click.IntRange(0),
    default=1000,
    show_default=True,
    metavar="N",
    help="Requests in all; 0 for no limit.",
)
@click.option(
    "--until-coverage",
    type=click.FloatRange(0, 1, min_open=True),
    metavar="C",
    help="Stop when this share of the estimated total is extracted.",
)
@click.option(
    "--domain",
    default="",
    metavar="TABLE",
    help="For --selector domain: a table of a similar database, made by `dowse domain build`.",
)
@click.option(
    "--abort",
    type=click.Choice(ABORTS),
    default="auto",
    show_default=True,
    help="Leave answers whose next pages bring little new: by one rule for all selectors, never, or as the selector does.",
)
@click.option(
    "--form",
    "number",
    type=click.IntRange(0),
    metavar="N",
    help="The form with this number on the page, as `dowse inspect` shows it.  [default: the likeliest database]",
)
@click.option("--post", is_flag=True, help="Also send queries through a form whose method is POST.")
@click.option(
    "--check",
    is_flag=True,
    help="Extract nothing: send some queries of the last proof again, and check that it still holds.",
)
@click.option("--details", is_flag=True, help="Also read the records' own pages; each is a request.")
@click.option(
    "--ignore-robots",
    is_flag=True,
    help="Send queries even where robots.txt forbids it: for your own servers, or with permission.",
)
@click.option(
    "--seed", type=int, default=1, show_default=True, metavar="N", help="The same seed makes the same choices."
)
@click.option("-o", "--output", metavar="FILE", help="Write the records to FILE: .jsonl, .csv or .parquet.")
@click.option(
    "--raw", is_flag=True, help="Do not escape CSV cells that begin with = + - @; by default a ' stands before them."
)
@options.fetching
@options.rendering("never")
@options.db
@options.as_json
def command(
    target: str, selector: str, values: tuple[str, ...], rounds: int, until_coverage: float | None, domain: str, abort: str, number: int | None,
    post: bool, check: bool, details: bool, ignore_robots: bool, seed: int, output: str | None, raw: bool, db: str, as_json: bool, **fetch_options: Any,
) -> int:  # fmt: skip
    """Extract the records of a database through its search form, in few requests, and estimate how many are left.

    SOURCE_OR_URL is the address of a page with the form, the number of a form in the database (`id` in `dowse export
    forms`), the address of a list (a page, or a file in JSON, XML or CSV), or that of a service with a place for words, as in
    'https://host/api?q={query}&page={page}'. Where a page has no form, a few pages of its site are searched for one.
    Running the same command again resumes where it stopped.
    """
    from dataclasses import replace

    import uvloop

    from dowse.harvester.harvest import HarvestOrder
    from dowse.records.service import MAX_SERVICE_BYTES
    from dowse.settings import HarvestSettings

    options.check_output(output)
    _check_domain(selector, domain)
    settings = HarvestSettings(selector, rounds, until_coverage, seed, post, details, domain, abort)
    fetching = replace(
        options.fetch_settings([target.partition("{")[0]], **fetch_options), cookies=True, robots=not ignore_robots,
        body_limit=MAX_SERVICE_BYTES,
    )  # fmt: skip
    if check:
        return uvloop.run(_check(HarvestOrder(target, values, number), db, settings, fetching, as_json))
    return uvloop.run(
        _harvest(HarvestOrder(target, values, number), db, settings, fetching, ReportOptions(output, as_json, raw))
    )


@dataclass(frozen=True, slots=True)
class ReportOptions:
    """Where the records go, and whether the report is JSON or for people."""

    output: str | None
    as_json: bool
    raw: bool = False  # CSV cells that look like formulas are not escaped


def _check_domain(selector: str, domain: str) -> None:
    """Read the table before any request is sent: a mistake should cost nothing."""
    from dowse.errors import BadInput
    from dowse.select.domain import read_table

    if selector == "domain" and not domain:
        raise BadInput(
            "--selector domain needs a table of a similar database: --domain TABLE, made by `dowse domain build`"
        )
    if domain and selector != "domain":
        raise BadInput(f"--domain TABLE is for --selector domain, not for {selector}")
    if domain:
        read_table(domain)


async def _harvest(
    order: HarvestOrder, db: str, settings: HarvestSettings, fetching: FetchSettings, report: ReportOptions
) -> int:
    """Harvest, show progress, report, and return the exit code."""
    from dowse.errors import NoDoor, Stopped
    from dowse.fetch.build import build_fetch

    try:
        async with build_fetch(fetching) as fetches:
            try:
                return await _harvest_door(order, db, settings, report, fetches)
            except NoDoor as error:
                orders = await _search_for_doors(order, fetches, error)
            for each in orders[:-1]:  # the next where one brings nothing
                try:
                    return await _harvest_door(each, db, settings, report, fetches)
                except Stopped as nothing:
                    note(f"dowse: {nothing}; trying the next")
            return await _harvest_door(orders[-1], db, settings, report, fetches)
    except Stopped as error:
        if report.as_json:
            print_json(_describe_nothing(str(error)))
        raise


async def _harvest_door(
    order: HarvestOrder, db: str, settings: HarvestSettings, report: ReportOptions, fetches: Fetches
) -> int:
    """Harvest one door, show progress and report; raise why nothing could be harvested."""
    from dowse.cli.interrupt import stopping_on_signals
    from dowse.cli.progress import showing
    from dowse.harvester.harvest import open_harvest, run_harvest
    from dowse.step.replies import are_site_pages

    async with open_harvest(order, db, settings, fetches) as (store, run, ready):
        for refused in ready.learned.get("refused forms", ()):
            note(f"dowse: {printable(refused)}")
        if ready.learned.get("refused forms"):
            note(f"dowse: harvesting form {ready.source.door.form.index}; --form N chooses another")
        shown = {record for answer in ready.source.ready.values() for record in answer.records}
        if ready.source.door.judgement.kind == "site-search" and are_site_pages(list(shown)):
            note("dowse: this form seems to search the pages of its site, not a database")
        with stopping_on_signals(run):
            async with showing(run):
                async for _ in run_harvest(store, run, ready, fetches.flush):
                    pass
        return _report(store, run, report)


async def _search_for_doors(order: HarvestOrder, fetches: Fetches, why: DowseError) -> list[HarvestOrder]:
    """Search a few pages of the site for forms, and tell which is taken first; raise where there is none."""
    from dataclasses import replace

    from dowse.engine.find import SMALL_FIND_PAGES, find_site_doors
    from dowse.errors import Stopped
    from dowse.seeds.lists import read_seed

    note(f"dowse: {why}; searching its site, {SMALL_FIND_PAGES} pages at most")
    found = await find_site_doors(read_seed(order.target), fetches)
    doors = [
        door for door in found.doors if door.page.rstrip("/") != order.target.rstrip("/")
    ]  # that one is known to bring nothing
    if not doors:
        raise Stopped(
            f"{why}; {say_count(found.pages, 'pages')} of its site were read, and have no other search; `dowse find` searches all of it"
        )
    for place, door in enumerate(doors[:MAX_DOORS_SHOWN]):
        words = f"{door.judgement.kind}, confidence {door.judgement.probability:.2f}"
        note(f"  {'takes' if place == 0 else 'or'} {printable(door.page)} --form {door.form.index} ({words})")
    return [replace(order, target=door.page, form=door.form.index) for door in doors[:MAX_DOORS_TRIED]]


async def _check(
    order: HarvestOrder, db: str, settings: HarvestSettings, fetching: FetchSettings, as_json: bool
) -> int:
    """Verify a proof, print the outcome in one line, and return the exit code."""
    from dataclasses import asdict

    from dowse.fetch.build import build_fetch
    from dowse.harvester.verify import verify_proof

    async with build_fetch(fetching) as fetches:
        checked = await verify_proof(order, db, settings, fetches)
    if as_json:
        print_json(asdict(checked))
    else:
        holds = "the proof still holds" if checked.holds else "the proof does not hold"
        click.echo(
            f"{holds}: {printable(checked.reason)} ({say_count(checked.queries, 'queries')}, {say_count(checked.requests, 'requests')})"
        )
    return 0 if checked.holds else 3 if checked.is_cut else 1


def _describe_nothing(reason: str) -> dict[str, Any]:
    unknown: dict[str, Any] = dict.fromkeys(("coverage", "coverage_ci", "size", "size_ci"))
    return {"records": 0, "requests": 0, "queries": 0, **unknown, "complete": False, "stopped": reason}


def describe(run: HarvestRun) -> dict[str, Any]:
    """Return the outcome of a harvest as JSON keys."""
    size = run.size
    return {
        "records": run.records,
        "copies": len(run.harvested.copies),
        "requests": run.harvested.requests,
        "queries": run.harvested.queries,
        "coverage": round(_bound_coverage(run, size.coverage), 4) if size and isfinite(size.high) else None,
        "coverage_ci": [round(size.coverage_low, 4), round(size.coverage_high, 4)] if size else None,
        "size": round(size.size) if size and isfinite(size.high) else None,
        "size_ci": [round(size.low), round(size.high) if isfinite(size.high) else None] if size else None,
        "method": size.method if size else "",
        "complete": run.complete,
        "complete_for": run.complete_for,
        "proof": run.proof,
        "way": run.way,
        "stopped": run.stop_sentence,
        "skipped": run.monitor.skipped,
        "noticed": run.monitor.noticed,
    }


def _bound_coverage(run: HarvestRun, coverage: float) -> float:
    """Return a coverage that is not all where that is not proven."""
    return coverage if run.complete else min(coverage, MAX_UNPROVEN_COVERAGE)


def _report(store: Store, run: HarvestRun, report: ReportOptions) -> int:
    from dowse.export.rows import write_records

    if report.output:
        write_records(store, run.harvest.id, report.output, raw=report.raw)
    if report.as_json:
        print_json(describe(run))
    else:
        _print(run, report.output)
    if run.stopped is StopReason.INTERRUPTED:
        note("dowse: interrupted; run the same command to go on")
        return 130
    if run.stopped is StopReason.REQUEST_BUDGET:
        return 3
    return 1 if run.stopped is StopReason.NO_ANSWERS else 0


def _print(run: HarvestRun, output: str | None) -> None:
    copies = len(run.harvested.copies)
    per_request = run.records / max(1, run.harvested.requests)
    rows: list[tuple[object, ...]] = [
        ("records", run.records, ""),
        *([("copies", copies, "have all values of another; not written")] if copies else []),
        (
            "requests",
            run.harvested.requests,
            f"{say_count(run.harvested.queries, 'queries')}, {per_request:.2f} records per request",
        ),
        *([("listed by", "", run.way)] if run.way else []),
        *_size_rows(run),
        *([("left", "", run.forecast())] if run.stopped is StopReason.REQUEST_BUDGET and run.forecast() else []),
        ("stopped", run.stop_sentence, ""),
    ]
    click.echo(table(rows))
    if run.monitor.skipped:
        click.echo("\nskipped: queries that were not sent, or not read to the end")
        click.echo(table([(count, printable(reason)) for reason, count in run.monitor.skipped.items()][:12]))
    for words, count in run.monitor.noticed.items():
        click.echo(f"\nwarning: {count:,} {words}")
    if output:
        written = run.records - copies
        click.echo(f"\n{written:,} record{'s are' if written != 1 else ' is'} in {output}.")


def _write_coverage(size: SizeEstimate) -> tuple[str, str]:
    """Write the coverage with its interval; where that is too wide to mean anything, only its lower end."""
    if size.coverage_high > MAX_COVERAGE_RATIO * size.coverage_low:
        return "unknown", f"at least {size.coverage_low:.1%}"
    return f"{min(size.coverage, MAX_UNPROVEN_COVERAGE):.1%}", f"{size.coverage_low:.1%} to {size.coverage_high:.1%}"


def _size_rows(run: HarvestRun) -> list[tuple[object, ...]]:
    """Return how many records there are: proven, or estimated."""
    size = run.size
    if run.complete:
        return [("complete", "yes", run.proof)]
    rows: list[tuple[object, ...]] = [("complete for", run.complete_for, "")] if run.complete_for else []
    if size is None:
        return rows
    if isfinite(size.high):
        interval = f"{size.low:,.0f} to {size.high:,.0f} (90 %), by {size.method}"
        rows += [("estimated total", f"{size.size:,.0f}", interval), ("coverage", *_write_coverage(size))]
    else:
        rows += [
            ("estimated total", f"at least {size.low:,.0f}", f"no upper bound, by {size.method}"),
            ("coverage", "unknown", ""),
        ]
    return [*rows, ("complete", "not proven", run.proof)] if run.proof else rows
