"""`dowse demo`: find, harvest, like and follow on the simulated web."""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from dowse.cli import options
from dowse.cli.printing import note, print_json, printable, style, table, write_span
from dowse.reasons import say_count

if TYPE_CHECKING:
    from dowse.engine.find import Report
    from dowse.engine.job import FindRun
    from dowse.sim.score import Score
    from dowse.sim.world import World
    from dowse.store import Store

SOURCES_SHOWN = 5
SOURCES_HARVESTED = 3
MAX_REQUESTS = 120  # for each of them
ROWS_SHOWN = 4  # records and pages that are printed
COLUMNS_SHOWN = 4
MAX_CELL_CHARACTERS = 26  # of a value that are printed
# The site that a crawler is made for: categories, each with several pages of links.
SHAPE, SHAPE_SEED = "categories-pages", 19
REASONS_SHOWN = 5


@dataclass(frozen=True, slots=True)
class HarvestedDatabase:
    """What was extracted from one database, and what there is."""

    page: str
    records: int
    requests: int
    size: int  # as the truth has it
    estimate: str  # as the harvest has it
    rows: list[dict[str, Any]]  # some of the records


@dataclass(frozen=True, slots=True)
class DemoExample:
    """A crawler made from one page, and what it found."""

    sample: str
    entry: str
    opened: int  # pages that were opened to learn it
    steps: tuple[str, ...]  # of its first path
    pages: int
    right: int  # of them, those that are of the sample's kind
    there: int  # as the truth has it
    rows: list[dict[str, Any]]


@dataclass(frozen=True, slots=True)
class DemoResult:
    """What the demo found, and what there was."""

    report: Report
    score: Score
    answering: int  # sites that could be searched
    truth: dict[str, Any]
    forms: list[dict[str, Any]]  # some of the query forms
    harvested: tuple[HarvestedDatabase, ...] = ()
    example: DemoExample | None = None

    @property
    def record_coverage(self) -> float:
        """The part of the records behind the harvested forms."""
        return sum(each.records for each in self.harvested) / max(1, sum(each.size for each in self.harvested))


@click.command("demo")
@click.option(
    "--sites",
    type=click.IntRange(10, 5000),
    default=300,
    show_default=True,
    metavar="N",
    help="How many sites the simulated web has.",
)
@click.option("--seed", type=int, default=1, show_default=True, metavar="N", help="The same seed gives the same web.")
@click.option("--serve/--no-serve", default=False, help="Serve pages after the report: not part of this version yet.")
@click.option("--db", metavar="FILE", help="Keep the database here.  [default: a temporary file]")
@options.as_json
@click.pass_context
def command(ctx: click.Context, sites: int, seed: int, serve: bool, db: str | None, as_json: bool) -> int:
    """Search a simulated web whose truth is known, offline, and compare what was found with it."""
    from dowse.errors import BadInput

    if ctx.get_parameter_source("db") == click.core.ParameterSource.DEFAULT_MAP:
        db = None  # the database of dowse.toml is for real sites
    if db and Path(db).exists():
        raise BadInput(f"{db} exists already; the demo starts from nothing, so give a new file")
    with tempfile.TemporaryDirectory(prefix="dowse-demo-") as folder:
        result, run = _run(sites, seed, db or f"{folder}/demo.db")
    if run.stopped:
        note("dowse: interrupted")
        return 130
    if as_json:
        print_json(_as_dict(result))
    else:
        _print(result, db)
    return 0


def _run(sites: int, seed: int, db: str) -> tuple[DemoResult, FindRun]:
    import uvloop

    from dowse.engine.find import begin_run, build_report
    from dowse.seeds.lists import read_seed
    from dowse.settings import FindSettings
    from dowse.sim.score import score_store
    from dowse.sim.summary import summarise
    from dowse.sim.world import World
    from dowse.store import open_store

    world, settings, begun = World(seed, sites), FindSettings(jobs=16, finder=0), time.monotonic()
    if sys.stderr.isatty():
        note(
            f"searching a simulated web of {say_count(sites, 'sites')} from {say_count(len(world.seeds()), 'seeds')} ..."
        )
    with open_store(db) as store:
        run = begin_run(store, [read_seed(address) for address in world.seeds()], settings)
        uvloop.run(_search(store, run, world, settings))
        report = build_report(store, time.monotonic() - begun, run.stopped)
        score = score_store(store, world.truth())
        forms = list(islice(_choose_forms(store), SOURCES_SHOWN))
        answering = store.count_states().get("searched", 0)
    summary = summarise(world).to_json()
    if run.stopped:
        return DemoResult(report, score, answering, summary, forms), run
    harvested, example = uvloop.run(_harvest(world, db, forms)), uvloop.run(_learn_and_follow(db))
    return DemoResult(report, score, answering, summary, forms, harvested, example), run


