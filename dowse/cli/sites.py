"""`dowse sites`: what is known, and lists to import."""

from __future__ import annotations

import click

from dowse.cli import options
from dowse.cli.printing import note, print_json, table


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
    """Show the known sites, or import a list of them."""
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


@command.command("import")
@click.argument("file", metavar="FILE")
@click.option("--db", default=None, metavar="FILE", help="The database.  [default: dowse.db]")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object on standard output.")
@click.pass_context
def import_command(ctx: click.Context, file: str, db: str | None, as_json: bool) -> int:
    """Import sites from FILE: a plain list or a CSV ranking (rank, host), gzipped or not; - for standard input."""
    from dowse.errors import BadInput
    from dowse.find.seeds import Refused, read_list
    from dowse.store import open_store

    refused = Refused()
    with open_store(db or ctx.obj["db"]) as store:
        before = store.count_sites()
        try:
            imported = store.add_seeds(read_list(file, refused))
        except BadInput as error:
            kept = store.count_sites() - before
            raise BadInput(f"{error}; {kept:,} sites that stood before that were imported") from None
        known = store.count_sites()
    if not refused.accepted:
        raise BadInput(f"{file} has no web address in it" + (f" ({refused.first})" if refused.first else ""))
    if refused.count:
        note(f"dowse: {refused.count:,} line{'s' * (refused.count > 1)} left out; {refused.first}")
    if as_json or ctx.obj["as_json"]:
        print_json({"imported": imported, "known": known, "left_out": refused.count})
    else:
        click.echo(f"{imported:,} sites imported, {known:,} known")
    return 0
