"""From one page to a crawler, from end to end: on sites of several shapes, on the first day and a hundred days later."""

from __future__ import annotations

from itertools import count
from pathlib import Path
from typing import Any

import pytest

import dowse
from dowse.errors import BadInput, DowseError, Stopped
from dowse.example.learn import Learned
from dowse.example.map import Limits
from dowse.example.start import learn_like
from dowse.fetch.connect import parse_connect_to
from dowse.model import Response
from dowse.settings import FetchSettings
from dowse.store import open_store

from .shop import SITE, Shop, address, item, listing, open_shop, serving
from .sites import learn, score, site, walk

SHAPES = ("one-list", "categories", "pages-next", "ways", "popular", "session", "near-templates", "form")


@pytest.mark.parametrize("name", SHAPES)
async def test_every_page_and_no_other_on_the_first_day_and_later(name: str, tmp_path: Path) -> None:
    learned = await learn(name)
    with open_store(str(tmp_path / "a.db")) as store:
        for day in (0, 100):
            web = site(name, day)
            run, found = await walk(store, learned.pattern, web)
            told = score(found, run.walk.links, web)
            assert told.precision == 1
            assert told.recall >= 0.98
            assert told.cost <= 1.15
            assert run.pages == len(found)


async def test_lists_behind_a_form_are_reached_by_asking_it() -> None:
    truth = site("form").truth.form
    first = (await learn("form")).pattern.first
    assert truth is not None
    assert first is not None
    assert (first.address, first.field) == (truth.action, truth.name)
    assert set(truth.values) >= set(first.values)


async def test_a_parameter_that_numbers_a_visit_is_left_out() -> None:
    shop, numbers = Shop(), count(1)

    def make(place: str) -> str | None:
        here = place.partition("?")[0]
        links = {"/": [f"/list/{n}" for n in range(3)], "/list": [f"/item/{n}" for n in range(12)]}
        visit = f"?v={next(numbers):x}f3a9c01d2e4b7a6"
        if here.startswith("/item/"):
            return item(int(here[6:]), "/" + visit)
        return listing(*(link + visit for link in links.get("/" if here == "/" else here[:5], [])))

    shop.make = make
    learned = await learn_at(shop, address("/item/1"))
    assert learned.pattern.without == ("v",)
    assert learned.targets == 12
    assert not any("v=" in step.pattern for path in learned.pattern.paths for step in path.steps)


async def learn_at(shop: Shop, *samples: str, entry: str = SITE + "/", limits: Limits | None = None) -> Learned:
    return await learn_like(samples or (address("/item/0"),), entry, shop.fetches, limits or Limits())


async def test_what_is_learned_says_how_pages_are_built_and_read() -> None:
    pattern = (await learn_at(open_shop(30))).pattern
    assert pattern.shapes
    assert {"maker", "colour", "weight"} <= {each["name"].lower() for each in pattern.reader["attributes"]}
    assert len(pattern.made) == 10


async def test_several_samples() -> None:
    learned = await learn_at(open_shop(30), address("/item/3"), address("/item/4"))
    assert learned.targets == 30
    assert learned.pattern.samples[:2] == (address("/item/3"), address("/item/4"))


def moved(to: str) -> Response:
    return Response("", 302, (("location", to),))


MISTAKES: list[tuple[str, tuple[str, ...], str, type[DowseError], str]] = [
    ("a sample of another site", ("http://else.example/1",), "/", BadInput, "is not on the site of the entry"),
    ("one of two of another site", (address("/item/1"), "http://else.example/1"), "/", BadInput, "is not on the site"),
    ("no address", ("nonsense://x",), "/", BadInput, "is not a web address"),
    ("nothing", ("",), "/", BadInput, "is not a web address"),
    ("a sample that is gone", (address("/item/999"),), "/", Stopped, "the sample http://shop.example/item/999 could not be opened: HTTP 404"),
    ("an entry that is gone", (address("/item/1"),), "/nowhere", Stopped, "the entry http://shop.example/nowhere could not be opened: HTTP 404"),
    ("an entry that leads elsewhere", (address("/item/1"),), "/moved", Stopped, "it leads to another site; give https://shop.example/ instead"),
    ("an entry like the sample", (address("/item/1"),), "/item/2", BadInput, "the entry is itself like the sample"),
    ("the entry as its own sample", (address("/"),), "/", BadInput, "the entry is itself like the sample"),
    ("a sample that no link leads to", (address("/item/1"),), "/about", Stopped, "2 pages were mapped"),
    ("an entry that leads nowhere", (address("/item/1"),), "/alone", Stopped, "1 page was mapped"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("samples", "entry", "error", "why"), [row[1:] for row in MISTAKES], ids=[row[0] for row in MISTAKES]
)
async def test_mistakes_are_one_line(samples: tuple[str, ...], entry: str, error: type[DowseError], why: str) -> None:
    shop = open_shop(20)
    shop.pages |= {"/moved": moved("https://shop.example/"), "/alone": "<html><p>nothing here</p></html>"}
    shop.pages |= {"/about": listing("/jobs"), "/jobs": listing()}
    with pytest.raises(error, match=why) as told:
        await learn_at(shop, *samples, entry=address(entry))
    assert "\n" not in str(told.value)


async def test_a_sample_that_no_link_leads_to_is_enough_where_others_are_like_it() -> None:
    shop = open_shop(20)
    shop.pages["/hidden/77"] = item(77)
    learned = await learn_at(shop, address("/hidden/77"))
    assert {url for url in learned.site.targets if "/item/" in url} == {address(f"/item/{n}") for n in range(20)}


async def test_a_limit_is_told_and_what_was_learned_is_kept() -> None:
    learned = await learn_at(open_shop(60), limits=Limits(pages=30))
    assert learned.site.stopped == "30 pages were mapped"
    assert learned.pattern.paths


async def test_as_verbs(tmp_path: Path) -> None:
    verbs: Any = dowse  # they are loaded when first used
    with serving(open_shop(30)) as port:
        fetching = FetchSettings(delay=0, allow_private=True, connect_to=(parse_connect_to(f"*=127.0.0.1:{port}"),))
        learned = await verbs.like([address("/item/0")], address("/"), fetching=fetching)
        db = str(tmp_path / "a.db")
        run = await verbs.follow(learned.pattern, db=db, fetching=fetching)
        again = await verbs.follow(learned.pattern, db=db, only_new=True, fetching=fetching)
    assert (run.pages, run.new) == (30, 30)
    assert (again.pages, again.new, again.walk.unread) == (0, 0, 30)
