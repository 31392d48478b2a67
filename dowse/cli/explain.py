"""`dowse explain`: why an address was or was not fetched, its forms kept or not."""

from __future__ import annotations

import click

from dowse.cli import options
from dowse.cli.printing import print_json, printable


@click.command("explain")
@click.argument("url", metavar="URL")
@options.db
@options.as_json
def command(url: str, db: str, as_json: bool) -> int:
    """Explain why URL was or was not fetched, and why its forms were kept or not."""
    from dowse.export.explanations import explain
    from dowse.seeds.lists import read_seed
    from dowse.store import open_existing

    address = read_seed(url).entrance
    with open_existing(db) as store:
        reasons = explain(address, store.about(address))
    if as_json:
        print_json({"url": address, "reasons": reasons})
    else:
        click.echo(address)
        for reason in reasons:
            click.echo(f"  {printable(reason)}")
    return 0
