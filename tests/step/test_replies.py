"""Replies side by side: which of what differs are the records, and whether they come from a database."""

from __future__ import annotations

import pytest

from dowse.model import Link, Page, Record, Response, Value
from dowse.page import read_page
from dowse.page.document import Document
from dowse.step.replies import (
    EMPTY,
    NONSENSE,
    WORD,
    AnswerEvidence,
    Reply,
    ReplyFindings,
    are_site_pages,
    compare_replies,
    judge_kind,
)

MENU = '<ul><li><a href="/">Home page of it</a><li><a href="/a">All about us here</a><li><a href="/c">Write to us today</a></ul>'
NOTHING = f"<html><body>{MENU}<div><p>Nothing was found.</p></div></body></html>"
NAMES = ("Anna", "Boris", "Clara", "Dora", "Emil", "Fritz", "Gerda", "Hans", "Ida", "Jakob")


def answer(results: str, extra: str = "") -> str:
    return f"<html><body>{MENU}<div><p>Results 1-{len(NAMES)} of 57</p>{results}</div>{extra}</body></html>"


def reply(asked: str, words: str, html: str) -> Reply:
    response = Response("http://e.com/find", 200, (), html.encode())
    return Reply(asked, words, read_page(response), Document(response).nodes)


def records_in(html: str, other: str = NOTHING) -> ReplyFindings:
    return compare_replies([reply(EMPTY, "", html), reply(NONSENSE, "bafigo", other)])[0]


TABLE = "<table><tr><th>Name</th><th>Year</th></tr>{}</table>".format(
    "".join(f'<tr><td><a href="/r/{n}">{name}</a></td><td>{1990 + n}</td></tr>' for n, name in enumerate(NAMES))
)
DIVS = "".join(
    f'<div><img src=x><h3><a href="/r/{n}">{name}</a></h3><p><b>Year:</b> {1990 + n}</p><a href="/by/{n}">by {n}</a></div>'
    for n, name in enumerate(NAMES)
)
FLAT = "".join(
    f'<h3><a href="/r/{n}">{name}</a></h3><p>Born in {1990 + n}, somewhere</p>' for n, name in enumerate(NAMES)
)
TERMS = "<dl>{}</dl>".format(
    "".join(f"<dt>{name}<dd>Year: {1990 + n}<dd>Town: {name}ville<dd>Trade: {n}" for n, name in enumerate(NAMES))
)
BREAKS = "<p>{}</p>".format(
    "".join(f'<a href="/r/{n}">{name}</a> of {name}town, {n}<br>' for n, name in enumerate(NAMES))
)
PLAIN = "<ol>{}</ol>".format("".join(f"<li>{name} of {name}town" for name in NAMES))
TABLES = "".join(f"<table><tr><td>Name<td>{name}<tr><td>Year<td>{1990 + n}</table>" for n, name in enumerate(NAMES))
GRID = "<table>{}</table>".format(
    "".join(
        "<tr>{}</tr>".format("".join(f"<td><b>{name}</b><i>{name}town</i></td>" for name in NAMES[at : at + 5]))
        for at in (0, 5)
    )
)
ADVERTS = DIVS.replace("<div>", "<div><b>Advertisement</b></div><div>", 2)


@pytest.mark.parametrize(
    "results",
    [TABLE, DIVS, FLAT, TERMS, BREAKS, PLAIN, TABLES, GRID, ADVERTS],
    ids=["table", "divs", "flat", "terms", "breaks", "plain", "a table each", "grid", "adverts between"],
)
def test_records_are_counted(results: str) -> None:
    assert len(records_in(answer(results)).records) == len(NAMES)


def test_facets_and_numbers_of_pages_say_less_than_records() -> None:
    facets = "<ul>{}</ul>".format("".join(f'<li><a href="/f/{n}">f{n}</a>' for n in range(30)))
    pages = "".join(f'<a href="/p/{n}">{n}</a> ' for n in range(2, 20))
    assert len(records_in(answer(DIVS, facets + pages)).records) == len(NAMES)


def test_an_answer_without_records() -> None:
    assert not records_in(NOTHING, answer(DIVS)).is_hit
    assert not records_in(NOTHING, NOTHING).is_hit


def test_what_stays_the_same_is_no_answer() -> None:
    found = compare_replies([reply(WORD, "tea", answer(DIVS)), reply(WORD, "coffee", answer(DIVS))])
    assert not any(each.records for each in found)


