"""`dowse sites import`: lists of sites, from files."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from dowse.cli.printing import note, print_json

if TYPE_CHECKING:
    from dowse.find.seeds import Refused
    from dowse.model import Seed
    from dowse.store import Store

LOOK_EVERY = 1000  # seeds between two looks at the clock


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
def command(ctx: click.Context, files: tuple[str, ...], kind: str | None, db: str | None, as_json: bool) -> int:
    """Import sites from lists: each FILE is read as it comes, however long; - for standard input.

    Plain lists have one address per line. Rankings are CSV: rank and host, or a header that names the columns
    (Tranco, Umbrella, Majestic). Of the DMOZ directory (content.rdf.u8) and of sitemaps, the sites of the listed pages
    are taken; the sitemaps of a sitemap index are read when they lie beside it. Common Crawl's host and domain graphs
    are taken as vertices or as ranks. Files may be packed with gzip, xz, bzip2 or zip; of a zip archive, every list is
    taken. A file that is no list ends with exit code 2 when the others have been imported, one that breaks off with
    exit code 1; what stood before the break is kept.
    """
    from dowse.cli.opening import opened_store

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
        click.echo(f"{imported:,} sites imported, {known:,} known")
    return code


@dataclass(frozen=True, slots=True)
class _Outcome:
    """What became of one file."""

    imported: int
    left_out: int
    unread: int  # sitemaps that it names, but that are not there
    lines: tuple[str, ...]  # what there is to say about it
    code: int  # 2 when it is no list, 1 when it breaks off


def _import_one(store: Store, file: str, kind: str) -> _Outcome:
    from dowse.find.seeds import Refused, read_list

    refused, broken = Refused(), list[str]()
    imported = store.add_seeds(_until_broken(_watched(read_list(file, refused, kind), refused), broken))
    if not refused.accepted:
        said = "standard input" if file == "-" else file
        none = f"{said} has no web address in it" + (f" ({refused.first})" if refused.first else "")
        return _Outcome(imported, refused.count, 0, (broken[0] if broken else none,), 2)
    lines = [f"{why}; {imported:,} new sites that stood before that were imported" for why in broken]
    if refused.count:
        lines.append(f"{refused.count:,} line{'s' * (refused.count > 1)} left out; {refused.first}")
    return _Outcome(imported, refused.count, refused.unread, tuple(lines), int(bool(broken) or refused.broken))


def _until_broken(seeds: Iterator[Seed], broken: list[str]) -> Iterator[Seed]:
    """Yield what stands before a list breaks off, and note why it did."""
    from dowse.errors import BadInput

    try:
        yield from seeds
    except BadInput as error:
        broken.append(str(error))


def _watched(seeds: Iterator[Seed], refused: Refused) -> Iterator[Seed]:
    """Yield the same, and say now and then how far it is."""
    from dowse.cli.progress import PLAIN_SECONDS, clock

    begun = said = time.monotonic()
    for count, seed in enumerate(seeds, 1):
        yield seed
        if count % LOOK_EVERY == 0 and (now := time.monotonic()) - said >= PLAIN_SECONDS:
            said = now
            note(f"addresses {refused.accepted:,}, left out {refused.count:,}, time {clock(now - begun)}")
