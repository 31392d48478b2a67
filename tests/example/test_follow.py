"""The crawler of a pattern: each page once, along every path, and never for ever."""

from __future__ import annotations

from collections import Counter

import pytest

from dowse.example.follow import MOST_BARREN, Memory, follow
from dowse.example.look import look_with
from dowse.example.pattern import Ask, Pattern, Step
from dowse.example.walk import Walk, judge_walk
from dowse.model import Failure, Response, Why
from dowse.store.walks import Opened

from .shop import ANY, HTML, ITEM, LIST, SITE, Shop, address, item, listing, open_shop, other, pattern_of

HUB = r"^http://shop\.example/hub/[0-9]+$"


async def walk_through(
    shop: Shop, pattern: Pattern, known: set[str] | None = None, limit: int = 0
) -> tuple[Walk, list[str]]:
    """Follow a pattern; return how it went and the places that were found."""
    walk = Walk(pattern, ANY)
    look = look_with(shop.fetches.within_site)
    found = [each.seen.url async for each in follow(walk, look, Memory(known or set()), limit=limit)]
    return walk, [url.removeprefix(SITE) for url in found]


async def test_every_page_at_the_end_of_a_path_is_found_and_nothing_else_is_opened() -> None:
    shop = open_shop(40)
    walk, found = await walk_through(shop, pattern_of())
    assert sorted(found) == sorted(f"/item/{number}" for number in range(40))
    assert (walk.pages, walk.links, len(shop.asked)) == (40, 45, 45)
    assert judge_walk(walk).yes


async def test_a_page_on_two_paths_is_opened_once_and_found_once() -> None:
    shop = open_shop(20)
    shop.pages["/"] = listing("/list/0", "/list/1", "/item/3")
    _, found = await walk_through(shop, pattern_of((Step(LIST), Step(ITEM)), (Step(ITEM),)))
    assert max(Counter(shop.asked).values()) == 1
    assert sorted(Counter(found).values()) == [1] * 20


async def test_a_page_that_ended_a_path_leads_on_when_another_reaches_it_later() -> None:
    pages = {
        "/": listing("/hub/1", "/list/0"), "/hub/1": item(1, "/item/1"), "/list/0": listing("/list/1"),
        "/list/1": listing("/hub/1"), "/item/1": item(1),
    }  # fmt: skip
    paths = (Step(HUB),), (Step(LIST, repeats=True), Step(HUB), Step(ITEM))
    shop = Shop(dict(pages))
    _, found = await walk_through(shop, pattern_of(*paths))
    assert sorted(found) == ["/hub/1", "/item/1"]
    assert shop.asked.count("/hub/1") == 1


async def test_a_page_on_the_way_is_found_when_another_path_ends_there_later() -> None:
    pages = {
        "/": listing("/hub/1", "/list/0"), "/hub/1": item(1, "/item/1"), "/list/0": listing("/hub/1"),
        "/item/1": item(1),
    }  # fmt: skip
    shop = Shop(dict(pages))
    _, found = await walk_through(shop, pattern_of((Step(HUB), Step(ITEM)), (Step(LIST), Step(HUB))))
    assert sorted(found) == ["/hub/1", "/item/1"]
    assert shop.asked.count("/hub/1") == 1


async def test_a_long_chain_that_is_reached_again_another_way_needs_no_deep_stack() -> None:
    length = 1_100  # more than calls may be nested
    pages = {f"/list/{n}": listing(f"/list/{n + 1}", f"/item/{n}") for n in range(length)}
    pages |= {"/": listing("/list/0", "/hub/0"), "/hub/0": listing("/hub/1"), "/hub/1": listing("/list/0")}
    pages |= {f"/item/{n}": item(n) for n in range(length)}
    shop = Shop(dict(pages))
    paths = (Step(LIST, repeats=True), Step(ITEM)), (Step(HUB, repeats=True), Step(LIST, repeats=True), Step(ITEM))
    _, found = await walk_through(shop, pattern_of(*paths))
    assert len(found) == length
    assert max(Counter(shop.asked).values()) == 1


