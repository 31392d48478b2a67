"""What the words of a link say of where it leads."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dowse.records.pagewords import read_number, read_word


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("Next", "next"),
        ("Next page »", "next"),
        ("next 20 results", "next"),
        ("nächste Seite", "next"),
        ("Suivant", "next"),
        ("Página siguiente", "next"),
        ("successiva", "next"),
        ("avanti >", "next"),
        ("Próxima", "next"),
        ("volgende", "next"),
        ("następna", "next"),
        ("Следующая", "next"),
        ("次のページ", "next"),
        ("下一页", "next"),
        ("다음", "next"),
        ("← Older posts", "older"),
        ("Show more", "more"),
        ("Mehr anzeigen", "more"),
        ("もっと見る", "more"),
        ("« Previous", "back"),
        ("zurück", "back"),
        ("Newer posts", "back"),
        ("Erste Seite", "first"),
        ("««", "first"),
        ("Last »", "last"),
        (">|", "last"),
        ("›", "right"),
        (">>", "right twice"),
        ("‹", "left"),
        ("Fiches suivantes", "perhaps"),
        ("Next article", ""),
        ("Next month", ""),
        ("Next: how to bake bread", ""),
        ("Read more", ""),
        ("Home", ""),
        ("", ""),
    ],
)
def test_words(text: str, word: str) -> None:
    assert read_word(text) == word


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("2", 2),
        ("[3]", 3),
        ("Page 4", 4),
        ("1,094", 1094),
        ("第5页", 5),
        ("2nd", 0),
        ("12 cars", 0),
        ("1.2.3", 0),
        ("", 0),
    ],
)
def test_numbers(text: str, number: int) -> None:
    assert read_number(text) == number


@given(st.text(max_size=200))
def test_any_text(text: str) -> None:
    assert read_number(text) >= 0
    assert isinstance(read_word(text), str)
