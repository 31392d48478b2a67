"""A replay is what a live search would have been: over the simulated web, and over small webs where order matters."""

from __future__ import annotations

import asyncio
from functools import lru_cache
from typing import Any

import pytest

from dowse.crawl.site import search_site
from dowse.fetch import Fetch
from dowse.fetch.build import wrap_fetch
from dowse.model import Link, Seed, SeenOnSite, SiteSearch, Visit
from dowse.sample.record import WHOLE, Recording, count_queries, record_site
from dowse.sample.replay import SITES as FINDING_SITES
from dowse.sample.replay import replay_site
from dowse.seeds.lists import read_seed
from dowse.sim import World, simulate
from dowse.step.visit import visit
from dowse.strategy import SITE_STRATEGIES, STRATEGIES, build_strategy
from dowse.yields import SiteYield
from tests.webs import page, web

pytestmark = pytest.mark.xdist_group("recordings")
SITES = 30
WORLD = World(7, SITES)
FETCH = wrap_fetch(simulate(WORLD)).within_site
SEEDS = [read_seed(address) for address in WORLD.addresses()]
SITE_PAGES = 200
SEED = read_seed("http://a.example/")


def search(
    seed: Seed, strategy: str, fetch: Fetch, site_pages: int = SITE_PAGES, among: Any = STRATEGIES
) -> SiteSearch:
    async def follow(link: Link, seen: SeenOnSite) -> Visit:
        return await visit(link, fetch, seen)

    return asyncio.run(search_site(seed, build_strategy(strategy, among), follow, site_pages=site_pages))


def record(seed: Seed, fetch: Fetch, site_pages: int = SITE_PAGES, strategy: str = WHOLE) -> Recording:
    return asyncio.run(record_site(seed, search_site, fetch, site_pages=site_pages, strategy=strategy))


@lru_cache(1)
def search_whole() -> list[SiteSearch]:
    return [search(seed, WHOLE, FETCH) for seed in SEEDS]


@lru_cache(1)
def recordings() -> list[Recording]:
    return [record(seed, FETCH) for seed in SEEDS]


def both(strategy: str) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    """Return pages and forms of the replay and of the live search, for each site."""
    found = []
    lives = search_whole() if strategy == WHOLE else [search(seed, strategy, FETCH) for seed in SEEDS]
    for recording, live in zip(recordings(), lives, strict=True):
        given = replay_site(recording, search_site, strategy, site_pages=SITE_PAGES).given
        found.append(((given.pages, given.forms), (len(live.visits), count_queries(live))))
    return found


@pytest.mark.parametrize("strategy", ["exhaustive:0", "exhaustive:3", WHOLE])
def test_what_goes_the_same_way_gives_exactly_the_same(strategy: str) -> None:
    pairs = both(strategy)
    assert [replayed for replayed, _ in pairs] == [live for _, live in pairs]
    assert sum(forms for _, (_, forms) in pairs) > 0


@pytest.mark.parametrize(("strategy", "same"), [("navmenu:3", 0.9), ("navmenu:10", 0.9), ("tagpath", 0.9)])
def test_what_goes_another_way_gives_nearly_the_same(strategy: str, same: float) -> None:
    """What was not recorded differs, and how a link is described that was first met on another page."""
    pairs = both(strategy)
    assert sum(replayed[1] == live[1] for replayed, live in pairs) >= SITES - 1
    assert sum(replayed == live for replayed, live in pairs) >= same * SITES
    pages = [sum(figures[side][0] for figures in pairs) for side in (0, 1)]
    assert pages[0] == pytest.approx(pages[1], rel=0.12)


@pytest.mark.parametrize("strategy", ["adaptive:5,5,0.05", "adaptive:2,2,0", "links:2", "exhaustive:1", WHOLE])
def test_strategies_for_sites_give_the_sites_of_a_live_search(strategy: str) -> None:
    pairs = []
    for recording, seed in zip(recordings(), SEEDS, strict=True):
        given = replay_site(recording, search_site, strategy, site_pages=SITE_PAGES, goal=FINDING_SITES).given
        live = search(seed, strategy, FETCH, among=SITE_STRATEGIES)
        pairs.append(((given.pages, given.forms), (len(live.visits), len(live.neighbours))))
        assert given.forms <= given.total == len(recording.search.neighbours)
    assert sum(replayed == live for replayed, live in pairs) >= 0.9 * SITES
    assert sum(sites for _, (_, sites) in pairs) > 0


