"""`dowse probe`: a few polite queries to a search form."""

from __future__ import annotations

import asyncio
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

import click

from dowse.cli import options
from dowse.cli.printing import note, print_json, printable, table

if TYPE_CHECKING:
    from dowse.fetch.build import Fetches
    from dowse.model import Door, Failure, Probe
    from dowse.settings import FetchSettings
    from dowse.step.visit import Inspection


@click.command("probe")
@click.argument("target", metavar="SOURCE_OR_URL")
@click.option(
    "--form",
    "number",
    type=click.IntRange(0),
    metavar="N",
    help="The form with this number on the page, as `dowse inspect` shows it.  [default: the likeliest database]",
)
@options.fetching
@options.rendering("never")
@options.db
@options.as_json
def command(target: str, number: int | None, db: str, as_json: bool, **fetch_options: Any) -> int:  # fmt: skip
    """Send a search form a few polite queries: does a database answer, its page size, total and result cap.

    SOURCE_OR_URL is the address of a page, or the number of a form in the database (`id` in `dowse export forms`).
    At most 4 requests, GET only, as robots.txt allows: a made-up word, an empty query, a word that records have. What a
    form of the database answered is kept there: `dowse sources` and `dowse show` tell it.
    """
    address, signature = find_target(target, db)
    settings = options.fetch_settings([address], **fetch_options)
    code, door = asyncio.run(_probe(address, signature, number, settings, as_json))
    if door and signature and number is None:
        _keep(int(target[:18]), door, db)
    return code


def _keep(number: int, door: Door, db: str) -> None:
    from dowse.errors import DowseError
    from dowse.store import open_existing

    try:
        with open_existing(db) as store:
            store.keep_probe(number, door)
    except DowseError as error:  # the answer was printed
        note(f"dowse: the answer is not kept: {error}")


def find_target(target: str, db: str) -> tuple[str, str]:
    """Return the address of a page, and the signature of the form on it where a number was given."""
    from dowse.errors import BadInput
    from dowse.seeds.lists import read_seed
    from dowse.store import open_existing

    if not (target.isascii() and target.isdigit()):
        return read_seed(target).entrance, ""
    with open_existing(db) as store:
        form = store.form(int(target[:18]))
    if form is None:
        raise BadInput(f"there is no form {target[:18]} in {db}; `dowse export forms` shows their ids")
    return form["page"], form["signature"]


async def _probe(
    address: str, signature: str, number: int | None, settings: FetchSettings, as_json: bool
) -> tuple[int, Door | None]:
    """Return the exit code, and the door with what it answered."""
    from dowse.fetch.build import build_fetch
    from dowse.model import Failure, Verdict
    from dowse.step.probe import choose_door
    from dowse.step.visit import inspect

    async with build_fetch(replace(settings, cookies=True)) as fetches:  # as harvesting does: some answer no stranger
        seen = await inspect(address, fetches.anywhere, fetches.render)
        if isinstance(seen, Failure):
            return _fail(address, str(seen), as_json), None
        door = choose_door(seen, signature, number)
        if isinstance(door, Verdict):
            return _fail(address, door.reason, as_json), None
        return await _ask(door, seen, fetches, as_json)


async def _ask(door: Door, seen: Inspection, fetches: Fetches, as_json: bool) -> tuple[int, Door | None]:
    from dowse.step.probe import judge_again, probe

    found = await probe(door, fetches.anywhere, seen.page)
    if as_json:
        print_json(_as_dict(door, found))
    else:
        _print(door, found)
    if found.failed:
        return _fail(door.form.action, found.reasons[0], as_json=False), None
    return 0, judge_again(replace(door, probe=found))


def _as_dict(door: Door, found: Probe) -> dict[str, Any]:
    form = door.form
    where = {"page": door.page, "form": form.index, "method": form.method, "action": form.template or form.action}
    return {**asdict(found), "door": {**where, "kind": door.judgement.kind}}


def _print(door: Door, found: Probe) -> None:
    click.echo(f"{printable(door.page)}  form {door.form.index}: {door.form.method} {printable(door.form.action)}")
    rows: list[tuple[object, ...]] = [
        ("answers", "yes" if found.answers else "no"),
        ("kind", found.kind or "unknown from the answers"),
        ("records per page", found.page_size or "unknown"),
        ("most records of one query", "not stated" if found.total is None else found.total),
        ("result cap", found.limit or "not stated"),
        ("match", found.match or "unknown"),
        ("requests", found.requests),
    ]
    click.echo(table(rows))
    for reason in found.reasons:
        click.echo(f"  - {printable(reason)}")


def _fail(address: str, reason: Failure | str, as_json: bool) -> int:
    """Print in one line why no query was sent."""
    if as_json:
        print_json({"answers": False, "kind": "", "page_size": 0, "total": None, "limit": 0, "error": str(reason)})
    click.echo(f"dowse: {printable(address)}: {printable(str(reason))}", err=True)
    return 1
