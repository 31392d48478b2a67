"""How many rooms the house has, and how many of them a page passes: counted, not timed.

A page is watched from the request for it to the next request, with `sys.setprofile`: every function and file of
Dowse that runs in between, the simulated web and the wire left out. Functions are counted once each, however often they run.
"""

from __future__ import annotations

import ast
import asyncio
import statistics
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import dowse
from bench.options import Options
from bench.report import markdown_table
from dowse.settings import ConnectTo
from dowse.sim import World, serve
from dowse.sim.shapes import open_shape

TITLE = "Rooms: files, and what a page passes"
PACKAGE = Path(dowse.__file__).parent
WORLD = {"seed": 1, "sites": 300}
SEARCHED = 40  # sites that are searched while it is watched
ASKED = "Http.__call__"  # where a page is asked for
JUDGED = "judge_form"  # runs when a form is new
WITHOUT = ("sim",)  # not counted: the simulated web
WIRE = ("fetch/http.py", "fetch/encoding.py")
SHAPE = "categories-pages"


@dataclass(slots=True)
class Watch:
    """What ran between one request and the next."""

    windows: list[set[CodeType]] = field(default_factory=list)
    urls: list[str] = field(default_factory=list)

    def __call__(self, frame: FrameType, event: str, _: Any) -> None:
        code = frame.f_code
        if event != "call" or not code.co_filename.startswith(f"{PACKAGE}/"):
            return
        if code.co_qualname == ASKED and frame.f_lasti < 10:  # a coroutine that is resumed is called again
            self.windows.append(set())
            self.urls.append(str(frame.f_locals.get("request", "")))
        if self.windows:
            self.windows[-1].add(code)

    def pages(self) -> list[set[CodeType]]:
        """Return what ran for each page; robots.txt is none."""
        return [
            {code for code in window if not _place(code).startswith(("sim/", *WIRE))}
            for window, url in zip(self.windows, self.urls, strict=True)
            if "robots.txt" not in url
        ]


def run(options: Options) -> dict[str, Any]:
    """Count files and single siblings; watch a search, a harvest and a crawler by example."""
    pages = asyncio.run(_watch_search())
    with_form = [page for page in pages if any(code.co_name == JUDGED for code in page)]
    answers, followed = asyncio.run(_watch_harvest()), asyncio.run(_watch_follow())
    return {
        "structure": count_structure(),
        "passed": {
            "page": _figures(pages, statistics.median),
            "page with a new form": _figures(with_form, statistics.median),
            "answer": _figures(answers, statistics.median),
            "followed page": _figures(followed, statistics.median),
        },
    }


def _figures(pages: list[set[CodeType]], of: Callable[[list[int]], float]) -> dict[str, float]:
    functions = [sum(not code.co_name.startswith("<") for code in page) for page in pages]
    files = [len({code.co_filename for code in page}) for page in pages]
    return {"pages": len(pages), "functions": of(functions), "files": of(files)}


def _place(code: CodeType) -> str:
    return str(Path(code.co_filename).relative_to(PACKAGE))


async def _watch_search() -> list[set[CodeType]]:
    world = World(**WORLD)
    async with serve(world) as port:
        with tempfile.TemporaryDirectory() as folder:
            watch = Watch()
            settings = dowse.FindSettings(jobs=1, sites=SEARCHED)
            seeds = list(world.seeds())
            await _watched(watch, dowse.find(seeds, db=f"{folder}/a.db", settings=settings, fetching=_own(port)))
    return watch.pages()


async def _watch_harvest() -> list[set[CodeType]]:
    world = World(**WORLD)
    async with serve(world) as port:
        with tempfile.TemporaryDirectory() as folder:
            watch = Watch()
            target = "http://tidal.guide111.example/p244_catalogue-of-country-houses.htm"
            await _watched(watch, dowse.harvest(target, db=f"{folder}/a.db", fetching=_own(port)))
    return watch.pages()[4:]  # the first ones open the door


async def _watch_follow() -> list[set[CodeType]]:
    shape = open_shape(SHAPE, family="A")
    async with serve(shape) as port:
        with tempfile.TemporaryDirectory() as folder:
            watch = Watch()
            learned = await dowse.like(shape.samples[:1], shape.truth.entry, fetching=_own(port))
            await _watched(watch, dowse.follow(learned.pattern, db=f"{folder}/a.db", fetching=_own(port)))
    return watch.pages()


async def _watched(watch: Watch, work: Any) -> None:
    sys.setprofile(watch)
    try:
        await work
    finally:
        sys.setprofile(None)


def _own(port: int) -> Any:
    return dowse.FetchSettings(delay=0, allow_private=True, connect_to=(ConnectTo("*", "127.0.0.1", port),))


def count_structure() -> dict[str, Any]:
    """Count files, modules with one importer that is their sibling, and class names that occur twice."""
    files = [path for path in sorted(PACKAGE.rglob("*.py")) if path.relative_to(PACKAGE).parts[0] not in WITHOUT]
    trees = {_module(path): ast.parse(path.read_text()) for path in files}
    importers: dict[str, set[str]] = defaultdict(set)
    for name, tree in trees.items():
        for imported in _imports(tree, trees):
            importers[imported].add(name)
    single = [
        name
        for name, found in importers.items()
        if len(found) == 1 and name.rpartition(".")[0] in {each.rpartition(".")[0] for each in found}
    ]
    classes = Counter(n.name for tree in trees.values() for n in ast.walk(tree) if isinstance(n, ast.ClassDef))
    return {
        "files": len(files),
        "lines": sum(len(path.read_text().splitlines()) for path in files),
        "one sibling only": len(single),
        "class names that occur twice": sum(count > 1 for count in classes.values()),
        "which siblings": sorted(single),
        "which classes": sorted(name for name, count in classes.items() if count > 1),
    }


def _module(path: Path) -> str:
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _imports(tree: ast.Module, known: dict[str, ast.Module]) -> set[str]:
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            found |= {full if (full := f"{node.module}.{alias.name}") in known else node.module for alias in node.names}
        elif isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
    return found & set(known)


def table(result: dict[str, Any]) -> str:
    """Write both counts."""
    structure = result["structure"]
    rows = [
        [name, str(structure[name])] for name in ("files", "lines", "one sibling only", "class names that occur twice")
    ]
    passed = [
        [name, str(each["pages"]), f"{each['functions']:g}", f"{each['files']:g}"]
        for name, each in result["passed"].items()
    ]
    return "\n\n".join(
        (
            markdown_table(["without the simulated web", ""], rows),
            markdown_table(["what", "seen", "functions", "files"], passed),
        )
    )


def notes(result: dict[str, Any]) -> str:
    """Describe how it was counted."""
    return (
        "Functions and files of Dowse between one request over HTTP and the next, each counted once, comprehensions and "
        "lambdas left out; medians. Files count `__init__`."
    )
