"""`dowse harvest`: draws the records behind a door, and says how much is left."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from dowse.cli import options
from dowse.cli.printing import note, print_json, printable, table

if TYPE_CHECKING:
    from dowse.fetch.build import Fetches
    from dowse.harvest.prepare import Prepared
    from dowse.harvest.run import Run
    from dowse.model import Door, Page
    from dowse.settings import FetchSettings, HarvestSettings

SELECTORS = ("auto", "breadth", "depth", "random", "greedy", "mmmi", "domain", "complete")


@click.command("harvest")
@click.argument("target", metavar="SOURCE_OR_URL")
@click.option("--selector", type=click.Choice(SELECTORS), default="auto", show_default=True, help="Which query is asked next.")
@click.option("--value", "values", multiple=True, metavar="ATTR=V", help="A value to begin with, as in author=Kafka; words alone go into a box for any words.")
@click.option("--rounds", type=click.IntRange(0), default=1000, show_default=True, metavar="N", help="Requests in all; 0 for no limit.")
@click.option("--until-coverage", type=click.FloatRange(0, 1, min_open=True), metavar="C", help="Stop when this part of all records seems to be drawn.")
@click.option("--domain", default="", metavar="TABLE", help="A domain table of a kindred source, made by `dowse domain build`.")
@click.option("--form", "number", type=click.IntRange(0), metavar="N", help="The form with this number on the page, as `dowse inspect` shows it.  [default: the likeliest database]")
@click.option("--post", is_flag=True, help="Also draw through a form that sends with POST.")
@click.option("--details", is_flag=True, help="Also read the records' own pages; each is a request.")
@click.option("--ignore-robots", is_flag=True, help="Ask even where robots.txt forbids it: for your own servers, or with their leave.")
@click.option("--seed", type=int, default=1, show_default=True, metavar="N", help="The same seed makes the same choices.")
@click.option("-o", "--output", metavar="FILE", help="Write the records to FILE: .jsonl, .csv or .parquet.")
@options.fetching
@options.rendering("never")
@options.db
@options.as_json
def command(
    target: str, selector: str, values: tuple[str, ...], rounds: int, until_coverage: float | None, domain: str, number: int | None,
    post: bool, details: bool, ignore_robots: bool, seed: int, output: str | None, db: str, as_json: bool, **fetch_options: Any,
) -> int:  # fmt: skip
    """Draw the records of a database through its search form, in few requests, and say how much is left.

    SOURCE_OR_URL is the address of a page with the form, the number of a form in the database (`id` in `dowse export
    forms`), or the address of a service with a place for words, as in 'https://host/api?q={query}&page={page}'.
    Running the same command again goes on where it stopped.
    """
    from dataclasses import replace

    import uvloop

    from dowse.settings import HarvestSettings

    _check_output(output)
    settings = HarvestSettings(selector, rounds, until_coverage, seed, post, details, domain)
    fetching = replace(options.fetch_settings(**fetch_options), cookies=True, robots=not ignore_robots)
    order = Order(target, values, number, output, db, as_json)
    return uvloop.run(_harvest(order, settings, fetching))


@dataclass(frozen=True, slots=True)
class Order:
    """What a user wants: where to draw, with what to begin, where the records go."""

    target: str
    values: tuple[str, ...]
    number: int | None
    output: str | None
    db: str
    as_json: bool


def _check_output(output: str | None) -> None:
    from dowse.errors import BadInput

    if output is None:
        return
    if Path(output).suffix.lower() not in (".jsonl", ".csv", ".parquet"):
        raise BadInput(f"{output}: end the name in .jsonl, .csv or .parquet")
    if not Path(output).absolute().parent.is_dir():
        raise BadInput(f"{output}: its folder does not exist")


async def _harvest(order: Order, settings: HarvestSettings, fetching: FetchSettings) -> int:
    from dowse.fetch.build import build_fetch

    async with build_fetch(fetching) as fetches:
        found = await _find_door(order, fetches)
        if isinstance(found, str):
            return _fail(order, found)
        return await _draw(order, settings, found, fetches)


async def _find_door(order: Order, fetches: Fetches) -> tuple[Door, Page | None] | str:
    """Return the door that is meant with the page it stands on, or why there is none."""
    from dowse.cli.probe import choose_door, find_target
    from dowse.harvest.template import open_template
    from dowse.model import Failure, Verdict
    from dowse.step.inspect import inspect

    if "{" in order.target:
        door = open_template(order.target)
        return door.reason if isinstance(door, Verdict) else (door, None)
    address, signature = find_target(order.target, order.db)
    seen = await inspect(address, fetches.anywhere, fetches.render)
    if isinstance(seen, Failure):
        return str(seen)
    chosen = choose_door(seen, signature, order.number)
    return chosen if isinstance(chosen, str) else (chosen, seen.page)


async def _draw(order: Order, settings: HarvestSettings, found: tuple[Door, Page | None], fetches: Fetches) -> int:
    from dowse.errors import BadInput
    from dowse.harvest.opening import open_interface, read_values
    from dowse.harvest.prepare import judge_door, prepare
    from dowse.harvest.run import begin
    from dowse.model import Verdict
    from dowse.store import open_store
    from dowse.store.harvests import begin_harvest

    door, page = found
    allowed = judge_door(door, settings.post)
    if not allowed.yes:
        return _fail(order, f"form {door.form.index} {allowed.reason}")
    given = read_values(order.values, open_interface(door))
    if isinstance(given, Verdict):
        raise BadInput(f"--value: {given.reason}")
    with open_store(order.db) as store:
        harvest = begin_harvest(store, name_of(order, settings, door), door.page or order.target, door.signature)
        prepared = await prepare(door, page, fetches.within_site, given, post=settings.post, learned=harvest.wrapper)
        if isinstance(prepared, Verdict):
            return _fail(order, prepared.reason)
        run = begin(harvest, settings)
        await _run(store, run, prepared, fetches)
        return _report(order, store, run)


def name_of(order: Order, settings: HarvestSettings, door: Door) -> str:
    """Return what makes two commands the same harvest: all but budgets and where records are written."""
    parts = [door.page or order.target, door.signature, settings.selector, str(settings.seed), settings.domain, *sorted(order.values)]
    return " ".join(parts)


async def _run(store: Any, run: Run, prepared: Prepared, fetches: Fetches) -> None:
    from dowse.cli.curve import showing
    from dowse.cli.interrupt import stopping_on_signals
    from dowse.harvest.run import run_harvest

    async with showing(run):
        with stopping_on_signals(run):
            async for _ in run_harvest(store, run, prepared, fetches.flush):
                pass


def describe(run: Run) -> dict[str, Any]:
    """Return what a harvest gave as scripts read it."""
    size = run.size
    return {
        "records": run.records,
        "requests": run.drawn.requests,
        "queries": run.drawn.queries,
        "coverage": round(size.coverage, 4) if size else None,
        "coverage_ci": [round(size.coverage_low, 4), round(size.coverage_high, 4)] if size else None,
        "size": round(size.size) if size else None,
        "size_ci": [round(size.low), round(size.high)] if size else None,
        "method": size.method if size else "",
        "complete": run.complete,
        "proof": run.proof,
        "stopped": run.stopped,
        "skipped": run.watch.skipped,
    }


def _report(order: Order, store: Any, run: Run) -> int:
    from dowse.export.records import write_records
    from dowse.harvest.run import BUDGET, INTERRUPTED

    if order.output:
        write_records(store, run.harvest.id, order.output)
    if order.as_json:
        print_json(describe(run))
    else:
        _print(order, run)
    if run.stopped == INTERRUPTED:
        note("dowse: interrupted; run the same command to go on")
        return 130
    if run.stopped == BUDGET:
        return 3
    return 1 if run.stopped.startswith("no answers") and not run.records else 0


def _print(order: Order, run: Run) -> None:
    size = run.size
    rows: list[tuple[object, ...]] = [
        ("records", run.records, ""),
        ("requests", run.drawn.requests, f"{run.drawn.queries:,} queries; {run.records / max(1, run.drawn.requests):.2f} records per request"),
    ]  # fmt: skip
    if run.complete:
        rows.append(("complete", "yes", run.proof))
    elif size:
        rows.append(("records in all", f"about {size.size:,.0f}", f"{size.low:,.0f} to {size.high:,.0f} (90 %), by {size.method}"))
        rows.append(("coverage", f"{size.coverage:.1%}", f"{size.coverage_low:.1%} to {size.coverage_high:.1%}"))
        if run.proof:
            rows.append(("complete", "not proven", run.proof))
    rows.append(("stopped", run.stopped, ""))
    click.echo(table(rows))
    if run.watch.skipped:
        click.echo("\nqueries that were not sent, or not read to the end")
        click.echo(table([(count, printable(reason)) for reason, count in run.watch.skipped.items()][:12]))
    if order.output:
        click.echo(f"\n{run.records:,} records are in {order.output}.")


def _fail(order: Order, reason: str) -> int:
    """Say in one line why nothing was drawn."""
    if order.as_json:
        empty: dict[str, Any] = dict.fromkeys(("coverage", "coverage_ci", "size", "size_ci"))
        print_json({"records": 0, "requests": 0, "queries": 0, **empty, "complete": False, "stopped": reason})
    click.echo(f"dowse: {printable(order.target)}: {printable(reason)}", err=True)
    return 1
