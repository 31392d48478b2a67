"""Texts as stems."""

from __future__ import annotations

import math

import pytest

from dowse.model import Field, Form, Option
from dowse.topic.text import (
    count_stems,
    form_text,
    host_of,
    read_form_stems,
    read_head_stems,
    read_host_grams,
    read_stems,
)

COUNTED = {
    "words of one stem are one": ("Cars, car; CAR!", {"car": 3}),
    "stop words are left out": ("the cat and the dog", {"cat": 1, "dog": 1}),
    "what cars are asked by is no stop word": ("make and model", {"make": 1, "model": 1}),
    "single letters and numbers are left out": ("a b 42 room", {"room": 1}),
    "russian is stemmed by its own rules": ("книга книги", {"книг": 2}),
    "no spaces give pairs of letters": ("中古車", {"中古": 1, "古車": 1}),
    "an endless word is no word": ("x" * 100, {}),
    "signs and digits part words, of any script": (
        "boats/3yachts_«кни-ги»",
        {"boat": 1, "yacht": 1, "кни": 1, "ги": 1},
    ),
    "half a character is no word": ("boat\ud800sail", {"boat": 1, "sail": 1}),
}


@pytest.mark.parametrize("case", COUNTED)
def test_stems_are_counted(case: str) -> None:
    text, expected = COUNTED[case]
    assert count_stems(text) == expected


def test_strengths_have_length_one_and_a_title_counts_more() -> None:
    stems = read_stems("hotel", "hotel room room").strengths
    assert math.isclose(sum(strength**2 for strength in stems.values()), 1.0)
    assert stems["hotel"] > stems["room"]


def test_words_are_counted_alike_when_the_memory_of_stems_was_full(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dowse.topic.text.MAX_REMEMBERED_WORDS", 2)
    assert count_stems("anchors boats cabins decks boats") == {"anchor": 1, "boat": 2, "cabin": 1, "deck": 1}


def test_terms_are_looked_up_by_the_first_letters_of_stems() -> None:
    stems = read_stems("", "Wohnungen Wohnungsbau wohnun")
    assert math.isclose(stems.by_term["wohnun"], sum(stems.strengths.values()))


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


def test_a_page_without_a_title_is_headed_by_its_first_words() -> None:
    text = "used boats for sale " + "privacy policy " * 50 + "caravans"
    assert "boat" in read_head_stems("", text).strengths
    assert "caravan" not in read_head_stems("", text).strengths
    assert "boat" not in read_head_stems("Login", text).strengths


def test_a_host_is_the_letters_of_its_name() -> None:
    grams = read_host_grams("www.used-boats.co.uk").strengths
    assert {"boat", "^used", "oats$", ".uk", ".co"} <= set(grams)
    assert "co" not in grams


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", ""])
def test_a_host_that_is_no_name_says_nothing(host: str) -> None:
    assert not read_host_grams(host)


ADDRESSES = {
    "http://boats.example:8080/a?b": "boats.example",
    "https://boats.example?q=1": "boats.example",
    "http://[broken/": "[broken",
    "": "",
}


@pytest.mark.parametrize("url", ADDRESSES)
def test_the_host_of_an_address(url: str) -> None:
    assert host_of(url) == ADDRESSES[url]
