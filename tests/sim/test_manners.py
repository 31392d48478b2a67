"""Rates are kept: per client and host, with a burst, in a table that stays small."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dowse.sim.manners import Manners, Turnstile, answer_too_many, find_host


class Clock:
    """A time that only the test moves."""

    def __init__(self) -> None:
        self.time = 100.0

    def __call__(self) -> float:
        return self.time


def test_a_server_is_quick_and_patient_unless_it_says_otherwise() -> None:
    assert Manners() == (0.0, 0.0)


@pytest.mark.parametrize(
    ("rate", "burst", "refilled"),
    [(3.0, 6, 3), (1.0, 2, 1), (0.25, 2, 0), (50.0, 100, 50)],
    ids=["twice the rate", "two at one a second", "two at least, however slow", "many"],
)
def test_a_burst_passes_and_then_only_the_rate(rate: float, burst: int, refilled: int) -> None:
    clock = Clock()
    turnstile = Turnstile(clock)
    assert [turnstile.admits("me", "a.example", rate) for _ in range(burst + 3)] == [True] * burst + [False] * 3
    clock.time += 1
    assert sum(turnstile.admits("me", "a.example", rate) for _ in range(burst + 3)) == refilled


def test_a_host_without_a_rate_is_never_counted() -> None:
    turnstile = Turnstile(Clock())
    assert all(turnstile.admits("me", "a.example", 0.0) for _ in range(100))
    assert len(turnstile) == 0


def test_clients_and_hosts_are_counted_apart() -> None:
    turnstile = Turnstile(Clock())
    pairs = [("me", "a.example"), ("you", "a.example"), ("me", "b.example")]
    assert [turnstile.admits(*pair, 1.0) for pair in pairs * 3] == [True] * 6 + [False] * 3


def test_the_table_forgets_the_least_recently_used() -> None:
    turnstile = Turnstile(Clock(), kept=3)
    for host in ("a", "a", "b", "c", "a", "d"):  # b was used least recently when d came
        turnstile.admits("me", host, 1.0)
    assert len(turnstile) == 3
    assert not turnstile.admits("me", "a", 1.0)
    for number in range(50):
        turnstile.admits("me", f"host{number}", 1.0)
    assert len(turnstile) == 3


def test_a_clock_that_goes_back_gives_and_takes_nothing() -> None:
    clock = Clock()
    turnstile = Turnstile(clock)
    assert turnstile.admits("me", "a", 1.0)
    clock.time -= 50
    assert [turnstile.admits("me", "a", 1.0) for _ in range(2)] == [True, False]


@given(
    rate=st.floats(0.1, 20),
    gaps=st.lists(st.floats(0, 3), min_size=1, max_size=60),
)
def test_no_stretch_of_time_sees_more_than_a_burst_and_the_rate(rate: float, gaps: list[float]) -> None:
    clock = Clock()
    turnstile = Turnstile(clock)
    admitted = []
    for gap in gaps:
        clock.time += gap
        if turnstile.admits("me", "a", rate):
            admitted.append(clock.time)
    assert all(before <= after for before, after in pairwise(admitted))
    for first in range(len(admitted)):
        for last in range(first, len(admitted)):
            allowed = max(2.0, 2 * rate) + rate * (admitted[last] - admitted[first])
            assert last - first + 1 <= allowed + 1e-6


def test_who_is_refused_is_told_when_to_come_again() -> None:
    answer = answer_too_many("http://a.example/")
    assert (answer.status, answer.header("retry-after")) == (429, "1")
    assert b"Too Many Requests" in answer.body


@pytest.mark.parametrize(
    ("url", "host"),
    [
        ("http://a.example/x?y=http://b.example/", "a.example"),
        ("HTTP://A.Example:8080", "a.example"),
        ("https://a.example?x", "a.example"),
        ("http:///x", ""),
        ("mailto:me@a.example", ""),
        ("", ""),
    ],
)
def test_the_host_of_an_address(url: str, host: str) -> None:
    assert find_host(url) == host
