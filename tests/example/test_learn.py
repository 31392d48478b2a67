"""From a map to a pattern, or to the reason why there is none."""

from __future__ import annotations

from itertools import count
from pathlib import Path
from typing import Any

import pytest

import dowse
from dowse.errors import BadInput, DowseError, Stopped
from dowse.example.generalise import read_pattern
from dowse.example.learn import KEPT_SAMPLES, LearnedPattern, learn_like, learn_pattern, loosen_text
from dowse.example.map import MapLimits
from dowse.example.pattern import FormQuery
from dowse.fetch.guard import parse_connect_to
from dowse.model import Response, Verdict
from dowse.settings import FetchSettings
from dowse.store import open_store
from tests.example.shop import SITE, Shop, address, item, listing, open_shop, other, serving
from tests.example.sites import learn, score, site, walk
from tests.example.test_map import draw


async def learn_learn(
    shop: Shop, limits: MapLimits | None = None, first: FormQuery | None = None
) -> LearnedPattern | Verdict:
    return learn_pattern(await draw(shop, limits), [address("/item/0")], first)


async def test_a_path_leads_over_the_lists() -> None:
    learned = await learn_learn(open_shop(40))
    assert isinstance(learned, LearnedPattern)
    (path,) = learned.pattern.paths
    hub, end = (read_pattern(step.pattern) for step in path.steps)
    assert not isinstance(hub, Verdict)
    assert not isinstance(end, Verdict)
    assert all(hub.matches(address(f"/list/{n}")) for n in range(4))
    assert all(end.matches(address(f"/item/{n}")) for n in (0, 39, 1234))
    assert not hub.matches(address("/about"))
    assert not end.matches(address("/list/1"))
    assert learned.targets == 40
    assert learned.pattern.figures["targets"] == 40
    assert len(learned.pattern.samples) == KEPT_SAMPLES
    assert learned.pattern.samples[0] == address("/item/0")


async def test_the_last_step_repeats_where_targets_are_reached_by_targets_alone() -> None:
    shop = open_shop(20)
    shop.pages["/item/19"] = item(19, "/item/20")
    shop.pages |= {f"/item/{n}": item(n, f"/item/{n + 1}") for n in range(20, 26)}
    learned = await learn_learn(shop)
    assert isinstance(learned, LearnedPattern)
    assert learned.pattern.paths[0].steps[-1].repeats


@pytest.mark.parametrize("about", ["/about/us", "/about-us"])
async def test_words_may_have_signs_that_none_had(about: str) -> None:
    names = ["red", "blue", "green", "black", "white", "amber", "violet"]
    shop = Shop({"/": listing(*(f"/{name}" for name in names), about), about: other("/")})
    shop.pages |= {f"/{name}": item(number) for number, name in enumerate(names)}
    learned = learn_pattern(await draw(shop, sample="/red"), [address("/red")])
    assert isinstance(learned, LearnedPattern)
    end = read_pattern(learned.pattern.paths[0].steps[-1].pattern)
    assert not isinstance(end, Verdict)
    assert end.matches(address("/orange"))
    assert end.matches(address("/light-blue"))
    assert address(about) not in learned.site.targets


async def test_others_that_a_step_matches_are_avoided_unless_they_are_listed_with_targets() -> None:
    names = ["red", "blue", "green", "black", "white", "amber", "violet"]
    page = listing(*(f"/{name}" for name in names), "/imprint").replace("<h2>", '<p><a href="/terms">Terms</a></p><h2>')
    shop = Shop({"/": page, "/terms": other("/"), "/imprint": other("/")})
    shop.pages |= {f"/{name}": item(number) for number, name in enumerate(names)}
    learned = learn_pattern(await draw(shop, sample="/red"), [address("/red")])
    assert isinstance(learned, LearnedPattern)
    assert address("/terms") in learned.pattern.avoid


def test_years_are_any_years_and_hosts_stay() -> None:
    assert (
        loosen_text(r"^http://a2024\.example/2024-[0-9]+/x[0-9]{2}$")
        == r"^http://a2024\.example/[0-9]{4}-[0-9]+/x[0-9]{2}$"
    )


async def test_one_page_is_not_enough() -> None:
    found = await learn_learn(Shop({"/": listing("/item/0"), "/item/0": item(0)}))
    assert isinstance(found, Verdict)
    assert "2 pages were mapped from http://shop.example/ and 1 of them is like the sample" in found.reason


async def test_nothing_like_the_sample() -> None:
    found = await learn_learn(Shop({"/": listing(), "/item/0": item(0)}))
    assert isinstance(found, Verdict)
    assert "1 page was mapped from http://shop.example/ and none of them are like the sample" in found.reason


async def test_a_form_takes_the_place_of_the_first_step() -> None:
    ask = FormQuery(address("/list"), "GET", "n", ("0", "1"))
    learned = await learn_learn(open_shop(20), first=ask)
    assert isinstance(learned, LearnedPattern)
    assert [len(path.steps) for path in learned.pattern.paths] == [1]
    assert learned.pattern.first == ask


async def test_a_form_that_answers_with_the_pages_themselves_is_no_way() -> None:
    shop = Shop({"/": listing("/item/0", "/item/1", "/item/2"), **{f"/item/{n}": item(n) for n in range(3)}})
    found = await learn_learn(shop, first=FormQuery(address("/item"), "GET", "n", ("0",)))
    assert isinstance(found, Verdict)
    assert "with no list of them" in found.reason


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


async def learn_at(
    shop: Shop, *samples: str, entry: str = SITE + "/", limits: MapLimits | None = None
) -> LearnedPattern:
    return await learn_like(samples or (address("/item/0"),), entry, shop.fetches, limits or MapLimits())


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
    learned = await learn_at(open_shop(60), limits=MapLimits(pages=30))
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
