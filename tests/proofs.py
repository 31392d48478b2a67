"""Slow proofs, run when what they prove has changed: `python -m tests.proofs` (`--all` before a release).

A proof is a test marked `proof`. What a test module with proofs depends on is read from its source: the modules of this
repository that it imports, those that these import, the data files beside them, the files it names in `PROOF_DATA`, and the
versions of all packages. `proofs.lock` keeps a hash of that for each module whose proofs passed, so a clone in which nothing
of it changed runs none.
"""

from __future__ import annotations

import argparse
import ast
import hashlib
import json
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
LOCK = Path(__file__).with_name("proofs.lock")
PACKAGES = ("dowse", "tests", "bench")
ALWAYS = ("constraints.txt",)  # a new version of a parser may undo a proof as well as a line of ours


def find_proof_modules(root: Path = ROOT) -> list[Path]:
    """Return the test modules that hold a proof."""
    return [path for path in sorted((root / "tests").rglob("test_*.py")) if _has_proof(ast.parse(path.read_text()))]


def _has_proof(module: ast.Module) -> bool:
    """Return True if `pytest.mark.proof` is written anywhere."""
    return any(
        isinstance(node, ast.Attribute) and ast.unparse(node) == "pytest.mark.proof" for node in ast.walk(module)
    )


def find_inputs(test: Path, root: Path = ROOT) -> list[Path]:
    """Return the files that a test module depends on, itself included."""
    waiting = [test, *(folder / "conftest.py" for folder in test.parents if folder.is_relative_to(root))]
    found: set[Path] = set()
    while waiting:
        path = waiting.pop()
        if path not in found and path.exists():
            found.add(path)
            waiting += _find_imported(path, root)
    named = [root / name for name in (*ALWAYS, *_read_data_names(test))]
    return sorted(found | set(_find_data_beside(found, root)) | {path for path in named if path.exists()})


@cache
def _find_imported(path: Path, root: Path) -> list[Path]:
    """Return the files of the modules that a module names, and the packages they stand in.

    A string that is a module's name counts, as commands are imported by name; not so in `dowse/__init__.py`, whose names are
    imported when somebody asks for one. So does, outside of the package itself, the "dowse" of `python -m dowse`.
    """
    names: set[str] = set()
    is_top = path == root / "dowse" / "__init__.py"
    for node in ast.walk(ast.parse(path.read_text())):
        match node:
            case ast.Import():
                names |= {alias.name for alias in node.names}
            case ast.ImportFrom(module=str(module)):
                names |= {module, *(f"{module}.{alias.name}" for alias in node.names)}
            case ast.Constant(value="dowse" | "bench") if not path.is_relative_to(root / node.value):
                names.add(f"{node.value}.__main__")
            case ast.Constant(value=str(text)) if "." in text and not is_top:
                names.add(text)
    return [file for name in names for file in _find_files_of(name, root)]


def _find_files_of(name: str, root: Path) -> Iterator[Path]:
    parts = name.split(".")
    if parts[0] not in PACKAGES or not all(part.isidentifier() for part in parts):
        return
    yield root.joinpath(*parts).with_suffix(".py")
    for length in range(1, len(parts) + 1):
        yield root.joinpath(*parts[:length], "__init__.py")


def _find_data_beside(modules: Iterable[Path], root: Path) -> Iterator[Path]:
    """Yield the data files of the program's packages: models, words, examples."""
    for folder in {path.parent for path in modules if path.is_relative_to(root / "dowse")}:
        for path in folder.rglob("*"):
            if path.is_file() and path.suffix not in (".py", ".pyc") and _package_of(path) == folder:
                yield path


def _package_of(path: Path) -> Path:
    return next(folder for folder in path.parents if (folder / "__init__.py").exists())


def _read_data_names(test: Path) -> tuple[str, ...]:
    """Return what a test module lists as `PROOF_DATA`: files and folders, from the root of the repository."""
    for node in ast.parse(test.read_text()).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "PROOF_DATA":
            names: tuple[str, ...] = ast.literal_eval(node.value)
            return names
    return ()


def hash_inputs(test: Path, root: Path = ROOT) -> str:
    """Return one hash of the names and contents of all that a test module depends on."""
    total = hashlib.sha256()
    for path in find_inputs(test, root):
        total.update(f"{path.relative_to(root)}\0{hashlib.sha256(path.read_bytes()).hexdigest()}\n".encode())
    return total.hexdigest()


def read_lock(path: Path = LOCK) -> dict[str, str]:
    """Return the hash under which each module's proofs passed."""
    passed: dict[str, str] = json.loads(path.read_text()) if path.exists() else {}
    return passed


def write_lock(passed: Mapping[str, str], path: Path = LOCK) -> None:
    """Write one line per module, in order of their names, so that two branches seldom meet in a line."""
    path.write_text(json.dumps(dict(sorted(passed.items())), indent=1) + "\n")


@dataclass
class Outcomes:
    """A pytest plug-in that notes which modules did not prove all they have: a skipped proof is none."""

    unproven: set[str] = field(default_factory=set)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note a failed or skipped test."""
        if not report.passed:
            self.unproven.add(report.nodeid.partition("::")[0])


def prove(modules: Iterable[str], options: Iterable[str]) -> tuple[int, set[str]]:
    """Run the proofs of some modules; give pytest's exit code and the modules that are not proven."""
    outcomes = Outcomes()
    code = pytest.main(["-m", "proof", "-n", "2", "--dist", "loadgroup", *options, *modules], plugins=[outcomes])
    return int(code), outcomes.unproven


def main(arguments: list[str]) -> int:
    """Run the proofs whose inputs have changed, and write down which passed."""
    parser = argparse.ArgumentParser(prog="make proofs", description=main.__doc__)
    parser.add_argument("--all", action="store_true", help="run those whose inputs have not changed, too")
    parser.add_argument("--list", action="store_true", help="only name the modules whose proofs would be run")
    chosen, options = parser.parse_known_args(arguments)
    now = {str(path.relative_to(ROOT)): hash_inputs(path) for path in find_proof_modules()}
    before = read_lock()
    changed = [name for name in now if chosen.all or before.get(name) != now[name]]
    print(f"proofs: {len(changed)} of {len(now)} test modules changed since they were proven", *changed, sep="\n  ")
    if chosen.list or not changed:
        return 0
    code, unproven = prove(changed, options)
    if code in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED):
        kept = {name: before[name] for name in now if name in before and name not in changed}
        write_lock(kept | {name: now[name] for name in changed if name not in unproven})
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
