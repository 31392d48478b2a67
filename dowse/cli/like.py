"""`dowse like`: one page in, a crawler out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from dowse.cli import options
from dowse.cli.printing import note, print_json, printable, table, write_file
from dowse.errors import BadInput, Stopped
from dowse.reasons import say_count

if TYPE_CHECKING:
    from dowse.example.learn import LearnedPattern
    from dowse.example.map import MapLimits, SiteMap
    from dowse.fetch.build import Fetches
    from dowse.harvester.presets import Preset
    from dowse.model import Failure, Request, Response
    from dowse.settings import FetchSettings

SHOWN_REASONS = 5  # of each verdict on the pages of a map, the commonest


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
    which they can be reached, such as its list of them. `dowse follow` runs the result.
    """
    import uvloop

    from dowse.example.map import MapLimits

    for file in (output, scrapy):
        check_file(file)
    if output and output == scrapy:
        raise click.UsageError("-o and --scrapy name the same file")
    used = MapUsage(pages)
    try:
        learned = uvloop.run(
            _learn(
                samples,
                entry,
                MapLimits(pages, depth),
                options.fetch_settings([*samples, entry], **fetch_options),
                used,
            )
        )
        _check_reading(learned.site.failures, len(learned.site.pages))
    except Stopped as error:
        why = _explain(error, used)
        if as_json:
            print_json(_describe_nothing(used, str(why)))
        raise why from None
    _write(learned, output, scrapy)
    print_json(describe(learned)) if as_json else _print(learned, output)
    for lost in (*_warn_lost(learned), *_warn_filtered(learned)):
        note(f"dowse: {printable(lost)}")
    return 3 if learned.site.stopped else 0


class Unreadable(Stopped):
    """The server failed as often as it gave a page, or more often."""


class LimitReached(Stopped):
    """Nothing was learned from as many pages as may be mapped."""

    exit_code = 3


def _check_reading(failures: Mapping[str, int], came: int) -> None:
    """Refuse to learn from a site whose server failed: what it did not give is not known."""
    from dowse.example.pattern import judge_map

    reading = judge_map(failures, came)
    if not reading.yes:
        raise Unreadable(reading.reason)


def _explain(error: Stopped, used: MapUsage) -> Stopped:
    """Return why nothing was learned: a server that failed comes before a limit, and before what the few pages lack."""
    if isinstance(error, Unreadable) or not used.pages:
        return error
    try:
        _check_reading(used.failures, used.pages)
    except Unreadable as trouble:
        return trouble
    return LimitReached(str(error)) if used.is_all else error


def _warn_lost(learned: LearnedPattern) -> list[str]:
    """Return a warning where pages are missing because the server failed."""
    from dowse.example.pattern import describe_transient

    failures = describe_transient(learned.site.failures)
    return [f"some pages could not be opened: {failures}; the pattern may be incomplete"] if failures else []


def _warn_filtered(learned: LearnedPattern) -> list[str]:
    """Return a warning where the entry lists the samples and its form comes filled in: what the filter keeps back is not reached."""
    from dowse.form.doors import open_door
    from dowse.harvester.presets import find_presets

    page, site = learned.entry_page, learned.site
    if page is None or not site.judge.site_lists.lists_samples(site.entry):
        return []
    here = site.entry.partition("?")[0]
    doors = [open_door(form, page) for form in page.forms if form.action.partition("?")[0] == here]
    filters = {preset.words: None for door in doors for preset in find_presets(door) if _keeps_back(preset)}
    if not filters:
        return []
    return [
        f"the list of the entry comes filtered ({', '.join(filters)}): pages that the filter keeps back are not in the pattern"
    ]


def _keeps_back(preset: Preset) -> bool:
    """Return True if a control is set so that a list is a part of what there is, as far as its form says."""
    return not (preset.hidden or preset.typed or preset.is_display) and bool(preset.value and preset.others)


