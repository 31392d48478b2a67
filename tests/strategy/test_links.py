"""Links: what is called links first, little else, and away from a site that shows no others."""

from __future__ import annotations

import asyncio

import pytest

from dowse.crawl.site import search_site
from dowse.model import Link, Seed, SeenOnSite, SiteSearch, Visit
from dowse.reasons import StopReason
from dowse.step.visit import look
from dowse.strategy.adaptive import promises_links
from dowse.strategy.links import MAX_DRY_PAGES, LinksStrategy
from dowse.url import site_of
from tests.webs import web

ROOT = "http://e.com/"


def write_page(inside: dict[str, str], outside: int, name: str) -> str:
    here = "".join(f'<a href="/{each}">{text}</a> ' for each, text in inside.items())
    there = "".join(f'<a href="http://{name}{number}.com/">{number}</a> ' for number in range(outside))
    return f"<html><title>{name}</title><body><p>{here}<p>{there}</body></html>"


def explore(pages: dict[str, tuple[dict[str, str], int]], patience: int = 2) -> SiteSearch:
    """Explore a site of pages that lead to others of it, and show so many other sites."""
    fetch = web({f"{ROOT}{name}": write_page(*parts, name or "root") for name, parts in pages.items()})

    async def look_at(link: Link, seen: SeenOnSite) -> Visit:
        return await look(link, fetch, seen)

    return asyncio.run(search_site(Seed(site_of(ROOT), ROOT), LinksStrategy(patience), look_at, site_pages=100))


def fetched(found: SiteSearch) -> list[str]:
    return [visit.link.url.removeprefix(ROOT) for visit in found.visits]


MENU = {name: f"About {name}" for name in "abcdefgh"}
LEAVES: dict[str, tuple[dict[str, str], int]] = {name: ({}, 0) for name in MENU}


def test_a_page_of_links_is_read_first_and_ends_the_search() -> None:
    found = explore({"": ({**MENU, "x": "Our partners"}, 0), "x": ({}, 8), **LEAVES})
    assert fetched(found) == ["", "x"]
    assert len(found.neighbours) == 8
    assert found.stopped is StopReason.NO_NEW_SITES


def test_a_page_that_is_called_links_and_shows_none_says_nothing_about_the_others() -> None:
    found = explore({"": ({**MENU, "x": "Links and about"}, 0), "x": ({}, 0), **LEAVES, "a": ({}, 4)})
    assert fetched(found)[:3] == ["", "x", "a"]
    assert len(found.neighbours) == 4


def test_some_others_are_tried_where_nothing_is_called_links() -> None:
    assert fetched(explore({"": (MENU, 0), **LEAVES})) == ["", "a", "b"]
    assert fetched(explore({"": (MENU, 0), **LEAVES}, patience=0)) == [""]


def test_one_that_brings_something_costs_no_patience() -> None:
    pages = {"": (MENU, 0), **LEAVES, "a": ({}, 1), "c": ({}, 2)}
    assert fetched(explore(pages)) == ["", "a", "b", "c", "d"]


def test_a_directory_is_followed_for_as_long_as_it_brings_new_sites() -> None:
    rich = {f"d{number}": ({f"d{number + 1}": "Next"}, 5) for number in range(6)}
    found = explore({"": ({"d0": "Directory", **MENU}, 0), **rich, "d6": ({"d7": "Next"}, 0), **LEAVES})
    assert fetched(found) == ["", *rich, "d6"]


def test_pages_of_links_that_show_nothing_new_end() -> None:
    menu = {f"x{number}": f"Links {number}" for number in range(20)}
    assert len(fetched(explore({"": (menu, 0), **{name: ({}, 0) for name in menu}}))) == 1 + MAX_DRY_PAGES


@pytest.mark.parametrize(
    "text",
    [
        "Links",
        "Other sites",
        "Sites amis",
        "Andere Seiten",
        "Páginas amigas",
        "Ciekawe strony",
        "Другие сайты",
        "関連サイト",
    ],
)
def test_words_of_several_languages(text: str) -> None:
    assert promises_links(Link(f"{ROOT}x", text))


@pytest.mark.parametrize("text", ["Site map", "Pages", "Otherwise", "Our cars", "Seite 2", "ページ"])
def test_words_that_promise_nothing(text: str) -> None:
    assert not promises_links(Link(f"{ROOT}x", text))


def test_addresses_that_only_contain_the_word() -> None:
    assert not promises_links(Link(f"{ROOT}cufflinks.html", "here"))
    assert promises_links(Link(f"{ROOT}our-links.html", "here"))
