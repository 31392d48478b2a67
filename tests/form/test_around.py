"""What a site says about a search form: its links, its other forms, its addresses; and how that changes a judgement."""

from __future__ import annotations

from dataclasses import replace

import pytest

from dowse.form.around import MAX_NOTED_PAGES, MIN_NOTED_PAGES, SiteNotes
from dowse.form.judge import LEANING, PAGES, Models, judge_again, judge_form, load_models
from dowse.learn.linear import Softmax
from dowse.model import Door, Judgement, Page, Probe, Response, SeenOnSite
from dowse.page import read_page

HOME = "http://a.example"
BOX = '<form action="/cars"><input name="q"><button>Search</button></form>'


def make_page(path: str = "/", *links: str, html: str = BOX) -> Page:
    anchors = "".join(f'<a href="{link}">x</a>' for link in links)
    return read_page(Response(HOME + path, 200, (), (html + anchors).encode()), SeenOnSite())


def note(*pages: Page) -> SiteNotes:
    notes = SiteNotes()
    for page in pages:
        notes.note(page)
    return notes


def facts(*links: str, html: str = "", standing: int = 2) -> set[str]:
    pages = [make_page("/", *links), make_page("/more", html=html)]
    return set(note(*pages).facts_of(pages[0].forms[0], standing))


@pytest.mark.parametrize(
    ("links", "fact"),
    [
        ([f"/cars?make={n}" for n in range(10)], "many links ask its address"),
        (["/cars", "/films?q=1"], "no link asks its address"),
        (["/cars?sort=year"], "links put its answers in order"),
        (["/cars?make=audi&page=2"], "links page through its answers"),
        ([f"/cars/{n}" for n in range(10)], "many things have addresses below its own"),
        (["/blog/1", "/blog/2"], "stands on most pages of a site of writing"),
    ],
    ids=["facets", "none", "orders", "further pages", "records", "posts"],
)
def test_links_say_what_is_behind_a_form(links: list[str], fact: str) -> None:
    assert fact in facts(*links)
    assert fact not in facts(*[link.replace("cars", "cats").replace("blog", "cats") for link in links], "/cars?x=1")


def test_a_fuller_form_asks_the_same() -> None:
    full = '<form action="/cars">' + "".join(f'<input name="{name}">' for name in "abc") + "</form>"
    assert "a fuller form asks its address" in facts(html=full)
    assert "a fuller form asks its address" not in facts(html=full.replace("/cars", "/films"))


def test_what_sort_of_site_it_is_counts_for_forms_on_most_pages() -> None:
    assert "stands on most pages" not in facts("/blog/1", standing=1)
    assert "stands on most pages of a site of writing" not in facts("/blog/1", standing=1)


def test_pages_that_have_a_form_are_found() -> None:
    pages = [
        make_page("/"),
        make_page("/2"),
        make_page("/3", html="<p>No form"),
        make_page("/4", html=BOX.replace("q", "w")),
    ]
    notes = note(*pages)
    assert notes.find_pages(pages[0].forms[0], pages[0].url) == [0, 1]
    assert notes.find_pages(pages[3].forms[0], pages[3].url) == [3]
    assert notes.find_pages(pages[0].forms[0], HOME + "/not-noted") == []
    assert note(*pages[:3]).find_pages(pages[0].forms[0], pages[0].url) == []


def test_so_many_pages_are_noted_and_no_more() -> None:
    notes = note(*[make_page(f"/{number}") for number in range(MAX_NOTED_PAGES + 5)])
    assert len(notes.pages) == MAX_NOTED_PAGES


NOTHING = Softmax(("database", "site-search"), (0, 0), {})
SITE = Softmax(
    ("database", "site-search"),
    (0, 0),
    {LEANING: (50, -50), PAGES: (0, 0), "no link asks its address": (-200, 200), "links page through its answers": (300, -300)},
)  # fmt: skip
MODELS = Models(NOTHING, NOTHING, NOTHING, SITE)


def judge(leaning: float | None, *links: str, pages: int = MIN_NOTED_PAGES, probe: Probe | None = None) -> Judgement:
    page = make_page("/", *links)
    kind = "database" if (leaning or 0) > 0 else "site-search"
    door = Door(page.forms[0], Judgement(kind, 0.6, ("as the page says",), leaning), page=page.url, probe=probe)
    return judge_again(door, note(page, *[make_page("/2")] * (pages - 1)), MODELS).judgement


def test_a_site_may_change_a_judgement_and_says_why() -> None:
    again = judge(-1.0, "/cars?page=2")
    assert again.kind == "database"
    assert again.reasons == ("links page through its answers",)
    assert judge(1.0, "/films").reasons == ("no link asks its address",)
    assert judge(1.0, "/films").kind == "site-search"


def test_what_is_confirmed_keeps_its_reasons() -> None:
    again = judge(1.0, "/cars?page=2")
    assert again.kind == "database"
    assert again.reasons == ("links page through its answers", "as the page says")


def test_the_part_that_is_no_matter_of_the_site_stays() -> None:
    """A form that is hardly a search is not made one by its site."""
    assert judge(2.0, "/cars?page=2").probability < 0.75


@pytest.mark.parametrize(
    ("leaning", "pages", "probe"),
    [(None, MIN_NOTED_PAGES, None), (-1.0, MIN_NOTED_PAGES - 1, None), (-1.0, MIN_NOTED_PAGES, Probe(True, "site-search"))],
    ids=["no search that models judged", "too few pages", "it answered itself"],
)  # fmt: skip
def test_some_judgements_stand(leaning: float | None, pages: int, probe: Probe | None) -> None:
    assert judge(leaning, "/cars?page=2", pages=pages, probe=probe) == Judgement(
        "site-search", 0.6, ("as the page says",), leaning
    )


def test_the_models_that_come_with_dowse_know_sites() -> None:
    assert {LEANING, PAGES} <= load_models().site.weights.keys()
    page = make_page("/")
    said = judge_form(page.forms[0], page)
    assert said.searchable
    assert said.leaning is not None
    door = Door(page.forms[0], replace(said), page=page.url)
    lists = [
        page,
        *(make_page(f"/cars?page={n}", *[f"/cars/{m}" for m in range(20)], "/cars?sort=year") for n in range(6)),
    ]
    assert judge_again(door, note(*lists)).judgement.kind == "database"