async def test_a_step_that_repeats_goes_round_once() -> None:
    pages = {f"/list/{n}": listing(f"/list/{(n + 1) % 5}", f"/list/{(n + 3) % 5}", f"/item/{n}") for n in range(5)}
    pages |= {"/": listing("/list/0")} | {f"/item/{n}": item(n, "/list/0", "/") for n in range(5)}
    shop = Shop(dict(pages))
    walk, found = await walk_through(shop, pattern_of((Step(LIST, repeats=True), Step(ITEM))))
    assert sorted(found) == [f"/item/{n}" for n in range(5)]
    assert walk.links == 11


async def test_targets_that_only_targets_link_to_are_found_where_the_last_step_repeats() -> None:
    pages = {f"/item/{n}": item(n, f"/item/{n + 1}") for n in range(150)}
    shop = Shop({"/": listing("/item/0"), **pages, "/item/150": item(150)})
    _, found = await walk_through(shop, pattern_of((Step(ITEM, repeats=True),)))
    assert len(found) == 151


async def test_a_list_that_has_grown_is_read_on_though_the_pattern_knows_one_page() -> None:
    pages = {"/list/0": listing(*(f"/item/{n}" for n in range(10)), following="/list/0?page=2")}
    pages["/list/0?page=2"] = listing(*(f"/item/{n}" for n in range(10, 15)), following="/list/0?page=3")
    pages["/list/0?page=3"] = listing(*(f"/item/{n}" for n in range(15, 18)))
    pages |= {"/": listing("/list/0")} | {f"/item/{n}": item(n) for n in range(18)}
    _, found = await walk_through(Shop(dict(pages)), pattern_of())
    assert len(found) == 18


async def test_a_calendar_without_end_ends() -> None:
    def make(place: str) -> str | None:
        if place.startswith("/item/"):
            return item(1)
        number = int(place.rpartition("/")[2]) if place.startswith("/list/") else 0
        return listing(f"/list/{number + 1}", "/item/1", *(["/item/2"] if number == 30 else []))

    shop = Shop(make=make)
    walk, found = await walk_through(shop, pattern_of((Step(LIST, repeats=True), Step(ITEM))))
    assert sorted(found) == ["/item/1", "/item/2"]
    assert walk.links <= 40 + MOST_BARREN
    assert not walk.stopped


async def test_pages_without_end_stop_at_the_limit() -> None:
    def make(place: str) -> str | None:
        number = int(place.rpartition("/")[2] or 0)
        return item(number) if place.startswith("/item/") else listing(f"/list/{number + 1}", f"/item/{number}")

    walk, found = await walk_through(Shop(make=make), pattern_of((Step(LIST, repeats=True), Step(ITEM))), limit=301)
    assert (walk.links, walk.stopped) == (301, "301 links were traversed")
    assert len(found) == 150
    assert judge_walk(walk).yes


async def test_known_targets_are_not_opened() -> None:
    shop = open_shop(40)
    walk, found = await walk_through(shop, pattern_of(), known={address(f"/item/{n}") for n in range(35)})
    assert sorted(found) == [f"/item/{n}" for n in range(35, 40)]
    assert set(shop.items()) == set(found)
    assert walk.unread == 35


async def test_a_known_target_is_opened_when_it_is_on_the_way_to_others() -> None:
    pages = {"/": listing("/hub/1", "/list/0"), "/hub/1": item(1, "/item/1"), "/list/0": listing("/hub/1")}
    shop = Shop({**pages, "/item/1": item(1)})
    walk, found = await walk_through(
        shop, pattern_of((Step(HUB),), (Step(LIST), Step(HUB), Step(ITEM))), known={address("/hub/1")}
    )
    assert "/item/1" in found
    assert walk.unread == 0


async def test_targets_come_before_further_lists_so_that_a_small_limit_brings_some() -> None:
    shop = open_shop(40, 10)
    walk, found = await walk_through(shop, pattern_of(), limit=8)
    assert len(found) == 6
    assert walk.links == 8


HUB_FAILURES = [
    ("is gone", Response("", 404, HTML, b"<p>gone"), "HTTP 404"),
    ("breaks", Response("", 500, HTML, b"<p>oh"), "HTTP 500"),
    ("does not answer", Failure("", Why.TIMEOUT), "timed out"),
    ("is a service", Response("", 200, (("content-type", "application/json"),), b'{"a": 1}'), "not a page"),
]


