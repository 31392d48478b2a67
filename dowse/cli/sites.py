"""`dowse sites`: known sites, lists to import, and the Site Finder alone."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import click

from dowse.cli import options
from dowse.cli.printing import note, print_json, table
from dowse.reasons import say_count

if TYPE_CHECKING:
    from dowse.engine.find import Discovery
    from dowse.engine.job import FindRun
    from dowse.model import Seed
    from dowse.seeds.lists import RefusedLines
    from dowse.settings import FetchSettings, FindSettings
    from dowse.store import Store

SEEDS_PER_CLOCK_CHECK = 1000


@click.command("import")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option(
    "--format",
    "kind",
    type=click.Choice(["plain", "csv", "rdf", "sitemap", "graph"]),
    help="What the files are; by default each is recognised by how it begins.",
)
@click.option("--db", default=None, metavar="FILE", help="The database.  [default: dowse.db]")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object on standard output.")
@click.pass_context
def import_command(ctx: click.Context, files: tuple[str, ...], kind: str | None, db: str | None, as_json: bool) -> int:
    """Import sites from lists: each FILE is streamed, however long; - for standard input.

    Plain lists have one address per line. Rankings are CSV: rank and host, or a header that names the columns
    (Tranco, Umbrella, Majestic). Of the DMOZ directory (content.rdf.u8) and of sitemaps, the sites of the listed pages
    are taken; the sitemaps of a sitemap index are read when they lie beside it. Common Crawl's host and domain graphs
    are taken as vertices or as ranks. Files may be packed with gzip, xz, bzip2 or zip; of a zip archive, every list is
    taken. A file that is not a list gives exit code 2 after the others were imported; a truncated one gives exit code 1,
    and the sites before the break are imported.
    """
    from dowse.cli.interrupt import opened_store

    with opened_store(db or ctx.obj["db"]) as store:
        outcomes = [_import_one(store, file, kind or "") for file in files]
        known = store.count_sites()
    for outcome in outcomes:
        for line in outcome.lines:
            note(f"dowse: {line}")
    if unread := sum(each.unread for each in outcomes):
        note(f"dowse: {unread:,} sitemaps that an index names were not read, only their sites taken")
    imported, code = sum(each.imported for each in outcomes), max(each.code for each in outcomes)
    if all(each.code == 2 for each in outcomes):
        return 2
    if as_json or ctx.obj["as_json"]:
        print_json({"imported": imported, "known": known, "left_out": sum(each.left_out for each in outcomes)})
    else:
        click.echo(f"{say_count(imported, 'sites')} imported, {known:,} known")
    return code


@dataclass(frozen=True, slots=True)
class ImportOutcome:
    """How the import of one file ended."""

    imported: int
    left_out: int
    unread: int  # sitemaps that it names, but that are not there
    lines: tuple[str, ...]  # messages about it
    code: int  # 2 when it is no list, 1 when it breaks off


def _import_one(store: Store, file: str, kind: str) -> ImportOutcome:
    from dowse.seeds.lists import RefusedLines, read_list

    refused, broken = RefusedLines(), list[str]()
    imported = store.add_seeds(_until_broken(_watched(read_list(file, refused, kind), refused), broken))
    if not refused.accepted:
        name = "standard input" if file == "-" else file
        none = f"{name} has no web address in it" + (f" ({refused.first})" if refused.first else "")
        return ImportOutcome(imported, refused.count, 0, (broken[0] if broken else none,), 2)
    lines = [f"{why}; {imported:,} new sites that stood before that were imported" for why in broken]
    if refused.count:
        lines.append(f"{refused.count:,} line{'s' * (refused.count > 1)} skipped; {refused.first}")
    return ImportOutcome(imported, refused.count, refused.unread, tuple(lines), int(bool(broken) or refused.broken))


def _until_broken(seeds: Iterator[Seed], broken: list[str]) -> Iterator[Seed]:
    """Yield the entries before a list breaks off, and note why it did."""
    from dowse.errors import BadInput

    try:
        yield from seeds
    except BadInput as error:
        broken.append(str(error))


def _watched(seeds: Iterator[Seed], refused: RefusedLines) -> Iterator[Seed]:
    """Yield the same, and print progress every few seconds."""
    from dowse.cli.progress import PLAIN_SECONDS, clock

    begun = printed_at = time.monotonic()
    for count, seed in enumerate(seeds, 1):
        yield seed
        if count % SEEDS_PER_CLOCK_CHECK == 0 and (now := time.monotonic()) - printed_at >= PLAIN_SECONDS:
            printed_at = now
            note(f"addresses {refused.accepted:,}, skipped {refused.count:,}, time {clock(now - begun)}")


@click.command("discover")
@click.argument("seeds", nargs=-1, metavar="[SEED]...")
@options.seed_lists
@options.site_strategy
@click.option("--sites", type=click.IntRange(1), metavar="N", help="Stop once N new sites were found.  [default: none]")
@click.option("--pages", type=click.IntRange(1), metavar="N", help="Fetch at most N pages.  [default: no limit]")
@options.site_pages
@click.option(
    "--jobs",
    type=click.IntRange(1, 2000),
    default=32,
    show_default=True,
    metavar="N",
    help="Sites explored at the same time.",
)
@options.fetching
@click.option("--db", default=None, metavar="FILE", help="The database.  [default: dowse.db]")
@options.as_json
@click.pass_context
def discover_command(
    ctx: click.Context, /, seeds: tuple[str, ...], lists: tuple[str, ...], site_strategy: str, sites: int | None, pages: int | None,
    site_pages: int, jobs: int, db: str | None, as_json: bool, **fetch_options: Any,
) -> int:  # fmt: skip
    """Find new sites only: follow links from the SEEDs, and from all known sites, to others.

    They wait in the database for `dowse find`. Running the same command again resumes where it stopped: no site is
    explored twice. Budgets count over all runs of the same command.
    """
    from dowse.cli.find import read_seeds
    from dowse.settings import FindSettings

    settings = FindSettings(
        sites=sites or 0, pages=pages or 0, site_pages=site_pages, site_strategy=site_strategy, finder=jobs
    )
    fetching = options.fetch_settings(seeds, **fetch_options)
    return run_discover(
        read_seeds(seeds, lists), db or ctx.obj["db"], settings, fetching, as_json or ctx.obj["as_json"]
    )


def run_discover(seeds: list[Seed], db: str, settings: FindSettings, fetching: FetchSettings, as_json: bool) -> int:
    """Find new sites, show progress, report, and return the exit code."""
    import uvloop

    from dowse.cli.interrupt import opened_store
    from dowse.engine.find import begin_discovery, build_discovery

    begun, outcomes = time.monotonic(), Counter[str]()
    with opened_store(db) as store:
        run = begin_discovery(store, seeds, settings)
        if not run.stopped:
            uvloop.run(_discover(store, run, settings, fetching, outcomes))
        result = build_discovery(store, run, time.monotonic() - begun)
        outcomes = outcomes or Counter(store.count_exploration_errors(run.id))  # of earlier calls
    if as_json:
        print_json(asdict(result))
    else:
        _print(result, db)
    return _exit_code(run, outcomes)


async def _discover(
    store: Any, run: FindRun, settings: FindSettings, fetching: FetchSettings, outcomes: Counter[str]
) -> None:
    from dowse.cli.interrupt import stopping_on_signals
    from dowse.cli.progress import shown
    from dowse.engine.discover import discover_sites
    from dowse.fetch.build import build_fetch

    with stopping_on_signals(run):
        async with build_fetch(fetching) as fetches, shown(run):
            async for explored in discover_sites(
                store, run, fetches.within_site, settings, before_commit=fetches.flush
            ):
                outcomes[explored.error] += 1


def _print(result: Discovery, db: str) -> None:
    click.echo(
        f"{say_count(result.found, 'sites')} found with {say_count(result.pages, 'pages')} (yield {result.harvest:.4f} sites per page);"
        f" {result.known:,} known, in {db}"
    )


def _exit_code(run: FindRun, outcomes: Counter[str]) -> int:
    from dowse.reasons import StopReason

    if run.stopped == StopReason.INTERRUPTED:
        note("dowse: interrupted; run the same command to go on")
        return 130
    if run.stopped:
        note(f"dowse: stopped by the {run.stopped}; raise it and run the same command to go on")
        return 3
    if outcomes and not outcomes[""]:
        reason, _ = outcomes.most_common(1)[0]
        note(f"dowse: no site could be explored, of {outcomes.total():,} tried; most often: {reason}")
        return 1
    return 0


@click.group("sites", invoke_without_command=True)
@click.option(
    "--state",
    type=click.Choice(["seen", "waiting", "leased", "searched", "failed", "moved"]),
    help="Only sites in this state.",
)
@click.option(
    "--limit",
    type=click.IntRange(0),
    default=20,
    show_default=True,
    metavar="N",
    help="Show at most N sites; 0 for all.",
)
@options.db
@options.as_json
@click.pass_context
def command(ctx: click.Context, state: str | None, limit: int, db: str, as_json: bool) -> int:
    """Show the known sites, import a list of them, or find more."""
    ctx.obj = {"db": db, "as_json": as_json}
    if ctx.invoked_subcommand:
        return 0
    from itertools import islice

    from dowse.store import open_existing

    with open_existing(db) as store:
        counts = store.count_states()
        found = (row for row in store.sites() if state in (None, row["state"]))
        shown = list(islice(found, limit or None))
    if as_json:
        print_json({"known": sum(counts.values()), "states": counts, "sites": shown})
        return 0
    click.echo(
        say_count(sum(counts.values()), "sites known")
        + ": " * bool(counts)
        + ", ".join(f"{count:,} {name}" for name, count in counts.items())
    )
    rows = [(row["site"], row["state"], row["pages"], row["forms"], row["error"] or row["stopped"]) for row in shown]
    click.echo(table([("site", "state", "pages", "forms", ""), *rows]))
    total = counts.get(state, 0) if state else sum(counts.values())
    if len(shown) < total:
        click.echo(f"  ... {total - len(shown):,} more; --limit 0 shows all, `dowse export sites` writes them")
    return 0


command.add_command(import_command)
command.add_command(discover_command)
