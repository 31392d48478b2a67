"""The tables and figures of paper 4 on real databases: interfaces, degrees, selectors, domain statistics, limits, size by overlap."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from bench.harvest.databases import available
from bench.install import Missing
from bench.options import Options
from bench.paper4.degrees import measure_degrees
from bench.paper4.drawings import draw_all
from bench.paper4.facts import EXTENTS
from bench.paper4.figures import judge
from bench.paper4.interfaces import measure_interfaces
from bench.paper4.tables import tell_notes, write_tables
from bench.paper4.trials import keep_database, list_trials, measure_size, run_all

TITLE = "The tables and figures of paper 4"


def run(options: Options) -> dict[str, object]:
    """Measure every part, or with `--parts` those (databases, linked, domain, limits, aborting) beside what was kept."""
    if not available():
        raise Missing("paper4 needs the real databases of ../shared/data (or DOWSE_DATA)")
    extent = EXTENTS[options.extent]
    options.say("  harvests")
    trials = list_trials(extent)
    cells = [asdict(trial) | result for trial, result in run_all(trials, options)]
    options.say("  degrees, and size by overlap")
    degrees, sizes = {}, []
    for name in extent.databases:
        degrees[name] = measure_degrees(keep_database(name, extent.records))
        sizes += [measure_size(name, extent.records, selector) for selector in ("random", "greedy")]
    interfaces = measure_interfaces()
    return {
        "seeds": list(extent.seeds),
        "settings": {"extent": options.extent, **extent.to_json()},
        "interfaces": interfaces,
        "degrees": degrees,
        "missing": len(trials) - len(cells),
        "cells": cells,
        "sizes": sizes,
        "medians": judge(cells, sizes, interfaces),
    }


def table(result: dict[str, Any]) -> str:
    """Every table."""
    return write_tables(result)


def notes(result: dict[str, Any]) -> str:
    """What a reader must know beside the tables."""
    return tell_notes(result)


def plots(result: dict[str, Any]) -> dict[str, str]:
    """A drawing for each figure of the paper."""
    return draw_all(result)
