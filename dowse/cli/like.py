"""`dowse like`: one page in, a crawler out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from dowse.cli import options
from dowse.cli.printing import note, print_json, printable, table
from dowse.cli.progress import say_count
from dowse.errors import BadInput, Stopped

if TYPE_CHECKING:
    from dowse.example.learn import LearnedPattern
    from dowse.example.map import MapLimits
    from dowse.fetch.build import Fetches
    from dowse.model import Failure, Request, Response
    from dowse.settings import FetchSettings


@click.command("like")
@click.argument("samples", metavar="SAMPLE...", nargs=-1, required=True)
@click.option("--entry", required=True, metavar="URL", help="The page to start from: from here all others are reached.")
@click.option("-o", "--output", metavar="FILE", help="Write the pattern to FILE, to be followed and edited.")
@click.option("--scrapy", metavar="FILE", help="Write the pattern to FILE as a spider for Scrapy.")
@click.option(
    "--pages",
    type=click.IntRange(1, 100_000),
    default=1_000,
    show_default=True,
    metavar="N",
    help="Map at most N pages.",
)
@click.option(
    "--depth",
    type=click.IntRange(1, 16),
    default=8,
    show_default=True,
    metavar="N",
    help="Follow at most N links in a row.",
)
@options.fetching
@options.rendering("never")
@options.as_json
def command(
    samples: tuple[str, ...], entry: str, output: str | None, scrapy: str | None, pages: int, depth: int, as_json: bool,
    **fetch_options: Any,
) -> int:  # fmt: skip
    """Make a crawler for all pages like SAMPLE, also those that are added later.

    SAMPLE is the address of one page of the kind you want (several are allowed), --entry a page of the same site from
    which they can be reached, such as its list of them. `dowse follow` runs what comes out.
    """
    import uvloop

    from dowse.example.map import MapLimits as Limits

    for file in (output, scrapy):
        check_file(file)
    if output and output == scrapy:
        raise click.UsageError("-o and --scrapy name the same file")
    used = _Used(pages)
    try:
        learned = uvloop.run(
            _learn(
                samples, entry, Limits(pages, depth), options.fetch_settings([*samples, entry], **fetch_options), used
            )
        )
        _check_reading(learned.site.failures, len(learned.site.pages))
    except Stopped as error:
        why = _explain(error, used)
        if as_json:
            print_json(_nothing(used, str(why)))
        raise why from None
    _write(learned, output, scrapy)
    print_json(describe(learned)) if as_json else _print(learned, output)
    for lost in _say_lost(learned):
        note(f"dowse: {printable(lost)}")
    return 3 if learned.site.stopped else 0


class Unreadable(Stopped):
    """The server failed as often as it gave a page, or more often."""


class LimitReached(Stopped):
    """Nothing was learned from as many pages as may be mapped."""

    exit_code = 3


def _check_reading(failures: Mapping[str, int], came: int) -> None:
    """Refuse to learn from a site whose server failed: what it did not give is not known."""
    from dowse.example.crawler import judge_map

    reading = judge_map(failures, came)
    if not reading.yes:
        raise Unreadable(reading.reason)


def _explain(error: Stopped, used: _Used) -> Stopped:
    """Return why nothing was learned: a server that failed comes before a limit, and before what the few pages lack."""
    if isinstance(error, Unreadable) or not used.pages:
        return error
    try:
        _check_reading(used.failures, used.pages)
    except Unreadable as trouble:
        return trouble
    return LimitReached(str(error)) if used.all else error


def _say_lost(learned: LearnedPattern) -> list[str]:
    """Return that pages are missing which the server could not give, where there are any."""
    from dowse.example.crawler import describe_transient

    lost = describe_transient(learned.site.failures)
    return [f"some pages could not be opened: {lost}; the pattern may not know all"] if lost else []


@dataclass(slots=True)
class _Used:
    """How much of what may be mapped was mapped, as far as the map that went furthest."""

    limit: int
    pages: int = 0  # that came, the entry among them
    failures: Counter[str] = field(default_factory=Counter)

    @property
    def all(self) -> bool:
        """Whether no page more could be asked for; the entry is not counted."""
        return self.pages > 0 and self.pages - 1 + self.failures.total() >= self.limit

    def tell(self, pages: int) -> None:
        """Take the pages of a map that grows."""
        self.pages = max(self.pages, pages)

    def watch(self, fetches: Fetches) -> Fetches:
        """Return the same ways to fetch, with what does not come counted."""
        from dowse.model import Failure

        async def fetch(request: Request) -> Response | Failure:
            answer = await fetches.within_site(request)
            if isinstance(answer, Failure):
                self.failures[str(answer.why)] += 1
            elif answer.status >= 300:
                self.failures[f"HTTP {answer.status}"] += 1
            return answer

        return replace(fetches, within_site=fetch)


async def _learn(
    samples: tuple[str, ...], entry: str, limits: MapLimits, fetching: FetchSettings, used: _Used
) -> LearnedPattern:  # fmt: skip
    from dowse.cli.progress import counted
    from dowse.example.learn import learn_like
    from dowse.fetch.build import build_fetch

    async with build_fetch(fetching) as fetches:
        with counted("pages mapped", "like the sample") as show:

            def tell(pages: int, targets: int) -> None:
                used.tell(pages)
                show(pages, targets)

            return await learn_like(samples, entry, used.watch(fetches), limits, tell)


def _write(learned: LearnedPattern, output: str | None, scrapy: str | None) -> None:
    from dowse.export.scrapy import write_spider

    if output:
        write_file(output, learned.pattern.to_json())
    if scrapy:
        write_file(scrapy, write_spider(learned.pattern))


def check_file(file: str | None) -> None:
    """Refuse what cannot be a file, before anything is done."""
    options.check_folder(file)
    if file is not None and Path(file).is_dir():
        raise BadInput(f"{file}: that is a folder; give the name of a file")


def write_file(file: str, text: str) -> None:
    """Write a file; what cannot be written says why."""
    try:
        Path(file).write_text(text, encoding="utf-8")
    except OSError as error:
        raise BadInput(f"{file} cannot be written: {(error.strerror or str(error)).lower()}") from None


def _nothing(used: _Used, reason: str) -> dict[str, Any]:
    """Return what scripts read where nothing was learned: the keys of `describe`, and why."""
    return {
        "targets": 0,
        "mapped_pages": used.pages,
        "pattern": None,
        "opened_targets": 0,
        "missed": 0,
        "threshold": None,
        "stopped": reason if used.all else "",
        "failures": dict(used.failures),
        "notes": [],
        "error": reason,
    }


def describe(learned: LearnedPattern) -> dict[str, Any]:
    """Return what was learned as scripts read it."""
    import json

    site, covering = learned.site, learned.cover
    return {
        "targets": learned.targets,
        "mapped_pages": len(site.pages),
        "pattern": json.loads(learned.pattern.to_json()),
        "opened_targets": len(site.targets),
        "missed": len(learned.missed),
        "threshold": learned.pattern.threshold,
        "stopped": site.stopped,
        "failures": dict(site.failures),
        "notes": [*covering.reasons, *_say_lost(learned)],
    }


def _print(learned: LearnedPattern, output: str | None) -> None:
    site, pattern = learned.site, learned.pattern
    seen = f"{len(site.targets):,} opened, {len(site.presumed):,} seen as links" if site.presumed else ""
    rows: list[tuple[object, ...]] = [
        ("pages mapped", len(site.pages), site.stopped),
        ("like the sample", learned.targets, seen),
        ("threshold", f"{learned.pattern.threshold:.2f}", site.judge.threshold.why),
    ]
    rows += [("could not be opened", count, printable(why)) for why, count in site.failures.items()]
    click.echo(table(rows))
    if pattern.first:
        values = say_count(len(pattern.first.values), "values")
        click.echo(f"\nfirst {printable(pattern.first.address)} is asked with {pattern.first.field} = {values}")
    for number, path in enumerate(pattern.paths, 1):
        click.echo(f"\npath {number}" if len(pattern.paths) > 1 else "\npath")
        for step in path.steps:
            click.echo(f"  {printable(step.pattern)}{'  (again and again)' if step.repeats else ''}")
    for reason in learned.cover.reasons:
        click.echo(f"\nnoticed: {printable(reason)}")
    missed = learned.missed
    for url in pattern.samples[:1]:
        if url in missed:
            click.echo(f"\nnoticed: the sample {printable(url)} itself is on no such path")
    if missed:
        click.echo(
            f"\nPages like the sample that are on no such path: {len(missed):,}, such as {printable(min(missed))}"
        )
    opens = "opens the others" if missed else "opens them all"
    click.echo(
        f"\n`dowse follow {output}` {opens}." if output else "\nAdd -o pattern.json to keep it for `dowse follow`."
    )
