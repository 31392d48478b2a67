"""`dowse follow`: runs a crawler that `dowse like` made."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from dowse.cli import options
from dowse.cli.printing import note, print_json, printable, table, write_file

if TYPE_CHECKING:
    from dowse.example.follow import FollowRun
    from dowse.example.pattern import Pattern
    from dowse.fetch.build import Fetches
    from dowse.model import Verdict
    from dowse.settings import FetchSettings
    from dowse.store import Store

MAX_SHAPES_SHOWN = 3  # kinds of links that were left alone, those with most links


@click.command("follow")
@click.argument("file", metavar="PATTERN")
@click.option("--new", "only_new", is_flag=True, help="Only pages that no run before has found.")
@click.option(
    "-o", "--output", metavar="FILE", help="Write the pages with their data to FILE: .jsonl, .csv or .parquet."
)
@click.option(
    "--links", type=click.IntRange(0), default=0, metavar="N", help="Traverse at most N links.  [default: no limit]"
)
@click.option(
    "--relearn",
    is_flag=True,
    help="Where the site has changed, learn the pattern again from pages that were found before, and follow that.",
)
@click.option("--scrapy", metavar="FILE", help="Write the pattern to FILE as a spider for Scrapy, and follow nothing.")
@options.fetching
@options.rendering("never")
@options.db
@options.as_json
def command(
    file: str, only_new: bool, output: str | None, links: int, relearn: bool, scrapy: str | None, db: str, as_json: bool,
    **fetch_options: Any,
) -> int:  # fmt: skip
    """Open all pages that a pattern leads to, extract their data, and store it.

    PATTERN is a file that `dowse like -o` wrote. Running the same command again resumes
    a run that was interrupted.
    """
    import uvloop

    pattern = read_file(file)
    if scrapy:
        from dowse.errors import BadInput
        from dowse.export.scrapy import write_spider

        if output or only_new or relearn:
            raise BadInput("--scrapy writes the pattern and follows nothing; leave out -o, --new and --relearn")
        write_file(scrapy, write_spider(pattern))
        if not as_json:
            note(f"`scrapy runspider {scrapy} -O pages.jsonl` runs the spider.")
        return 0
    options.check_output(output)
    chosen = FollowOptions(file, only_new, output, links, relearn, as_json)
    return uvloop.run(_follow(pattern, chosen, db, options.fetch_settings([pattern.entry], **fetch_options)))


@dataclass(frozen=True, slots=True)
class FollowOptions:
    """The options of one run of the command."""

    file: str
    only_new: bool
    output: str | None
    links: int
    relearn: bool
    as_json: bool


def read_file(file: str) -> Pattern:
    """Read a pattern; BadInput says in one line why a file is none."""
    from dowse.errors import BadInput
    from dowse.example.pattern import MAX_PATTERN_BYTES, Pattern

    try:
        with open(file, encoding="utf-8-sig") as opened:
            text = opened.read(MAX_PATTERN_BYTES + 1)
    except (OSError, UnicodeDecodeError) as error:
        why = (error.strerror or str(error)).lower() if isinstance(error, OSError) else "it is not text"
        raise BadInput(f"{file} cannot be read: {why}; `dowse like` writes patterns") from None
    return Pattern.from_json(text, file)


async def _follow(pattern: Pattern, chosen: FollowOptions, db: str, fetching: FetchSettings) -> int:
    from dowse.example.pattern import judge_reader, judge_reading, judge_walk
    from dowse.fetch.build import build_fetch
    from dowse.store import open_store

    async with build_fetch(fetching) as fetches:
        with open_store(db) as store:
            reader = judge_reader(pattern)
            if chosen.relearn and not reader.yes:
                pattern = await _learn_again(store, pattern, chosen, reader.reason, fetches)
            run = await _walk(store, pattern, chosen, fetches)
            verdict = judge_walk(run.walk)
            if chosen.relearn and not verdict.yes and judge_reading(run.walk).yes and not run.stopped:
                why = f"the site has changed: {verdict.reason}"
                pattern = await _learn_again(store, pattern, chosen, why, fetches, describe(run, verdict))
                run = await _walk(store, pattern, chosen, fetches)
                verdict = judge_walk(run.walk)
            return _report(store, run, verdict, chosen)


async def _walk(store: Store, pattern: Pattern, chosen: FollowOptions, fetches: Fetches) -> FollowRun:
    from dowse.cli.interrupt import stopping_on_signals
    from dowse.cli.progress import counted
    from dowse.example.follow import begin_follow, run_pattern

    run = begin_follow(store, pattern, only_new=chosen.only_new)
    with stopping_on_signals(run), counted("links", "pages") as tell:
        async for _ in run_pattern(store, run, fetches, limit=chosen.links):
            tell(run.links, run.walk.pages)
    return run


async def _learn_again(
    store: Store, pattern: Pattern, chosen: FollowOptions, why: str, fetches: Fetches, outcome: dict[str, Any] | None = None,
) -> Pattern:  # fmt: skip
    """Learn a pattern again from what it found before, and write it in place of the old one, which is kept beside it."""
    from dowse.errors import Stopped
    from dowse.example.learn import relearn_pattern

    note(f"dowse: {printable(why)}; learning the pattern again")
    try:
        learned = await relearn_pattern(store, pattern, fetches)
    except Stopped as error:
        if chosen.as_json:
            print_json((outcome or {"pages": 0, "new": 0, "links_traversed": 0, "fits": False}) | {"error": str(error)})
        raise
    write_file(f"{chosen.file}.before", pattern.to_json())
    write_file(chosen.file, learned.to_json())
    return learned


def describe(run: FollowRun, verdict: Verdict) -> dict[str, Any]:
    """Return the outcome of a run as JSON keys."""
    return {
        "pages": run.pages,
        "new": run.new,
        "links_traversed": run.links,
        "unlike": run.walk.unlike,
        "not_opened_again": run.walk.unread,
        "links_dropped": run.walk.dropped,
        "left_alone": dict(run.walk.closed),
        "fits": verdict.yes,
        "why": verdict.reason,
        "failures": dict(run.walk.failures),
        "stopped": run.stopped,
    }


def _report(store: Store, run: FollowRun, verdict: Verdict, chosen: FollowOptions) -> int:
    from dowse.export.rows import write_targets
    from dowse.reasons import StopReason

    has_failed = bool(run.stopped) or not verdict.yes
    # What an earlier run wrote is worth more than an empty file.
    output = None if has_failed and not run.rows else chosen.output
    written = write_targets(store, run.begun, output, run.attributes) if output else 0
    if chosen.as_json:
        print_json(describe(run, verdict))
    else:
        _print(run, written, output)
    if chosen.output and not output:
        note(f"dowse: nothing was found, and {chosen.output} was not written")
    if run.stopped == StopReason.INTERRUPTED:
        note("dowse: interrupted; run the same command to go on")
        return 130
    if run.stopped:
        note(f"dowse: stopped: {run.stopped}; run the same command to go on")
        return 3
    if not verdict.yes:
        note(_describe_change(run, verdict))
    return 0 if verdict.yes else 1


def _describe_change(run: FollowRun, verdict: Verdict) -> str:
    from dowse.example.pattern import judge_reading

    if not judge_reading(run.walk).yes:
        return f"dowse: {printable(verdict.reason)}{'; try again later' if run.walk.transient_failures else ''}"
    remedy = "--relearn learns the pattern again, or use `dowse like` with a new sample"
    return f"dowse: the site has changed: {printable(verdict.reason)}; {remedy}"


def _print(run: FollowRun, written: int, output: str | None) -> None:
    rows: list[tuple[object, ...]] = [
        ("pages like the sample", run.pages, f"{run.new:,} new"),
        ("links traversed", run.links, ""),
    ]
    if run.walk.unread:
        rows.append(("known, not opened again", run.walk.unread, ""))
    if run.walk.unlike:
        rows.append(("reached and not like it", run.walk.unlike, "skipped"))
    if run.walk.dropped:
        rows.append(("links not read", run.walk.dropped, "their pages have too many"))
    for shape, count in run.walk.closed.most_common(MAX_SHAPES_SHOWN):
        rows.append(("left alone", count, f"{printable(shape)}: the last of these led to nothing new"))
    if len(run.walk.closed) > MAX_SHAPES_SHOWN:
        rest = run.walk.closed.total() - sum(count for _, count in run.walk.closed.most_common(MAX_SHAPES_SHOWN))
        rows.append(
            ("left alone", rest, f"of {len(run.walk.closed) - MAX_SHAPES_SHOWN:,} further kinds, for the same reason")
        )
    rows += [("could not be opened", count, printable(why)) for why, count in run.walk.failures.items()]
    click.echo(table(rows))
    if output:
        click.echo(f"\n{written:,} page{'s are' if written != 1 else ' is'} in {output}.")
