"""Addresses as a pattern that matches them and others like them."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dowse.example.address import (
    AddressPattern,
    ParameterPattern,
    generalise,
    group_by_shape,
    group_similar,
    read_pattern,
    tighten_pattern,
)
from dowse.model import Verdict

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
    with pytest.raises(ValueError, match=r"levels|not the address"):
        generalise(urls)


def test_pages_of_one_kind_differ_in_any_number_of_levels() -> None:
    cars = [f"{SITE}/{year}/{make}/{model}/{number}/specs" for year, make, model, number in [
        (2010, "ford", "ka", 7), (2011, "audi", "a4", 12), (2009, "honda", "civic", 133)]]  # fmt: skip
    assert len(group_similar(cars)) == 3
    (kind,) = group_by_shape(cars)
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
    patterns = [generalise(group) for group in group_by_shape(urls)]
    assert all(any(pattern.matches(url) for pattern in patterns) for url in urls)
    assert all(read_pattern(pattern.text) == pattern for pattern in patterns)


@pytest.mark.parametrize(
    ("text", "url"),
    [
        (r"^http://e\.example/$", "http://e.example/"),
        (r"^http://e\.example/item/\d+$", "http://e.example/item/7"),
        (r"^https://e\.example:8443/(item|thing)/[^/?]+$", "https://e.example:8443/thing/a,b"),
        (r"^http://e\.example/x\.php\?id=\d+&lang=(?:de|en)$", "http://e.example/x.php?lang=en&id=3"),
        (r"^http://e\.example/x\.php\?z=1&a=[/a-z]+$", "http://e.example/x.php?a=b/c&z=1"),
        (r"^http://e\.example/l(?:[?&]page=\d+)?(?:[?&]q=(?:a|b))?$", "http://e.example/l?q=b"),
        (r"^http://e\.example/l\?a=\d(?:&b=[^&]+)?$", "http://e.example/l?b=x&a=1"),
        (r"^http://e\.example/a(?:&b)?\?c=1$", "http://e.example/a&b?c=1"),
        (r"^http://e\.example/l\?all$", "http://e.example/l?all"),
    ],
)
def test_read(text: str, url: str) -> None:
    pattern = read_pattern(text)
    assert isinstance(pattern, AddressPattern)
    assert pattern.matches(url)
    assert pattern.matches(url + "#top")
    assert not pattern.matches(url + "/more")


def test_parameters() -> None:
    pattern = read_pattern(r"^http://e\.example/l\?z=1&a=2(?:[?&]page=\d+)?$")
    assert isinstance(pattern, AddressPattern)
    assert pattern.parameters == (
        ParameterPattern("a=", "2"),
        ParameterPattern("z=", "1"),
        ParameterPattern("page=", r"\d+", optional=True),
    )


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (r"http://e\.example/", "anchored"),
        (r"^http://e\.example/\$", "anchored"),
        ("^http://e.example/$", "bare dot"),
        (r"^[a-z]+://e\.example/$", "scheme and host"),
        (r"^ftp://e\.example/$", "web address"),
        (r"^http://e\.example$", "no path"),
        (r"^http://e\.example/(?:a/b)?$", "takes /"),
        (r"^http://e\.example/(?:a+)+$", "repeated"),
        (r"^http://e\.example/a+a+a+a+b$", "slow"),
        (r"^http://e\.example/x\?[a-z]+=1$", "name of a parameter"),
        (r"^http://e\.example/x\?a=1&$", "name of a parameter"),
        (r"^http://e\.example/x\?a=[^/]*$", "takes &"),
        (r"^http://e\.example/x(?:[?&]a=1)?b$", "after its optional"),
        (r"^http://e\.example/[a-$", "not understood"),
        ("^" + "a" * 10_000 + "$", "characters"),
    ],
)
def test_refused(text: str, why: str) -> None:
    verdict = read_pattern(text)
    assert isinstance(verdict, Verdict)
    assert why in verdict.reason


@given(st.text(max_size=40))
def test_any_text_is_read_or_refused(text: str) -> None:
    for written in (text, f"^{text}$", rf"^http://e\.example/{text}$"):
        pattern = read_pattern(written)
        if isinstance(pattern, AddressPattern):
            pattern.matches("http://e.example/a")


NARROW_SITE = "http://e.example"
TAILS = st.lists(st.from_regex(r"[a-c0-9]{1,3}(-[a-c]{1,2})?", fullmatch=True), min_size=1, max_size=8)


def addresses(*tails: str) -> list[str]:
    return [NARROW_SITE + tail for tail in tails]


@pytest.mark.parametrize(
    ("wanted", "unwanted", "new"),
    [
        pytest.param(
            addresses("/jaws", "/psycho", "/alien", "/brazil"),
            addresses("/About", "/Help"),
            "/vertigo",
            id="by small letters",
        ),
        pytest.param(
            addresses("/f/tt7", "/f/tt81", "/f/tt123", "/f/tt4"),
            addresses("/f/top", "/f/new"),
            "/f/tt99",
            id="it told them apart already",
        ),
        pytest.param(
            addresses("/a/jazz/1", "/a/rock/2", "/a/jazz/3", "/a/rock/4"),
            addresses("/a/help/1", "/a/jobs/2"),
            "/a/jazz/77",
            id="by the words that were seen",
        ),
        pytest.param(
            addresses("/x?id=a17", "/x?id=a29", "/x?id=a12", "/x?id=a77", "/x?id=a1"),
            addresses(*(f"/x?id={word}" for word in ("help", "zz", "top", "new", "best", "old", "rare", "x1"))),
            "/x?id=a5555",
            id="by a parameter",
        ),
    ],
)
def test_told_apart(wanted: list[str], unwanted: list[str], new: str) -> None:
    narrowed = tighten_pattern(generalise(wanted), wanted, unwanted)
    assert narrowed.verdict.yes, narrowed.verdict.reason
    assert all(any(pattern.matches(url) for pattern in narrowed.patterns) for url in wanted)
    assert not any(pattern.matches(url) for pattern in narrowed.patterns for url in unwanted)
    assert any(pattern.matches(NARROW_SITE + new) for pattern in narrowed.patterns), "only knows what it has seen"


def test_what_cannot_be_told_apart_is_said() -> None:
    wanted = addresses("/jazz", "/rock", "/soul", "/folk")
    narrowed = tighten_pattern(generalise(wanted), wanted, addresses("/jobs", "/help"))
    assert not narrowed.verdict.yes
    assert "2 of 2 addresses" in narrowed.verdict.reason
    assert set(narrowed.wrong) == set(addresses("/jobs", "/help"))
    assert all(narrowed.patterns[0].matches(url) for url in wanted)


@pytest.mark.parametrize(
    ("wanted", "unwanted"),
    [
        pytest.param(["/b/9780553277579", "/b/9781433668234"], ["/b/17", "/b/4"], id="the number of digits"),
        pytest.param(["/2026/05/a", "/2026/06/b", "/2026/06/c"], ["/2025/01/d", "/2024/02/e"], id="a month"),
        pytest.param(
            ["/star-wars", "/high-noon", "/rear-window"], ["/dial-m-now", "/on-the-town"], id="the number of words"
        ),
        pytest.param(["/abc", "/def", "/ghi"], ["/abcdefgh", "/ijklmnop"], id="the length of words"),
    ],
)
def test_counts_and_lengths_tell_nothing(wanted: list[str], unwanted: list[str]) -> None:
    narrowed = tighten_pattern(
        generalise([NARROW_SITE + each for each in wanted + unwanted]), addresses(*wanted), addresses(*unwanted)
    )
    assert set(narrowed.wrong) == set(addresses(*unwanted))


def test_the_same_address_cannot_be_told_apart() -> None:
    wanted = addresses("/a", "/b")
    assert tighten_pattern(generalise(wanted), wanted, addresses("/a?utm_source=x")).wrong == (
        f"{NARROW_SITE}/a?utm_source=x",
    )


def test_nothing_to_leave_out() -> None:
    wanted = addresses("/a", "/b")
    pattern = generalise(wanted)
    assert tighten_pattern(pattern, wanted, addresses("/x/y")).patterns == (pattern,)


@given(TAILS, TAILS)
def test_it_never_loses_what_is_wanted_and_says_what_is_wrong(some: list[str], others: list[str]) -> None:
    wanted, unwanted = [f"{NARROW_SITE}/{each}" for each in some], [f"{NARROW_SITE}/{each}" for each in others]
    narrowed = tighten_pattern(generalise(wanted), wanted, unwanted)
    assert all(any(pattern.matches(url) for pattern in narrowed.patterns) for url in wanted)
    wrong = {url for url in unwanted if any(pattern.matches(url) for pattern in narrowed.patterns)}
    assert wrong == set(narrowed.wrong)
    assert narrowed.verdict.yes is not bool(wrong)
