"""Texts as stems."""

from __future__ import annotations

import math

import pytest

from dowse.model import Field, Form, Option
from dowse.topic.text import count_stems, form_text, read_form_stems, read_stems

COUNTED = {
    "words of one stem are one": ("Cars, car; CAR!", {"car": 3}),
    "stop words are left out": ("the cat and the dog", {"cat": 1, "dog": 1}),
    "single letters and numbers are left out": ("a b 42 room", {"room": 1}),
    "russian is stemmed by its own rules": ("книга книги", {"книг": 2}),
    "no spaces give pairs of letters": ("中古車", {"中古": 1, "古車": 1}),
    "an endless word is no word": ("x" * 100, {}),
}


@pytest.mark.parametrize("case", COUNTED)
def test_stems_are_counted(case: str) -> None:
    text, expected = COUNTED[case]
    assert count_stems(text) == expected


def test_strengths_have_length_one_and_a_title_counts_more() -> None:
    stems = read_stems("hotel", "hotel room room").strengths
    assert math.isclose(sum(strength**2 for strength in stems.values()), 1.0)
    assert stems["hotel"] > stems["room"]


def test_no_words_are_no_stems() -> None:
    assert not read_stems("", " 1 2 3 ")


def test_a_form_is_its_labels_names_and_choices() -> None:
    makes = tuple(Option(name.lower(), name) for name in ("Audi", "Volvo"))
    fields = (
        Field("carMake", "select", label="Make", options=makes),
        Field("token", "hidden", value="secret"),
        Field("go", "submit", value="Search cars"),
    )
    words = form_text(Form(0, "GET", "http://cars.example/find", fields, heading="Used cars"))
    stems = read_form_stems(words).strengths
    assert {"car", "audi", "volvo", "search"} <= set(stems)
    assert "secret" not in words
    assert len(set(stems.values())) == 1
