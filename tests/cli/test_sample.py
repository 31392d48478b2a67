"""`dowse sample` against the simulated web, served on loopback."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import orjson
import pytest

from dowse.sim.world import World
from tests.cli.conftest import Dowse

SITES = 30
KEYS = {
    "goal",
    "strategies",
    "chosen",
    "reason",
    "predicted",
    "sites",
    "failed",
    "sample_size",
    "population",
    "seconds",
}
FIGURES = ("harvest", "coverage", "site_harvest", "site_coverage")


@pytest.fixture
def port(served_world: Callable[[int], int]) -> int:
    return served_world(SITES)


def reach(port: int) -> list[str]:
    return ["--connect-to", f"*=127.0.0.1:{port}", "--allow-private", "--delay", "0", "--timeout", "60"]


def arguments(port: int, *more: str, sample: int = 12) -> list[str]:
    seeds = World(1, SITES).addresses()
    words = ["--strategies", "exhaustive:0,exhaustive:3,navmenu:3", "--site-pages", "40"]
    return ["sample", *seeds, *reach(port), "--sample", str(sample), *words, *more]


def test_sample_says_what_strategies_give(dowse: Dowse, port: int) -> None:
    outcome = dowse(*arguments(port, "--coverage", "0.5", "--json"))
    assert outcome.code == 0, outcome.err
    said = outcome.json
    assert set(said) == KEYS
    assert (said["sites"], said["population"]) == (12, len(list(World(1, SITES).addresses())))
    rows = {row["name"]: row for row in said["strategies"]}  # type: ignore[attr-defined]
    assert list(rows) == ["exhaustive:0", "exhaustive:3", "navmenu:3"]
    for row in rows.values():
        for figure in FIGURES:
            low, high = row[f"{figure}_ci"]
            assert 0 <= low <= row[figure] <= high
            assert row[f"{figure}_method"]
    assert rows["exhaustive:3"]["coverage"] >= rows["exhaustive:0"]["coverage"]
    assert rows["exhaustive:3"]["pages"] > rows["exhaustive:0"]["pages"]
    assert said["chosen"] in rows
    predicted = said["predicted"]
    assert predicted["strategy"] == said["chosen"]  # type: ignore[index]
    assert predicted["sites"] == said["population"]  # type: ignore[index]
    assert set(said["sample_size"]) == {"harvest", "coverage"}  # type: ignore[call-overload]


def test_the_same_command_fetches_nothing_and_a_larger_sample_goes_on(dowse: Dowse, port: int) -> None:
    first = dowse(*arguments(port, "--json")).json
    again = dowse("sample", *World(1, SITES).addresses(), *reach(1), *arguments(port, "--json")[-7:], "--sample", "12")
    assert again.code == 0, again.err  # nobody listens on port 1: nothing was asked
    assert {**again.json, "seconds": 0} == {**first, "seconds": 0}
    more = dowse(*arguments(port, "--json", sample=14)).json
    assert more["sites"] == 14


def test_the_table_is_for_people(dowse: Dowse, port: int) -> None:
    outcome = dowse(*arguments(port))
    assert outcome.code == 0, outcome.err
    assert "yield by site" in outcome.out
    assert "chosen: " in outcome.out
    assert "forecast for all" in outcome.out


SITE_STRATEGIES = ["adaptive:2,10,0.1", "adaptive:10,2,0", "links:2", "exhaustive:10"]


def test_strategies_for_sites_are_compared_by_the_sites_they_find(dowse: Dowse, port: int) -> None:
    asked = ["--goal", "sites", "--strategies", ", ".join(SITE_STRATEGIES), "--coverage", "0.5", "--json"]
    outcome = dowse(*arguments(port, *asked))
    assert outcome.code == 0, outcome.err
    said = outcome.json
    assert set(said) == KEYS
    assert said["goal"] == "sites"
    rows = {row["name"]: row for row in said["strategies"]}  # type: ignore[attr-defined]
    assert list(rows) == SITE_STRATEGIES
    wide, tight, links, whole = rows.values()
    for row in rows.values():
        assert "forms" not in row
        for figure in FIGURES:
            low, high = row[f"{figure}_ci"]
            assert 0 <= low <= row[figure] <= high
        assert row["harvest"] == pytest.approx(row["sites"] / row["pages"], abs=1e-6)
        assert row["coverage"] == pytest.approx(row["sites"] / whole["sites"], abs=1e-6)
    assert 0 < tight["sites"] <= wide["sites"] <= whole["sites"]
    assert 0 < links["pages"] < tight["pages"] < wide["pages"] <= whole["pages"]
    best = max((row for row in rows.values() if row["coverage"] >= 0.5), key=lambda row: row["harvest"])
    assert said["chosen"] == best["name"], "the highest yield of those that reach the target"
    predicted = said["predicted"]
    assert predicted["sites"] == said["population"]  # type: ignore[index]
    assert predicted["other_sites"] >= best["sites"]  # type: ignore[index]


def test_the_two_goals_are_samples_of_their_own(dowse: Dowse, port: int) -> None:
    asked = ["--strategies", "exhaustive:1", "--json"]
    forms = dowse(*arguments(port, *asked)).json
    sites = dowse(*arguments(port, *asked, "--goal", "sites")).json
    (of_forms,), (of_sites,) = forms["strategies"], sites["strategies"]  # type: ignore[misc]
    assert of_forms["pages"] == of_sites["pages"]
    assert of_forms["forms"] != of_sites["sites"]
    assert {**dowse(*arguments(port, *asked)).json, "seconds": 0} == {**forms, "seconds": 0}


def test_the_table_of_sites_is_for_people(dowse: Dowse, port: int) -> None:
    outcome = dowse(*arguments(port, "--goal", "sites", "--strategies", "auto,adaptive"))
    assert outcome.code == 0, outcome.err
    assert "other sites" in outcome.out
    assert "links:2" in outcome.out
    assert "forms" not in outcome.out


def test_waiting_sites_are_sampled_when_no_seed_is_given(dowse: Dowse, port: int, tmp_path: Path) -> None:
    (tmp_path / "list.txt").write_text("\n".join(World(1, SITES).addresses()))
    assert dowse("sites", "import", "list.txt").code == 0
    outcome = dowse("sample", *reach(port), *arguments(port, "--json", sample=5)[-7:], "--sample", "5")
    assert outcome.code == 0, outcome.err
    assert outcome.json["sites"] == 5
    states = [orjson.loads(line)["state"] for line in dowse("export", "sites").out.splitlines()]
    assert set(states) == {"waiting"}


@pytest.mark.parametrize(
    ("more", "code", "words"),
    [
        (["--strategies", "exhaustive:3,clever"], 2, "no strategy is called 'clever'"),
        (["--strategies", " , "], 2, "--strategies names none"),
        (["--coverage", "1.5"], 2, "--coverage is a share of all forms"),
        (["--coverage", "nan"], 2, "--coverage is a share of all forms"),
        (["--harvest", "-1"], 2, "--harvest is forms per page"),
        (["--coverage", "0.9", "--harvest", "0.3"], 2, "not both"),
        (["--goal", "money"], 2, "money"),
        (["--goal", "sites", "--strategies", "navmenu:3"], 2, "no strategy is called 'navmenu'"),
        (["--goal", "sites", "--strategies", "adaptive:5,5"], 2, "not '5,5'"),
        (["--goal", "sites", "--coverage", "2"], 2, "--coverage is a share of all sites"),
        (["--strategies", "navmenu:3,2,1"], 2, "not '3,2,1'"),
        (["--sample", "1"], 2, "--sample"),
    ],
    ids=[
        "unknown",
        "none",
        "over one",
        "nan",
        "negative",
        "both",
        "goal",
        "of the other goal",
        "two of three",
        "sites over one",
        "one too many",
        "too few",
    ],
)
def test_mistakes_are_told_in_one_line(dowse: Dowse, more: list[str], code: int, words: str) -> None:
    outcome = dowse("sample", "a.example", "b.example", *more)
    assert outcome.code == code
    assert words in outcome.err
    assert len(outcome.err.splitlines()) == 1
    assert not outcome.out


def test_one_site_is_too_few(dowse: Dowse) -> None:
    outcome = dowse("sample", "a.example", "http://a.example/other.html")
    assert outcome.code == 2
    assert "at least 2 sites, not 1" in outcome.err


def test_an_empty_database_has_nothing_to_sample(dowse: Dowse) -> None:
    assert dowse("sample").code == 2


def test_a_sample_of_which_nothing_answers_fails(dowse: Dowse) -> None:
    outcome = dowse("sample", "http://127.0.0.1:9/", "http://127.0.0.1:1/", "--allow-private", "--delay", "0")
    assert outcome.code == 1
    assert "none of the 2 sampled sites could be searched" in outcome.err
    assert "Traceback" not in outcome.err
