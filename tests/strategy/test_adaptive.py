"""Adaptive: the example of Fig. 14, and what each of its rules follows."""

from __future__ import annotations

import asyncio
from itertools import pairwise
from typing import Any

import pytest

from dowse.crawl.site import search_site
from dowse.model import Link, Seed, SeenOnSite, SiteSearch, Visit
from dowse.step.visit import visit
from dowse.strategy.adaptive import Adaptive, promises_links
from dowse.strategy.guide import MAX_DEPTH
from dowse.url import site_of
from tests.webs import web

ROOT = "http://e.com/"
# Fig. 14: the pages of a site, what they lead to, and how many new sites each shows. The sums are those of Example 1: a 6, b
# and c 4, c and d 6, d and e 3, i and j 7, and no other window at least 5; what nobody reaches (n to r) is ours.
TREE = {"a": "bcde", "b": "no", "c": "fg", "d": "hij", "e": "p", "i": "k", "j": "lm", "k": "q", "m": "r"}
SITES = {"a": 6, "b": 1, "c": 3, "d": 3, "e": 0, "f": 2, "g": 1, "h": 0, "i": 4, "j": 3, "k": 1, "l": 0, "m": 2}


def write_page(name: str, inside: str, sites: int, words: dict[str, str]) -> str:
    links = "".join(f'<a href="/{each}">{words.get(each, each)}</a> ' for each in inside)
    outside = "".join(f'<a href="http://{name}{n}.com/">{name}{n}</a> ' for n in range(sites))
    return f"<html><title>{name}</title><body><p>{links}<p>{outside}</body></html>"


def explore(
    strategy: Adaptive, tree: dict[str, str] = TREE, sites: dict[str, int] = SITES, words: dict[str, str] | None = None
) -> SiteSearch:
    """Search a site whose root is a, and whose links are called by their names unless there are other words."""
    pages = {
        ROOT if name == "a" else f"{ROOT}{name}": write_page(name, tree.get(name, ""), sites.get(name, 0), words or {})
        for name in {"a", *"".join(tree.values())}
    }
    fetch = web(pages)

    async def visit_link(link: Link, seen: SeenOnSite) -> Visit:
        return await visit(link, fetch, seen)

    return asyncio.run(search_site(Seed(site_of(ROOT), ROOT), strategy, visit_link, site_pages=100))


def crawl(strategy: Adaptive, tree: dict[str, str] = TREE, **more: Any) -> str:
    """Return the names of the pages in the order they were fetched."""
    return "".join(visit.link.url.removeprefix(ROOT) or "a" for visit in explore(strategy, tree, **more).visits)


def test_the_example_of_the_paper() -> None:
    assert crawl(Adaptive(5, 2, 0.0)) == "abcdefghijklm", "level by level, siblings in the order of their links"


@pytest.mark.parametrize(
    ("page", "why"),
    [
        ("c", "within depth 1"),
        ("f", "2 pages beside it showed 6 new sites"),
        ("h", "2 pages beside it showed 6 new sites"),
        ("l", "2 pages beside it showed 7 new sites"),
    ],
)
def test_the_windows_of_the_example(page: str, why: str) -> None:
    visits = {visit.link.url.removeprefix(ROOT): visit.why for visit in explore(Adaptive(5, 2, 0.0)).visits}
    assert visits[page] == why


def test_all_pages_of_depth_one_are_fetched_whatever_the_root_shows() -> None:
    """Footnote 4 of the paper."""
    assert crawl(Adaptive(5, 2, 0.0), sites={}) == "abcde"
    assert crawl(Adaptive(50, 2, 0.0)) == "abcde"


def test_a_lower_threshold_a_wider_window_and_chance_fetch_more() -> None:
    assert len(crawl(Adaptive(2, 2, 0.0))) > len(crawl(Adaptive(5, 2, 0.0)))
    assert len(crawl(Adaptive(5, 5, 0.0))) > len(crawl(Adaptive(5, 2, 0.0)))
    assert crawl(Adaptive(50, 2, 1.0)) == "abcdenofghijpklmqr"


def test_a_page_of_links_keeps_its_place_in_the_window() -> None:
    """The windows are b and c with 3 sites, c and d with 5, d and e with 5; were d fetched first, none would have 5."""
    tree = {"a": "bcde", "b": "f", "c": "g", "d": "h", "e": "i"}
    sites = {"b": 1, "c": 2, "d": 3, "e": 2}
    assert crawl(Adaptive(5, 2, 0.0), tree, sites=sites) == "abcdeghi"
    assert crawl(Adaptive(5, 2, 0.0), tree, sites=sites, words={"d": "Links"}) == "abcdeghi"
    assert crawl(Adaptive(5, 2, 0.0), tree, sites=sites, words={"e": "Links"}) == "abcdeghi"


def test_a_page_of_links_deeper_down_keeps_its_place_too() -> None:
    """h is chosen by its words when c comes, f and g by the window when d comes, all before one of them is fetched."""
    tree = {"a": "bcd", "c": "fhg", "f": "i", "h": "j", "g": "k"}
    sites = {"c": 2, "d": 3, "f": 1, "h": 4, "g": 1}
    assert crawl(Adaptive(5, 2, 0.0), tree, sites=sites, words={"h": "Links"}) == "abcdfhgijk"


def test_the_windows_of_two_pages_are_apart() -> None:
    """d and e stand beside each other at their depth, but on no page."""
    tree = {"a": "bc", "b": "d", "c": "e", "d": "f", "e": "g"}
    assert crawl(Adaptive(4, 2, 0.0), tree, sites={"b": 2, "c": 2, "d": 3, "e": 3}) == "abcde"


def test_words_lead_no_deeper_than_the_rest() -> None:
    chain = "abcdefghijklmnop"
    tree = dict(pairwise(chain))
    found = explore(Adaptive(5, 2, 0.0), tree, {}, dict.fromkeys(chain, "Links"))
    assert max(visit.link.depth for visit in found.visits) == MAX_DEPTH == 10
    assert "deeper than 10" in str(found.skipped[0].reason)


def test_pages_of_links_are_told_by_their_words() -> None:
    assert promises_links(Link(f"{ROOT}x", "Our favourite links"))
    assert promises_links(Link(f"{ROOT}links.html", "here"))
    assert promises_links(Link(f"{ROOT}x", "Linksammlung"))
    assert not promises_links(Link(f"{ROOT}x", "Cufflinksets"))
    assert not promises_links(Link(f"{ROOT}x", "Contact"))
