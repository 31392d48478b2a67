"""The names that `import dowse` promises are there and true."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import dowse
from dowse import FetchSettings, FindSettings


@pytest.mark.parametrize("name", dowse.__all__)
def test_public_names_exist(name: str) -> None:
    assert getattr(dowse, name) is not None


def test_unknown_names_are_attribute_errors() -> None:
    with pytest.raises(AttributeError, match="nonsense"):
        _ = dowse.nonsense


async def test_find_as_a_verb(tmp_path: Path) -> None:
    settings = FetchSettings(delay=0, timeout=2, allow_private=True)
    report = await dowse.find(
        ["http://127.0.0.1:9/"], db=str(tmp_path / "a.db"), settings=FindSettings(sites=1), fetching=settings
    )
    assert (report.sites_searched, report.pages) == (1, 0)


def test_help_loads_little() -> None:
    """`dowse --help` answers in a moment because nothing heavy is imported for it."""
    code = "import sys; from dowse.cli.main import run; run(['--help']); heavy = {'pycurl', 'selectolax', 'rich', 'uvloop', 'sqlite3'}; sys.exit(bool(heavy & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, check=False).returncode == 0
