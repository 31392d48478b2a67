"""`dowse demo`: the whole story on the simulated web."""

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
from dowse.cli.printing import note, print_json, table, write_span

if TYPE_CHECKING:
    from dowse.engine.find import Report
    from dowse.engine.workers import Run
    from dowse.sim.score import Score
    from dowse.sim.world import World
    from dowse.store import Store

SOURCES_SHOWN = 6
SOURCES_DRAWN = 3
ROUNDS = 120  # requests for each


@dataclass(frozen=True, slots=True)
class Drawn:
    """What was drawn from one database, and what there is."""

    page: str
    records: int
    requests: int
    size: int  # as the truth has it
    seems: str  # as the harvest has it
    stopped: str


@dataclass(frozen=True, slots=True)
class Result:
    """What the demo found, and what there was."""

    report: Report
    score: Score
    answering: int  # sites that could be searched
    truth: dict[str, Any]
    examples: list[dict[str, Any]]
    drawn: tuple[Drawn, ...] = ()

    @property
    def record_coverage(self) -> float:
        """The part of the records behind the doors that were drawn from."""
        return sum(each.records for each in self.drawn) / max(1, sum(each.size for each in self.drawn))


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
    """Search a simulated web of known truth, offline, and say what was found of what there was."""
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


def _run(sites: int, seed: int, db: str) -> tuple[Result, Run]:
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
        note(f"searching a simulated web of {sites} sites from {len(world.seeds())} seeds ...")
    with open_store(db) as store:
        run = begin_run(store, [read_seed(address) for address in world.seeds()], settings)
        uvloop.run(_search(store, run, world, settings))
        report = build_report(store, time.monotonic() - begun, run.stopped)
        score = score_store(store, world.truth())
        examples = list(islice(_find_examples(store), SOURCES_SHOWN))
        answering = store.count_states().get("searched", 0)
    drawn = () if run.stopped else uvloop.run(_draw(world, db, examples))
    return Result(report, score, answering, summarise(world).to_json(), examples, drawn), run


async def _draw(world: World, db: str, examples: list[dict[str, Any]]) -> tuple[Drawn, ...]:
    """Draw records from the first databases that let themselves be drawn from."""
    from dowse.errors import DowseError

    drawn: list[Drawn] = []
    for form in examples:
        if len(drawn) == SOURCES_DRAWN:
            break
        try:
            drawn.append(await _draw_from(world, db, form))
        except DowseError:  # a form that cannot be asked: the next can
            continue
    return tuple(drawn)


async def _draw_from(world: World, db: str, form: dict[str, Any]) -> Drawn:
    from dowse.fetch.build import wrap_fetch
    from dowse.fetch.cookies import Jar
    from dowse.harvester.harvest import Order, opened, run_harvest
    from dowse.settings import HarvestSettings
    from dowse.sim.fetch import simulate

    fetches = wrap_fetch(simulate(world), jar=Jar())
    async with opened(Order(str(form["id"])), db, HarvestSettings(rounds=ROUNDS), fetches) as (store, run, ready):
        async for _ in run_harvest(store, run, ready):
            pass
    size = run.size
    seems = (
        "all of them, proven"
        if run.complete
        else f"about {size.size:,.0f} ({write_span(size.low, size.high)})"
        if size
        else "?"
    )
    return Drawn(form["page"], run.records, run.drawn.requests, _true_size(world, form), seems, run.stopped)


def _true_size(world: World, form: dict[str, Any]) -> int:
    """Return how many records the database behind a form has."""
    truth = next(each for each in world.truth() if each.site == form["site"])
    doors = {each.action: each.database for each in truth.forms if each.database}
    sizes = {each.id: each.size for each in truth.databases}
    return next((sizes[doors[action]] for action in doors if action and form["action"].startswith(action)), 0)


def _find_examples(store: Store) -> Iterator[dict[str, Any]]:
    """Yield query forms with several conditions, one of each site."""
    sites = set()
    for form in store.forms():
        if form["kind"] == "database" and len(form["conditions"]) > 1 and form["site"] not in sites:
            sites.add(form["site"])
            yield form


async def _search(store: Store, run: Run, world: World, settings: Any) -> None:
    from dowse.cli.interrupt import stopping_on_signals
    from dowse.cli.progress import shown
    from dowse.engine.workers import discover_sites, search_sites
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


def _as_dict(result: Result) -> dict[str, Any]:
    report = result.report
    return {
        "sites": report.sites_searched,
        "pages": report.pages,
        "forms": report.forms,
        "harvest": report.harvest,
        "coverage": round(result.score.recall, 4),
        "precision": round(result.score.precision, 4),
        "records": sum(each.records for each in result.drawn),
        "record_coverage": round(result.record_coverage, 4),
        "truth": result.truth,
        "seconds": report.seconds,
    }


def _print(result: Result, db: str | None) -> None:
    report, score, truth = result.report, result.score, result.truth
    click.echo(
        f"Find: {report.sites_searched:,} sites searched and {report.pages:,} pages read in {report.seconds:.1f} s\n"
    )
    click.echo(table([
        ("", "found", "there are", ""),
        ("sites that answer", result.answering, truth["sites"], f"of {report.sites_known:,} known; the rest is dead, closed or moved"),
        ("query forms", score.right, score.reachable, f"coverage {score.recall:.1%}"),
        ("taken for query forms", score.wrong, 0, f"precision {score.precision:.1%}"),
        ("query forms per page", f"{report.harvest:.3f}", "", "harvest"),
        ("records behind them", "", truth["records"], ""),
    ]))  # fmt: skip
    click.echo("\nLook: some of the databases, and what can be asked")
    for form in result.examples:
        asked = ", ".join(condition["label"] or condition["attribute"] for condition in form["conditions"])
        click.echo(f"  {form['page']}\n    {asked}  ({form['probability']:.2f} sure)")
    click.echo(f"\nDraw: records of {len(result.drawn)} of them, with {ROUNDS} requests to each at most")
    head = ("records", "there are", "requests", "how many it seems", "")
    rows = [(each.records, each.size, each.requests, each.seems, each.page) for each in result.drawn]
    click.echo(table([head, *rows]))
    click.echo("\nLeft alone, and why")
    click.echo(table([*report.skipped.items()][:12]))
    click.echo("\nFailed")
    click.echo(table([*report.errors.items()][:8]))
    click.echo(
        f"\nThe database is {db}."
        if db
        else "\nNext: `dowse demo --db demo.db` keeps the database; `dowse sites`, `dowse export forms` and `dowse explain URL` read it."
    )
