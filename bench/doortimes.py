"""What extraction and judgement of forms add to the time of reading a page; each measurement is a fresh process.

`python -m bench.doortimes real PAGES` and `python -m bench.doortimes crawl SEED FAMILY` print them.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from time import thread_time
from typing import Any

import uvloop

from bench.kindspeed import read_pages
from bench.places import ROOT
from dowse.engine.find import begin_run
from dowse.engine.workers import search_sites
from dowse.fetch.build import wrap_fetch
from dowse.form import doors
from dowse.form.judge import load_models
from dowse.page import document as read
from dowse.seeds.lists import read_seed
from dowse.settings import FindSettings
from dowse.sim import World, simulate
from dowse.step import visit
from dowse.store import open_store
from dowse.train.forms import find_data

SITES = 150
EXTRACTION = ("find_fields", "read_form_text", "read_form")
JUDGEMENT = {"judge_form": "kind", "read_structure": "structure", "names_of": "signature"}


def measure_real() -> dict[str, float]:
    """Read the real pages, each alone."""
    return _ask("real", str(find_data() / "html"))


def measure_crawl(seed: int, family: str) -> dict[str, float]:
    """Search sites of a world as the program does."""
    return _ask("crawl", str(seed), family)


def _ask(*words: str) -> dict[str, float]:
    command = [sys.executable, "-m", "bench.doortimes", *words]
    return dict(json.loads(subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout))


def watch(times: Counter[str]) -> None:
    """From now on, add up the seconds of the parts that read a page and open its doors."""
    for name in EXTRACTION:
        setattr(read, name, _timed(getattr(read, name), "extract", times))
    read.parse = _timed(read.parse, "tree", times)  # type: ignore[assignment]
    visit._read = _timed(visit._read, "whole", times)
    visit.find_doors = _timed(doors.find_doors, "judge", times)  # type: ignore[assignment]
    for name, part in JUDGEMENT.items():
        setattr(doors, name, _timed(getattr(doors, name), part, times))


def _timed(function: Callable[..., Any], name: str, times: Counter[str]) -> Callable[..., Any]:
    def call(*words: Any, **named: Any) -> Any:
        begun = thread_time()
        result = function(*words, **named)
        times[name] += thread_time() - begun  # type: ignore[assignment]
        times[f"{name} calls"] += 1
        return result

    return call


def sum_up(times: Counter[str]) -> dict[str, float]:
    """Return milliseconds of a page, and what extraction and judgement add."""
    pages = times["whole calls"]
    reading, forms = times["whole"] - times["extract"], times["extract"] + times["judge"]
    return {
        "pages": pages,
        "read ms": 1000 * reading / pages,
        "tree ms": 1000 * times["tree"] / pages,
        "extract ms": 1000 * times["extract"] / pages,
        "judge ms": 1000 * times["judge"] / pages,
        **{f"{part} ms": 1000 * times[part] / pages for part in ("kind", "structure", "signature")},
        "share of reading": forms / reading,
        "share of the tree": forms / times["tree"],
    }


def _read_alone(folder: Path) -> None:
    for response in read_pages(folder):
        visit.find_doors(visit._read(response, None, visit.View.PAGE).page)


def _search(seed: int, family: str) -> None:
    world, settings = World(seed, SITES, family=family), FindSettings(jobs=16)

    async def search(db: str) -> None:
        with open_store(db) as store:
            begun = begin_run(store, [read_seed(address) for address in world.addresses()], settings)
            async for _ in search_sites(store, begun, wrap_fetch(simulate(world)).within_site, settings):
                pass

    with TemporaryDirectory() as folder:
        uvloop.run(search(f"{folder}/dowse.db"))


def main(words: list[str]) -> None:
    """Measure what was asked for and print it."""
    times: Counter[str] = Counter()
    load_models()
    watch(times)
    if words[0] == "real":
        _read_alone(Path(words[1]))
    else:
        _search(int(words[1]), words[2])
    print(json.dumps(sum_up(times)))


if __name__ == "__main__":
    main(sys.argv[1:])
