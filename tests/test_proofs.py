"""Which proofs are run: those of which something they depend on has changed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.proofs import LOCK, find_inputs, find_proof_modules, hash_inputs, read_lock, write_lock

MARK = "pytest.mark." + "proof"
FILES = {
    "constraints.txt": "click==8",
    "README.md": "hello",
    "other.md": "hello",
    "dowse/__init__.py": 'VERBS = {"find": "dowse.engine.find"}',
    "dowse/__main__.py": "import dowse.cli.run",
    "dowse/cli/__init__.py": "",
    "dowse/cli/run.py": 'COMMANDS = {"find": "dowse.cli.find"}\nPROGRAM = "dowse"',
    "dowse/cli/find.py": "from dowse.engine import find",
    "dowse/engine/__init__.py": "",
    "dowse/engine/find.py": "",
    "dowse/page/__init__.py": "",
    "dowse/page/links.py": "def read():\n    from dowse.page import text",
    "dowse/page/text.py": 'LOG = "dowse"',
    "dowse/page/models/links.json": "{}",
    "dowse/form/__init__.py": "",
    "dowse/form/judge.py": "",
    "tests/conftest.py": "import dowse.form",
    "tests/test_page.py": f'import pytest\nfrom dowse.page.links import read\nPROOF_DATA = ("README.md",)\n\n@{MARK}\ndef test(): ...',
    "tests/test_cli.py": f'import subprocess\nMARKS = [{MARK}]\nWORDS = ["-m", "dowse"]',
    "tests/test_plain.py": "def test(): ...",
}
OF_PAGE = {"constraints.txt", "README.md", "dowse/__init__.py", "dowse/page/__init__.py", "dowse/page/links.py", "dowse/page/text.py",
           "dowse/page/models/links.json", "dowse/form/__init__.py", "tests/conftest.py", "tests/test_page.py"}  # fmt: skip
OF_CLI = {"constraints.txt", "dowse/__init__.py", "dowse/__main__.py", "dowse/cli/__init__.py", "dowse/cli/run.py", "dowse/cli/find.py",
          "dowse/engine/__init__.py", "dowse/engine/find.py", "dowse/form/__init__.py", "tests/conftest.py", "tests/test_cli.py"}  # fmt: skip


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def test_modules_with_proofs_are_found(root: Path) -> None:
    assert [path.name for path in find_proof_modules(root)] == ["test_cli.py", "test_page.py"]


@pytest.mark.parametrize(("name", "inputs"), [("test_page", OF_PAGE), ("test_cli", OF_CLI)])
def test_inputs_are_what_is_imported_and_the_data_beside_it(root: Path, name: str, inputs: set[str]) -> None:
    found = find_inputs(root / "tests" / f"{name}.py", root)
    assert {str(path.relative_to(root)) for path in found} == inputs


def test_a_change_of_any_input_is_seen_and_no_other(root: Path) -> None:
    test = root / "tests" / "test_page.py"
    before = hash_inputs(test, root)
    for name, text in FILES.items():
        (root / name).write_text(f"{text}\n")
        assert (hash_inputs(test, root) != before) == (name in OF_PAGE), name
        (root / name).write_text(text)
    assert hash_inputs(test, root) == before


def test_the_lock_is_read_as_it_was_written(tmp_path: Path) -> None:
    lock = tmp_path / "proofs.lock"
    assert read_lock(lock) == {}
    write_lock({"tests/test_b.py": "2", "tests/test_a.py": "1"}, lock)
    assert read_lock(lock) == {"tests/test_b.py": "2", "tests/test_a.py": "1"}
    assert lock.read_text().splitlines() == ["{", ' "tests/test_a.py": "1",', ' "tests/test_b.py": "2"', "}"]


def test_the_lock_of_this_repository_is_well_formed() -> None:
    assert all(re.fullmatch("[0-9a-f]{64}", hashed) for hashed in read_lock(LOCK).values())
    assert all(re.fullmatch(r"tests/[a-z0-9_/]+\.py", name) for name in read_lock(LOCK))
