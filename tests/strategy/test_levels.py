"""Links in queues by how many clicks they seem to be away from a query form (paper 2)."""

from __future__ import annotations

from random import Random

import pytest

from dowse.errors import BadInput
from dowse.model import Link, Page
from dowse.strategy.contexts import WordSpace, address_words, link_words
from dowse.strategy.levels import BestFirst, LevelModel, LevelsRanker, label_links, read_levels

PAGE = Page("http://a.example/")


def link(text: str, path: str = "/x", nearby: str = "") -> Link:
    return Link(f"http://a.example{path}", text, nearby)


LEVELS = {
    1: ("Search cars", "/search"),
    2: ("Used cars", "/cars"),
    3: ("Classifieds", "/ads"),
    0: ("Imprint", "/imprint"),
}
SAMPLES = [(level, link_words(link(*said)), f"{site}.example") for level, said in LEVELS.items() for site in range(10)]


def test_links_go_to_the_queue_of_their_level() -> None:
    ranker = LevelsRanker(LevelModel.fit(SAMPLES, 3))
    queues = [ranker.rank(link(text), PAGE, 1.0, 0)[0] for text in ("search", "used", "classifieds", "imprint")]  # type: ignore[index]
    assert queues == [1, 2, 3, 4]


def test_levels_beyond_those_wanted_are_other_links() -> None:
    ranker = LevelsRanker(LevelModel.fit(SAMPLES, 1))
    assert ranker.rank(link("used", "/cars"), PAGE, 1.0, 0)[0] == 2  # type: ignore[index]


def test_links_near_the_root_come_first() -> None:
    ranker = LevelsRanker(LevelModel.fit(SAMPLES, 3))
    near, far = (ranker.rank(link("search"), PAGE, 1.0, depth) for depth in (0, 2))
    assert near is not None
    assert far is not None
    assert near[1] > far[1]


def test_the_same_word_is_another_feature_in_another_place() -> None:
    model = LevelModel.fit(SAMPLES, 2)
    assert {"url search", "anchor search"} <= set(model.weights)
    assert "around search" not in model.weights


def test_what_few_sites_say_is_no_feature() -> None:
    own = [(1, link_words(link("Zebra", "/z")), "zebra.example")] * 20
    assert "anchor zebra" not in LevelModel.fit([*SAMPLES, *own], 2).weights


def test_a_backward_crawl_labels_links_by_their_distance() -> None:
    pages = {
        "/home": [Link("/list"), Link("/imprint")],
        "/list": [Link("/form"), Link("/imprint")],
        "/form": [Link("/home")],
        "/imprint": [Link("/home")],
    }
    levels = label_links(pages, {"/form"}, Random(1))
    assert (1, Link("/form"), "/list") in levels[0]
    assert (2, Link("/list"), "/home") in levels[1]
    assert (0, Link("/imprint"), "/list") in levels[0]
    assert {level for some in levels for level, *_ in some} <= {0, 1, 2, 3, 4}


def test_without_a_link_to_a_form_nothing_is_learned() -> None:
    with pytest.raises(BadInput, match="no link that leads to a query form"):
        LevelModel.fit(SAMPLES[10:], 3)


@pytest.mark.parametrize("text", ["0", "5", "x", "²"])
def test_levels_take_a_number_from_1_to_4(text: str) -> None:
    with pytest.raises(BadInput, match="from 1 to 4"):
        read_levels(text)
    assert (read_levels(""), read_levels("2")) == (3, 2)


def test_best_first_follows_all_links_by_their_page() -> None:
    assert BestFirst().rank(link("x"), PAGE, 0.7, 0) == (1, 0.7)


def test_words_of_addresses() -> None:
    assert address_words("http://www.usedCars.example/find-car/index.html?brand=2") == {
        "use": 1,
        "car": 2,
        "find": 1,
        "brand": 1,
    }
    assert "use" not in address_words("http://www.usedCars.example/a", host=False)


def test_a_space_of_words_is_the_sum_of_three_cosines() -> None:
    space = WordSpace()
    assert not space.similarity(link_words(link("search")))
    space.add(link_words(link("search", "/search", "search")))
    assert space.similarity(link_words(link("search", "/search", "search"), host=False)) == pytest.approx(2.71, abs=0.3)
    assert not space.similarity(link_words(link("imprint", "/", "about"), host=False))
    kept = space.take_new()
    assert kept["anchor search"] == 1.0
    assert not space.take_new()
    other = WordSpace()
    other.recall(kept)
    assert other.counts == space.counts
