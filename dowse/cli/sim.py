"""`dowse sim`: serves the simulated web, or tells the truth about it."""

from __future__ import annotations

import asyncio
import signal
import sys
from typing import TYPE_CHECKING

import click

from dowse.cli import options
from dowse.cli.printing import note, print_json

if TYPE_CHECKING:
    from dowse.sim.world import World


@click.command("sim")
@click.option(
    "--sites",
    type=click.IntRange(1, 2_000_000),
    default=300,
    show_default=True,
    metavar="N",
    help="How many sites the web has.",
)
@click.option("--seed", type=int, default=1, show_default=True, metavar="N", help="The same seed gives the same web.")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=8421,
    show_default=True,
    metavar="N",
    help="Port on 127.0.0.1; 0 takes a free one.",
)
@click.option(
    "--truth",
    is_flag=False,
    flag_value="-",
    metavar="[FILE]",
    help="Write the truth about every site as JSON lines and end.",
)
@options.as_json
def command(sites: int, seed: int, port: int, truth: str | None, as_json: bool) -> int:
    """Serve a simulated web on 127.0.0.1, by virtual host and as an HTTP proxy, until Ctrl-C.

    It answers for every host of its web: `curl -x http://127.0.0.1:8421 http://HOST/`, a browser with that proxy, or
    `dowse find SEED --connect-to '*=127.0.0.1:8421' --allow-private --delay 0`.
    """
    from dowse.sim.world import World

    world = World(seed, sites)
    if truth:
        return _write_truth(world, truth)
    asyncio.run(_serve(world, port, as_json))
    return 0


def _write_truth(world: World, place: str) -> int:
    from dowse.errors import BadInput
    from dowse.sim.truth import to_json
    from dowse.store.rows import to_json as to_text

    lines = (to_text(to_json(site)) for site in world.truth())
    if place == "-":
        for line in lines:
            click.echo(line)
        return 0
    try:
        with open(place, "w", encoding="utf-8") as out:
            out.writelines(f"{line}\n" for line in lines)
    except OSError as error:
        raise BadInput(f"{place} cannot be written: {(error.strerror or str(error)).lower()}") from None
    return 0


async def _serve(world: World, port: int, as_json: bool) -> None:
    from dowse.sim.server import serve
    from dowse.sim.world import world_truth_summary

    stop = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    async with serve(world, port=port) as bound:
        if as_json:
            print_json({"port": bound, "seeds": world.seeds(), **world_truth_summary(world)})
        else:
            click.echo(
                f"a simulated web of {world.sites:,} sites (seed {world.seed}) on 127.0.0.1:{bound}; Ctrl-C ends it"
            )
            click.echo(f"  look:   curl -x http://127.0.0.1:{bound} {world.seeds()[0]}")
            click.echo(
                f"  search: dowse find {' '.join(world.seeds())} --connect-to '*=127.0.0.1:{bound}' --allow-private --delay 0"
            )
            sys.stdout.flush()
        await stop.wait()
    note("the simulated web has ended")
