"""The map of a site: all of it where it is small, enough of it where it is large, never more than a limit."""

from __future__ import annotations

import pytest

from dowse.example import map as mapping
from dowse.example.follow import ExamplePage, build_opener
from dowse.example.judge import open_judge
from dowse.example.learn import learn_like
from dowse.example.map import MIN_UNIFORM_PAGES, MapLimits, SiteMap, find_targets, map_site
from dowse.model import Request
from dowse.tree.similarity import shape_of

from .shop import SITE, Shop, address, item, listing, open_shop, other


async def draw(shop: Shop, limits: MapLimits | None = None, sample: str = "/item/0") -> SiteMap:
    look = build_opener(shop.fetches.within_site)
    entry, first = await look(Request(address("/"))), await look(Request(address(sample)))
    assert isinstance(entry, ExamplePage)
    assert isinstance(first, ExamplePage)
    shop.asked.clear()
    judge = open_judge({first.url: shape_of(first.tree)}, shape_of(entry.tree))
    return await map_site(entry, judge, look, limits or MapLimits())


def places(urls: object) -> set[str]:
    return {url.removeprefix(SITE) for url in urls}  # type: ignore[attr-defined]


async def test_a_small_site_is_mapped_whole_and_no_page_is_opened_twice() -> None:
    shop = open_shop(25)
    site = await draw(shop)
    assert places(site.targets) == {f"/item/{n}" for n in range(25)}
    assert places(site.pages) == set(shop.pages)
    assert len(shop.asked) == len(set(shop.asked)) == len(shop.pages) - 1
    assert (site.stopped, site.failures) == ("", {})


async def test_of_many_pages_of_one_kind_enough_are_opened_and_the_others_presumed() -> None:
    shop = open_shop(200, 50)
    site = await draw(shop)
    assert len(shop.items()) < MIN_UNIFORM_PAGES + 10
    assert places(site.targets) | places(site.presumed) == {f"/item/{n}" for n in range(200)}
    assert not site.targets & site.presumed.keys()


async def test_an_entry_whose_links_all_are_the_sample_kind() -> None:
    shop = Shop({"/": listing(*(f"/item/{n}" for n in range(900)))}, make=lambda place: item(len(place)))
    shop.pages["/about"] = other("/")
    site = await draw(shop)
    assert len(site.targets) + len(site.presumed) == 900
    assert len(shop.asked) < MIN_UNIFORM_PAGES + 10


async def test_pages_that_lead_nowhere_are_left_after_a_while() -> None:
    shop = open_shop(20)
    shop.pages["/about"] = listing(*(f"/news/{n}" for n in range(300)))
    shop.make = lambda place: other("/") if place.startswith("/news/") else None
    site = await draw(shop)
    assert sum(place.startswith("/news/") for place in shop.asked) <= MIN_UNIFORM_PAGES + 1
    assert places(site.targets) == {f"/item/{n}" for n in range(20)}


async def test_a_calendar_without_end_ends_when_paths_are_stable() -> None:
    def make(place: str) -> str | None:
        return listing(f"/day/{int(place.rpartition('/')[2]) + 1}") if place.startswith("/day/") else None

    shop = open_shop(20)
    shop.pages["/jobs"], shop.make = listing("/day/1"), make
    site = await draw(shop, MapLimits(pages=90, depth=1_000_000))
    assert site.stopped == ""
    assert len(shop.asked) < 60
    assert places(site.targets) == {f"/item/{n}" for n in range(20)}


async def test_lists_that_the_entry_leads_to_late_are_found_before_a_map_ends() -> None:
    shop = open_shop(40)
    shop.pages["/"] = listing(*(f"/news/{n}" for n in range(100)), *(f"/list/{n}" for n in range(4)))
    shop.make = lambda place: other("/") if place.startswith("/news/") else None
    site = await draw(shop)
    assert len(site.targets) + len(site.presumed) == 40, "kinds of links take turns"


async def test_orders_of_a_list_cost_nothing() -> None:
    shop = open_shop(20)
    orders = [f"/list/0?sort={name}&page={number}" for name in "abcdef" for number in range(30)]
    shop.pages["/list/0"] = listing(*(f"/item/{n}" for n in range(10)), "/list/0?page=1", *orders)
    shop.make = lambda place: listing("/item/1", "/item/2", *orders) if place.startswith("/list/0?") else None
    site = await draw(shop)
    assert sum("sort=" in place for place in shop.asked) <= 30
    assert places(site.targets) == {f"/item/{n}" for n in range(20)}


async def test_a_list_by_letters_whose_addresses_look_like_orders_is_read() -> None:
    letters = [f"/index?c={letter}" for letter in "abcdefgh"]
    shop = Shop({"/": listing("/index", *letters), "/index": listing(*letters)})
    for number, letter in enumerate(letters):
        shop.pages[letter] = listing(*(f"/item/{n}" for n in range(9 * number, 9 * number + 9)))
    shop.pages |= {f"/item/{n}": item(n) for n in range(72)}
    site = await draw(shop)
    assert places(site.targets) | places(site.presumed) == {f"/item/{n}" for n in range(72)}


