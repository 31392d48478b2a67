"""Crawls on a topic, site by site: which site next, and when to leave it (ours, and paper 5)."""

from __future__ import annotations

import pytest

from dowse.learn.linear import LogLinear
from dowse.model import Earlier, KnownSite, Link, LinkChoice, Mention, Page, SiteSearch, Visit
from dowse.reasons import StopReason
from dowse.strategy.focused import FactSums, FocusedRanker, FocusedStrategy, in_steps, way_of
from dowse.strategy.guide import LinkOutcome, Outlook
from dowse.strategy.smart import HIGH, LOW, SmartRanker, SmartRules, SmartStrategy, directory_of
from dowse.url import site_of
from tests.topics import topic_of

CARS = topic_of("cars", "car dealer vehicle mileage")
NOTHING_KNOWN = LogLinear(-3000, {})
HOME = site_of("http://a.example/")


def named(text: str, *, topic: float = 0.9, of_topic: float = 0.9, of_forms: int = 0, links: int = 10) -> KnownSite:
    return KnownSite(
        "http://b.example", (Mention("", text=text, topic=topic, of_topic=of_topic, of_forms=of_forms, links=links),), 1
    )


def searched(topic: float, relevant: int = 0, pages: int = 3) -> SiteSearch:
    return SiteSearch(
        site_of("http://b.example/"), visits=(Visit(Link("http://b.example/")),) * pages, topic=topic, relevant=relevant
    )


# -- focused: sites


def test_ways_of_discovery() -> None:
    assert way_of(KnownSite("http://b.example")) == "seed"
    assert way_of(KnownSite("http://b.example", named("x").mentions, 1, "reverse search")) == "reverse search"
    assert way_of(named("x", of_forms=1)) == "form site"
    assert way_of(named("x", links=200)) == "directory"
    assert way_of(named("x", links=200, topic=0.1)) == "link"


def test_what_was_counted_moves_what_is_expected() -> None:
    ranker = FocusedRanker(CARS, explores=False, model=NOTHING_KNOWN)
    good, bad = named("car dealer"), named("wool", topic=0.01, of_topic=0.01)
    assert ranker.rank(good).worth == pytest.approx(ranker.rank(bad).worth)
    for _ in range(30):
        ranker.learn(searched(0.99, 2), good)
        ranker.learn(searched(0.01), bad)
    assert ranker.rank(good).worth > 10 * ranker.rank(bad).worth
    assert ranker.rank(good).likely > 0.3  # type: ignore[operator]


def test_what_was_learned_is_a_sum_that_another_crawl_goes_on_from() -> None:
    first = FocusedRanker(CARS, explores=False, model=NOTHING_KNOWN)
    for _ in range(5):
        first.learn(searched(0.99, 2), named("car dealer"))
    second = FocusedRanker(CARS, explores=False, model=NOTHING_KNOWN)
    second.recall(first.take_lessons())
    assert not first.take_lessons()
    assert second.rank(named("car dealer")).worth == pytest.approx(first.rank(named("car dealer")).worth)


def test_a_way_with_little_behind_it_is_tried_now_and_then() -> None:
    ranker = FocusedRanker(CARS, model=NOTHING_KNOWN)
    drawn = {round(ranker.rank(named("car dealer")).worth, 6) for _ in range(20)}
    assert len(drawn) > 10
    assert len({FocusedRanker(CARS, explores=False).rank(named("car")).worth for _ in range(3)}) == 1


def test_seeds_come_first_and_teach_nothing_about_mentions() -> None:
    ranker = FocusedRanker(CARS, model=NOTHING_KNOWN)
    assert ranker.rank(KnownSite("http://s.example")).worth == 1.0
    ranker.learn(searched(0.99), KnownSite("http://s.example"))
    assert not ranker.facts


def test_the_model_says_more_of_sites_that_sources_name() -> None:
    ranker = FocusedRanker(CARS, explores=False)
    likely = [
        ranker.rank(each).likely or 0.0
        for each in (named("car dealer", of_topic=0.7), named("wool", topic=0.01, of_topic=0.01))
    ]
    assert likely[0] > 2 * likely[1]


def test_sums_without_evidence_change_nothing() -> None:
    assert FactSums().shift == 0.0
    assert FactSums(3.0, 1.0).shift > 0 > FactSums(0.0, 3.0).shift
    assert [in_steps(each) for each in (None, 0.5, 0.999, 0.0001)] == ["unknown", "+0", "+6", "-6"]


# -- focused: inside a site


def outcome(topic: float, forms: int = 0, links: tuple[Link, ...] = ()) -> LinkOutcome:
    return LinkOutcome(Link("http://a.example/"), Page("http://a.example/"), links, (), forms, 0, topic)


def test_a_home_page_off_the_topic_is_enough_where_others_wait() -> None:
    guide = FocusedStrategy(CARS).open(HOME, Outlook(waiting=lambda: 1000, likely=lambda site: 0.1))
    choices = list(guide.learn(outcome(0.01, links=(Link("http://a.example/x", "wool", depth=1),))))
    assert guide.why_stop(choices[0]) == StopReason.OFF_TOPIC
    assert "on the topic with probability 0.0" in guide.why_left([])


def test_a_site_on_the_topic_is_searched_on() -> None:
    guide = FocusedStrategy(CARS).open(HOME, Outlook(waiting=lambda: 1000, likely=lambda site: 0.3))
    choices = list(guide.learn(outcome(0.99, links=(Link("http://a.example/search", "Search cars", depth=1),))))
    assert guide.why_stop(choices[0]) is None
    assert (guide.site_topic() or 0) > 0.8


