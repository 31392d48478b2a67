"""What a site says about a search form: its links, its other forms, its addresses; and how that changes a judgement."""

from __future__ import annotations

from dataclasses import replace

import pytest

from dowse.form.around import LISTED, MAX_NOTED_PAGES, MIN_NOTED_PAGES, SiteNotes
from dowse.form.judge import LEANING, PAGES, Models, judge_again, judge_form, load_models
from dowse.learn.linear import Softmax
from dowse.model import Door, Judgement, Page, Probe, Response
from dowse.page import read_page

HOME = "http://a.example"
LISTING = ("/cars?page=2", "/a", "/b")
BOX = '<form action="/cars"><input name="q"><button>Search</button></form>'


def make_page(path: str = "/", *links: str, html: str = BOX) -> Page:
    anchors = "".join(f'<a href="{link}">x</a>' for link in links)
    return read_page(Response(HOME + path, 200, (), (html + anchors).encode()))


def note(*pages: Page) -> SiteNotes:
    notes = SiteNotes()
    for page in pages:
        notes.note(page)
    return notes


@pytest.mark.parametrize(
    ("links", "listed"),
    [
        (["/cars?sort=year", "/a", "/b"], True),
        (["/cars?make=audi&page=2", "/a", "/b"], True),
        (["/cars?make=audi", "/a", "/b"], False),
        (["/films?sort=year", "/a", "/b"], False),
        (["/cars?sort=year", "/cars?edit=1", "/cars?help", "/a"], False),
    ],
    ids=["orders", "further pages", "a single link", "of another address", "one script shows the whole site"],
)
def test_links_say_what_is_behind_a_form(links: list[str], listed: bool) -> None:
    page = make_page("/", *links)
    assert (LISTED in note(page).facts_of(page.forms[0])) == listed


def test_so_many_pages_are_noted_and_no_more() -> None:
    notes = note(*[make_page(f"/{number}") for number in range(MAX_NOTED_PAGES + 5)])
    assert len(notes.pages) == MAX_NOTED_PAGES


NOTHING = Softmax(("database", "site-search"), (0, 0), {})
SITE = Softmax(
    ("database", "site-search"),
    (0, 0),
    {LEANING: (50, -50), PAGES: (0, 0), LISTED: (300, -300)},
)  # fmt: skip
MODELS = Models(NOTHING, NOTHING, NOTHING, SITE)


def judge(leaning: float | None, *links: str, pages: int = MIN_NOTED_PAGES, probe: Probe | None = None) -> Judgement:
    page = make_page("/", *links)
    kind = "database" if (leaning or 0) > 0 else "site-search"
    door = Door(page.forms[0], Judgement(kind, 0.6, ("as the page says",), leaning), page=page.url, probe=probe)
    return judge_again(door, note(page, *[make_page("/2")] * (pages - 1)), MODELS).judgement


def test_a_site_may_change_a_judgement_and_says_why() -> None:
    again = judge(-1.0, *LISTING)
    assert again.kind == "database"
    assert again.reasons == (LISTED,)
    assert judge(-1.0, "/films").kind == "site-search"


def test_what_is_confirmed_keeps_its_reasons() -> None:
    again = judge(1.0, *LISTING)
    assert again.kind == "database"
    assert again.reasons == (LISTED, "as the page says")


def test_the_part_that_is_no_matter_of_the_site_stays() -> None:
    """A form that is hardly a search is not made one by its site."""
    assert judge(2.0, *LISTING).probability < 0.75


@pytest.mark.parametrize(
    ("leaning", "pages", "probe"),
    [(None, MIN_NOTED_PAGES, None), (-1.0, MIN_NOTED_PAGES - 1, None), (-1.0, MIN_NOTED_PAGES, Probe(True, "site-search"))],
    ids=["no search that models judged", "too few pages", "it answered itself"],
)  # fmt: skip
def test_some_judgements_stand(leaning: float | None, pages: int, probe: Probe | None) -> None:
    assert judge(leaning, *LISTING, pages=pages, probe=probe) == Judgement(
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
