"""The layers of the program, as a list that is kept true: an import against the flow fails here."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

PACKAGE = Path(__file__).parent.parent / "dowse"

# A layer may import the layers above it, never one below or beside it.
LAYERS: tuple[tuple[str, ...], ...] = (
    ("reasons", "errors"),
    ("model",),
    ("url", "submit", "settings", "words", "learn", "tree"),
    ("fetch", "page", "form", "records", "frontier", "topic"),
    ("strategy", "select", "yields", "store", "sim"),
    ("step",),
    ("seeds", "crawl", "source", "sample", "harvester", "example"),
    ("engine", "export", "train"),
    ("serve",),
    ("cli",),
)
LEVEL = {name: level for level, names in enumerate(LAYERS) for name in names}
ROOT_MODULES = {"__init__", "__main__"}


def modules() -> list[Path]:
    return sorted(
        path
        for path in PACKAGE.rglob("*.py")
        if path.relative_to(PACKAGE).parts[0].removesuffix(".py") not in ROOT_MODULES
    )


@cache
def parse(path: Path) -> ast.Module:
    return ast.parse(path.read_text())


def unit_of(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imported_units(path: Path) -> set[str]:
    """Return the packages of Dowse that a module imports, inside functions too."""
    units = set()
    for node in ast.walk(parse(path)):
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = [f"{node.module}.{alias.name}" for alias in node.names] if node.module == "dowse" else [node.module]
        units |= {name.split(".")[1] for name in names if name.startswith("dowse.")}
    return units - {"__version__"}


def test_imports_flow_one_way() -> None:
    for path in modules():
        check_imports(path)


def check_imports(path: Path) -> None:
    unit = unit_of(path)
    assert unit in LEVEL, f"{unit} has no place in the layers"
    for other in imported_units(path) - {unit}:
        assert other in LEVEL, f"{other} has no place in the layers"
        assert LEVEL[other] < LEVEL[unit], f"{unit} may not import {other}: it is not above it"


def test_only_the_store_speaks_sql() -> None:
    for path in modules():
        if unit_of(path) != "store":
            assert "sqlite3" not in path.read_text(), f"{path} touches the database itself"


def test_no_module_is_named_after_nothing() -> None:
    vague = {"utils", "util", "helpers", "helper", "common", "misc", "base", "core", "manager", "handlers"}
    assert not [path for path in modules() if path.stem in vague]


def test_functions_stay_readable() -> None:
    """Fifty lines is the wall."""
    long = []
    for path in modules():
        for node in ast.walk(parse(path)):
            is_function = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
            if is_function and (node.end_lineno or 0) - node.lineno > 50:
                long.append(f"{path.relative_to(PACKAGE)}: {node.name}")
    assert not long
