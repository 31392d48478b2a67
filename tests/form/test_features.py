"""What is noticed about forms."""

from __future__ import annotations

import pytest

from dowse.form.features import describe, name_choices, page_facts, put_in_words
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


def test_words_of_a_page_are_bounded() -> None:
    assert page_facts(Page("http://e.com/", text="word " * 100_000 + "end")) == {"page=word"}


def test_words_of_a_page_are_those_that_are_known() -> None:
    page = Page("http://e.com/", text="Old maps of the city")
    assert page_facts(page) == {"page=old", "page=maps", "page=the", "page=city"}
    assert page_facts(page, frozenset({"maps", "of", "coins"})) == {"page=maps"}
