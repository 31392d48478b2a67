"""Database or site search, by what answers are made of."""

from __future__ import annotations

from dowse.model import Block, Link
from dowse.records.compare import Items
from dowse.records.kind import Evidence, judge_kind

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
    kind, reasons = judge_kind(Evidence(ROWS, links, pieces=4, listed=500))
    assert kind == "database"
    assert "each record has the same 4 attributes" in reasons
    assert "lists 500 records when nothing is asked" in reasons


def test_titles_of_pages_that_the_site_links_to() -> None:
    kind, reasons = judge_kind(Evidence(TITLES, LINKS, known=LINKS[:2], pieces=1))
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
    assert judge_kind(Evidence(items, LINKS, pieces=3, word="tea"))[0] == "site-search"


def test_what_does_not_tell() -> None:
    assert judge_kind(Evidence(Items(""))) == ("", ())
