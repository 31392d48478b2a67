"""How sources write the same thing."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dowse.select.wording import WRITINGS, normalise


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Tom Hanks", "Hanks, Tom"),
        ("TOM  HANKS", "tom hanks"),
        ("Curaçao", "Curacao"),
        ("Straße", "STRASSE"),
        ("J.R.R. Tolkien", "Tolkien, J. R. R."),
    ],
)
def test_the_same_in_other_words(one: str, other: str) -> None:
    assert normalise(one) == normalise(other)


@pytest.mark.parametrize(("one", "other"), [("1994", "1995"), ("Tom Hanks", "Tim Hanks"), ("C", "C2")])
def test_not_the_same(one: str, other: str) -> None:
    assert normalise(one) != normalise(other)


@given(st.text(max_size=400))
def test_what_is_the_same_stays_the_same(text: str) -> None:
    assert normalise(normalise(text)) == normalise(text)
    for write in WRITINGS.values():
        assert isinstance(write(text), str)


@pytest.mark.parametrize(
    ("way", "text", "written"),
    [
        ("given name first", "Hanks, Tom", "Tom Hanks"),
        ("given name first", "Cher", "Cher"),
        ("family name first", "Tom Hanks", "Hanks, Tom"),
        ("family name first", "Cher", "Cher"),
    ],
)
def test_writings(way: str, text: str, written: str) -> None:
    assert WRITINGS[way](text) == written
