"""Requests that selectors need to draw real databases, with and without limits, and what choosing costs."""

from __future__ import annotations

from typing import Any, Final

from bench.harvest.compare import MARKS, OURS, PAPER, Setting, judge, judge_limit, run_all
from bench.harvest.databases import DATABASES, available
from bench.harvest.speed import run_speed
from bench.harvest.tables import draw_curves, write_limits, write_ratios, write_requests, write_speed
from bench.install import Missing
from bench.options import Options

TITLE = "Drawing real databases with few requests"
FEW: Final = ("goodbooks", "vehicles", "movies")
LIMITS: Final = (0, 50, 10)
SEEDS: Final = 4  # as in the paper
TIMED: Final = ("greedy", "mmmi", "domain", OURS)


def run(options: Options) -> dict[str, object]:
    """Draw the databases with every selector; the short run takes three of them and leaves out the large sources.

    What was kept of an earlier run with the same selectors is not drawn again; with `--parts`, only those (databases,
    sources such as movies/50, or speed) are drawn beside what was kept.
    """
    if not available():
        raise Missing("the databases of ../shared/data/db are not on this machine")
    names = tuple(DATABASES) if options.extent == "full" else FEW
    seeds = tuple(range(options.seed, options.seed + SEEDS))
    cells, missing = run_all([Setting(name, limit, seeds) for limit in LIMITS for name in names], options)
    speed = run_speed(TIMED, options.parts) if options.extent == "full" else {}
    return {
        "seeds": list(seeds),
        "settings": {"extent": options.extent, "page size": 10, "limits": list(LIMITS)},
        "missing": missing,
        "cells": cells,
        "speed": speed,
        "medians": list_figures(cells, speed),
    }


def list_figures(cells: dict[str, Any], speed: dict[str, Any]) -> dict[str, Any]:
    """Return the figures that can have a floor: the worst of all databases."""
    judged = [judge(cell) for cell in cells.values() if not cell["limit"]]
    found: dict[str, Any] = {
        key: find_worst([one[key] for one in judged])
        for key in (judged[0] if judged else {})
        if "full pages" not in key
    }
    free = {cell["database"]: cell for cell in cells.values() if not cell["limit"]}
    limited = [
        judge_limit(cell, free[cell["database"]])
        for cell in cells.values()
        if cell["limit"] and cell["database"] in free
    ]
    for goal in ("of 90 %", "of what can be reached"):
        found[f"lost {goal} at a limit, over greedy"] = find_worst(
            [one.get(f"ours over greedy {goal}") for one in limited]
        )
    found["largest milliseconds for a choice"] = find_worst(
        [one["milliseconds"] for one in speed.get("choices", {}).values()]
    )
    found["largest megabytes"] = find_worst([one["megabytes"] for one in speed.get("choices", {}).values()])
    found["seconds for a large harvest"] = speed.get("whole", {}).get(OURS, {}).get("seconds")
    return found


def find_worst(figures: list[float | None]) -> float | None:
    """Return the largest figure there is."""
    return max((each for each in figures if each is not None), default=None)


def table(result: dict[str, Any]) -> str:
    """Every table."""
    cells, speed = result["cells"], result["speed"]
    parts = [f"## Requests to {mark} % of all records\n\n{write_requests(cells, mark)}" for mark in (90, 95)]
    parts.insert(0, f"## `{OURS}` beside the others, without a limit\n\n{write_ratios(cells)}")
    parts.append(f"## What limits cost\n\n{write_limits(cells)}")
    if speed.get("choices"):
        parts.append(f"## Choosing in a large source\n\n{write_speed(speed)}")
    if speed.get("whole"):
        whole = speed["whole"][OURS]
        parts.append(
            f"`{OURS}` draws {whole['records']:,} records with {whole['requests']:,} requests and {whole['queries']:,} queries "
            f"in {whole['seconds']:,.0f} s ({whole['choosing seconds']:,.0f} s of it choosing), {whole['megabytes']:,} MB."
        )
    return "\n\n".join(parts)


def notes(result: dict[str, Any]) -> str:
    """What a reader must know beside the tables."""
    marks = ", ".join(f"{mark} %" for mark in MARKS)
    return (
        f"Requests are means over {len(result['seeds'])} seeds, at {marks} of all records; a harvest that did not come so far "
        f"within 12 times the pages of the whole has no figure, and the best of the paper's ({', '.join(PAPER)}) is taken among those "
        "that have one. `all-knowing` asks again and again for the value with the most new records for a request and knows them all; "
        "it looks one query ahead, so who asks for one attribute that parts the source can need less. *Full pages* is what a selector would need "
        "that never brought a record twice: no ratio can be below it. What a limit loses: the part of "
        "90 % of the records that is not drawn with the requests that greedy needed for 90 % without a limit; once as it is, once of what "
        "can be reached from the seed, where that is less. All boxes of the form can be filled together; only `auto` does. Joins reach a record "
        "that its rarest values together show, each of which can be met. The parameters were chosen on the databases that say so."
        + (f" Not measured: {', '.join(result['missing'])}." if result["missing"] else "")
    )


def plots(result: dict[str, Any]) -> dict[str, str]:
    """The curves of some databases."""
    return draw_curves(result["cells"])
