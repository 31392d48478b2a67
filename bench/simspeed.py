"""How fast the simulated web is: it must never be what a measured crawler waits for."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator
from random import Random
from statistics import mean
from typing import Any

from bench import simdatabases
from bench.intervals import explain_intervals, measure_interval, write_interval
from bench.options import Options
from bench.places import ROOT, SCRATCH, empty_folder
from bench.plots import Series, draw, paint_bars
from bench.report import markdown_table
from bench.simserver import CONNECTIONS, ask, serve_world
from bench.timing import CRAWLER_CORE, resident_mb, run_command
from dowse.model import Request
from dowse.sim import World
from dowse.sim.manners import Manners
from dowse.sim.naming import path_of

TITLE = "Speed of the simulated web"
FAMILIES = ("A", "B")
MIX_SITES, MIX_PAGES = 200, 60
SERVED_SITES = 1500
TOGETHER = 32  # sites asked in turn, as a crawler does
CACHED_PAGES = 300
LOAD_SECONDS = 5
LARGE = 2_000_000
RANDOM_PAGES = 20_000
DATABASE_SIZES = (300, 20_000, 500_000)
ONCE = ("large", "databases")  # long: thousands of pages and hundreds of queries are enough

Facts = dict[str, Any]


def run(options: Options) -> dict[str, object]:
    """Measure all four, as often as asked."""
    runs: dict[str, dict[str, list[Facts]]] = {}
    for repeat in range(options.repeats):
        for family in FAMILIES:
            for name, measure in MEASURES.items():
                if repeat and name in ONCE:
                    continue
                facts = measure(family, options.seed + repeat)
                runs.setdefault(name, {}).setdefault(family, []).append(facts)
                options.say(f"  {name} {family}: {json.dumps(facts)}")
    intervals = {name: {family: _intervals(some) for family, some in both.items()} for name, both in runs.items()}
    return {
        "seeds": [options.seed + repeat for repeat in range(options.repeats)],
        "settings": {"seconds of load": LOAD_SECONDS, "connections": CONNECTIONS, "large world": LARGE},
        "runs": runs,
        "intervals": intervals,
        "medians": _medians(intervals),
    }


def _intervals(facts: list[Facts]) -> dict[str, dict[str, object]]:
    return {name: measure_interval([each[name] for each in facts]).to_json() for name in facts[0]}


def _medians(intervals: dict[str, dict[str, dict[str, Any]]]) -> dict[str, float]:
    """The medians that must reach something, of the family that is worse."""

    def medians(name: str, figure: str) -> list[float]:
        return [float(intervals[name][family][figure]["median"]) for family in FAMILIES]

    return {
        "page ms": max(medians("page", "ms")),
        "cached": min(medians("server", "cached")),
        "fresh": min(medians("server", "fresh")),
        "open s": max(medians("large", "open_s")),
        "memory MB": max(medians("large", "memory_mb")),
        "no pages": max(float(intervals["server"][family]["no pages"]["high"]) for family in FAMILIES),
    }


# --- pages in process


def list_pages(world: World, sites: int, pages: int) -> list[list[str]]:
    """Return the addresses (host, space, path) of the first pages of each site that answers at once."""
    listed = []
    for index in range(sites):
        traits = world.traits(index)
        if not traits.is_closed and traits.manners == Manners():
            plan = world.plan(index)
            count = min(plan.tree.size, pages)
            listed.append([f"{traits.host} {path_of(plan, number)}" for number in range(count)])
    return listed


def time_pages(family: str, seed: int) -> Facts:
    """Take the mean time of a page, with the plans of its sites, in a world that has made nothing yet."""
    sites = list_pages(World(seed, MIX_SITES, family=family), MIX_SITES, MIX_PAGES)
    requests = [Request("http://" + each.replace(" ", "", 1)) for site in sites for each in site]
    world = World(seed, MIX_SITES, family=family)
    size = 0
    start = time.perf_counter()
    for request in requests:
        size += len(getattr(world.answer(request), "body", b""))
    seconds = time.perf_counter() - start
    return {"ms": 1000 * seconds / len(requests), "pages": len(requests), "bytes": size / len(requests)}


# --- the server


def time_server(family: str, seed: int) -> Facts:
    """Ask a server for the same few pages, then for tens of thousands of different ones."""
    sites = list_pages(World(seed, SERVED_SITES, family=family), SERVED_SITES, MIX_PAGES)
    folder = SCRATCH / "runs" / "simspeed"
    fresh = list(in_turn(sites))
    with serve_world(family, seed, SERVED_SITES) as port:
        few = fresh[:CACHED_PAGES]
        ask(port, few, 1, folder)
        cached = ask(port, few, LOAD_SECONDS, folder)
        made = ask(port, fresh[CACHED_PAGES:], LOAD_SECONDS, folder)
    return {
        "cached": cached["requests"] / cached["seconds"],
        "fresh": made["requests"] / made["seconds"],
        "fresh_addresses": len(fresh) - CACHED_PAGES,
        "no pages": sum(each[what] for each in (cached, made) for what in ("failed", "refused")),
        "load": cached["load"],
    }


def in_turn(sites: list[list[str]]) -> Iterator[str]:
    """Give the pages of some sites at a time in turn, as a crawler asks for them."""
    for first in range(0, len(sites), TOGETHER):
        group = sites[first : first + TOGETHER]
        for place in range(max(map(len, group))):
            yield from (site[place] for site in group if place < len(site))


# --- a world of two million sites


def time_large(family: str, seed: int) -> Facts:
    """Open a large world and ask for pages all over it, in a process of its own."""
    folder = empty_folder(SCRATCH / "runs" / "simspeed-large")
    words = [sys.executable, "-m", "bench.simspeed", family, str(seed)]
    ran = run_command(words, folder, core=CRAWLER_CORE, extra={"PYTHONPATH": str(ROOT)})
    if ran.code:
        raise RuntimeError(ran.stderr.strip()[-400:])
    return dict(json.loads(ran.stdout))


def _measure_large(family: str, seed: int) -> Facts:
    start = time.perf_counter()
    world = World(seed, LARGE, family=family)
    opened = time.perf_counter()
    world.answer(Request(world.traits(LARGE // 2).address))
    first = time.perf_counter()
    rng = Random(seed)
    before = resident_mb()
    for _ in range(RANDOM_PAGES):
        plan = world.plan(int(rng.random() * LARGE))
        world.answer(Request(plan.origin + path_of(plan, int(rng.random() * plan.tree.size))))
    return {
        "open_s": opened - start,
        "first_page_s": first - opened,
        "start_mb": before,
        "memory_mb": resident_mb(),
        "ms": 1000 * (time.perf_counter() - first) / RANDOM_PAGES,
    }


# --- databases


def time_databases(family: str, seed: int) -> Facts:
    """Take the time of answers of small and large databases, asked through forms."""
    world = World(seed, simdatabases.WEB, family=family)
    sources = simdatabases.find_sources(world)
    facts: Facts = {}
    for size in DATABASE_SIZES:
        took = simdatabases.time_answers(world, sources, size, seed)
        ordered = sorted(took.others)
        facts |= {f"{size} mean ms": mean(ordered), f"{size} 95th ms": ordered[int(len(ordered) * 0.95)]}
        facts |= {f"{size} worst ms": ordered[-1], f"{size} first ms": mean(took.first)}
        facts |= {f"{size} records": mean(took.sizes), f"{size} without": took.without}
    return facts


MEASURES: dict[str, Callable[[str, int], Facts]] = {
    "page": time_pages,
    "server": time_server,
    "large": time_large,
    "databases": time_databases,
}


# --- tables and plots

ROWS = (
    ("a page in process, ms", "page", "ms", ".3f"),
    ("bytes of a page", "page", "bytes", ",.0f"),
    ("server from its cache, pages/s", "server", "cached", ",.0f"),
    ("server made fresh, pages/s", "server", "fresh", ",.0f"),
    ("answers of the server that were no page", "server", "no pages", ",.0f"),
    (f"opening a world of {LARGE:,} sites, s", "large", "open_s", ".6f"),
    ("its first page, s", "large", "first_page_s", ".3f"),
    (f"resident MB after {RANDOM_PAGES:,} random pages of it", "large", "memory_mb", ".1f"),
    ("a random page of it with the plan of its site, ms", "large", "ms", ".3f"),
    *(
        (f"answer of a database of {size:,} records, {what} ms", "databases", f"{size} {what} ms", ".2f")
        for size in DATABASE_SIZES
        for what in ("mean", "95th", "first")
    ),
)


def table(result: dict[str, Any]) -> str:
    """One row for each figure, both families."""
    rows = [
        [said, *(write_interval(result["intervals"][name][family][figure], form) for family in FAMILIES)]
        for said, name, figure, form in ROWS
    ]
    return markdown_table(["figure", "A", "B"], rows, numbers=2)


def notes(result: dict[str, Any]) -> str:
    """What a reader must know beside the table."""
    first = result["intervals"]["page"]["A"]["ms"]
    served = result["intervals"]["server"]["A"]["fresh_addresses"]["median"]
    return (
        f"{explain_intervals(first, 'repeats, each with another seed')} What stands alone was measured once. A page in process: the first {MIX_PAGES} pages of "
        f"each of {MIX_SITES} sites one after the other, plans included, in a new world; wordings are read before. The "
        f"server (`dowse sim`, {SERVED_SITES:,} sites) has one core, wrk with {CONNECTIONS} connections the other, for "
        f"{LOAD_SECONDS} s: first {CACHED_PAGES} addresses again and again, then others out of {served:,.0f}, none "
        f"twice, {TOGETHER} sites in turn as a crawler asks. Sites that are "
        "slow, limited or dead on purpose are left out, so every answer must be a page: an error is made faster than a page, "
        "and a world that is changed while this runs gives errors. The first page of the large world reads the wordings. Databases: "
        f"of {simdatabases.LOOKED_AT:,} sites the {simdatabases.DATABASES} that come nearest to a size, each asked "
        f"{simdatabases.QUERIES} times at the address of one of its forms (one or two values of a record, none, a second page); "
        "the first answer makes the database, the mean and the 95th percentile are of the others, with the page that shows them."
    )


def plots(result: dict[str, Any]) -> dict[str, str]:
    """Bars: the server, and the databases."""

    def bars(name: str, figures: list[str]) -> list[Series]:
        series = []
        for family in FAMILIES:
            some = [result["intervals"][name][family][figure] for figure in figures]
            lows, highs = [each["low"] for each in some], [each["high"] for each in some]
            series.append(Series(f"family {family}", [each["median"] for each in some], lows, highs))
        return series

    def paint(axes: list[Any]) -> None:
        paint_bars(axes[0], ["from its cache", "made fresh"], bars("server", ["cached", "fresh"]))
        axes[0].set(title="the server", ylabel="pages per second, one core")
        names = [f"{size:,}" for size in DATABASE_SIZES]
        paint_bars(axes[1], names, bars("databases", [f"{size} mean ms" for size in DATABASE_SIZES]), "{:.1f}")
        axes[1].set(title="databases", xlabel="records", ylabel="ms for an answer, mean")

    title = "Bars: pages per second of the server, cached and fresh; milliseconds for an answer of databases by size"
    return {"bars": draw(title, 2, paint)}


if __name__ == "__main__":
    print(json.dumps(_measure_large(sys.argv[1], int(sys.argv[2]))))
