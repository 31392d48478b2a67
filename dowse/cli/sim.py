"""`dowse sim`: serves the simulated web, or writes the truth about it."""

from __future__ import annotations

import asyncio
import signal
import sys
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import TYPE_CHECKING

import click

from dowse.cli import options
from dowse.cli.printing import note, print_json

if TYPE_CHECKING:
    from dowse.sim.server import Web
    from dowse.sim.shapes import ShapeSite
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
    "--family",
    type=click.Choice(["A", "B"], case_sensitive=False),
    default="A",
    show_default=True,
    help="Templates: A to develop on, B to report on.",
)
@click.option(
    "--day",
    type=click.IntRange(0, 36500),
    default=0,
    show_default=True,
    metavar="N",
    help="The web as it is on this day: sites die, grow and are redesigned.",
)
@click.option(
    "--topics",
    type=click.Choice(["even", "power-law"]),
    default="even",
    show_default=True,
    help="Eight topics with as many sites each, or twelve rare ones among sites on none, with words of real text and a search engine.",
)
@click.option(
    "--shape",
    metavar="NAME",
    help="Serve one site that people browse instead, of this shape; docs/world.md lists them.",
)
@click.option(
    "--edition",
    type=click.IntRange(0, 1000),
    default=0,
    show_default=True,
    metavar="N",
    help="How often the site of a --shape was redesigned.",
)
@click.option(
    "--db-file",
    "files",
    multiple=True,
    metavar="FILE",
    help="Put a table (CSV or JSON lines, gzip or not) behind a form of a site of its own; may be given several times.",
)
@click.option(
    "--page-size",
    type=click.IntRange(1, 1000),
    default=10,
    show_default=True,
    metavar="N",
    help="Records on a page of answers from a --db-file.",
)
@click.option(
    "--result-limit",
    type=click.IntRange(0),
    default=0,
    show_default=True,
    metavar="N",
    help="Records that a --db-file shows for a query at most; 0 shows all.",
)
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
@click.option(
    "--records",
    metavar="SOURCE",
    help="Write the records of one database (an id of the truth, such as HOST/0) as JSON lines and end.",
)
@click.option(
    "--score",
    metavar="FILE",
    help="Compare with the truth what `dowse export forms` wrote or, with --records, a file of records, and end.",
)
@options.as_json
def command(
    sites: int,
    seed: int,
    family: str,
    day: int,
    topics: str,
    shape: str | None,
    edition: int,
    files: tuple[str, ...],
    page_size: int,
    result_limit: int,
    port: int,
    truth: str | None,
    records: str | None,
    score: str | None,
    as_json: bool,
) -> int:
    """Serve a simulated web on 127.0.0.1, by virtual host and as an HTTP proxy, until Ctrl-C.

    It answers for every host of its web: `curl -x http://127.0.0.1:8421 http://HOST/`, a browser with that proxy, or
    `dowse find SEED --connect-to '*=127.0.0.1:8421' --allow-private --delay 0`.
    """
    if shape:
        _refuse_with_shape({"--db-file": files, "--records": records, "--score": score})
        return _show_shape(_open_shape(shape, family, seed, day, edition), truth, port, as_json)
    from dowse.sim.world import FileSource, World

    sources = tuple(FileSource(path, page_size, result_limit) for path in files)
    world = World(seed, sites, family=family.upper(), day=day, files=sources, topics=topics)
    if score:
        return _score(world, score, records, as_json)
    if records:
        return _write_lines(_record_lines(world, records), "-", as_json)
    if truth:
        return _write_lines(_truth_lines(world), truth, as_json)
    _serve(world, port, partial(_print_world, world, as_json))
    return 0


def _refuse_with_shape(options: Mapping[str, object]) -> None:
    from dowse.errors import BadInput

    for name, given in options.items():
        if given:
            raise BadInput(f"{name} is about databases behind forms: the site of a --shape has none")


def _open_shape(name: str, family: str, seed: int, day: int, edition: int) -> ShapeSite:
    from dowse.sim.shapes import open_shape

    return open_shape(name, family, seed, day, edition=edition)


def _show_shape(site: ShapeSite, truth: str | None, port: int, as_json: bool) -> int:
    from dowse.sim.shapes.truth import to_json
    from dowse.store.rows import to_json as to_text

    if truth:
        return _write_lines([to_text(to_json(site.truth))], truth, as_json)
    _serve(site, port, partial(_print_shape, site, as_json))
    return 0


def _truth_lines(world: World) -> Iterable[str]:
    from dowse.sim.truth import to_json
    from dowse.store.rows import to_json as to_text

    origin = {"world": {"seed": world.seed, "sites": world.sites, "family": world.family, "day": world.day}}
    if world.topics != "even":
        origin["world"]["topics"] = world.topics
    return (to_text({**to_json(site), **origin}) for site in world.truth())


def _record_lines(world: World, source: str) -> Iterable[str]:
    from dowse.store.rows import to_json as to_text

    index, number = _find_source(world, source)
    table = world.database(index, number)
    return (to_text({name: list(values) for name, values in table.row(each).items()}) for each in range(table.size))