async def _harvest(world: World, db: str, forms: list[dict[str, Any]]) -> tuple[HarvestedDatabase, ...]:
    """Harvest the first databases that can be asked."""
    from dowse.errors import DowseError

    harvested: list[HarvestedDatabase] = []
    for form in forms:
        if len(harvested) == SOURCES_HARVESTED:
            break
        try:
            harvested.append(await _harvest_form(world, db, form))
        except DowseError:  # a form that cannot be asked: the next can
            continue
    return tuple(harvested)


async def _harvest_form(world: World, db: str, form: dict[str, Any]) -> HarvestedDatabase:
    from dowse.export.rows import to_row
    from dowse.fetch.build import wrap_fetch
    from dowse.fetch.cookies import Jar
    from dowse.harvester.harvest import HarvestOrder, open_harvest, run_harvest
    from dowse.settings import HarvestSettings
    from dowse.sim.fetch import simulate
    from dowse.store.harvests import read_records

    fetches = wrap_fetch(simulate(world), jar=Jar())
    order, settings = HarvestOrder(str(form["id"])), HarvestSettings(rounds=MAX_REQUESTS)
    async with open_harvest(order, db, settings, fetches) as (store, run, ready):
        async for _ in run_harvest(store, run, ready):
            pass
        rows = [to_row(record) for record in islice(read_records(store, run.harvest.id), ROWS_SHOWN)]
    size, estimate = run.size, "unknown"
    if run.complete:
        estimate = "all, proven"
    elif size:
        estimate = f"{size.size:,.0f} ({write_span(size.low, size.high)})"
    return HarvestedDatabase(form["page"], run.records, run.harvested.requests, _true_size(world, form), estimate, rows)


async def _learn_and_follow(db: str) -> DemoExample:
    """Make a crawler from one page of a simulated site, and run it."""
    from dowse.example.follow import begin_follow, run_pattern
    from dowse.example.learn import learn_like
    from dowse.example.map import MapLimits as Limits
    from dowse.export.rows import to_row
    from dowse.fetch.build import wrap_fetch
    from dowse.model import Record
    from dowse.sim.shapes import open_shape
    from dowse.store import open_store
    from dowse.store.walks import read_targets

    site = open_shape(SHAPE, seed=SHAPE_SEED)
    fetches = wrap_fetch(site.fetch)
    learned = await learn_like(site.samples[:1], site.truth.entry, fetches, Limits())
    with open_store(db) as store:
        run = begin_follow(store, learned.pattern, only_new=False)
        found = [each async for each in run_pattern(store, run, fetches)]
        pages = [
            to_row(Record(each.values, "", each.url)) for each in islice(read_targets(store, run.begun), ROWS_SHOWN)
        ]
    right = len({each.seen.page.url for each in found} & set(site.truth.targets))
    steps = tuple(step.pattern for step in learned.pattern.paths[0].steps)
    return DemoExample(
        site.samples[0],
        site.truth.entry,
        len(learned.site.pages),
        steps,
        len(found),
        right,
        len(site.truth.targets),
        pages,
    )


def _true_size(world: World, form: dict[str, Any]) -> int:
    """Return how many records the database behind a form has."""
    truth = next(each for each in world.truth() if each.site == form["site"])
    doors = {each.action: each.database for each in truth.forms if each.database}
    sizes = {each.id: each.size for each in truth.databases}
    return next((sizes[doors[action]] for action in doors if action and form["action"].startswith(action)), 0)


def _choose_forms(store: Store) -> Iterator[dict[str, Any]]:
    """Yield query forms with several conditions, one of each site."""
    sites = set()
    for form in store.forms():
        if form["kind"] == "database" and len(form["conditions"]) > 1 and form["site"] not in sites:
            sites.add(form["site"])
            yield form


async def _search(store: Store, run: FindRun, world: World, settings: Any) -> None:
    from dowse.cli.interrupt import stopping_on_signals
    from dowse.cli.progress import shown
    from dowse.engine.discover import discover_sites
    from dowse.engine.workers import search_sites
    from dowse.fetch.build import wrap_fetch
    from dowse.sim.fetch import simulate

    fetches = wrap_fetch(simulate(world))
    with stopping_on_signals(run):
        async with shown(run):
            # One after the other, so that the figures are the same each time; `dowse find` does both at once.
            run.seeks = "sites"
            async for _ in discover_sites(store, run, fetches.within_site, replace(settings, finder=1)):
                pass
            run.seeks = "forms"
            async for _ in search_sites(store, run, fetches.within_site, settings):
                pass


