"""Where pages are listed: what stands together on a page, and what is listed as the samples are."""

from __future__ import annotations

import pytest

from dowse.example.lists import LinkBlock, SiteLists, address_kind, find_blocks, is_further_page, is_root, name_space
from dowse.model import Response
from dowse.page.document import Document

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
    assert [there for _, there in found.group_by_place(wanted)] == [set(wanted)]
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


BLOCKS_HTML = (("content-type", "text/html; charset=utf-8"),)


def anchors(*links: str) -> list[str]:
    return [f'<a href="{link}">{link}</a>' for link in links]


def together(body: str) -> list[set[str]]:
    tree = Document(Response("http://a.example/", 200, BLOCKS_HTML, f"<html><body>{body}</body></html>".encode())).nodes
    return [set(block.links) for block in find_blocks(tree, lambda href: href, "abcdefgh")]


MENU_HTML = "<nav>" + " ".join(anchors("g", "h")) + "</nav>"
PAGES = [
    ("points", "<ul>" + "".join(f"<li>{each}</li>" for each in anchors(*"abc")) + "</ul>"),
    ("lines", "<p>" + "<br>".join(anchors(*"abc")) + "</p>"),
    ("cells", "<table><tr>" + "".join(f"<td>{each}</td>" for each in anchors(*"abc")) + "</tr></table>"),
    ("a grid", "<table><tr><td>{}</td><td>{}</td></tr><tr><td>{}</td></tr></table>".format(*anchors(*"abc"))),
    ("cards", "".join(f"<div class=card><h3>{each}</h3><p>text</p></div>" for each in anchors(*"abc"))),
]


@pytest.mark.parametrize("body", [row[1] for row in PAGES], ids=[row[0] for row in PAGES])
def test_a_list_is_told_from_a_menu(body: str) -> None:
    assert together(MENU_HTML + body) == [{"g", "h"}, {"a", "b", "c"}]


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


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        pytest.param("/", True, id="the host alone"),
        pytest.param("/index.php", True, id="a file for the folder"),
        pytest.param("/index.php?do=group&g=birds", False, id="a script that shows a category"),
        pytest.param("/birds/", False, id="a folder"),
    ],
)
def test_home_pages(path: str, expected: bool) -> None:
    assert is_root(f"http://a.example{path}") is expected


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        pytest.param("/wiki/Category:Birds", "category", id="in the path"),
        pytest.param("/w.php?title=Talk:Owl", "talk", id="in a parameter"),
        pytest.param("/w.php?Category:Birds", "category", id="a lone value"),
        pytest.param("/wiki/Owl", "", id="no colon"),
        pytest.param("/at/12:30", "", id="a time"),
    ],
)
def test_names_before_a_colon(path: str, expected: str) -> None:
    assert name_space(f"http://a.example{path}") == expected


def test_links_of_pages_alike_are_lists_only_where_no_other_page_lists_samples() -> None:
    start, owl, jay, ann = (f"http://a.example/{name}" for name in ("list", "owl", "jay", "ann"))
    for has_list in (True, False):
        found = SiteLists(frozenset({owl}), "http://a.example/")
        found.add_page(jay, (owl, ann), (LinkBlock(2, (owl, ann)),))  # in its text, owl and somebody
        if has_list:
            found.add_page(start, (owl, jay), (LinkBlock(1, (owl, jay)),))
        found.update(alike={jay})
        assert found.siblings == ({owl, jay} if has_list else {owl, ann})


def test_other_lists_are_peers_of_the_entry_though_folders_name_them() -> None:
    pages = {name: tuple(f"http://a.example/{name}/thread/{n}x{name}" for n in range(5)) for name in ("one", "two")}
    home, (one, two) = "http://a.example/", (f"http://a.example/{name}/latest" for name in pages)
    found = SiteLists(frozenset({pages["one"][2]}), one)
    found.add_page(home, (one, two), (LinkBlock(7, (one, two)),))
    for page, links in ((one, pages["one"]), (two, pages["two"])):
        found.add_page(page, (*links, home), (LinkBlock(1, links),))
    found.update()
    assert found.siblings == set(pages["one"])


def test_what_a_box_on_every_page_has_is_listed_where_it_stands_in_a_list() -> None:
    items = [f"http://a.example/item/{n}" for n in range(6)]
    found = SiteLists(frozenset(items[1:2]))
    found.add_page("http://a.example/list", tuple(items), (LinkBlock(1, tuple(items)),))
    for item in items:
        found.add_page(item, tuple(items[:3]), (LinkBlock(2, tuple(items[:3])),))
    found.update()
    assert found.boilerplate == frozenset(items[:3])
    assert found.siblings is not None
    assert found.siblings >= set(items)


def test_a_text_that_names_samples_beside_other_things_is_no_list_of_them() -> None:
    people, articles = ([f"http://a.example/wiki/{kind}{n}" for n in range(8)] for kind in ("person", "article"))
    found = SiteLists(frozenset(people[:1]))
    found.add_page("http://a.example/people/", tuple(people), (LinkBlock(1, tuple(people)),))
    for number, article in enumerate(articles):
        links = (
            people[0] if number < 2 else people[number],
            articles[number - 1],
            articles[number - 2],
            articles[number - 3],
        )
        found.add_page(article, links, (LinkBlock(2, links),))
    for person in people:
        found.add_page(person, (), ())
    found.update(near=people[1:])
    assert found.siblings == set(people)


def test_a_folder_with_a_year_is_no_further_page() -> None:
    assert not is_further_page("http://a.example/by-year/2023", "http://a.example/")
    assert is_further_page("http://a.example/page/2/", "http://a.example/")