def test_a_recording_by_menus_holds_what_fewer_levels_of_menus_need() -> None:
    """What they share is the same, and nothing is laid out again."""
    for seed in SEEDS[:10]:
        recording = record(seed, FETCH, strategy="navmenu:10")
        live, shallow = search(seed, "navmenu:10", FETCH), search(seed, "navmenu:3", FETCH)
        assert [each.link.url for each in recording.search.visits] == [each.link.url for each in live.visits]
        replayed = replay_site(recording, search_site, "navmenu:3", site_pages=SITE_PAGES)
        assert (replayed.given.pages, replayed.given.forms) == (len(shallow.visits), count_queries(shallow))
        assert replayed.missing == 0


def test_a_recording_is_an_ordinary_search() -> None:
    for recording, live in zip(recordings(), search_whole(), strict=True):
        found = recording.search
        assert [each.link.url for each in found.visits] == [each.link.url for each in live.visits]
        assert [door.signature for door in found.doors] == [door.signature for door in live.doors]
        assert (found.strategy, found.error, found.skip_counts) == (WHOLE, live.error, live.skip_counts)


FORM = """<form action="/find"><h2>Find a car</h2><label>Make <input name="make"></label>
    <label>Model <input name="model"></label><label>Price <select name="price"><option>1000<option>2000</select></label>
    <input type="submit" value="Search cars"></form>"""
OTHER = FORM.replace("/find", "/boats").replace("make", "yard").replace("model", "length").replace("cars", "boats")
MENU = ["/one.html", "/two.html", "/three.html"]


def long(word: str) -> str:
    return f"{word} " * 60


def pick(*order: str) -> type:
    """Return a strategy that follows these addresses in this order."""
    from dowse.model import LinkChoice as Choice
    from dowse.strategy import Guide, Strategy

    class Picked(Strategy, Guide):
        def open(self, site, outlook=None):  # type: ignore[no-untyped-def]
            return self

        def learn(self, seen):  # type: ignore[no-untyped-def]
            chosen = [link for link in seen.links if link.url.partition("example")[2] in order]
            return [Choice(link, -order.index(link.url.partition("example")[2])) for link in chosen]

        def why_not(self, link: Link) -> str:
            return "not picked"

    return Picked


def play(recording: Recording, monkeypatch: pytest.MonkeyPatch, *order: str) -> SiteYield:
    from dowse.strategy import STRATEGIES

    monkeypatch.setitem(STRATEGIES, "picked", lambda parameters: pick(*order)())
    return replay_site(recording, search_site, "picked", site_pages=50).given


@pytest.mark.parametrize("forms", [[FORM, OTHER], [OTHER, FORM]], ids=["first", "second"])
def test_a_door_stands_on_every_page_that_shows_it(monkeypatch: pytest.MonkeyPatch, forms: list[str]) -> None:
    """The recording meets the form on /one.html; a search that never goes there finds it on /three.html."""
    pages = {
        "http://a.example/": page(*MENU, text=long("home")),
        "http://a.example/one.html": page(text=long("one"), forms="".join(forms)),
        "http://a.example/two.html": page(text=long("two")),
        "http://a.example/three.html": page(text=long("three"), forms=FORM),
    }
    recording = record(SEED, web(pages))
    assert recording.total == 2
    assert play(recording, monkeypatch, "/three.html") == SiteYield(2, 1, 2)
    assert play(recording, monkeypatch, "/two.html") == SiteYield(2, 0, 2)
    assert play(recording, monkeypatch, "/three.html", "/one.html") == SiteYield(3, 2, 2)


def test_a_link_stands_on_every_page_that_shows_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """The recording meets /deep.html on /one.html, and again on /two.html, where a search that skips the first finds it."""
    pages = {
        "http://a.example/": page(*MENU, text=long("home")),
        "http://a.example/one.html": page("/deep.html", text=long("one")),
        "http://a.example/two.html": page("/other.html", "/deep.html", text=long("two")),
        "http://a.example/three.html": page(text=long("three")),
        "http://a.example/deep.html": page(text=long("deep"), forms=FORM),
    }
    recording = record(SEED, web(pages))
    assert play(recording, monkeypatch, "/two.html", "/deep.html") == SiteYield(3, 1, 1)
    assert play(recording, monkeypatch, "/three.html", "/deep.html") == SiteYield(2, 0, 1)


