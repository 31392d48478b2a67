"""The tables and figures of paper 1 on the web that Dowse was not developed on, beside what the paper measured.

The parts take long; `--parts local,wide` measures only those again, and takes the others as they were kept.
"""

from __future__ import annotations

import datetime
import json
import resource
import time
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from bench.install import Missing
from bench.options import Options
from bench.paper1.cost import run_cost
from bench.paper1.crawls import compare, find_best, run_crawls
from bench.paper1.drawings import draw_all
from bench.paper1.facts import EXTENTS, FAMILY, OURS, Plan
from bench.paper1.finder import run_finder
from bench.paper1.local import judge, run_local
from bench.paper1.real import run_real
from bench.paper1.tables import tell_notes, write_tables
from bench.paper1.wide import list_wide, measure_swing, run_wide, run_wide_ours
from bench.paper1.windows import count_trend, measure_range, run_windows, run_windows_many
from bench.paper1.workers import Say
from bench.places import RESULTS, SCRATCH
from dowse.strategy.learned import MODEL
from dowse.strategy.navmenu import DEFAULT_GROUPS

TITLE = "The tables and figures of paper 1"
PARTS: dict[str, Callable[[Plan, Say], dict[str, Any]]] = {
    "local": run_local,  # Fig. 3, 5, 16, 17
    "real": run_real,
    "wide": run_wide,  # Fig. 18
    "wide-ours": run_wide_ours,
    "windows": run_windows,  # Fig. 19
    "windows-many": run_windows_many,
    "finder": run_finder,  # Fig. 20
    "crawls": run_crawls,  # Fig. 21
    "cost": run_cost,
}
# What of a plan a part depends on, beside the family and the seed; a part that was kept stays as long as that is the same.
USES = {
    "local": ("sites", "site_pages", "trials", "drawn"),
    "real": ("site_pages",),
    "wide": ("wide",),  # how many of them were searched in the time there was stands beside the result
    "wide-ours": ("wide", "wide_ours"),
    "windows": ("local", "world", "site_pages"),
    "windows-many": ("local", "world", "site_pages"),
    "finder": ("found", "world", "list_pages"),
    "crawls": ("world", "crawled"),
    "cost": ("cost", "world"),
}
KEPT = SCRATCH / "paper1"


def run(options: Options, family: str = FAMILY, kept: Path = KEPT) -> dict[str, object]:
    """Measure the parts that are asked for; the others are as they were kept, when their extent was the same."""
    unknown = [name for name in options.parts if name not in PARTS]
    if unknown:
        raise Missing(f"paper1 has no part {unknown[0]}; there are {', '.join(PARTS)}")
    plan = Plan(family, options.seed, EXTENTS[options.extent])
    parts = {}
    for name in PARTS:
        chosen = not options.parts or name in options.parts
        part = measure_part(name, plan, options.say, kept) if chosen else find_kept(name, plan, kept)
        if part:
            parts[name] = part
    return {
        "seeds": [options.seed],
        "settings": {"extent": options.extent, **plan.to_json()},
        "parts": parts,
        "medians": list_figures(parts),
    }


def measure_part(name: str, plan: Plan, say: Say, kept: Path) -> dict[str, Any]:
    """Measure one part and keep it at once."""
    say(f"  {name}")
    begun, busy = time.monotonic(), count_cpu()
    found = PARTS[name](plan, say)
    spent = {"seconds": round(time.monotonic() - begun, 1), "cpu seconds": round(count_cpu() - busy, 1)}
    say(f"  {name}: {spent['seconds']:,.0f} s, {spent['cpu seconds']:,.0f} s of CPU")
    date = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
    told = {"plan": plan.to_json(), "date": date, "model": name_model(), "menus": DEFAULT_GROUPS}
    part = json.loads(json.dumps(told | spent | found))
    kept.mkdir(parents=True, exist_ok=True)
    (kept / f"{name}.json").write_text(json.dumps(part))
    return dict(part)


def name_model() -> str:
    """Return a short name for the model that our strategy had."""
    return f"{zlib.crc32(MODEL.read_bytes()):08x}"


def count_cpu() -> float:
    """Return the CPU seconds of this process and of those it has started and that have ended."""
    whose = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    return sum(used.ru_utime + used.ru_stime for used in map(resource.getrusage, whose))


def find_kept(name: str, plan: Plan, kept: Path) -> dict[str, Any] | None:
    """Return a part as it was kept by the last run of which its extent was the same, or None."""
    whole = RESULTS / "paper1.json"
    parts = [json.loads(path.read_text()) for path in [kept / f"{name}.json"] if path.exists()]
    if whole.exists():
        parts.append(json.loads(whole.read_text())["parts"].get(name, {}))
    now = plan.to_json()
    uses = ("family", "seed", *USES.get(name, now))
    return next((part for part in parts if part and all(part["plan"].get(use) == now[use] for use in uses)), None)


def list_figures(parts: dict[str, Any]) -> dict[str, Any]:
    """Return the figures that can have a floor."""
    found: dict[str, Any] = {}
    if "local" in parts:
        found["local"] = judge(parts["local"]["strategies"])
        found["local"]["least of trials inside"] = min(
            parts["local"]["trials"][figure]["inside"] for figure in ("harvest", "coverage")
        )
    if "real" in parts:
        found["real"] = {objects: judge(parts["real"]["all"][objects]) for objects in ("forms", "searchable")}
    if "wide" in parts:
        found["wide"] = {
            f"swing of {name}": measure_swing(one["points"]) for name, one in parts["wide"]["strategies"].items()
        }
    windows = {name: parts[name]["settings"] for name in ("windows", "windows-many") if name in parts}
    found |= {name: count_trend(some) | measure_range(some) for name, some in windows.items()}
    if "finder" in parts:
        found["finder"] = {start: parts["finder"][start]["harvest"] for start in ("seeds", "list")}
    if "crawls" in parts:
        found["crawls"] = list_ratios(parts)
    if "cost" in parts:
        found["cost"] = find_worst(parts["cost"])
    return found


def list_ratios(parts: dict[str, Any]) -> dict[str, float]:
    """Return the best site-based harvest over each page-based one: from the same seeds, and with all sites given."""
    ways = parts["crawls"]["ways"]
    found = {f"over {order}": times for order, times in compare(ways, find_best(ways)).items()}
    if "wide" in parts:
        alone = compare(ways, find_best(list_wide(parts)))
        found |= {f"Form Finder alone over {order}": times for order, times in alone.items()}
    return found


def find_worst(cost: dict[str, Any]) -> dict[str, float]:
    """Return the largest part of a page's time that decisions take: of any strategy, and of ours."""
    ways = [way for way in cost.values() if isinstance(way, dict) and OURS in way]
    return {
        "worst share": max(one["share"] for way in ways for one in way.values()),
        "worst share of ours": max(way[OURS]["share"] for way in ways),
    }


def table(result: dict[str, Any]) -> str:
    """Every table beside the paper's numbers."""
    return write_tables(result["parts"])


def notes(result: dict[str, Any]) -> str:
    """What a reader must know beside the tables."""
    return tell_notes(result)


def plots(result: dict[str, Any]) -> dict[str, str]:
    """A drawing for each figure of the paper."""
    return draw_all(result["parts"])