@pytest.mark.parametrize(("answer", "why"), [row[1:] for row in HUB_FAILURES], ids=[row[0] for row in HUB_FAILURES])
async def test_a_list_that_fails_costs_its_own_targets_and_no_others(answer: Response | Failure, why: str) -> None:
    shop = open_shop(40)
    shop.pages["/list/2"] = answer
    walk, found = await walk_through(shop, pattern_of(figures={"targets": 40}))
    assert len(found) == 30
    assert walk.failures == {why: 1}
    assert judge_walk(walk).yes


async def test_an_entry_that_is_gone_is_told_as_such() -> None:
    shop = open_shop(10)
    del shop.pages["/"]
    walk, found = await walk_through(shop, pattern_of())
    assert (found, walk.opened) == ([], 0)
    assert judge_walk(walk).reason == f"{SITE}/ could not be opened: HTTP 404"


CHANGES = [
    ("the lists moved", {"/": listing("/new/0")}, "no link matches step 1"),
    ("the things moved", {f"/list/{n}": listing("/thing/1") for n in range(4)}, "no link matches step 2"),
    ("most are gone", {f"/list/{n}": other("/") for n in range(1, 4)}, "10 pages were found where there were 40"),
]


@pytest.mark.parametrize(("pages", "why"), [row[1:] for row in CHANGES], ids=[row[0] for row in CHANGES])
async def test_a_site_that_has_changed_is_told_as_such(pages: dict[str, str], why: str) -> None:
    shop = open_shop(40)
    shop.pages.update(pages)
    walk, _ = await walk_through(shop, pattern_of(figures={"targets": 40}))
    assert not judge_walk(walk).yes
    assert judge_walk(walk).reason.startswith(why)


async def test_a_page_with_very_many_links_is_cut_and_that_is_counted() -> None:
    shop = Shop({"/": listing(*(f"/item/{n}" for n in range(100_000)))}, make=lambda _: other())
    walk, found = await walk_through(shop, pattern_of((Step(ITEM),)), limit=5)
    assert len(found) == 4
    assert walk.dropped > 30_000  # of what is read of such a page


async def test_answers_of_a_form_are_where_a_pattern_begins() -> None:
    pages = {f"/find?letter={each}": listing(f"/item/{number}") for number, each in enumerate("abc")}
    shop = Shop({**pages, **{f"/item/{n}": item(n) for n in range(3)}})
    ask = Ask(address("/find"), "GET", "letter", ("a", "b", "c"))
    walk, found = await walk_through(shop, pattern_of((Step(ITEM),), first=ask))
    assert sorted(found) == ["/item/0", "/item/1", "/item/2"]
    assert "/" not in shop.asked
    assert judge_walk(walk).yes


RUNS = 200  # that a walk may take to come to its end


async def go_on_and_on(shop: Shop, pattern: Pattern, limit: int) -> tuple[list[str], int]:
    """Follow a pattern in runs of a few links, each of which knows what was noted before; return what was found."""
    opened: dict[str, Opened] = {}
    found: list[str] = []
    for _ in range(RUNS):
        walk = Walk(pattern, ANY)
        memory = Memory(set(found), (), opened.get, lambda page: opened.update({page.name: page}))
        async for each in follow(walk, look_with(shop.fetches.within_site), memory, limit=limit):
            found.append(each.seen.url)
        if not walk.stopped:
            return [url.removeprefix(SITE) for url in found], walk.unread + walk.pages
    raise AssertionError("it does not come to its end")


def open_maze() -> tuple[Shop, Pattern]:
    """Return a site with lists that go on, targets that lead on, and pages that are reached several ways."""
    pages = {"/": listing("/list/0", "/hub/1", "/hub/2"), "/hub/1": item(1, "/item/1"), "/hub/2": other("/item/9")}
    pages |= {f"/list/{n}": listing(f"/item/{n}", "/hub/1", following=f"/list/0?page={n + 1}") for n in range(3)}
    pages |= {f"/list/0?page={n}": listing(f"/item/{n}", "/list/1", "/list/2", "/list/7") for n in range(1, 4)}
    pages |= {f"/item/{n}": item(n, f"/item/{n + 4}") for n in range(12)}
    paths = (Step(LIST, repeats=True), Step(ITEM, repeats=True)), (Step(LIST), Step(HUB)), (Step(HUB), Step(ITEM))
    return Shop(dict(pages)), pattern_of(*paths)


