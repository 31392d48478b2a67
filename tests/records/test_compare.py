"""Two answers side by side: which of what differs are the records."""

from __future__ import annotations

import pytest

from dowse.model import Block, Link, Response
from dowse.page import read_page
from dowse.page.document import Document
from dowse.records.compare import (
    AnswerEvidence,
    Items,
    block_keys,
    count_attributes,
    find_common,
    find_differing_lines,
    find_item_links,
    find_items,
    find_labels,
    find_pairs,
    find_part,
    find_words,
    judge_kind,
    make_nonsense,
    stop_words,
    values_under,
)

MENU = '<ul><li><a href="/">Home page of it</a><li><a href="/a">All about us here</a><li><a href="/c">Write to us today</a></ul>'
EMPTY = f"<html><body>{MENU}<div><p>Nothing was found.</p></div></body></html>"
NAMES = ("Anna", "Boris", "Clara", "Dora", "Emil", "Fritz", "Gerda", "Hans", "Ida", "Jakob")


def answer(results: str, extra: str = "") -> str:
    return f"<html><body>{MENU}<div><p>Results 1-{len(NAMES)} of 57</p>{results}</div>{extra}</body></html>"


def items_in(html: str, other: str = EMPTY) -> Items:
    return find_items(Document(Response("http://e.com/", 200, (), html.encode())).blocks, keys(other))


def keys(html: str) -> frozenset[str]:
    return block_keys(Document(Response("http://e.com/", 200, (), html.encode())).blocks)


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
    assert items_in(answer(results)).size == len(NAMES)


def test_facets_and_numbers_of_pages_say_less_than_records() -> None:
    facets = "<ul>{}</ul>".format("".join(f'<li><a href="/f/{n}">f{n}</a>' for n in range(30)))
    pages = "".join(f'<a href="/p/{n}">{n}</a> ' for n in range(2, 20))
    assert items_in(answer(DIVS, facets + pages)).size == len(NAMES)


def test_menus_fall_away_where_results_repeat_their_words() -> None:
    results = '<ol><li><a href="/a">All about us here</a><li><a href="/c">Write to us today</a><li><a href="/x">Something of use</a></ol>'
    assert items_in(answer(results)).size == 3


def test_an_answer_without_records() -> None:
    assert items_in(EMPTY, answer(DIVS)).size < 3
    assert items_in(EMPTY, EMPTY).size == 0


def test_lines_beside_the_records() -> None:
    html = answer(DIVS, "<p>Sorted by <b>name</b></p>")
    blocks = Document(Response("http://e.com/", 200, (), html.encode())).blocks
    assert find_differing_lines(blocks, items_in(html), keys(EMPTY)) == ["Results 1-10 of 57", "Sorted by name"]


def test_links_of_records() -> None:
    html = answer(DIVS)
    links = read_page(Response("http://e.com/", 200, (), html.encode())).links
    found = find_item_links(links, items_in(html))
    assert {link.url for link in found} == {f"http://e.com/{part}/{n}" for n in range(10) for part in ("r", "by")}


def test_names_within_a_text() -> None:
    assert find_pairs("(Year: 1999; Colour: red; Make: Ford)") == [
        ("Year", "1999"),
        ("Colour", "red"),
        ("Make", "Ford"),
    ]
    assert find_pairs("War and peace: a novel") == []


@pytest.mark.parametrize("results", [DIVS, TABLES], ids=["divs", "a table each"])
def test_attributes_by_their_labels(results: str) -> None:
    items = items_in(answer(results))
    assert any(label.startswith("Year") for label in find_labels(items))
    assert [value.strip() for value in values_under(items, "Year of birth")] == [str(1990 + n) for n in range(10)]
    assert count_attributes(items) >= 2


def test_bounded_on_a_hostile_page() -> None:
    deep = "<div>" * 3000 + "x" + "<b>y</b>" * 30_000
    assert items_in(deep).size >= 0


def test_nonsense_is_spoken_and_the_same_for_the_same_door() -> None:
    word = make_nonsense("one")
    assert word == make_nonsense("one") != make_nonsense("two")
    assert len(word) == 10
    assert all(letter in "aeiou" for letter in word[1::2])
    assert not any(letter in "aeiou" for letter in word[::2])


def test_words_of_scripts_without_blanks_are_parted_where_the_script_changes() -> None:
    assert list(find_words("論文の夕べ、ホームページ and a Catalogue 1998")) == [
        "論文",
        "ホームページ",
        "and",
        "Catalogue",
    ]


def test_a_part_of_most_values() -> None:
    values = ["Blue Harbour", "Red Harbour", "Harbour", "Green House"]
    assert find_part(values) == ("Harbour", "Blue Harbour")
    assert find_part(values, without=["harbour"])[0] != "Harbour"
    assert find_part(["Ford", "Opel"]) == ("", "")
    assert find_part(["近世村落"]) == ("近世", "近世村落")


def test_common_words_first() -> None:
    assert find_common(["old cars", "new cars", "cars of the town"], ["old"])[0] == "cars"


def test_a_language_has_its_own_common_words_and_the_others_those_of_english() -> None:
    assert stop_words("de")[0] == "der"
    assert stop_words("xx") == stop_words("en") == ("the", "of", "and", "in")


ROWS = Items(
    "t.1",
    tuple(
        tuple(
            Block(f"t.1/tr.{n}/td.{m}/#.1", f"{name} {n}")
            for m, name in enumerate(("Make", "Year", "Price", "Town"), 1)
        )
        for n in range(1, 11)
    ),
)
TITLES = Items("u.1", tuple((Block(f"u.1/li.{n}/a.1/#.1", f"Page about {n}"),) for n in range(1, 5)))
LINKS = [
    Link(f"http://e.com/{name}", f"Page about {n}") for n, name in enumerate(("news", "help/a", "x.html", "z/y/w"), 1)
]


def test_records_with_the_same_attributes() -> None:
    links = [Link(f"http://e.com/r/{n}", f"Make {n}") for n in range(1, 11)]
    kind, reasons = judge_kind(AnswerEvidence(ROWS, links, pieces=4, listed=500))
    assert kind == "database"
    assert "each record has the same 4 attributes" in reasons
    assert "lists 500 records when nothing is asked" in reasons


def test_titles_of_pages_that_the_site_links_to() -> None:
    kind, reasons = judge_kind(AnswerEvidence(TITLES, LINKS, known=LINKS[:2], pieces=1))
    assert kind == "site-search"
    assert "its results are pages that the site links to by the same title" in reasons


def test_the_word_marked_in_snippets() -> None:
    items = Items(
        "u.1",
        tuple(
            (
                Block(f"u.1/li.{n}/a.1/#.1", f"T{n}"),
                Block(f"u.1/li.{n}/#.1", "some words"),
                Block(f"u.1/li.{n}/b.1/#.1", "Tea"),
            )
            for n in range(1, 5)
        ),
    )
    assert judge_kind(AnswerEvidence(items, LINKS, pieces=3, word="tea"))[0] == "site-search"


def test_what_does_not_tell() -> None:
    assert judge_kind(AnswerEvidence(Items(""))) == ("", ())
