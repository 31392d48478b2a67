"""Whether forecasts hold, and what they cost: sites recorded once, strategies replayed, samples drawn again and again."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from random import Random
from statistics import median
from typing import Any

from bench.options import Options
from bench.report import markdown_table
from dowse.crawl.site import search_site
from dowse.fetch import Fetch
from dowse.fetch.build import wrap_fetch
from dowse.model import Link, Seed, SeenOnSite, Visit
from dowse.sample.record import WHOLE, Recording, record_site
from dowse.sample.replay import replay_site
from dowse.seeds.lists import read_seed
from dowse.sim import World, simulate
from dowse.step.visit import visit
from dowse.strategy import build_strategy
from dowse.yields import Forecast, Interval, SiteYield, Yield, measure, predict, sample_size

TITLE = "Forecasts against facts, and what sampling costs"
FAMILY = "B"
STRATEGIES = ("exhaustive:0", "exhaustive:3", WHOLE, "navmenu:3", "navmenu:10", "learned")
FIGURES = ("harvest", "coverage", "site_harvest", "site_coverage")
PREDICTED = ("pages", "forms", "harvest", "coverage")
SITE_PAGES = 500
REPETITIONS = 200
WIDTH = 0.02


@dataclass(frozen=True, slots=True)
class Extent:
    """How much is measured."""

    sites: int
    samples: tuple[int, ...]
    cost_sites: int


EXTENTS = {"short": Extent(400, (100,), 100), "full": Extent(2000, (100, 300), 1000)}


def run(options: Options) -> dict[str, object]:
    """Measure the cost, record a population, and draw samples from it."""
    return measure_extent(options, EXTENTS[options.extent], FAMILY)


def measure_extent(options: Options, extent: Extent, family: str, repetitions: int = REPETITIONS) -> dict[str, object]:
    """Measure so much of a family."""
    costs = [measure_cost(options.seed + repeat, extent.cost_sites, family) for repeat in range(options.repeats)]
    for cost in costs:
        options.say(f"  cost: {cost['ratio']:.3f} of a plain crawl (recording alone {cost['recording']:.3f})")
    population, failed = record_population(options.seed, extent.sites, family)
    options.say(f"  recorded {len(population[WHOLE]):,} sites, {failed} failed")
    truth = {name: find_truth(some) for name, some in population.items()}
    holding = {
        str(size): {name: count_holding(name, some, size, repetitions) for name, some in population.items()}
        for size in extent.samples
        if size < len(population[WHOLE])
    }
    return {
        "seeds": [options.seed],
        "settings": {"family": family, "sites": extent.sites, "repetitions": repetitions, "extent": options.extent},
        "costs": costs,
        "truth": truth,
        "failed": failed,
        "holding": holding,
        "needed": {name: find_needed(some) for name, some in population.items()},
        "medians": summarise(costs, holding),
    }


# the cost


def measure_cost(seed: int, sites: int, family: str) -> dict[str, float]:
    """Crawl and sample each site in turn, so that a busy machine is as bad for both, and compare what the two took."""
    addresses = list(World(seed, sites, family=family).addresses())
    spent = {"plain": [0.0, 0.0], "record": [0.0, 0.0], "replay": [0.0, 0.0]}
    crawl, sample = (partial(each, fetch=open_world(seed, sites, family), spent=spent) for each in (_crawl, _sample))
    for place, address in enumerate(addresses):
        for turn in (crawl, sample) if place % 2 else (sample, crawl):
            asyncio.run(turn(read_seed(address)))
    plain, record, replay = (spent[name][0] for name in ("plain", "record", "replay"))
    wall = sum(spent[name][1] for name in ("record", "replay")) / spent["plain"][1]
    return {
        "sites": len(addresses), "plain_seconds": plain, "ratio": (record + replay) / plain, "recording": record / plain,
        "replaying": replay / plain, "wall_ratio": wall,
    }  # fmt: skip


def open_world(seed: int, sites: int, family: str) -> Fetch:
    """Return a world that has written no page yet."""
    return wrap_fetch(simulate(World(seed, sites, family=family))).within_site


class _Clock:
    """Adds the seconds that a block takes, of the processor and on the wall."""

    def __init__(self, spent: list[float]) -> None:
        self.spent = spent

    def __enter__(self) -> None:
        self.begun = time.process_time(), time.perf_counter()

    def __exit__(self, *_: object) -> None:
        self.spent[0] += time.process_time() - self.begun[0]
        self.spent[1] += time.perf_counter() - self.begun[1]


async def _crawl(seed: Seed, fetch: Fetch, spent: dict[str, list[float]]) -> None:
    async def follow(link: Link, seen: SeenOnSite) -> Visit:
        return await visit(link, fetch, seen)

    with _Clock(spent["plain"]):
        await search_site(seed, build_strategy(WHOLE), follow, site_pages=SITE_PAGES)


async def _sample(seed: Seed, fetch: Fetch, spent: dict[str, list[float]]) -> None:
    with _Clock(spent["record"]):
        recording = await record_site(seed, search_site, fetch, site_pages=SITE_PAGES)
    with _Clock(spent["replay"]):
        replay(recording)


def replay(recording: Recording) -> dict[str, SiteYield]:
    """Return what every strategy gives on a recorded site."""
    return {
        name: replay_site(recording, search_site, name, site_pages=SITE_PAGES).given
        for name in STRATEGIES
        if not recording.search.error
    }


# the forecasts


def record_population(seed: int, sites: int, family: str) -> tuple[dict[str, list[SiteYield]], int]:
    """Return what every strategy gives on every site of a world that answers, and how many do not."""
    world = World(seed, sites, family=family)
    fetch = wrap_fetch(simulate(world)).within_site
    found: dict[str, list[SiteYield]] = {name: [] for name in STRATEGIES}
    failed = 0

    async def record() -> None:
        nonlocal failed
        for address in world.addresses():
            given = replay(await record_site(read_seed(address), search_site, fetch, site_pages=SITE_PAGES))
            failed += not given
            for name, each in given.items():
                found[name].append(each)

    asyncio.run(record())
    return found, failed


def find_truth(sites: Sequence[SiteYield]) -> dict[str, float]:
    """Return the figures of a whole population."""
    pages, forms, total = (sum(getattr(each, what) for each in sites) for what in ("pages", "forms", "total"))
    parts = [each.coverage for each in sites if each.coverage is not None]
    return {
        "pages": pages, "forms": forms, "harvest": forms / pages, "coverage": forms / total if total else 0.0,
        "site_harvest": sum(each.harvest for each in sites) / len(sites),
        "site_coverage": sum(parts) / len(parts) if parts else 0.0,
    }  # fmt: skip


def count_holding(name: str, sites: Sequence[SiteYield], size: int, repetitions: int) -> dict[str, float]:
    """Return in which part of the repetitions the interval of a random sample holds the figure of the population."""
    truth, held = find_truth(sites), dict.fromkeys([*FIGURES, *(f"predicted {each}" for each in PREDICTED)], 0)
    for repetition in range(repetitions):
        drawn = Random(f"{name} {size} {repetition}").sample(list(sites), size)
        measured = measure(name, drawn, population=len(sites))
        forecast = predict(measured, drawn, len(sites))
        for figure in FIGURES:
            held[figure] += holds(measured, figure, truth)
        for figure in PREDICTED:
            held[f"predicted {figure}"] += holds(forecast, figure, truth)
    return {figure: count / repetitions for figure, count in held.items()}


def holds(said: Yield | Forecast, figure: str, truth: dict[str, float]) -> bool:
    """Return True if an interval holds the truth; what rounding does is not a miss."""
    each: Interval = getattr(said, figure)
    slack = 1e-9 * max(1.0, abs(truth[figure]))
    return each.low - slack <= truth[figure] <= each.high + slack


def find_needed(sites: Sequence[SiteYield]) -> dict[str, int]:
    """Return how many sites give intervals of +-0.02."""
    return {"harvest": sample_size(sites, WIDTH, "harvest"), "coverage": sample_size(sites, WIDTH, "coverage")}


def summarise(costs: Sequence[dict[str, float]], holding: dict[str, dict[str, dict[str, float]]]) -> dict[str, Any]:
    """Return the figures that must be reached: the ratio, and the mean holding rates over strategies."""
    rates: dict[str, list[float]] = {}
    for by_strategy in holding.values():
        for name, by_figure in by_strategy.items():
            for figure, rate in by_figure.items():
                if name != WHOLE or "coverage" not in figure:  # what all others are measured against covers all, always
                    rates.setdefault(figure, []).append(rate)
    return {
        "cost": {name: median(each[name] for each in costs) for name in ("ratio", "wall_ratio", "recording")},
        "holding": {figure: sum(some) / len(some) for figure, some in rates.items()},
    }


# what is shown


def table(result: dict[str, Any]) -> str:
    """The cost, the holding rates, the sample sizes."""
    cost = result["medians"]["cost"]
    first = markdown_table(
        ["what", "of one exhaustive crawl"],
        [
            [f"recording and {len(STRATEGIES)} replays, processor", f"{cost['ratio']:.3f}"],
            [f"recording and {len(STRATEGIES)} replays, wall", f"{cost['wall_ratio']:.3f}"],
            ["recording alone, processor", f"{cost['recording']:.3f}"],
        ],
        numbers=1,
    )
    shown = [*FIGURES, *(f"predicted {each}" for each in PREDICTED)]
    rows = [
        [f"`{name}`, {size} sites", *(f"{rates[figure]:.1%}" for figure in shown)]
        for size, by_strategy in result["holding"].items()
        for name, rates in by_strategy.items()
    ]
    second = markdown_table(["95 % intervals that hold", *(each.replace("_", " ") for each in shown)], rows, numbers=8)
    third = markdown_table(
        ["strategy", "harvest", "coverage", "sites for harvest +-0.02", "sites for coverage +-0.02"],
        [_truth_row(name, result) for name in result["truth"]],
        numbers=4,
    )
    return f"{first}\n\n{second}\n\n{third}"


def _truth_row(name: str, result: dict[str, Any]) -> list[str]:
    truth, needed = result["truth"][name], result["needed"][name]
    figures = [f"{truth['harvest']:.4f}", f"{truth['coverage']:.3f}"]
    return [f"`{name}`", *figures, f"{needed['harvest']:,}", f"{needed['coverage']:,}"]


def notes(result: dict[str, Any]) -> str:
    """What a reader must know beside the tables."""
    settings = result["settings"]
    return (
        f"{settings['sites']:,} sites of family {settings['family']} ({result['failed']} do not answer and are left out) are "
        f"recorded with `{WHOLE}`, at most {SITE_PAGES} pages each, and every strategy is replayed over them. "
        f"From these a sample is drawn {settings['repetitions']} times, without returning a site; a rate of 95 % "
        "over 200 repetitions has itself an interval of 92 to 98 %. Harvest and coverage are pooled, "
        "*site* figures are means over sites, *predicted* ones are totals and yields of the whole list. "
        "For the cost, each site is crawled and sampled in turn, in one process, from a world of its own that has not "
        "yet written its pages."
    )
