"""`dowse export`: rows for other programs."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from dowse.cli import options

FORMATS = ("jsonl", "csv", "parquet")


@click.command("export")
@click.argument("what", type=click.Choice(["sites", "forms", "records"]))
@click.option(
    "-o", "--output", metavar="FILE", help="Write to FILE; its ending chooses the format.  [default: standard output]"
)
@click.option("--format", "form", type=click.Choice(FORMATS), help="How to write.  [default: jsonl]")
@options.db
def command(what: str, output: str | None, form: str | None, db: str) -> int:
    """Write sites or forms, one row each, as JSONL, CSV or Parquet."""
    from dowse.errors import BadInput
    from dowse.export.rows import COLUMNS, WRITERS
    from dowse.store import open_existing

    if what == "records":
        raise BadInput("no records have been drawn: harvesting is not part of this version")
    ending = Path(output).suffix.lstrip(".").lower() if output else ""
    write = WRITERS[form or (ending if ending in FORMATS else "jsonl")]
    with open_existing(db) as store:
        rows = store.sites() if what == "sites" else store.forms()
        if output is None:
            write(rows, COLUMNS[what], sys.stdout.buffer)
            sys.stdout.buffer.flush()
            return 0
        try:
            with open(output, "wb") as out:
                write(rows, COLUMNS[what], out)
        except OSError as error:
            raise BadInput(f"{output} cannot be written: {(error.strerror or str(error)).lower()}") from None
    return 0
