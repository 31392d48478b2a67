"""What the bench of crawls on a topic works out from what it measured."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bench.topic import keep_open, summarise_cost
from bench.topical import measure
from bench.topical.crawls import KNOWS_TOPICS, CrawlTask
from bench.topical.levelwords import measure_telling
from bench.topical.measure import FORMS, found_at, place_of, ratio, run_task
from dowse.strategy.contexts import LinkWords


def row(name: str, topic: str, *points: tuple[int, int, int, int]) -> measure.Row:
    return {"name": name, "topic": topic, "seed": 1, "points": [list(each) for each in points]}


def test_crawls_are_compared_in_pairs_at_the_same_pages() -> None:
    rows = [
        row("ours", "cars", (10, 2, 1, 0), (20, 9, 3, 0)),
        row("theirs", "cars", (10, 1, 1, 0), (20, 8, 3, 0)),
        row("ours", "jobs", (10, 4, 1, 0)),
        row("theirs", "jobs", (9, 2, 1, 0), (11, 9, 9, 0)),
    ]
    assert found_at(rows[0], 15) == 2
    compared = ratio(rows, "ours", "theirs", 10)
    assert (compared["ratio"], compared["pairs"]) == (2.0, 2)
    assert compared["low"] == compared["high"] == 2.0
    assert not ratio(rows, "ours", "nobody", 10)


def test_crawls_that_are_kept_are_not_run_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measure, "SCRATCH", tmp_path)
    task = CrawlTask("cars", 1, sites=1_000)
    kept = place_of(f"{task} focused")
    kept.parent.mkdir()
    kept.write_text(json.dumps(row("focused", "cars", (1, 1, 1, 0))))
    (found,) = run_task(task, ["focused"])
    assert found["points"] == [[1, 1, 1, 0]]
    assert 0 < found["share"] <= 0.05


def test_links_of_a_level_are_told_by_words_that_other_sites_use_for_it() -> None:
    def words(anchor: str) -> LinkWords:
        return LinkWords({}, {anchor: 1}, {})

    fold = [
        (level, words(anchor), f"http://{number}.example")
        for number in range(8)
        for level, anchor in ((1, "search"), (0, "about"), (2, "about"))
    ]
    told = measure_telling([fold, fold])
    assert told["1"] == 1.0
    assert told["2"] == 0.5


def test_memory_is_compared_between_half_of_the_pages_and_the_end() -> None:
    measured = {
        "pages": 100,
        "seconds": 2.0,
        "memory": [[25, 50.0], [50, 100.0], [75, 104.0], [100, 110.0]],
        "reading": 1.0,
        "learning": 0.1,
    }
    found = summarise_cost(measured)
    assert found["growth"] == pytest.approx(1.1)
    assert (found["page_ms"], found["learning"], found["ranking"]) == (20.0, 0.05, 0.0)


def test_pairs_in_which_the_oracle_finds_little_more_are_left_out() -> None:
    rows = [
        row(name, topic, (10, forms, 1, 0))
        for topic, found in (("cars", (16, 12, 10)), ("jobs", (15, 9, 10)))
        for name, forms in zip((KNOWS_TOPICS, "focused", "smart"), found, strict=True)
    ]
    assert {one["topic"] for one in keep_open(rows, "smart", 10, FORMS)} == {"cars"}
