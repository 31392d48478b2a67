"""The random part of the links that a search left."""

from __future__ import annotations

import asyncio
from random import Random

import pytest

from dowse.crawl.audit import DRAWN, Audit
from dowse.crawl.site import search_site
from dowse.model import Link, LinkChoice, Seed, SeenOnSite, SiteSearch, Visit
from dowse.seeds.lists import read_seed
from dowse.step.visit import visit
from dowse.strategy import build_strategy
from dowse.strategy.learned import LearnedStrategy, LinkModel
from dowse.url import site_of
from tests.webs import web

ROOT = "http://e.com/"
BOX = '<form action="/find"><input name="title"><input name="author"><button>Search books</button></form>'


def choice(name: str, kind: str = "", worth: float = 0.0) -> LinkChoice:
    return LinkChoice(Link(f"{ROOT}{name}", depth=1), worth, kind)


def test_the_share_holds_over_many_sites() -> None:
    left = [choice(f"p/{number}") for number in range(50)]
    observer = LearnedStrategy(0.0, LinkModel(-3000, {})).open(site_of(ROOT))
    drawn = [len(Audit(0.05, observer, Random(seed)).draw(left, 10)) for seed in range(400)]
    assert set(drawn) == {0, 1}, "a site of ten pages gets a page more, or none"
    assert sum(drawn) / (400 * 10 + sum(drawn)) == pytest.approx(0.05, abs=0.01)


def test_links_that_promise_more_are_drawn_more_often() -> None:
    observer = LearnedStrategy(0.0, LinkModel(-4000, {"says search": 3000})).open(site_of(ROOT))
    left = [choice("a/one"), LinkChoice(Link(f"{ROOT}b/c/two", "Search", depth=1))]
    first = [Audit(0.5, observer, Random(seed)).draw(left, 1)[0].link.url for seed in range(300)]
    assert 0.7 < sum(url.endswith("two") for url in first) / 300 < 0.99


def search(strategy: str, audit: float, hidden: str = "/far/a/b") -> SiteSearch:
    """Search a site whose form stands where this strategy does not go: two clicks away, and behind links that say nothing."""
    pages = {
        ROOT: '<a href="/near">Near</a>',
        f"{ROOT}near": "".join(f'<a href="/far/a/{name}">x</a>' for name in "abc"),
    }
    pages |= {f"{ROOT}far/a/{name}": f"<p>{name} {'words ' * 40}</p>" for name in "ac"}
    pages[f"{ROOT}{hidden[1:]}"] = f"<p>Here</p>{BOX}"
    fetch = web(pages)

    async def visit_link(link: Link, seen: SeenOnSite) -> Visit:
        return await visit(link, fetch, seen)

    seed = Seed(site_of(ROOT), ROOT)
    return asyncio.run(search_site(seed, build_strategy(strategy), visit_link, site_pages=50, audit=audit))


def test_a_search_that_is_not_audited_says_nothing_about_what_it_left() -> None:
    found = search("exhaustive:1", 0.0)
    assert found.left_behind is None
    assert [each.link.url for each in found.visits] == [ROOT, f"{ROOT}near"]


def test_what_is_drawn_is_read_its_forms_are_kept_and_counted() -> None:
    found = search("exhaustive:1", 0.6)  # three pages for the two of the strategy
    drawn = [each for each in found.visits if each.why == DRAWN]
    assert {each.link.url for each in drawn} == {f"{ROOT}far/a/{name}" for name in "abc"}
    assert len(found.doors) == 1
    left = found.left_behind
    assert left is not None
    assert (left.pages, left.drawn_forms, left.expected) == (3, 1, 0.0), "nothing is left"
    assert left.drawn_expected > 0


def test_what_is_left_is_expected_to_hide_something() -> None:
    left = search("exhaustive:0", 0.01).left_behind
    assert left is not None
    assert left.expected > 0


@pytest.mark.parametrize("strategy", ["learned:0.9", "navmenu:1", "tagpath", "exhaustive:0", "learned"])
def test_each_strategy_is_audited_and_the_same_again(strategy: str) -> None:
    first, again = search(strategy, 0.3), search(strategy, 0.3)
    assert first.left_behind is not None
    assert [each.link.url for each in first.visits] == [each.link.url for each in again.visits]
    assert len({each.link.url for each in first.visits}) == len(first.visits), "no page is fetched twice"


WORDS = ("search", "catalogue", "about", "imprint", "news", "records", "help", "find books")
LEFT = [LinkChoice(Link(f"http://a.example/{word.replace(' ', '-')}/", word, depth=1)) for word in WORDS]
FORMS = {choice.link.url: place % 3 for place, choice in enumerate(LEFT)}
TRIALS = 3_000


@pytest.mark.parametrize(
    ("pages", "share"),
    [
        (1, 0.05),  # one link on every twentieth site
        (4, 0.3),  # one or two
        (9, 0.4),  # always six of the eight
        (50, 0.5),  # all of them
    ],
)
def test_forms_through_probabilities_are_all_forms_on_average(pages: int, share: float) -> None:
    observer = LearnedStrategy().open(read_seed("http://a.example/").site)
    rng, sums, squares = Random(4), 0.0, 0.0
    for _ in range(TRIALS):
        audit = Audit(share, observer, rng)
        drawn = audit.draw(LEFT, pages)
        assert set(audit.chances) == {choice.link.url for choice in drawn}
        estimate = sum(FORMS[url] / chance for url, chance in audit.chances.items())
        sums, squares = sums + estimate, squares + estimate**2
    mean = sums / TRIALS
    error = (max(0.0, squares / TRIALS - mean**2) / TRIALS) ** 0.5
    assert abs(mean - sum(FORMS.values())) <= 4 * error + 1e-9


def test_what_is_surely_drawn_stands_for_itself() -> None:
    audit = Audit(0.9, LearnedStrategy().open(read_seed("http://a.example/").site), Random(1))
    assert len(audit.draw(LEFT, 10)) == len(LEFT)
    assert set(audit.chances.values()) == {1.0}


def test_what_was_read_of_a_cluster_is_known_after_a_search_was_taken_up_again() -> None:
    observer = LearnedStrategy(0.0, LinkModel(-3000, {})).open(site_of(ROOT))
    first, again = Audit(0.05, observer, Random(1)), Audit(0.05, observer, Random(1))
    for number in range(7):
        first.note(Link(f"{ROOT}p/{number}"), 0)
    again.recall(first.remember())
    left = [choice(f"p/{number}") for number in range(10, 20)]
    (cluster,) = again.find_clusters(left)
    assert (cluster.links, cluster.pages) == (10, 7)
    assert first.find_clusters(left) == (cluster,)