def test_pages_that_were_not_recorded_cost_and_are_counted() -> None:
    pages = {"http://a.example/": page(*(f"/p{number}.html" for number in range(20)), text=long("home"))}
    recording = record(SEED, web(pages), site_pages=5)
    replayed = replay_site(recording, search_site, "exhaustive:3", site_pages=12)
    assert replayed.given.pages == 12
    assert replayed.missing == 12 - 5


def test_menus_are_laid_out_once_and_only_where_a_strategy_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    from dowse.sample import record as recorded

    laid_out: list[str] = []
    document = recorded.Document
    monkeypatch.setattr(recorded, "Document", lambda response: laid_out.append(response.url) or document(response))
    links = "".join(f'<li><a href="{link}">{link}</a></li>' for link in MENU)
    body = "<html><body><ul>{}</ul><p>{}</p></body></html>"
    pages = {"http://a.example/": body.format(links, long("home"))}
    pages |= {f"http://a.example{link}": body.format(links, long(link)) for link in MENU}
    recording = record(SEED, web(pages))
    replay_site(recording, search_site, "exhaustive:3", site_pages=50)
    assert not laid_out
    first = replay_site(recording, search_site, "navmenu:3", site_pages=50)
    looked = list(laid_out)
    assert looked
    assert len(looked) == len(set(looked))
    assert replay_site(recording, search_site, "navmenu:3", site_pages=50) == first
    assert laid_out == looked
    assert first.given.pages == len(search(SEED, "navmenu:3", web(pages)).visits)


def test_a_site_that_fails_gives_an_error() -> None:
    recording = record(SEED, web(lambda url: None))
    assert "404" in recording.search.error
    assert recording.total == 0


# -- a site that was recorded in part

SEARCH = '<form action="/{0}/find"><label>Search the catalogue <input name="q{0}"></label><input name="author"><button>Search</button></form>'
TRIALS = 400


def half_recorded(trial: int) -> Recording:
    """Record the entrance of a site, and two of the eight pages that it links to, drawn at random; below each is one page more."""
    home = f"http://s{trial}.example/"
    pages: dict[str, Any] = {home: page(*(f"/p{number}/" for number in range(8)))}
    for number in range(8):
        pages[f"{home}p{number}/"] = page(f"/p{number}/below/", forms=SEARCH.format(number) if number % 2 else "")
        pages[f"{home}p{number}/below/"] = page(text=f"below {number}")
    seed = read_seed(home)
    return asyncio.run(record_site(seed, search_site, web(pages), site_pages=50, strategy="exhaustive:0", audit=2 / 3))


@lru_cache(1)
def half_recordings() -> list[Recording]:
    return [half_recorded(trial) for trial in range(TRIALS)]


def test_drawn_pages_stand_for_those_that_were_not_recorded() -> None:
    given = [replay_site(each, search_site, "exhaustive:1", site_pages=50).given for each in half_recordings()]
    assert all(len(each.chances) == 2 for each in half_recordings())
    assert {each.pages for each in given} == {9}, "how many pages it wants is known"
    assert {each.unjudged for each in given} == {0}
    forms = [each.forms for each in given]
    error = (sum((each - 4) ** 2 for each in forms) / TRIALS / TRIALS) ** 0.5
    assert abs(sum(forms) / TRIALS - 4) <= 3 * error
    assert error < 0.3


def test_pages_below_drawn_ones_are_counted_and_not_judged() -> None:
    given = [replay_site(each, search_site, "exhaustive:2", site_pages=50).given for each in half_recordings()]
    pages = [each.pages for each in given]
    error = (sum((each - 17) ** 2 for each in pages) / TRIALS / TRIALS) ** 0.5
    assert abs(sum(pages) / TRIALS - 17) <= 3 * error
    assert all(each.unjudged == pytest.approx(each.pages - 9) for each in given)


def test_what_recorded_it_is_counted_without_what_was_drawn() -> None:
    assert {
        replay_site(each, search_site, "exhaustive:0", site_pages=50).given.pages for each in half_recordings()
    } == {1}
