"""Following a pattern: pages opened, links taken, what a walk says about its site, runs stored and resumed."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncGenerator, Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from dowse.errors import BadInput
from dowse.example.address import AddressCleaning
from dowse.example.follow import (
    BATCH_PAGES,
    MAX_LISTS_WITHOUT_NEW,
    MAX_PAGE_LINKS,
    MAX_WORDS_ASKED,
    CompiledPaths,
    ExamplePage,
    FollowRun,
    FormRequests,
    LinksToLeave,
    WalkMemory,
    begin_follow,
    build_opener,
    failure_reason,
    run_pattern,
    walk_pattern,
)
from dowse.example.pattern import FormQuery, Pattern, SampleShape, Step, Walk, judge_reading, judge_walk
from dowse.model import Answer, Failure, Request, Response
from dowse.page.links import MAX_LINKS
from dowse.page.parser import MAX_TAGS
from dowse.reasons import FailureReason
from dowse.records.details import PAGE_WRAPPER_VERSION
from dowse.store import Store, open_store
from dowse.store.walks import OpenedPage, read_opened, read_targets
from tests.example.shop import ANY, HTML, ITEM, LIST, SITE, Shop, address, item, listing, open_shop, other, pattern_of
from tests.example.test_learn import learn_at


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(str(tmp_path / "a.db")) as opened:
        yield opened


async def go(store: Store, shop: Shop, pattern: Pattern, *, only_new: bool = False, limit: int = 0) -> FollowRun:
    run = begin_follow(store, pattern, only_new=only_new)
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
    run = begin_follow(store, pattern_of(), only_new=False)
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
    pages = run_pattern(store, begin_follow(store, pattern, only_new=False), shop.fetches, limit=95)
    assert [each async for each in pages] == []
    before = Counter(shop.asked)
    again = await go(store, shop, pattern)
    assert (len(before), again.walk.unlike, again.links) == (95, 100, 151)
    assert set(Counter(shop.asked).values()) == {1}


async def test_what_was_opened_is_kept_before_the_next_page_is(store: Store) -> None:
    shop = open_shop(100, 2)
    shop.pages |= {f"/list/{n}": other() for n in range(50)}
    run = begin_follow(store, pattern_of(), only_new=False)
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
    broken = {f"/list/{n}": Response("", 500, HTML, b"") for n in (1, 2, 3)} | {
        "/item/3": Failure("", FailureReason.TIMEOUT)
    }
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


HOSTILE = [
    ("a shape that is none", {"shapes": (SampleShape(shape="AAAA"),)}, "not the shape of a page"),
    ("a shape that is huge", {"shapes": (SampleShape(shape="eJ" * 10_000),)}, "not the shape of a page"),
    ("a reader that is none", {"reader": {"version": PAGE_WRAPPER_VERSION, "attributes": 7}}, "not a wrapper of pages"),
    ("a reader of another version", {"reader": {"version": 99}}, "version 99"),
]


@pytest.mark.parametrize(("changes", "why"), [row[1:] for row in HOSTILE], ids=[row[0] for row in HOSTILE])
def test_a_file_that_holds_nonsense_is_refused(store: Store, changes: dict[str, object], why: str) -> None:
    with pytest.raises(BadInput, match=why):
        begin_follow(store, replace(pattern_of(), **changes), only_new=False)  # type: ignore[arg-type]


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


async def look_at(shop: Shop, place: str = "/", without: tuple[str, ...] = ()) -> ExamplePage | Failure:
    return await build_opener(shop.fetches.within_site, cleaning=AddressCleaning(frozenset(without)))(
        Request(address(place))
    )


async def test_links_to_the_same_site_each_once_in_their_order() -> None:
    body = (
        '<a href="/b">b</a><a href="http://else.example/">x</a><a href="/a#top">a</a><a href="/b">again</a>'
        '<a rel="nofollow" href="/c">c</a><a href="mailto:x@shop.example">mail</a>'
    )
    seen = await look_at(Shop({"/": f"<html><body>{body}</body></html>"}))
    assert isinstance(seen, ExamplePage)
    assert seen.links == (address("/b"), address("/a"))


async def test_parameters_that_number_a_visit_are_left_out() -> None:
    seen = await look_at(Shop({"/": listing("/a?v=1&id=2", "/a?id=2&v=3", "/b?v=4")}), without=("v",))
    assert isinstance(seen, ExamplePage)
    assert seen.links[-2:] == (address("/a?id=2"), address("/b"))


async def test_a_page_that_moved_within_its_site_is_known_by_the_address_asked_for() -> None:
    shop = Shop({"/old": Response(address("/old"), 301, (("location", "/new"),)), "/new": other("/x")})
    seen = await look_at(shop, "/old")
    assert isinstance(seen, ExamplePage)
    assert (seen.url, seen.page.url, seen.moved) == (address("/old"), address("/new"), True)


FAILURES = [
    ("gone", Response("", 404, HTML, b"<p>no"), FailureReason.STATUS, "HTTP 404"),
    ("broken", Response("", 500, HTML), FailureReason.STATUS, "HTTP 500"),
    ("leads to another site", Response("", 302, (("location", "http://else.example/"),)), FailureReason.REDIRECT_BAD, "redirects to an invalid address"),
    ("a service", Response("", 200, (("content-type", "application/json"),), b"{}"), FailureReason.NOT_A_PAGE, "not a page"),
    ("nobody there", Failure("", FailureReason.REFUSED), FailureReason.REFUSED, "connection refused"),
]  # fmt: skip


@pytest.mark.parametrize(("answer", "why", "name"), [row[1:] for row in FAILURES], ids=[row[0] for row in FAILURES])
async def test_what_is_no_page_says_why(answer: Response | Failure, why: FailureReason, name: str) -> None:
    seen = await look_at(Shop({"/": answer}))
    assert isinstance(seen, Failure)
    assert (seen.why, failure_reason(seen)) == (why, name)


async def test_a_page_with_very_many_links_is_bounded() -> None:
    seen = await look_at(Shop({"/": listing(*(f"/{n}" for n in range(20_000)))}))
    assert isinstance(seen, ExamplePage)
    assert len(seen.links) <= MAX_PAGE_LINKS


async def test_links_to_what_is_avoided_are_none() -> None:
    shop = Shop({"/": listing("/a", "/b")})
    seen = await build_opener(shop.fetches.within_site, leave=LinksToLeave.of(pattern_of(avoid=(address("/a"),))))(
        Request(address("/"))
    )
    assert isinstance(seen, ExamplePage)
    assert address("/b") in seen.links
    assert address("/a") not in seen.links


async def test_links_that_stand_together() -> None:
    seen = await look_at(Shop({"/": listing("/a?v=1", "/b", "/c")}), without=("v",))
    assert isinstance(seen, ExamplePage)
    assert tuple(map(address, ("/a", "/b", "/c"))) in [block.links for block in seen.find_blocks()]


BOX = FormQuery(address("/find"), "GET", "q", ("jazz",), words=True)


async def read(body: str, title: str = "") -> ExamplePage:
    shop = Shop({"/": f"<html><head><title>{title}</title></head><body>{body}</body></html>"})
    seen = await build_opener(shop.fetches.within_site)(Request(address("/")))
    assert isinstance(seen, ExamplePage)
    return seen


def test_without_a_form_the_entry_is_the_start() -> None:
    assert [each.url for each in FormRequests(None).start(address("/"))] == [address("/")]


def test_every_value_of_a_file_is_asked_however_many() -> None:
    values = tuple(f"v{n}" for n in range(MAX_WORDS_ASKED + 500))
    asked = list(FormRequests(FormQuery(address("/find"), "GET", "q", values)).start(address("/")))
    assert len(asked) == len(values)


async def test_words_of_pages_that_were_found_are_asked_once() -> None:
    questions = FormRequests(BOX)
    assert [each.url for each in questions.start("")] == [address("/find?q=jazz")]
    seen = await read("", "Jazz and Blues, 1999 - an A B")
    assert [each.url for each in questions.ask_title_words(seen.page.title)] == [
        address("/find?q=and"),
        address("/find?q=blues"),
    ]
    assert list(questions.ask_title_words(seen.page.title)) == []


async def test_words_are_bounded() -> None:
    questions = FormRequests(BOX)
    questions.asked = dict.fromkeys(map(str, range(MAX_WORDS_ASKED)))
    assert list(questions.ask_title_words("Something else")) == []


BROKEN = Response("", 500, HTML, b"<p>oh")
SILENT = Failure("", FailureReason.TIMEOUT)
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
    walk = await walk_shop(shop)
    assert not judge_walk(walk).yes
    assert judge_walk(walk).reason.startswith(why)
    assert judge_reading(walk).yes == ("could not be" not in why)


async def walk_shop(shop: Shop) -> Walk:
    walk = Walk(pattern_of(figures={"targets": 40}), ANY)
    async for _ in walk_pattern(walk, build_opener(shop.fetches.within_site)):
        pass
    return walk


async def test_fewer_pages_may_come_of_a_pattern_that_was_changed_by_hand() -> None:
    shop = open_shop(40)
    shop.pages |= lists(listing("/item/1"), listing(), listing(), listing())
    why = judge_walk(await walk_shop(shop)).reason
    assert why.startswith("1 page was found where there were 40 (if the pattern was changed by hand, ")
    assert "`figures`" in why


async def test_a_few_errors_are_no_reason() -> None:
    shop = open_shop(40)
    shop.pages |= {"/list/3": BROKEN, "/item/1": SILENT}
    walk = await walk_shop(shop)
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
            run = begin_follow(store, pattern, only_new=only_new)
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
            run = begin_follow(store, pattern, only_new=only_new)
            async for _ in run_pattern(store, run, shop.fetches, limit=limit):
                pass
    assert (run.walk.links, run.walk.checked, run.stopped) == (5, 1, "")


async def test_pages_of_a_pattern_without_samples_are_not_checked(tmp_path: Path) -> None:
    shop = open_shop(10)
    pattern = pattern_of((Step(r"^http://shop\.example/list/0$"), Step(r"^http://shop\.example/item/[0-9]+$")))
    with open_store(str(tmp_path / "a.db")) as store:
        for only_new in (False, True):
            run = begin_follow(store, pattern, only_new=only_new)
            async for _ in run_pattern(store, run, shop.fetches):
                pass
    assert (run.walk.unread, run.walk.checked, shop.items().count("/item/0")) == (10, 0, 1)
    assert address("/item/0") in pattern.samples


PATHS = CompiledPaths.of(pattern_of((Step(LIST, repeats=True), Step(ITEM)), (Step(ITEM, repeats=True),)))
STATES = [
    ("at the start", (0, 0), True, False),
    ("in a list", (0, 1), True, False),
    ("at the end", (0, 2), False, True),
    ("at an end that leads on", (1, 1), True, True),
]


@pytest.mark.parametrize(("state", "leads", "ends"), [row[1:] for row in STATES], ids=[row[0] for row in STATES])
def test_where_a_page_stands(state: tuple[int, int], leads: bool, ends: bool) -> None:
    assert (PATHS.follows_links(state), PATHS.is_end(state)) == (leads, ends)


LINKS = [
    ("the next step", (0, 1), "/item/1", (True, False)),
    ("the same step again", (0, 1), "/list/1", (False, True)),
    ("no step again before the first", (0, 0), "/item/1", (False, False)),
    ("no step after the last", (0, 2), "/item/1", (False, False)),
    ("the last step again", (1, 1), "/item/1", (False, True)),
    ("another page", (0, 1), "/about", (False, False)),
]


@pytest.mark.parametrize(("state", "link", "taken"), [row[1:] for row in LINKS], ids=[row[0] for row in LINKS])
def test_which_links_are_taken(state: tuple[int, int], link: str, taken: tuple[bool, bool]) -> None:
    assert (PATHS.takes_next_step(state, address(link)), PATHS.repeats_step(state, address(link))) == taken
    assert PATHS.has_next_step(state, [address("/about"), address(link)]) == taken[0]


def test_links_that_some_step_matches() -> None:
    given = [address(each) for each in ("/about", "/item/1", "/list/2")]
    assert PATHS.filter_links(given) == tuple(given[1:])


def test_an_end_that_repeats_is_on_the_way_to_others() -> None:
    assert PATHS.may_lead_on(address("/item/1"))
    assert not CompiledPaths.of(pattern_of()).may_lead_on(address("/item/1"))
    assert CompiledPaths.of(pattern_of()).may_be_target(address("/item/1"))


def test_what_is_known_as_a_list_is_no_end() -> None:
    known = address("/item/1")
    paths = CompiledPaths.of(pattern_of((Step(ITEM), Step(ITEM, repeats=True)), lists=(known,)))
    assert paths.takes_next_step((0, 0), known)
    assert not paths.takes_next_step((0, 1), known)
    assert not paths.repeats_step((0, 2), known)
    assert not paths.may_be_target(known)
    assert paths.may_be_target(address("/item/2"))


HUB = r"^http://shop\.example/hub/[0-9]+$"


async def walk_through(
    shop: Shop, pattern: Pattern, known: set[str] | None = None, limit: int = 0
) -> tuple[Walk, list[str]]:
    """Follow a pattern; return how it went and the places that were found."""
    walk = Walk(pattern, ANY)
    look = build_opener(shop.fetches.within_site)
    found = [each.seen.url async for each in walk_pattern(walk, look, WalkMemory(known or set()), limit=limit)]
    return walk, [url.removeprefix(SITE) for url in found]


async def test_every_page_at_the_end_of_a_path_is_found_and_nothing_else_is_opened() -> None:
    shop = open_shop(40)
    walk, found = await walk_through(shop, pattern_of())
    assert sorted(found) == sorted(f"/item/{number}" for number in range(40))
    assert (walk.pages, walk.links, len(shop.asked)) == (40, 45, 45)
    assert judge_walk(walk).yes


async def test_a_page_on_two_paths_is_opened_once_and_found_once() -> None:
    shop = open_shop(20)
    shop.pages["/"] = listing("/list/0", "/list/1", "/item/3")
    _, found = await walk_through(shop, pattern_of((Step(LIST), Step(ITEM)), (Step(ITEM),)))
    assert max(Counter(shop.asked).values()) == 1
    assert sorted(Counter(found).values()) == [1] * 20


async def test_a_page_that_ended_a_path_leads_on_when_another_reaches_it_later() -> None:
    pages = {
        "/": listing("/hub/1", "/list/0"), "/hub/1": item(1, "/item/1"), "/list/0": listing("/list/1"),
        "/list/1": listing("/hub/1"), "/item/1": item(1),
    }  # fmt: skip
    paths = (Step(HUB),), (Step(LIST, repeats=True), Step(HUB), Step(ITEM))
    shop = Shop(dict(pages))
    _, found = await walk_through(shop, pattern_of(*paths))
    assert sorted(found) == ["/hub/1", "/item/1"]
    assert shop.asked.count("/hub/1") == 1


async def test_a_page_on_the_way_is_found_when_another_path_ends_there_later() -> None:
    pages = {
        "/": listing("/hub/1", "/list/0"), "/hub/1": item(1, "/item/1"), "/list/0": listing("/hub/1"),
        "/item/1": item(1),
    }  # fmt: skip
    shop = Shop(dict(pages))
    _, found = await walk_through(shop, pattern_of((Step(HUB), Step(ITEM)), (Step(LIST), Step(HUB))))
    assert sorted(found) == ["/hub/1", "/item/1"]
    assert shop.asked.count("/hub/1") == 1


async def test_a_long_chain_that_is_reached_again_another_way_needs_no_deep_stack() -> None:
    length = 1_100  # more than calls may be nested
    pages = {f"/list/{n}": listing(f"/list/{n + 1}", f"/item/{n}") for n in range(length)}
    pages |= {"/": listing("/list/0", "/hub/0"), "/hub/0": listing("/hub/1"), "/hub/1": listing("/list/0")}
    pages |= {f"/item/{n}": item(n) for n in range(length)}
    shop = Shop(dict(pages))
    paths = (Step(LIST, repeats=True), Step(ITEM)), (Step(HUB, repeats=True), Step(LIST, repeats=True), Step(ITEM))
    _, found = await walk_through(shop, pattern_of(*paths))
    assert len(found) == length
    assert max(Counter(shop.asked).values()) == 1


async def test_a_step_that_repeats_goes_round_once() -> None:
    pages = {f"/list/{n}": listing(f"/list/{(n + 1) % 5}", f"/list/{(n + 3) % 5}", f"/item/{n}") for n in range(5)}
    pages |= {"/": listing("/list/0")} | {f"/item/{n}": item(n, "/list/0", "/") for n in range(5)}
    shop = Shop(dict(pages))
    walk, found = await walk_through(shop, pattern_of((Step(LIST, repeats=True), Step(ITEM))))
    assert sorted(found) == [f"/item/{n}" for n in range(5)]
    assert walk.links == 11


async def test_targets_that_only_targets_link_to_are_found_where_the_last_step_repeats() -> None:
    pages = {f"/item/{n}": item(n, f"/item/{n + 1}") for n in range(150)}
    shop = Shop({"/": listing("/item/0"), **pages, "/item/150": item(150)})
    _, found = await walk_through(shop, pattern_of((Step(ITEM, repeats=True),)))
    assert len(found) == 151


async def test_a_list_that_has_grown_is_read_on_though_the_pattern_knows_one_page() -> None:
    pages = {"/list/0": listing(*(f"/item/{n}" for n in range(10)), following="/list/0?page=2")}
    pages["/list/0?page=2"] = listing(*(f"/item/{n}" for n in range(10, 15)), following="/list/0?page=3")
    pages["/list/0?page=3"] = listing(*(f"/item/{n}" for n in range(15, 18)))
    pages |= {"/": listing("/list/0")} | {f"/item/{n}": item(n) for n in range(18)}
    _, found = await walk_through(Shop(dict(pages)), pattern_of())
    assert len(found) == 18


async def test_a_calendar_without_end_ends() -> None:
    def make(place: str) -> str | None:
        if place.startswith("/item/"):
            return item(1)
        number = int(place.rpartition("/")[2]) if place.startswith("/list/") else 0
        return listing(f"/list/{number + 1}", "/item/1", *(["/item/2"] if number == 30 else []))

    shop = Shop(make=make)
    walk, found = await walk_through(shop, pattern_of((Step(LIST, repeats=True), Step(ITEM))))
    assert sorted(found) == ["/item/1", "/item/2"]
    assert walk.links <= 40 + MAX_LISTS_WITHOUT_NEW
    assert not walk.stopped


def facets_of(place: str, records: range) -> str:
    """A list with three filters of six values each, which combine, and its pages of five."""
    path, _, query = place.partition("?")
    given = dict(each.split("=") for each in query.split("&")) if query else {}
    number = int(given.pop("page", 1))
    kept = [n for n in records if all(n % (7 + int(name[1])) % 6 == int(value) for name, value in given.items())]
    links = [f"/item/{n}" for n in kept[5 * number - 5 : 5 * number]]
    for name in ("f0", "f1", "f2"):
        pairs = [sorted((given | {name: str(value)}).items()) for value in range(6)]
        links += [f"{path}?" + "&".join(f"{key}={value}" for key, value in each) for each in pairs]
    following = [*sorted(given.items()), ("page", number + 1)] if 5 * number < len(kept) else []
    query = "&".join(f"{key}={value}" for key, value in following)
    return listing(*links, following=f"{path}?{query}" if query else "")


FACETS = r"^http://shop\.example/list/0(?:[?&]f0=[0-9]+)?(?:[?&]f1=[0-9]+)?(?:[?&]f2=[0-9]+)?(?:[?&]page=[0-9]+)?$"


async def test_filters_that_combine_end_when_their_kinds_lead_to_nothing_new() -> None:
    shop = Shop(
        {"/": listing("/list/0"), **{f"/item/{n}": item(n) for n in range(80)}},
        make=lambda place: facets_of(place, range(80)) if place.startswith("/list/0") else None,
    )
    walk, found = await walk_through(
        shop, pattern_of((Step(FACETS, repeats=True), Step(ITEM)), figures={"targets": 80})
    )
    assert len(found) == 80
    assert walk.links <= 1 + 16 + 80 + 2 * MAX_LISTS_WITHOUT_NEW, "there are 343 combinations and their pages"
    assert walk.closed.total() > 0
    assert not walk.stopped
    assert [place for place in shop.asked if "?" in place][:15] == [f"/list/0?page={n}" for n in range(2, 17)], (
        "pages come before filters"
    )


async def test_lists_are_read_on_while_fewer_targets_are_met_than_were_known() -> None:
    shop = open_shop(20)
    shop.pages["/"] = listing("/list/0", "/list/1", *(f"/list/{n}" for n in range(10, 90)))
    shop.pages |= {f"/list/{n}": listing("/item/1") for n in range(10, 90)}
    shop.pages["/list/89"], shop.pages["/item/20"] = listing("/item/20"), item(20)
    pattern = pattern_of((Step(LIST), Step(ITEM)))
    _, found = await walk_through(shop, replace(pattern, figures={"targets": 21}))
    assert len(found) == 21
    _, found = await walk_through(shop, replace(pattern, figures={"targets": 20}))
    assert len(found) == 20, "a kind of lists is left after the last of them led to nothing new"


async def test_orders_of_a_list_are_not_walked() -> None:
    pages = [f"/list/0?page={n}" for n in range(1, 9)]
    orders = [f"/list/0?page={n}&sort={name}" for n in range(1, 9) for name in ("a", "b", "c")]
    shop = open_shop(20)
    shop.pages |= {place: listing("/item/1", *pages, *orders) for place in ("/list/0", *pages, *orders)}
    step = Step(r"^http://shop\.example/list/[0-9]+(?:[?&]page=[0-9]+)?(?:[?&]sort=[a-z]+)?$", repeats=True)
    walk = Walk(pattern_of((step, Step(ITEM))), ANY)
    found = [each.seen.url async for each in walk_pattern(walk, build_opener(shop.fetches.within_site))]
    assert address("/item/1") in found
    assert set(pages) <= set(shop.asked)
    assert not set(orders) & set(shop.asked)


async def test_pages_without_end_stop_at_the_limit() -> None:
    def make(place: str) -> str | None:
        number = int(place.rpartition("/")[2] or 0)
        return item(number) if place.startswith("/item/") else listing(f"/list/{number + 1}", f"/item/{number}")

    walk, found = await walk_through(Shop(make=make), pattern_of((Step(LIST, repeats=True), Step(ITEM))), limit=301)
    assert (walk.links, walk.stopped) == (301, "301 links were traversed")
    assert len(found) == 150
    assert judge_walk(walk).yes


async def test_known_targets_are_not_opened() -> None:
    shop = open_shop(40)
    walk, found = await walk_through(shop, pattern_of(), known={address(f"/item/{n}") for n in range(35)})
    assert sorted(found) == [f"/item/{n}" for n in range(35, 40)]
    assert set(shop.items()) == set(found)
    assert walk.unread == 35


async def test_a_known_target_is_opened_when_it_is_on_the_way_to_others() -> None:
    pages = {"/": listing("/hub/1", "/list/0"), "/hub/1": item(1, "/item/1"), "/list/0": listing("/hub/1")}
    shop = Shop({**pages, "/item/1": item(1)})
    walk, found = await walk_through(
        shop, pattern_of((Step(HUB),), (Step(LIST), Step(HUB), Step(ITEM))), known={address("/hub/1")}
    )
    assert "/item/1" in found
    assert walk.unread == 0


async def test_targets_come_before_further_lists_so_that_a_small_limit_brings_some() -> None:
    shop = open_shop(40, 10)
    walk, found = await walk_through(shop, pattern_of(), limit=8)
    assert len(found) == 6
    assert walk.links == 8


HUB_FAILURES = [
    ("is gone", Response("", 404, HTML, b"<p>gone"), "HTTP 404"),
    ("breaks", Response("", 500, HTML, b"<p>oh"), "HTTP 500"),
    ("does not answer", Failure("", FailureReason.TIMEOUT), "timed out"),
    ("is a service", Response("", 200, (("content-type", "application/json"),), b'{"a": 1}'), "not a page"),
]


@pytest.mark.parametrize(("answer", "why"), [row[1:] for row in HUB_FAILURES], ids=[row[0] for row in HUB_FAILURES])
async def test_a_list_that_fails_costs_its_own_targets_and_no_others(answer: Response | Failure, why: str) -> None:
    shop = open_shop(40)
    shop.pages["/list/2"] = answer
    walk, found = await walk_through(shop, pattern_of(figures={"targets": 40}))
    assert len(found) == 30
    assert walk.failures == {why: 1}
    assert judge_walk(walk).yes


async def test_an_entry_that_is_gone_is_told_as_such() -> None:
    shop = open_shop(10)
    del shop.pages["/"]
    walk, found = await walk_through(shop, pattern_of())
    assert (found, walk.opened) == ([], 0)
    assert judge_walk(walk).reason == f"{SITE}/ could not be opened: HTTP 404"


CHANGES = [
    ("the lists moved", {"/": listing("/new/0")}, "no link matches step 1"),
    ("the things moved", {f"/list/{n}": listing("/thing/1") for n in range(4)}, "no link matches step 2"),
    ("most are gone", {f"/list/{n}": other("/") for n in range(1, 4)}, "10 pages were found where there were 40"),
]


@pytest.mark.parametrize(("pages", "why"), [row[1:] for row in CHANGES], ids=[row[0] for row in CHANGES])
async def test_a_site_that_has_changed_is_told_as_such(pages: dict[str, str], why: str) -> None:
    shop = open_shop(40)
    shop.pages.update(pages)
    walk, _ = await walk_through(shop, pattern_of(figures={"targets": 40}))
    assert not judge_walk(walk).yes
    assert judge_walk(walk).reason.startswith(why)


async def test_a_page_with_very_many_links_is_cut_and_that_is_counted() -> None:
    shop = Shop({"/": listing(*(f"/item/{n}" for n in range(100_000)))}, make=lambda _: other())
    walk, found = await walk_through(shop, pattern_of((Step(ITEM),)), limit=5)
    assert len(found) == 4
    rows = MAX_TAGS // 4  # that are read of such a page, each with two tags that start and end
    assert rows - MAX_LINKS - 10 < walk.dropped <= rows - MAX_LINKS


async def test_answers_of_a_form_are_where_a_pattern_begins() -> None:
    pages = {f"/find?letter={each}": listing(f"/item/{number}") for number, each in enumerate("abc")}
    shop = Shop({**pages, **{f"/item/{n}": item(n) for n in range(3)}})
    ask = FormQuery(address("/find"), "GET", "letter", ("a", "b", "c"))
    walk, found = await walk_through(shop, pattern_of((Step(ITEM),), first=ask))
    assert sorted(found) == ["/item/0", "/item/1", "/item/2"]
    assert "/" not in shop.asked
    assert judge_walk(walk).yes


RUNS = 200  # that a walk may take to come to its end


async def go_on_and_on(shop: Shop, pattern: Pattern, limit: int) -> tuple[list[str], int]:
    """Follow a pattern in runs of a few links, each of which knows what was noted before; return what was found."""
    opened: dict[str, OpenedPage] = {}
    found: list[str] = []
    for _ in range(RUNS):
        walk = Walk(pattern, ANY)
        memory = WalkMemory(set(found), (), opened.get, lambda page: opened.update({page.name: page}))
        async for each in walk_pattern(walk, build_opener(shop.fetches.within_site), memory, limit=limit):
            found.append(each.seen.url)
        if not walk.stopped:
            return [url.removeprefix(SITE) for url in found], walk.unread + walk.pages
    raise AssertionError("it does not come to its end")


def open_maze() -> tuple[Shop, Pattern]:
    """Return a site with lists that go on, targets that lead on, and pages that are reached several ways."""
    pages = {"/": listing("/list/0", "/hub/1", "/hub/2"), "/hub/1": item(1, "/item/1"), "/hub/2": other("/item/9")}
    pages |= {f"/list/{n}": listing(f"/item/{n}", "/hub/1", following=f"/list/0?page={n + 1}") for n in range(3)}
    pages |= {f"/list/0?page={n}": listing(f"/item/{n}", "/list/1", "/list/2", "/list/7") for n in range(1, 4)}
    pages |= {f"/item/{n}": item(n, f"/item/{n + 4}") for n in range(12)}
    paths = (Step(LIST, repeats=True), Step(ITEM, repeats=True)), (Step(LIST), Step(HUB)), (Step(HUB), Step(ITEM))
    return Shop(dict(pages)), pattern_of(*paths)


@pytest.mark.parametrize("limit", [1, 2, 3, 7])
async def test_a_walk_in_pieces_opens_and_finds_what_one_in_one_piece_does(limit: int) -> None:
    shop, pattern = open_maze()
    _, at_once = await walk_through(shop, pattern)
    whole = Counter(shop.asked)
    shop.asked.clear()
    found, count = await go_on_and_on(shop, pattern, limit)
    assert sorted(found) == sorted(at_once)
    assert count == len(found)
    again = Counter(shop.asked) - whole
    assert set(again) <= {"/hub/1"}  # met on the way, and wanted only later: what it says was not kept
    assert not whole - Counter(shop.asked)


async def test_a_page_that_its_server_could_not_give_is_tried_once_more_after_all_others() -> None:
    shop = open_shop(20)
    shop.pages |= {"/list/0": Response("", 500, HTML, b""), "/list/1": Response("", 404, HTML, b"")}
    found, _ = await go_on_and_on(shop, pattern_of(), 2)
    assert (found, shop.asked) == ([], ["/", "/list/0", "/list/1", "/list/0"])


async def test_a_form_that_is_asked_with_words_is_asked_with_those_of_pages_that_were_found_before() -> None:
    pages = {"/find?q=red": listing("/item/0"), "/find?q=thing": listing("/item/1"), "/find?q=number": listing()}
    shop = Shop({**pages, "/item/0": item(0), "/item/1": item(1)})
    pattern = pattern_of((Step(ITEM),), first=FormQuery(address("/find"), "GET", "q", ("red",), words=True))
    walk, look = Walk(pattern, ANY), build_opener(shop.fetches.within_site)
    memory = WalkMemory({address("/item/0")}, ["Thing number 0"])
    assert [each.seen.url async for each in walk_pattern(walk, look, memory)] == [address("/item/1")]


def leading_to(place: str, number: int) -> Response:
    return Response(address(place), 200, HTML, item(number).encode(), redirects=(address(place),))


ORDERS = [
    ("the other address first", ["/item/99", "/item/1", "/item/2"], ["/item/99", "/item/2"]),
    ("the page first", ["/item/1", "/item/99", "/item/2"], ["/item/1", "/item/2"]),
    ("two others", ["/item/98", "/item/99", "/item/2"], ["/item/98", "/item/2"]),
]


@pytest.mark.parametrize(("links", "rows"), [row[1:] for row in ORDERS], ids=[row[0] for row in ORDERS])
async def test_addresses_that_lead_to_one_page_are_one_page(links: list[str], rows: list[str]) -> None:
    pages = {"/item/98": leading_to("/item/1", 1), "/item/99": leading_to("/item/1", 1)}
    shop = Shop({"/": listing(*links), "/item/1": item(1), "/item/2": item(2), **pages})
    walk, found = await walk_through(shop, pattern_of((Step(ITEM),)))
    assert (found, walk.pages, walk.unlike) == (rows, 2, 0)


async def test_an_address_that_leads_to_a_known_page_is_no_new_one() -> None:
    shop = Shop({"/": listing("/item/99", "/item/1"), "/item/1": item(1), "/item/99": leading_to("/item/1", 1)})
    _, found = await walk_through(shop, pattern_of((Step(ITEM),)), {address("/item/1")})
    assert found == []


async def test_answers_to_post_share_an_address_and_are_all_opened() -> None:
    shop = Shop({"/find": listing("/item/0", "/item/1"), "/item/0": item(0), "/item/1": item(1)})
    ask = FormQuery(address("/find"), "POST", "letter", ("a", "b", "c"))
    _, found = await walk_through(shop, pattern_of((Step(ITEM),), first=ask))
    assert sorted(found) == ["/item/0", "/item/1"]
    assert shop.asked.count("/find") == 3


async def test_links_of_a_box_are_left_where_they_stand_in_it_alone() -> None:
    box = '<div class="newest"><ul><li><a href="/item/7">7</a><li><a href="/item/2">2</a><li><a href="/item/8">8</a></ul></div>'
    shop = Shop({"/": listing("/item/1", "/item/2", "/item/3").replace("</body>", box + "</body>")})
    plain = await look_at(shop)
    assert isinstance(plain, ExamplePage)
    place = next(block.place for block in plain.find_blocks() if address("/item/7") in block.links)
    leave = LinksToLeave.of(pattern_of(boxes=(place,)))
    seen = await build_opener(shop.fetches.within_site, leave=leave)(Request(address("/")))
    assert isinstance(seen, ExamplePage)
    assert {url for url in seen.links if "/item/" in url} == {address(f"/item/{n}") for n in (1, 2, 3)}
