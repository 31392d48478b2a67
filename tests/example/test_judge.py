"""Judging pages: what is like the sample, what only looks near, and what cannot be told."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dowse.errors import BadInput
from dowse.example.address import address_kind
from dowse.example.judge import (
    MAX_JUDGE_SAMPLES,
    MIN_VALUES,
    Judge,
    LinkBlock,
    SiteLists,
    find_blocks,
    find_cut,
    is_median_less,
    ks_distance,
    ks_p_value,
    open_judge,
)
from dowse.model import Response
from dowse.page.document import Document
from dowse.tree.similarity import Shape, shape_of
from tests.example.shop import HTML, address, item, listing, other

LIKENESSES = st.lists(st.floats(0, 1), max_size=30)


@given(LIKENESSES, LIKENESSES)
def test_a_chance_is_a_share(some: list[float], others: list[float]) -> None:
    assert 0.0 <= ks_p_value(some, others) <= 1.0
    assert ks_p_value(some, others) == pytest.approx(ks_p_value(others, some))
    assert ks_p_value(some, some) == 1.0


def test_the_chance_is_that_of_a_table() -> None:
    """Two spreads of 50 values each that are 0.272 apart at most have one chance in twenty (Smirnov 1948)."""
    some, others = [float(n) for n in range(50)], [n + 13.5 for n in range(50)]
    assert ks_distance(some, others) == pytest.approx(0.28)
    assert ks_p_value(some, others) == pytest.approx(0.04, abs=0.01)


CHANCES = [
    ("too few to tell", [0.1] * (MIN_VALUES - 1), [0.9] * 30, 1.0, 1.0),
    ("all less", [0.1 + n / 1000 for n in range(20)], [0.9 + n / 1000 for n in range(20)], 0.0, 1e-4),
    ("all more", [0.9 + n / 1000 for n in range(20)], [0.1 + n / 1000 for n in range(20)], 0.0, 1e-4),
    ("the same", [0.5] * 20, [0.5] * 20, 0.3, 1.0),
]


@pytest.mark.parametrize(
    ("some", "others", "least", "most"), [row[1:] for row in CHANCES], ids=[row[0] for row in CHANCES]
)
def test_chance_of_same(some: list[float], others: list[float], least: float, most: float) -> None:
    assert least <= ks_p_value(some, others) <= most


def test_less_is_told_by_the_middle_and_by_how_much() -> None:
    assert is_median_less([0.1, 0.2, 0.9], [0.5, 0.6, 0.7])
    assert not is_median_less([0.1, 0.2, 0.9], [0.5, 0.6, 0.7], 0.5)
    assert not is_median_less([], [0.5])
    assert not is_median_less([0.5], [])


SITE = "http://a.example"
LISTS, MENU, NEWS = 1, 2, 3  # places


def urls(*paths: str) -> tuple[str, ...]:
    return tuple(SITE + path for path in paths)


def listed(pages: dict[str, dict[int, tuple[str, ...]]], *samples: str) -> SiteLists:
    found = SiteLists(frozenset(urls(*samples)), SITE + "/")
    for page, blocks in pages.items():
        links = tuple(dict.fromkeys(link for block in blocks.values() for link in urls(*block)))
        found.add_page(SITE + page, links, tuple(LinkBlock(place, urls(*block)) for place, block in blocks.items()))
    found.update()
    return found


def lists(*names: str) -> dict[str, dict[int, tuple[str, ...]]]:
    """Return lists of three things each, with a menu."""
    return {
        f"/list/{name}": {LISTS: tuple(f"/{name}{n}" for n in range(3)), MENU: ("/about", "/help")} for name in names
    }


def test_siblings_stand_in_the_same_place_of_the_same_form_of_page() -> None:
    pages = lists("a", "b", "c", "d") | {"/deep/er/x": {LISTS: ("/x1", "/x2")}, "/list/news": {NEWS: ("/n1", "/n2")}}
    found = listed(pages, "/a0")
    assert found.siblings == frozenset(urls(*(f"/{name}{n}" for name in "abcd" for n in range(3))))
    assert found.is_sibling(SITE + "/d2")
    assert not found.is_sibling(SITE + "/x1")


def test_what_every_page_has_is_boilerplate_and_no_sibling() -> None:
    found = listed(lists(*"abcde"), "/a0")
    assert found.boilerplate == frozenset(urls("/about", "/help"))
    assert not found.are_siblings(urls("/about", "/help"))


def test_a_menu_with_a_sample_in_it_makes_no_siblings() -> None:
    pages = {f"/list/{n}": {MENU: ("/a0", "/about", "/help")} for n in range(6)}
    assert listed(pages, "/a0").siblings is None


def test_without_a_list_of_the_samples_every_page_may_be_a_sibling() -> None:
    found = listed(lists("a", "b"), "/elsewhere")
    assert found.siblings is None
    assert found.is_sibling(SITE + "/a1")


def test_lists_of_pages_that_are_the_same_stand_in_for_those_of_the_samples() -> None:
    found = listed(lists("a", "b"), "/elsewhere")
    found.update(urls("/a0", "/a1", "/a2"))
    assert found.siblings == frozenset(urls("/a0", "/a1", "/a2", "/b0", "/b1", "/b2"))


FURTHER = [
    ("a parameter", "/list/b?page=2"),
    ("a folder with a number", "/list/a/page/2/"),
    ("a short one", "/list/a/p2"),
]


@pytest.mark.parametrize("page", [row[1] for row in FURTHER], ids=[row[0] for row in FURTHER])
def test_further_pages_of_a_list_list_siblings(page: str) -> None:
    first = "/list/a/" if page.startswith("/list/a/") else "/list/a"
    assert listed({first: {LISTS: ("/a0", "/a1")}, page: {LISTS: ("/a8", "/a9")}}, "/a0").is_sibling(SITE + "/a9")


def test_a_page_that_comes_later_adds_siblings() -> None:
    found = listed(lists("a"), "/a0")
    found.add_page(SITE + "/list/z", urls("/z1"), (LinkBlock(LISTS, urls("/z1")),))
    assert found.is_sibling(SITE + "/z1")


def test_what_stands_on_the_way_to_the_lists_is_known() -> None:
    above = {"/": {LISTS: ("/early", "/list/a")}, "/other/place/x": {LISTS: ("/n1", "/n2")}}
    found = listed(lists("a", "b") | above, "/a0")
    assert SITE + "/early" in found.on_the_way
    assert SITE + "/n1" not in found.on_the_way
    assert not found.is_sibling(SITE + "/early")


def test_that_a_sample_links_to_itself_makes_no_siblings() -> None:
    pages = lists("a", "b") | {"/a0": {MENU: ("/a0", "/talk")}, "/b0": {MENU: ("/b0", "/talk2")}}
    assert not listed(pages, "/a0").is_sibling(SITE + "/talk2")


def test_groups_by_place_and_by_list() -> None:
    found = listed(lists("a", "b"), "/a0")
    wanted = urls("/a1", "/a2", "/b1")
    assert list(found.group_by_place(wanted)) == [set(wanted)]
    assert list(found.group_by_list(wanted)) == [set(urls("/a1", "/a2")), set(urls("/b1"))]


def test_kinds_that_stand_in_one_list() -> None:
    books, films, news = (tuple(f"/{kind}/{n}" for n in range(3)) for kind in ("book", "film", "news"))
    found = listed({"/all": {LISTS: (*books, *films)}, "/latest": {NEWS: news}}, "/book/0")
    together = found.find_together({address_kind(SITE + "/book/1")})
    assert together[address_kind(SITE + "/film/1")] == 1
    assert together[address_kind(SITE + "/news/1")] == 0


def test_how_many_stand_together() -> None:
    found = listed(lists("a"), "/a0")
    assert found.count_together(SITE + "/list/a", lambda url: url.startswith(SITE + "/a")) == 3
    assert found.count_together(SITE + "/nowhere", lambda _: True) == 0


def shape(text: str) -> Shape:
    return shape_of(Document(Response(address("/"), 200, HTML, text.encode())).nodes)


def judge_of(*samples: int) -> Judge:
    return open_judge({address(f"/item/{n}"): shape(item(n)) for n in samples or (0,)}, shape(listing("/item/0")))


def test_things_are_targets_and_lists_are_none() -> None:
    judge = judge_of()
    for number in range(1, 20):
        judge.add(address(f"/item/{number}"), shape(item(number)))
        judge.add(address(f"/list/{number}"), shape(listing(*(f"/item/{n}" for n in range(number)))))
        judge.add(address(f"/page-{number}"), shape(other("/")))
    judge.rejudge()
    assert all(judge.is_target(address(f"/item/{n}")) for n in range(1, 20))
    assert not any(judge.is_target(url) for url in judge.pages if "/item/" not in url)


def test_pages_of_another_template_at_such_an_address_are_told_apart() -> None:
    judge = judge_of()
    for number in range(1, 40):
        judge.add(address(f"/item/{number}"), shape(item(number) if number % 2 else other("/", "/jobs")))
        judge.add(address(f"/list/{number}"), shape(listing("/item/1", "/item/2")))
    judge.rejudge()
    assert [n for n in range(1, 40) if judge.is_target(address(f"/item/{n}"))] == list(range(1, 40, 2))


def test_likeness_is_one_for_the_same_and_nothing_for_the_entry() -> None:
    judge = judge_of()
    assert judge.add(address("/item/0"), shape(item(0))) == 1.0
    assert judge.add(address("/list/0"), shape(listing("/item/0"))) == 0.0


def test_further_samples_are_bounded() -> None:
    judge = judge_of(*range(4))
    for number in range(4, 60):
        judge.add(address(f"/item/{number}"), shape(item(number, *(f"/x/{n}" for n in range(number)))))
        judge.add(address(f"/list/{number}"), shape(listing(*(f"/item/{n}" for n in range(number)))))
    judge.rejudge()
    assert 4 <= len(judge.samples) <= MAX_JUDGE_SAMPLES


def test_many_samples_are_bounded() -> None:
    assert len(judge_of(*range(30)).samples) == MAX_JUDGE_SAMPLES


def test_an_entry_that_is_like_the_sample_is_refused() -> None:
    with pytest.raises(BadInput, match="the entry is itself like the sample"):
        open_judge({address("/item/1"): shape(item(1))}, shape(item(2)), start_url=address("/item/2"))


def test_an_entry_built_like_the_sample_is_told_from_it_by_its_address() -> None:
    assert open_judge({address("/item/1"): shape(item(1))}, shape(item(2)), start_url=address("/all.html")).samples


def test_judging_nothing_and_little_is_no_trouble() -> None:
    judge = judge_of()
    judge.rejudge()
    judge.add(address("/item/1"), shape(item(1)))
    judge.rejudge()
    assert judge.is_target(address("/item/1"))


def notice(number: int) -> str:
    """Write a piece of news: nearly as a thing is written, and all in the same way."""
    return item(number).replace("<table>", "<table><caption>News</caption>")


def site_with_news(place: str, *, in_lists: bool) -> Judge:
    """Return a judge of a shop with things and news: those in lists of their own, or in those of things."""
    judge = judge_of()
    things = [address(f"/item/{n}") for n in range(40)]
    news = [address(f"{place.format('abcdefghij'[n % 10])}{n}") for n in range(900, 920)]
    for number, url in enumerate(things[1:], 1):
        judge.add(url, shape(item(number)))
    for number, url in enumerate(news):
        judge.add(url, shape(notice(number)))
    for number in range(4):
        links = (*things[number * 10 : number * 10 + 10], *(news[number * 5 : number * 5 + 5] if in_lists else ()))
        judge.add(address(f"/list/{number}"), shape(listing()), links, (LinkBlock(1, links),))
    if not in_lists:
        judge.add(address("/news/all/of/it"), shape(listing()), tuple(news), (LinkBlock(1, tuple(news)),))
    judge.rejudge()
    return judge


def test_outliers_with_addresses_of_things_are_told_by_where_they_are_listed() -> None:
    judge = site_with_news("/item/", in_lists=False)
    assert all(judge.is_target(address(f"/item/{n}")) for n in range(40))
    assert not any(judge.is_target(address(f"/item/{n}")) for n in range(900, 920))


def test_where_all_pages_are_built_alike_lists_tell_who_is_wanted() -> None:
    judge = open_judge({address("/item/0"): shape(item(0))}, shape(item(1)), start_url=address("/"))
    things, news = (tuple(address(f"/item/{n}") for n in some) for some in (range(30), range(900, 910)))
    for number, url in enumerate((*things[1:], *news)):
        judge.add(url, shape(item(number)))
    judge.add(address("/list/1"), shape(item(0)), things, (LinkBlock(1, things),))
    judge.add(address("/news/all/of/it"), shape(item(0)), news, (LinkBlock(1, news),))
    judge.rejudge()
    assert all(map(judge.is_target, things))
    assert not any(map(judge.is_target, (*news, address("/list/1"))))


def test_other_kinds_that_are_listed_elsewhere_resemble_the_samples_at_most() -> None:
    judge = site_with_news("/about/", in_lists=False)
    assert not any(judge.is_target(address(f"/about/{n}")) for n in range(900, 920))


def test_what_is_listed_with_the_samples_and_has_similar_addresses_is_of_their_kind() -> None:
    judge = site_with_news("/{}more/", in_lists=True)
    assert all(judge.is_target(url) for url in judge.pages if "more/" in url)


CUTS = [
    ("none", [], "too few"),
    ("too few", [0.9] * (MIN_VALUES - 1), "too few"),
    ("all unlike", [0.1] * 20, "too few"),
    ("all the same", [0.9] * 20, "nothing parts"),
]


@pytest.mark.parametrize(("values", "why"), [row[1:] for row in CUTS], ids=[row[0] for row in CUTS])
def test_where_nothing_can_be_told_the_threshold_is_strict(values: list[float], why: str) -> None:
    found = find_cut([(each, address_kind(address(f"/item/{n}"))) for n, each in enumerate(values)])
    assert found.value == 0.7
    assert why in found.why


@given(st.lists(st.tuples(st.floats(0, 1), st.sampled_from("abc")), max_size=40))
def test_a_threshold_is_a_likeness(pages: list[tuple[float, str]]) -> None:
    found = find_cut([(likeness, (kind,)) for likeness, kind in pages])
    assert 0.3 <= found.value <= 1.0
    assert found.why


def test_the_cut_lies_in_the_gap() -> None:
    items = [(0.8 + n / 100, address_kind(address("/item/1"))) for n in range(10)]
    lists = [(n / 100, address_kind(address("/list/1"))) for n in range(10)]
    assert 0.09 < find_cut(items + lists).value <= 0.8


def test_further_pages_of_a_thing_are_no_things() -> None:
    judge = open_judge({address("/topic?t=0"): shape(item(0))}, shape(listing()), start_url=address("/"))
    firsts, further = ([address(f"/topic?t={n}{more}") for n in range(1, 20)] for more in ("", "&start=10"))
    for number, url in enumerate((*firsts, *further)):
        judge.add(url, shape(item(number)))
    links = (address("/topic?t=0"), *firsts, *further)
    judge.add(address("/list/1"), shape(listing()), links, (LinkBlock(1, links),))
    judge.rejudge()
    assert all(map(judge.is_target, firsts))
    assert not any(map(judge.is_target, further))


BLOCKS_HTML = (("content-type", "text/html; charset=utf-8"),)


def anchors(*links: str) -> list[str]:
    return [f'<a href="{link}">{link}</a>' for link in links]


def together(body: str) -> list[set[str]]:
    tree = Document(Response("http://a.example/", 200, BLOCKS_HTML, f"<html><body>{body}</body></html>".encode())).nodes
    return [set(block.links) for block in find_blocks(tree, lambda href: href, "abcdefgh")]


MENU = "<nav>" + " ".join(anchors("g", "h")) + "</nav>"
PAGES = [
    ("points", "<ul>" + "".join(f"<li>{each}</li>" for each in anchors(*"abc")) + "</ul>"),
    ("lines", "<p>" + "<br>".join(anchors(*"abc")) + "</p>"),
    ("cells", "<table><tr>" + "".join(f"<td>{each}</td>" for each in anchors(*"abc")) + "</tr></table>"),
    ("a grid", "<table><tr><td>{}</td><td>{}</td></tr><tr><td>{}</td></tr></table>".format(*anchors(*"abc"))),
    ("cards", "".join(f"<div class=card><h3>{each}</h3><p>text</p></div>" for each in anchors(*"abc"))),
]


@pytest.mark.parametrize("body", [row[1] for row in PAGES], ids=[row[0] for row in PAGES])
def test_a_list_is_told_from_a_menu(body: str) -> None:
    assert together(MENU + body) == [{"g", "h"}, {"a", "b", "c"}]


def test_two_lists_of_one_kind_are_two() -> None:
    lists = ["<ul>" + "".join(f"<li>{each}</li>" for each in anchors(*some)) + "</ul>" for some in ("abc", "def")]
    assert together("".join(lists)) == [set("abc"), set("def")]


def test_rows_with_two_links_are_one_list() -> None:
    rows = "".join(f"<tr><td>{a} {b}</td></tr>" for a, b in zip(anchors(*"abc"), anchors(*"def"), strict=True))
    assert together(f"<table>{rows}</table>") == [set("abcdef")]


def test_a_link_alone_stands_by_itself() -> None:
    assert together("<p>" + anchors("a")[0] + "</p><div>" + anchors("b")[0] + "</div>") == [{"a"}, {"b"}]


def test_a_place_is_the_same_on_another_page() -> None:
    def places(*links: str) -> set[int]:
        body = "<ul>" + "".join(f"<li>{each}</li>" for each in anchors(*links)) + "</ul>"
        tree = Document(Response("http://a.example/", 200, BLOCKS_HTML, body.encode())).nodes
        return {block.place for block in find_blocks(tree, lambda href: href, "abcdefgh")}

    assert places("a") == places("b", "c") == places(*"defg")


@pytest.mark.parametrize(
    "row", ["<tr class={}><td>{}</td></tr>", '<div class="row {}">{}</div>', "<li class={}>{}</li>"]
)
def test_odd_and_even_rows_are_one_list(row: str) -> None:
    kinds = ("odd", "even", "odd", "even", "last")
    rows = "".join(map(row.format, kinds, anchors(*"abcde")))
    assert together(f"<table>{rows}</table>" if row.startswith("<tr") else rows) == [set("abcde")]


def test_what_is_no_link_of_the_page_is_left_out() -> None:
    assert together('<a href="z">z</a><a>none</a><a href="">empty</a>') == []
