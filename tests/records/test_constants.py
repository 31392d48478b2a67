"""Every number that a choice in `dowse/records` depends on says what it counts, and the lines above it where it comes from."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import dowse.records

MODULES = sorted(Path(dowse.records.__file__).parent.glob("*.py"))
_NUMBER = re.compile(r"[A-Z][A-Z0-9_]+: Final(?:\[\w+\])? = (?:\(\s*)?-?[\d.]")


def find_untold(source: str) -> list[str]:
    """Return the numbers of a module without a unit, or without a source above the block that they stand in."""
    untold = []
    for block in source.split("\n\n"):
        for found in re.finditer(rf"^{_NUMBER.pattern}.*", block, re.MULTILINE):
            lines = block[found.start() :].split("\n")[:3]
            has_unit = "#" in (" ".join(lines) if lines[0].endswith("(") or "(" in lines[0][:60] else lines[0])
            if not has_unit or not re.search(r"^# ", block[: found.start()], re.MULTILINE):
                untold.append(found[0])
    return untold


@pytest.mark.parametrize("module", MODULES, ids=lambda path: path.stem)
def test_numbers_say_what_they_count_and_where_they_come_from(module: Path) -> None:
    assert not find_untold(module.read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("source", "count"),
    [
        pytest.param("# Measured.\nLEAST: Final = 3  # records", 0, id="told"),
        pytest.param("LEAST: Final = 3  # records", 1, id="without a source"),
        pytest.param("# Measured.\nLEAST: Final = 3", 1, id="without a unit"),
        pytest.param("# Measured.\nONE: Final = 3  # records\nTWO: Final = 0.5  # of them", 0, id="two of one source"),
    ],
)
def test_what_is_not_told_is_found(source: str, count: int) -> None:
    assert len(find_untold(source)) == count
