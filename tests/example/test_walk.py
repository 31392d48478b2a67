"""What a walk says about its site: as it was, changed, or not to be read."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from dowse.example.look import look_with
from dowse.example.pattern import Step
from dowse.example.run import begin, run_pattern
from dowse.example.walk import Walk, is_trouble, judge_map, judge_reading, judge_walk
from dowse.model import Failure, Response, Verdict, Why
from dowse.store import open_store

from .shop import ANY, HTML, Answer, Shop, address, item, listing, open_shop, other, pattern_of
from .test_start import learn_at

REASONS = [
    ("HTTP 500", True),
    ("HTTP 503", True),
    ("HTTP 429", True),
    ("HTTP 403", True),
    (str(Why.TIMEOUT), True),
    (str(Why.ROBOTS_DOWN), True),
    ("HTTP 404", False),
    ("HTTP 410", False),
    (str(Why.NOT_A_PAGE), False),
    (str(Why.ROBOTS), False),
]


@pytest.mark.parametrize(("why", "is_so"), REASONS)
def test_which_failures_pass(why: str, is_so: bool) -> None:
    assert is_trouble(why) is is_so


BROKEN = Response("", 500, HTML, b"<p>oh")
SILENT = Failure("", Why.TIMEOUT)
GONE = Response("", 404, HTML, b"<p>gone")


def lists(*answers: Answer) -> dict[str, Answer]:
    return {f"/list/{number}": answer for number, answer in enumerate(answers)}


READING = [
    ("all lists break", lists(BROKEN, BROKEN, BROKEN, BROKEN), "the site could not be read: HTTP 500 (4)"),
    ("most lists break", lists(BROKEN, SILENT, BROKEN), "the site could not be read: HTTP 500 (2), timed out (1)"),
    ("most things break", {f"/item/{n}": BROKEN for n in range(30)}, "the site could not be read: HTTP 500 (30)"),
    ("lists are gone", lists(GONE, GONE, GONE, GONE), "no link matches step 2"),
    ("a list breaks, the others list other things", lists(BROKEN, other(), other(), other()), "no link matches step 2"),
    ("a list breaks, the others list less", lists(BROKEN, *[listing("/item/1")] * 3), "1 page was found where there"),
    ("the entry breaks", {"/": BROKEN}, "http://shop.example/ could not be opened: HTTP 500"),
]


@pytest.mark.parametrize(("pages", "why"), [row[1:] for row in READING], ids=[row[0] for row in READING])
async def test_what_the_server_does_not_give_is_no_change_of_the_site(pages: dict[str, Answer], why: str) -> None:
    shop = open_shop(40)
    shop.pages |= pages
    walk = await go(shop)
    assert not judge_walk(walk).yes
    assert judge_walk(walk).reason.startswith(why)
    assert judge_reading(walk).yes == ("could not be" not in why)


async def go(shop: Shop) -> Walk:
    from dowse.example.follow import follow

    walk = Walk(pattern_of(figures={"targets": 40}), ANY)
    async for _ in follow(walk, look_with(shop.fetches.within_site)):
        pass
    return walk


async def test_fewer_pages_may_come_of_a_pattern_that_was_changed_by_hand() -> None:
    shop = open_shop(40)
    shop.pages |= lists(listing("/item/1"), listing(), listing(), listing())
    why = judge_walk(await go(shop)).reason
    assert why.startswith("1 page was found where there were 40 (if the pattern was changed by hand, ")
    assert "`figures`" in why


MAPS = [
    ("nothing failed", {}, 0, ""),
    ("pages are gone", {"HTTP 404": 9}, 3, ""),
    ("fewer failed than came", {"HTTP 500": 2, "HTTP 404": 9}, 3, ""),
    ("as many failed as came", {"HTTP 404": 9, "HTTP 500": 1, "timed out": 2}, 3, "timed out (2), HTTP 500 (1)"),
    ("more failed than came", {"connection refused": 78}, 3, "connection refused (78)"),
]


@pytest.mark.parametrize(("failures", "came", "why"), [row[1:] for row in MAPS], ids=[row[0] for row in MAPS])
def test_what_a_server_does_not_give_cannot_be_learned_from(failures: dict[str, int], came: int, why: str) -> None:
    told = f"the site could not be read: {why}; try again later" if why else ""
    assert judge_map(failures, came) == Verdict(not why, told)


async def test_a_few_errors_are_no_reason() -> None:
    shop = open_shop(40)
    shop.pages |= {"/list/3": BROKEN, "/item/1": SILENT}
    walk = await go(shop)
    assert judge_walk(walk).yes
    assert walk.lost == Counter({(0, 1): 1, (0, 2): 1})


NEW_LOOK = "<html><body><ul><li>New look</ul></body></html>"
LOOKS = [
    ("as it was", {}, "", 3),
    ("another look", {f"/item/{n}": NEW_LOOK for n in range(30)}, "pages that were found before look different now, 3 of 3", 3),
    ("some differ", {"/item/0": NEW_LOOK}, "", 3),
    ("one is new, and as it was", {"/list/0": listing(*(f"/item/{n}" for n in range(10)), "/item/99"), "/item/99": item(99)}, "", 0),
    ("they are gone", {f"/item/{n}": GONE for n in range(30)}, "", 3),
]  # fmt: skip


@pytest.mark.parametrize(("pages", "why", "checked"), [row[1:] for row in LOOKS], ids=[row[0] for row in LOOKS])
async def test_known_pages_say_whether_the_site_is_as_it_was(
    tmp_path: Path, pages: dict[str, Answer], why: str, checked: int
) -> None:
    shop = open_shop(30)
    pattern = (await learn_at(shop)).pattern
    with open_store(str(tmp_path / "a.db")) as store:
        for only_new in (False, True):
            run = begin(store, pattern, only_new=only_new)
            shop.pages |= pages if only_new else {}
            async for _ in run_pattern(store, run, shop.fetches):
                pass
    assert run.walk.checked == checked
    assert judge_walk(run.walk).yes == (not why)
    assert judge_walk(run.walk).reason.startswith(why)


async def test_a_check_keeps_to_the_limit(tmp_path: Path) -> None:
    shop = open_shop(30)
    pattern = (await learn_at(shop)).pattern
    with open_store(str(tmp_path / "a.db")) as store:
        for only_new, limit in ((False, 0), (True, 5)):
            run = begin(store, pattern, only_new=only_new)
            async for _ in run_pattern(store, run, shop.fetches, limit=limit):
                pass
    assert (run.walk.links, run.walk.checked, run.stopped) == (5, 1, "")


async def test_pages_of_a_pattern_without_samples_are_not_checked(tmp_path: Path) -> None:
    shop = open_shop(10)
    pattern = pattern_of((Step(r"^http://shop\.example/list/0$"), Step(r"^http://shop\.example/item/[0-9]+$")))
    with open_store(str(tmp_path / "a.db")) as store:
        for only_new in (False, True):
            run = begin(store, pattern, only_new=only_new)
            async for _ in run_pattern(store, run, shop.fetches):
                pass
    assert (run.walk.unread, run.walk.checked, shop.items().count("/item/0")) == (10, 0, 1)
    assert address("/item/0") in pattern.samples


def test_pages_that_were_unlike_when_it_was_learned_are_no_redesign() -> None:
    walk = Walk(pattern_of(figures={"targets": 5, "others": 20}), ANY)
    walk.pages, walk.unlike = 5, 22
    assert not walk.in_doubt
    walk.unlike = 30
    assert walk.in_doubt
