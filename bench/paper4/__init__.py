"""The tables and figures of paper 4 on real databases: degrees, selectors, domain statistics, limits, size by overlap."""

from __future__ import annotations

from typing import Any

from bench.harvest.databases import available
from bench.install import Missing
from bench.options import Options
from bench.paper4.degrees import measure_degrees
from bench.paper4.drawings import draw_all
from bench.paper4.facts import EXTENTS, LIMITS, LINKED, SMALL, Extent
from bench.paper4.tables import judge, tell_notes, write_tables
from bench.paper4.trials import Trial, measure_size, run_all

TITLE = "The tables and figures of paper 4"


def run(options: Options) -> dict[str, object]:
    """Measure every part, or with `--parts` those (databases, linked, domain, limits) beside what was kept."""
    if not available():
        raise Missing("paper4 needs the real databases of ../shared/data (or DOWSE_DATA)")
    extent = EXTENTS[options.extent]
    options.say("  degrees")
    degrees = {name: measure_degrees(name) for name in extent.databases}
    options.say("  harvests")
    trials = list_trials(extent)
    cells = [name_cell(trial) | result for trial, result in run_all(trials, options)]
    options.say("  size by overlap")
    sizes = [measure_size(name, selector) for name in extent.databases for selector in ("random", "greedy")]
    return {
        "seeds": list(extent.seeds),
        "settings": {"extent": options.extent, **extent.to_json()},
        "degrees": degrees,
        "missing": len(set(trials)) - len(cells),
        "cells": cells,
        "sizes": sizes,
        "medians": judge(cells),
    }


def list_trials(extent: Extent) -> list[Trial]:
    """Return all harvests that are needed."""
    seeds = extent.seeds
    trials = [Trial(name, selector, seeds=seeds) for name in extent.databases for selector in LINKED]
    for kin, name in extent.pairs:
        trials += [Trial(name, "greedy", seeds=seeds)]
        trials += [Trial(name, "domain", kin, share, seeds=seeds) for share in (1.0, SMALL)]
    for kin, name in extent.limited:
        for limit in LIMITS:
            trials += [Trial(name, "greedy", limit=limit, seeds=seeds)]
            trials += [Trial(name, "domain", kin, limit=limit, seeds=seeds)]
    return trials


def name_cell(trial: Trial) -> dict[str, Any]:
    """Return what a trial was."""
    return {
        "database": trial.database, "selector": trial.selector, "kin": trial.kin, "share": trial.share,
        "limit": trial.limit,
    }  # fmt: skip


def table(result: dict[str, Any]) -> str:
    """Every table."""
    return write_tables(result)


def notes(result: dict[str, Any]) -> str:
    """What a reader must know beside the tables."""
    return tell_notes(result)


def plots(result: dict[str, Any]) -> dict[str, str]:
    """A drawing for each figure of the paper."""
    return draw_all(result)