@pytest.mark.parametrize("limit", [1, 2, 3, 7])
async def test_a_walk_in_pieces_opens_and_finds_what_one_in_one_piece_does(limit: int) -> None:
    shop, pattern = open_maze()
    _, at_once = await walk_through(shop, pattern)
    whole = Counter(shop.asked)
    shop.asked.clear()
    found, count = await go_on_and_on(shop, pattern, limit)
    assert sorted(found) == sorted(at_once)
    assert count == len(found)
    again = Counter(shop.asked) - whole
    assert set(again) <= {"/hub/1"}  # met on the way, and wanted only later: what it says was not kept
    assert not whole - Counter(shop.asked)


async def test_a_page_that_its_server_could_not_give_is_tried_once_more_after_all_others() -> None:
    shop = open_shop(20)
    shop.pages |= {"/list/0": Response("", 500, HTML, b""), "/list/1": Response("", 404, HTML, b"")}
    found, _ = await go_on_and_on(shop, pattern_of(), 2)
    assert (found, shop.asked) == ([], ["/", "/list/0", "/list/1", "/list/0"])


async def test_a_form_that_is_asked_with_words_is_asked_with_those_of_pages_that_were_found_before() -> None:
    pages = {"/find?q=red": listing("/item/0"), "/find?q=thing": listing("/item/1"), "/find?q=number": listing()}
    shop = Shop({**pages, "/item/0": item(0), "/item/1": item(1)})
    pattern = pattern_of((Step(ITEM),), first=Ask(address("/find"), "GET", "q", ("red",), words=True))
    walk, look = Walk(pattern, ANY), look_with(shop.fetches.within_site)
    memory = Memory({address("/item/0")}, ["Thing number 0"])
    assert [each.seen.url async for each in follow(walk, look, memory)] == [address("/item/1")]


def leading_to(place: str, number: int) -> Response:
    return Response(address(place), 200, HTML, item(number).encode(), redirects=(address(place),))


ORDERS = [
    ("the other address first", ["/item/99", "/item/1", "/item/2"], ["/item/99", "/item/2"]),
    ("the page first", ["/item/1", "/item/99", "/item/2"], ["/item/1", "/item/2"]),
    ("two others", ["/item/98", "/item/99", "/item/2"], ["/item/98", "/item/2"]),
]


@pytest.mark.parametrize(("links", "rows"), [row[1:] for row in ORDERS], ids=[row[0] for row in ORDERS])
async def test_addresses_that_lead_to_one_page_are_one_page(links: list[str], rows: list[str]) -> None:
    pages = {"/item/98": leading_to("/item/1", 1), "/item/99": leading_to("/item/1", 1)}
    shop = Shop({"/": listing(*links), "/item/1": item(1), "/item/2": item(2), **pages})
    walk, found = await walk_through(shop, pattern_of((Step(ITEM),)))
    assert (found, walk.pages, walk.unlike) == (rows, 2, 0)


async def test_an_address_that_leads_to_a_known_page_is_no_new_one() -> None:
    shop = Shop({"/": listing("/item/99", "/item/1"), "/item/1": item(1), "/item/99": leading_to("/item/1", 1)})
    _, found = await walk_through(shop, pattern_of((Step(ITEM),)), {address("/item/1")})
    assert found == []


async def test_answers_to_post_share_an_address_and_are_all_opened() -> None:
    shop = Shop({"/find": listing("/item/0", "/item/1"), "/item/0": item(0), "/item/1": item(1)})
    ask = Ask(address("/find"), "POST", "letter", ("a", "b", "c"))
    _, found = await walk_through(shop, pattern_of((Step(ITEM),), first=ask))
    assert sorted(found) == ["/item/0", "/item/1"]
    assert shop.asked.count("/find") == 3
