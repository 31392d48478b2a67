"""The learned strategy: what it says of links, what it follows first, when it leaves, and how it explains itself."""

from __future__ import annotations

import asyncio
import json
import random

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dowse.crawl.site import search_site
from dowse.model import Earlier, Link, LinkChoice, Page, Seed, SeenOnSite, SiteSearch, Visit
from dowse.reasons import StopReason
from dowse.step.visit import visit
from dowse.strategy import LinkOutcome, Outlook
from dowse.strategy.facts import (
    bucket,
    facts_of_address,
    facts_of_place,
    facts_of_words,
    find_runs,
    put_in_words,
    shape_of_address,
)
from dowse.strategy.learned import MODEL, LearnedGuide, LearnedStrategy, LinkModel, read_model
from dowse.url import site_of
from dowse.words.lookup import anywhere
from tests.webs import web

ROOT = "http://e.com/"
SITE = site_of(ROOT)
LIKES_SEARCH = LinkModel(-2000, {"says search": 1500, "says contact": -2000})
BOX = '<form action="/find"><input name="title"><input name="author"><button>Search books</button></form>'


def link(name: str, text: str = "", path: str = "html/body/a") -> Link:
    return Link(f"{ROOT}{name}", text, path=path, depth=1)


def show(guide: LearnedGuide, *links: Link, forms: int = 0, url: str = ROOT) -> None:
    urls = [each.url for each in links]
    list(guide.learn(LinkOutcome(Link(url), Page(url), links, urls, forms)))


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("Search the catalogue", "says catalogue"),
        ("Advanced search", "searches, advanced or catalogue"),
        ("Suche", "says search"),
        ("検索", "says search"),
        ("Search this site", "searches the site"),
        ("Contact", "says contact"),
        ("", "words 0"),
        ("Xyzzy plugh", "says nothing known"),
        ("Site map", "names a map of the site"),
    ],
)
def test_what_words_say(text: str, fact: str) -> None:
    assert fact in facts_of_words(text)


def test_what_addresses_and_places_say() -> None:
    assert "address says search" in facts_of_address("http://e.com/cgi-bin/search.cgi?db=1")
    assert "address has a query" in facts_of_address("http://e.com/x?a=1")
    assert "address has a number" in facts_of_address("http://e.com/news/123.html")
    assert facts_of_address("http://e.com/") == ["folders 0"]
    assert facts_of_place("html/body/nav/ul/li/a") == ("in li", "in nav")
    assert [bucket(n) for n in (0, 2, 3, 4, 63, 64, 10**9)] == ["0", "2", "<4", "<8", "<64", ">63", ">63"]


SITEMAP = anywhere("map of the site")


@given(st.one_of(st.text(), st.from_regex(SITEMAP, fullmatch=True), st.from_regex(SITEMAP).map(str.upper)))
def test_maps_of_the_site_are_found_by_the_pattern(text: str) -> None:
    assert ("names a map of the site" in facts_of_words(text)) == bool(SITEMAP.search(text.lower()))


def test_runs_are_links_in_one_place() -> None:
    links = [link("a"), link("b"), link("c", path="html/body/p/a"), link("d")]
    assert find_runs(links) == [(2, 0), (2, 1), (1, 0), (1, 0)]
    assert find_runs([]) == []


def test_links_that_speak_of_searching_come_first() -> None:
    guide = LearnedStrategy(0.0, LIKES_SEARCH).open(SITE)
    first, second = link("a", "Contact"), link("b", "Search books")
    chosen = {each.kind: each for each in guide.learn(LinkOutcome(Link(ROOT), Page(ROOT), [first, second], []))}
    assert chosen[guide.pick(chosen)].link == second


def test_a_site_is_left_when_what_is_left_promises_little() -> None:
    guide = LearnedStrategy(0.2, LIKES_SEARCH).open(SITE)
    poor, rich = guide.learn(LinkOutcome(Link(ROOT), Page(ROOT), [link("a", "Contact"), link("b", "Search books")], []))
    assert guide.why_stop(poor) is StopReason.LOW_YIELD
    assert guide.why_stop(rich) is None


def test_a_link_that_a_second_page_shows_is_chosen_again() -> None:
    guide = LearnedStrategy(0.0, LIKES_SEARCH).open(SITE)
    menu, other = link("a", "Books"), link("b", "News")
    before = {each.link: each.kind for each in guide.learn(LinkOutcome(Link(ROOT), Page(ROOT), [menu, other], []))}
    again = list(guide.learn(LinkOutcome(link("c"), Page(ROOT), [], [menu.url, menu.url])))
    assert [each.link for each in again] == [menu]
    assert again[0].kind != before[menu]
    assert not list(guide.learn(LinkOutcome(link("d"), Page(ROOT), [], [menu.url])))


