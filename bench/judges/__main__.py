"""Trains the judges on the folds of FOLDS and writes what they say to OUT: `.bench/learners/bin/python bench/judges FOLDS OUT`."""

from __future__ import annotations

import argparse
import json
import sys
import warnings
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # run as a folder, Python looks in that folder only

from threadpoolctl import threadpool_limits

from bench.judges.folds import read_rows, write_rows
from bench.judges.learners import LEARNERS
from bench.judges.pages import make_rows, read_samples
from bench.judges.shipped import time_shipped
from bench.judges.trials import list_opinions, sum_up, try_judge

SHIPPED = "formasaurus-shipped"
_FIGURES = ("error", "precision", "recall", "f1", "kinds")


def main() -> None:
    """Try the judges one after another, on one core."""
    options = _read_options()
    if options.make_folds:
        write_rows(make_rows(), options.folds)
    samples = read_samples(read_rows(options.folds))
    names = options.judge or [*LEARNERS, SHIPPED]
    with options.out.open("w", encoding="utf-8") as out, threadpool_limits(1), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # learners that end at their last round, as they are set to, say so each time
        for name in names:
            lines = [time_shipped()] if name == SHIPPED else _try(name, samples)
            out.writelines(json.dumps(line) + "\n" for line in lines)
            print(_write_line(lines[-1]), flush=True)


def _try(name: str, samples: list[Any]) -> list[dict[str, Any]]:
    trial = try_judge(name, LEARNERS[name], samples)
    return [*list_opinions(trial), sum_up(trial)]


def _write_line(line: dict[str, Any]) -> str:
    parts = [line["judge"]]
    for weight in ("by_form", "by_domain"):
        if weight in line:
            parts.append(f"{weight}: " + " ".join(_write_figure(name, line[weight][name]) for name in _FIGURES))
    parts += [f"{name} {value:.2f}" for name, value in line.items() if "second" in name and value is not None]
    return "  ".join(parts)


def _write_figure(name: str, value: float | None) -> str:
    return f"{name} {value:.4f}" if value is not None else f"{name} -"


def _read_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="judges", description="Judges of forms to compare with, on given folds.")
    parser.add_argument("folds", type=Path, help="JSON lines: page, form, type, domain, fold")
    parser.add_argument("out", type=Path, help="JSON lines: one for each form and judge, then one for each judge")
    parser.add_argument("--judge", action="append", choices=[*LEARNERS, SHIPPED], help="only this one; may be repeated")
    parser.add_argument("--make-folds", action="store_true", help="write FOLDS first: ten folds by registrable domain")
    return parser.parse_args()


if __name__ == "__main__":
    main()
