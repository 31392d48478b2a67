"""Harvests end to end: doors of a simulated web drawn with a budget, beside the truth of their databases."""

from __future__ import annotations

import asyncio
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import mean, median
from typing import Any

from bench.options import Options
from bench.report import markdown_table
from dowse.fetch.build import Fetches, wrap_fetch
from dowse.fetch.cookies import Jar
from dowse.harvester.harvest import run_harvest
from dowse.harvester.resume import start_run
from dowse.harvester.trials import OpenedDoor, judge_door, try_door
from dowse.model import Door, Failure, Page, Record, Verdict
from dowse.settings import HarvestSettings
from dowse.sim import World, score_records, simulate
from dowse.sim.truth import DatabaseTruth, FormTruth, SiteTruth
from dowse.step.visit import inspect
from dowse.store import open_store
from dowse.store.harvests import begin_harvest

TITLE = "Records drawn through doors, end to end"
FAMILIES = ("A", "B")
SITES = 300
DOORS = {"short": 12, "full": 60}  # of each family
LARGEST = 20_000  # records of a database: more take longer to compare than to draw
BUDGET = 40  # requests of one harvest, with those to find out how it answers
SELECTOR = "auto"


@dataclass(frozen=True, slots=True)
class Drawing:
    """One door, and what came of it."""

    page: str
    size: int  # records of its database
    page_size: int
    why: str = ""  # why it could not be drawn from
    right: int = 0
    wrong: int = 0
    exact: int = 0
    requests: int = 0
    opening: int = 0  # of them, to find out how it answers
    complete: bool = False

    @property
    def ideal(self) -> int:
        """Requests that would have shown as many records, each page full and all of it new."""
        return -(-(self.right + self.wrong) // self.page_size)

    @property
    def coverage(self) -> float:
        """Part of what the budget could have shown."""
        return self.right / max(1, min(self.size, BUDGET * self.page_size))


def find_forms(world: World, most: int, largest: int = LARGEST) -> Iterator[tuple[int, SiteTruth, FormTruth]]:
    """Yield one form for each database that a page of HTML leads to."""
    left = most
    for index in range(world.sites):
        if world.traits(index).is_closed:
            continue
        truth = world.site(index)
        small = {database.id for database in truth.databases if database.size <= largest}
        for form in {
            each.database: each for each in reversed(truth.forms) if _is_open(each) and each.database in small
        }.values():
            if not left:
                return
            left -= 1
            yield index, truth, form


def _is_open(form: FormTruth) -> bool:
    return (
        form.kind == "database" and bool(form.database) and form.reachable and form.made == "html" and not form.same_as
    )


async def draw_door(world: World, index: int, truth: SiteTruth, form: FormTruth) -> Drawing:
    """Harvest the database behind a form with the budget, and compare."""
    number = next(place for place, each in enumerate(truth.databases) if each.id == form.database)
    database = truth.databases[number]
    fetches = wrap_fetch(simulate(world), jar=Jar())
    found = await _find_door(form, fetches)
    if isinstance(found, str):
        return Drawing(form.page, database.size, database.page_size, found)
    opened = await try_door(found[0], found[1], fetches.within_site, [], post=True)
    if isinstance(opened, Verdict):
        return Drawing(form.page, database.size, database.page_size, opened.reason.partition(";")[0])
    return await _draw(opened, found[0], database, list(world.records(index, number)))


async def _find_door(form: FormTruth, fetches: Fetches) -> tuple[Door, Page] | str:
    seen = await inspect(form.page, fetches.anywhere)
    if isinstance(seen, Failure):
        return f"its page was not fetched: {seen}"
    names = set(form.fields)
    own = [
        door
        for door in seen.doors
        if door.form.action.partition("?")[0] == form.action and names <= {field.name for field in door.form.fields}
    ]
    if not own:
        return "its form was not found on the page"
    allowed = judge_door(own[0], post=True)
    return (own[0], seen.page) if allowed.yes else allowed.reason


async def _draw(opened: OpenedDoor, door: Door, database: DatabaseTruth, truth: list[Record]) -> Drawing:
    drawn: list[Record] = []
    opening = sum(answer.requests for answer in opened.source.ready.values())  # paid with what they brought
    with tempfile.TemporaryDirectory() as folder, open_store(str(Path(folder) / "draws.db")) as store:
        run = start_run(
            begin_harvest(store, door.page, door.page, door.signature),
            HarvestSettings(selector=SELECTOR, rounds=BUDGET, post=True),
        )
        async for result in run_harvest(store, run, opened):
            drawn += result.new
    score = score_records(
        ({str(place): value.text for place, value in enumerate(record.values)} for record in drawn), truth
    )
    return Drawing(
        door.page, database.size, database.page_size,
        right=score.right, wrong=score.wrong, exact=score.exact,
        requests=run.harvested.requests, opening=opening, complete=run.complete,
    )  # fmt: skip


def measure_world(world: World, most: int) -> list[Drawing]:
    """Draw from the doors of a world."""

    async def go() -> list[Drawing]:
        return [await draw_door(world, *found) for found in find_forms(world, most)]

    return asyncio.run(go())


def run(options: Options) -> dict[str, object]:
    """Measure both families with one seed: a door takes seconds."""
    runs = {}
    for family in FAMILIES:
        drawings = measure_world(World(options.seed, SITES, family=family), DOORS[options.extent])
        runs[family] = _sum(drawings)
        options.say(f"  family {family}: {runs[family]}")
    medians = {
        f"{name} {family}": value for family, figures in runs.items() for name, value in figures["figures"].items()
    }
    return {
        "seeds": [options.seed],
        "settings": {"sites": SITES, "budget": BUDGET, "selector": SELECTOR},
        "runs": runs,
        "medians": medians,
    }


def _sum(drawings: list[Drawing]) -> dict[str, Any]:
    drawn = [each for each in drawings if not each.why]
    right, wrong = sum(each.right for each in drawn), sum(each.wrong for each in drawn)
    return {
        "figures": {
            "doors": len(drawings),
            "doors drawn": len(drawn) / max(1, len(drawings)),
            "records right": right,
            "precision": right / max(1, right + wrong),
            "exact": sum(each.exact for each in drawn) / max(1, right),
            "coverage": mean([each.coverage for each in drawings] or [0.0]),
            "requests by ideal": sum(each.requests for each in drawn) / max(1, sum(each.ideal for each in drawn)),
            "requests to open": median([each.opening for each in drawn] or [0]),
        },
        "not drawn": dict(Counter(each.why for each in drawings if each.why)),
        "worst": [asdict(each) for each in sorted(drawn, key=lambda each: each.coverage)[:5]],
    }


def table(result: dict[str, Any]) -> str:
    """What was drawn, by family."""
    rows = []
    for family, summed in result["runs"].items():
        figures = summed["figures"]
        rows.append([
            family, f"{figures['doors']}", f"{figures['doors drawn']:.0%}", f"{figures['records right']:,}", f"{figures['precision']:.1%}",
            f"{figures['exact']:.1%}", f"{figures['coverage']:.1%}", f"{figures['requests by ideal']:.2f}", f"{figures['requests to open']:.0f}",
        ])  # fmt: skip
    head = ["family", "doors", "drawn", "records", "precision", "exact", "coverage", "requests / ideal", "to open"]
    return markdown_table(head, rows, numbers=8)


def notes(result: dict[str, Any]) -> str:
    """What a reader must know beside the table."""
    why = {reason: count for summed in result["runs"].values() for reason, count in summed["not drawn"].items()}
    told = "; ".join(f"{reason} ({count})" for reason, count in why.items()) or "none"
    return (
        f"Each door is one database of a simulated web, drawn with `{SELECTOR}` and {BUDGET} requests, those to find out how it answers among them. "
        f"A record is right when 80 % of its values are; it is exact when all are and it has no other (titles that pages make of several values are others). "
        f"Coverage is the part of what {BUDGET} full pages, or the whole database, would show. Doors that were not drawn from: {told}."
    )