@pytest.mark.parametrize(
    ("url", "shape"),
    [
        ("http://e.com/", "/1?"),
        ("http://e.com/item/17", "item/2?"),
        ("http://e.com/item/18", "item/2?"),
        ("http://e.com/?table=cars&action=search", "/1?action&table"),
        ("http://e.com/a/b/c?x=1;y=2", "a/3?x&y"),
    ],
)
def test_shapes_of_addresses(url: str, shape: str) -> None:
    assert shape_of_address(url) == shape


def follow(guide: LearnedGuide, choice: LinkChoice, forms: int = 0, sites: int = 0) -> None:
    list(guide.learn(LinkOutcome(choice.link, Page(choice.link.url), (), (), forms, sites)))


def expect_after(forms: list[int], prior: LinkModel = LIKES_SEARCH) -> float:
    """Return what is expected of the last of some links alike when the others gave so many forms."""
    guide = LearnedStrategy(0.0, prior).open(SITE)
    links = [link(f"list/{n}", "Vehicles", "html/body/ul/li/a") for n in range(len(forms) + 1)]
    choices = list(guide.learn(LinkOutcome(Link(ROOT), Page(ROOT), links, [])))
    for choice, count in zip(choices, forms, strict=False):
        follow(guide, choice, count)
    return guide.expect(choices[-1])


def test_a_site_overrules_the_prior_within_a_few_pages() -> None:
    unlikely = LinkModel(-7000, {})  # a thousandth of a form
    before, one, three = (expect_after(forms, unlikely) for forms in ([], [1], [1, 1, 1]))
    assert before < 0.01
    assert one > 2 * before, "a form where none was expected: a list of tables, each with its own"
    assert three > 10 * one, "three pages overrule the prior"
    likely = LinkModel(-500, {})
    assert expect_after([0] * 5, likely) < 0.4 * expect_after([], likely), "five pages that promised much gave nothing"
    assert expect_after([0], likely) > 0.3 * expect_after([], likely), "one page says little"


def test_what_the_prior_explains_is_no_news_about_the_links_beside_it() -> None:
    guide = LearnedStrategy(0.0, LIKES_SEARCH).open(SITE)
    search_link, other = guide.learn(
        LinkOutcome(Link(ROOT), Page(ROOT), [link("s", "Search books"), link("c", "Contact")], [])
    )
    before = guide.expect(other)
    follow(guide, search_link, 1)
    assert guide.expect(other) < 3 * before


def test_sites_are_worth_a_page_only_where_they_are_wanted() -> None:
    links = [link("links.html", "Links"), link("a", "About us")]
    for wanted in (True, False):
        guide = LearnedStrategy(0.015, LinkModel(-7000, {})).open(
            SITE, Outlook(wants_sites=lambda wanted=wanted: wanted)
        )
        named, about = guide.learn(LinkOutcome(Link(ROOT), Page(ROOT), links, []))
        assert (guide.why_stop(named) is None) == wanted
        assert guide.why_stop(about) is StopReason.LOW_YIELD


def test_pages_that_name_other_sites_lead_to_more_of_their_kind() -> None:
    guide = LearnedStrategy(0.02, LinkModel(-7000, {})).open(SITE, Outlook(wants_sites=lambda: True))
    links = [link(f"topic/{n}", "A topic") for n in range(4)] + [link("a", "About us", "html/body/footer/a")]
    choices = list(guide.learn(LinkOutcome(Link(ROOT), Page(ROOT), links, [])))
    assert all(guide.why_stop(choice) for choice in choices)
    follow(guide, choices[0], sites=6)
    assert guide.why_stop(choices[1]) is None
    assert guide.expect_sites(choices[1]) > guide.expect_sites(choices[4])


def test_a_page_has_to_promise_more_where_many_sites_wait() -> None:
    waiting = 0
    guide = LearnedStrategy().open(SITE, Outlook(lambda: waiting))
    alone = guide.page_worth()
    assert alone == read_model().thorough_worth
    waiting = 20
    few = guide.page_worth()
    waiting = 5_000
    assert alone < few < guide.page_worth() == read_model().page_worth
    assert LearnedStrategy(0.3).open(SITE).page_worth() == 0.3


def test_more_coverage_takes_pages_that_promise_less() -> None:
    model = read_model()
    assert model.worth_for(0.8) > model.worth_for(0.85) > model.worth_for(0.95) >= model.worth_for(1.0) >= 0.0


