"""Page-based crawling: its three orders, and what it counts."""

from __future__ import annotations

import asyncio

import pytest

from bench.paper1.pages import ORDERS, crawl_pages
from dowse.errors import BadInput
from dowse.fetch import Fetch
from dowse.fetch.build import wrap_fetch
from dowse.model import Failure, Link, SeenOnSite, Visit
from dowse.reasons import FailureReason
from dowse.sim.fetch import simulate
from dowse.sim.world import World
from dowse.step.visit import visit
from tests.webs import Answer, page, web

A, B = "http://a.com/", "http://b.com/"
TREE: dict[str, Answer] = {
    A: page("/1", "/2", B),
    f"{A}1": page("/11", "/12"),
    f"{A}2": page("/21", "/1"),
    f"{A}11": page("/2"),
    f"{A}12": page(),
    f"{A}21": page(),
    B: page("/x", A),
    f"{B}x": page(),
}


def crawl(fetch: Fetch, order: str, seeds: list[str], pages: int = 100, **options: int) -> list[Visit]:
    async def visit_link(link: Link, seen: SeenOnSite) -> Visit:
        return await visit(link, fetch, seen)

    async def go() -> list[Visit]:
        return [each async for each in crawl_pages(seeds, visit_link, order, pages=pages, **options)]

    return asyncio.run(go())


def names(visits: list[Visit]) -> list[str]:
    return [each.link.url.removeprefix("http://").replace(".com/", "") for each in visits]


def test_breadth_first() -> None:
    assert names(crawl(web(TREE), "breadth", [A])) == ["a", "a1", "a2", "b", "a11", "a12", "a21", "bx"]


def test_depth_first_in_the_order_of_the_page() -> None:
    assert names(crawl(web(TREE), "depth", [A])) == ["a", "a1", "a11", "a2", "a21", "a12", "b", "bx"]


def test_by_chance_but_the_same_for_the_same_seed() -> None:
    orders = {tuple(names(crawl(web(TREE), "random", [A], seed=seed))) for seed in range(8)}
    assert len(orders) > 1
    assert {frozenset(order) for order in orders} == {frozenset(names(crawl(web(TREE), "breadth", [A])))}
    assert names(crawl(web(TREE), "random", [A], seed=3)) == names(crawl(web(TREE), "random", [A], seed=3))


@pytest.mark.parametrize("order", ORDERS)
def test_so_many_pages_and_no_more(order: str) -> None:
    asked: list[str] = []
    endless = web(lambda url: page(f"{url}1/", f"{url}2/"), asked)
    assert len(crawl(endless, order, [A], pages=30)) == len(asked) == 30
    assert len(set(asked)) == 30


@pytest.mark.parametrize("order", ORDERS)
def test_no_more_wait_than_there_is_room_for(order: str) -> None:
    wide = web(lambda url: page(*(f"{url}{number}/" for number in range(50))))
    assert len(crawl(wide, order, [A], pages=40, room=10)) == 40


def test_depth_first_goes_on_where_it_is_when_there_is_no_room() -> None:
    endless = web(lambda url: page(f"{url}1/", f"{url}2/"))
    assert max(each.link.depth for each in crawl(endless, "depth", [A], pages=30, room=5)) == 29


def test_what_was_not_asked_for_is_no_page() -> None:
    closed = web({A: page("/no", "/1"), f"{A}no": Failure(f"{A}no", FailureReason.ROBOTS), f"{A}1": page()})
    assert names(crawl(closed, "breadth", [A], pages=2)) == ["a", "a1"]


def test_a_form_counts_once_for_each_site() -> None:
    box = '<form action="http://a.com/find"><input name="q"><button>Search books</button></form>'
    pages: dict[str, Answer] = {A: page("/1", B, forms=box), f"{A}1": page(forms=box), B: page(forms=box)}
    assert [len(each.doors) for each in crawl(web(pages), "breadth", [A])] == [1, 0, 1]


def test_an_order_that_is_none() -> None:
    with pytest.raises(BadInput, match="no order"):
        crawl(web(TREE), "best", [A])


@pytest.mark.parametrize("order", ORDERS)
def test_over_the_simulated_web(order: str) -> None:
    world = World(3, 40)
    found = crawl(wrap_fetch(simulate(world)).within_site, order, world.seeds(), pages=150)
    assert len(found) == 150
    assert len({each.link.url for each in found}) == 150
    sites = len({each.link.url.split("/")[2] for each in found})
    assert sites > 1 or order == "depth"
