"""How long a user waits: for `dowse --help`, and for the whole demo."""

from __future__ import annotations

import json
from statistics import median

from bench.options import Options
from bench.places import DOWSE, SCRATCH, empty_folder
from bench.report import markdown_table
from bench.timing import run_command

TITLE = "Start and demo"
HELP_RUNS = 10


def run(options: Options) -> dict[str, object]:
    """Time both, each run in a folder of its own."""
    helps = [_time("help", ["--help"]) for _ in range(HELP_RUNS)]
    demos = [_time("demo", ["demo", "--no-serve", "--json"]) for _ in range(options.repeats)]
    runs = {"help": helps, "demo": demos}
    medians = {
        name: median(one["seconds"] for one in some if not one["code"]) for name, some in runs.items() if _fine(some)
    }
    return {"seeds": {}, "runs": runs, "medians": medians}


def table(result: dict[str, object]) -> str:
    """Both medians."""
    runs: dict[str, list[dict[str, object]]] = result["runs"]  # type: ignore[assignment]
    medians: dict[str, float] = result["medians"]  # type: ignore[assignment]
    said = {"help": "`dowse --help`", "demo": "`dowse demo --no-serve --json`"}
    rows = [
        [said[name], f"{medians[name]:.2f}" if name in medians else "failed", str(len(some)), f"{_most_rss(some):.0f}"]
        for name, some in runs.items()
    ]
    return markdown_table(["command", "median s", "runs", "most RSS MB"], rows, numbers=3)


def notes(result: dict[str, object]) -> str:
    """What a reader must know beside the table."""
    return "Wall time of the process, from start to end, on no particular core."


def _time(name: str, words: list[str]) -> dict[str, object]:
    folder = empty_folder(SCRATCH / "runs" / f"startup-{name}")
    ran = run_command([str(DOWSE), *words], folder)
    facts = {"code": ran.code, "seconds": ran.seconds, "cpu": ran.cpu, "rss_mb": ran.rss_mb, "load": ran.load}
    if ran.code:
        return facts | {"error": ran.stderr.strip()[-300:]}
    return facts | {"said": json.loads(ran.stdout)} if name == "demo" else facts


def _fine(runs: list[dict[str, object]]) -> bool:
    return any(not one["code"] for one in runs)


def _most_rss(runs: list[dict[str, object]]) -> float:
    return max(float(one["rss_mb"]) for one in runs)  # type: ignore[arg-type]