def test_why_a_site_was_left_has_its_numbers() -> None:
    guide = LearnedStrategy(None, msgspec.structs.replace(LIKES_SEARCH, page_worth=0.5, thorough_worth=0.4)).open(
        SITE, Outlook(lambda: 7)
    )
    left = list(guide.learn(LinkOutcome(Link(ROOT), Page(ROOT), [link("a", "Contact"), link("b", "News")], [])))
    assert guide.why_stop(left[1]) is StopReason.LOW_YIELD
    said = guide.why_left(left)
    assert said.startswith("the next link promises 0.1")
    assert "where a page has to promise 0.4070 while 7 sites wait; 2 links are left" in said


def test_it_explains_itself() -> None:
    guide = LearnedStrategy(0.0, LIKES_SEARCH).open(SITE)
    show(guide, link("b", "Search books"), link("c", "Search films"))
    said = guide.explain(link("b", "Search books"))
    assert said == "expected 0.610 query forms: its words are about search (x 4.5)"
    follow(guide, LinkChoice(link("c", "Search films")))
    assert "1 page behind links in this part of the template gave 0.0 query forms" in guide.explain(
        link("b", "Search books")
    )
    assert guide.explain(link("unknown")) == ""


def test_it_goes_on_from_earlier_rounds() -> None:
    guide = LearnedStrategy(0.0, LIKES_SEARCH).open(SITE)
    guide.go_on(Earlier(frozenset({ROOT, f"{ROOT}x"}), forms=2))
    assert (guide.pages, guide.forms) == (2, 2)


def search(pages: dict[str, str], strategy: LearnedStrategy) -> SiteSearch:
    fetch = web(pages)

    async def visit_link(link: Link, seen: SeenOnSite) -> Visit:
        return await visit(link, fetch, seen)

    return asyncio.run(search_site(Seed(SITE, ROOT), strategy, visit_link, site_pages=50))


def test_a_search_with_the_model_that_comes_with_dowse() -> None:
    items = "".join(f'<li><a href="/news/{n}.html">Story number {n}</a></li>' for n in range(40))
    menu = (
        '<ul><li><a href="/search.html">Search our catalogue</a></li><li><a href="/contact.html">Contact</a></li></ul>'
    )
    pages = {
        ROOT: f"<html><body>{menu}<ul>{items}</ul></body></html>",
        f"{ROOT}search.html": f"<body>{menu}{BOX}</body>",
    }
    dice = random.Random(1)
    for n in range(40):
        words = " ".join("".join(dice.choices("abcdefghij", k=6)) for _ in range(60))
        pages[f"{ROOT}news/{n}.html"] = f"<body>{menu}<p>{words}</p></body>"
    found = search(pages, LearnedStrategy())
    assert [visited.link.url for visited in found.visits[:2]] == [ROOT, f"{ROOT}search.html"]
    assert found.visits[1].why.startswith("expected ")
    assert len(found.doors) == 1
    assert len(found.visits) < len(pages), "some stories are left"
    assert found.stopped is StopReason.LOW_YIELD
    assert any(skip.detail.startswith("expected ") for skip in found.skipped)
    again = search(pages, LearnedStrategy())
    assert [(each.link, each.why) for each in again.visits] == [(each.link, each.why) for each in found.visits]


def test_the_model_is_plain_data() -> None:
    data = json.loads(MODEL.read_text("utf-8"))
    assert data == json.loads(msgspec.json.encode(read_model()))
    assert list(data["weights"]) == sorted(data["weights"]), "the same model is the same bytes"
    assert read_model().weights["says search"] > 0
    assert 0 < data["thorough_worth"] < data["page_worth"] < 1


@pytest.mark.parametrize(
    ("fact", "phrase"),
    [
        ("says search", "its words are about search"),
        ("depth 2", "2 clicks from the entrance"),
        ("depth 1, site gave", "1 click from the entrance, the site has given query forms before"),
        ("site gave nothing in <8", "the site has given no query form in 4 to 7 pages"),
        ("page has >63 new links", "more than 63 new links on its page"),
        ("page: says search", "the link to its page: its words are about search"),
        ("not shared searching link, depth 2", "a link about searching that is on one page only, 2 clicks from the entrance"),
    ],
)  # fmt: skip
def test_facts_are_said_as_people_would(fact: str, phrase: str) -> None:
    assert put_in_words(fact) == phrase


def test_every_fact_of_the_model_has_a_phrase() -> None:
    assert [fact for fact in read_model().weights if fact and put_in_words(fact) == fact] == []