async def test_pages_of_a_list_that_say_its_size_are_no_other_views_of_it() -> None:
    shop = open_shop(0)
    pages = [f"/list?page={number}&page_size=10" for number in range(1, 6)]
    sizes = [f"/list?page_size={size}" for size in (20, 50, 100)]
    shop.pages["/"] = listing("/list")
    shop.pages["/list"] = listing(*(f"/item/{n}" for n in range(10)), *pages, *sizes)
    for number, place in enumerate(pages, 1):
        sorts = [f"{place}&sort={name}" for name in "abc"]
        shop.pages[place] = listing(*(f"/item/{n}" for n in range(10 * number, 10 * number + 10)), *pages, *sorts)
    shop.make = lambda place: item(int(place[6:]), "/") if place.startswith("/item/") else listing("/item/1", "/item/2")
    site = await draw(shop)
    assert places(site.targets) | places(site.presumed) == {f"/item/{n}" for n in range(60)}
    assert not [place for place in shop.asked if "sort=" in place or place in sizes], "lists that were read before"


def open_wiki() -> Shop:
    """Return a wiki with categories that are all built alike; each page names its own, and each category all others."""
    groups = {f"/category/{name}": [f"/article/{name}-{n}" for n in range(12)] for name in ("jazz", "rock", "folk")}
    pages = {place: item(n, place) for place, below in groups.items() for n, place in enumerate(below)}
    for place, below in groups.items():
        further = f"{place}?page=2"
        pages[place] = listing(*below[:8], following=further).replace("<div id=foot>", f"<div id=foot>{links(*groups)}")
        pages[further] = listing(*below[8:]).replace("<div id=foot>", f"<div id=foot>{links(*groups)}")
        pages |= {each: item(n, place) for n, each in enumerate(below)}
    return Shop({**pages, "/about": other("/"), "/": listing(*groups)})


def links(*targets: str) -> str:
    return "".join(f'<a href="{place}">{place}</a>' for place in targets)


@pytest.mark.parametrize(
    ("entry", "wanted"),
    [
        pytest.param("/category/jazz", {"jazz"}, id="a category is the list that was meant"),
        pytest.param("/", {"jazz", "rock", "folk"}, id="the home page means all"),
    ],
)
async def test_where_the_entry_is_one_of_several_lists_only_what_is_below_it_counts(
    entry: str, wanted: set[str]
) -> None:
    wiki = open_wiki()
    learned = await learn_like([address("/article/jazz-9")], address(entry), wiki.fetches, MapLimits())
    found = places(learned.site.targets) | places(learned.site.presumed)
    assert found == {f"/article/{name}-{n}" for name in wanted for n in range(12)}


async def test_links_too_deep_are_not_followed() -> None:
    shop = open_shop(20)
    site = await draw(shop, MapLimits(depth=1))
    assert places(site.pages) == {"/", "/about", "/list/0", "/list/1"}
    assert site.targets == frozenset()


async def test_addresses_that_a_map_remembers_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mapping, "MAX_MAP_ADDRESSES", 500)
    shop = open_shop(20)
    shop.pages["/jobs"] = listing(*(f"/x{n}/" for n in range(1_000)))
    shop.make = lambda place: listing(*(f"{place}{n}/" for n in range(100))) if place.startswith("/x") else None
    site = await draw(shop, MapLimits(pages=100))
    assert len(site.pages) + len(site.unopened) <= 501


async def test_a_page_with_a_hundred_thousand_links_is_no_trouble() -> None:
    shop = open_shop(20)
    shop.pages["/jobs"] = listing(*(f"/x/{n}" for n in range(100_000)))
    site = await draw(shop, MapLimits(pages=80))
    assert places(site.targets) == {f"/item/{n}" for n in range(20)}


async def test_failures_are_counted_by_reason() -> None:
    shop = open_shop(20)
    del shop.pages["/item/3"], shop.pages["/item/4"]
    site = await draw(shop)
    assert site.failures == {"HTTP 404": 2}
    assert len(site.targets) == 18


async def test_the_pages_between_entry_and_targets_and_what_must_not_be_taken_for_one() -> None:
    found = find_targets(await draw(open_shop(20)))
    assert places(found.targets) == {f"/item/{n}" for n in range(20)}
    assert places(found.parents[address("/item/3")]) == {"/list/0"}
    assert places(found.parents[address("/list/1")]) == {"/"}
    assert places(found.others) == {"/about"}, "jobs are on no page that leads to targets"


async def test_targets_that_only_targets_link_to_are_found() -> None:
    shop = open_shop(20)
    shop.pages["/item/19"] = item(19, "/item/20")
    shop.pages |= {f"/item/{n}": item(n, f"/item/{n + 1}") for n in range(20, 26)}
    site = await draw(shop)
    assert places(site.targets) == {f"/item/{n}" for n in range(26)}