def _as_dict(result: DemoResult) -> dict[str, Any]:
    report, example = result.report, result.example
    return {
        "sites": report.sites_searched,
        "pages": report.pages,
        "forms": report.forms,
        "harvest": report.harvest,
        "coverage": round(result.score.recall, 4),
        "precision": round(result.score.precision, 4),
        "records": sum(each.records for each in result.harvested),
        "record_coverage": round(result.record_coverage, 4),
        "example_pages": example.pages if example else 0,
        "truth": result.truth,
        "seconds": report.seconds,
    }


def _print(result: DemoResult, db: str | None) -> None:
    """Print the report in four parts, with what was found beside the truth."""
    _print_found(result)
    _print_harvested(result)
    if result.example:
        _print_example(result.example)
    report = result.report
    _head("Skipped", "the most frequent reasons, of all counted")
    click.echo(table([*report.skipped.items()][:REASONS_SHOWN]))
    if db:
        click.echo(f"\nThe database is {db}.")
        return
    click.echo(
        "\nNext: `dowse demo --db demo.db` keeps the database; `dowse sources`, `dowse sites` and `dowse explain URL` read it."
    )


def _print_found(result: DemoResult) -> None:
    report, score, truth = result.report, result.score, result.truth
    _head(
        "Find",
        f"{say_count(report.sites_searched, 'sites')} searched and {say_count(report.pages, 'pages')} read in {report.seconds:.1f} s",
    )
    click.echo(table([
        ("", "found", "there are", ""),
        ("sites that answer", result.answering, truth["sites"], f"of {report.sites_known:,} known; the others are dead, closed or moved"),
        ("query forms", score.right, score.reachable, _green(f"coverage {score.recall:.1%}")),
        ("false positives", score.wrong, 0, _green(f"precision {score.precision:.1%}")),
        ("query forms per page", f"{report.harvest:.3f}", "", "yield"),
    ]))  # fmt: skip
    _head("Databases", "some of them, with their searchable fields")
    for form in result.forms:
        fields = ", ".join(condition["label"] or condition["attribute"] for condition in form["conditions"])
        confidence = _green(f"confidence {form['probability']:.2f}")
        click.echo(f"  {_cyan(form['page'])}\n    {printable(fields)}  {confidence}")


def _print_harvested(result: DemoResult) -> None:
    _head("Harvest", f"records of {len(result.harvested)} of them, with at most {MAX_REQUESTS} requests each")
    rows = [(each.records, each.size, each.requests, each.estimate, _cyan(each.page)) for each in result.harvested]
    click.echo(table([("records", "there are", "requests", "estimated total", ""), *rows]))
    if result.harvested:
        click.echo(f"\n  The first {ROWS_SHOWN} records of the last:")
        click.echo(_format_rows(result.harvested[-1].rows))


def _print_example(example: DemoExample) -> None:
    _head("Like and follow", "a crawler made from one page")
    click.echo(
        f"  sample {_cyan(example.sample)}\n  entry  {_cyan(example.entry)}\n  pattern, learned from {example.opened} pages:"
    )
    for step in example.steps:
        click.echo(f"    {style(step, fg='yellow')}")
    found = f"{say_count(example.pages, 'pages')} found, {example.right} of them correct, of {example.there} in all"
    click.echo(f"  {_green(found)}; the first {ROWS_SHOWN} as they go to a CSV:")
    click.echo(_format_rows(example.rows))


def _head(part: str, line: str) -> None:
    click.echo(f"\n{style(part, bold=True)}: {line}\n")


def _cyan(url: str) -> str:
    return style(url, fg="cyan")


def _green(text: str) -> str:
    return style(text, fg="green")


def _format_rows(rows: list[dict[str, Any]]) -> str:
    """Return rows as a table with their first columns, long values cut."""
    columns = [name for name in dict.fromkeys(name for row in rows for name in row) if not name.startswith("_")]
    cells = [[_cut(row.get(name, "")) for name in columns[:COLUMNS_SHOWN]] for row in rows]
    return table([[style(name, bold=True) for name in columns[:COLUMNS_SHOWN]], *cells], indent="    ")


def _cut(value: Any) -> str:
    text = ", ".join(value) if isinstance(value, list) else str(value)
    return text if len(text) <= MAX_CELL_CHARACTERS else f"{text[: MAX_CELL_CHARACTERS - 1]}…"
