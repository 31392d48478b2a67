"""From controls to conditions."""

from __future__ import annotations

import pytest

from dowse.form.conditions import attribute_name, find_conditions
from dowse.model import Condition, Field, Form, Option


def conditions(*fields: Field) -> tuple[Condition, ...]:
    return find_conditions(Form(0, "GET", "http://e.com/", fields))


def test_state_and_buttons_are_no_conditions() -> None:
    assert not conditions(Field("token", "hidden"), Field("go", "submit"), Field("x", "image"))


def test_free_text() -> None:
    (condition,) = conditions(Field("q", "text", label="Title:"))
    assert (condition.label, condition.attribute, condition.operator, condition.type) == (
        "Title:",
        "title",
        "contains",
        "text",
    )


def test_a_select_is_a_choice() -> None:
    (condition,) = conditions(Field("lang", "select", options=(Option("en", "English"), Option("fr", "French"))))
    assert (condition.operator, condition.type, [option.label for option in condition.options]) == (
        "equals",
        "choice",
        ["English", "French"],
    )


def test_radios_of_one_name_are_one_choice() -> None:
    (condition,) = conditions(
        Field("kind", "radio", label="New", value="n"), Field("kind", "radio", label="Used", value="u", checked=True)
    )
    assert (condition.operator, condition.fields) == ("equals", ("kind",))
    assert condition.options == (Option("n", "New", False), Option("u", "Used", True))


def test_checkboxes_of_one_name_are_a_set() -> None:
    (condition,) = conditions(Field("tag", "checkbox", value="a"), Field("tag", "checkbox", value="b"))
    assert condition.operator == "in"


@pytest.mark.parametrize(
    ("low", "high"), [("price_min", "price_max"), ("year_from", "year_to"), ("minPrice", "maxPrice")]
)
def test_two_ends_make_a_range(low: str, high: str) -> None:
    (condition,) = conditions(Field(low, "text"), Field(high, "text"))
    assert (condition.operator, condition.type, condition.fields) == ("range", "number", (low, high))


def test_neighbours_that_are_no_ends_stay_apart() -> None:
    assert len(conditions(Field("from_city", "text"), Field("airline", "text"))) == 2


@pytest.mark.parametrize(
    ("label", "name"),
    [("Author(s):", "author"), ("  Min. Price ", "min price"), ("firstName", "first name"), ("Año", "año")],
)
def test_attribute_name(label: str, name: str) -> None:
    assert attribute_name(label) == name
