"""`dowse find`: finds sites and their query forms, starting from seeds."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

import click

from dowse.cli import options
from dowse.cli.printing import note, print_json, printable, table, wrap
from dowse.cli.sources import print_sources, say_kinds
from dowse.errors import BadInput
from dowse.reasons import NOT_REQUESTED, FailureReason, say_count

if TYPE_CHECKING:
    from dowse.engine.find import Report
    from dowse.engine.job import FindRun
    from dowse.model import Seed
    from dowse.settings import FetchSettings, FindSettings
    from dowse.store import Store
    from dowse.store.directory import ListedSource

SOURCES_SHOWN = 10
_SITES_FAILED = NOT_REQUESTED - {FailureReason.ROBOTS}  # why whole sites gave nothing: they are among the failed
REASONS_SHOWN = 8  # why addresses failed or were skipped, the most frequent


@click.command("find")
@click.argument("seeds", nargs=-1, metavar="[SEED]...")
@options.seed_lists
@click.option(
    "--strategy",
    default="learned",
    show_default=True,
    metavar="NAME",
    help="Which links are followed inside a site, such as exhaustive:DEPTH or navmenu:DEPTH; auto tries some on the"
    " first sites, where that pays, and takes one that is clearly better than learned.",
)
@click.option(
    "--coverage",
    type=float,
    metavar="C",
    help="The share of all forms that is wanted: learned is as thorough as that took on other sites; auto takes what has the"
    " highest yield.",
)
@click.option(
    "--harvest", type=float, metavar="H", help="With auto: the highest coverage with this many forms per page."
)
@click.option(
    "--topic",
    default="",
    metavar="NAME_OR_FILE",
    help="Look for databases on a topic: one that `dowse topic list` names, or a file. The strategy is then focused (unless"
    " another is named), smart or levels:N.",
)
@click.option(
    "--searxng",
    default="",
    metavar="URL",
    help="With --topic: a SearXNG instance that is asked for pages that name known sources when few sites wait; while no source"
    " is known, for the words of the topic, so that no SEED is needed.",
)
@click.option(
    "--graph",
    type=(str, str),
    default=None,
    metavar="VERTICES EDGES",
    help="With --topic: the two files of a Common Crawl host graph, in which hosts that link to known sources are looked up.",
)
@click.option("--sites", type=click.IntRange(1), metavar="N", help="Search at most N sites.  [default: all]")
@click.option("--pages", type=click.IntRange(1), metavar="N", help="Fetch at most N pages.  [default: no limit]")
@options.site_pages
@click.option("--discover/--no-discover", default=True, show_default=True, help="Follow links to new sites.")
@click.option(
    "--schedule",
    type=click.Choice(["simple", "ranked", "round-robin"]),
    default="simple",
    show_default=True,
    help="Which site is next: as they came; by imported rank, then by links to it; or all sites to depth 0, then 1, ...",
)
@options.site_strategy
@click.option(
    "--finder",
    type=click.IntRange(0, 2000),
    metavar="N",
    help="Sites explored for links to other sites at the same time, when fewer sites wait than there are jobs.  "
    "[default: one for 8 jobs; none where --strategy is learned, or reads every page below depth 1 anyway]",
)
@click.option(
    "--jobs",
    type=click.IntRange(1, 2000),
    default=32,
    show_default=True,
    metavar="N",
    help="Sites searched at the same time.",
)
@click.option(
    "--audit",
    type=click.FloatRange(0.0, 0.5),
    default=0.05,
    show_default=True,
    metavar="SHARE",
    help="Share of the pages for links drawn at random from those that were left: coverage is estimated by them.",
)
@click.option(
    "--probe",
    is_flag=True,
    help="Probe each new search form, at most 10 of a site: GET only, at most 4 requests each. What it answers is kept and"
    " decides its kind.",
)
@click.option("--retry", is_flag=True, help="Search sites again that failed before.")
@click.option("--resume", is_flag=True, help="No effect: the same command always resumes where it stopped.")
@options.fetching
@options.rendering("never")
@options.db
@options.as_json
def command(
    seeds: tuple[str, ...], lists: tuple[str, ...], strategy: str, sites: int | None, pages: int | None, site_pages: int,
    discover: bool, schedule: str, site_strategy: str, finder: int | None, jobs: int, probe: bool, retry: bool,
    resume: bool, coverage: float | None, harvest: float | None, audit: float, topic: str, searxng: str,
    graph: tuple[str, str] | None, db: str, as_json: bool, **fetch_options: Any,
) -> int:  # fmt: skip
    """Find sites and the query forms in them, starting from SEEDs.

    A SEED is an address such as http://example.com/ or just example.com; where it is a page inside a site, the site is
    searched from its home page and from there. The seeds are searched first, then the other sites that wait in the
    database; with --no-discover, the seeds alone. Running the same command again resumes where it stopped, also within a
    site: no page is fetched twice. A finished site is opened again only for a page of it that is named for the first
    time, one that failed only for that or with --retry. Budgets (--sites, --pages) count over all runs of the same
    command: the same seeds, --strategy, --discover, --site-pages, --schedule and --site-strategy. At the end stand the
    best sources of the run, then the totals of the database.
    """
    from dowse.settings import FindSettings

    if (searxng or graph) and not topic:
        raise BadInput("--searxng and --graph look up sites on a topic: name one with --topic")
    if (searxng or graph) and (strategy.startswith("levels") or not discover):
        why = "levels:N follows links alone" if discover else "--no-discover searches the seeds alone"
        raise BadInput(f"--searxng and --graph find further sites, but {why}")
    settings = FindSettings(
        strategy, sites or 0, pages or 0, site_pages, discover, jobs, retry, probe, schedule, site_strategy, finder,
        coverage, harvest, audit, topic, searxng, graph,
    )  # fmt: skip
    found, named = read_seeds(seeds, lists), sum(seed != "-" for seed in seeds)
    fetching = options.fetch_settings(seeds, **fetch_options)
    fetching = replace(fetching, cookies=fetching.cookies or probe)  # some forms answer no stranger
    return find(found, named, db, settings, fetching, as_json)


def find(seeds: list[Seed], named: int, db: str, settings: FindSettings, fetching: FetchSettings, as_json: bool) -> int:
    """Search, show progress, report, and return the exit code; so many of the seeds were named one by one."""
    import time

    import uvloop

    from dowse.cli.interrupt import opened_store
    from dowse.engine.find import begin_run, build_report
    from dowse.engine.topical import topic_name
    from dowse.reasons import StopReason
    from dowse.store.frontier import count_page_sites

    begun = time.monotonic()
    with opened_store(db) as store:
        run = begin_run(store, seeds, settings)
        if not run.stopped:
            uvloop.run(_search(store, run, settings, fetching))
        waiting = store.count_waiting(run.id, own=run.own) + count_page_sites(store, run.id)
        is_cut = waiting or run.stopped == StopReason.INTERRUPTED  # a budget spent on the last page stopped nothing
        report = build_report(store, time.monotonic() - begun, run.stopped if is_cut else None, topic_name(settings))
        outcomes, errors = store.count_outcomes(run.id), store.count_errors(run.id)
        found = _read_outcome(store, run, topic_name(settings))
        unread = [(seed.entrance, store.why_unread(seed.entrance)) for seed in seeds[:named]]
    if as_json:
        print_json(asdict(report))
    else:
        _print_report(report, found, db, topic_name(settings))
    is_nothing = bool(errors) and not outcomes.get("searched")
    for entrance, why in unread if not is_nothing else ():
        if why:
            note(f"dowse: {printable(entrance)} was not read: {printable(why)}")
    if settings.topic and not found.total and not run.stopped and not is_nothing:
        ways = ["start from sites about it"]
        ways += [] if settings.searxng or settings.graph else ["let a search engine name some (--searxng URL)"]
        ways += [] if settings.pages else ["say how many pages may go to less likely sites (--pages N)"]
        note(f"dowse: no site is left that is likely on {topic_name(settings)}: {', or '.join(ways)}")
    if not run.started and not run.stopped and outcomes.get("searched"):
        note(f"dowse: all of this was searched before, so no page was asked for; another --db than {db} searches anew")
    return _exit_code(run, waiting, next(iter(errors), "") if is_nothing else "", db)


async def _search(store: Any, run: FindRun, settings: FindSettings, fetching: FetchSettings) -> None:
    from dowse.cli.interrupt import stopping_on_signals
    from dowse.cli.progress import shown
    from dowse.engine.find import search_waiting
    from dowse.fetch.build import build_fetch

    with stopping_on_signals(run):
        async with build_fetch(fetching) as fetches, shown(run):
            async for event in search_waiting(store, run, fetches, settings):
                if isinstance(event, str):
                    note(f"dowse: {event}")


def read_seeds(seeds: tuple[str, ...], lists: tuple[str, ...]) -> list[Seed]:
    """Read the seeds of the command line, and those in lists."""
    from dowse.seeds.lists import RefusedLines, read_list, read_seed

    found = [read_seed(seed) for seed in seeds if seed != "-"]
    for name in dict.fromkeys([*lists, *(seed for seed in seeds if seed == "-")]):
        refused = RefusedLines()
        found += read_list(name, refused)
        if not refused.accepted:
            raise BadInput(f"{name} has no web address in it" + (f" ({refused.first})" if refused.first else ""))
        if refused.count:
            note(f"dowse: {say_count(refused.count, 'lines')} skipped; {refused.first}")
    return found


@dataclass(frozen=True, slots=True)
class _FindOutcome:
    """What a run has found, and what became of the sites in the database."""

    sources: list[ListedSource]  # the best
    total: int
    kinds: dict[str, int]  # of its forms
    pages: int
    states: dict[str, int]  # of all sites
    why_not_searched: str


def _read_outcome(store: Store, run: FindRun, topic: str) -> _FindOutcome:
    from dowse.store.directory import FormFilter, find_sources

    sources, total = find_sources(store, FormFilter(kinds=("database",), run=run.id, topic=topic), SOURCES_SHOWN)
    states = store.count_states()
    why = {
        str(run.stopped) if run.stopped else "--no-discover" if run.own else "waiting": states.get("waiting", 0),
        "named by others" if topic else "found with --no-discover": states.get("seen", 0),
    }
    reasons = ", ".join(reason for reason, count in why.items() if count)
    return _FindOutcome(sources, total, store.count_kinds(run.id), store.count_done(run.id)[1], states, reasons)


def _print_report(report: Report, found: _FindOutcome, db: str, topic: str) -> None:
    print_sources(found.sources)
    if found.total > len(found.sources):
        more = say_count(found.total - len(found.sources), "sources more")
        click.echo(f"  ... {more}: `dowse sources --db {db}` lists all")
    if found.total:
        click.echo()
    elif found.pages:
        others = say_kinds(found.kinds)
        what = f"source on {topic}" if topic else "database form"
        click.echo(wrap(f"no {what} on {say_count(found.pages, 'pages')}; {others or 'no other form either'}"))
    states = found.states
    counts = [(states.get(name, 0), name) for name in ("searched", "moved", "failed")]
    sites = [f"{count:,} {name}" for count, name in counts if count or name == "searched"]
    if report.sites_waiting:
        how = "not or not fully searched" if topic else "not searched"  # the best pages of all sites come first
        sites.append(f"{report.sites_waiting:,} {how} ({found.why_not_searched})")
    click.echo(
        f"{say_count(report.sites_known, 'sites met')}, {', '.join(sites)}; {say_count(report.pages, 'pages')}, in {db}"
    )
    _print_totals(report, db)
    skipped = {reason: count for reason, count in report.skipped.items() if reason not in _SITES_FAILED}
    for heading, reasons in (("failed, and why", report.errors), ("skipped, and why", skipped)):
        if reasons:
            click.echo(heading)
            click.echo(table(list(reasons.items())[:REASONS_SHOWN]))
        if len(reasons) > REASONS_SHOWN:
            rest = sum(list(reasons.values())[REASONS_SHOWN:])
            click.echo(f"  ... {rest:,} for {say_count(len(reasons) - REASONS_SHOWN, 'other reasons')}; --json has all")


def _print_totals(report: Report, db: str) -> None:
    rows: list[tuple[object, ...]] = [
        ("query forms", report.forms, *([f"{report.on_topic:,} on the topic"] if report.on_topic is not None else [])),
        ("sources", report.sources),
        ("yield (query forms per page)", f"{report.harvest:.4f}"),
    ]
    if report.finder_pages:
        rows.append(("sites discovered", report.sites_found, f"on {report.finder_pages:,} of the pages"))
    known = report.coverage is not None and report.coverage_ci is not None
    span = "{:.3f} to {:.3f}".format(*report.coverage_ci) if report.coverage_ci else ""
    rows.append(("coverage of the searched sites", f"{report.coverage:.4f}" if known else "unknown", span))
    click.echo(table(rows))
    why = f"estimated by {report.coverage_method}" if known else report.coverage_unknown
    click.echo(wrap(f"(coverage: {why})", indent="  "))
    others = {kind: count for kind, count in report.kinds.items() if kind != "database"}
    if others:
        click.echo(wrap(f"other forms: {say_kinds(others)}", indent="  "))
    if report.forbidden_searches:
        count = say_count(report.forbidden_searches, "addresses")
        click.echo(
            wrap(
                f"forbidden by robots.txt: {count} that {'looks' if report.forbidden_searches == 1 else 'look'} like a search;"
                f" `dowse forms --forbidden --db {db}` lists them",
                indent="  ",
            )
        )


def _exit_code(run: FindRun, waiting: int, why_nothing: str, db: str) -> int:
    from dowse.reasons import StopReason

    if run.stopped == StopReason.INTERRUPTED:
        note(f"dowse: interrupted with {say_count(waiting, 'sites')} waiting; run the same command to go on")
        return 130
    if run.stopped and waiting:  # a budget that was spent on the last page stopped nothing
        note(
            f"dowse: stopped by the {run.stopped} with {say_count(waiting, 'sites')} waiting; raise it and run the same command to go on"
        )
        return 3
    if why_nothing:
        note(
            f"dowse: no site could be searched ({printable(why_nothing)}); `dowse sites --db {db}` shows each,"
            " --retry tries again"
        )
        return 1
    return 0
