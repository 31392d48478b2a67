"""`dowse demo` and `dowse sim --truth`."""

from __future__ import annotations

from pathlib import Path

import orjson

from tests.cli.conftest import Dowse


def test_the_demo_tells_what_it_found_against_the_truth(dowse: Dowse) -> None:
    outcome = dowse("demo", "--sites", "60", "--no-serve", "--json")
    assert outcome.code == 0
    result = outcome.json
    assert set(result) >= {"sites", "pages", "forms", "harvest", "coverage", "records", "record_coverage"}
    assert 0.6 < result["coverage"] <= 1  # type: ignore[operator]
    assert result["pages"] > 100  # type: ignore[operator]


def test_the_demo_for_people_keeps_its_database_when_asked(dowse: Dowse) -> None:
    outcome = dowse("demo", "--sites", "20", "--no-serve", "--db", "demo.db")
    assert "coverage" in outcome.out
    assert Path("demo.db").exists()
    again = dowse("demo", "--db", "demo.db")
    assert again.code == 2
    assert "exists already" in again.err


def test_the_truth_as_json_lines(dowse: Dowse) -> None:
    lines = dowse("sim", "--sites", "5", "--truth").out.splitlines()
    assert len(lines) == 5
    assert {"site", "forms", "databases", "traps"} <= set(orjson.loads(lines[0]))
    dowse("sim", "--sites", "5", "--truth", "truth.jsonl")
    assert Path("truth.jsonl").read_text().splitlines() == lines
