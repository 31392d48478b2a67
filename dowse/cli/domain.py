"""`dowse domain`: what one source says of others of its domain."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from dowse.cli import options
from dowse.cli.printing import print_json

if TYPE_CHECKING:
    from dowse.model import Record


@click.group("domain")
def command() -> None:
    """Domain statistics tables: what one source says of others of its kind."""


@command.command("build")
@click.argument("source", metavar="SOURCE_OR_FILE")
@click.option(
    "-o", "--output", default="domain.table", show_default=True, metavar="TABLE", help="Write the table to this file."
)
@options.db
@options.as_json
def build_command(source: str, output: str, db: str, as_json: bool) -> int:
    """Make a domain statistics table for harvesting the kin of a source.

    The records come from a harvested source of the database, or from a file: JSON Lines (one object a line; a list
    holds several values) or CSV with a head, gzipped or not. `dowse harvest --selector domain --domain TABLE` uses it.
    """
    from dowse.errors import BadInput
    from dowse.select.table import build_table, save_table

    if not output or Path(output).is_dir():
        raise BadInput(f"-o needs the name of a file, not {output or 'nothing'}")
    made = build_table(read_source(db, source))
    if not made.record_count:
        raise BadInput(f"{source} has no records")
    save_table(made, output)
    if as_json:
        print_json({"values": made.value_count, "records": made.record_count})
    else:
        click.echo(f"{made.value_count:,} values of {made.record_count:,} records are in {output}.")
    return 0


def read_source(db: str, source: str) -> Iterable[Record]:
    """Return the records of a file, where there is one of that name, else of a source in the database."""
    from dowse.harvest.files import read_records_file

    if Path(source).is_file():
        return read_records_file(source)
    return records_of_source(db, source)


def records_of_source(db: str, source: str) -> Iterable[Record]:
    """Return the records of every harvest of a source: a form by its number, or an address that was harvested."""
    from dowse.errors import BadInput
    from dowse.store import open_existing
    from dowse.store.database import database_path
    from dowse.store.harvests import list_harvests, read_records

    unknown = BadInput(
        f"{source} is no file, and as a source of {db} it is not harvested yet; `dowse harvest {source}` does"
    )
    if not database_path(db).exists():
        raise unknown
    with open_existing(db) as store:
        form = store.form(int(source[:18])) if source.isascii() and source.isdigit() else None
        wanted = form["signature"] if form else ""
        mine = [
            each
            for each in list_harvests(store)
            if source.rstrip("/") == each.url.rstrip("/") or (wanted and wanted == each.door)
        ]
        if not mine:
            raise unknown
        yield from (record for each in mine for record in read_records(store, each.id))
