"""Memory stays flat: what a process holds after 500 and after 2,000 searched sites of one world."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from statistics import median

import uvloop

from bench.options import Options
from bench.places import ROOT, SCRATCH, empty_folder
from bench.report import markdown_table
from bench.timing import resident_mb, run_command

TITLE = "Memory over a long search"
FIRST = 500  # sites after which the first figure is taken


def run(options: Options) -> dict[str, object]:
    """Search the world in a fresh process per repeat."""
    runs = [_search_apart(options) for _ in range(options.repeats)]
    fine = [one for one in runs if not one["code"]]
    medians = {key: median(float(one[key]) for one in fine) for key in ("first_mb", "last_mb", "ratio") if fine}  # type: ignore[arg-type]
    return {"seeds": {"world": options.seed}, "settings": {"sites": options.sites}, "runs": runs, "medians": medians}


def table(result: dict[str, object]) -> str:
    """RSS over the search, one repeat per line."""
    runs: list[dict[str, object]] = result["runs"]  # type: ignore[assignment]
    rows = [
        [str(place + 1), *(f"{one[key]:.1f}" for key in ("start_mb", "first_mb", "last_mb")), f"{one['ratio']:.3f}"]
        if not one["code"]
        else [str(place + 1), "", "", "", f"failed: {one['error']}"]
        for place, one in enumerate(runs)
    ]
    sites = result["settings"]["sites"]  # type: ignore[index]
    heads = ["repeat", "MB at start", f"MB after {min(FIRST, sites):,} sites", f"MB after {sites:,} sites", "ratio"]
    return markdown_table(heads, rows, numbers=4)


def notes(result: dict[str, object]) -> str:
    """What a reader must know beside the table."""
    return "Resident memory of the whole process, world and store included, read from /proc between two sites."


async def search_world(sites: int, seed: int, database: Path, tell: Callable[[int], None]) -> None:
    """Search a whole world in this process; `tell` is called with the number of sites searched after each one."""
    from dowse.engine.find import begin_run
    from dowse.engine.workers import search_sites
    from dowse.fetch.redirects import follow_within_site
    from dowse.fetch.robots import obey_robots
    from dowse.seeds.lists import read_seed
    from dowse.settings import FindSettings
    from dowse.sim import World, simulate
    from dowse.store import open_store

    world = World(seed, sites=sites)
    settings = FindSettings(discover=False)
    fetch = follow_within_site(obey_robots(simulate(world)))
    searched = 0
    with open_store(str(database)) as store:
        run = begin_run(store, [read_seed(address) for address in world.addresses()], settings)
        async for _ in search_sites(store, run, fetch, settings):
            searched += 1
            tell(searched)


def _search_apart(options: Options) -> dict[str, object]:
    folder = empty_folder(SCRATCH / "runs" / "memory")
    words = [sys.executable, "-m", "bench.memory", str(options.sites), str(options.seed), str(folder / "dowse.db")]
    ran = run_command(words, folder, extra={"PYTHONPATH": str(ROOT)}, limit=3600)
    facts = {"code": ran.code, "seconds": ran.seconds, "peak_mb": ran.rss_mb}
    if ran.code:
        return facts | {"error": (ran.stderr.strip().splitlines() or ["no reason given"])[-1]}
    options.say(f"  {ran.stdout.strip()[:200]}")
    return {**facts, **json.loads(ran.stdout)}


def _measure(sites: int, seed: int, database: Path) -> dict[str, object]:
    """Search in this process and note its memory on the way."""
    step = max(1, sites // 20)
    trail: dict[int, float] = {}

    def tell(searched: int) -> None:
        if searched % step == 0 or searched in (FIRST, sites):
            trail[searched] = resident_mb()

    start = resident_mb()
    uvloop.run(search_world(sites, seed, database, tell))
    first, last = trail[min(FIRST, sites)], trail[max(trail)]
    return {"start_mb": start, "first_mb": first, "last_mb": last, "ratio": last / first, "trail": trail}


if __name__ == "__main__":
    print(json.dumps(_measure(int(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3]))))
