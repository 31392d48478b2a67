"""The next page of an answer, and what only looks like one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dowse.model import Field, Form, Link, Page, Request, Response
from dowse.page import read_page
from dowse.records.paging import (
    MAX_GUARDED_PAGES,
    NextPage,
    PagingGuard,
    Relation,
    find_next,
    find_next_form,
    find_numbered_links,
    is_dated,
    read_direction,
    read_page_number,
    relate,
)


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("Next", "next"),
        ("Next page »", "next"),
        ("next 20 results", "next"),
        ("nächste Seite", "next"),
        ("Suivant", "next"),
        ("Página siguiente", "next"),
        ("successiva", "next"),
        ("avanti >", "next"),
        ("Próxima", "next"),
        ("volgende", "next"),
        ("następna", "next"),
        ("Следующая", "next"),
        ("次のページ", "next"),
        ("下一页", "next"),
        ("다음", "next"),
        ("← Older posts", "older"),
        ("Show more", "more"),
        ("Mehr anzeigen", "more"),
        ("もっと見る", "more"),
        ("« Previous", "back"),
        ("zurück", "back"),
        ("Newer posts", "back"),
        ("Erste Seite", "first"),
        ("««", "first"),
        ("Last »", "last"),
        (">|", "last"),
        ("›", "right"),
        (">>", "right twice"),
        ("‹", "left"),
        ("Fiches suivantes", "perhaps"),
        ("Next article", ""),
        ("Next month", ""),
        ("Next: how to bake bread", ""),
        ("Read more", ""),
        ("Home", ""),
        ("", ""),
    ],
)
def test_words(text: str, word: str) -> None:
    assert read_direction(text) == word


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("2", 2),
        ("[3]", 3),
        ("Page 4", 4),
        ("1,094", 1094),
        ("第5页", 5),
        ("2nd", 0),
        ("12 cars", 0),
        ("1.2.3", 0),
        ("", 0),
    ],
)
def test_numbers(text: str, number: int) -> None:
    assert read_page_number(text) == number


@given(st.text(max_size=200))
def test_any_text(text: str) -> None:
    assert read_page_number(text) >= 0
    assert isinstance(read_direction(text), str)


HERE = "http://shop.test/search?q=red"


def find(html: str, url: str = HERE, number: int | None = None, shown: int = 0) -> NextPage | None:
    page = read_page(Response(url, 200, (("content-type", "text/html; charset=utf-8"),), html.encode()))
    return find_next(page, Request(url), shown, number, html)


def anchors(*links: tuple[str, str]) -> str:
    return "<p>" + " ".join(f'<a href="{href}">{text}</a>' for text, href in links) + "</p>"


@pytest.mark.parametrize(
    ("html", "url", "wanted"),
    [
        pytest.param(anchors(("Next", "?q=red&page=2")), HERE, f"{HERE}&page=2", id="a word"),
        pytest.param(anchors(("Weiter »", "?q=red&start=10")), HERE, f"{HERE}&start=10", id="German, with a sign"),
        pytest.param(anchors(("次へ", "?q=red&p=2")), HERE, f"{HERE}&p=2", id="Japanese"),
        pytest.param(anchors(("下一页", "?q=red&p=2")), HERE, f"{HERE}&p=2", id="Chinese"),
        pytest.param(anchors(("Далее", "?q=red&p=2")), HERE, f"{HERE}&p=2", id="Russian"),
        pytest.param(anchors(("Fiches suivantes", "?q=red&p=2")), HERE, f"{HERE}&p=2", id="French, with what is listed"),
        pytest.param(anchors(("›", "?q=red&p=2"), ("»", "?q=red&p=9")), HERE, f"{HERE}&p=2", id="one sign on, two to the end"),
        pytest.param(anchors(("»", "?q=red&p=2")), HERE, f"{HERE}&p=2", id="two signs where there is no single one"),
        pytest.param('<a rel="next" href="?q=red&page=2"><i></i></a>', HERE, f"{HERE}&page=2", id="a relation"),
        pytest.param('<link rel="next" href="?q=red&page=2">', HERE, f"{HERE}&page=2", id="a relation in the head"),
        pytest.param(anchors(("2", "?q=red&page=2"), ("3", "?q=red&page=3")), HERE, f"{HERE}&page=2", id="numbers"),
        pytest.param(
            anchors(("1", "?q=red&page=1"), ("2", "?q=red&page=2"), ("4", "?q=red&page=4")),
            f"{HERE}&page=3",
            f"{HERE}&page=4",
            id="numbers around this page",
        ),
        pytest.param(anchors(("Next", "/list/page/3/")), "http://shop.test/list/page/2/", "http://shop.test/list/page/3/", id="in the path"),
        pytest.param(anchors(("Next", "/list-2.html")), "http://shop.test/list.html", "http://shop.test/list-2.html", id="in the file"),
        pytest.param(anchors(("Next", "?q=red&cursor=abc")), HERE, f"{HERE}&cursor=abc", id="a token"),
        pytest.param(anchors(("Eteenpäin siitä", "?q=red&page=2")), HERE, f"{HERE}&page=2", id="words that nobody knows"),
        pytest.param(anchors(("Load more", "?q=red&page=2")), HERE, f"{HERE}&page=2", id="load more"),
        pytest.param(anchors(("Older posts", "/page/2")), "http://shop.test/", "http://shop.test/page/2", id="older posts"),
        pytest.param('<div data-next-url="/search?q=red&amp;page=2"></div>', HERE, f"{HERE}&page=2", id="an attribute"),
        pytest.param('<script>var s = {"next_page_url": "\\/search?q=red&page=2"}</script>', HERE, f"{HERE}&page=2", id="a script"),
        pytest.param(anchors(("Next", "http://www.shop.test/search?q=red&page=2")), HERE, "http://www.shop.test/search?q=red&page=2", id="with www"),
    ],
)  # fmt: skip
def test_finds_the_next_page(html: str, url: str, wanted: str) -> None:
    found = find(html, url)
    assert found
    assert found.request == Request(wanted)


@pytest.mark.parametrize(
    ("html", "url"),
    [
        pytest.param(anchors(("Next: how to bake", "/articles/bake")), "http://shop.test/articles/cook", id="an article by its title"),
        pytest.param(anchors(("Next", "/articles/how-to-bake")), "http://shop.test/articles/cook", id="an article"),
        pytest.param(anchors(("Next", "/thesis/44")), "http://shop.test/thesis/29", id="another number that does not follow"),
        pytest.param('<link rel="next" href="/how-to-bake">', "http://shop.test/how-to-cook", id="an article in the head"),
        pytest.param('<link rel="next" href="/?p=1234">', "http://shop.test/?p=1200", id="an article by its number in the head"),
        pytest.param(anchors(("Next article", "?id=2")), "http://shop.test/a?id=1", id="says article"),
        pytest.param(anchors(("»", "/events/2016/04/")), "http://shop.test/events/2016/03/", id="the next month"),
        pytest.param(anchors(("Next month", "?month=4")), "http://shop.test/events?month=3", id="says month"),
        pytest.param(anchors(("12", "/2016/03/12"), ("13", "/2016/03/13")), "http://shop.test/2016/03/", id="days of a calendar"),
        pytest.param(anchors(("Previous", "?q=red&page=1"), ("1", "?q=red&page=1")), f"{HERE}&page=2", id="the last page"),
        pytest.param(anchors(("Last", "?q=red&page=9")), f"{HERE}&page=9", id="to the end"),
        pytest.param(anchors(("20", "?q=red&per_page=20"), ("50", "?q=red&per_page=50")), HERE, id="sizes of a page"),
        pytest.param(anchors(("20", "/links-per-page?nb=20"), ("50", "/links-per-page?nb=50"), ("100", "/links-per-page?nb=100")), HERE, id="sizes of a page that another page sets"),
        pytest.param(anchors(*((("weiter", f"/news/{n}-text.html")) for n in range(5))), "http://shop.test/news", id="teasers"),
        pytest.param(anchors(("Next", "http://other.test/search?q=red&page=2")), HERE, id="another site"),
        pytest.param(anchors(("5", "/cite/5"), ("a", "/a"), ("b", "/b"), ("c", "/c"), ("d", "/d"), ("6", "/cite/6")), "http://shop.test/cite", id="footnotes"),
        pytest.param(anchors(("Siitä", "?q=red&page=2"), ("Tuosta", "?q=red&start=2")), HERE, id="unknown words to two places"),
        pytest.param(anchors(("Hinta", "?q=red&sort=2")), HERE, id="another order"),
        pytest.param("<p>nothing</p>", HERE, id="no link"),
    ],
)  # fmt: skip
def test_finds_none(html: str, url: str) -> None:
    assert find(html, url) is None


def test_the_callers_number_counts_where_the_page_does_not_tell() -> None:
    html = anchors(("1", "?q=red&page=1"), ("2", "?q=red&page=2"), ("3", "?q=red&page=3"), ("4", "?q=red&page=4"))
    found = find(html, number=2)
    assert found
    assert found.request.url == f"{HERE}&page=4"
    assert find(html, number=3) is None


def test_a_button_that_says_next_among_words_counts_with_a_number_where_it_begins() -> None:
    """Of several such forms the first leads on; without a hidden number the button may begin a booking."""

    def form(value: str, *hidden: Field) -> Form:
        return Form(0, "GET", "http://shop.test/search", (Field("q", "hidden", value="red"), *hidden, Field("", "submit", value=value)))  # fmt: skip

    counted = form("Show Next ▶", Field("first", "hidden", value="100"))
    found = find_next(Page(HERE, forms=(form("Show Next ▶"), counted)), Request(HERE))
    assert found == NextPage(Request("http://shop.test/search?q=red&first=100"), "a form")


def test_a_post_form_with_a_button() -> None:
    fields = (
        Field("q", "hidden", value="red"),
        Field("page", "hidden", value="1"),
        Field("go", "submit", value="Next >"),
    )
    page = Page(HERE, forms=(Form(0, "POST", "http://shop.test/search", fields),))
    found = find_next(page, Request("http://shop.test/search", "POST", b"q=red"))
    assert found == NextPage(
        Request(
            "http://shop.test/search",
            "POST",
            b"q=red&page=1&go=Next+%3E",
            (("content-type", "application/x-www-form-urlencoded"),),
        ),
        "a form",
    )


@pytest.mark.parametrize(
    "fields",
    [
        pytest.param(
            (Field("user", "text", required=True), Field("go", "submit", value="Next")), id="something to fill in"
        ),
        pytest.param((Field("word", "password"), Field("go", "submit", value="Next")), id="a password"),
    ],
)
def test_a_form_in_steps_is_no_next_page(fields: tuple[Field, ...]) -> None:
    assert find_next(Page(HERE, forms=(Form(0, "POST", "http://shop.test/search", fields),)), Request(HERE)) is None


def test_a_grid_that_posts_back() -> None:
    html = (
        '<form method="post" action="/grid.aspx"><input type="hidden" name="__VIEWSTATE" value="s"></form>'
        "<a href=\"javascript:__doPostBack('g$1','Page$2')\">2</a>"
    )
    found = find(html, "http://shop.test/grid.aspx", number=0)
    assert found
    assert found.request.body == b"__VIEWSTATE=s&__EVENTTARGET=g%241&__EVENTARGUMENT=Page%242"


@given(
    st.lists(
        st.builds(Link, st.text(max_size=40).map(lambda text: f"http://shop.test/{text}"), st.text(max_size=20)),
        max_size=20,
    )
)
def test_any_links_give_an_address_of_the_page_or_none(links: list[Link]) -> None:
    found = find_next(Page(HERE, links=tuple(links)), Request(HERE))
    assert found is None or found.request.url.startswith("http://shop.test/")


def test_going_round_is_noticed() -> None:
    paging = PagingGuard()
    assert paging.judge(Request(f"{HERE}&page=1"), ["a", "b"]).yes
    assert paging.judge(Request(f"{HERE}&page=2"), ["c", "b"]).yes
    assert paging.judge(Request(f"{HERE}&page=3"), ["c", "b"]).reason == "the same records again"
    assert paging.judge(Request(f"{HERE}&page=2"), ["x", "y"]).reason == "the same address again"
    assert paging.judge(Request(f"{HERE}&page=9"), []).reason == "no records on this page"


def test_a_post_to_one_address_is_told_by_its_body() -> None:
    paging = PagingGuard()
    assert paging.judge(Request(HERE, "POST", b"page=1"), ["a"]).yes
    assert paging.judge(Request(HERE, "POST", b"page=2"), ["b"]).yes
    assert not paging.judge(Request(HERE, "POST", b"page=2"), ["c"]).yes


def test_memory_is_bounded() -> None:
    paging = PagingGuard(addresses={number.to_bytes(8, "big") for number in range(MAX_GUARDED_PAGES)})
    assert paging.judge(Request(HERE), ["a"]).reason == "more than 100,000 pages"


def test_numbered_links_give_a_rule() -> None:
    row = find_numbered_links([(2, "http://a.test/?s=10"), (3, "http://a.test/?s=20"), (4, "http://a.test/?s=30")])
    assert row
    assert (row.write(9), row.read("https://www.a.test/?s=50"), row.read("http://a.test/?s=55")) == (
        "http://a.test/?s=80",
        6,
        0,
    )


def test_numbers_without_a_rule_give_none() -> None:
    assert find_numbered_links([(2, "http://a.test/x7"), (3, "http://a.test/y9")]) is None


@pytest.mark.parametrize(
    ("here", "there", "near"),
    [
        ("/s?q=a", "/s?q=a&page=2", Relation.COUNTED),
        ("/s?q=a&page=3", "/s?q=a&page=2", Relation.BACKWARDS),
        ("/s?q=a", "/s?q=a&cursor=x", Relation.SAME_LIST),
        ("/s?q=a", "/s?q=a&colour=7", Relation.STEPS),
        ("/s?q=a&page=2", "/s?q=a", Relation.ELSEWHERE),
        ("/", "/?p=33216", Relation.SAME_LIST),
        ("/blog/", "/blog/page/2/", Relation.COUNTED),
        ("/blog/index.php", "/blog/?page=2", Relation.COUNTED),
        ("/f-3.html", "/f-4.html", Relation.STEPS),
        ("/thesis/29", "/thesis/44", Relation.ELSEWHERE),
        ("/a", "/a/b", Relation.BELOW),
        ("/a", "/b", Relation.ELSEWHERE),
        ("/hotel/x", "/list?pagina=2", Relation.SAME_LIST),
    ],
)
def test_relations(here: str, there: str, near: int) -> None:
    assert relate(f"http://a.test{here}", f"http://a.test{there}") == near


@pytest.mark.parametrize(
    ("url", "dated"),
    [
        ("http://a.test/2016/03/", True),
        ("http://a.test/2016/03/12", True),
        ("http://a.test/cal?month=4", True),
        ("http://a.test/2016/03/page/2/", False),
        ("http://a.test/s?page=2016", False),
    ],
)
def test_dates(url: str, dated: bool) -> None:
    assert is_dated(url) is dated


@given(st.text(max_size=40), st.text(max_size=40))
def test_any_addresses(one: str, two: str) -> None:
    assert Relation.BACKWARDS <= relate(f"http://a.test/{one}", f"http://a.test/{two}") <= Relation.COUNTED


def test_links_that_skip_pages_name_the_last_one() -> None:
    near = [("2", "?q=red&page=2"), ("3", "?q=red&page=3"), ("4", "?q=red&page=4")]
    found, skipping = find(anchors(*near), number=0), find(anchors(*near, ("153", "?q=red&page=153")), number=0)
    assert found
    assert skipping
    assert (found.pages, found.skips) == (4, False)
    assert (skipping.pages, skipping.skips) == (153, True)
    assert skipping.request == found.request


LISTED = "".join(f'<li><a href="/lamp/{n}">Lamp {n}</a></li>' for n in range(12))


@pytest.mark.parametrize(
    ("text", "url", "href"),
    [
        pytest.param("Show more", HERE, "?q=red&anzeigen=24", id="a word, and a parameter that counts what is shown"),
        pytest.param("Load more", HERE, "?q=red&ab=eyJpZCI6NDIsInQiOjE3fQ", id="a word, and a token"),
        pytest.param("További tételek", HERE, "?q=red&after=88412", id="words that nobody knows, and where to go on"),
        pytest.param("További tételek", HERE, "?q=red&k=9fQ2-zA81_xB", id="words that nobody knows, and a token"),
        pytest.param("További tételek", f"{HERE}&k=1bC9-aa77_Qx", "?q=red&k=9fQ2-zA81_xB", id="another token than here"),
        pytest.param("További tételek", f"{HERE}&limit=12", "?q=red&limit=24", id="a page that grows"),
        pytest.param("További tételek", f"{HERE}&limit=500", "?q=red&limit=512", id="a page that was to grow further than it did"),
    ],
)  # fmt: skip
def test_a_link_below_the_list_leads_on_by_what_it_asks(text: str, url: str, href: str) -> None:
    html = f"<p><a href='/'>Home</a></p><ul>{LISTED}</ul>{anchors((text, href))}"
    page = read_page(Response(url, 200, (("content-type", "text/html; charset=utf-8"),), html.encode()))
    found = find_next(page, Request(url), 12, 0, html, below=12)
    assert found
    assert found.request.url == f"http://shop.test/search{href}"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param("", (("Kék", "?q=red&colour=17"), ("Piros", "?q=red&colour=24")), id="choices of a filter"),
        pytest.param("", (("24", "?q=red&limit=24"), ("48", "?q=red&limit=48")), id="sizes of a page"),
        pytest.param("?q=red&limit=24", (), id="above the list"),
        pytest.param("", (("Ár szerint", "?q=red&sort=price-ascending"),), id="an order"),
        pytest.param("", (("Archívum", "?q=red&year=2020"),), id="a year"),
        pytest.param("", (("Kék", "?q=blue&limit=24"),), id="another query"),
    ],
)
def test_a_link_that_asks_for_something_else_leads_nowhere(before: str, after: tuple[tuple[str, str], ...]) -> None:
    above = anchors(("További tételek", before)) if before else ""
    html = f"{above}<p><a href='/'>Home</a></p><ul>{LISTED}</ul>{anchors(*after)}"
    page = read_page(Response(HERE, 200, (("content-type", "text/html; charset=utf-8"),), html.encode()))
    assert find_next(page, Request(HERE), 12, 0, html, below=12 + bool(before)) is None


def test_pages_that_show_again_what_stood_there_in_the_same_order() -> None:
    paging = PagingGuard()
    for number, keys in enumerate(("abc", "def", "gh")):
        assert paging.judge(Request(f"{HERE}&page={number}"), keys).yes
    assert [paging.has_shown(keys) for keys in ("gh", "abc", "cde", "h")] == [True] * 4
    assert [paging.has_shown(keys) for keys in ("hg", "ghi", "ad", "")] == [False] * 4
    assert [paging.count_repeated(keys) for keys in ("abcdefghij", "abcdefgh", "abxdefghij")] == [8, 0, 0]


@pytest.mark.parametrize(
    ("fields", "leads_on"),
    [((("do", "select"), ("id", "hidden")), False), ((("q", "hidden"), ("page", "hidden")), True)],
)
def test_an_arrow_beside_a_list_of_tools_leads_nowhere(fields: tuple[tuple[str, str], ...], leads_on: bool) -> None:
    own = tuple(Field(name, kind, value="2" if name == "page" else "jam") for name, kind in fields)
    form = Form(0, "GET", "http://a.example/find", (*own, Field("", "submit", value=">")))
    found = find_next_form([form], "http://a.example/find?q=jam", 1)
    assert (found is not None) is leads_on
