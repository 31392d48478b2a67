"""Results as JSON, tables as Markdown."""

from __future__ import annotations

import datetime
import json
import os
import platform
import re
import sys
from itertools import pairwise
from pathlib import Path
from types import ModuleType

from bench import install
from bench.places import DOCS, FLOORS, RESULTS
from bench.plots import describe

_RULE = re.compile(r"\|(?: ?:?-{3,}:? ?\|)+")  # the line under the heads of a Markdown table


def describe_machine() -> dict[str, object]:
    """What the figures were taken on."""
    cpu = ""
    facts = Path("/proc/cpuinfo")
    if facts.exists():
        names = [line.partition(":")[2].strip() for line in facts.read_text().splitlines() if "model name" in line]
        cpu = names[0] if names else ""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2**20
    return {
        "cpu": cpu or platform.processor(),
        "cores": os.cpu_count(),
        "memory_mb": memory,
        "system": platform.platform(),
        "python": platform.python_version(),
    }


def keep_result(folder: Path, name: str, result: dict[str, object], repeats: int) -> dict[str, object]:
    """Write the result of an experiment with all that is needed to judge it."""
    whole = {
        "name": name,
        "date": datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
        "command": f"python -m bench {' '.join(sys.argv[1:])}".strip(),
        "machine": describe_machine(),
        "versions": install.list_versions(),
        "repeats": repeats,
        **result,
    }
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.json").write_text(json.dumps(whole, indent=1) + "\n")
    return read_result(folder, name)


def read_result(folder: Path, name: str) -> dict[str, object]:
    """Return what an earlier run has kept."""
    return dict(json.loads((folder / f"{name}.json").read_text()))


def write_page(name: str, experiment: ModuleType, result: dict[str, object]) -> None:
    """Write the page of one experiment."""
    machine: dict[str, object] = result["machine"]  # type: ignore[assignment]
    told = (
        f"Measured {str(result['date'])[:10]} on {machine['cores']} cores ({machine['cpu']}), "
        f"Python {machine['python']}, by `{result['command']}`; "
        f"every run and version is in `bench/results/{name}.json`."
    )
    parts = [f"# {experiment.TITLE}", experiment.table(result), experiment.notes(result), told]
    reached = floors_table(name, result)
    if reached:
        parts.insert(2, f"## Figures to reach\n\n{reached}")
    DOCS.mkdir(parents=True, exist_ok=True)
    parts[2:2] = _write_plots(name, experiment, result)
    (DOCS / f"{name}.md").write_text("\n\n".join(parts) + "\n")


def _write_plots(name: str, experiment: ModuleType, result: dict[str, object]) -> list[str]:
    """Write the plots of an experiment that has some; return the words that show them."""
    if not hasattr(experiment, "plots"):
        return []
    shown = []
    for what, svg in experiment.plots(result).items():
        file = f"{name}-{what}.svg"
        (DOCS / file).write_text(svg)
        shown.append(f"![{describe(svg)}]({file})")
    return shown


def write_index(experiments: dict[str, ModuleType]) -> None:
    """Write the list of all experiments that have a result."""
    rows = []
    for name, experiment in experiments.items():
        if (RESULTS / f"{name}.json").exists():
            result = read_result(RESULTS, name)
            judged = judge_floors(name, result)
            missed = [what for what, _, _, met in judged if not met]
            missed += [f"{head} (nothing measured)" for head in find_empty_tables(experiment.table(result))]
            state = "missed: " + ", ".join(missed) if missed else "all reached" if judged else "none set"
            rows.append([f"[{experiment.TITLE}]({name}.md)", str(result["date"])[:10], state])
    text = "# Measurements\n\nWritten by `python -m bench` (see `bench/README.md`); do not edit.\n\n"
    (DOCS / "README.md").write_text(text + markdown_table(["experiment", "taken", "figures to reach"], rows) + "\n")


def find_empty_tables(text: str) -> list[str]:
    """Return the headings of tables without a row: nothing is reached over what was not measured."""
    found, heading = [], ""
    for line, after in pairwise([*text.splitlines(), ""]):
        heading = line.lstrip("# ") if line.startswith("#") else heading
        if _RULE.fullmatch(line) and not after.startswith("|"):
            found.append(heading or "a table")
    return found


def judge_floors(name: str, result: dict[str, object]) -> list[tuple[str, object, str, bool]]:
    """Compare a result with what must be reached: (what, measured, wanted, whether)."""
    judged: list[tuple[str, object, str, bool]] = []
    for floor in json.loads(FLOORS.read_text()).get(name, []):
        measured = _dig(result, floor["at"])
        low, high = floor.get("least"), floor.get("most")
        met = measured is not None and (low is None or measured >= low) and (high is None or measured <= high)
        wanted = f"at least {low:g}" if low is not None else f"at most {high:g}"
        judged.append((floor["what"], measured, wanted, met))
    return judged


def list_floors() -> tuple[list[str], list[str]]:
    """Return the figures to reach that the kept results reach, and those that they do not, a line each."""
    held: list[str] = []
    missed: list[str] = []
    for name in json.loads(FLOORS.read_text()):
        result = read_result(RESULTS, name) if (RESULTS / f"{name}.json").exists() else {}
        for what, measured, wanted, met in judge_floors(name, result):
            figure = "not measured" if measured is None else f"{measured:.4g}"
            (held if met else missed).append(f"{name}: {what}: {figure} ({wanted})")
    return held, missed


def floors_table(name: str, result: dict[str, object]) -> str:
    """The figures to reach, as a table; empty where there are none."""
    rows = [
        [what, "not measured" if measured is None else f"{measured:,.2f}", wanted, "yes" if met else "**no**"]
        for what, measured, wanted, met in judge_floors(name, result)
    ]
    return markdown_table(["figure", "measured", "wanted", "reached"], rows) if rows else ""


def markdown_table(heads: list[str], rows: list[list[str]], numbers: int = 0) -> str:
    """A Markdown table; the columns after the first that hold numbers stand to the right."""
    rule = ["---:" if 0 < place <= numbers else "---" for place in range(len(heads))]
    return "\n".join("| " + " | ".join(row) + " |" for row in [heads, rule, *rows])


def _dig(result: object, path: str) -> float | None:
    for word in path.split("/"):
        if not isinstance(result, dict) or word not in result:
            return None
        result = result[word]
    return float(result) if isinstance(result, int | float) else None
