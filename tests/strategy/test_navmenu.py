"""Navmenu: how many menus of a page are tried, as it is written, and what of the page they lead to."""

from __future__ import annotations

import asyncio

import pytest

from dowse.crawl.site import search_site
from dowse.model import Link, Seed, SeenOnSite, Visit
from dowse.step.visit import visit
from dowse.strategy import build_strategy
from dowse.strategy.navmenu import Navmenu
from dowse.url import site_of
from tests.webs import web

ROOT = "http://e.com/"
MENUS = ("abc", "def", "ghi", "jkl")  # of the entrance, from the top of the page


@pytest.mark.parametrize(
    ("text", "depth", "groups"),
    [
        pytest.param("navmenu", 3, 3, id="as in the paper: Navmenu(3) is its best, k = 3 in Fig. 10"),
        pytest.param("navmenu:10", 10, 3, id="a depth alone leaves k"),
        pytest.param("navmenu:3,2", 3, 2, id="depth and k"),
        pytest.param("navmenu:0,1", 0, 1, id="the least"),
    ],
)
def test_its_written_form(text: str, depth: int, groups: int) -> None:
    assert build_strategy(text) == Navmenu(depth, groups)


def write_page(name: str) -> str:
    """Return a page with a menu: the entrance has all, any other the one that leads there and a word of its own."""
    shown = [menu for menu in MENUS if not name or name in menu]
    menus = "".join(
        "<p>some words</p><ul>" + "".join(f'<li><a href="/{each}">{each}</a></li>' for each in menu) + "</ul>"
        for menu in shown
    )
    return f"<html><title>{name}</title><body>{menus}<p>about {name}</p></body></html>"


@pytest.mark.parametrize(
    ("strategy", "fetched"),
    [
        pytest.param("navmenu:1,1", "abc", id="the first menu"),
        pytest.param("navmenu:1,2", "abcdef", id="two"),
        pytest.param("navmenu:1", "abcdefghi", id="three, as in Fig. 10"),
        pytest.param("navmenu:1,9", "abcdefghijkl", id="more than there are"),
        pytest.param("navmenu:0,9", "", id="no depth, no menu"),
    ],
)
def test_the_links_of_the_best_k_menus_are_followed(strategy: str, fetched: str) -> None:
    fetch = web({f"{ROOT}{name}": write_page(name) for name in ("", *"".join(MENUS))})

    async def visit_link(link: Link, seen: SeenOnSite) -> Visit:
        return await visit(link, fetch, seen)

    found = asyncio.run(search_site(Seed(site_of(ROOT), ROOT), build_strategy(strategy), visit_link, site_pages=100))
    assert sorted(each.link.url.removeprefix(ROOT) for each in found.visits) == ["", *fetched]


def test_pages_at_the_last_depth_are_not_laid_out() -> None:
    fetch = web({f"{ROOT}{name}": write_page(name) for name in ("", *"".join(MENUS))})
    laid_out: dict[int, set[bool]] = {}

    async def visit_link(link: Link, seen: SeenOnSite) -> Visit:
        laid_out.setdefault(link.depth, set()).add(seen.layout)
        return await visit(link, fetch, seen)

    asyncio.run(search_site(Seed(site_of(ROOT), ROOT), build_strategy("navmenu:1"), visit_link, site_pages=100))
    assert laid_out == {0: {True}, 1: {False}}


def test_a_page_that_was_only_tried_is_searched_no_further() -> None:
    """Fig. 11, lines 33 to 36: what is returned is the overlap; a child that shares nothing with the page gives nothing."""

    def write(*names: str) -> str:
        return f"<ul>{''.join(f'<li><a href=/{name}>{name}</a></li>' for name in names)}</ul>"

    fetch = web({ROOT: write("a", "b", "c"), f"{ROOT}a": write("x", "y", "z")})

    async def visit_link(link: Link, seen: SeenOnSite) -> Visit:
        return await visit(link, fetch, seen)

    found = asyncio.run(search_site(Seed(site_of(ROOT), ROOT), build_strategy("navmenu"), visit_link, site_pages=9))
    assert [each.link.url for each in found.visits] == [ROOT, f"{ROOT}a"]
