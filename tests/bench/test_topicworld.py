"""The topical world is what its truth says, and its topics can be told from words, but not from hosts."""

from __future__ import annotations

import pytest

from bench.topicworld import (
    ToldPage,
    count_topics,
    measure_telling,
    open_world,
    read_pages,
    train_bayes,
    train_on_pages,
)
from bench.truthcheck import walk_sites
from dowse.sim import World


@pytest.mark.parametrize("family", ["A", "B"])
def test_a_visitor_finds_what_the_truth_says(family: str) -> None:
    walked = walk_sites(World(22, 800, family=family, topics="power-law"), 4)
    assert walked.pages > 100
    assert walked.differences == ()


def test_a_bayes_tells_by_the_words_that_are_frequent_in_a_topic() -> None:
    tell = train_bayes({"cars": {"engine": 5, "price": 5}, "jobs": {"salary": 5, "price": 5}})
    assert (tell(["engine", "price"]), tell(["salary", "unknown"])) == ("cars", "jobs")
    assert measure_telling(tell, [ToldPage("cars", 0, ["engine"]), ToldPage("jobs", 1, ["engine"])])["all pages"] == 0.5


def test_pages_of_one_family_teach_the_topics_of_the_other() -> None:
    tell = train_on_pages(read_pages(open_world("A", 3), 300, 1))
    told = list(read_pages(open_world("B", 4), 60, 1))
    assert measure_telling(tell, told)["other pages"] > 0.6
    assert len({page.topic for page in told}) > 5


def test_no_host_gives_its_topic_away_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bench.topicworld.SITES", 3000)
    monkeypatch.setattr("bench.topicworld.COUNTED", 60)
    counted = count_topics(World(5, 3000, topics="power-law"))
    assert counted["hosts of sites on a topic with its name"] == 0
    assert 0.1 < counted["... with a word for it"] < 0.4
    assert counted["sites on no topic"] == 0.6
