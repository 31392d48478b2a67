"""`dowse sample`: estimates what each strategy would yield, before a list of sites is searched."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from dowse.cli import options
from dowse.cli.printing import note, print_json, table

if TYPE_CHECKING:
    from dowse.engine.job import FindRun
    from dowse.model import Seed
    from dowse.sample.judge import JudgedSample, YieldTarget
    from dowse.settings import FetchSettings, SampleSettings
    from dowse.store import Store
    from dowse.yields import Forecast, Interval, Yield

DEFAULT_STRATEGIES = {
    "forms": "exhaustive:0,exhaustive:3,exhaustive:10,navmenu:3,navmenu:10,auto",
    # the settings of paper 1, Fig. 19
    "sites": ",".join(f"adaptive:{t},{s},{p}" for t in (2, 5, 10) for s in (2, 5, 10) for p in ("0", "0.05", "0.1"))
    + ",links:2,exhaustive:1",
}


@click.command("sample")
@click.argument("seeds", nargs=-1, metavar="[SEED]...")
@options.seed_lists
@click.option(
    "--goal",
    type=click.Choice(["forms", "sites"]),
    default="forms",
    show_default=True,
    help="What the strategies are to find: query forms, or other sites (for --site-strategy).",
)
@click.option(
    "--strategies",
    metavar="NAMES",
    help=f"The strategies to compare, separated by commas; by default {DEFAULT_STRATEGIES['forms']}, or for sites"
    " adaptive:T,S,p with T and S 2, 5 and 10 and p 0, 0.05 and 0.1, links:2 and exhaustive:1.",
)
@click.option(
    "--sample", type=click.IntRange(2), default=100, show_default=True, metavar="N", help="Sites sampled from the list."
)
@click.option(
    "--seed", type=int, default=1, show_default=True, metavar="N", help="The same seed samples the same sites."
)
@click.option(
    "--coverage",
    type=float,
    metavar="C",
    help="Choose the highest yield that finds this share of all forms, or sites.",
)
@click.option(
    "--harvest", type=float, metavar="H", help="Choose the highest coverage with this many forms, or sites, per page."
)
@options.site_pages
@click.option(
    "--jobs",
    type=click.IntRange(1, 2000),
    default=32,
    show_default=True,
    metavar="N",
    help="Sites recorded at the same time.",
)
@options.fetching
@options.rendering("never")
@options.db
@options.as_json
def command(
    seeds: tuple[str, ...], lists: tuple[str, ...], goal: str, strategies: str | None, sample: int, seed: int,
    coverage: float | None, harvest: float | None, site_pages: int, jobs: int, db: str, as_json: bool,
    **fetch_options: Any,
) -> int:  # fmt: skip
    """Estimate what strategies would yield on a list of sites, by trying them on a few.

    Sites are sampled at random from the SEEDs, or from the sites that wait in the database. Each is searched
    exhaustively once, and every strategy is replayed over the recording. Running the same command again resumes, and a larger
    --sample adds to a smaller one. With --goal sites, strategies that look for other sites are compared by those they find.
    """
    from dowse.cli.find import read_seeds
    from dowse.engine.auto import read_target
    from dowse.settings import SampleSettings

    names = _read_strategies(DEFAULT_STRATEGIES[goal] if strategies is None else strategies, goal)
    settings = SampleSettings(names, sample, seed, site_pages, jobs, goal)
    target = read_target(coverage, harvest, goal)
    fetching = options.fetch_settings(seeds, **fetch_options)
    return run_sample(read_seeds(seeds, lists), db, settings, target, fetching, as_json)


def _read_strategies(text: str, goal: str) -> tuple[str, ...]:
    """Read the names of strategies, each once; a mistake in one should cost nothing."""
    import re

    from dowse.engine.auto import own_strategy
    from dowse.errors import BadInput
    from dowse.sample.replay import GOALS
    from dowse.settings import FindSettings
    from dowse.strategy import build_strategy

    names = re.split(
        r",(?!\s*[\d.])", text
    )  # a number after a comma is one more of a strategy, as in adaptive:5,5,0.05
    names = [name.strip() for name in names if name.strip()]
    own = own_strategy() if goal == "forms" else FindSettings().site_strategy
    if not names:
        raise BadInput(f"--strategies names none; give some, as in --strategies exhaustive:3,{own}")
    found = tuple(dict.fromkeys(own if name == "auto" else name for name in names))
    for name in found:
        build_strategy(name, GOALS[goal].strategies)
    return found


def run_sample(
    seeds: list[Seed], db: str, settings: SampleSettings, target: YieldTarget, fetching: FetchSettings, as_json: bool
) -> int:
    """Sample, show progress, report, and return the exit code."""
    import time

    import uvloop

    from dowse.engine.auto import begin_sample, read_kept
    from dowse.reasons import StopReason
    from dowse.sample.judge import judge_sample
    from dowse.store import open_store

    begun = time.monotonic()
    with open_store(db) as store:
        begun_sample = begin_sample(store, seeds, settings)
        if begun_sample.left:
            uvloop.run(_sample(store, begun_sample.name, begun_sample.left, begun_sample.run, settings, fetching))
        if begun_sample.run.stopped == StopReason.INTERRUPTED:
            note("dowse: interrupted; run the same command to go on")
            return 130
        chosen = {str(seed.site) for seed in begun_sample.sites}
        kept = [each for each in read_kept(store, begun_sample.name, settings.strategies) if each.site in chosen]
    judged = judge_sample(kept, settings.strategies, begun_sample.population, target)
    if as_json:
        print_json(
            describe(judged, settings.goal)
            | {"population": begun_sample.population, "seconds": round(time.monotonic() - begun, 3)}
        )
    else:
        _print(judged, begun_sample.population, settings.goal)
    return 0


async def _sample(
    store: Store, name: str, seeds: list[Seed], run: FindRun, settings: SampleSettings, fetching: FetchSettings
) -> None:
    from dowse.cli.interrupt import stopping_on_signals
    from dowse.cli.progress import shown
    from dowse.engine.auto import keep_samples, sample_sites
    from dowse.fetch.build import build_fetch

    missing = 0
    with stopping_on_signals(run):
        async with build_fetch(fetching) as fetches, shown(run):
            async for sampled in sample_sites(seeds, run, fetches.within_site, settings, render=fetches.render):
                if sampled.search.finished:
                    fetches.flush()
                    keep_samples(store, name, [sampled.sample], settings.strategies)
                    missing += sampled.sample.missing
    if missing:
        note(
            f"dowse: {missing:,} pages that strategies wanted were not recorded; they count as pages that show nothing"
        )


def describe(judged: JudgedSample, goal: str = "forms") -> dict[str, Any]:
    """Return the outcome of a sample as JSON keys."""
    return {
        "goal": goal,
        "strategies": [_describe_yield(each, goal) for each in judged.yields],
        "chosen": judged.choice.name,
        "reason": judged.choice.reason,
        "predicted": describe_forecast(judged.whole, goal),
        "sites": judged.sites,
        "failed": judged.failed,
        "sample_size": dict(judged.needed),
    }


def _describe_yield(each: Yield, goal: str) -> dict[str, Any]:
    row = {"name": each.name, "pages": each.pages, goal: each.forms}
    for name in ("harvest", "coverage", "site_harvest", "site_coverage"):
        row |= _describe_interval(name, getattr(each, name))
    return row


def describe_forecast(forecast: Forecast, goal: str = "forms") -> dict[str, Any]:
    """Return a forecast as JSON keys; `sites` are those of the list, so what is found of others has a key of its own."""
    row: dict[str, Any] = {"strategy": forecast.name, "sites": forecast.sites}
    found = "forms" if goal == "forms" else "other_sites"
    figures = {
        "pages": forecast.pages,
        found: forecast.forms,
        "harvest": forecast.harvest,
        "coverage": forecast.coverage,
    }
    for name, each in figures.items():
        row |= _describe_interval(name, each)
    return row


def _describe_interval(name: str, each: Interval) -> dict[str, Any]:
    return {
        name: round(each.value, 6),
        f"{name}_ci": [round(each.low, 6), round(each.high, 6)],
        f"{name}_method": each.method,
    }


def _print(judged: JudgedSample, population: int, goal: str) -> None:
    failed = f", {judged.failed:,} of them unavailable" if judged.failed else ""
    click.echo(f"{judged.sites:,} of {population:,} sites sampled{failed}; 95 % intervals in parentheses")
    words = {"forms": ("forms", "query forms"), "sites": ("other sites", "other sites")}[goal]
    head = ("strategy", "pages", words[0], "yield", "coverage", "yield by site", "coverage by site")
    rows = [
        (
            each.name, each.pages, each.forms, _write(each.harvest, 4), _write(each.coverage, 3),
            _write(each.site_harvest, 4), _write(each.site_coverage, 3),
        )
        for each in judged.yields
    ]  # fmt: skip
    click.echo(table([head, *rows]))
    click.echo(f"chosen: {judged.choice.name}\n  {judged.choice.reason}")
    click.echo(f"forecast for all {judged.whole.sites:,} sites with {judged.choice.name}")
    whole = judged.whole
    figures = [("pages", whole.pages, 0), (words[1], whole.forms, 0)]
    figures += [("yield", whole.harvest, 4), ("coverage", whole.coverage, 3)]
    click.echo(table([(name, _write(each, digits), each.method) for name, each, digits in figures]))
    names = {"harvest": "yield"}  # the key of scripts -> the word on screen
    needed = ", ".join(f"{count:,} for {names.get(figure, figure)}" for figure, count in judged.needed.items())
    click.echo(f"sites to sample for an interval of +-0.02: {needed}")


def _write(each: Interval, digits: int) -> str:
    return f"{each.value:,.{digits}f} ({each.low:,.{digits}f} to {each.high:,.{digits}f})"
