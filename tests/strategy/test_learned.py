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
from dowse.learn.linear import LogLinear
from dowse.model import Earlier, Link, Page, Seed, SeenOnSite, SiteSearch, Visit
from dowse.reasons import StopReason
from dowse.step.visit import visit
from dowse.strategy import LinkOutcome
from dowse.strategy.learned import (
    MODEL,
    LearnedGuide,
    LearnedStrategy,
    bucket,
    facts_of_address,
    facts_of_place,
    facts_of_words,
    find_runs,
    put_in_words,
    read_model,
)
from dowse.url import site_of
from dowse.words.lookup import anywhere
from tests.webs import web

ROOT = "http://e.com/"
SITE = site_of(ROOT)
LIKES_SEARCH = LogLinear(-2000, {"says search": 1500, "says contact": -2000})
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


def test_what_a_place_gave_is_remembered() -> None:
    guide = LearnedStrategy(0.0, LIKES_SEARCH).open(SITE)
    show(guide, link("a", path="p"), link("b", path="p"), link("c", path="q"))
    before = guide.kind_facts("1-_p")
    list(guide.learn(LinkOutcome(link("a", path="p"), Page(ROOT), (), (), 1)))
    assert "its place gave 1 of 1" in guide.kind_facts("1-_p")
    assert before != guide.kind_facts("1-_p")
    assert "its place is new" in guide.kind_facts("1-_q")


def test_it_explains_itself() -> None:
    guide = LearnedStrategy(0.0, LIKES_SEARCH).open(SITE)
    show(guide, link("b", "Search books"))
    assert guide.explain(link("b", "Search books")) == "expected 0.607 query forms: its words are about search (x 4.5)"


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
    assert data == msgspec.to_builtins(read_model())
    assert list(data["weights"]) == sorted(data["weights"]), "the same model is the same bytes"
    assert read_model().weights["says search"] > 0
    assert (LearnedStrategy().elsewhere, LearnedStrategy().left) == (data["elsewhere"], data["left"])


def test_what_kinds_share_is_weighed_as_if_it_was_weighed_for_each() -> None:
    guide = LearnedStrategy().open(SITE)
    show(guide, link("a", "Books", "p"), link("b", "News", "q"), link("c", "Search books", "p"))
    show(guide, link("d", "Other", "p"), url=f"{ROOT}a")
    for kind in ("1-_p", "1+?p", "2-.q", "7-_new"):
        assert guide._score_kind(kind) == pytest.approx(guide.strategy.model.score(guide.kind_facts(kind)))


def test_places_are_weighed_again_when_they_have_changed() -> None:
    guide = LearnedStrategy().open(SITE)
    kinds = ("1-_p", "1+?p", "1-.q", "2-.q")
    menu = [link("a", "Books", "p"), link("b", "News", "p"), link("c", "Search books", "q")]
    pages = (
        LinkOutcome(Link(ROOT), Page(ROOT), menu, ()),
        LinkOutcome(menu[0], Page(menu[0].url), [link("d", "Other", "p")], [each.url for each in menu]),
        LinkOutcome(menu[2], Page(menu[2].url), [], [menu[0].url], 1),
        LinkOutcome(menu[1], Page(menu[1].url), [link("e", "More", "q")], ()),
    )
    for seen in pages:
        list(guide.learn(seen))
        for kind in kinds:
            assert guide._score_kind(kind) == pytest.approx(guide.strategy.model.score(guide.kind_facts(kind)))


def test_what_is_left_promises_forms() -> None:
    strategy = LearnedStrategy(0.0, LIKES_SEARCH, left=0.5)
    guide = strategy.open(SITE)
    left = list(guide.learn(LinkOutcome(Link(ROOT), Page(ROOT), [link("a", "Contact"), link("b", "Search books")], [])))
    assert guide.promise(left) == pytest.approx(0.5 * sum(map(guide.expect, left)))
    assert guide.promise([]) == 0.0


@pytest.mark.parametrize(
    ("fact", "phrase"),
    [
        ("says search", "its words are about search"),
        ("depth 2", "2 clicks from the entrance"),
        ("depth 1, site gave", "1 click from the entrance, the site has given query forms before"),
        ("site gave nothing in <8", "the site has given no query form in 4 to 7 pages"),
        ("page has >63 new links", "more than 63 new links on its page"),
        ("page: says search", "the link to its page: its words are about search"),
        ("its place gave 1 of <4", "1 page of 3 pages behind links in this part of the template had a query form"),
        ("not shared searching link, depth 2", "a link about searching that is on one page only, 2 clicks from the entrance"),
    ],
)  # fmt: skip
def test_facts_are_said_as_people_would(fact: str, phrase: str) -> None:
    assert put_in_words(fact) == phrase


def test_every_fact_of_the_model_has_a_phrase() -> None:
    assert [fact for fact in read_model().weights if fact and put_in_words(fact) == fact] == []
