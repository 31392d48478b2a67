"""Where pages are listed: kin of the samples, menus, lists of two kinds."""

from __future__ import annotations

import pytest

from dowse.example.blocks import Block
from dowse.example.kind import kind_of
from dowse.example.listed import Listed

SITE = "http://a.example"
LISTS, MENU, NEWS = 1, 2, 3  # places


def urls(*paths: str) -> tuple[str, ...]:
    return tuple(SITE + path for path in paths)


def listed(pages: dict[str, dict[int, tuple[str, ...]]], *samples: str) -> Listed:
    found = Listed(frozenset(urls(*samples)), SITE + "/")
    for page, blocks in pages.items():
        links = tuple(dict.fromkeys(link for block in blocks.values() for link in urls(*block)))
        found.note(SITE + page, links, tuple(Block(place, urls(*block)) for place, block in blocks.items()))
    found.look_again()
    return found


def lists(*names: str) -> dict[str, dict[int, tuple[str, ...]]]:
    """Return lists of three things each, with a menu."""
    return {
        f"/list/{name}": {LISTS: tuple(f"/{name}{n}" for n in range(3)), MENU: ("/about", "/help")} for name in names
    }


def test_kin_stand_in_the_same_place_of_the_same_form_of_page() -> None:
    pages = lists("a", "b", "c", "d") | {"/deep/er/x": {LISTS: ("/x1", "/x2")}, "/list/news": {NEWS: ("/n1", "/n2")}}
    found = listed(pages, "/a0")
    assert found.kin == frozenset(urls(*(f"/{name}{n}" for name in "abcd" for n in range(3))))
    assert found.is_kin(SITE + "/d2")
    assert not found.is_kin(SITE + "/x1")


def test_what_every_page_has_is_usual_and_no_kin() -> None:
    found = listed(lists(*"abcde"), "/a0")
    assert found.usual == frozenset(urls("/about", "/help"))
    assert not found.are_kin(urls("/about", "/help"))


def test_a_menu_with_a_sample_in_it_makes_nobody_kin() -> None:
    pages = {f"/list/{n}": {MENU: ("/a0", "/about", "/help")} for n in range(6)}
    assert listed(pages, "/a0").kin is None


def test_without_a_list_of_the_samples_everybody_may_be_kin() -> None:
    found = listed(lists("a", "b"), "/elsewhere")
    assert found.kin is None
    assert found.is_kin(SITE + "/a1")


def test_lists_of_pages_that_are_the_same_stand_in_for_those_of_the_samples() -> None:
    found = listed(lists("a", "b"), "/elsewhere")
    found.look_again(urls("/a0", "/a1", "/a2"))
    assert found.kin == frozenset(urls("/a0", "/a1", "/a2", "/b0", "/b1", "/b2"))


FURTHER = [
    ("a parameter", "/list/b?page=2"),
    ("a folder with a number", "/list/a/page/2/"),
    ("a short one", "/list/a/p2"),
]


@pytest.mark.parametrize("page", [row[1] for row in FURTHER], ids=[row[0] for row in FURTHER])
def test_further_pages_of_a_list_list_kin(page: str) -> None:
    first = "/list/a/" if page.startswith("/list/a/") else "/list/a"
    assert listed({first: {LISTS: ("/a0", "/a1")}, page: {LISTS: ("/a8", "/a9")}}, "/a0").is_kin(SITE + "/a9")


def test_a_page_that_comes_later_adds_kin() -> None:
    found = listed(lists("a"), "/a0")
    found.note(SITE + "/list/z", urls("/z1"), (Block(LISTS, urls("/z1")),))
    assert found.is_kin(SITE + "/z1")


def test_what_stands_on_the_way_to_the_lists_is_known() -> None:
    above = {"/": {LISTS: ("/early", "/list/a")}, "/other/place/x": {LISTS: ("/n1", "/n2")}}
    found = listed(lists("a", "b") | above, "/a0")
    assert SITE + "/early" in found.before
    assert SITE + "/n1" not in found.before
    assert not found.is_kin(SITE + "/early")


def test_that_a_sample_links_to_itself_makes_nobody_kin() -> None:
    pages = lists("a", "b") | {"/a0": {MENU: ("/a0", "/talk")}, "/b0": {MENU: ("/b0", "/talk2")}}
    assert not listed(pages, "/a0").is_kin(SITE + "/talk2")


def test_groups_by_place_and_by_list() -> None:
    found = listed(lists("a", "b"), "/a0")
    wanted = urls("/a1", "/a2", "/b1")
    assert list(found.group_by_place(wanted)) == [set(wanted)]
    assert list(found.group_by_list(wanted)) == [set(urls("/a1", "/a2")), set(urls("/b1"))]


def test_kinds_that_stand_in_one_list() -> None:
    books, films, news = (tuple(f"/{kind}/{n}" for n in range(3)) for kind in ("book", "film", "news"))
    found = listed({"/all": {LISTS: (*books, *films)}, "/latest": {NEWS: news}}, "/book/0")
    together = found.find_together({kind_of(SITE + "/book/1")})
    assert together[kind_of(SITE + "/film/1")] == 1
    assert together[kind_of(SITE + "/news/1")] == 0


def test_how_many_stand_together() -> None:
    found = listed(lists("a"), "/a0")
    assert found.count(SITE + "/list/a", lambda url: url.startswith(SITE + "/a")) == 3
    assert found.count(SITE + "/nowhere", lambda _: True) == 0
