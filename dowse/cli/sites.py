"""`dowse sites`: what is known, and lists to import."""

from __future__ import annotations

import click

from dowse.cli import discover, imports, options
from dowse.cli.printing import print_json, table


@click.group("sites", invoke_without_command=True)
@click.option(
    "--state",
    type=click.Choice(["seen", "waiting", "leased", "searched", "failed", "moved"]),
    help="Only sites in this state.",
)
@click.option(
    "--limit",
    type=click.IntRange(0),
    default=20,
    show_default=True,
    metavar="N",
    help="Show at most N sites; 0 for all.",
)
@options.db
@options.as_json
@click.pass_context
def command(ctx: click.Context, state: str | None, limit: int, db: str, as_json: bool) -> int:
    """Show the known sites, import a list of them, or look for more."""
    ctx.obj = {"db": db, "as_json": as_json}
    if ctx.invoked_subcommand:
        return 0
    from itertools import islice

    from dowse.store import open_existing

    with open_existing(db) as store:
        counts = store.count_states()
        found = (row for row in store.sites() if state in (None, row["state"]))
        shown = list(islice(found, limit or None))
    if as_json:
        print_json({"known": sum(counts.values()), "states": counts, "sites": shown})
        return 0
    click.echo(
        f"{sum(counts.values()):,} sites known"
        + ": " * bool(counts)
        + ", ".join(f"{count:,} {name}" for name, count in counts.items())
    )
    rows = [(row["site"], row["state"], row["pages"], row["forms"], row["error"] or row["stopped"]) for row in shown]
    click.echo(table([("site", "state", "pages", "forms", ""), *rows]))
    total = counts.get(state, 0) if state else sum(counts.values())
    if len(shown) < total:
        click.echo(f"  ... {total - len(shown):,} more; --limit 0 shows all, `dowse export sites` writes them")
    return 0


command.add_command(imports.command)
command.add_command(discover.command)
