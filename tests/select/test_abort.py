"""When an answer is left."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dowse.model import Query
from dowse.select.abort import Page, count_rest, guess_rest, why_leave
from dowse.select.selector import Asked

ASKED = Query()


@pytest.mark.parametrize(
    ("total", "limit", "read", "known", "rate"),
    [
        pytest.param(95, 0, 10, 10, 85 / 9, id="all that follow are new"),
        pytest.param(95, 0, 10, 95, 0.0, id="all are known"),
        pytest.param(95, 0, 10, 50, 5.0, id="half of nine pages"),
        pytest.param(12, 0, 10, 11, 1.0, id="a last page with two"),
        pytest.param(1000, 50, 10, 10, 10.0, id="a limit hides what is new on pages that are not shown"),
        pytest.param(1000, 50, 50, 50, 0.0, id="a limit that is reached"),
        pytest.param(5, 0, 10, 0, 0.0, id="a total that is too low"),
        pytest.param(20, 0, 10, 30, 0.0, id="more known than there are said to be"),
    ],
)
def test_counts_what_is_to_come(total: int, limit: int, read: int, known: int, rate: float) -> None:
    asked = Asked(ASKED, pages=1, records=read, total=total, limit=limit, more=True)
    assert count_rest(asked, known, 10) == pytest.approx(rate)


@given(st.integers(0, 500), st.integers(0, 60), st.integers(0, 500), st.integers(0, 500), st.integers(1, 50))
def test_never_counts_more_than_a_page_or_less_than_nothing(
    total: int, limit: int, read: int, known: int, page_size: int
) -> None:
    rate = count_rest(Asked(ASKED, pages=1, records=read, total=total, limit=limit), max(known, read), page_size)
    assert 0 <= rate <= page_size


def test_guesses_by_the_pages_before_where_no_total_is_said() -> None:
    assert guess_rest(Asked(ASKED, pages=1, new=0), 8.0) == 4.0
    assert guess_rest(Asked(ASKED, pages=7, new=0), 8.0) == 1.0
    assert guess_rest(Asked(ASKED, pages=3, new=30), 10.0) == 10.0


def test_leaves_only_what_is_far_below_the_others() -> None:
    assert why_leave(1.0, 9.0) == "only 1.0 new records a page; 9.0 elsewhere"
    assert not why_leave(5.0, 9.0)
    assert not why_leave(0.5, 1.0), "little is enough where others have no more"


def test_leaves_what_comes_with_other_values_once_it_shows_no_strange_ones() -> None:
    page = Page()
    for strange, left in [(8, False), (6, False), (1, True)]:
        page.strange = strange
        page.count(Asked(ASKED, pages=1, records=10, total=1000, more=True), 10, 10, 9.0)
        assert bool(page.why_known(6.0)) is left
    assert page.full, "though its pages are full of new records"
