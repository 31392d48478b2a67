"""`dowse export` and `dowse sites import` where shells put them: pipes, closed streams, odd names."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Dowse

DOWSE = f"{sys.executable} -m dowse"


@pytest.fixture
def many_sites(dowse: Dowse) -> None:
    Path("list").write_text("".join(f"site{number}.example\n" for number in range(20_000)))
    assert dowse("sites", "import", "list").code == 0


@pytest.mark.parametrize("form", ["jsonl", "csv"])
@pytest.mark.usefixtures("many_sites")
def test_a_reader_that_has_seen_enough(form: str) -> None:
    shell = f"{DOWSE} export sites --format {form} | head -n 1; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", shell], capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")


SHELLS = [
    ("a pipe with a name", "sites import <(echo foo.example)", 0),
    ("standard input by name", "sites import /dev/stdin < list", 0),
    ("closed output", "sites >&-", 0),
    ("closed input", "find --seeds - <&-", 2),
]


@pytest.mark.parametrize(("command", "code"), [row[1:] for row in SHELLS], ids=[row[0] for row in SHELLS])
def test_shells(dowse: Dowse, command: str, code: int) -> None:
    Path("list").write_text("a.example\n")
    dowse("sites", "import", "list")
    done = subprocess.run(["bash", "-c", f"{DOWSE} {command}"], capture_output=True, check=False)
    assert b"Traceback" not in done.stderr
    assert done.returncode == code, done.stderr


def test_names_of_files(dowse: Dowse) -> None:
    Path("list").write_text("a.example\n")
    dowse("sites", "import", "list")
    assert dowse("export", "sites", "-o", "rows.csv", "--json").json == {"rows": 1, "output": "rows.csv"}
    assert Path("rows.csv").read_text().startswith("site,state,")
    assert "--format" in dowse("export", "sites", "-o", "rows.xyz").err
    assert dowse("export", "sites", "-o", "-").out.startswith("{")
    assert dowse("export", "sites", "--json").code == 2


@pytest.mark.parametrize("option", ["--delay", "--timeout"])
def test_nan_is_no_number_of_seconds(dowse: Dowse, option: str) -> None:
    outcome = dowse("find", "a.example", option, "nan")
    assert outcome.code == 2
    assert "nan" in outcome.err