def test_on_a_site_off_the_topic_links_named_like_it_come_first() -> None:
    guide = FocusedStrategy(CARS).open(HOME, Outlook(likely=lambda site: 0.05))
    links = (Link("http://a.example/w", "wool", depth=1), Link("http://a.example/c", "used car dealer", depth=1))
    worth = {choice.link.text: choice.worth for choice in guide.learn(outcome(0.01, links=links))}
    assert worth["used car dealer"] > worth["wool"] + 1


def test_what_a_search_remembers_is_what_it_goes_on_with() -> None:
    guide = FocusedStrategy(CARS).open(HOME, Outlook(likely=lambda site: 0.3))
    list(guide.learn(outcome(0.99)))
    again = FocusedStrategy(CARS).open(HOME, Outlook(likely=lambda site: 0.1))
    again.go_on(Earlier(guide=guide.remember() or {}))
    assert again.site_topic() == guide.site_topic()


def test_what_a_crawl_on_another_topic_has_learned_of_a_site_says_nothing() -> None:
    guide = FocusedStrategy(CARS).open(HOME, Outlook(likely=lambda site: 0.3))
    list(guide.learn(outcome(0.99)))
    boats = FocusedStrategy(topic_of("boats", "boat sail")).open(HOME, Outlook(likely=lambda site: 0.1))
    boats.go_on(Earlier(guide=guide.remember() or {}))
    assert boats.site_topic() == pytest.approx(0.1)


def test_where_pages_are_to_be_spent_a_site_off_the_topic_waits() -> None:
    guide = FocusedStrategy(CARS, least=0.0).open(HOME, Outlook(waiting=lambda: 1000, likely=lambda site: 0.1))
    choices = list(guide.learn(outcome(0.01, links=(Link("http://a.example/x", "wool", depth=1),))))
    assert guide.why_stop(choices[0]) == StopReason.LOW_YIELD
    again = FocusedStrategy(CARS, least=0.0).open(HOME, Outlook(waiting=lambda: 1000, likely=lambda site: 0.1))
    again.go_on(Earlier(guide=guide.remember() or {}))
    assert again.why_stop(choices[0]) is None  # one page, when it is the best of what waits
    assert again.why_stop(choices[0]) == StopReason.LOW_YIELD


# -- smart


def test_sites_met_where_forms_were_found_wait_in_the_first_queue() -> None:
    ranker = SmartRanker.begin(["car", "dealer"])
    assert ranker.rank(named("car dealer", of_forms=1)).queue == HIGH
    assert ranker.rank(named("car dealer")).queue == LOW
    assert ranker.rank(KnownSite("http://s.example")).worth > ranker.rank(named("car dealer", of_forms=1)).worth


def test_sites_are_ranked_by_what_sources_are_called() -> None:
    ranker = SmartRanker.begin(["car"])
    assert ranker.rank(named("zebra")).worth < ranker.rank(named("car")).worth
    ranker.learn(searched(0.9, 1), named("zebra"))
    for _ in range(5):
        ranker.learn(searched(0.9, 1), named("zebra"))
    assert ranker.rank(named("zebra")).worth > ranker.rank(named("wool")).worth


def test_scdi_learns_and_ranks_nothing() -> None:
    rules = SmartRules(ranked=False, adaptive=False, tree=False, queues=False)
    ranker = SmartRanker.begin(["car"], rules)
    ranker.learn(searched(0.9, 1), named("zebra"))
    assert not ranker.take_lessons()["smart site"]
    assert ranker.rank(named("car"))[1:3] == ranker.rank(named("wool", of_forms=1))[1:3]


def choice(path: str, worth: float, depth: int = 1) -> LinkChoice:
    return LinkChoice(Link(f"http://a.example{path}", depth=depth), worth, directory_of(f"http://a.example{path}"))


def test_directories_are_taken_by_turns() -> None:
    guide = SmartStrategy.begin(["car"]).open(HOME)
    heads = {"a": choice("/a/1", 0.9), "b": choice("/b/1", 0.1)}
    assert guide.pick(heads) == "a"
    list(guide.learn(LinkOutcome(Link("http://a.example/a/1", depth=1), Page("http://a.example/a/1"), topic=0.9)))
    assert guide.pick(heads) == "b"
    assert (directory_of("http://a.example/x/y?z"), directory_of("http://a.example/x")) == ("x", "")


def test_a_site_is_left_when_it_gives_nothing() -> None:
    guide = SmartStrategy.begin(["car"], SmartRules(barren_pages=2)).open(HOME)
    for _ in range(2):
        list(guide.learn(LinkOutcome(Link("http://a.example/", depth=1), Page("http://a.example/"), topic=0.9)))
    assert guide.why_stop(choice("/x", 1.0)) == StopReason.NO_NEW_FORMS


def test_links_like_those_that_led_to_forms_come_first() -> None:
    strategy = SmartStrategy.begin([])
    guide = strategy.open(HOME)
    zebra, wool = Link("http://a.example/z", "zebra", depth=1), Link("http://a.example/w", "wool", depth=1)
    list(guide.learn(outcome(0.9, links=(zebra, wool))))
    list(guide.learn(LinkOutcome(zebra, Page(zebra.url), forms=1, topic=0.9)))
    worth = {each.link.text: each.worth for each in strategy.open(HOME).learn(outcome(0.9, links=(zebra, wool)))}
    assert worth["zebra"] > worth["wool"]
    assert strategy.take_lessons()["smart link"]["anchor zebra"] == 1.0
