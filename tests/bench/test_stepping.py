"""Pages by their numbers."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.stepping import step_request
from dowse.model import Request


@pytest.mark.parametrize(
    ("first", "second", "number", "wanted"),
    [
        pytest.param("/s?page=1", "/s?page=2", 4, "/s?page=5", id="a page"),
        pytest.param("/s?q=a", "/s?q=a&page=2", 4, "/s?q=a&page=5", id="a page that the first has not"),
        pytest.param("/s?q=a", "/s?q=a&page=1", 4, "/s?q=a&page=4", id="pages counted from 0"),
        pytest.param("/s?q=a", "/s?q=a&start=20", 3, "/s?q=a&start=60", id="records"),
        pytest.param("/s?q=a", "/s?q=a&start=21", 3, "/s?q=a&start=61", id="records counted from 1"),
        pytest.param("/s?start=0", "/s?start=10", 3, "/s?start=30", id="records, of two digits"),
        pytest.param("/s?start=90", "/s?start=100", 3, "/s?start=120", id="records, of three digits"),
        pytest.param("/s?page=1&start=0", "/s?page=2&start=10", 3, "/s?page=4&start=30", id="both"),
        pytest.param("/list", "/list/page/2", 3, "/list/page/4", id="in the path"),
        pytest.param("/list.html", "/list-2.html", 3, "/list-4.html", id="in the file"),
        pytest.param("/p001.html", "/p002.html", 10, "/p011.html", id="with zeros"),
        pytest.param("/s?b=%E9&a=1", "/s?a=1&b=%C3%A9&pg=2", 3, "/s?a=1&b=%C3%A9&pg=4", id="written in another order"),
        pytest.param("/s?q=a", "/s?q=a&cursor=abc", 3, None, id="a token"),
        pytest.param("/a", "/b", 3, None, id="other places"),
        pytest.param("/s?page=1", "/s?page=1", 3, None, id="the same place"),
        pytest.param("/s?page=3", "/s?page=2", 3, None, id="backwards"),
    ],
)
def test_a_page_by_its_number(first: str, second: str, number: int, wanted: str | None) -> None:
    stepped = step_request(Request(f"http://a.test{second}"), Request(f"http://a.test{first}"), number)
    assert stepped == (Request(f"http://a.test{wanted}") if wanted else None)


def test_the_first_two_are_as_they_were() -> None:
    first, second = Request("http://a.test/1"), Request("http://a.test/x")
    assert [step_request(second, first, number) for number in (0, 1, -1)] == [first, second, None]


def test_what_is_posted_steps_too() -> None:
    first, second = (Request("http://a.test/", "POST", f"q=a&page={page}".encode()) for page in (1, 2))
    assert step_request(second, first, 6) == Request("http://a.test/", "POST", b"q=a&page=7")


@given(st.integers(1, 200), st.integers(0, 200), st.integers(2, 50))
def test_any_even_step_goes_on(step: int, start: int, number: int) -> None:
    first, second = (Request(f"http://a.test/s?from={start + step * page}") for page in (0, 1))
    assert step_request(second, first, number) == Request(f"http://a.test/s?from={start + step * number}")


@given(st.text(max_size=60), st.text(max_size=60), st.integers(2, 9))
def test_any_addresses_are_read(one: str, two: str, number: int) -> None:
    stepped = step_request(Request(two), Request(one), number)
    assert stepped is None or stepped.url != two