def _find_source(world: World, source: str) -> tuple[int, int]:
    """Return the site and number of a database by its id."""
    from dowse.errors import BadInput

    host, _, number = source.rpartition("/")
    index = world.host_index(host)
    known = [each.id for each in world.site(index).databases] if index is not None else []
    if source not in known:
        there = f"; that site has {', '.join(known)}" if known else "; `dowse sim --truth` lists them as databases"
        raise BadInput(f"no database {source} in this world{there}")
    return index or 0, int(number)


def _write_lines(lines: Iterable[str], place: str, as_json: bool) -> int:
    """Write lines of JSON to a file, and with --json how many; on standard output they are all there is."""
    from dowse.errors import BadInput

    if place == "-":
        for line in lines:
            click.echo(line)
        return 0
    count = 0
    try:
        with open(place, "w", encoding="utf-8") as out:
            for line in lines:
                out.write(f"{line}\n")
                count += 1
    except OSError as error:
        raise BadInput(f"{place} cannot be written: {(error.strerror or str(error)).lower()}") from None
    if as_json:
        print_json({"path": place, "sites": count})
    return 0


def _score(world: World, path: str, source: str | None, as_json: bool) -> int:
    from dowse.sim.score import RecordScore, Score, score_forms, score_records
    from dowse.sim.scorefile import read_forms, read_rows

    if source:
        index, number = _find_source(world, source)
        score: Score = score_records(read_rows(path), world.records(index, number))
    else:
        score = score_forms(read_forms(path), world.truth())
    figures = {
        "reachable": score.reachable,
        "right": score.right,
        "wrong": score.wrong,
        "coverage": round(score.recall, 4),
        "precision": round(score.precision, 4),
    }
    if isinstance(score, RecordScore):
        figures |= {"repeated": score.repeated, "exact": score.exact}
    if as_json:
        print_json(figures)
    else:
        what = "records" if source else "query forms"
        click.echo(
            f"{score.right:,} of {score.reachable:,} {what} found: coverage {score.recall:.1%}, "
            f"precision {score.precision:.1%} ({score.wrong:,} wrong)"
        )
        if isinstance(score, RecordScore) and score.repeated:
            click.echo(f"{score.repeated:,} duplicates")
    if score.wrong and not score.right:
        note(
            f"nothing in {path} is of this world (family {world.family}, seed {world.seed}, day {world.day}): of another?"
        )
    return 0


def _serve(web: Web, port: int, announce: Callable[[int], None]) -> None:
    import uvloop

    uvloop.run(_serve_until_signal(web, port, announce))


async def _serve_until_signal(web: Web, port: int, announce: Callable[[int], None]) -> None:
    from dowse.sim.server import serve

    stop = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    async with serve(web, port=port) as bound:
        announce(bound)
        await stop.wait()
    note("the simulated web has ended")


def _print_world(world: World, as_json: bool, port: int) -> None:
    from dowse.sim.summary import summarise

    if as_json:
        print_json({"port": port, "seeds": world.seeds(), **summarise(world).to_json()})
    else:
        _print_ways_in(world, port)


def _print_shape(site: ShapeSite, as_json: bool, port: int) -> None:
    truth = site.truth
    counts = {"targets": len(truth.targets), "new": len(truth.new), "pages": len(truth.pages)}
    if as_json:
        print_json({"port": port, "shape": truth.shape, "entry": truth.entry, "samples": list(site.samples), **counts})
        return
    click.echo(
        f"a site of the shape {truth.shape} ({site.shape.summary}): {counts['targets']} targets, {counts['new']} of them "
        f"new, on {counts['pages']} pages (family {truth.family}, seed {truth.seed}, day {truth.day}, "
        f"edition {truth.edition}) on 127.0.0.1:{port}; Ctrl-C ends it"
    )
    click.echo(f"  entry:  {truth.entry}")
    click.echo(f"  sample: {site.samples[0]}")
    click.echo(f"  look:   curl -x http://127.0.0.1:{port} '{site.samples[0]}'")
    click.echo(
        f"  repeat: dowse like '{site.samples[0]}' --entry '{truth.entry}' "
        f"--connect-to '*=127.0.0.1:{port}' --allow-private --delay 0"
    )
    sys.stdout.flush()


def _print_ways_in(world: World, port: int) -> None:
    seeds = world.seeds()
    click.echo(
        f"a simulated web of {world.sites:,} sites (family {world.family}, seed {world.seed}, day {world.day}) "
        f"on 127.0.0.1:{port}; Ctrl-C ends it"
    )
    for file, address in zip(world.files, seeds, strict=False):
        click.echo(f"  {file.path} is behind a form of {address}")
    click.echo(f"  look:   curl -x http://127.0.0.1:{port} {seeds[0]}")
    if world.search_address:
        click.echo(f"  engine: curl -x http://127.0.0.1:{port} '{world.search_address}?q=hotels&format=json'")
    click.echo(f"  search: dowse find {' '.join(seeds)} --connect-to '*=127.0.0.1:{port}' --allow-private --delay 0")
    sys.stdout.flush()
