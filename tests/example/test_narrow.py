"""Patterns that leave out addresses of other pages, and a word where that cannot be."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dowse.example.generalise import generalise
from dowse.example.narrow import narrow

SITE = "http://e.example"
TAILS = st.lists(st.from_regex(r"[a-c0-9]{1,3}(-[a-c]{1,2})?", fullmatch=True), min_size=1, max_size=8)


def addresses(*tails: str) -> list[str]:
    return [SITE + tail for tail in tails]


@pytest.mark.parametrize(
    ("wanted", "unwanted", "new"),
    [
        pytest.param(
            addresses("/b/9780553277579", "/b/9781433668234", "/b/9780312570767"),
            addresses("/b/17", "/b/4"),
            "/b/9791400280162",
            id="by the number of digits",
        ),
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
            addresses("/x?id=a17", "/x?id=a29", "/x?id=b12", "/x?id=b77", "/x?id=c11"),
            addresses("/x?id=help", "/x?id=zz"),
            "/x?id=d55",
            id="by a parameter",
        ),
        pytest.param(
            addresses("/2010-05/x", "/2011-07/y", "/jazz-a/x", "/rock-b/z"),
            addresses("/about-us-now/x", "/contact-2010-form/y"),
            "/2015-12/v",
            id="by several patterns",
        ),
    ],
)
def test_told_apart(wanted: list[str], unwanted: list[str], new: str) -> None:
    narrowed = narrow(generalise(wanted), wanted, unwanted)
    assert narrowed.verdict.yes, narrowed.verdict.reason
    assert all(any(pattern.matches(url) for pattern in narrowed.patterns) for url in wanted)
    assert not any(pattern.matches(url) for pattern in narrowed.patterns for url in unwanted)
    assert any(pattern.matches(SITE + new) for pattern in narrowed.patterns), "only knows what it has seen"


def test_what_cannot_be_told_apart_is_said() -> None:
    wanted = addresses("/jazz", "/rock", "/soul", "/folk")
    narrowed = narrow(generalise(wanted), wanted, addresses("/jobs", "/help"))
    assert not narrowed.verdict.yes
    assert "2 of 2 addresses" in narrowed.verdict.reason
    assert set(narrowed.wrong) == set(addresses("/jobs", "/help"))
    assert all(narrowed.patterns[0].matches(url) for url in wanted)


def test_the_same_address_cannot_be_told_apart() -> None:
    wanted = addresses("/a", "/b")
    assert narrow(generalise(wanted), wanted, addresses("/a?utm_source=x")).wrong == (f"{SITE}/a?utm_source=x",)


def test_nothing_to_leave_out() -> None:
    wanted = addresses("/a", "/b")
    pattern = generalise(wanted)
    assert narrow(pattern, wanted, addresses("/x/y")).patterns == (pattern,)


@given(TAILS, TAILS)
def test_it_never_loses_what_is_wanted_and_says_what_is_wrong(some: list[str], others: list[str]) -> None:
    wanted, unwanted = [f"{SITE}/{each}" for each in some], [f"{SITE}/{each}" for each in others]
    narrowed = narrow(generalise(wanted), wanted, unwanted)
    assert all(any(pattern.matches(url) for pattern in narrowed.patterns) for url in wanted)
    wrong = {url for url in unwanted if any(pattern.matches(url) for pattern in narrowed.patterns)}
    assert wrong == set(narrowed.wrong)
    assert narrowed.verdict.yes is not bool(wrong)
