"""What each constant of the room of crawlers by example is worth: `python -m bench.paper3.sensitivity [MODULE...]`.

Every number that a choice in `dowse/example` depends on is halved and doubled one at a time, and crawlers are made for drawn
sites and shapes of development seeds, none of which is reported: what that changes of precision, recall and of the pages that are mapped.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Iterator
from statistics import fmean
from typing import Any

from bench.paper3 import MIN_TARGETS, Crawl, Task, measure, open_drawn_task, open_shape_task
from bench.places import RESULTS
from bench.report import markdown_table
from bench.sensitivity import changed, find_constants, list_changes

DRAWN_SEEDS = (262, 270, 272, 276, 324, 344, 363, 385)  # small sites that rules were looked at on
SHAPES_TRIED: tuple[str, ...] = ()  # such as "near-templates", of family A
SHAPE_SEED = 103  # of family A
MODULES = ("map", "judge", "lists", "learn")  # of the others, numbers bound the work or are of the paper
# Numbers that bound the work, or that only words, forms, data and redesigns depend on.
LEFT_OUT = frozenset(
    "SHOWN_FACTS MAX_FORMS_TRIED MAX_VALUES_TRIED MIN_READER_PAGES KEPT_SAMPLES MAX_OLD_TARGETS_TRIED RELEARN_SAMPLES MIN_IDENTICAL_PAGES"
    " MAX_KEPT_TREES MAX_CLASS_NAMES UNKNOWN_THRESHOLD MAX_PATTERN_VARIANTS".split()
)
FIGURES = ("precision", "recall", "mapped")
MIN_CHANGE = 0.002  # of a figure that is a change


def find_tasks() -> Iterator[Task]:
    """Yield the development sites."""
    drawn = map(open_drawn_task, DRAWN_SEEDS)
    yield from (task for task in drawn if len(task.days[0].targets) >= MIN_TARGETS)
    yield from (open_shape_task(name, SHAPE_SEED, "A") for name in SHAPES_TRIED)


def measure_all(tasks: list[Task]) -> dict[str, float]:
    """Return mean precision and recall of all days, and the mean of the pages that were mapped."""
    rows = [asyncio.run(measure(task)) for task in tasks]
    crawls = [Crawl(**each) for row in rows for each in row["crawls"]]
    return {
        "precision": fmean(each.precision for each in crawls),
        "recall": fmean(each.recall for each in crawls),
        "mapped": fmean(row["generation"] for row in rows),
    }


def compare_constants(tasks: list[Task], modules: tuple[str, ...]) -> dict[str, Any]:
    """Return the figures as they are, and what less and more of each constant changes."""
    usual = measure_all(tasks)
    print(f"as it is: {usual}")
    rows = []
    for constant in find_constants("example"):
        if constant.module not in modules or constant.name in LEFT_OUT:
            continue
        row: dict[str, Any] = {"name": f"{constant.module}.{constant.name}", "value": constant.value}
        for way, value in zip(("less", "more"), list_changes(constant.value), strict=True):
            with changed(constant, value):
                try:
                    own = measure_all(tasks)
                except Exception as error:  # a number that cannot be is part of what is measured
                    own, row[f"{way} fails"] = dict.fromkeys(FIGURES, 0.0), str(error)[:80]
            row[way] = {"value": value, **{name: own[name] - usual[name] for name in FIGURES}}
        print(json.dumps(row), flush=True)
        rows.append(row)
    return {"usual": usual, "rows": rows}


def table(result: dict[str, Any]) -> str:
    """The constants whose change is seen."""
    rows = []
    for row in result["rows"]:
        changes = [row[way][name] for way in ("less", "more") for name in ("precision", "recall")]
        if max(map(abs, changes)) >= MIN_CHANGE:
            cells = [
                f"{row[way][name]:+.3f}" if name != "mapped" else f"{row[way][name]:+.0f}"
                for way in ("less", "more")
                for name in FIGURES
            ]
            rows.append([row["name"], f"{row['value']:g}", f"{row['less']['value']:g}", *cells[:3], f"{row['more']['value']:g}", *cells[3:]])  # fmt: skip
    heads = ["constant", "value", "less", *FIGURES, "more", *FIGURES]
    return markdown_table(heads, rows, numbers=len(heads) - 1)


def main() -> None:
    """Measure, keep what came out, and print the table."""
    result = compare_constants(list(find_tasks()), tuple(sys.argv[1:]) or MODULES)
    (RESULTS / "paper3-sensitivity.json").write_text(json.dumps(result, indent=1) + "\n")
    print(table(result))


if __name__ == "__main__":
    main()
