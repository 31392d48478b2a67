"""`dowse demo` and `dowse sim --truth`."""

from __future__ import annotations

from pathlib import Path

import orjson
import pytest

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


def _write_table(path: Path) -> None:
    rows = (f"{n},Song {n},{('Pop', 'Rock', 'Jazz')[n % 3]},{1960 + n % 50}" for n in range(120))
    path.write_text("\n".join(("id,title,genre,year", *rows)))


def test_a_table_from_a_file_stands_behind_a_form(dowse: Dowse) -> None:
    _write_table(Path("songs.csv"))
    lines = dowse("sim", "--sites", "3", "--db-file", "songs.csv", "--truth").out.splitlines()
    truth = orjson.loads(lines[-1])
    assert len(lines) == 4
    assert truth["databases"][0]["size"] == 120
    assert any(form["kind"] == "database" for form in truth["forms"])
    records = dowse("sim", "--sites", "3", "--db-file", "songs.csv", "--records", truth["databases"][0]["id"]).out
    assert len(records.splitlines()) == 120
    assert orjson.loads(records.splitlines()[7])["title"] == ["Song 7"]
    Path("found.jsonl").write_text("\n".join(records.splitlines()[:60]))
    words = ("--records", truth["databases"][0]["id"], "--score", "found.jsonl", "--json")
    score = dowse("sim", "--sites", "3", "--db-file", "songs.csv", *words).json
    assert score["coverage"] == 0.5
    assert score["precision"] == 1.0


def test_forms_of_an_export_are_scored(dowse: Dowse) -> None:
    dowse("demo", "--sites", "20", "--no-serve", "--db", "demo.db")
    Path("forms.jsonl").write_text(dowse("export", "forms", "--db", "demo.db").out)
    score = dowse("sim", "--sites", "20", "--score", "forms.jsonl", "--json").json
    assert 0.4 < score["coverage"] <= 1  # type: ignore[operator]
    assert "coverage" in dowse("sim", "--sites", "20", "--score", "forms.jsonl").out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--db-file", "nowhere.csv", "--truth"), "nowhere.csv"),
        (("--records", "nobody.example/0"), "no database nobody.example/0"),
        (("--score", "nowhere.jsonl"), "nowhere.jsonl cannot be read"),
        (("--score", "bad.jsonl"), "line 1 is not a JSON object"),
        (("--score", "thin.jsonl"), "line 1 has no site"),
        (("--family", "C"), "--family"),
        (("--day", "-1"), "--day"),
    ],
    ids=[
        "no such table",
        "no such database",
        "no such file",
        "not JSON",
        "not a form",
        "no such family",
        "before time",
    ],
)
def test_mistakes_get_one_line(dowse: Dowse, words: tuple[str, ...], said: str) -> None:
    Path("bad.jsonl").write_text("hello\n")
    Path("thin.jsonl").write_text("{}\n")
    outcome = dowse("sim", "--sites", "3", *words)
    assert outcome.code == 2
    assert said in outcome.err
    assert len(outcome.err.strip().splitlines()) == 1
