"""Whether columns are called as their values are called in the truth."""

from __future__ import annotations

import pytest

from bench.realnames import is_right_name, judge_names


def pairs(column: str, number: str = "Amount") -> list[tuple[dict[str, object], dict[str, object]]]:
    return [
        (
            {column: [f"Ann {n}", f"Bo {n}"], number: f"{n}.50", "_url": ""},
            {"author": f"Ann {n}, Bo {n}", "price": float(f"{n}.5")},
        )
        for n in range(6)
    ]


def test_columns_are_known_by_their_values() -> None:
    found = {each.attribute: each for each in judge_names(pairs("Authors"), {})}
    assert (found["author"].column, found["author"].right) == ("Authors", True)
    assert (found["price"].column, found["price"].right) == ("Amount", False)


def test_what_the_pages_call_it_is_right() -> None:
    assert all(each.right for each in judge_names(pairs("Authors"), {"price": ["Amount"]}))


def test_too_few_records_tell_nothing() -> None:
    assert judge_names(pairs("Authors")[:3], {}) == []


@pytest.mark.parametrize(
    ("column", "attribute", "right"),
    [
        ("Latest version", "version", True),
        ("home_page", "homePage", True),
        ("title", "name", True),
        ("column 2", "author", False),
        ("snippet", "title", False),
    ],
)
def test_names(column: str, attribute: str, right: bool) -> None:
    assert is_right_name(column, attribute, ()) == right
