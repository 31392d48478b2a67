"""Runs of a pattern: kept as they go, cut off and gone on with, and what files may hold."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncGenerator, Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from dowse.errors import BadInput, Stopped
from dowse.example.crawler import judge_walk
from dowse.example.follow import (
    BATCH_PAGES,
    MAX_OLD_TARGETS_TRIED,
    FollowRun,
    begin,
    judge_distinct_texts,
    learn_again,
    name_pattern,
    run_pattern,
)
from dowse.example.pattern import Pattern, SampleShape, Step
from dowse.fetch.build import wrap_fetch
from dowse.model import Failure, Response, Why
from dowse.records.template_pages import PAGE_WRAPPER_VERSION
from dowse.store import Store, open_store
from dowse.store.walks import read_opened, read_targets
from dowse.tree.node import Node
from tests.example.shop import HTML, ITEM, LIST, Shop, address, item, listing, open_shop, other, pattern_of
from tests.example.sites import learn, score, site, walk
from tests.example.test_learn import learn_at


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(str(tmp_path / "a.db")) as opened:
        yield opened


async def go(store: Store, shop: Shop, pattern: Pattern, *, only_new: bool = False, limit: int = 0) -> FollowRun:
    run = begin(store, pattern, only_new=only_new)
    async for _ in run_pattern(store, run, shop.fetches, limit=limit):
        pass
    return run


async def test_pages_are_kept_with_their_values(store: Store) -> None:
    shop = open_shop(30)
    pattern = (await learn_at(shop)).pattern
    run = await go(store, shop, pattern)
    kept = {each.url: each for each in read_targets(store, run.begun)}
    assert kept.keys() == {address(f"/item/{n}") for n in range(30)}
    one = kept[address("/item/4")]
    assert one.title == "Thing number 4"
    assert {value.text for value in one.values} >= {"Maker 28", "Colour 28"}
    assert one.likeness > pattern.threshold


async def test_a_limit_and_going_on_until_all_is_there(store: Store) -> None:
    shop = open_shop(40)
    runs: list[FollowRun] = []
    while not runs or runs[-1].stopped:
        runs.append(await go(store, shop, pattern_of(), limit=15))
        assert len(runs) < 10
    assert [run.begun.id for run in runs] == [runs[0].begun.id] * len(runs)
    assert (runs[-1].pages, runs[-1].new) == (40, 40)
    assert sorted(shop.items()) == sorted(f"/item/{n}" for n in range(40))
    assert runs[-1].links == len(shop.asked)


async def test_a_run_that_was_left_loses_at_most_a_batch(store: Store) -> None:
    shop = open_shop(60, 60)
    run = begin(store, pattern_of(), only_new=False)
    pages = run_pattern(store, run, shop.fetches)
    for _ in range(BATCH_PAGES + 5):
        await anext(pages)
    assert isinstance(pages, AsyncGenerator)
    await pages.aclose()
    shop.asked.clear()
    again = await go(store, shop, pattern_of())
    assert again.pages == 60
    assert len(shop.items()) <= 60 - BATCH_PAGES


async def test_lists_are_not_opened_again_when_a_run_that_was_left_goes_on(store: Store) -> None:
    shop = open_shop(100, 2)
    shop.pages |= {f"/item/{n}": other() for n in range(100)}  # nothing is found, and nothing else has it kept
    pattern = (await learn_at(open_shop(40))).pattern
    pages = run_pattern(store, begin(store, pattern, only_new=False), shop.fetches, limit=95)
    assert [each async for each in pages] == []
    before = Counter(shop.asked)
    again = await go(store, shop, pattern)
    assert (len(before), again.walk.unlike, again.links) == (95, 100, 151)
    assert set(Counter(shop.asked).values()) == {1}


async def test_what_was_opened_is_kept_before_the_next_page_is(store: Store) -> None:
    shop = open_shop(100, 2)
    shop.pages |= {f"/list/{n}": other() for n in range(50)}
    run = begin(store, pattern_of(), only_new=False)
    kept: list[int] = []
    shop.asking = lambda _: kept.append(count_opened(store, run))
    async for _ in run_pattern(store, run, shop.fetches):
        pass
    assert all(asked - there <= BATCH_PAGES for asked, there in enumerate(kept))
    assert max(kept) == 2 * BATCH_PAGES - 1  # and the entry
    assert count_opened(store, run) == 0  # it is finished


def count_opened(store: Store, run: FollowRun) -> int:
    return sum(read_opened(store, run.begun, address(f"/list/{n}")) is not None for n in range(50))


async def test_other_steps_open_lists_again(store: Store) -> None:
    shop = open_shop(40)
    await go(store, shop, pattern_of(), limit=15)
    shop.asked.clear()
    run = await go(store, shop, pattern_of((Step(LIST, repeats=True), Step(ITEM))))
    assert shop.asked[:2] == ["/", "/list/0"]
    assert run.pages == 40
    assert len(shop.items()) < 40


async def test_no_more_is_kept_than_there_is_room_for(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dowse.example.follow.MAX_REMEMBERED_CHARS", 400)
    shop = open_shop(40)
    await go(store, shop, pattern_of(), limit=30)
    shop.asked.clear()
    run = await go(store, shop, pattern_of())
    assert (run.pages, shop.asked[:1]) == (40, ["/list/0"])  # of the entry there was room


async def test_a_site_that_could_not_be_read_is_gone_on_with(store: Store) -> None:
    shop = open_shop(40)
    broken = {f"/list/{n}": Response("", 500, HTML, b"") for n in (1, 2, 3)} | {"/item/3": Failure("", Why.TIMEOUT)}
    there = {place: shop.pages[place] for place in broken}
    shop.pages |= broken
    pattern = replace(pattern_of(), figures={"targets": 40})
    first = await go(store, shop, pattern)
    assert judge_walk(first.walk).reason == "the site could not be read: HTTP 500 (3), timed out (1)"
    shop.pages |= there
    shop.asked.clear()
    again = await go(store, shop, pattern)
    assert (again.begun.id, again.pages) == (first.begun.id, 40)
    assert judge_walk(again.walk).yes
    assert sorted(shop.asked)[:2] == ["/item/10", "/item/11"]
    assert len(shop.asked) == 3 + 31
    assert (await go(store, shop, pattern)).begun.id != first.begun.id


async def test_only_new_pages(store: Store) -> None:
    shop = open_shop(40)
    await go(store, shop, pattern_of())
    shop.pages |= {"/list/0": listing("/item/0", "/item/40", "/item/41"), "/item/40": item(40), "/item/41": item(41)}
    shop.asked.clear()
    run = await go(store, shop, pattern_of(), only_new=True)
    assert (run.pages, run.new) == (2, 2)
    assert shop.items() == ["/item/40", "/item/41"]
    assert [each.url for each in read_targets(store, run.begun)] == [address("/item/40"), address("/item/41")]


async def test_a_second_whole_run_opens_all_again_and_tells_what_is_new(store: Store) -> None:
    shop = open_shop(40)
    await go(store, shop, pattern_of())
    shop.pages |= {"/list/0": listing("/item/0", "/item/40"), "/item/40": item(40)}
    run = await go(store, shop, pattern_of())
    assert (run.pages, run.new) == (32, 1)


def test_a_pattern_that_was_learned_again_is_the_same_to_the_store() -> None:
    before = pattern_of()
    after = replace(before, paths=pattern_of((Step(ITEM),)).paths, samples=(*before.samples, address("/item/9")))
    assert name_pattern(before) == name_pattern(after)
    assert name_pattern(before) != name_pattern(replace(before, entry=address("/about")))


HOSTILE = [
    ("a shape that is none", {"shapes": (SampleShape(shape="AAAA"),)}, "not the shape of a page"),
    ("a shape that is huge", {"shapes": (SampleShape(shape="eJ" * 10_000),)}, "not the shape of a page"),
    ("a reader that is none", {"reader": {"version": PAGE_WRAPPER_VERSION, "attributes": 7}}, "no wrapper of pages"),
    ("a reader of another version", {"reader": {"version": 99}}, "version 99"),
]


@pytest.mark.parametrize(("changes", "why"), [row[1:] for row in HOSTILE], ids=[row[0] for row in HOSTILE])
def test_a_file_that_holds_nonsense_is_refused(store: Store, changes: dict[str, object], why: str) -> None:
    with pytest.raises(BadInput, match=why):
        begin(store, replace(pattern_of(), **changes), only_new=False)  # type: ignore[arg-type]


async def test_pages_that_look_different_now_are_left_out(store: Store) -> None:
    shop = open_shop(30)
    pattern = (await learn_at(shop)).pattern
    shop.pages["/item/7"] = "<html><body><p>Sold.</p></body></html>"
    run = await go(store, shop, pattern)
    assert (run.pages, run.walk.unlike) == (29, 1)


async def test_a_new_look_is_noticed_though_known_pages_are_not_opened(store: Store) -> None:
    shop = open_shop(30)
    pattern = (await learn_at(shop)).pattern
    await go(store, shop, pattern)
    shop.pages["/list/0"] = listing(*(f"/item/{n}" for n in range(10)), *(f"/item/{n}" for n in range(30, 36)))
    shop.pages |= {f"/item/{n}": "<html><body><ul><li>New look</ul></body></html>" for n in range(36)}
    run = await go(store, shop, pattern, only_new=True)
    assert judge_walk(run.walk).reason == "6 of 6 pages that were reached look different now"


async def test_pages_that_never_were_like_the_sample_are_no_new_look(store: Store) -> None:
    shop = open_shop(30)
    pattern = (await learn_at(shop)).pattern
    shop.pages["/list/0"] = listing(*(f"/item/{n}" for n in range(10)), *(f"/item/{n}" for n in range(30, 36)))
    shop.pages |= {f"/item/{n}": "<html><body><ul><li>Sold</ul></body></html>" for n in range(30, 36)}
    await go(store, shop, pattern)
    run = await go(store, shop, pattern, only_new=True)
    assert (run.pages, run.walk.unlike) == (0, 6)
    assert judge_walk(run.walk).yes


LOGIN = "<html><title>Log in</title><body><h1>Log in</h1><form method=post><input type=password name=p></form></body></html>"
SHAPES = ("one-list", "popular")


@pytest.mark.parametrize("name", SHAPES)
async def test_a_new_look_is_noticed_and_learned(name: str, tmp_path: Path) -> None:
    before, after = (await learn(name)).pattern, site(name, 20, edition=1)
    with open_store(str(tmp_path / "a.db")) as store:
        _, known = await walk(store, before, site(name))
        run, _ = await walk(store, before, after)
        assert not judge_walk(run.walk).yes
        now = await learn_again(store, before, wrap_fetch(after.fetch))
        run, found = await walk(store, now, after)
        assert judge_walk(run.walk).yes
        assert name_pattern(now) == name_pattern(before)
        assert run.new == len(found - known)
    assert score(found, run.walk.links, after).precision == 1
    assert score(found, run.walk.links, after).recall >= 0.98


async def test_other_addresses_leave_nothing_to_learn_from(tmp_path: Path) -> None:
    name = "popular"
    before, after = (await learn(name)).pattern, site(name, 20, edition=1, addresses="moved")
    with open_store(str(tmp_path / "a.db")) as store:
        await walk(store, before, site(name))
        run, _ = await walk(store, before, after)
        assert not judge_walk(run.walk).yes
        with pytest.raises(Stopped, match="none of the pages that were found before is still there"):
            await learn_again(store, before, wrap_fetch(after.fetch))


async def test_pages_that_all_ask_for_a_login_are_not_learned(tmp_path: Path) -> None:
    shop = open_shop(40)
    with open_store(str(tmp_path / "a.db")) as store:
        shop.pages |= {f"/item/{n}": LOGIN for n in range(40)}
        with pytest.raises(Stopped, match="say the same, as where a login is asked for"):
            await learn_again(store, pattern_of(), shop.fetches)


async def test_a_server_that_breaks_is_not_learned_from(tmp_path: Path) -> None:
    shop = open_shop(40)
    with open_store(str(tmp_path / "a.db")) as store:
        shop.pages |= {f"/item/{n}": Response("", 500, HTML, b"") for n in range(6, 40)}
        with pytest.raises(Stopped, match=r"the site could not be read: HTTP 500 \(34\); try again later"):
            await learn_again(store, pattern_of(), shop.fetches)


WORDS = [
    ("one page", ["a"], True),
    ("twins", ["a", "a"], True),
    ("three of the same", ["a", "a", "a"], False),
    ("one differs", ["a", "a", "a", "b"], True),
    ("they differ after a long menu", [f"{'menu ' * 1_000}{n}" for n in range(3)], True),
    ("none", [], True),
]


@pytest.mark.parametrize(("texts", "is_so"), [row[1:] for row in WORDS], ids=[row[0] for row in WORDS])
def test_pages_have_something_of_their_own_to_say(texts: list[str], is_so: bool) -> None:
    assert judge_distinct_texts([Node("html", content=(text,)) for text in texts]).yes is is_so


async def test_few_old_pages_are_tried(tmp_path: Path) -> None:
    shop = open_shop(100)
    with open_store(str(tmp_path / "a.db")) as store:
        shop.pages = {}
        with pytest.raises(Stopped):
            await learn_again(store, pattern_of(), shop.fetches)
    assert len(shop.asked) <= MAX_OLD_TARGETS_TRIED + 5