@dataclass(slots=True)
class MapUsage:
    """How many of the pages that may be mapped were mapped, in the largest map."""

    limit: int
    pages: int = 0  # that were fetched, with the entry
    failures: Counter[str] = field(default_factory=Counter)

    @property
    def is_all(self) -> bool:
        """Return True if no more pages may be requested; the entry is not counted."""
        return self.pages > 0 and self.pages - 1 + self.failures.total() >= self.limit

    def update(self, pages: int) -> None:
        """Take the number of pages of a growing map."""
        self.pages = max(self.pages, pages)

    def watch(self, fetches: Fetches) -> Fetches:
        """Return the same fetches, with their failures counted."""
        from dowse.example.follow import failure_reason
        from dowse.model import Failure

        async def fetch(request: Request) -> Response | Failure:
            answer = await fetches.within_site(request)
            if isinstance(answer, Failure):
                self.failures[failure_reason(answer)] += 1
            elif answer.status >= 300:
                self.failures[f"HTTP {answer.status}"] += 1
            return answer

        return replace(fetches, within_site=fetch)


async def _learn(
    samples: tuple[str, ...], entry: str, limits: MapLimits, fetching: FetchSettings, used: MapUsage
) -> LearnedPattern:  # fmt: skip
    from dowse.cli.progress import counted
    from dowse.example.learn import learn_like
    from dowse.fetch.build import build_fetch

    async with build_fetch(fetching) as fetches:
        with counted("pages mapped", "like the sample") as show:

            def tell(pages: int, targets: int) -> None:
                used.update(pages)
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


def _describe_nothing(used: MapUsage, reason: str) -> dict[str, Any]:
    """Return the JSON keys of `describe` where nothing was learned, and why."""
    return {
        "targets": 0,
        "mapped_pages": used.pages,
        "pattern": None,
        "opened_targets": 0,
        "missed": 0,
        "threshold": None,
        "stopped": reason if used.is_all else "",
        "failures": dict(used.failures),
        "notes": [],
        "reasons": {},
        "error": reason,
    }


def describe(learned: LearnedPattern) -> dict[str, Any]:
    """Return what was learned as JSON keys."""
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
        "notes": [*covering.reasons, *_warn_lost(learned), *_warn_filtered(learned)],
        "reasons": _count_reasons(site),
    }


def _count_reasons(site: SiteMap) -> dict[str, dict[str, int]]:
    """Count why pages of a map are like the samples, and why others are not: the commonest reasons."""
    verdicts = [site.judge.judge(url) for url in site.judge.pages]
    counts = {
        name: Counter(each.reason for each in verdicts if each.yes == like)
        for name, like in (("like", True), ("unlike", False))
    }
    return {name: dict(each.most_common(SHOWN_REASONS)) for name, each in counts.items()}


def _print(learned: LearnedPattern, output: str | None) -> None:
    site, pattern = learned.site, learned.pattern
    seen = f"{len(site.targets):,} opened, {len(site.presumed):,} seen as links" if site.presumed else ""
    rows: list[tuple[object, ...]] = [
        ("pages mapped", len(site.pages), site.stopped),
        ("like the sample", learned.targets, seen),
        ("threshold", f"{site.judge.threshold.value:.2f}", site.judge.threshold.why),
        ("in the pattern", f"{pattern.threshold:.2f}", "the threshold for pages that its paths lead to"),
    ]
    rows += [("could not be opened", count, printable(why)) for why, count in site.failures.items()]
    click.echo(table(rows))
    if pattern.first:
        values = say_count(len(pattern.first.values), "values")
        click.echo(f"\nfirst {printable(pattern.first.address)} is asked with {pattern.first.field} = {values}")
    for number, path in enumerate(pattern.paths, 1):
        click.echo(f"\npath {number}" if len(pattern.paths) > 1 else "\npath")
        for step in path.steps:
            click.echo(f"  {printable(step.pattern)}{'  (repeated)' if step.repeats else ''}")
    for reason in learned.cover.reasons:
        click.echo(f"\nwarning: {printable(reason)}")
    missed = learned.missed
    for url in pattern.samples[:1]:
        if url in missed:
            click.echo(f"\nwarning: the sample {printable(url)} itself is on no such path")
    if missed:
        click.echo(
            f"\nPages like the sample that are on no such path: {len(missed):,}, such as {printable(min(missed))}"
        )
    opens = "opens the others" if missed else "opens them all"
    click.echo(
        f"\n`dowse follow {output}` {opens}." if output else "\nAdd -o pattern.json to keep it for `dowse follow`."
    )
