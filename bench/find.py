"""What Dowse finds of a web it was not developed on: coverage, precision and harvest by how deep it looks.

Every site of world B is given as a seed, so that what is measured is the search inside sites.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import uvloop

from bench.intervals import explain_intervals, measure_interval, write_interval
from bench.options import Options
from bench.places import SCRATCH, empty_folder
from bench.plots import Series, draw, paint_lines
from bench.report import markdown_table
from dowse.engine.find import begin_run, build_report
from dowse.engine.job import FindRun
from dowse.engine.workers import search_sites
from dowse.fetch.build import wrap_fetch
from dowse.seeds.lists import read_seed
from dowse.settings import FindSettings
from dowse.sim import World, simulate
from dowse.sim.score import Found, read_found, score_forms
from dowse.sim.truth import FormTruth, SiteTruth
from dowse.store import Store, open_store
from dowse.strategy import STRATEGIES

TITLE = "What is found on the web it was not developed on"
FAMILY = "B"
DEPTHS = (0, 1, 2, 3)
DEEPEST = f"exhaustive:{DEPTHS[-1]}"
FIGURES = ("coverage", "precision", "harvest", "pages")
GROUPS = ("made", "way", "depth", "language", "judged")
FOUND, UNSEEN = "database", "not seen"


@dataclass(frozen=True, slots=True)
class Extent:
    """How much is searched."""

    sites: int
    seeds: int


EXTENTS = {"short": Extent(sites=150, seeds=3), "full": Extent(sites=500, seeds=5)}


def list_strategies() -> list[str]:
    """Return exhaustive search to each depth, and every other strategy as it comes."""
    others = [name for name in STRATEGIES if name != "exhaustive"]
    return [*(f"exhaustive:{depth}" for depth in DEPTHS), *others]


def run(options: Options) -> dict[str, object]:
    """Search with every strategy, once for each seed."""
    extent = EXTENTS[options.extent]
    seeds = [options.seed + repeat for repeat in range(max(options.repeats, extent.seeds))]
    runs: dict[str, list[dict[str, Any]]] = {}
    for seed in seeds:
        for strategy in list_strategies():
            facts = search(seed, extent.sites, strategy)
            runs.setdefault(strategy, []).append(facts)
            options.say(f"  seed {seed} {strategy}: " + ", ".join(f"{name} {facts[name]:.3f}" for name in FIGURES))
    intervals = {
        name: {figure: measure_interval([each[figure] for each in some]).to_json() for figure in FIGURES}
        for name, some in runs.items()
    }
    return {
        "seeds": seeds,
        "settings": {"family": FAMILY, "sites": extent.sites, "extent": options.extent},
        "runs": runs,
        "intervals": intervals,
        "medians": {name: {figure: intervals[name][figure]["median"] for figure in FIGURES} for name in runs},
    }


def search(seed: int, sites: int, strategy: str) -> dict[str, Any]:
    """Search one world in this process and compare with the truth."""
    world, settings = World(seed, sites, family=FAMILY), FindSettings(strategy=strategy, jobs=16, finder=0)
    database = empty_folder(SCRATCH / "runs" / "find") / "dowse.db"
    found, pages = _collect(world, settings, database)
    score = score_forms(found, world.truth())
    by_site: dict[str, list[Found]] = {}
    for each in found:
        by_site.setdefault(each[0].rstrip("/"), []).append(each)
    return {
        "coverage": score.recall,
        "precision": score.precision,
        "harvest": score.right / pages,
        "pages": pages,
        "reachable": score.reachable,
        "right": score.right,
        "wrong": score.wrong,
        "groups": count_groups(world, by_site),
    }


def _collect(world: World, settings: FindSettings, database: Path) -> tuple[list[Found], int]:
    with open_store(str(database)) as store:
        begun = begin_run(store, [read_seed(address) for address in world.addresses()], settings)
        uvloop.run(_search(store, begun, world, settings))
        return read_found(store.forms()), build_report(store, 0.0).pages


async def _search(store: Store, begun: FindRun, world: World, settings: FindSettings) -> None:
    async for _ in search_sites(store, begun, wrap_fetch(simulate(world)).within_site, settings):
        pass


def count_groups(world: World, by_site: dict[str, list[Found]]) -> dict[str, dict[str, list[int]]]:
    """Count for each way a query form can be, and for what it was taken for, how many were found of those there are."""
    there: dict[str, Counter[str]] = {group: Counter() for group in GROUPS}
    right: dict[str, Counter[str]] = {group: Counter() for group in GROUPS}
    for truth in world.truth():
        for form in truth.forms:
            if form.kind != "database" or form.same_as or not form.reachable:
                continue
            judged = find_judged(form, by_site.get(truth.site, []))
            for group, value in _describe(form, truth, judged).items():
                there[group][value] += 1
                right[group][value] += judged == FOUND
    return {
        group: {value: [right[group][value], there[group][value]] for value in sorted(there[group])} for group in GROUPS
    }


def find_judged(form: FormTruth, found: list[Found]) -> str:
    """Return what Dowse took a form for, by the rule of the score: its address and its fields, buttons aside."""
    wanted, buttons = set(form.fields), set(form.buttons)
    kinds = [kind for _, kind, action, names in found if action == form.action and set(names) - buttons == wanted]
    return FOUND if FOUND in kinds else kinds[0] if kinds else UNSEEN


def _describe(form: FormTruth, truth: SiteTruth, judged: str) -> dict[str, str]:
    return {
        "made": form.made,
        "way": form.way,
        "depth": str(form.depth),
        "language": truth.language,
        "judged": judged,
    }


def table(result: dict[str, Any]) -> str:
    """One row for each strategy, then what the deepest one missed."""
    forms = {"coverage": ".1%", "precision": ".1%", "harvest": ".4f", "pages": ",.0f"}
    rows = [
        [f"`{name}`", *(write_interval(figures[figure], forms[figure]) for figure in FIGURES)]
        for name, figures in result["intervals"].items()
    ]
    first = markdown_table(["strategy", *FIGURES], rows, numbers=4)
    return f"{first}\n\n## What `{DEEPEST}` found and missed\n\n{_groups_table(result)}"


def _groups_table(result: dict[str, Any]) -> str:
    rows = []
    for group in GROUPS:
        values = {value for one in result["runs"][DEEPEST] for value in one["groups"][group]}
        for value in sorted(values):
            pairs = [one["groups"][group].get(value, [0, 0]) for one in result["runs"][DEEPEST]]
            right, there = (sum(column) for column in zip(*pairs, strict=True))
            rows.append([f"{group}: {value}", f"{there}", f"{right}", f"{there - right}", f"{right / there:.1%}"])
    return markdown_table(["query forms", "there are", "found", "missed", "coverage"], rows, numbers=4)


def notes(result: dict[str, Any]) -> str:
    """What a reader must know beside the table."""
    first = result["intervals"][DEEPEST]["coverage"]
    return (
        f"{result['settings']['sites']} sites of family {FAMILY}, each given as a seed: nothing in Dowse was chosen by looking at this family. "
        f"{explain_intervals(first, 'seeds')} Coverage is the part of the query forms that a polite crawler can reach, at any "
        "depth and however they are made; precision the part of the forms said to be query forms that are; harvest the "
        "query forms found for each page fetched. The second table adds up all seeds: *made* by a script or without a form "
        "element needs more than forms in HTML, *way* is how a person gets to the form's page, *judged* what Dowse took it for; not seen are forms "
        "that no page it read showed as a form with that address and those fields."
    )


def plots(result: dict[str, Any]) -> dict[str, str]:
    """Coverage and harvest by depth, with their intervals."""

    def paint(axes: list[Any]) -> None:
        for axis, figure, factor, unit in zip(axes, ("coverage", "harvest"), (100, 1), (" (%)", ""), strict=True):
            some = [result["intervals"][f"exhaustive:{depth}"][figure] for depth in DEPTHS]
            values, lows, highs = ([factor * each[end] for each in some] for end in ("median", "low", "high"))
            paint_lines(axis, DEPTHS, [Series(figure, values, lows, highs)])
            axis.set(title=f"{figure}{unit}", xlabel="depth searched to")
            axis.set_ylim(0, 100 if factor == 100 else None)

    return {"depth": draw("Lines: coverage and harvest of exhaustive search on family B by depth", 2, paint)}
