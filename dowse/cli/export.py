"""`dowse export`: rows for other programs."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import IO, TYPE_CHECKING

import click

from dowse.cli import options
from dowse.cli.printing import print_json

if TYPE_CHECKING:
    from dowse.store import Store

FORMATS = ("jsonl", "csv", "parquet")


@click.command("export")
@click.argument("what", type=click.Choice(["sites", "forms", "records"]))
@click.option(
    "-o", "--output", metavar="FILE", help="Write to FILE; its ending chooses the format.  [default: standard output]"
)
@click.option("--format", "form", type=click.Choice(FORMATS), help="How to write.  [default: jsonl]")
@click.option(
    "--raw",
    is_flag=True,
    help="Do not escape CSV cells that begin with = + - @; by default a ' before them keeps spreadsheets from running them.",
)
@options.kinds
@options.of_site
@options.db
@click.option("--json", "as_json", is_flag=True, help="Print how many rows were written to FILE, as one JSON object.")
def command(
    what: str,
    output: str | None,
    form: str | None,
    raw: bool,
    kinds: tuple[str, ...],
    site: str,
    db: str,
    as_json: bool,
) -> int:
    """Write sites, forms or harvested records, one row each, as JSONL, CSV or Parquet."""
    from dowse.errors import BadInput
    from dowse.store import open_existing

    if as_json and output is None:
        raise BadInput(
            "--json counts the rows written to a file: name one with -o; rows on standard output are JSON lines already"
        )
    if (kinds or site) and what != "forms":
        raise BadInput(f"--{'kind' if kinds else 'site'} chooses among forms, not {what}")
    output = None if output == "-" else output
    if output == "":
        raise BadInput("-o needs a file name")
    ending = Path(output).suffix.lstrip(".").lower() if output else ""
    form_used = form or (ending if ending in FORMATS else "jsonl")
    if ending and ending not in FORMATS and form is None:
        raise BadInput(f"{output}: name the format with --format, or end the name in .jsonl, .csv or .parquet")
    with open_existing(db) as store:
        write = partial(_write_rows, store, what, form_used, kinds, site, raw)
        if output is None:
            return _write_to_pipe(write)
        try:
            with open(output, "wb") as out:
                count = write(out)
        except OSError as error:
            raise BadInput(f"{output} cannot be written: {(error.strerror or str(error)).lower()}") from None
    if as_json:
        print_json({"rows": count, "output": output})
    return 0


def _write_rows(
    store: Store, what: str, form: str, kinds: tuple[str, ...], site: str, raw: bool, out: IO[bytes]
) -> int:
    from dowse.export.rows import COLUMNS, choose_writer, write_all_records
    from dowse.store.directory import find_sites

    if what == "records":
        return write_all_records(store, form, out, raw=raw)
    rows = store.sites() if what == "sites" else store.forms(kinds, find_sites(store, site) if site else ())
    return choose_writer(form, raw=raw)(rows, COLUMNS[what], out)


def _write_to_pipe(write: Callable[[IO[bytes]], int]) -> int:
    """Write to standard output; a reader that has seen enough (`| head`) is no failure."""
    try:
        write(sys.stdout.buffer)
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0
