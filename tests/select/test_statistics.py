"""The estimators of paper 4, Section 4."""

from __future__ import annotations

import pytest

from dowse.model import Record, Value
from dowse.select.selector import Interface
from dowse.select.statistics import FLOOR, DomainStatistics, foretell
from dowse.select.table import build_table

TABLE = build_table(
    Record((Value("a", "even" if number % 2 else "odd"), Value("b", str(number // 10)))) for number in range(100)
)


def value(text: str) -> int:
    return list(TABLE.texts).index(text)


def test_the_union_grows_by_what_is_new() -> None:
    statistics = DomainStatistics(TABLE)
    statistics.cover([value("odd")])
    assert statistics.part == 0.5
    statistics.cover([value("3")])
    assert statistics.part == 0.55
    statistics.cover([value("3"), value("odd")])
    assert statistics.covered_count == 55


def test_estimates_scale_with_what_was_drawn() -> None:
    """Eq. 4.2: a query that half of the domain matches drew 300 records; so a tenth of the domain has 60."""
    statistics = DomainStatistics(TABLE)
    assert statistics.estimate(10) == 10, "nothing asked, nothing known"
    statistics.cover([value("odd")])
    statistics.local = 300
    assert statistics.estimate(10) == pytest.approx(60)


def test_records_outside_the_table_smooth_the_estimate() -> None:
    """Eq. 4.3: |Delta DM| + |DM| in the denominator."""
    statistics = DomainStatistics(TABLE)
    statistics.cover([value("odd")])
    statistics.local, statistics.outside = 300, 300
    assert statistics.estimate(10) == pytest.approx(15)


@pytest.mark.parametrize(
    ("interface", "matches", "known", "new", "requests"),
    [
        (Interface(), 95, 0, 95, 10),
        (Interface(), 95, 85, 10, 10),
        (Interface(), 3, 0, 3, 1),
        (Interface(), 20, 50, FLOOR * 5, 5),
        (Interface(limit=20), 100, 50, 10, 2),
        (Interface(page_size=50), 95, 0, 95, 2),
    ],
    ids=["Definition 2.3", "most known", "one page", "more than foretold", "limited", "other pages"],
)
def test_foretells_new_records_and_requests(
    interface: Interface, matches: float, known: int, new: float, requests: int
) -> None:
    assert foretell(interface, matches, known) == (pytest.approx(new), requests)
