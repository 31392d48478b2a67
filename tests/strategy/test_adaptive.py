"""Adaptive: the example of Fig. 14, and what each of its rules follows."""

from __future__ import annotations

import asyncio

from dowse.crawl.site import search_site
from dowse.model import Link, Seed, SeenOnSite, Visit
from dowse.step.visit import visit
from dowse.strategy.adaptive import Adaptive, promises_links
from dowse.url import site_of
from tests.webs import web

ROOT = "http://e.com/"
# Fig. 14: the pages of a site, what they lead to, and how many new sites each shows.
TREE = {"a": "bcde", "b": "no", "c": "fg", "d": "hij", "e": "p", "i": "k", "j": "lm", "k": "q", "m": "r"}
SITES = {"a": 6, "b": 1, "c": 3, "d": 3, "e": 0, "f": 2, "g": 1, "h": 0, "i": 4, "j": 3, "k": 1, "l": 0, "m": 2}


def write_page(name: str) -> str:
    inside = "".join(f'<a href="/{each}">{each}</a> ' for each in TREE.get(name, ""))
    outside = "".join(f'<a href="http://{name}{n}.com/">{name}{n}</a> ' for n in range(SITES.get(name, 0)))
    return f"<html><title>{name}</title><body><p>{inside}<p>{outside}</body></html>"


def crawl(strategy: Adaptive) -> str:
    names = set("".join(TREE.values())) | {"a"}
    fetch = web({ROOT if name == "a" else f"{ROOT}{name}": write_page(name) for name in names})

    async def visit_link(link: Link, seen: SeenOnSite) -> Visit:
        return await visit(link, fetch, seen)

    found = asyncio.run(search_site(Seed(site_of(ROOT), ROOT), strategy, visit_link, site_pages=100))
    return "".join(sorted(visit.link.url.removeprefix(ROOT) or "a" for visit in found.visits))


def test_the_example_of_the_paper() -> None:
    assert crawl(Adaptive(5, 2, 0.0)) == "abcdefghijklm"


def test_a_lower_threshold_a_wider_window_and_chance_fetch_more() -> None:
    assert len(crawl(Adaptive(2, 2, 0.0))) > len(crawl(Adaptive(5, 2, 0.0)))
    assert len(crawl(Adaptive(5, 5, 0.0))) > len(crawl(Adaptive(5, 2, 0.0)))
    assert crawl(Adaptive(50, 2, 1.0)) == "abcdefghijklmnopqr"
    assert crawl(Adaptive(50, 2, 0.0)) == "abcde"


def test_pages_of_links_are_told_by_their_words() -> None:
    assert promises_links(Link(f"{ROOT}x", "Our favourite links"))
    assert promises_links(Link(f"{ROOT}links.html", "here"))
    assert promises_links(Link(f"{ROOT}x", "Linksammlung"))
    assert not promises_links(Link(f"{ROOT}x", "Cufflinksets"))
    assert not promises_links(Link(f"{ROOT}x", "Contact"))
