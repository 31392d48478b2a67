"""`dowse sites discover`: the Site Finder alone."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from dowse.cli import options
from dowse.cli.printing import note, print_json

if TYPE_CHECKING:
    from dowse.engine.find import Discovery
    from dowse.engine.local import Run
    from dowse.model import Seed
    from dowse.settings import FetchSettings, FindSettings


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
    help="Sites looked through at the same time.",
)
@options.fetching
@click.option("--db", default=None, metavar="FILE", help="The database.  [default: dowse.db]")
@options.as_json
@click.pass_context
def command(
    ctx: click.Context, /, seeds: tuple[str, ...], lists: tuple[str, ...], site_strategy: str, sites: int | None, pages: int | None,
    site_pages: int, jobs: int, db: str | None, as_json: bool, **fetch_options: Any,
) -> int:  # fmt: skip
    """Look for sites only: follow what leads from SEEDs, and from all sites that are known, to others.

    What is found waits for `dowse find`. Running the same command again goes on where it stopped: no site is looked
    through twice. Budgets count over all runs of the same command.
    """
    from dowse.cli.find import read_seeds
    from dowse.settings import FindSettings

    settings = FindSettings(
        sites=sites or 0, pages=pages or 0, site_pages=site_pages, site_strategy=site_strategy, finder=jobs
    )
    fetching = options.fetch_settings(**fetch_options)
    return discover(read_seeds(seeds, lists), db or ctx.obj["db"], settings, fetching, as_json or ctx.obj["as_json"])


def discover(seeds: list[Seed], db: str, settings: FindSettings, fetching: FetchSettings, as_json: bool) -> int:
    """Look for sites, show how it goes, report, and return the exit code."""
    import time

    import uvloop

    from dowse.cli.opening import opened_store
    from dowse.engine.find import begin_discovery, build_discovery

    begun, outcomes = time.monotonic(), Counter[str]()
    with opened_store(db) as store:
        run = begin_discovery(store, seeds, settings)
        if not run.stopped:
            uvloop.run(_discover(store, run, settings, fetching, outcomes))
        result = build_discovery(store, run, time.monotonic() - begun)
    if as_json:
        print_json(asdict(result))
    else:
        _print(result, db)
    return _exit_code(run, outcomes)


async def _discover(
    store: Any, run: Run, settings: FindSettings, fetching: FetchSettings, outcomes: Counter[str]
) -> None:
    from dowse.cli.interrupt import stopping_on_signals
    from dowse.cli.progress import shown
    from dowse.engine.local import discover_sites
    from dowse.fetch.build import build_fetch

    with stopping_on_signals(run):
        async with build_fetch(fetching) as fetches, shown(run):
            async for explored in discover_sites(
                store, run, fetches.within_site, settings, before_commit=fetches.flush
            ):
                outcomes[explored.error] += 1


def _print(result: Discovery, db: str) -> None:
    click.echo(
        f"{result.found:,} sites found with {result.pages:,} pages ({result.harvest:.4f} for each page);"
        f" {result.known:,} known, in {db}"
    )


def _exit_code(run: Run, outcomes: Counter[str]) -> int:
    from dowse.engine.local import INTERRUPTED

    if run.stopped == INTERRUPTED:
        note("dowse: interrupted; run the same command to go on")
        return 130
    if run.stopped:
        note(f"dowse: stopped by the {run.stopped}; raise it and run the same command to go on")
        return 3
    if outcomes and not outcomes[""]:
        reason, _ = outcomes.most_common(1)[0]
        note(f"dowse: none of {outcomes.total():,} sites could be looked through, most often: {reason}")
        return 1
    return 0
