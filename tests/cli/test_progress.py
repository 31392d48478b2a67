"""What the progress display says."""

from __future__ import annotations

import pytest

from dowse.cli import progress as counting
from dowse.cli.progress import ProgressGoal, Speed, clock, counted, curve_readings, goal_of, status_line
from dowse.engine.job import FindRun
from dowse.harvester.resume import start_run
from dowse.model import Tally
from dowse.reasons import say_count
from dowse.settings import HarvestSettings
from dowse.store.harvests import StoredHarvest
from dowse.yields.size import SizeEstimate

COUNTS = [
    (0, "pages mapped", "0 pages mapped"),
    (1, "pages mapped", "1 page mapped"),
    (2_000, "links", "2,000 links"),
    (1, "links", "1 link"),
    (1, "query forms", "1 query form"),
    (1, "like the sample", "1 like the sample"),
]


@pytest.mark.parametrize(("number", "things", "told"), COUNTS)
def test_one_is_told_as_one(number: int, things: str, told: str) -> None:
    assert say_count(number, things) == told


def test_numbers_that_grow(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counting, "PLAIN_SECONDS", 0.0)
    with counted("links", "pages") as tell:
        tell(1, 1)
        tell(12, 2)
    assert capsys.readouterr().err == "1 link, 1 page\n12 links, 2 pages\n"


@pytest.fixture
def now(monkeypatch: pytest.MonkeyPatch) -> float:
    """A clock that stands still."""
    monkeypatch.setattr(counting.time, "monotonic", lambda: 1000.0)
    return 1000.0


def test_all_readings_are_there(now: float) -> None:
    run = FindRun(1, True, Tally(sites=5, pages=100, forms=8, errors={"timed out": 3}), waiting=15)
    line = status_line(run, Speed(), now - 10, goal_of(run))
    for words in (
        "sites 5 of 20",
        "pages 100",
        "pages/s",
        "forms 8",
        "yield 0.0800",
        "errors 3",
        "time 10 s, 30 s left",
    ):
        assert words in line


def test_looking_for_sites_shows_what_it_finds(now: float) -> None:
    run = FindRun(1, False, Tally(pages=100, sites_found=50), site_budget=200, seeks="sites")
    line = status_line(run, Speed(), now - 10, goal_of(run))
    assert "sites 50 of 200, pages 100" in line
    assert "sites/page 0.5000" in line
    assert "30 s left" in line
    assert "forms" not in line
    run = FindRun(1, False, Tally(pages=100, finder_pages=30, sites_found=50))
    assert "sites found 50" in status_line(run, Speed(), now, goal_of(run))


def test_time_left_is_against_the_budget() -> None:
    assert goal_of(FindRun(1, True, page_budget=200)) == ProgressGoal("pages", 200)
    assert goal_of(FindRun(1, True, site_budget=7)) == ProgressGoal("sites", 7)
    assert ProgressGoal("pages", 200).left(50, 10) == "30 s left"
    assert ProgressGoal("pages", 200).left(0, 10) == ""
    assert ProgressGoal("sites", 745).left(744, 180) == "", "the last site takes as long as it takes"


def test_speed_is_of_the_last_seconds() -> None:
    speed = Speed()
    for second in range(30):
        latest = speed.update(float(second), second * 10 if second < 15 else 150 + (second - 15) * 100)
    assert latest == pytest.approx(100, rel=0.15)


@pytest.mark.parametrize(("seconds", "words"), [(5, "5 s"), (65, "1 min 5 s"), (3700, "1 h 1 min")])
def test_clock(seconds: float, words: str) -> None:
    assert clock(seconds) == words


@pytest.mark.parametrize(
    ("until", "words"), [(0.0, "99.9%"), (0.8, "99.9% (stops when at least 80% is sure; now 25.7%)")]
)
def test_what_a_wanted_coverage_waits_for(until: float, words: str) -> None:
    size = SizeEstimate(500.5, 500.0, 1948.0, "probes", 0.999, 0.257, 1.0)
    harvest = StoredHarvest(1, "", "", "", {}, 0, 0, 0, None, None, None, False, "", {})
    run = start_run(harvest, HarvestSettings(until_coverage=until))
    run.size = size
    assert dict(curve_readings(run, 1.0))["coverage"] == words
