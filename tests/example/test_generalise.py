"""Addresses as a pattern that matches them and others like them."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dowse.example.address import group_alike, group_similar
from dowse.example.generalise import generalise
from dowse.example.written import read_pattern

DBLP = "http://www.informatik.uni-trier.de/~ley/db/indices/a-tree"
JAZZ = "http://www.ejazz.com.br"
SITE = "http://e.example"
LEVELS = st.text("abX19-_.%:~+=;,'()!$*@ é", max_size=10)
URLS = st.builds(
    lambda path, query: f"{SITE}/{'/'.join(path)}?{'&'.join(f'{name}{value}' for name, value in query)}",
    st.lists(LEVELS, max_size=4),
    st.lists(st.tuples(st.sampled_from(["a=", "b=", "c", "", "="]), LEVELS), max_size=4),
)


def test_figure_8() -> None:
    urls = [f"{DBLP}/c/Chaves:Silvio_8=.html", f"{DBLP}/u/Ugher:Mangabeira_D=.html", f"{DBLP}/m/Mendes:Sergio.html"]
    pattern = generalise(urls)
    start = r"^http://www\.informatik\.uni-trier\.de/~ley/db/indices/a-tree"
    assert pattern.text == start + r"/[a-zA-Z]+/[a-zA-Z]+:[a-zA-Z]+(?:_[a-zA-Z0-9]+=)?\.html$"
    assert all(pattern.matches(url) for url in urls)
    assert pattern.matches(f"{DBLP}/s/Silva:Altigran_S=.html")
    assert not pattern.matches(f"{DBLP}/s/index.html")


def test_table_1() -> None:
    hubs = generalise(f"{JAZZ}/artistas/default_{letter}" for letter in "abc")
    artists = generalise(f"{JAZZ}/detalhes-artistas.asp?cd={number}" for number in (7, 31, 149))
    assert hubs.text == r"^http://www\.ejazz\.com\.br/artistas/default_[a-zA-Z]+$"
    assert artists.text == r"^http://www\.ejazz\.com\.br/detalhes-artistas\.asp\?cd=[0-9]+$"
    assert artists.matches(f"{JAZZ}/detalhes-artistas.asp?cd=200&utm_source=mail")
    assert not artists.matches(f"{JAZZ}/detalhes-artistas.asp?cd=all")
    assert not artists.matches(f"{JAZZ}/detalhes-artistas.asp")


def test_one_address_stays_as_it_is() -> None:
    pattern = generalise([f"{SITE}/a.b/c?d=1"])
    assert pattern.text == r"^http://e\.example/a\.b/c\?d=1$"
    assert pattern.matches(f"{SITE}/a.b/c?d=1")
    assert not pattern.matches(f"{SITE}/aXb/c?d=1")


def test_parameters_in_any_order_and_some_that_may_be_missing() -> None:
    pattern = generalise([f"{SITE}/l?cat=jazz&page=2", f"{SITE}/l?cat=rock", f"{SITE}/l?page=3&cat=pop"])
    assert pattern.text == r"^http://e\.example/l\?cat=[a-zA-Z]+(?:&page=[0-9]+)?$"
    assert pattern.matches(f"{SITE}/l?page=9&cat=folk")
    assert pattern.matches(f"{SITE}/l?cat=folk")
    assert not pattern.matches(f"{SITE}/l?page=9")
    assert not pattern.matches(f"{SITE}/l?cat=folk&sort=up")


def test_the_text_is_an_expression_for_addresses() -> None:
    pattern = generalise([f"{SITE}/l", f"{SITE}/l?page=2", f"{SITE}/l?page=3"])
    assert re.match(pattern.text, f"{SITE}/l?page=17")
    assert re.match(pattern.text, f"{SITE}/l")
    assert not re.match(pattern.text, f"{SITE}/list")


@pytest.mark.parametrize(
    "urls",
    [["http://a.example/", "http://b.example/"], ["http://a.example/x", "http://a.example/x/y"], ["nothing"], []],
)
def test_what_has_no_pattern(urls: list[str]) -> None:
    with pytest.raises(ValueError, match=r"levels|no address"):
        generalise(urls)


def test_pages_of_one_kind_differ_in_any_number_of_levels() -> None:
    cars = [f"{SITE}/{year}/{make}/{model}/{number}/specs" for year, make, model, number in [
        (2010, "ford", "ka", 7), (2011, "audi", "a4", 12), (2009, "honda", "civic", 133)]]  # fmt: skip
    assert len(group_similar(cars)) == 3
    (kind,) = group_alike(cars)
    pattern = generalise(kind)
    assert pattern.matches(f"{SITE}/2012/seat/ibiza/5/specs")
    assert not pattern.matches(f"{SITE}/2012/seat/ibiza/5/photos")


@given(st.lists(URLS, min_size=1, max_size=6))
def test_every_address_is_matched_and_the_text_reads_back(urls: list[str]) -> None:
    for group in group_similar(urls):
        pattern = generalise(group)
        assert all(pattern.matches(url) for url in group)
        assert read_pattern(pattern.text) == pattern


@given(st.lists(URLS, min_size=1, max_size=6))
def test_addresses_of_one_kind_are_all_matched(urls: list[str]) -> None:
    patterns = [generalise(group) for group in group_alike(urls)]
    assert all(any(pattern.matches(url) for pattern in patterns) for url in urls)
    assert all(read_pattern(pattern.text) == pattern for pattern in patterns)
