"""`dowse overlap`: the size of a database by what several harvests of it have in common (paper 4, Section 5)."""

from __future__ import annotations

import click

from dowse.cli import options
from dowse.cli.domain import read_source
from dowse.cli.printing import print_json
from dowse.errors import BadInput
from dowse.reasons import say_count

# times the smallest harvest that all have together, under which nothing was left to find by chance: of two that have 94 % of each
MAX_ALIKE = 1.06


@click.command("overlap")
@click.argument("crawls", metavar="SOURCE_OR_FILE...", nargs=-1, required=True)
@options.db
@options.as_json
def command(crawls: tuple[str, ...], db: str, as_json: bool) -> int:
    """Estimate how many records a database has by what several harvests of it have in common.

    Give two or more harvests of one database that began with different values (`dowse harvest --value`, `--seed`): each a file of
    records (JSON Lines or CSV), or a source in the database. Each two of them give a size (paper 4, Section 5). Harvests are not
    independent where they follow the same popular values: then the size comes out too small.
    """
    from dowse.harvester.loop import key_of
    from dowse.yields.overlap import bound_above, estimate_overlap

    held = [{key_of(record).hex() for record in read_source(db, crawl)} for crawl in crawls]
    empty = next((name for name, keys in zip(crawls, held, strict=True) if not keys), "")
    if empty:
        raise BadInput(f"{empty} has no records")
    found = estimate_overlap(held)
    at_most = bound_above(held) if len(held) > 2 else None
    together = len(set().union(*held))
    if as_json:
        print_json(
            {
                "crawls": [len(keys) for keys in held], "together": together, "size": round(found.value),
                "size_ci": [round(found.low), round(found.high)], "at_most": round(at_most) if at_most else None,
                "method": found.method,
            }
        )  # fmt: skip
        return 0
    click.echo(
        f"{say_count(together, 'records')} together, in harvests of {', '.join(f'{len(keys):,}' for keys in held)}."
    )
    click.echo(f"About {found.value:,.0f} records ({found.low:,.0f} to {found.high:,.0f}, 90 %; {found.method}).")
    if together < MAX_ALIKE * min(map(len, held)):
        click.echo(
            "They have nearly all records in common: these are all that there are, or both began alike or were cut at one limit."
        )
    if at_most:
        click.echo(
            f"At most {at_most:,.0f} with 90 % confidence, by the one-sided t-test of paper 4, which takes pairs for independent."
        )
    return 0
