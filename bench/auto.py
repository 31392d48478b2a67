"""What `find --strategy auto` costs as a whole, sampling included, beside the default strategy on the same sites."""

from __future__ import annotations

from statistics import median
from typing import Any

import uvloop

from bench.options import Options
from bench.places import SCRATCH, empty_folder
from bench.report import markdown_table
from dowse.engine.auto import AUTO
from dowse.engine.find import begin_run, search_waiting
from dowse.engine.job import FindRun
from dowse.fetch.build import wrap_fetch
from dowse.seeds.lists import read_seed
from dowse.settings import FindSettings
from dowse.sim import World, simulate
from dowse.sim.score import read_found, score_forms
from dowse.store import Store, open_store

TITLE = "What choosing the strategy costs and saves"
FAMILY = "B"
SITES = 600
SEEDS = {"short": 3, "full": 5}
USUAL = FindSettings().strategy


def run(options: Options) -> dict[str, object]:
    """Search each world with both."""
    return measure_family(options, FAMILY, SITES, SEEDS[options.extent])


def measure_family(options: Options, family: str, sites: int, seeds: int) -> dict[str, object]:
    """Search so many worlds of a family with both strategies."""
    runs = []
    for seed in range(options.seed, options.seed + seeds):
        world = World(seed, sites, family=family)
        facts = {name: search(world, name) for name in (AUTO, USUAL)}
        auto, usual = facts[AUTO], facts[USUAL]
        ratios = {
            "pages for the same forms": auto["pages"] / auto["right"] / (usual["pages"] / usual["right"]),
            "pages": auto["pages"] / usual["pages"],
            "forms": auto["right"] / usual["right"],
        }
        runs.append({"seed": seed, **facts, "ratios": ratios})
        options.say(f"  seed {seed}: " + ", ".join(f"{name} {value:.3f}" for name, value in ratios.items()))
        for line in auto["said"]:
            options.say(f"    {line}")
    return {
        "seeds": [each["seed"] for each in runs],
        "settings": {"family": family, "sites": sites},
        "runs": runs,
        "medians": {name: median(each["ratios"][name] for each in runs) for name in runs[0]["ratios"]}
        | {"worst pages for the same forms": max(each["ratios"]["pages for the same forms"] for each in runs)},
    }


def search(world: World, strategy: str) -> dict[str, Any]:
    """Search one world in this process; return the pages that were asked for, and the forms that are there as found."""
    settings = FindSettings(strategy=strategy, jobs=16, discover=False)
    database = empty_folder(SCRATCH / "runs" / "auto") / "dowse.db"
    with open_store(str(database)) as store:
        begun = begin_run(store, [read_seed(address) for address in world.addresses()], settings)
        said = uvloop.run(_search(store, begun, world, settings))
        score = score_forms(read_found(store.forms()), world.truth())
    return {"pages": begun.started, "right": score.right, "reachable": score.reachable, "said": said}


async def _search(store: Store, begun: FindRun, world: World, settings: FindSettings) -> list[str]:
    fetches = wrap_fetch(simulate(world))
    return [event async for event in search_waiting(store, begun, fetches, settings) if isinstance(event, str)]


def table(result: dict[str, Any]) -> str:
    """One row for each world, and the line that says what was chosen."""
    rows = [
        [
            str(each["seed"]),
            *(f"{each[name][what]:,}" for name in (USUAL, AUTO) for what in ("pages", "right")),
            *(f"{value:.3f}" for value in each["ratios"].values()),
            next(line for line in each[AUTO]["said"] if line.startswith(("chose", "not sampled"))),
        ]
        for each in result["runs"]
    ]
    heads = [
        "seed",
        f"`{USUAL}`: pages",
        "forms",
        "`auto`: pages",
        "forms",
        *result["runs"][0]["ratios"],
        "what it said",
    ]
    return markdown_table(heads, rows, numbers=len(heads) - 1)


def notes(result: dict[str, Any]) -> str:
    """What a reader must know beside the table."""
    settings = result["settings"]
    return (
        f"{settings['sites']} sites of family {settings['family']}, each given as a seed, nothing discovered. Pages are all that a "
        "run asked for, those of its sample included; forms are query forms that are there as they were found. The last "
        "columns are `auto` through the other: below 1, it took fewer pages, or found fewer forms."
    )
