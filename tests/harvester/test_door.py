"""Addresses with places for what is asked."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dowse.harvester.door import FAILED, NOTHING, Dull, fill_template, has_pages
from dowse.model import Answer, Query, Record, Request, Value, Verdict


@pytest.mark.parametrize(
    ("template", "wanted"),
    [
        ("http://a.test/?q={query}&page={page}", "http://a.test/?q=red%20car&page=3"),
        ("http://a.test/{query}/{start}/{count}", "http://a.test/red%20car/40/20"),
        ("http://a.test/?q={searchTerms}&p={startPage?}", "http://a.test/?q=red%20car&p=3"),
        ("http://a.test/?q={searchTerms}&i={startIndex?}&n={count?}", "http://a.test/?q=red%20car&i=41&n=20"),
        ("http://a.test/?q={searchTerms}&box={geo:box?}&l={language}", "http://a.test/?q=red%20car&box=&l=*"),
    ],
)
def test_places_are_filled(template: str, wanted: str) -> None:
    assert fill_template(template, "red car", 2, 20) == Request(wanted)


def test_counting_begins_where_the_description_says() -> None:
    template = "http://a.test/?q={searchTerms}&p={startPage}&i={startIndex}"
    assert fill_template(template, "a", 1, 10, page_offset=0, index_offset=0) == Request("http://a.test/?q=a&p=1&i=10")


@pytest.mark.parametrize(
    ("template", "reason"),
    [
        ("ftp://a.test/{query}", "the template is no web address: it begins neither with http:// nor with https://"),
        ("http://a.test/?q=x", "the template has no place for what is asked: {query}"),
        ("http://a.test/?q={query}&x={secret}", "the template wants {secret}; known are {query}, {page}, {start}, {count}"),
        ("http://a.test/?q={query", "the template has a brace that is not part of a place such as {query}, {page}, {start}, {count}"),
        ("http://{query}.test/", "the template has a place in its host"),
        ("http:///{query}", "the template names no host"),
        ("http://a.test/{query}" + "x" * 5_000, "the template has more than 4,096 characters"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said(template: str, reason: str) -> None:
    assert fill_template(template, "a") == Verdict(False, reason)


def test_pages_are_counted_from_0() -> None:
    assert isinstance(fill_template("http://a.test/{query}", "a", -1), Verdict)


def test_whether_there_are_later_pages() -> None:
    assert has_pages("http://a.test/?q={query}&p={page}")
    assert not has_pages("http://a.test/?q={query}")


@given(st.text(max_size=100))
def test_any_template_and_any_query(text: str) -> None:
    assert isinstance(fill_template(text, "a"), Request | Verdict)
    filled = fill_template("http://a.test/?q={query}", text)
    assert isinstance(filled, Request)
    assert filled.url.isascii()


ALL = ("a", "b", "c")


def answer(query: Query, keys: Sequence[str]) -> Answer:
    return Answer(query, 0, tuple(Record((Value("shelf", key),), key) for key in keys), total=len(keys))


def told(
    asked: Sequence[tuple[str, Sequence[str]]], everything: Sequence[str] | None = None, attribute: str = "op"
) -> str:
    """Return what is said of a further query, after these values have brought these records."""
    dull = Dull(frozenset(text for text, _ in asked))
    if everything is not None:
        dull.note(answer(Query(), everything))
    for text, keys in asked:
        dull.note(answer(Query((Value(attribute, text),)), keys))
    return dull.why_not(Query((Value(attribute, "more"), Value("author", "Kafka"))))


@pytest.mark.parametrize(
    ("asked", "everything", "reason"),
    [
        pytest.param([("=", ALL), ("<", ALL)], ALL, "the same records come", id="two that bring what everything brings"),
        pytest.param([("=", ALL), ("<", ALL), (">", ALL)], None, "the same records come", id="three that bring the same"),
        pytest.param([("=", ALL), ("<", ALL)], None, "", id="two may be chance"),
        pytest.param([("=", ALL), ("<", ALL[:1]), (">", ALL)], ALL, "", id="one that differs"),
        pytest.param([(key, ()) for key in ALL[:FAILED]], ALL, "nothing comes", id="nothing, though records have it"),
        pytest.param([(f"x{n}", ()) for n in range(NOTHING - 1)], ALL, "", id="nothing, as no record has it"),
        pytest.param([(f"x{n}", ()) for n in range(NOTHING)], ALL, "nothing comes", id="nothing for too long"),
    ],
)  # fmt: skip
def test_what_is_noticed(asked: list[tuple[str, Sequence[str]]], everything: Sequence[str] | None, reason: str) -> None:
    said = told(asked, everything)
    assert reason in said
    assert bool(said) == bool(reason)


def test_a_box_for_any_words_is_never_dull() -> None:
    assert not told([("one", ALL), ("two", ALL), ("three", ALL)], ALL, attribute="")


def test_an_attribute_that_once_differed_is_asked_on() -> None:
    assert not told([("=", ALL), ("<", ALL[:2]), *((sign, ALL) for sign in "≤≥~")], ALL)
