"""What doors answer, on a small world."""

from __future__ import annotations

import asyncio
from typing import Any

from bench import probe
from bench.options import Options
from dowse.sim import World


def test_small_world() -> None:
    measured = asyncio.run(probe.measure(World(1, 40, family="A")))
    assert measured["doors"] > 15
    assert measured["requests"] <= 4
    assert all(measured[figure] >= 0.8 for figure in ("answers", "kind", "page_size", "total"))


def test_table_and_notes(monkeypatch: Any) -> None:
    monkeypatch.setattr(probe, "SITES", 10)
    result = probe.run(Options(repeats=1), "A")
    assert "does something answer" in probe.table(result)
    assert "family A" in probe.notes(result)
