"""Tokens and the tree of expressions above them."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dowse.example.tokens import Kind, common_kind, escape, kind_of, token_regex, tokenize, write_class


def test_tokens_of_figure_8() -> None:
    assert tokenize("Chaves:Silvio_8=") == ("Chaves", ":", "Silvio", "_", "8", "=")
    assert tokenize("Mendes:Sergio") == ("Mendes", ":", "Sergio")


@pytest.mark.parametrize(
    ("column", "written"),
    [
        pytest.param(("Chaves", "Ugher", "Mendes"), "[a-zA-Z]+", id="one leaf"),
        pytest.param((":", ":", ":"), ":", id="one token"),
        pytest.param(("_", "_", ""), "_*", id="missing in one"),
        pytest.param(("8", "D", ""), "[a-zA-Z0-9]*", id="the node above two leaves, missing in one"),
    ],
)
def test_columns_of_figure_8(column: tuple[str, ...], written: str) -> None:
    assert token_regex(column) == written


@pytest.mark.parametrize(
    ("column", "written"),
    [
        (("1", "22"), "[0-9]+"),
        (("tt0109783", "tt0374546"), "tt[0-9]+"),
        (("12px", "9px"), "[0-9]+px"),
        (("ada9c2e2", "ed5def2b", "1a2b3c4d"), "[0-9a-f]{8}"),
        (("ada9c2e2", "1a2b3c4d"), "[a-zA-Z0-9]+"),
        (("caf%C3%A9", "tea"), "[a-zA-Z0-9%]+"),
        (("-", "_"), r"[\-_]"),
        (("a", "-"), "[^/?&]+"),
        (("ab", "ab", ""), "(?:ab)*"),
    ],
)
def test_columns(column: tuple[str, ...], written: str) -> None:
    assert token_regex(column) == written


@pytest.mark.parametrize(
    ("token", "kind"),
    [
        ("jazz", Kind.LETTERS),
        ("2004", Kind.DIGITS),
        ("48640644X", Kind.MIXED),
        ("S%C3%A3o", Kind.ENCODED),
        ("%20", Kind.ENCODED),
        ("%", Kind.MARK),
        ("-", Kind.MARK),
    ],
)
def test_kinds(token: str, kind: Kind) -> None:
    assert kind_of(token) is kind
    assert common_kind([token, ""]) is kind


@given(st.text(max_size=40))
def test_tokens_are_the_text(text: str) -> None:
    tokens = tokenize(text)
    assert "".join(tokens) == text
    words = [kind_of(token) is not Kind.MARK for token in tokens]
    assert not any(one and other for one, other in pairwise(words)), "a word was cut in two"


@given(st.lists(st.from_regex(r"[a-zA-Z0-9%.-]{0,6}", fullmatch=True), min_size=1, max_size=5))
def test_a_column_is_matched(texts: list[str]) -> None:
    column = [next(iter(tokenize(text)), "") for text in texts]
    if any(column):
        assert all(re.fullmatch(token_regex(column), token) for token in column)


@given(st.text(min_size=1, max_size=10))
def test_escaped_texts_match_themselves(text: str) -> None:
    assert re.fullmatch(escape(text), text)
    assert re.fullmatch(write_class(text) + "+", text)
