"""A few polite questions, to small servers of our own and to the simulated web."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from urllib.parse import parse_qsl, urlsplit

import pytest

from dowse.form.doors import open_door
from dowse.model import Door, Failure, Field, Form, Judgement, Link, Page, Probe, Response, Verdict
from dowse.page import read_page
from dowse.reasons import FailureReason
from dowse.records.counts import Count
from dowse.step.probe import (
    FOR_DATABASES,
    MOST_DOORS,
    MOST_REQUESTS,
    best_door,
    choose_door,
    judge_again,
    probe,
    probe_doors,
)
from dowse.step.replies import WORD, Reply, ReplyFindings
from dowse.step.visit import Inspection
from tests.webs import HTML, web

MENU = '<ul><li><a href="/">Entrance</a><li><a href="/gardens">Old gardens of the town</a><li><a href="/roads">Roads of the old town</a></ul>'
FORM = '<form action="/find"><label>Keywords <input name="q"></label><button>Search the catalogue</button></form>'
ROOT = f'<html lang="en"><body>{MENU}{FORM}</body></html>'
WORDS = ("River", "Stone", "Garden", "Night", "Winter", "Sea", "House", "Lamp", "Road", "Green")
RECORDS = [(f"The {WORDS[n % 10]} {WORDS[n // 10 % 10]}", 1950 + n % 70, f"Author {n % 7}") for n in range(100)]

Find = Callable[[str], list[tuple[str, int, str]]]


def show(found: list[tuple[str, int, str]], size: int = 10, count: str = "Results 1-{} of {}") -> str:
    if not found:
        return f'<html lang="en"><body>{MENU}<p>No books were found.</p></body></html>'
    rows = "".join(
        f'<tr><td><a href="/book/{n}">{title}</a><td>{year}<td>{author}'
        for n, (title, year, author) in enumerate(found[:size])
    )
    line = count.format(min(size, len(found)), len(found))
    pages = '<a href="/find?q=&amp;start=10">2</a>' if len(found) > size else ""
    return f'<html lang="en"><body>{MENU}<p>{line}</p><table>{rows}</table>{pages}</body></html>'


def by_words(query: str) -> list[tuple[str, int, str]]:
    return [each for each in RECORDS if query.lower() in f"{each[0]} {each[1]} {each[2]}".lower().split() or not query]


def by_whole_title(query: str) -> list[tuple[str, int, str]]:
    return [each for each in RECORDS if not query or each[0] == query]


def asked_word(url: str) -> str:
    return dict(parse_qsl(urlsplit(url).query)).get("q", "")


def door(html: str = ROOT) -> tuple[Door, Page]:
    page = read_page(Response("http://e.com/", 200, HTML, html.encode()))
    return replace(open_door(page.forms[0], page), judgement=Judgement("database", 0.6)), page


def ask(answer: Callable[[str], object], asked: list[str] | None = None, html: str = ROOT) -> Probe:
    opened, page = door(html)
    return asyncio.run(probe(opened, web(answer, asked), page))  # type: ignore[arg-type]


def test_a_database_that_lists_all_and_finds_words() -> None:
    asked: list[str] = []
    said = ask(lambda url: show(by_words(asked_word(url))), asked)
    assert (said.answers, said.kind, said.page_size, said.total, said.match) == (True, "database", 10, 100, "words")
    assert said.count_line == "Results 1-10 of 100"
    assert said.requests == len(asked) <= MOST_REQUESTS
    assert any(reason.startswith("nothing for the made-up word") for reason in said.reasons)


def test_whole_values_only() -> None:
    said = ask(lambda url: show(by_whole_title(asked_word(url))))
    assert (said.answers, said.match) == (True, "exact")


def test_a_database_that_wants_a_word() -> None:
    said = ask(lambda url: show(by_words(asked_word(url)) if asked_word(url) else []))
    assert (said.answers, said.kind, said.total) == (
        True,
        "database",
        100,
    )  # all titles begin with the word that was tried


def test_a_limit() -> None:
    count = "Results 1-{} of {}. Only the first 50 are shown."
    assert ask(lambda url: show(by_words(asked_word(url)), count=count)).limit == 50


def test_no_count_line() -> None:
    said = ask(lambda url: show(by_words(asked_word(url)), count="Here they are"))
    assert (said.answers, said.page_size, said.total) == (True, 10, None)


def test_a_search_of_the_sites_own_pages() -> None:
    pages = {"/gardens": "Old gardens of the town", "/roads": "Roads of the old town", "/n/x.html": "News of the town"}

    def answer(url: str) -> str:
        word = asked_word(url).lower()
        found = [f'<li><a href="{path}">{title}</a>' for path, title in pages.items() if word and word in title.lower()]
        results = f"<ol>{''.join(found)}</ol>" if found else "<p>No pages were found.</p>"
        return f'<html lang="en"><body>{MENU}<div>{results}</div></body></html>'

    said = ask(answer)
    assert (said.answers, said.kind, said.total) == (True, "site-search", None)


@pytest.mark.parametrize(
    ("action", "kind"), [("/", ""), ("/find", "site-search")], ids=["the page answers itself", "another page answers"]
)
def test_links_on_a_page_that_answers_itself_say_nothing(action: str, kind: str) -> None:
    """A list of bookmarks with a box over it: what it finds is linked from there, as records are."""
    titles = [f"{WORDS[n % 10]} {WORDS[n // 10]}" for n in range(40)]

    def listed(word: str) -> str:
        links = [
            f'<li><a href="/{title.replace(" ", "/")}/x{n}">{title}</a> on {WORDS[n % 7]} and more'
            for n, title in enumerate(titles)
        ]
        shown = "".join(each for each in links if word in each.lower().split(">")[2].split("<")[0].split() or not word)
        form = FORM.replace("/find", action)
        return f'<html lang="en"><body>{form}<ul>{shown}</ul>{"" if shown else "<p>Nothing found.</p>"}</body></html>'

    assert ask(lambda url: listed(asked_word(url).lower()), html=listed("")).kind == kind


def test_the_same_answer_whatever_is_asked() -> None:
    asked: list[str] = []
    said = ask(lambda url: show(RECORDS), asked)
    assert not said.answers
    assert len(asked) <= MOST_REQUESTS


def test_only_choices() -> None:
    html = ROOT.replace(
        '<input name="q">',
        '<select name="q"><option value="">any<option value="river">River<option value="stone">Stone</select>',
    )
    said = ask(lambda url: show(by_words(asked_word(url)) if asked_word(url) else []), html=html)
    assert (said.answers, said.kind, said.match) == (True, "database", "")


@pytest.mark.parametrize(
    ("failure", "requests", "told"),
    [
        (Failure("http://e.com/find", FailureReason.ROBOTS), 0, "robots.txt forbids it"),
        (Failure("http://e.com/find", FailureReason.TIMEOUT), 2, "timed out"),
        (Response("http://e.com/find", 500, HTML, b"oops"), 2, "HTTP 500"),
        (Response("http://e.com/find", 302, (("location", "http://f.com/"),)), 2, "leads to another site"),
    ],
    ids=["robots", "silence", "error", "elsewhere"],
)  # fmt: skip
def test_a_door_that_cannot_be_asked_is_left_alone(failure: Failure | Response, requests: int, told: str) -> None:
    asked: list[str] = []
    said = ask(lambda url: failure, asked)
    assert not said.answers
    assert said.requests == requests
    assert len(asked) <= 2
    assert any(told in reason for reason in said.reasons)


def test_what_may_not_be_asked_costs_nothing() -> None:
    asked: list[str] = []
    opened, page = door(ROOT.replace("<form", "<form method=post"))
    said = asyncio.run(probe(opened, web({}, asked), page))
    assert (said.answers, said.requests, asked) == (False, 0, [])
    assert said.reasons == ("not asked: sends with POST, and only GET is allowed",)


def test_a_page_that_is_not_found_is_an_empty_answer() -> None:
    def answer(url: str) -> Response | str:
        found = by_words(asked_word(url))
        return show(found) if found else Response(url, 404, HTML, show([]).encode())

    assert ask(answer).answers


@pytest.mark.parametrize(
    "body",
    [b"", b"\x00" * 5000, b"<div>" * 20_000, b"<table>" + b"<tr><td>x" * 20_000],
    ids=["none", "zeros", "deep", "long"],
)
def test_hostile_answers(body: bytes) -> None:
    said = ask(lambda url: Response(url, 200, HTML, body))
    assert said.requests <= MOST_REQUESTS


def test_only_some_doors_of_a_site_and_only_those_that_may_be_asked() -> None:
    opened, page = door()
    login = replace(opened, judgement=Judgement("login", 0.9))
    doors = [login, *(replace(opened, signature=str(n)) for n in range(MOST_DOORS + 2))]
    asked: list[str] = []
    found = asyncio.run(probe_doors(doors, web(lambda url: show(by_words(asked_word(url))), asked), page))
    assert [door.probe is not None for door in found] == [False] + [True] * MOST_DOORS + [False] * 2
    assert len(asked) <= MOST_DOORS * MOST_REQUESTS


def test_databases_come_before_searches_of_a_sites_pages_and_have_doors_of_their_own() -> None:
    opened, page = door()
    of_pages = replace(opened, judgement=Judgement("site-search", 0.9))
    doors = [replace(of_pages, signature=f"{n}") for n in range(MOST_DOORS)] + [opened, opened]
    fetch = web(lambda url: show(by_words(asked_word(url))))
    found = asyncio.run(probe_doors(doors, fetch, page))
    assert [door.probe is not None for door in found[-2:]] == [True, True]
    assert sum(door.probe is not None for door in found[:-2]) == MOST_DOORS - FOR_DATABASES - 2
    assert not any(door.probe for door in asyncio.run(probe_doors(doors[:3], fetch, page, FOR_DATABASES)))


def test_clear_answers_decide_between_a_database_and_a_site_search() -> None:
    opened, _ = door()
    said = Probe(True, "site-search", requests=3, reasons=("titles",))
    changed = judge_again(replace(opened, probe=said))
    assert (changed.judgement.kind, changed.judgement.reasons) == ("site-search", ("asked: titles",))
    for other in (Probe(True, ""), Probe(False, "site-search"), Probe(True, "database")):
        assert judge_again(replace(opened, probe=other)).judgement == opened.judgement


def test_the_best_door() -> None:
    opened, _ = door()
    kinds = [("login", 0.99), ("site-search", 0.9), ("database", 0.6), ("database", 0.7)]
    doors = [replace(opened, judgement=Judgement(*kind)) for kind in kinds]
    assert best_door(doors) == doors[3]
    assert best_door(doors[:1]) is None
    assert best_door([Door(Form(0, "GET", "javascript:x"), Judgement("database", 1.0))]) is None


def test_the_form_that_asks_goes_before_one_that_sorts_or_gives_a_file() -> None:
    box = Field("q", "search")
    ask = Door(Form(0, "GET", "http://e.com/find", (box,)), Judgement("database", 0.91))
    sort = Door(
        Form(
            1, "GET", "http://e.com/list", (Field("sort", "select", value="a"), Field("status", "hidden", value="open"))
        ),
        Judgement("database", 0.99),
    )
    export = Door(
        Form(2, "GET", "http://e.com/data", (box, Field("go", "submit", value="Export as CSV"))),
        Judgement("database", 0.99),
    )
    pages = Door(Form(3, "GET", "http://e.com/pages", (box,)), Judgement("site-search", 0.95))
    assert best_door([sort, export, ask, pages]) == ask
    assert best_door([sort, pages]) == pages
    assert best_door([sort]) == sort


@pytest.mark.parametrize(
    ("count", "shown"),
    [(Count(1), 1), (Count(3, exact=False), 4), (Count(9), 4), (None, 4)],
    ids=["one record with four links", "about three", "more on other pages", "no count"],
)
def test_no_more_records_are_shown_than_there_are(count: Count | None, shown: int) -> None:
    links = tuple(Link(f"http://e.com/{number}") for number in range(4))
    reply = Reply(WORD, "maps", Page("http://e.com/"))
    assert ReplyFindings(reply, (), count, links).shown == shown


def test_a_form_that_is_named_is_asked_though_it_looks_like_no_search() -> None:
    html = "<form>Genre <select name=genre><option value=''>All<option>Crime<option>Love</select><button>OK</button></form>"
    page = read_page(Response("http://e.com/films", 200, HTML, html.encode()))
    seen = Inspection(
        page, (replace(open_door(page.forms[0], page), judgement=Judgement("other", 0.9), conditions=()),)
    )
    assert isinstance(choose_door(seen), Verdict)
    door = choose_door(seen, number=0)
    assert isinstance(door, Door)
    assert (door.judgement.kind, [condition.fields for condition in door.conditions]) == ("database", [("genre",)])
