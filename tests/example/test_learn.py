"""From a map to a pattern, or to the reason why there is none."""

from __future__ import annotations

import pytest

from dowse.example.learn import KEPT_SAMPLES, Learned, _loosen_text, learn_pattern
from dowse.example.map import Limits
from dowse.example.pattern import Ask
from dowse.example.written import read_pattern
from dowse.model import Verdict

from .shop import Shop, address, item, listing, open_shop, other
from .test_map import draw


async def learn(shop: Shop, limits: Limits | None = None, first: Ask | None = None) -> Learned | Verdict:
    return learn_pattern(await draw(shop, limits), [address("/item/0")], first)


async def test_a_path_leads_over_the_lists() -> None:
    learned = await learn(open_shop(40))
    assert isinstance(learned, Learned)
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
    learned = await learn(shop)
    assert isinstance(learned, Learned)
    assert learned.pattern.paths[0].steps[-1].repeats


@pytest.mark.parametrize("about", ["/about/us", "/about-us"])
async def test_words_may_have_signs_that_none_had(about: str) -> None:
    names = ["red", "blue", "green", "black", "white", "amber", "violet"]
    shop = Shop({"/": listing(*(f"/{name}" for name in names), about), about: other("/")})
    shop.pages |= {f"/{name}": item(number) for number, name in enumerate(names)}
    learned = learn_pattern(await draw(shop, sample="/red"), [address("/red")])
    assert isinstance(learned, Learned)
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
    assert isinstance(learned, Learned)
    assert address("/terms") in learned.pattern.avoid


def test_years_are_any_years_and_hosts_stay() -> None:
    assert (
        _loosen_text(r"^http://a2024\.example/2024-[0-9]+/x[0-9]{2}$")
        == r"^http://a2024\.example/[0-9]{4}-[0-9]+/x[0-9]{2}$"
    )


async def test_one_page_has_no_kin() -> None:
    found = await learn(Shop({"/": listing("/item/0"), "/item/0": item(0)}))
    assert isinstance(found, Verdict)
    assert "2 pages were mapped from http://shop.example/ and 1 of them is like the sample" in found.reason


async def test_nothing_like_the_sample() -> None:
    found = await learn(Shop({"/": listing(), "/item/0": item(0)}))
    assert isinstance(found, Verdict)
    assert "1 page was mapped from http://shop.example/ and none of them are like the sample" in found.reason


async def test_a_form_takes_the_place_of_the_first_step() -> None:
    ask = Ask(address("/list"), "GET", "n", ("0", "1"))
    learned = await learn(open_shop(20), first=ask)
    assert isinstance(learned, Learned)
    assert [len(path.steps) for path in learned.pattern.paths] == [1]
    assert learned.pattern.first == ask


async def test_a_form_that_answers_with_the_pages_themselves_is_no_way() -> None:
    shop = Shop({"/": listing("/item/0", "/item/1", "/item/2"), **{f"/item/{n}": item(n) for n in range(3)}})
    found = await learn(shop, first=Ask(address("/item"), "GET", "n", ("0",)))
    assert isinstance(found, Verdict)
    assert "with no list of them" in found.reason