def test_help_on_the_page_of_the_form_is_no_list_of_everything() -> None:
    helps = "<dl>{}</dl>".format("".join(f"<dt>{name}<dd>{name} finds texts with {n}" for n, name in enumerate(NAMES)))
    form = reply(EMPTY, "", answer(helps)).page
    replies = [reply(EMPTY, "", answer(helps)), reply(NONSENSE, "bafigo", NOTHING)]
    assert not compare_replies(replies, page=form)[0].records
    assert compare_replies(replies, page=Page("http://e.com/"))[0].records
    # a word that brings things of the same kind shows that they are records
    asked = reply(WORD, "Anna", answer("<dl><dt>Anna<dd>Anna finds texts with 0<dt>Ann<dd>Ann finds Anna</dl>"))
    assert len(compare_replies([*replies, asked], page=form)[0].records) == len(NAMES)


def test_nothing_of_all_there_are() -> None:
    none = answer("").replace("Results 1-10 of 57", "0 results (57 total)")
    assert not compare_replies([reply(WORD, "tea", none), reply(EMPTY, "", answer(DIVS))])[0].is_hit


def test_the_count_and_the_links_of_records() -> None:
    found = records_in(answer(DIVS))
    assert found.count is not None
    assert found.count.number == 57
    assert {link.url for link in found.links} == {f"http://e.com/r/{n}" for n in range(10)}


@pytest.mark.parametrize("results", [DIVS, TABLES], ids=["divs", "a table each"])
def test_values_by_their_labels(results: str) -> None:
    assert records_in(answer(results)).values_under("Year of birth") == [str(1990 + n) for n in range(10)]


def test_bounded_on_a_hostile_page() -> None:
    deep = "<div>" * 3000 + "x" + "<b>y</b>" * 30_000
    assert len(records_in(deep).records) >= 0


LINKS = tuple(
    Link(f"http://e.com/{name}", f"Page about {n}") for n, name in enumerate(("news", "help/a", "x.html", "z/y/w"), 1)
)
TITLES = tuple(Record((Value("title", link.text),), link.url, link.url) for link in LINKS)
ROWS = tuple(
    Record(tuple(Value(name, f"{name} {n}") for name in ("Make", "Year", "Price", "Town")), str(n)) for n in range(10)
)
ASKED = Reply(WORD, "tea", Page("http://e.com/"))


def test_records_with_the_same_attributes() -> None:
    links = tuple(Link(f"http://e.com/r/{n}", f"Make {n}") for n in range(1, 11))
    kind, reasons = judge_kind(AnswerEvidence(ReplyFindings(ASKED, ROWS, links=links), listed=500))
    assert kind == "database"
    assert "each record has the same 4 attributes" in reasons
    assert "lists 500 records when nothing is asked" in reasons


def test_titles_of_pages_that_the_site_links_to() -> None:
    kind, reasons = judge_kind(AnswerEvidence(ReplyFindings(ASKED, TITLES, links=LINKS), known=LINKS[:2]))
    assert kind == "site-search"
    assert "its results are pages that the site links to by the same title" in reasons


def test_the_word_marked_in_snippets() -> None:
    html = "<ul>{}</ul>".format("".join(f"<li><a href=/{n}>T{n}</a> some words of <b>Tea</b>" for n in range(4)))
    found = ReplyFindings(reply(WORD, "tea", html), TITLES, links=LINKS)
    assert "the word that was asked for is marked in the results" in judge_kind(AnswerEvidence(found))[1]


def test_what_does_not_tell() -> None:
    assert judge_kind(AnswerEvidence(ReplyFindings(ASKED))) == ("", ())


SITE_PAGES = ["/about", "/news/2024/fire", "/roads/map", "/help/forms/tax", "/jobs/list"]
BOOK_PAGES = [f"/book/{n}" for n in range(5)]


@pytest.mark.parametrize(
    ("paths", "values", "is_so"),
    [
        (SITE_PAGES, 1, True),
        (SITE_PAGES, 2, True),
        (SITE_PAGES, 3, False),
        (BOOK_PAGES, 1, False),
        ([f"/list/{n}/item" for n in range(5)], 1, False),
        ([""] * 5, 1, False),
        (SITE_PAGES[:2], 1, False),
        ([], 1, False),
    ],
    ids=["titles", "titles with texts", "attributes", "one folder", "numbers", "no pages of their own", "two", "none"],
)
def test_records_that_are_pages_of_a_site(paths: list[str], values: int, is_so: bool) -> None:
    texts = tuple(Value(f"a{n}", "text") for n in range(values))
    assert are_site_pages([Record(texts, "", path and f"http://e.com{path}") for path in paths]) is is_so
