"""What is noticed about forms."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from dowse.form.features import describe, name_choices, page_facts, put_in_words
from dowse.form.judge import judge_form
from dowse.model import Field, Form, Option, Page

PAGE = Page("http://www.crane-books.example/search", title="Crane Books")


def select(*labels: str, name: str = "x") -> Field:
    return Field(name, "select", options=tuple(Option(label, label) for label in labels))


def facts(*fields: Field, **more: str) -> set[str]:
    return describe(Form(0, "GET", "http://www.crane-books.example/find", fields, **more), PAGE).facts  # type: ignore[arg-type]


def test_radios_of_one_name_are_one_question() -> None:
    radios = [Field("a", "radio", value=str(number)) for number in range(5)]
    assert {"asked 1", "typed 0", "choices 1"} <= facts(*radios)


def test_the_name_of_the_site_is_no_subject() -> None:
    found = facts(Field("q", "text", placeholder="Search Crane Books"))
    assert {"names itself", "subjects 0"} <= found
    assert "names itself" not in facts(Field("q", "text", placeholder="Search orchids"))


def test_a_box_without_a_word() -> None:
    button = Field("", "submit", label="Go", value="Go")
    assert "unlabelled" in facts(Field("q", "text"), button, text="Last changed in May")
    assert "unlabelled" not in facts(Field("q", "text", near="Words"), button, text="Words Go")


def test_words_of_a_form_around_a_page_are_not_its_own() -> None:
    assert "text~subscribe" not in facts(Field("q", "text"), text="newsletter " * 50)
    assert "text~subscribe" in facts(Field("q", "text"), text="newsletter")


@pytest.mark.parametrize(
    ("field", "names"),
    [
        (select("- choose -", "English", "Deutsch", "Français"), ["languages"]),
        (select("EUR", "USD", "GBP"), ["currencies"]),
        (select("Any", "rot", "blau", "grün"), ["colours"]),
        (select("S", "M", "L", "XL"), ["sizes"]),
        (select("Any", "Toyota", "Fiat", "red"), []),
        (select(), []),
    ],
)
def test_lists_tell_what_they_list(field: Field, names: list[str]) -> None:
    assert list(name_choices([field])) == names


def test_facts_in_words() -> None:
    assert put_in_words("button=search") == '"search" on its button'
    assert put_in_words("name~login") == "a word about login in the name of a field"
    assert put_in_words("password 1") == "a control of type password"
    assert put_in_words("hidden 3") == ""


def words_of_page(page: Page, known: Callable[[str], frozenset[str]] | None = None) -> set[str]:
    return {fact for fact in page_facts(page, known) if fact.startswith(("page=", "link="))}


def test_words_of_a_page_are_bounded() -> None:
    assert words_of_page(Page("http://e.com/", text="word " * 100_000 + "end")) == {"page=word"}


def test_words_of_a_page_are_those_that_are_known() -> None:
    page = Page("http://e.com/", text="Old maps of the city", urls=("http://e.com/coins/1", "http://other.com/news"))
    assert words_of_page(page) == {"page=old", "page=maps", "page=the", "page=city", "link=coins"}
    known = {"page=": frozenset({"maps", "towns"}), "link=": frozenset({"coins", "news"})}
    assert words_of_page(page, known.__getitem__) == {"page=maps", "link=coins"}


@pytest.mark.parametrize(
    ("text", "urls", "fact"),
    [
        ("1-20 of 345", (), "counts of records"),
        ("$5 €7 £9", (), "amounts of money 3+"),
        ("3 May 2024", (), "dates on the page 1+"),
        ("", tuple(f"http://e.com/cars/{number}" for number in range(30)), "numbered links of one shape 30+"),
        ("", ("http://e.com/?sort=year", "http://e.com/?order_by=make"), "links that sort 1+"),
        ("", ("http://e.com/cars?page=2",), "links to further pages"),
        ("", ("http://e.com/cars.csv",), "links to files of records"),
        ("", ("http://e.com/2024/05/a-day-out",), "links with dates 1+"),
    ],
    ids=["counts", "prices", "dates", "records", "sorting", "paging", "files", "posts"],
)
def test_what_a_page_around_a_form_tells(text: str, urls: tuple[str, ...], fact: str) -> None:
    assert fact in page_facts(Page("http://e.com/", text=text, urls=urls))
    assert fact not in page_facts(Page("http://e.com/", text="Welcome", urls=("http://e.com/about",)))


@pytest.mark.parametrize(
    ("fields", "more", "fact"),
    [
        ((select("10", "20", "50", name="per_page"),), {}, "only view controls"),
        ((select("Newest first", "Oldest first", name="sort"),), {}, "only view controls"),
        ((Field("sql", "textarea"),), {}, "query language"),
        ((Field("x", "textarea", value="SELECT * FROM books"),), {}, "query language"),
        ((Field("title", "text", value="Emma"), Field("year", "text", value="1815")), {}, "all filled"),
        (tuple(Field("row", "checkbox", value=str(number)) for number in range(3)), {}, "ticks rows"),
        ((Field("csrf_token", "hidden", value="1"),), {}, "token"),
        ((Field("", "submit", value="Export as CSV"),), {}, "says it gives a file"),
        ((Field("", "submit", value="Diff"),), {}, "says it compares versions"),
        ((Field("", "submit", value="Create"),), {}, "says it changes something"),
        ((Field("", "submit", value="Go"),), {"heading": "Preferences"}, "says it shapes a view"),
    ],
    ids=[
        "page size",
        "sorting",
        "SQL",
        "a statement",
        "edited",
        "rows",
        "token",
        "file",
        "versions",
        "new",
        "settings",
    ],
)
def test_what_sending_a_form_does(fields: tuple[Field, ...], more: dict[str, str], fact: str) -> None:
    assert fact in facts(*fields, **more)
    assert fact not in facts(Field("q", "text", label="Title"), Field("", "submit", value="Search"))


def test_boxes_that_hold_values_show_one_thing() -> None:
    held = [("title", "Finding words in old papers"), ("author", "A. Crane"), ("year", "1912"), ("note", "")]
    boxes = tuple(Field(name, "text", value=value, label=name.title()) for name, value in held)
    edited = Form(0, "POST", "http://www.crane-books.example/records/7", (*boxes, Field("", "submit", label="Go")))
    assert judge_form(edited, PAGE).kind == "other"
    asked = replace(edited, method="GET", fields=(*boxes, Field("", "submit", label="Search")))
    assert judge_form(asked, PAGE).kind == "database"
